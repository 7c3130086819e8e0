import Testing
import Wire

@testable import BluetoothLE

struct NotificationTests {
    var client = Client()

    @Test mutating func `nobody is told who has not subscribed`() {
        client.server.notify(.open, [1])
        #expect(client.next() == "")
        #expect(client.ask("12 0d00 0100") == "13")
        #expect(client.ask("0a 0d00") == "0b0100")
        client.server.notify(.open, [1])
        #expect(client.next() == "1b" + "0c00" + "01")
        #expect(client.next() == "")
        #expect(client.ask("12 0d00 0000") == "13")
        client.server.notify(.open, [1])
        #expect(client.next() == "")
    }

    @Test mutating func `a subscription has two octets and says what can be`() {
        #expect(client.ask("12 0d00 01") == "0112" + "0d00" + "0d")
        #expect(client.ask("12 0d00 0200") == "0112" + "0d00" + "13", "it cannot be indicated")
        #expect(client.ask("12 0d00 0101") == "0112" + "0d00" + "13")
        #expect(client.ask("0a 0d00") == "0b0000")
    }

    @Test mutating func `of what waits only the newest is told, after the answer`() {
        #expect(client.ask("12 0d00 0100") == "13")
        client.server.receive([0x0a, 0x0c, 0x00], from: client.values, at: client.now)
        #expect(!client.server.isReady)
        for value in UInt8(0)..<200 { client.server.notify(.open, [value]) }
        #expect(client.next().hasPrefix("0b"))
        #expect(client.server.isReady)
        #expect(client.next() == "1b" + "0c00" + "c7")
        #expect(client.next() == "")
    }

    @Test mutating func `a long value is told as far as it fits`() {
        #expect(client.ask("12 0d00 0100") == "13")
        client.server.notify(.open, Array(0..<100))
        #expect(client.next() == "1b" + "0c00" + String(hex: Array(0..<20)))
    }

    @Test mutating func `what waits for protection is told once it is there`() {
        client.server.security = .authenticated
        #expect(client.ask("12 1200 0100") == "13")
        client.server.security = .open
        client.server.notify(.protected, [7])
        #expect(client.next() == "")
        client.server.security = .authenticated
        #expect(client.next() == "1b" + "1100" + "07")
    }

    @Test mutating func `one indication at a time, until it is confirmed`() {
        #expect(client.ask("12 0900 0200") == "13")
        client.server.security = .authenticated
        #expect(client.ask("12 1200 0200") == "13")
        client.server.notify(.serviceChanged, [1, 0, 0xff, 0xff])
        client.server.notify(.protected, [7])
        #expect(client.next() == "1d" + "0800" + "0100ffff")
        #expect(client.next() == "")
        #expect(client.ask("0a 0300").hasPrefix("0b"), "requests go on meanwhile")
        #expect(client.ask("1e") == "1d" + "1100" + "07")
        #expect(client.ask("1e00") == "", "not a confirmation")
        #expect(client.server.deadline == client.now + .seconds(30))
        client.server.advance(to: client.now + .seconds(29))
        #expect(!client.server.isOver)
        client.server.advance(to: client.now + .seconds(30))
        #expect(client.server.isOver)
        #expect(client.server.deadline == nil)
        #expect(client.ask("0a 0300") == "")
    }

    @Test mutating func `a bonded client's subscriptions hold over connections`() throws {
        #expect(client.server.memory == nil, "a stranger")
        client.server.isBonded = true
        #expect(client.ask("12 0d00 0100") == "13")
        #expect(client.server.memory == nil, "it may be anybody")
        client.server.security = .encrypted
        let memory = try #require(client.server.memory)
        client.server = ATTServer(Client.database, recalling: memory)
        client.server.notify(.open, [1])
        #expect(client.next() == "", "not before it has proved who it is")
        client.server.security = .encrypted
        client.server.notify(.open, [1])
        #expect(client.next() == "1b" + "0c00" + "01")
        #expect(client.server.memory == memory)

        var reader = FrameReader(memory.octets.span.bytes)
        #expect(try ClientMemory(parsing: &reader) == memory)
    }

    @Test mutating func `a bonded client that knows other services is told so, once, and subscribes anew`()
        throws
    {
        client.server.isBonded = true
        client.server.security = .encrypted
        #expect(client.ask("12 0900 0200") == "13")
        #expect(client.ask("12 0d00 0100") == "13")
        let memory = try #require(client.server.memory)
        let other = AttributeDatabase(name: "Board", services: [])
        #expect(other.fingerprint != Client.database.fingerprint)

        client.server = ATTServer(other, recalling: memory)
        #expect(client.ask("02 f700").hasPrefix("03"))
        #expect(client.next() == "", "not before the link is encrypted")
        client.server.security = .encrypted
        #expect(client.next() == "", "nor before it asks something")
        #expect(client.ask("0a 0900") == "0b0200")
        #expect(client.next() == "1d" + "0800" + "0100ffff")
        #expect(client.server.subscriptions.all.count == 1)
        #expect(client.server.memory?.services == memory.services, "it may not have heard")
        #expect(client.ask("1e") == "")
        #expect(client.server.memory?.services == other.fingerprint)

        client.server = ATTServer(other, recalling: client.server.memory)
        client.server.security = .encrypted
        #expect(client.ask("0a 0900") == "0b0200")
        #expect(client.next() == "")
    }

    @Test mutating func `who does not want to hear of other services is not told`() throws {
        var memory = ClientMemory()
        memory.services = 7
        memory.subscriptions[.open] = Subscriptions.notification
        client.server = ATTServer(Client.database, recalling: memory)
        client.server.security = .encrypted
        #expect(client.ask("0a 0d00") == "0b0000")
        #expect(client.next() == "")
        #expect(client.server.memory?.services == Client.database.fingerprint)
    }
}
