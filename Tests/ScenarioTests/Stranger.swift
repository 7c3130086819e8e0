import Aware
import Crypto
import Frames
import Ports
import Simulation
import Testing
import Wire

/// Somebody who makes frames by hand and follows no protocol but where it serves them.
struct Stranger {
    var address: MACAddress
    let board: MACAddress
    let cluster: MACAddress
    let entropy: SeededEntropy

    /// - Parameter address: one of its own, or somebody else's.
    init(to board: Board, as address: MACAddress? = nil, seed: UInt64 = 99) throws {
        if board.cluster == nil { _ = board.world.run(within: .seconds(10)) { board.cluster != nil } }
        self.board = try #require(board.address)
        cluster = try #require(board.cluster)
        entropy = SeededEntropy(seed: seed)
        self.address = address ?? MACAddress(random: entropy.number64())
    }

    mutating func moveOn() { address = MACAddress(random: entropy.number64()) }

    func frame(_ action: ActionFrame) throws -> [UInt8] {
        try ManagementFrame(
            action.octets(), from: address, to: board, in: cluster, isProtected: action.isProtectedDual
        ).octets()
    }

    func frame(authentication body: [UInt8]) throws -> [UInt8] {
        try ManagementFrame(body, subtype: .authentication, from: address, to: board, in: cluster).octets()
    }

    private func followUp(_ purpose: Attribute, isProtected: Bool = false) throws -> [UInt8] {
        try frame(
            ActionFrame(
                kind: .serviceDiscovery, isProtectedDual: isProtected,
                attributes: [
                    .serviceDescriptor(
                        ServiceDescriptor(
                            service: Person.drone.identifier, instance: 1, requestor: 1, kind: .followUp)),
                    purpose,
                ]))
    }

    static func bootstrapping(
        _ methods: BootstrappingMethods = .pinKeypad, cookie: [UInt8] = []
    ) -> PairingBootstrapping {
        PairingBootstrapping(dialogToken: 7, step: .request(cookie: cookie), methods: methods)
    }

    func request(_ methods: BootstrappingMethods = .pinKeypad, cookie: [UInt8] = []) throws -> [UInt8] {
        try followUp(.pairingBootstrapping(Self.bootstrapping(methods, cookie: cookie)))
    }

    func subscribe() throws -> [UInt8] {
        try frame(
            ActionFrame(
                kind: .serviceDiscovery, isProtectedDual: false,
                attributes: [
                    .serviceDescriptor(
                        ServiceDescriptor(service: Person.drone.identifier, instance: 1, kind: .subscribe))
                ]))
    }

    func identityKey(isProtected: Bool = false) throws -> [UInt8] {
        try followUp(
            .sharedKeyDescriptor(
                SharedKeyDescriptor(
                    publish: 1, info: [.pairwise, .acknowledge, .encrypted], keyLength: 16, replayCounter: 0,
                    mic: [], data: entropy.octets(48))), isProtected: isProtected)
    }

    /// The first frame of a guess.
    func guess(_ pin: String) throws -> [UInt8] {
        var initiator = PASNInitiator(
            own: address, peer: board,
            with: .password(Key(Secret(Array(pin.utf8))), request: Self.bootstrapping()),
            offer: PairingOffer(publish: 1), entropy: entropy)
        for case .send(let body) in initiator.start(at: Instant(microseconds: 0)) {
            return try frame(authentication: body)
        }
        throw StrangerError.silent
    }

    /// A request for a data path, with or without the attributes of security.
    func dataPath(identifier: UInt8 = 1, isSecure: Bool, isProtected: Bool = false) throws -> [UInt8] {
        try frame(
            ActionFrame(
                kind: .action(.dataPathRequest), isProtectedDual: isProtected,
                attributes: pathAttributes(.request, identifier, isSecure: isSecure)))
    }

    func termination(of initiator: MACAddress, identifier: UInt8) throws -> [UInt8] {
        let head = DataPathHead(
            dialogToken: 3, kind: .terminate, status: .accepted, initiator: initiator, identifier: identifier,
            control: [])
        return try frame(
            ActionFrame(
                kind: .action(.dataPathTermination), isProtectedDual: false,
                attributes: [.dataPathExtension(DataPathExtension(head: head))]))
    }

    private func pathAttributes(
        _ kind: DataPathHead.Kind, _ identifier: UInt8, isSecure: Bool
    ) -> [Attribute] {
        let head = DataPathHead(
            dialogToken: 3, kind: kind, status: .continued, initiator: MACAddress(random: 0x77),
            identifier: identifier,
            control: isSecure
                ? [.publishPresent, .confirmRequired, .securityPresent]
                : [.publishPresent, .confirmRequired],
            publish: 1)
        let profile = StationProfile(
            address: address, radio: .simulated, pairing: [.setup, .caching],
            availability: LocalAvailability())
        var attributes: [Attribute] = [
            .dataPathExtension(DataPathExtension(head: head)),
            .deviceCapability(profile.deviceCapability), .availability(profile.availabilityAttribute),
        ]
        if isSecure {
            attributes.append(
                .cipherSuiteInformation(
                    CipherSuiteInformation(entries: [.init(suite: .sharedKey128, publish: 1)])))
            attributes.append(
                .sharedKeyDescriptor(
                    SharedKeyDescriptor(
                        publish: 1, info: [.pairwise, .acknowledge], keyLength: 16, replayCounter: 0,
                        nonce: entropy.octets(32), mic: [UInt8](repeating: 0, count: 16))))
        }
        return attributes
    }
}

enum StrangerError: Error {
    case silent
}
