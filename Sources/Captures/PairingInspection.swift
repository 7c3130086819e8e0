public import Frames
import Wire

// How devices get to trust each other: NPBA, CSIA, SCIA, shared key descriptors, NIRA, key data.

extension PairingBootstrapping {
    var fields: [Field] {
        [Field("dialog_token", dialogToken)] + step.fields
            + (spareReason.rawValue == 0 ? [] : [Field("reason", spareReason)]) + [
                Field("methods", bits: methods.rawValue),
                Field("method_names", of: methods.rawValue, Self.methodNames),
            ]
    }

    private static let methodNames: [(bit: Int, name: String)] = [
        (0, "opportunistic"), (1, "pin_display"), (2, "passphrase_display"), (3, "qr_display"),
        (4, "nfc_tag"),
        (5, "pin_keypad"), (6, "passphrase_keypad"), (7, "qr_scan"), (8, "nfc_reader"),
        (14, "service_managed"),
        (15, "handshake_skipped"),
    ]
}

extension PairingBootstrapping.Step {
    fileprivate var fields: [Field] {
        switch self {
        case .advertisement: [Field("type", "advertisement")]
        case .request(let cookie):
            cookie.isEmpty ? [Field("type", "request")] : [Field("type", "request"), Field("cookie", cookie)]
        case .accepted: [Field("type", "response"), Field("status", "accepted")]
        case .rejected(let reason):
            [Field("type", "response"), Field("status", "rejected"), Field("reason", reason)]
        case .comeBack(let after, let cookie):
            [
                Field("type", "response"), Field("status", "come_back"),
                Field("come_back_after_tu", after.count),
                Field("cookie", cookie),
            ]
        }
    }
}

extension CipherSuiteInformation {
    var fields: [Field] {
        var suites: [Field] = []
        for entry in entries {
            suites.append(
                Field(
                    "suite",
                    .group([
                        Field("suite", entry.suite.rawValue, named: entry.suite.name),
                        Field("publish", entry.publish),
                    ])))
        }
        return [Field("capabilities", bits: capabilities), Field("suites", .list(suites, kind: nil))]
    }
}

extension CipherSuite {
    fileprivate var name: String? {
        switch self {
        case .sharedKey128: "ncs_sk_128"
        case .sharedKey256: "ncs_sk_256"
        case .groupCCMP128: "ncs_gtk_ccmp_128"
        case .groupGCMP256: "ncs_gtk_gcmp_256"
        case .pasn128: "ncs_pk_pasn_128"
        case .pasn256: "ncs_pk_pasn_256"
        default: nil
        }
    }
}

extension SecurityContextInformation {
    var fields: [Field] {
        var contexts: [Field] = []
        for entry in entries {
            contexts.append(
                Field(
                    "context",
                    .group([
                        Field("type", entry.type, named: entry.type == 1 ? "nd_pmkid" : nil),
                        Field("publish", entry.publish), Field("identifier", entry.identifier),
                    ])))
        }
        return [Field("contexts", .list(contexts, kind: nil))]
    }
}

extension SharedKeyDescriptor {
    var fields: [Field] {
        [
            Field("publish", publish), Field("descriptor_type", descriptor),
            Field("key_info", bits: info.rawValue),
            Field(
                "flags", of: info.rawValue & ~7,
                [
                    (3, "pairwise"), (6, "install"), (7, "acknowledge"), (8, "mic"), (9, "secure"),
                    (12, "encrypted_data"),
                ]),
            Field("key_length", keyLength), Field("replay_counter", replayCounter), Field("nonce", nonce),
            Field("iv", iv), Field("sequence_counter", sequenceCounter), Field("identifier", identifier),
            Field("mic", mic), Field("key_data", data),
        ]
    }
}

extension IdentityResolution {
    var fields: [Field] {
        [Field("cipher_version", cipherVersion), Field("nonce", nonce), Field("tag", tag)]
    }
}

extension [KeyData] {
    /// What was wrapped, keys too: who unwrapped it holds the key above them.
    public var inspection: Field {
        var elements: [Field] = []
        for element in self { elements.append(element.field) }
        return Field("key_data_elements", .list(elements, kind: "element"))
    }
}

extension KeyData {
    fileprivate var field: Field {
        switch self {
        case .identityKey(let cipherVersion, let key):
            Field(
                "identity_key",
                .group([Field("cipher_version", cipherVersion), Field("key", key)]))
        case .lifetime(let keys, let seconds):
            Field("lifetime", .group([Field("keys", bits: keys), Field("seconds", seconds)]))
        case .other(let type, let octets):
            Field(
                Self.name(of: type),
                .group([Field("type", bits: type), Field("octets", octets)]))
        case .element(let element): element.inspection
        }
    }

    private static func name(of type: UInt32) -> StaticString {
        switch type {
        case 0x000f_ac01: "group_key"
        case 0x000f_ac09: "integrity_group_key"
        case 0x000f_ac0e: "beacon_integrity_group_key"
        default: "other"
        }
    }
}
