import Testing
import Wire

@testable import Crypto

/// The keys of recorded data paths (Tests/Vectors/keys/vectors.json), cipher suites 1 and 7.
struct RecordedDataPathTests {
    @Test func `all recorded data paths are here`() { #expect(Vector.recordedDataPaths.count == 3) }

    @Test func `a passphrase is stretched to the recorded key`() throws {
        let vector = try #require(Vector.recordedDataPaths.first { $0.name == "ndp_sk_ccm128 ndp" })
        // 00, cipher suite, service, publisher
        let key = HashFunction.sha256.stretch(
            Secret([UInt8]("ndppassword".utf8)), salt: .hex("00 01 8292f9a71acc 021122334401"),
            iterations: 4096,
            count: 32)
        #expect(key.seen == (try vector("nd_pmk")))
    }

    @Test func `a paired data path uses the key of its pairing`() throws {
        for name in ["full_pin_ndp_sk_ccm128", "full_pin_ndp_pk_pasn128"] {
            let pairing = try #require(Vector.recordedPairings.first { $0.name == "\(name) pairings 0" })
            let path = try #require(Vector.recordedDataPaths.first { $0.name == "\(name) ndp" })
            #expect(try pairing("kdf_NDP_PMK_Derivation") == path("nd_pmk"))
        }
    }

    @Test(arguments: Vector.recordedDataPaths)
    func `a data path has the recorded keys`(vector: Vector) throws {
        let key = try vector.secret("nd_pmk")
        let name = HashFunction.sha256.authenticationCode(of: try vector("pmkid_data"), key: key)
        #expect([UInt8](name.prefix(16)) == (try vector("nd_pmkid")))

        let context =
            try vector("initiator_ndi") + vector("responder_ndi") + vector("initiator_nonce")
            + vector("responder_nonce")
        let keys = HashFunction.sha256.derive(
            48, from: key, label: "NAN Pairwise key expansion", context: context)
        #expect(keys.seen == (try vector("nd_ptk")))
        #expect(keys.extracting(0..<16).seen == (try vector("nd_kck")))
        #expect(keys.extracting(16..<32).seen == (try vector("nd_kek")))
        #expect(keys.extracting(32..<48).seen == (try vector("nd_tk")))
    }

    @Test(arguments: Vector.recordedDataPaths)
    func `the messages of a data path have the recorded codes`(vector: Vector) throws {
        let token = HashFunction.sha256.digest(try vector("m1_body")).prefix(16)
        #expect([UInt8](token) == (try vector("auth_token")))
        let messages = vector["mics"]
        #expect(messages.count == 3)
        for message in messages {
            let code = HashFunction.sha256.authenticationCode(
                of: try message("data"), key: try vector.secret("nd_kck"))
            #expect([UInt8](code.prefix(16)) == (try message("mic")))
        }
    }

    @Test(arguments: Vector.recordedDataPaths)
    func `the key data of the third message unwraps`(vector: Vector) throws {
        let third = try #require(vector["mics"].dropFirst().first)
        let message = try third("data")
        let nonce = try vector("initiator_nonce")
        let start = try #require(message.indices.first { message[$0...].starts(with: nonce) })
        // After the nonce: 32 octets of zeros, the MIC, the length in two octets, highest first.
        let length = start + 32 + 32 + 16
        let count = Int(message[length]) << 8 | Int(message[length + 1])
        let wrapped = [UInt8](message[length + 2..<length + 2 + count])
        let unwrapped = try AESKeyWrap.unwrap(wrapped, with: vector.secret("nd_kek"))
        let plain = try #require(unwrapped)
        let known = try vector["decrypted_key_data"].map { try $0("value") }
        #expect(known.contains(plain.secret.seen))
    }
}
