public import Frames
public import Wire

/// What names a data path among all of a peer's: the initiator's data interface, and a number of its choice.
public struct DataPathName: Hashable, Sendable {
    public var initiator: MACAddress
    public var identifier: UInt8

    public init(initiator: MACAddress, identifier: UInt8) {
        self.initiator = initiator
        self.identifier = identifier
    }

    /// Nil where a frame is about no data path.
    public init?(of frame: ActionFrame) {
        for attribute in frame.attributes {
            switch attribute {
            case .dataPathExtension(let path):
                self.init(initiator: path.head.initiator, identifier: path.head.identifier)
                return
            case .dataPath(let path):
                self.init(initiator: path.head.initiator, identifier: path.head.identifier)
                return
            default: break
            }
        }
        return nil
    }
}

extension DataPathName: CustomStringConvertible {
    public var description: String { "\(initiator)/\(identifier)" }
}

/// Our end of data paths: one for all of them.
public struct DataPathEnd: Equatable, Sendable {
    public var profile: StationProfile
    /// The address of our data interface (NDI), and the lower half of its IPv6 link-local address.
    public var dataInterface: MACAddress
    public var interfaceIdentifier: UInt64
    /// In seconds; zero where silence may last for ever.
    public var idlePeriod: UInt16

    public init(
        profile: StationProfile, dataInterface: MACAddress, interfaceIdentifier: UInt64,
        idlePeriod: UInt16 = 25
    ) {
        self.profile = profile
        self.dataInterface = dataInterface
        self.interfaceIdentifier = interfaceIdentifier
        self.idlePeriod = idlePeriod
    }

    /// The shorter of two idle periods; one that is off leaves it to the other.
    func agreedIdlePeriod(with peer: UInt16?) -> UInt16 {
        guard let peer, peer != 0 else { return idlePeriod }
        return idlePeriod == 0 ? peer : min(idlePeriod, peer)
    }
}

/// A published service that is reached over data paths.
public struct DataPathService: Equatable, Sendable {
    /// The publisher's instance.
    public var publish: UInt8
    public var identifier: ServiceIdentifier
    /// Where it listens. Nil where only the publisher knows, and says it in its answer.
    public var port: UInt16?
    public var transport: GenericService.Transport?

    public init(
        publish: UInt8, identifier: ServiceIdentifier, port: UInt16? = nil,
        transport: GenericService.Transport? = nil
    ) {
        self.publish = publish
        self.identifier = identifier
        self.port = port
        self.transport = transport
    }
}

extension DataPathEnd {
    /// What our frames say of this end, and of a service behind it.
    func items(offering service: DataPathService? = nil) -> [DataPathExtension.Item] {
        var items: [DataPathExtension.Item] = [.interfaceIdentifier(interfaceIdentifier)]
        var details: [GenericService.Item] = []
        if let port = service?.port { details.append(.port(port)) }
        if let transport = service?.transport { details.append(.transport(transport)) }
        if !details.isEmpty {
            items.append(.service(ServiceInformation(content: .generic(GenericService(items: details)))))
        }
        return items
    }
}
