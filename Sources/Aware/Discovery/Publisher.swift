public import Frames
import Wire

/// A service that a device offers.
public struct Publication: Equatable, Sendable {
    public var name: ServiceName
    /// 1 … 255, one for each publication of a device.
    public var instance: UInt8
    /// Where the service listens on the data interface.
    public var port: UInt16
    public var matchingFilter: [[UInt8]]?
    /// Sent in every discovery window, asked or not. Otherwise only in answer to a subscriber.
    public var isUnsolicited: Bool

    public init(
        name: ServiceName, instance: UInt8, port: UInt16, matchingFilter: [[UInt8]]? = nil,
        isUnsolicited: Bool = true
    ) {
        self.name = name
        self.instance = instance
        self.port = port
        self.matchingFilter = matchingFilter
        self.isUnsolicited = isUnsolicited
    }
}

/// What the publications of a device say on the air.
///
/// Pairing can be on or off. While it is on, frames carry the setup bit, the bootstrapping methods and the pairing
/// information: phones want exactly that, and nothing of it later.
///
/// - Spec: Wi-Fi Aware 4.0, publish function.
public struct Publisher: Sendable {
    public var publications: [Publication] {
        didSet { if publications != oldValue { update &+= 1 } }
    }
    public var information: PairingInformation
    public var isPairingOn = false {
        didSet { if isPairingOn != oldValue { update &+= 1 } }
    }

    /// Tells subscribers that the service information changed.
    private var update: UInt8 = 0

    public init(publications: [Publication], information: PairingInformation) {
        self.publications = publications
        self.information = information
    }

    /// Frames for everybody in the next discovery window, as attributes each.
    public func unsolicited(from station: StationProfile, identity: IdentityResolution) -> [[Attribute]] {
        var frames: [[Attribute]] = []
        for publication in publications where publication.isUnsolicited {
            frames.append(attributes(publication, requestor: 0, station, identity))
        }
        return frames
    }

    /// The answers to a subscriber's question, none where it means somebody or something else.
    public func answers(
        to question: ServiceDescriptor, from station: StationProfile, identity: IdentityResolution
    ) -> [[Attribute]] {
        guard question.kind == .subscribe,
            Matching.mayAnswer(question.responseFilter, address: station.address)
        else { return [] }
        var frames: [[Attribute]] = []
        for publication in publications
        where publication.name.identifier == question.service
            && Matching.accepts(subscriber: question.matchingFilter, publisher: publication.matchingFilter)
        {
            frames.append(attributes(publication, requestor: question.instance, station, identity))
        }
        return frames
    }

    public func publication(_ instance: UInt8) -> Publication? {
        publications.first { $0.instance == instance }
    }

    /// The order is that of an established publisher, which phones are known to read.
    private func attributes(
        _ publication: Publication, requestor: UInt8, _ station: StationProfile,
        _ identity: IdentityResolution
    ) -> [Attribute] {
        var attributes: [Attribute] = [
            .serviceDescriptor(
                ServiceDescriptor(
                    service: publication.name.identifier, instance: publication.instance,
                    requestor: requestor,
                    kind: .publish, matchingFilter: publication.matchingFilter)),
            .serviceDescriptorExtension(
                ServiceDescriptorExtension(
                    instance: publication.instance,
                    control: [.dataPathRequired, .securityRequired, .updateIndicator],
                    updateIndicator: update,
                    information: ServiceInformation(content: .generic(generic(publication))))),
        ]
        if isPairingOn {
            attributes.append(
                .pairingBootstrapping(
                    PairingBootstrapping(dialogToken: 0, step: .advertisement, methods: .pinDisplay)))
        }
        attributes += station.common(identity)
        attributes.append(
            .cipherSuiteInformation(
                CipherSuiteInformation(entries: [
                    .init(suite: .sharedKey128, publish: publication.instance),
                    .init(suite: .pasn128, publish: publication.instance),
                ])))
        return attributes
    }

    private func generic(_ publication: Publication) -> GenericService {
        var items: [GenericService.Item] = [.port(publication.port), .transport(publication.name.transport)]
        if isPairingOn { items.append(.text(information.text)) }
        return GenericService(items: items)
    }
}
