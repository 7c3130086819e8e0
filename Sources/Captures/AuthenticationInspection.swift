import Frames
import Wire

// The frames of PASN: the elements in them, as far as we know their inside.

extension AuthenticationFrame {
    var fields: [Field] {
        var elements: [Field] = []
        for element in self.elements { elements.append(element.authenticationInspection) }
        return [
            Field("algorithm", algorithm.rawValue, named: algorithm == .pasn ? "pasn" : nil),
            Field("transaction", sequence), Field("status", status.rawValue, named: status.name),
            Field("elements", .list(elements, kind: "element")),
        ]
    }
}

extension AuthenticationFrame.Status {
    fileprivate var name: String? {
        switch self {
        case .success: "success"
        case .refused: "refused"
        case .hashToElement: "hash_to_element"
        default: nil
        }
    }
}

extension Element {
    /// The element with its content, or as octets with the reason why its content cannot be read.
    var authenticationInspection: Field {
        do throws(WireError) {
            return inspection(try content())
        } catch {
            return inspection([Field("refused", error.description), Field("octets", body)])
        }
    }

    private func content() throws(WireError) -> [Field] {
        switch id {
        case RobustSecurity.id: try RobustSecurity(parsing: FrameReader(body.span.bytes)).fields
        case PASNParameters.id: try PASNParameters(parsing: FrameReader(body.span.bytes)).fields
        case WrappedSAE.id: try WrappedSAE(parsing: FrameReader(body.span.bytes)).fields
        case SupportedGroups.id: try SupportedGroups(parsing: FrameReader(body.span.bytes)).fields
        case MessageIntegrityCode.id:
            [Field("mic", try MessageIntegrityCode(parsing: FrameReader(body.span.bytes)).octets)]
        case NANElement.id where NANElement.isIn(self): [NANElement.inspection(body)]
        default: [Field("octets", body)]
        }
    }
}

extension RobustSecurity {
    fileprivate var fields: [Field] {
        var identifiers: [Field] = []
        for identifier in keyIdentifiers { identifiers.append(Field("identifier", identifier)) }
        var fields = [
            Field("version", version), Field("group_cipher", groupCipher),
            Field("pairwise_ciphers", .list(Self.list(pairwiseCiphers), kind: nil)),
            Field("key_management", .list(Self.list(keyManagement), kind: nil)),
            Field("capabilities", bits: capabilities),
            Field("key_identifiers", .list(identifiers, kind: nil)),
        ]
        if let groupManagementCipher {
            fields.append(Field("group_management_cipher", groupManagementCipher))
        }
        if endsEarly { fields.append(Field("ends_early", endsEarly)) }
        return fields
    }

    private static func list(_ suites: [Suite]) -> [Field] {
        var fields: [Field] = []
        for suite in suites { fields.append(Field("suite", suite)) }
        return fields
    }
}

extension Field {
    /// As the standard writes suites: 00-0f-ac:8.
    fileprivate init(_ name: StaticString, _ suite: RobustSecurity.Suite) {
        let octets = (0..<4).map { UInt8(truncatingIfNeeded: suite.rawValue >> UInt32(24 - 8 * $0)) }
        let oui = String(hex: [octets[0]]) + "-" + String(hex: [octets[1]]) + "-" + String(hex: [octets[2]])
        self.init(name, oui + ":\(octets[3])")
    }
}

extension PASNParameters {
    fileprivate var fields: [Field] {
        var fields = [Field("wrapped_format", format.rawValue, named: format.name)]
        if reserved != 0 { fields.append(Field("reserved", bits: reserved)) }
        if let comeBack {
            fields += [Field("come_back_after_tu", comeBack.after.count), Field("cookie", comeBack.cookie)]
        }
        if let publicKey { fields += [Field("group", publicKey.group), Field("public_key", publicKey.key)] }
        return fields
    }
}

extension PASNParameters.WrappedDataFormat {
    fileprivate var name: String? {
        switch self {
        case .none: "none"
        case .sae: "sae"
        default: nil
        }
    }
}

extension WrappedSAE {
    fileprivate var fields: [Field] {
        switch self {
        case .commit(let commit): [Field("commit", .group(commit.fields))]
        case .confirm(let confirm): [Field("confirm", .group(confirm.fields))]
        case .commitAndConfirm(let commit, let confirm):
            [Field("commit", .group(commit.fields)), Field("confirm", .group(confirm.fields))]
        }
    }
}

extension SAECommit {
    fileprivate var fields: [Field] {
        [
            Field("status", status.rawValue, named: status.name), Field("group", group),
            Field("scalar", scalar),
            Field("point", element),
        ]
    }
}

extension SAEConfirm {
    fileprivate var fields: [Field] { [Field("send_confirm", sendConfirm), Field("proof", proof)] }
}

extension SupportedGroups {
    fileprivate var fields: [Field] {
        var list: [Field] = []
        for group in groups { list.append(Field("group", group)) }
        return [Field("groups", .list(list, kind: nil))]
    }
}
