import Aware
import Channels
import Frames
import LinuxHost
import Phone
import Ports
import Programs
import Runtime
import Wire

/// `aware connect SERVICE`: keeps a data path to a paired accessory, and lets programs of this machine use it.
final class Connect: PhoneOwner {
    private let command: ParsedArguments
    private let service: ServiceName
    private let listen: SocketAddress?
    private var forwarder: UDPForwarder?
    private var session: Session?

    init(_ command: ParsedArguments, service: String) throws(Obstacle) {
        self.command = command
        self.service = try Session.service(service)
        guard let text = command.value("listen") else {
            listen = nil
            return
        }
        guard let address = SocketAddress(text) else {
            throw .usage("--listen is ADDR:PORT, as in 127.0.0.1:14550")
        }
        guard self.service.transport == .udp else {
            throw .usage("--listen forwards services on UDP only: \(service) is on TCP")
        }
        listen = address
    }

    func run() throws(Obstacle) -> Int32 {
        let session = try Session(command, owner: self)
        self.session = session
        if let listen {
            do throws(NetworkError) {
                let forwarder = try UDPForwarder(listeningOn: listen, network: session.network)
                self.forwarder = forwarder
                session.add(forwarder)
            } catch {
                throw Obstacle(error.explanation)
            }
        }
        let service = self.service
        let id = command.value("device")
        session.agent.ask(at: session.clock.now) { $0.connect(to: service, id: id, at: session.clock.now) }
        return session.run()
    }

    func phone(_ agent: PhoneAgent, wants action: Phone.Action, at now: Instant) {
        switch action {
        case .connected(_, let own, let peer):
            forwarder?.retarget(own: own, peer: peer, at: now)
            let address = forwarder?.localAddress ?? peer
            say("connected \(service.text) \(address)", "connected", address.description)
        case .disconnected(let reason):
            forwarder?.suspend()
            say("disconnected \(service.text): \(reason)", "disconnected", reason)
        case .failed(let reason):
            session?.end(complain(reason))
        case .note(let note):
            if command.has("verbose") { StandardStream.error.write("\(note)\n") }
        case .found, .askPIN, .paired, .radio, .save:
            break
        }
    }

    private func say(_ text: String, _ event: String, _ detail: String) {
        guard command.has("json") else {
            StandardStream.output.write(text + "\n")
            return
        }
        StandardStream.output.write(
            JSONWriter.object {
                $0.member("event", event)
                $0.member("service", service.text)
                $0.member("detail", detail)
            } + "\n")
    }
}
