import Frames
import Ports
import Wire

/// A message of a data path's negotiation, as read from a frame: its head, and what either form of the attribute says
/// of the sender's end.
struct DataPathMessage {
    /// Peers without the newer attribute are answered with the older one.
    enum Form {
        case plain
        case extended
    }

    let received: ReceivedAction
    let subtype: ActionFrame.Subtype
    let form: Form
    let head: DataPathHead
    let saidInterfaceIdentifier: UInt64?
    let port: UInt16?
    let transport: GenericService.Transport?

    init(_ received: ReceivedAction) throws(DataPathRefusal) {
        guard let subtype = received.subtype, let kind = Self.kind(of: subtype) else { throw .contradictory }
        let end = try Self.end(in: received.frame)
        guard end.head.kind == kind else { throw .contradictory }
        self.received = received
        self.subtype = subtype
        form = end.form
        head = end.head
        saidInterfaceIdentifier = end.interfaceIdentifier
        var port: UInt16?
        var transport: GenericService.Transport?
        for item in end.service?.items ?? [] {
            switch item {
            case .port(let number) where number != 0: port = port ?? number
            case .transport(let number): transport = transport ?? number
            case .port, .serviceName, .instanceName, .text, .unknown: break
            }
        }
        self.port = port
        self.transport = transport
    }

    var name: DataPathName { DataPathName(initiator: head.initiator, identifier: head.identifier) }

    /// The sender's end, whose data interface has `address`. Neither that nor its IPv6 address may be ours.
    func peer(
        _ address: MACAddress, management: MACAddress, besides own: DataPathEnd, idlePeriod: UInt16
    ) throws(DataPathRefusal) -> DataPeer {
        guard address.isPossible(besides: own.dataInterface) else { throw .invalidAddress }
        let identifier = interfaceIdentifier(of: address)
        guard identifier != own.interfaceIdentifier else { throw .invalidAddress }
        return DataPeer(
            address: address, management: management, interfaceIdentifier: identifier,
            ports: port.map { [$0] } ?? [], htCapabilities: received.element(.htCapabilities, count: 26),
            vhtCapabilities: received.element(.vhtCapabilities, count: 12), idlePeriod: idlePeriod)
    }

    /// What the sender said, or what its address makes.
    private func interfaceIdentifier(of address: MACAddress) -> UInt64 {
        guard let said = saidInterfaceIdentifier, said != 0 else { return address.interfaceIdentifier }
        return said
    }

    func keyDescriptor(_ flags: MessageFlags) throws(DataPathRefusal) -> SharedKeyDescriptor {
        guard let descriptor = received.sharedKeyDescriptor else { throw .missing(.sharedKeyDescriptor) }
        guard flags.match(descriptor.info) else { throw .wrongKeyInformation(descriptor.info.rawValue) }
        return descriptor
    }

    private struct End {
        var form: Form
        var head: DataPathHead
        var interfaceIdentifier: UInt64?
        var service: GenericService?
    }

    private static func end(in frame: ActionFrame) throws(DataPathRefusal) -> End {
        for attribute in frame.attributes {
            switch attribute {
            case .dataPathExtension(let path):
                var end = End(form: .extended, head: path.head)
                for item in path.items {
                    switch item {
                    case .interfaceIdentifier(let identifier): end.interfaceIdentifier = identifier
                    case .service(let information): end.service = information.generic
                    case .unknown: break
                    }
                }
                return end
            case .dataPath(let path):
                let information = path.information.flatMap { ServiceInformation(octets: $0) }
                return End(form: .plain, head: path.head, service: information?.generic)
            default: break
            }
        }
        throw .missing(.dataPathExtension)
    }

    private static func kind(of subtype: ActionFrame.Subtype) -> DataPathHead.Kind? {
        switch subtype {
        case .dataPathRequest: .request
        case .dataPathResponse: .response
        case .dataPathConfirm: .confirm
        case .dataPathKeyInstall: .securityInstall
        case .dataPathTermination: .terminate
        default: nil
        }
    }
}

/// The flags of the key descriptor in M1 to M4; those for encrypted key data come on top where there is any.
///
/// - Spec: Wi-Fi Aware 4.0, NAN data path security; values as recorded.
struct MessageFlags {
    let required: SharedKeyDescriptor.Info
    let forbidden: SharedKeyDescriptor.Info

    static let first = MessageFlags(required: [.pairwise, .acknowledge], forbidden: [.mic, .install])
    static let second = MessageFlags(required: [.pairwise, .mic], forbidden: [.acknowledge, .install])
    static let third = MessageFlags(
        required: [.pairwise, .install, .acknowledge, .mic, .secure], forbidden: [])
    static let fourth = MessageFlags(
        required: [.pairwise, .install, .mic, .secure], forbidden: [.acknowledge])

    func match(_ info: SharedKeyDescriptor.Info) -> Bool {
        info.isSuperset(of: required) && info.isDisjoint(with: forbidden)
    }
}

extension ServiceInformation {
    fileprivate var generic: GenericService? {
        switch content {
        case .generic(let service): service
        case .other: nil
        }
    }
}

extension MACAddress {
    /// The lower half of the link-local address that an interface makes of its own address (RFC 4291, appendix A).
    var interfaceIdentifier: UInt64 {
        let high = (rawValue >> 24 ^ 0x02_0000) << 40
        return high | 0xff_fe00_0000 | rawValue & 0xff_ffff
    }

    /// Whether a single station could have it, and it is not ours.
    func isPossible(besides own: MACAddress) -> Bool { !isMulticast && rawValue != 0 && self != own }
}
