import Crypto
import Frames
import Ports
import Wire

/// One agreement on keys with an initiator: its request, our response (M2), and what M3 has to prove.
struct DataPathNegotiation {
    let request: DataPathRequest
    var response: PendingMessage
    let frames: DataPathFrames
    let keys: DataPathKeys
    private let nonce: [UInt8]
    /// Ties M3 to the request as it came here.
    private let token: [UInt8]

    init(
        answering request: DataPathRequest, as own: DataPathEnd, master: Key, entropy: any Entropy,
        at now: Instant
    ) {
        let algorithms = request.algorithms
        nonce = entropy.octets(32)
        keys = DataPathKeys(
            algorithms, master: master, initiator: request.peer.address, responder: own.dataInterface,
            initiatorNonce: request.descriptor.nonce, responderNonce: nonce)
        token = algorithms.token(ofRequest: request.body)
        frames = DataPathFrames(
            own: own, name: request.facts.name, dialogToken: request.dialogToken,
            publish: request.service.publish,
            form: request.form, isProtected: request.isProtected)
        var body = frames.response(
            DataPathFrames.Security(
                suite: request.facts.suite, keyIdentifier: request.keyIdentifier,
                descriptor: SharedKeyDescriptor(
                    publish: request.service.publish, info: MessageFlags.second.required, keyLength: 0,
                    replayCounter: request.descriptor.replayCounter, nonce: nonce, mic: algorithms.emptyCode)),
            items: own.items(offering: request.service), idlePeriod: request.facts.idlePeriod,
            cluster: DataCluster(
                meetingIn: request.availability.common(with: own.profile.availability),
                proposal: request.proposedCluster, fresh: MACAddress(random: entropy.number64())))
        keys.sign(&body)
        response = PendingMessage(
            body, limit: DataPathTiming.messageLimit, interval: DataPathTiming.messageInterval, at: now)
        self.request = request
    }

    /// M3, wholly checked before anything is done about it. It may come after any repetition of the request, so that
    /// its counter is only known to be higher.
    func verify(_ message: DataPathMessage) throws(DataPathRefusal) -> SharedKeyDescriptor {
        let descriptor = try message.keyDescriptor(.third)
        guard descriptor.nonce == request.descriptor.nonce else { throw .wrongNonce }
        guard keys.verify(message.received.body, prefix: token) else { throw .wrongCode }
        guard descriptor.replayCounter > request.descriptor.replayCounter else {
            throw .replayed(descriptor.replayCounter)
        }
        guard keys.canRead(descriptor) else { throw .unreadableKeyData }
        return descriptor
    }

    /// M4.
    func keyInstall(from own: DataPathEnd, replayCounter: UInt64) -> [UInt8] {
        var body = frames.told(of: own).keyInstall(
            SharedKeyDescriptor(
                publish: request.service.publish, info: MessageFlags.fourth.required, keyLength: 0,
                replayCounter: replayCounter, nonce: nonce, mic: keys.emptyCode))
        keys.sign(&body)
        return body
    }
}
