import BluetoothLE

/// What wpa_supplicant answers and tells, taken apart.
///
/// - Spec: wpa_supplicant 2.10, doc/docbook and wpa_ctrl.h; names are written by its printf_encode.
enum SupplicantText {
    /// An answer is at most so long.
    static let longest = 8192
    private static let mostLines = 256

    struct KnownNetwork: Equatable {
        var number: UInt32
        var name: [UInt8]
    }

    /// bssid / frequency / signal level / flags / ssid, after a line of headings.
    static func found(in answer: [UInt8]) -> [(network: WiFiNetwork, protection: Protection)] {
        var found: [(network: WiFiNetwork, protection: Protection)] = []
        for fields in table(answer) where fields.count >= 5 {
            guard let signal = Int(String(decoding: fields[2], as: UTF8.self)) else { continue }
            let flags = String(decoding: fields[3], as: UTF8.self)
            let protection = protection(flags)
            found.append(
                (
                    WiFiNetwork(
                        name: unescaped(fields[4]), signal: Int8(clamping: signal),
                        isProtected: protection != .none || has(flags, "WEP")),
                    protection
                ))
        }
        return found
    }

    private static func protection(_ flags: String) -> Protection {
        if has(flags, "PSK") { return .psk }
        if has(flags, "SAE") { return .sae }
        return has(flags, "WPA") || has(flags, "RSN") ? .psk : .none
    }

    private static func has(_ flags: String, _ word: String) -> Bool {
        for part in flags.split(whereSeparator: { "[]-+/".contains($0) }) where part.hasPrefix(word) {
            return true
        }
        return false
    }

    /// network id / ssid / bssid / flags, after a line of headings.
    static func known(in answer: [UInt8]) -> [KnownNetwork] {
        var known: [KnownNetwork] = []
        for fields in table(answer) where fields.count >= 2 {
            guard let number = number(fields[0][...]) else { continue }
            known.append(KnownNetwork(number: number, name: unescaped(fields[1])))
        }
        return known
    }

    /// What is told without having been asked for.
    enum Event: Equatable {
        case scanned
        case scanFailed
        case connected(UInt32)
        /// The network is left alone for a while.
        case disabled(UInt32, isWrongKey: Bool)
        case other
    }

    /// Nil for an answer. Names of strangers stand in the middle of some: only the ends count.
    static func event(_ message: [UInt8]) -> Event? {
        guard message.first == UInt8(ascii: "<"), let end = message.firstIndex(of: UInt8(ascii: ">")) else {
            return nil
        }
        let words = message[(end + 1)...].split(separator: UInt8(ascii: " "))
        switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
        case "CTRL-EVENT-SCAN-RESULTS": return .scanned
        case "CTRL-EVENT-SCAN-FAILED": return .scanFailed
        case "CTRL-EVENT-CONNECTED":
            for word in words {
                if let number = number(after: "[id=", in: word) { return .connected(number) }
            }
            return .other
        case "CTRL-EVENT-SSID-TEMP-DISABLED":
            guard words.count > 2, let number = number(after: "id=", in: words[1]) else { return .other }
            let isWrong = words.last.map { $0.elementsEqual("reason=WRONG_KEY".utf8) } ?? false
            return .disabled(number, isWrongKey: isWrong)
        default: return .other
        }
    }

    static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
        UInt32(String(decoding: digits.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    private static func number(after prefix: String, in word: ArraySlice<UInt8>) -> UInt32? {
        guard word.starts(with: prefix.utf8) else { return nil }
        return number(word.dropFirst(prefix.utf8.count))
    }

    private static func table(_ answer: [UInt8]) -> [[[UInt8]]] {
        var rows: [[[UInt8]]] = []
        for line in answer.split(separator: UInt8(ascii: "\n")).dropFirst().prefix(mostLines) {
            let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            rows.append(fields.map { Array($0) })
        }
        return rows
    }

    /// \\ \" \e \n \r \t and \xHH; what else follows a backslash stands for itself.
    static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var octets: [UInt8] = []
        var rest = text[...]
        while let octet = rest.popFirst() {
            guard octet == UInt8(ascii: "\\"), let mark = rest.popFirst() else {
                octets.append(octet)
                continue
            }
            switch mark {
            case UInt8(ascii: "e"): octets.append(0x1b)
            case UInt8(ascii: "n"): octets.append(0x0a)
            case UInt8(ascii: "r"): octets.append(0x0d)
            case UInt8(ascii: "t"): octets.append(0x09)
            case UInt8(ascii: "x"):
                let digits = rest.prefix(2)
                guard let octet = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else { continue }
                octets.append(octet)
                rest = rest.dropFirst(2)
            default: octets.append(mark)
            }
        }
        return octets
    }
}
