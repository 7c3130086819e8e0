import Testing

@testable import MAVLink

struct MessageTests {
    private func read<Message: MAVLinkMessage>(_ octets: [UInt8], as type: Message.Type) throws -> Message {
        var stream = FrameStream()
        let frame = try #require(stream.receive(datagram: octets).first)
        return try #require(frame.read(type))
    }

    private func expect<Message: MAVLinkMessage & Equatable>(
        _ message: Message, is octets: [UInt8], from sender: MAVLinkAddress = Golden.vehicle,
        sequence: UInt8 = 0
    ) throws {
        #expect(MAVLinkFrame(message, from: sender, sequence: sequence).octets == octets)
        #expect(try read(octets, as: Message.self) == message)
    }

    @Test func `a ground station's messages are what pymavlink makes of them`() throws {
        let sender = Golden.groundStation
        try expect(
            Heartbeat(
                type: .groundStation, autopilot: .none, customMode: 0, baseMode: [], systemState: .active),
            is: Golden.heartbeat, from: sender, sequence: 7)
        try expect(
            CommandLong(command: .armOrDisarm, parameter1: 1, targetSystem: 1, targetComponent: 1),
            is: Golden.arm, from: sender, sequence: 7)
        try expect(
            ParameterSet(
                name: Array("WPNAV_SPEED_UP".utf8), value: 300, type: .float, targetSystem: 1,
                targetComponent: 1), is: Golden.setParameter, from: sender, sequence: 7)
    }

    @Test func `a vehicle's messages are what pymavlink makes of them`() throws {
        try expect(
            GlobalPositionInt(
                time: 1000, latitude: 473_977_420, longitude: 85_455_940, altitude: 490_500,
                relativeAltitude: 2500, speedDown: -50, heading: 0), is: Golden.position)
        try expect(
            BatteryStatus(consumed: 120, voltage: 12600, current: 1500, remaining: 95), is: Golden.battery)
        try expect(
            AutopilotVersion(
                capabilities: [.missionInt, .commandInt, .mavlink2, .castParameters], identifier: 1,
                flightVersion: 0x0406_00ff), is: Golden.version)
        try expect(
            HomePosition(latitude: 473_977_420, longitude: 85_455_940, altitude: 488_000, time: 1_000_000),
            is: Golden.home)
        try expect(StatusText(severity: .information, text: Array("Landed".utf8)), is: Golden.text)
        try expect(
            ParameterValue(name: Array("FS_GCS_TIMEOUT".utf8), value: 5, type: .float, count: 12, index: 5),
            is: Golden.parameter)
        try expect(
            CommandAcknowledgement(
                command: .armOrDisarm, result: .accepted, targetSystem: 255, targetComponent: 190),
            is: Golden.acknowledgement)
        let sensors = Sensors(rawValue: 0x1220_fc2f)
        try expect(
            SystemStatus(
                present: sensors, enabled: sensors, healthy: sensors, load: 100, voltage: 12600, current: 100,
                batteryRemaining: 95), is: Golden.system)
    }

    @Test func `NaN passes through`() throws {
        let command = try read(Golden.takeOff, as: CommandLong.self)
        #expect(command.command == .takeOff && command.parameter7.isNaN)
    }

    @Test func `a refused file transfer is one`() throws {
        let refusal = try read(Golden.refusedFile, as: FileTransfer.self)
        #expect(refusal.operation == .refused && refusal.answeredOperation == .openForReading)
        #expect(refusal.data.first == 10 && refusal.sequence == 1)
        #expect(MAVLinkFrame(refusal, from: Golden.vehicle, sequence: 0).octets == Golden.refusedFile)
    }

    @Test func `a frame is not read as another message`() {
        var stream = FrameStream()
        #expect(stream.receive(datagram: Golden.arm).first?.read(Heartbeat.self) == nil)
    }

    @Test func `fields that were left out or are new are no obstacle`() throws {
        func frame(_ message: MessageID, _ payload: [UInt8]) throws -> [UInt8] {
            let number = UInt8(message.rawValue)
            var frame: [UInt8] = [0xfd, UInt8(payload.count), 0, 0, 0, 1, 1, number, 0, 0] + payload
            var checksum = Checksum()
            checksum.add(frame.dropFirst())
            checksum.add(try #require(ChecksumSeeds.seed(of: message)))
            frame += [UInt8(truncatingIfNeeded: checksum.value), UInt8(checksum.value >> 8)]
            return frame
        }
        let home = try read(try frame(HomePosition.id, [0x34, 0x12]), as: HomePosition.self)
        #expect(home.latitude == 0x1234 && home.time == 0)
        let payload: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 4, 9, 9, 9, 9, 9]
        let ping = try read(try frame(Ping.id, payload), as: Ping.self)
        #expect(ping == Ping(time: 1, sequence: 2, targetSystem: 3, targetComponent: 4))
    }
}
