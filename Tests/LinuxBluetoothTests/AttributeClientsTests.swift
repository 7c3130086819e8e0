import BluetoothLE
import Ports
import Testing
import Wire

@testable import LinuxBluetooth

/// Who stays and who goes when there is not room for all.
struct AttributeClientsTests {
    let bluetooth = SocketBluetooth()
    var now = Instant(microseconds: 1_000_000)

    /// Lets the time pass, in which everybody asks something each ten seconds.
    private mutating func wait(_ seconds: Int, _ phones: [SocketPhone]) {
        for second in 0..<seconds {
            now = now + .seconds(1)
            if second % 10 == 0 { for phone in phones { phone.send([0x0a, 1, 0]) } }
            while bluetooth.nextEvent(at: now) != nil {}
            for phone in phones { _ = phone.receive() }
        }
    }

    private func connect(_ number: UInt64, isBonded: Bool = false) throws -> SocketPhone {
        let phone = try #require(bluetooth.connect(number: number, isBonded: isBonded, at: now))
        while bluetooth.nextEvent(at: now) != nil {}
        return phone
    }

    @Test mutating func `four who ask all the time do not lock others out`() throws {
        var crowd: [SocketPhone] = []
        for number in 0..<4 as Range<UInt64> { crowd.append(try connect(number)) }
        wait(20, crowd)
        let early = try connect(5)
        _ = early.receive()
        #expect(early.isGone && bluetooth.connected.count == 4)
        wait(41, crowd)
        let owner = try connect(6)
        owner.send([0x0a, 1, 0])
        wait(1, crowd)
        #expect(!owner.receive().isEmpty && !owner.isGone)
    }

    @Test mutating func `while there is room nobody has to go`() throws {
        let phones = [try connect(1), try connect(2), try connect(3)]
        wait(300, phones)
        #expect(bluetooth.connected.count == 3 && bluetooth.deadline == nil)
    }

    @Test mutating func `strangers go before those who have paired`() throws {
        let owner = try connect(1, isBonded: true)
        let strangers = [try connect(2), try connect(3), try connect(4)]
        wait(61, strangers)
        #expect(!owner.isGone && strangers.contains { $0.isGone })
        for number in 10..<14 as Range<UInt64> {
            wait(61, [try connect(number)])
            _ = owner.receive()
            #expect(!owner.isGone)
        }
    }

    @Test mutating func `who alone is served on a small controller makes room too`() throws {
        let silent = try connect(1)
        bluetooth.clients.isCurtailed = true
        let deadline = try #require(bluetooth.deadline)
        #expect(deadline == now + AttributeClients.curtailedStay)
        wait(30, [silent])
        #expect(silent.isGone && bluetooth.deadline == nil)
        let owner = try connect(2, isBonded: true)
        wait(100, [owner])
        #expect(!owner.isGone)
    }

    @Test mutating func `strangers are let go, and those who have paired stay`() throws {
        let owner = try connect(1, isBonded: true)
        let strangers = [try connect(2), try connect(3)]
        bluetooth.perform(.disconnectStrangers, at: now)
        wait(1, strangers + [owner])
        #expect(strangers.allSatisfy { $0.isGone } && !owner.isGone && bluetooth.departures == 2)
    }
}
