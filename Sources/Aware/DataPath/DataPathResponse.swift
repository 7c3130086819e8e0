import Crypto
import Frames
import Ports
import Wire

/// A response (M2) to a request of ours, by a publisher that has our master key.
struct DataPathResponse {
    let body: [UInt8]
    /// The publisher's.
    let nonce: [UInt8]
    let keys: DataPathKeys
    let peer: DataPeer
    let facts: DataPathFacts

    /// - Parameters:
    ///   - address: the publisher's management interface.
    ///   - nonce: that of the request.
    init(
        _ message: DataPathMessage, to own: DataPathEnd, from address: MACAddress, service: DataPathService,
        _ algorithms: DataPathAlgorithms, master: Key, nonce: [UInt8]
    ) throws(DataPathRefusal) {
        peer = try Self.publisher(in: message, address, own, service)
        let suite = try Self.suite(in: message.received, algorithms)
        let descriptor = try message.keyDescriptor(.second)
        guard descriptor.replayCounter == 1 else { throw .replayed(descriptor.replayCounter) }
        keys = DataPathKeys(
            algorithms, master: master, initiator: own.dataInterface, responder: peer.address,
            initiatorNonce: nonce, responderNonce: descriptor.nonce)
        guard keys.verify(message.received.body) else { throw .wrongCode }

        body = message.received.body
        self.nonce = descriptor.nonce
        facts = DataPathFacts(
            name: message.name, peer: address, peerDataInterface: peer.address,
            peerInterfaceIdentifier: peer.interfaceIdentifier, publish: service.publish, suite: suite,
            peerPort: peer.ports.first, peerTransport: message.transport ?? service.transport,
            idlePeriod: peer.idlePeriod)
    }

    /// The end of the publisher, which says where its service listens if we do not know.
    private static func publisher(
        in message: DataPathMessage, _ management: MACAddress, _ own: DataPathEnd, _ service: DataPathService
    ) throws(DataPathRefusal) -> DataPeer {
        guard message.head.status == .continued, message.head.control.contains(.securityPresent) else {
            throw .open
        }
        guard let address = message.head.responder else { throw .invalidAddress }
        let idlePeriod = own.agreedIdlePeriod(with: message.received.dataLink?.idlePeriod)
        var peer = try message.peer(address, management: management, besides: own, idlePeriod: idlePeriod)
        if peer.ports.isEmpty, let port = service.port { peer.ports = [port] }
        return peer
    }

    /// Publishers may put the suite of the pairing in the place of the one asked for: the keys are the same.
    private static func suite(
        in received: ReceivedAction, _ algorithms: DataPathAlgorithms
    ) throws(DataPathRefusal) -> CipherSuite {
        guard let chosen = received.cipherSuites else { throw .missing(.cipherSuiteInformation) }
        guard let entry = chosen.entries.first, DataPathAlgorithms(entry.suite) == algorithms else {
            throw .unsupportedSuite
        }
        return entry.suite
    }
}
