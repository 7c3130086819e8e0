import Testing
import Wire

@testable import Crypto

struct SAETests {
    static let groups: [Group] = [.p256, .p384]
    let board = MACAddress(rawValue: 0x0211_2233_4401)
    let phone = MACAddress(rawValue: 0x02aa_bbcc_dd02)

    @Test(arguments: groups)
    func `the same password gives the same key and proofs that hold`(group: Group) throws {
        let (ours, theirs) = pair(group, "482913", "482913")
        let (own, peer) = try agreements(ours, theirs)
        #expect(own.pmk.secret.count == 32)
        #expect(own.pmk.secret.isEqual(to: peer.pmk.secret) == true)
        #expect(own.pmkid == peer.pmkid)
        #expect(own.isConfirmed(by: peer.confirmation(), sendConfirm: 1))
        #expect(peer.isConfirmed(by: own.confirmation(sendConfirm: 7), sendConfirm: 7))
    }

    @Test(arguments: groups)
    func `another password confirms on neither side`(group: Group) throws {
        let (ours, theirs) = pair(group, "482913", "482914")
        let (own, peer) = try agreements(ours, theirs)
        #expect(own.pmk.secret.isEqual(to: peer.pmk.secret) == false)
        #expect(!own.isConfirmed(by: peer.confirmation(), sendConfirm: 1))
        #expect(!peer.isConfirmed(by: own.confirmation(), sendConfirm: 1))
    }

    @Test func `a proof counts with its number, whole, and from the peer only`() throws {
        let (ours, theirs) = pair(.p256, "482913", "482913")
        let (own, peer) = try agreements(ours, theirs)
        let proof = peer.confirmation()
        #expect(!own.isConfirmed(by: proof, sendConfirm: 2))
        #expect(!own.isConfirmed(by: own.confirmation(), sendConfirm: 1))
        #expect(!own.isConfirmed(by: [UInt8](proof.dropLast()), sendConfirm: 1))
        #expect(!own.isConfirmed(by: [], sendConfirm: 1))
        for index in proof.indices {
            var flipped = proof
            flipped[index] ^= 0x80
            #expect(!own.isConfirmed(by: flipped, sendConfirm: 1))
        }
    }

    @Test(arguments: groups)
    func `scalars outside the range or of another length are refused`(group: Group) throws {
        let (ours, theirs) = pair(group, "482913", "482913")
        let count = group.fieldCount
        let order = Curve(group).scalars.prime.octets(count)
        var refused = [
            [UInt8](repeating: 0, count: count), order, order, [], theirs.scalar + [0], [0] + theirs.scalar,
        ]
        refused[2][count - 1] += 1
        refused.append([UInt8](repeating: 0, count: count - 1) + [1])
        refused.append([UInt8](repeating: 255, count: count))
        refused.append([UInt8](theirs.scalar.dropLast()))
        for scalar in refused {
            #expect(throws: CryptoError.invalidScalar) {
                try ours.agree(peerScalar: scalar, peerElement: theirs.element)
            }
        }
        var highest = order
        highest[count - 1] -= 1
        _ = try ours.agree(peerScalar: highest, peerElement: theirs.element)
        let lowest = [UInt8](repeating: 0, count: count - 1) + [2]
        _ = try ours.agree(peerScalar: lowest, peerElement: theirs.element)
    }

    @Test(arguments: groups)
    func `elements beside the curve or of another length are refused`(group: Group) throws {
        let (ours, theirs) = pair(group, "482913", "482913")
        let count = group.fieldCount
        var beside = theirs.element
        beside[2 * count - 1] ^= 1
        let prime = Curve(group).field.prime.octets(count)
        let refused = [
            beside, [], [0], [4] + theirs.element, [UInt8](theirs.element.dropLast()),
            [UInt8](repeating: 0, count: 2 * count), [UInt8](repeating: 255, count: 2 * count), prime + prime,
        ]
        for element in refused {
            #expect(throws: CryptoError.invalidPoint) {
                try ours.agree(peerScalar: theirs.scalar, peerElement: element)
            }
        }
    }

    @Test func `coordinates that are not reduced are refused`() throws {
        // x = 5 has a point on P-256 only if x = p + 5 is not taken for it.
        let curve = Curve(.p256)
        let point = try curve.point(encoded: [2] + [UInt8](repeating: 0, count: 31) + [5])
        let coordinates = curve.seen(point)
        let y = try #require(coordinates)[32...]
        let above = Self.adding(5, to: curve.field.prime.octets(32))
        #expect(throws: CryptoError.invalidPoint) { _ = try curve.point(encoded: [4] + above + y) }
        #expect(throws: CryptoError.invalidPoint) { _ = try curve.point(encoded: [2] + above) }
    }

    @Test(arguments: groups)
    func `our own commitment is refused`(group: Group) throws {
        let (ours, _) = pair(group, "482913", "482913")
        #expect(throws: CryptoError.reflected) {
            try ours.agree(peerScalar: ours.scalar, peerElement: ours.element)
        }
    }

    @Test(arguments: groups)
    func `an element that cancels the password is refused`(group: Group) throws {
        // Only who knows the password can do it: element = -(scalar · PWE).
        let (ours, theirs) = pair(group, "482913", "482913")
        let map = HashToElement(on: Curve(group))
        let password = map.passwordElement(from: Secret([UInt8]("482913".utf8)), for: board, phone)
        let cancelling = map.curve.inverse(map.curve.product(Number(public: theirs.scalar), password))
        let coordinates = map.curve.seen(cancelling)
        let element = try #require(coordinates)
        #expect(throws: CryptoError.degenerate) {
            try ours.agree(peerScalar: theirs.scalar, peerElement: element)
        }
    }

    @Test(arguments: groups)
    func `the same entropy commits to the same, other entropy to something else`(group: Group) {
        let commit = { (seed: UInt64) in
            SAE(
                group: group, password: Secret([UInt8]("482913".utf8)), own: self.board, peer: self.phone,
                entropy: SeededEntropy(seed)
            ).scalar
        }
        #expect(commit(1) == commit(1))
        #expect(commit(1) != commit(2))
    }

    @Test func `any password is taken`() throws {
        for password in ["", "0", String(repeating: "x", count: 1_000)] {
            let (ours, theirs) = pair(.p256, password, password)
            let (own, peer) = try agreements(ours, theirs)
            #expect(own.isConfirmed(by: peer.confirmation(), sendConfirm: 1))
        }
    }

    private func pair(_ group: Group, _ own: String, _ peer: String) -> (SAE, SAE) {
        (
            SAE(
                group: group, password: Secret([UInt8](own.utf8)), own: board, peer: phone,
                entropy: SeededEntropy(11)),
            SAE(
                group: group, password: Secret([UInt8](peer.utf8)), own: phone, peer: board,
                entropy: SeededEntropy(12))
        )
    }

    private func agreements(_ ours: SAE, _ theirs: SAE) throws -> (SAE.Agreement, SAE.Agreement) {
        (
            try ours.agree(peerScalar: theirs.scalar, peerElement: theirs.element),
            try theirs.agree(peerScalar: ours.scalar, peerElement: ours.element)
        )
    }

    private static func adding(_ small: UInt16, to octets: [UInt8]) -> [UInt8] {
        var carry = small
        return octets.reversed().map {
            carry += UInt16($0)
            defer { carry >>= 8 }
            return UInt8(truncatingIfNeeded: carry)
        }.reversed()
    }
}
