import MAVLink
import Testing
import Wire

struct SimulatedVehicleTests {
    @Test func `arms, takes off, holds, lands and disarms`() throws {
        var field = Field()
        field.pass(seconds: 3)
        #expect(field.all(Heartbeat.self).count >= 3)
        #expect(field.all(HomePosition.self).count >= 1)
        #expect(field.all(ExtendedSystemState.self).last?.landedState == .onGround)

        field.flyTo(10)
        #expect(field.vehicle.isArmed)
        #expect(field.all(Heartbeat.self).last?.baseMode.contains(.armed) == true)
        field.pass(seconds: 2)
        #expect(field.all(ExtendedSystemState.self).last?.landedState == .takingOff)
        field.pass(seconds: 10)
        #expect(abs(field.vehicle.height - 10) < 0.2)
        #expect(field.all(ExtendedSystemState.self).last?.landedState == .inAir)
        let position = try #require(field.all(GlobalPositionInt.self).last)
        #expect(abs(position.relativeAltitude - 10_000) < 200)

        #expect(field.command(.setMode, 1, 5) == .accepted)
        field.pass(seconds: 5)
        #expect(abs(field.vehicle.height - 10) < 0.2)
        #expect(field.all(Heartbeat.self).last?.customMode == 5)

        #expect(field.command(.land) == .accepted)
        field.pass(seconds: 5)
        #expect(field.all(ExtendedSystemState.self).last?.landedState == .landing)
        field.pass(seconds: 15)
        #expect(field.vehicle.height == 0)
        #expect(!field.vehicle.isArmed)
        #expect(field.texts.suffix(2) == ["Landed", "Disarming motors"])
        #expect(field.all(Heartbeat.self).last?.baseMode.contains(.armed) == false)
    }

    @Test func `moves no faster than it may, and never under the ground`() {
        var field = Field()
        field.flyTo(20)
        field.pass(seconds: 15)
        _ = field.command(.returnToLaunch)
        field.pass(seconds: 30)
        for position in field.all(GlobalPositionInt.self) {
            #expect(position.relativeAltitude >= 0 && position.relativeAltitude <= 20_300)
            #expect(position.speedDown >= -255 && position.speedDown <= 155)
        }
        #expect(!field.vehicle.isArmed)
    }

    @Test func `refuses what does not fit its state`() {
        var field = Field()
        #expect(field.command(.takeOff, height: 5) == .temporarilyRejected)
        #expect(field.command(.armOrDisarm, 0.5) == .denied)
        #expect(field.command(.armOrDisarm, .nan) == .denied)
        #expect(field.command(.armOrDisarm, 1) == .accepted)
        field.pass(seconds: 3)
        #expect(field.command(.armOrDisarm, 1) == .temporarilyRejected)
        #expect(field.command(.takeOff, height: 5) == .failed)  // not in guided mode
        #expect(field.command(.setMode, 1, 4) == .accepted)
        #expect(field.command(.takeOff, height: 5000) == .denied)
        #expect(field.command(.takeOff, height: -.infinity) == .denied)
        #expect(field.command(.takeOff, height: .nan) == .accepted)
        field.pass(seconds: 8)
        #expect(abs(field.vehicle.height - 2.5) < 0.1)
        #expect(field.command(.armOrDisarm, 0) == .temporarilyRejected)
        #expect(field.command(.takeOff, height: 9) == .temporarilyRejected)
        #expect(field.command(.setMode, 1, 3) == .failed)  // no mission
        #expect(field.command(.setMode, .nan, .infinity) == .denied)
        #expect(field.command(Command(rawValue: 31000)) == .unsupported)
    }

    @Test func `a command whose answer got lost is answered again and not done twice`() {
        var field = Field()
        #expect(field.command(.setMode, 1, 4) == .accepted)
        #expect(field.command(.armOrDisarm, 1) == .accepted)
        #expect(field.command(.armOrDisarm, 1) == .accepted)
        #expect(field.command(.takeOff, height: 5) == .accepted)
        #expect(field.command(.takeOff, height: 5) == .accepted)
        field.pass(seconds: 3)
        #expect(field.command(.takeOff, height: 5) == .temporarilyRejected)
    }

    @Test func `comes down when no ground station is heard any more`() {
        var field = Field()
        field.flyTo(10)
        field.pass(seconds: 12)
        field.beats = false
        field.vehicle.stop(at: field.now)
        field.pass(seconds: 3)
        #expect(field.vehicle.height > 9)
        field.pass(seconds: 4)
        #expect(field.vehicle.height < 10)
        field.pass(seconds: 30)
        #expect(field.vehicle.height == 0 && !field.vehicle.isArmed)
        #expect(field.vehicle.deadline == nil)
    }

    @Test func `stays in the air for as long as a ground station is there`() {
        var field = Field()
        field.flyTo(10)
        field.pass(seconds: 60)
        #expect(abs(field.vehicle.height - 10) < 0.2)
    }

    @Test func `lands before its battery is empty`() {
        var field = Field()
        field.flyTo(10)
        field.pass(seconds: 1500)
        #expect(field.texts.contains("Battery Failsafe"))
        #expect(field.vehicle.height == 0 && !field.vehicle.isArmed)
    }

    @Test func `falls when its motors are cut`() {
        var field = Field()
        field.flyTo(20)
        field.pass(seconds: 12)
        #expect(field.command(.armOrDisarm, 0, 21196) == .accepted)
        #expect(!field.vehicle.isArmed)
        field.pass(seconds: 3)
        #expect(field.vehicle.height == 0)
        #expect(field.texts.contains("Crash: fell to the ground"))
        #expect(field.command(.armOrDisarm, 1) == .accepted)
    }

    @Test func `disarms when it is forgotten on the ground`() {
        var field = Field()
        #expect(field.command(.armOrDisarm, 1) == .accepted)
        field.pass(seconds: 12)
        #expect(!field.vehicle.isArmed)
    }

    @Test func `sleeps while nobody listens`() {
        var vehicle = SimulatedVehicle(at: Instant(microseconds: 0))
        #expect(vehicle.deadline == nil)
        #expect(!vehicle.start(at: Instant(microseconds: 1)).isEmpty)
        #expect(vehicle.deadline != nil)
        vehicle.stop(at: Instant(microseconds: 2))
        #expect(vehicle.deadline == nil)
    }

    @Test func `the same day gives the same octets`() {
        func day() -> [[UInt8]] {
            var field = Field()
            field.flyTo(5)
            field.pass(seconds: 20)
            return field.heard.map(\.octets)
        }
        #expect(day() == day())
    }
}
