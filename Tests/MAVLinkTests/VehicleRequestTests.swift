import MAVLink
import Testing
import Wire

struct VehicleRequestTests {
    @Test func `lists, reads and sets parameters`() {
        var field = Field()
        field.send(ParameterRequestList(targetSystem: 1, targetComponent: 1))
        field.pass(seconds: 1)
        let listed = field.all(ParameterValue.self)
        #expect(listed.map(\.index) == Array(0..<12))
        #expect(listed.allSatisfy { $0.count == 12 && !$0.name.isEmpty })

        let name = Array("WPNAV_SPEED_UP".utf8)
        func set(_ value: Float) -> Float? {
            field.send(
                ParameterSet(name: name, value: value, type: .float, targetSystem: 1, targetComponent: 1))
            return field.all(ParameterValue.self).last?.value
        }
        #expect(set(300) == 300)
        #expect(set(.nan) == 300)
        #expect(set(1e9) == 300)
        field.send(ParameterRequestRead(index: -1, targetSystem: 1, targetComponent: 1, name: name))
        #expect(field.all(ParameterValue.self).last?.value == 300)
        let before = field.heard.count
        field.send(ParameterRequestRead(index: 12, targetSystem: 1, targetComponent: 1, name: []))
        field.send(ParameterRequestRead(index: -1, targetSystem: 1, targetComponent: 1, name: [0x58]))
        field.send(ParameterRequestList(targetSystem: 2, targetComponent: 1))
        #expect(field.heard.count == before)
    }

    @Test func `sends messages as often as it is asked to`() {
        var field = Field()
        #expect(field.command(.setMessageInterval, 30, 100_000) == .accepted)
        field.heard.removeAll()
        field.pass(seconds: 10)
        #expect((99...103).contains(field.all(Attitude.self).count))
        #expect(field.command(.setMessageInterval, 30, -1) == .accepted)
        field.heard.removeAll()
        field.pass(seconds: 2)
        #expect(field.all(Attitude.self).isEmpty)
        #expect(field.command(.setMessageInterval, 0, -1) == .unsupported)
        #expect(field.command(.setMessageInterval, .nan, 1) == .denied)
        #expect(field.command(.setMessageInterval, 30, .infinity) == .unsupported)
        #expect(field.command(.requestMessage, 148) == .accepted)
        #expect(field.all(AutopilotVersion.self).count == 1)
        #expect(field.command(.requestMessage, 397) == .unsupported)
        field.send(RequestDataStream(rate: .max, targetSystem: 1, targetComponent: 1, stream: 0, start: 1))
        field.heard.removeAll()
        field.pass(seconds: 1)
        #expect((49...53).contains(field.all(GlobalPositionInt.self).count))
    }

    @Test func `answers time, ping, missions and file transfers at once`() {
        var field = Field()
        field.send(TimeSynchronization(answered: 0, asked: 77))
        #expect(field.all(TimeSynchronization.self).last?.asked == 77)
        #expect(field.all(TimeSynchronization.self).last?.answered != 0)
        field.send(Ping(time: 3, sequence: 4, targetSystem: 0, targetComponent: 0))
        let pong = Ping(time: 3, sequence: 4, targetSystem: 255, targetComponent: 190)
        #expect(field.all(Ping.self).last == pong)
        field.send(MissionRequestList(targetSystem: 1, targetComponent: 1, kind: 2))
        let none = MissionCount(count: 0, targetSystem: 255, targetComponent: 190, kind: 2)
        #expect(field.all(MissionCount.self).last == none)
        field.send(MissionCount(count: 3, targetSystem: 1, targetComponent: 1, kind: 0))
        #expect(field.all(MissionAcknowledgement.self).last?.result == .noRoom)
        field.send(
            FileTransfer(
                targetSystem: 1, targetComponent: 1, sequence: 9, session: 0, operation: .openForReading,
                size: 0, answeredOperation: FileOperation(rawValue: 0), data: Array("@PARAM/param.pck".utf8)))
        #expect(field.all(FileTransfer.self).last?.operation == .refused)
        #expect(field.all(FileTransfer.self).last?.sequence == 10)
    }

    @Test func `any number in any command is survived`() {
        let numbers: [Float] = [
            0, 1, -1, 0.5, 255, 256, 65535, 65536, 1e30, -1e30, .infinity, -.infinity, .nan,
            .leastNonzeroMagnitude,
        ]
        var field = Field()
        for command: UInt16 in [17, 20, 21, 22, 176, 400, 410, 510, 511, 512, 520] {
            for one in numbers {
                for other in numbers {
                    _ = field.command(Command(rawValue: command), one, other, height: one)
                }
            }
            field.pass(seconds: 1)
        }
        field.pass(seconds: 100)
        #expect(!field.vehicle.isArmed)
    }

    @Test func `any octets in any message are survived`() throws {
        var field = Field()
        var random = Octets(state: 7)
        for round in 0..<400 {
            try field.sendRandom(CommandLong.self, &random)
            try field.sendRandom(CommandInt.self, &random)
            try field.sendRandom(SetMode.self, &random)
            try field.sendRandom(RequestDataStream.self, &random)
            try field.sendRandom(ParameterSet.self, &random)
            try field.sendRandom(ParameterRequestRead.self, &random)
            try field.sendRandom(ParameterRequestList.self, &random)
            try field.sendRandom(TimeSynchronization.self, &random)
            try field.sendRandom(Ping.self, &random)
            try field.sendRandom(FileTransfer.self, &random)
            try field.sendRandom(MissionRequestList.self, &random)
            try field.sendRandom(MissionCount.self, &random)
            try field.sendRandom(MissionClearAll.self, &random)
            try field.sendRandom(Heartbeat.self, &random)
            if round % 100 == 0 { field.pass(seconds: 3) }
        }
        field.pass(seconds: 60)
        #expect(!field.vehicle.isArmed || field.vehicle.height >= 0)
    }
}

private struct Octets {
    var state: UInt64

    /// Mostly zeros and ones, so that targets and small enumerations are met.
    mutating func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 62 == 0 ? UInt8(truncatingIfNeeded: state >> 40) : UInt8(state >> 61 & 1)
    }
}

extension Field {
    fileprivate mutating func sendRandom<Message: MAVLinkMessage>(
        _ type: Message.Type, _ random: inout Octets
    ) throws {
        let octets = (0..<Message.length).map { _ in random.next() }
        var reader = FrameReader(octets.span.bytes)
        send(try Message(parsing: &reader))
    }
}
