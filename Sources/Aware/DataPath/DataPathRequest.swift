import Crypto
import Frames
import Ports
import Wire

/// A request (M1) that has all it has to have, by a peer that means a key of ours and a service of ours.
struct DataPathRequest {
    let body: [UInt8]
    let dialogToken: UInt8
    let form: DataPathMessage.Form
    let isProtected: Bool
    let service: DataPathService
    let algorithms: DataPathAlgorithms
    /// As the peer computed it.
    let keyIdentifier: [UInt8]
    let descriptor: SharedKeyDescriptor
    let availability: PeerAvailability
    let proposedCluster: DataCluster?
    let peer: DataPeer
    let facts: DataPathFacts

    init(
        _ message: DataPathMessage, from address: MACAddress, to own: DataPathEnd,
        services: [DataPathService],
        master: Key
    ) throws(DataPathRefusal) {
        let received = message.received
        guard message.head.control.contains(.securityPresent) else { throw .open }
        service = try Self.service(for: message.head.publish, among: services)
        let idlePeriod = own.agreedIdlePeriod(with: received.dataLink?.idlePeriod)
        peer = try message.peer(
            message.name.initiator, management: address, besides: own, idlePeriod: idlePeriod)
        let suite = try Self.suite(in: received)
        guard let algorithms = DataPathAlgorithms(suite) else { throw .unsupportedSuite }
        keyIdentifier = try Self.keyIdentifier(
            in: received, of: master, algorithms, initiator: address, responder: own.profile.address, service)
        descriptor = try message.keyDescriptor(.first)
        availability = try Self.availability(in: received, own.profile.availability)

        self.algorithms = algorithms
        body = received.body
        dialogToken = message.head.dialogToken
        form = message.form
        isProtected = received.isProtected
        proposedCluster = received.dataCluster
        facts = DataPathFacts(
            name: message.name, peer: address, peerDataInterface: peer.address,
            peerInterfaceIdentifier: peer.interfaceIdentifier, publish: service.publish, suite: suite,
            peerPort: message.port, peerTransport: message.transport, idlePeriod: idlePeriod)
    }

    private static func service(
        for publish: UInt8?, among services: [DataPathService]
    ) throws(DataPathRefusal) -> DataPathService {
        for service in services where service.publish == publish { return service }
        throw .unknownService(publish ?? 0)
    }

    private static func suite(in received: ReceivedAction) throws(DataPathRefusal) -> CipherSuite {
        guard let offered = received.cipherSuites else { throw .missing(.cipherSuiteInformation) }
        for entry in offered.entries where entry.suite == .pasn128 || entry.suite == .sharedKey128 {
            return entry.suite
        }
        throw .unsupportedSuite
    }

    /// The identifier of our key, in whichever order the peer took the addresses. A peer that sends none will be found
    /// out by its MIC.
    private static func keyIdentifier(
        in received: ReceivedAction, of master: Key, _ algorithms: DataPathAlgorithms, initiator: MACAddress,
        responder: MACAddress, _ service: DataPathService
    ) throws(DataPathRefusal) -> [UInt8] {
        let own = algorithms.identifier(
            of: master, initiator: initiator, responder: responder, service: service.identifier)
        let turned = algorithms.identifier(
            of: master, initiator: responder, responder: initiator, service: service.identifier)
        guard let contexts = received.securityContexts?.entries, !contexts.isEmpty else { return own }
        for context in contexts {
            if constantTimeEqual(context.identifier, own) { return own }
            if constantTimeEqual(context.identifier, turned) { return turned }
        }
        throw .unknownKey
    }

    private static func availability(
        in received: ReceivedAction, _ own: LocalAvailability
    ) throws(DataPathRefusal) -> PeerAvailability {
        guard let availability = PeerAvailability(in: received.frame, on: own.channel) else {
            throw .missing(.availability)
        }
        let common = availability.common(with: own)
        guard common != 0 else { throw .noCommonSlots }
        if let quality = received.dataLinkQoS, !quality.isMet(by: common) { throw .insufficientSlots }
        return availability
    }
}
