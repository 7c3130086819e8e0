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
        client.server.servicesChanged()
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

    @Test mutating func `a bonded client's subscriptions hold over connections`() {
        #expect(client.ask("12 0d00 0100") == "13")
        client.server = ATTServer(Client.database, subscriptions: client.server.subscriptions)
        client.server.notify(.open, [1])
        #expect(client.next() == "1b" + "0c00" + "01")
    }
}
