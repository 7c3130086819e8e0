import Foundation
import Frames
import Testing
import Wire

@testable import Aware
@testable import Crypto

/// The same octets in every run.
final class PairingEntropy: Entropy {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// SplitMix64.
    func fill(_ octets: UnsafeMutableRawBufferPointer) {
        for index in octets.indices {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
            octets[index] = UInt8(truncatingIfNeeded: mixed ^ mixed >> 31)
        }
    }
}

/// One pairing of Tests/Vectors/keys: named octets in hexadecimal.
struct PairingVector: CustomTestStringConvertible, Sendable {
    let name: String
    private let texts: [String: String]
    let frames: [[UInt8]]
    private let sides: [String: [String: String]]

    var testDescription: String { name }

    static let recorded: [PairingVector] = {
        let cases = load("vectors") as? [String: [String: Any]] ?? [:]
        return cases.sorted { $0.key < $1.key }.flatMap { name, content in
            (content["pairings"] as? [[String: Any]] ?? []).enumerated().map {
                PairingVector("\(name) \($0)", $1)
            }
        }
    }()
    static let computed: [PairingVector] = (load("synthetic_pairing") as? [[String: Any]] ?? []).map {
        PairingVector("group \($0["group"] ?? 0)", $0)
    }

    /// Those with cipher suite 7 and a password, the others being refused.
    static let setups = recorded.filter { $0.has("sae_pmk") && !$0.name.contains("gcmp256") }
    static let verification = recorded.first { $0.name == "verify_npk 1" }!
    static let opportunistic = recorded.first { $0.name == "opportunistic 0" }!
    static let suite8 = recorded.first { $0.name == "pin_sae_gcmp256 0" }!

    func has(_ key: String) -> Bool { texts[key] != nil }
    func text(_ key: String) throws -> String { try #require(texts[key], "\(name) has no \(key)") }
    func callAsFunction(_ key: String) throws -> [UInt8] { try #require([UInt8](hex: text(key))) }
    func key(_ key: String) throws -> Key { Key(Secret(try self(key))) }
    func side(_ side: String, _ key: String) throws -> [UInt8] {
        let text = try #require(sides[side]?[key])
        return try #require([UInt8](hex: text))
    }

    var parties: PairingParties {
        get throws {
            PairingParties(
                initiator: try #require(MACAddress(text("initiator_nmi"))),
                responder: try #require(MACAddress(text("responder_nmi"))))
        }
    }

    /// The keys that follow from what the two agreed on.
    var keys: PairingKeys {
        get throws {
            PairingKeys(
                pmk: try key("pasn_pmk"), parties: try parties, sharedSecret: Secret(try self("dhss")))
        }
    }

    private init(_ name: String, _ object: [String: Any]) {
        self.name = name
        texts = object.compactMapValues { $0 as? String }
        frames = (object["auth_frames"] as? [[String: Any]] ?? []).compactMap {
            [UInt8](hex: $0["body"] as? String ?? "")
        }
        sides = object.compactMapValues { ($0 as? [String: Any])?.compactMapValues { $0 as? String } }
    }

    private static func load(_ file: String) -> Any {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Vectors/keys/\(file).json")
        guard let data = try? Data(contentsOf: url), let whole = try? JSONSerialization.jsonObject(with: data)
        else {
            fatalError("there are no vectors at \(url)")
        }
        return whole
    }
}

extension Key {
    /// What a test may see.
    var seen: [UInt8] { secret.withOctets { [UInt8]($0) } }

    convenience init(text: String) { self.init(Secret(Array(text.utf8))) }
}

extension [PASNAction] {
    /// What is asked for, in its order, without octets.
    var names: [String] {
        map {
            switch $0 {
            case .install: "install"
            case .uninstall: "uninstall"
            case .send: "send"
            case .authenticated: "authenticated"
            case .failed(let refusal): "failed: \(refusal)"
            }
        }
    }
    var sent: [UInt8]? {
        for case .send(let body) in self { return body }
        return nil
    }
    var keys: PairingKeys? {
        for case .authenticated(let keys) in self { return keys }
        return nil
    }
    /// Whether anything of it lets a peer in.
    var givesKeys: Bool {
        contains { action in
            switch action {
            case .install, .authenticated: true
            case .uninstall, .send, .failed: false
            }
        }
    }
}

/// A phone and an accessory that are about to authenticate each other, and a lossless way between them.
struct PairingSides {
    static let phone = MACAddress(rawValue: 0x02aa_bbcc_dd02)
    static let accessory = MACAddress(rawValue: 0x0211_2233_4401)
    static let offer = PairingOffer(publish: 1, capabilities: 2)
    static let bootstrapping = PairingBootstrapping(
        dialogToken: 1, step: .request(cookie: []), methods: .pinKeypad)
    static let start = Instant(microseconds: 1_000_000)

    let entropy: PairingEntropy
    var initiator: PASNInitiator
    var responder = PASNResponder(own: accessory, peer: phone)
    let expected: PairingCredential

    init(_ asked: PairingCredential, _ expected: PairingCredential, seed: UInt64 = 1) {
        entropy = PairingEntropy(seed)
        self.expected = expected
        initiator = PASNInitiator(
            own: Self.phone, peer: Self.accessory, with: asked, offer: Self.offer, entropy: entropy)
    }

    /// A pairing by PIN.
    init(typed: String = "123456", shown: String = "123456", seed: UInt64 = 1) {
        self.init(.pin(typed), .pin(shown), seed: seed)
    }

    /// Auth1, as it comes to the accessory.
    mutating func ask(at now: Instant = start) throws -> PASNRequest {
        try PASNRequest(parsing: #require(initiator.start(at: now).sent))
    }

    mutating func begin(_ request: PASNRequest, at now: Instant = start) throws -> [PASNAction] {
        try responder.begin(request, with: expected, offer: Self.offer, entropy: entropy, at: now)
    }

    /// The three frames, with nothing lost: what both sides want done after them.
    mutating func authenticate() throws -> (phone: [PASNAction], accessory: [PASNAction]) {
        let answered = try begin(try ask())
        let confirmed = try initiator.receive(#require(answered.sent))
        return (confirmed, try responder.receive(#require(confirmed.sent)))
    }

    mutating func keys() throws -> (phone: PairingKeys, accessory: PairingKeys) {
        let done = try authenticate()
        return (try #require(done.phone.keys), try #require(done.accessory.keys))
    }
}

extension PairingCredential {
    static func pin(_ digits: String) -> PairingCredential {
        .password(Key(text: digits), request: PairingSides.bootstrapping)
    }
}

/// Every frame that differs from `octets` by one bit.
func flips(of octets: [UInt8]) -> [[UInt8]] {
    (0..<octets.count * 8).map { bit in
        var flipped = octets
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        return flipped
    }
}
