import MAVLink
import Testing
import Wire

/// A ground station and a vehicle in virtual time.
struct Field {
    var now = Instant(microseconds: 5_000_000)
    var vehicle: SimulatedVehicle
    var heard: [MAVLinkFrame] = []
    var beats = true
    private var nextBeat: Instant
    private var sequence: UInt8 = 0

    init() {
        vehicle = SimulatedVehicle(at: now)
        nextBeat = now
        heard = vehicle.start(at: now)
    }

    mutating func send<Message: MAVLinkMessage>(_ message: Message) {
        let frame = MAVLinkFrame(message, from: Golden.groundStation, sequence: sequence)
        heard += vehicle.receive(frame, at: now)
        sequence &+= 1
    }

    mutating func pass(seconds: UInt32) {
        let end = now + .seconds(seconds)
        while let next = Instant.earliest(vehicle.deadline, beats ? nextBeat : nil), next < end {
            now = max(now, next)
            if beats, nextBeat <= now {
                nextBeat = now + .seconds(1)
                send(
                    Heartbeat(
                        type: .groundStation, autopilot: .none, customMode: 0, baseMode: [],
                        systemState: .active))
            }
            heard += vehicle.advance(to: now)
        }
        now = end
    }

    mutating func command(
        _ command: Command, _ parameter1: Float = 0, _ parameter2: Float = 0, height: Float = 0
    ) -> CommandResult? {
        let before = heard.count
        send(
            CommandLong(
                command: command, parameter1: parameter1, parameter2: parameter2, parameter7: height,
                targetSystem: 1, targetComponent: 1))
        return heard.dropFirst(before).compactMap { $0.read(CommandAcknowledgement.self) }.last?.result
    }

    mutating func flyTo(_ height: Float) {
        #expect(command(.setMode, 1, 4) == .accepted)
        #expect(command(.armOrDisarm, 1) == .accepted)
        #expect(command(.takeOff, height: height) == .accepted)
    }

    func all<Message: MAVLinkMessage>(_ type: Message.Type) -> [Message] {
        heard.compactMap { $0.read(type) }
    }
    var texts: [String] { all(StatusText.self).map { String(decoding: $0.text, as: UTF8.self) } }
}
