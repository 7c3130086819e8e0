import Crypto
import Frames
import Ports
import Testing
import Wire

@testable import Aware

/// What a publisher says, and what a subscriber makes of it.
struct DiscoveryTests {
    static let profile = DataPathWorld.end(
        MACAddress(rawValue: 0x0200_0000_0001), MACAddress(rawValue: 0x0200_0000_0011), slots: 0xffff_ffff,
        idle: 0
    ).profile
    static let resolution = IdentityResolution(
        nonce: [UInt8](repeating: 1, count: 8), tag: [UInt8](repeating: 2, count: 8))
    let start = Instant(microseconds: 1_000_000)

    private func publisher(_ names: [String] = ["_drone-service._udp"]) throws -> Publisher {
        Publisher(
            publications: try names.enumerated().map { index, name in
                Publication(
                    name: try ServiceName(name), instance: UInt8(index + 1), port: 14_550 + UInt16(index),
                    isUnsolicited: index == 0)
            },
            information: PairingInformation(
                pairingName: "My Drone", vendorName: "Example Inc", modelName: "Example Model"))
    }

    private func question(
        _ name: String = "_drone-service._udp", filter: [[UInt8]]? = nil,
        response: ServiceResponseFilter? = nil
    ) throws -> ServiceDescriptor {
        ServiceDescriptor(
            service: try ServiceName(name).identifier, instance: 7, kind: .subscribe, matchingFilter: filter,
            responseFilter: response)
    }

    private func frame(_ attributes: [Attribute]) -> ActionFrame {
        ActionFrame(kind: .serviceDiscovery, isProtectedDual: false, attributes: attributes)
    }

    // MARK: Publisher

    @Test func `what is published unasked is in a frame for each service`() throws {
        let publisher = try publisher(["_drone-service._udp", "_second._udp"])
        let frames = publisher.unsolicited(from: Self.profile, identity: Self.resolution)
        #expect(frames.count == 1, "the second is published when asked for")
        let descriptor = try #require(frames.first?.serviceDescriptors.first)
        #expect(descriptor.kind == .publish && descriptor.instance == 1 && descriptor.requestor == 0)
        #expect(frames.first?.identityResolution == Self.resolution)
        #expect(frames.first?.cipherSuites?.entries.map(\.suite) == [.sharedKey128, .pasn128])
    }

    @Test func `an answer is for the one who asked, and for nobody else`() throws {
        let publisher = try publisher(["_drone-service._udp", "_second._udp"])
        let answers = publisher.answers(
            to: try question("_second._udp"), from: Self.profile, identity: Self.resolution)
        let descriptor = try #require(answers.first?.serviceDescriptors.first)
        #expect(answers.count == 1 && descriptor.instance == 2 && descriptor.requestor == 7)
        let generic = answers.first?.serviceDescriptorExtension(ofInstance: 2)?.information?.content
        guard case .generic(let service)? = generic else {
            Issue.record("no generic service information")
            return
        }
        #expect(service.port == 14_551 && service.transport == .udp)

        func isAnswered(_ question: ServiceDescriptor) -> Bool {
            !publisher.answers(to: question, from: Self.profile, identity: Self.resolution).isEmpty
        }
        #expect(try !isAnswered(question("_other._udp")))
        #expect(try !isAnswered(question(filter: [[1]])), "we have no filter that could match")
        #expect(
            try !isAnswered(
                question(
                    response: ServiceResponseFilter(
                        includes: false, members: .addresses([Self.profile.address]))))
        )
        var statement = try question()
        statement.kind = .publish
        #expect(!isAnswered(statement))
    }

    @Test func `names and methods are told while pairing is on, and each change raises the indicator`() throws
    {
        var publisher = try publisher()
        func indicator() throws -> UInt8 {
            let frames = publisher.unsolicited(from: Self.profile, identity: Self.resolution)
            return try #require(frames.first?.serviceDescriptorExtensions.first?.updateIndicator)
        }
        let closed = try #require(publisher.unsolicited(from: Self.profile, identity: Self.resolution).first)
        #expect(closed.pairingBootstrapping == nil)
        let first = try indicator()
        publisher.isPairingOn = true
        let open = try #require(publisher.unsolicited(from: Self.profile, identity: Self.resolution).first)
        #expect(open.pairingBootstrapping?.step == .advertisement)
        #expect(open.pairingBootstrapping?.methods == .pinDisplay)
        #expect(try indicator() == first &+ 1)
        publisher.isPairingOn = true
        #expect(try indicator() == first &+ 1, "nothing changed")
        publisher.publications[0].port = 1
        #expect(try indicator() == first &+ 2)
        #expect(publisher.publication(1)?.port == 1)
        #expect(publisher.publication(2) == nil)
    }

    // MARK: Subscriber

    private func subscriber(promiscuous: Bool = false) throws -> Subscriber {
        Subscriber(
            subscriptions: [
                Subscriber.Subscription(
                    service: try ServiceName("_drone-service._udp").identifier, instance: 1)
            ], isPromiscuous: promiscuous)
    }

    private let publisherAddress = MACAddress(rawValue: 0x0200_0000_0042)

    @Test func `a subscriber asks while it is active, for each subscription`() throws {
        var subscriber = try subscriber()
        let questions = subscriber.questions(from: Self.profile, identity: Self.resolution)
        #expect(questions.count == 1)
        #expect(questions.first?.serviceDescriptors.first?.kind == .subscribe)
        subscriber.isActive = false
        #expect(subscriber.questions(from: Self.profile, identity: Self.resolution).isEmpty)
    }

    @Test func `what it hears is news once, and again when it has changed`() throws {
        var publisher = try publisher()
        var subscriber = try subscriber()
        func hear(at now: Instant) throws -> [Discovery] {
            let frames = publisher.unsolicited(from: Self.profile, identity: Self.resolution)
            return subscriber.receive(
                frame(try #require(frames.first)), from: publisherAddress, signal: -40, at: now)
        }
        let discovery = try #require(try hear(at: start).first)
        #expect(discovery.port == 14_550 && discovery.transport == .udp && discovery.signal == -40)
        #expect(discovery.information == nil && discovery.canPair)
        #expect(discovery.identity == Self.resolution)
        #expect(discovery.availabilities.count == 1)
        #expect(try hear(at: start + .seconds(1)).isEmpty)
        publisher.isPairingOn = true
        #expect(try hear(at: start + .seconds(2)).first?.information?.pairingName == "My Drone")
        #expect(subscriber.discoveries.count == 1)
    }

    @Test func `services that nobody asked for are heard by those who look for all`() throws {
        let frames = try publisher(["_other._udp"]).unsolicited(from: Self.profile, identity: Self.resolution)
        let other = frame(try #require(frames.first))
        var picky = try subscriber()
        #expect(picky.receive(other, from: publisherAddress, signal: 0, at: start).isEmpty)
        var curious = try subscriber(promiscuous: true)
        #expect(curious.receive(other, from: publisherAddress, signal: 0, at: start).count == 1)
    }

    @Test func `who is silent for long is forgotten`() throws {
        let frames = try publisher().unsolicited(from: Self.profile, identity: Self.resolution)
        var subscriber = try subscriber()
        #expect(subscriber.deadline == nil)
        _ = subscriber.receive(
            frame(try #require(frames.first)), from: publisherAddress, signal: 0, at: start)
        let end = start + Subscriber.memory
        #expect(subscriber.deadline == end)
        subscriber.advance(to: Instant(microseconds: end.microseconds - 1))
        #expect(subscriber.discoveries.count == 1)
        subscriber.advance(to: end)
        #expect(subscriber.discoveries.isEmpty && subscriber.deadline == nil)
    }

    @Test func `a crowd of publishers makes the one heard longest ago go`() throws {
        let frames = try publisher().unsolicited(from: Self.profile, identity: Self.resolution)
        let heard = frame(try #require(frames.first))
        var subscriber = try subscriber()
        for index in 0..<UInt64(1000) {
            _ = subscriber.receive(
                heard, from: MACAddress(rawValue: 0x0200_0000_1000 + index), signal: 0,
                at: Instant(microseconds: start.microseconds + index))
        }
        #expect(subscriber.discoveries.count == Subscriber.capacity)
        #expect(subscriber.discoveries.first?.publisher == MACAddress(rawValue: 0x0200_0000_1000 + 936))
    }
}
