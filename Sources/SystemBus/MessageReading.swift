import CShim

/// Reads the body of a message that sd-bus has found to be well-formed, as far as its limits allow.
struct MessageReader {
    /// The lists of objects that daemons give out go down to 12: an object's interfaces, their properties, lists in them.
    private static let deepest = 16
    /// A daemon that knows a hundred devices tells of them in five thousand values.
    private static let mostValues = 1 << 14
    private static let mostOctets = 1 << 18

    private let library: shim_bus_library
    private let message: OpaquePointer
    private var valuesLeft = mostValues
    private var octetsLeft = mostOctets

    init(_ library: shim_bus_library, _ message: OpaquePointer) {
        self.library = library
        self.message = message
    }

    /// All values up to the end of the body or container; nil for what is too much, or of a type not used here.
    mutating func values(depth: Int = 0) -> [BusValue]? {
        guard depth <= Self.deepest else { return nil }
        var values: [BusValue] = []
        while true {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            let peeked = library.peek_type(message, &type, &contents)
            if peeked == 0 { return values }
            guard peeked > 0, valuesLeft > 0 else { return nil }
            valuesLeft -= 1
            guard let value = value(type, contents, depth: depth) else { return nil }
            values.append(value)
        }
    }

    private mutating func value(
        _ type: CChar, _ contents: UnsafePointer<CChar>?, depth: Int
    ) -> BusValue? {
        switch type {
        case code("y"): number(type, UInt8(0)).map { .octet($0) }
        case code("b"): number(type, Int32(0)).map { .boolean($0 != 0) }
        case code("n"): number(type, Int16(0)).map { .int16($0) }
        case code("q"): number(type, UInt16(0)).map { .uint16($0) }
        case code("i"): number(type, Int32(0)).map { .int32($0) }
        case code("u"): number(type, UInt32(0)).map { .uint32($0) }
        case code("x"): number(type, Int64(0)).map { .int64($0) }
        case code("t"): number(type, UInt64(0)).map { .uint64($0) }
        case code("s"): text(type).map { .string($0) }
        case code("o"): text(type).map { .path($0) }
        case code("g"): text(type).map { .signature($0) }
        default: contents.flatMap { container(type, $0, depth: depth) }
        }
    }

    private func number<Number: FixedWidthInteger>(_ type: CChar, _ zero: Number) -> Number? {
        var number = zero
        return library.read_basic(message, type, &number) > 0 ? number : nil
    }

    private mutating func text(_ type: CChar) -> String? {
        var start: UnsafePointer<CChar>?
        guard library.read_basic(message, type, &start) > 0, let start else { return nil }
        let text = String(cString: start)
        octetsLeft -= text.utf8.count
        return octetsLeft < 0 ? nil : text
    }

    private mutating func container(
        _ type: CChar, _ contents: UnsafePointer<CChar>, depth: Int
    ) -> BusValue? {
        let element = String(cString: contents)
        if type == code("a"), element == "y" { return octets() }
        guard library.enter_container(message, type, contents) > 0,
            let values = values(depth: depth + 1),
            library.exit_container(message) >= 0
        else { return nil }
        switch type {
        case code("a"): return .array(of: element, values)
        case code("r"): return .structure(values)
        case code("e"): return values.count == 2 ? .entry(values[0], values[1]) : nil
        case code("v"): return values.count == 1 ? .variant(values[0]) : nil
        default: return nil
        }
    }

    private mutating func octets() -> BusValue? {
        var start: UnsafeRawPointer?
        var count = 0
        guard library.read_array(message, code("y"), &start, &count) >= 0 else { return nil }
        octetsLeft -= count
        guard octetsLeft >= 0 else { return nil }
        return .octets([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    }
}
