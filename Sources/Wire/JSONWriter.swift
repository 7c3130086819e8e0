/// Writes one JSON document: `JSONWriter.object { $0.member("service", name) }`.
///
/// An object takes only members and an array only elements, so what is written is always well formed. Names are
/// written as they are given, in snake case. The text is one line without a line end.
///
/// - Spec: RFC 8259.
public enum JSONWriter {
    public static func object(_ body: (inout JSONObject) -> Void) -> String {
        var object = JSONObject(continuing: JSONText())
        body(&object)
        return object.close().text
    }

    public static func array(_ body: (inout JSONArray) -> Void) -> String {
        var array = JSONArray(continuing: JSONText())
        body(&array)
        return array.close().text
    }
}

/// The inside of a JSON object.
public struct JSONObject {
    private var out: JSONText
    private var isEmpty = true

    init(continuing out: JSONText) {
        self.out = out
        self.out.raw("{")
    }

    /// `nil` is written as `null`.
    public mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        out.value(value)
    }

    public mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        out.raw(value ? "true" : "false")
    }

    /// `nil` is written as `null`.
    public mutating func member<Number: FixedWidthInteger>(_ name: StaticString, _ value: Number?) {
        key(name)
        out.value(value)
    }

    /// A number with at most `decimals` (0...9) digits after the point; `null` where it is not finite.
    public mutating func member(_ name: StaticString, _ value: Double, decimals: Int) {
        key(name)
        out.value(value, decimals: decimals)
    }

    /// Text that a peer sent: what is not UTF-8 in it is replaced by U+FFFD.
    public mutating func member(_ name: StaticString, utf8 octets: [UInt8]) {
        member(name, String(decoding: octets, as: UTF8.self))
    }

    public mutating func null(_ name: StaticString) {
        key(name)
        out.raw("null")
    }

    public mutating func object(_ name: StaticString, _ body: (inout JSONObject) -> Void) {
        key(name)
        out.object(body)
    }

    public mutating func array(_ name: StaticString, _ body: (inout JSONArray) -> Void) {
        key(name)
        out.array(body)
    }

    /// A member whose name has two parts: what a number is called next to the number itself.
    public mutating func member(_ name: StaticString, suffix: StaticString, _ value: String) {
        separate()
        out.string(name.description + suffix.description)
        out.raw(":")
        out.value(value)
    }

    /// A list of texts.
    public mutating func member(_ name: StaticString, _ values: [String]) {
        array(name) { array in
            for value in values { array.element(value) }
        }
    }

    consuming func close() -> JSONText {
        out.raw("}")
        return out
    }

    private mutating func separate() {
        if !isEmpty { out.raw(",") }
        isEmpty = false
    }

    private mutating func key(_ name: StaticString) {
        separate()
        out.string(name.description)
        out.raw(":")
    }
}

/// The inside of a JSON array.
public struct JSONArray {
    private var out: JSONText
    private var isEmpty = true

    init(continuing out: JSONText) {
        self.out = out
        self.out.raw("[")
    }

    /// `nil` is written as `null`.
    public mutating func element(_ value: String?) {
        separate()
        out.value(value)
    }

    public mutating func element(_ value: Bool) {
        separate()
        out.raw(value ? "true" : "false")
    }

    public mutating func element<Number: FixedWidthInteger>(_ value: Number) {
        separate()
        out.value(value)
    }

    /// A number with at most `decimals` (0...9) digits after the point; `null` where it is not finite.
    public mutating func element(_ value: Double, decimals: Int) {
        separate()
        out.value(value, decimals: decimals)
    }

    public mutating func object(_ body: (inout JSONObject) -> Void) {
        separate()
        out.object(body)
    }

    public mutating func array(_ body: (inout JSONArray) -> Void) {
        separate()
        out.array(body)
    }

    consuming func close() -> JSONText {
        out.raw("]")
        return out
    }

    private mutating func separate() {
        if !isEmpty { out.raw(",") }
        isEmpty = false
    }
}

/// The text so far. It moves into the object or array being written and out again, so that it is never copied.
struct JSONText {
    private var octets: [UInt8] = []

    var text: String { String(decoding: octets, as: UTF8.self) }

    mutating func raw(_ text: StaticString) {
        octets += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    mutating func object(_ body: (inout JSONObject) -> Void) {
        var object = JSONObject(continuing: take())
        body(&object)
        self = object.close()
    }

    mutating func array(_ body: (inout JSONArray) -> Void) {
        var array = JSONArray(continuing: take())
        body(&array)
        self = array.close()
    }

    mutating func value(_ value: String?) {
        if let value { string(value) } else { raw("null") }
    }

    mutating func value<Number: FixedWidthInteger>(_ value: Number?) {
        if let value { octets += "\(value)".utf8 } else { raw("null") }
    }

    mutating func value(_ value: Double, decimals: Int) {
        octets += (DecimalText.of(value, decimals: decimals) ?? "null").utf8
    }

    mutating func string(_ text: String) {
        raw("\"")
        for octet in text.utf8 { character(octet) }
        raw("\"")
    }

    private mutating func character(_ octet: UInt8) {
        switch octet {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case UInt8(ascii: "\n"): raw("\\n")
        case UInt8(ascii: "\r"): raw("\\r")
        case UInt8(ascii: "\t"): raw("\\t")
        case 0..<0x20, 0x7f:
            raw("\\u00")
            octets += String(hex: [octet]).utf8
        default: octets.append(octet)
        }
    }

    private mutating func take() -> JSONText {
        let taken = self
        self = JSONText()
        return taken
    }
}

/// Decimal numbers without noise behind the last digit that means something, in both builds alike.
public enum DecimalText {
    /// `1.5` for 1.5000001 with 3 decimals; nil where the number is not finite or beyond ±9·10¹⁸ / 10^decimals.
    ///
    /// - Parameter decimals: Digits after the point at most, 0...9; what is beyond is held to these.
    public static func of(_ value: Double, decimals: Int) -> String? {
        let places = max(0, min(9, decimals))
        var scale: UInt64 = 1
        for _ in 0..<places { scale *= 10 }
        // Half added and the rest cut off, because Double's own rounding would need the C mathematics library.
        let scaled = value.magnitude * Double(scale) + 0.5
        guard scaled < 9e18 else { return nil }
        let units = UInt64(scaled)
        let sign = value < 0 && units > 0 ? "-" : ""
        return "\(sign)\(units / scale)" + fraction(units % scale, places: places)
    }

    private static func fraction(_ units: UInt64, places: Int) -> String {
        guard units > 0 else { return "" }
        var digits = Array("\(units)".utf8)
        digits = Array(repeating: UInt8(ascii: "0"), count: places - digits.count) + digits
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return "." + String(decoding: digits, as: UTF8.self)
    }
}
