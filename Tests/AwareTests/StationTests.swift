import Crypto
import Frames
import Ports
import Testing
import Wire

@testable import Aware

/// How a station sends, and what it takes in.
struct StationTests {
    static let own = MACAddress(rawValue: 0x0200_0000_0001)
    static let peer = MACAddress(rawValue: 0x0200_0000_0002)
    static let cluster = MACAddress(rawValue: 0x506f_9a01_0a0b)
    static let other = MACAddress(rawValue: 0x506f_9a01_0c0d)

    private func outbox() -> Outbox {
        var outbox = Outbox(address: Self.own)
        _ = outbox.joined(Self.cluster)
        return outbox
    }

    private struct Sent: Equatable {
        var cookie: UInt32
        var header: ManagementHeader
        var body: [UInt8]
    }

    private func sent(_ requests: [RadioRequest]) throws -> [Sent] {
        try requests.map { request in
            guard case .send(let octets, let cookie) = request else {
                throw WireError.unexpected("request", value: 0)
            }
            var reader = FrameReader(octets.span.bytes)
            return Sent(cookie: cookie, header: try ManagementHeader(parsing: &reader), body: reader.rest())
        }
    }

    // MARK: Outbox

    @Test func `a frame waits for a cluster, and is built for it`() throws {
        var outbox = Outbox(address: Self.own)
        #expect(outbox.send([1], to: Self.peer).isEmpty)
        #expect(outbox.send(authentication: [2], to: Self.peer).isEmpty)
        #expect(!outbox.isEmpty)
        let frames = try sent(outbox.joined(Self.cluster))
        #expect(frames.map(\.body) == [[1], [2]])
        #expect(frames.map(\.header.subtype) == [.action, .authentication])
        #expect(frames.allSatisfy { $0.header.cluster == Self.cluster && $0.header.transmitter == Self.own })
    }

    @Test func `a merge of clusters builds what waits anew, under new cookies`() throws {
        var outbox = outbox()
        let first = try sent(outbox.send([1], to: Self.peer))
        let again = try sent(outbox.joined(Self.other))
        #expect(again.map(\.body) == [[1]] && again.first?.header.cluster == Self.other)
        #expect(again.first?.cookie != first.first?.cookie)
        let old = try #require(first.first?.cookie)
        #expect(outbox.sent(old, acknowledged: true).isEmpty)
        #expect(!outbox.isEmpty, "the report is about the frame that was lost")
        let new = try #require(again.first?.cookie)
        #expect(outbox.sent(new, acknowledged: true).isEmpty)
        #expect(outbox.isEmpty)
    }

    @Test func `a frame that nobody acknowledged is sent four times`() throws {
        var outbox = outbox()
        var frames = try sent(outbox.send([1], to: Self.peer))
        for _ in 0..<3 {
            frames = try sent(outbox.sent(try #require(frames.first).cookie, acknowledged: false))
            #expect(frames.map(\.body) == [[1]])
        }
        #expect(outbox.sent(try #require(frames.first).cookie, acknowledged: false).isEmpty)
        #expect(outbox.isEmpty && outbox.lost == 1)
    }

    @Test func `multicast is sent once, and so is a courtesy`() throws {
        var outbox = outbox()
        let multicast = try sent(outbox.send([1], to: .nanNetwork))
        #expect(outbox.sent(try #require(multicast.first).cookie, acknowledged: false).isEmpty)
        #expect(outbox.isEmpty && outbox.lost == 0)
        let courtesy = try sent(outbox.send([1], to: Self.peer, asCourtesy: true))
        #expect(outbox.sent(try #require(courtesy.first).cookie, acknowledged: false).isEmpty)
        #expect(outbox.isEmpty && outbox.lost == 1)
    }

    @Test func `a flood of courtesies leaves room, and nothing makes it grow`() throws {
        var outbox = outbox()
        for _ in 0..<1000 { _ = outbox.send([1], to: Self.peer, asCourtesy: true) }
        #expect(outbox.lost == UInt64(1000 - Outbox.courtesyLimit))
        #expect(try sent(outbox.send(authentication: [2], to: Self.peer)).count == 1)
        for _ in 0..<1000 { _ = outbox.send([3], to: Self.peer) }
        #expect(try sent(outbox.joined(Self.other)).count == Outbox.capacity)
        #expect(outbox.send([4], to: Self.peer).isEmpty)
    }

    @Test func `a radio that never reports does not fill it`() {
        var outbox = outbox()
        for _ in 0..<Outbox.capacity { _ = outbox.send([1], to: Self.peer) }
        _ = outbox.send([1], to: .nanNetwork)
        for _ in 0..<17 { outbox.windowPassed() }
        #expect(outbox.isEmpty)
        #expect(outbox.lost == UInt64(Outbox.capacity) + 1)
    }

    @Test func `what the radio does not take is given up`() throws {
        var outbox = outbox()
        guard case .send(_, let cookie)? = outbox.send([1], to: Self.peer).first else {
            Issue.record("nothing is handed over")
            return
        }
        #expect(outbox.isWaiting(for: Self.peer))
        outbox.refused(cookie)
        #expect(!outbox.isWaiting(for: Self.peer))
        #expect(outbox.lost == 1)
    }

    @Test func `reports about nothing of ours change nothing`() {
        var outbox = outbox()
        _ = outbox.send([1], to: Self.peer)
        #expect(outbox.sent(4_711, acknowledged: true).isEmpty)
        #expect(!outbox.isEmpty)
    }

    // MARK: What is taken in

    private func station() -> Station {
        let entropy = DataPathEntropy(seed: 1)
        var station = Station(
            end: DataPathWorld.end(Self.own, MACAddress(rawValue: 0x0200_0000_0011), slots: 1, idle: 0),
            identity: Identity(from: entropy), entropy: entropy)
        _ = station.outbox.joined(Self.cluster)
        return station
    }

    private func frame(
        from transmitter: MACAddress = peer, to receiver: MACAddress = own, in cluster: MACAddress = cluster
    ) throws -> ReceivedFrame {
        var writer = FrameWriter()
        ManagementHeader(subtype: .action, receiver: receiver, transmitter: transmitter, cluster: cluster)
            .write(into: &writer)
        writer.octets([1, 2, 3])
        return ReceivedFrame(octets: try writer.finish(), signal: -50)
    }

    @Test func `takes frames for it and for all in its cluster`() throws {
        let station = station()
        #expect(try station.accept(frame())?.body == [1, 2, 3])
        #expect(try station.accept(frame(to: .nanNetwork))?.header.transmitter == Self.peer)
        #expect(try station.accept(frame(to: Self.peer)) == nil)
        #expect(try station.accept(frame(to: .broadcast)) == nil)
    }

    @Test func `refuses frames of nobody, of itself and of another cluster`() throws {
        let station = station()
        let malformed = ReceivedFrame(octets: [0xd0, 0], signal: 0)
        #expect(throws: Station.Refusal.malformedHeader) { try station.accept(malformed) }
        let multicast = try frame(from: .broadcast)
        #expect(throws: Station.Refusal.impossibleTransmitter) { try station.accept(multicast) }
        let reflected = try frame(from: Self.own)
        #expect(throws: Station.Refusal.impossibleTransmitter) { try station.accept(reflected) }
        let foreign = try frame(in: Self.other)
        #expect(throws: Station.Refusal.otherCluster) { try station.accept(foreign) }
    }

    @Test func `refusals are counted by reason, in bounded room`() {
        var counts = RefusalCounts()
        counts.add("a")
        counts.add("b")
        counts.add("a")
        #expect(counts.entries.map(\.reason) == ["a", "b"])
        #expect(counts.count(of: "a") == 2 && counts.count(of: "c") == 0 && counts.total == 3)
        for number in 0..<1000 { counts.add("reason \(number)") }
        #expect(counts.entries.count == 97)
        #expect(counts.total == 1003)
        #expect(counts.count(of: "other") == 906)
    }
}
