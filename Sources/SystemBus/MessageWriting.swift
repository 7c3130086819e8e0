import CShim
import Crypto

/// Writes values into a message of sd-bus, which refuses what D-Bus does not allow.
struct MessageWriter {
    let library: shim_bus_library
    let message: OpaquePointer

    /// Returns 0 or more, or a negative error number.
    func append(_ values: [BusValue]) -> Int32 {
        for value in values {
            let result = append(value)
            if result < 0 { return result }
        }
        return 0
    }

    private func append(_ value: BusValue) -> Int32 {
        switch value {
        case .octet(let number): basic("y", number)
        case .boolean(let flag): basic("b", Int32(flag ? 1 : 0))
        case .int16(let number): basic("n", number)
        case .uint16(let number): basic("q", number)
        case .int32(let number): basic("i", number)
        case .uint32(let number): basic("u", number)
        case .int64(let number): basic("x", number)
        case .uint64(let number): basic("t", number)
        case .string(let text): self.text("s", text)
        case .secret(let secret): self.secret(secret)
        case .path(let text): self.text("o", text)
        case .signature(let text): self.text("g", text)
        case .octets(let octets):
            octets.withUnsafeBytes {
                library.append_array(message, code("y"), $0.baseAddress, $0.count)
            }
        case .array(let element, let elements): container("a", element, elements)
        case .entry(let key, let value): container("e", key.signature + value.signature, [key, value])
        case .structure(let fields): container("r", BusValue.signature(of: fields), fields)
        case .variant(let inner): container("v", inner.signature, [inner])
        }
    }

    private func basic(_ type: Unicode.Scalar, _ number: some FixedWidthInteger) -> Int32 {
        withUnsafeBytes(of: number) { library.append_basic(message, code(type), $0.baseAddress) }
    }

    /// A text ends with its first zero octet for C, so one that has more after it is refused.
    private func text(_ type: Unicode.Scalar, _ text: String) -> Int32 {
        guard !text.utf8.contains(0) else { return Int32(shim_bus_invalid) }
        return text.withCString { library.append_basic(message, code(type), $0) }
    }

    /// The library erases the message after use, and we our copy.
    private func secret(_ secret: BusSecret) -> Int32 {
        let marked = library.set_sensitive(message)
        if marked < 0 { return marked }
        var octets = secret.key.secret.withOctets { Array($0) }
        guard !octets.contains(0) else { return Int32(shim_bus_invalid) }
        octets.append(0)
        defer { octets.erase() }
        return octets.withUnsafeBytes { library.append_basic(message, code("s"), $0.baseAddress) }
    }

    private func container(_ type: Unicode.Scalar, _ contents: String, _ values: [BusValue]) -> Int32 {
        let opened = library.open_container(message, code(type), contents)
        if opened < 0 { return opened }
        let result = append(values)
        return result < 0 ? result : library.close_container(message)
    }
}

/// The octet that stands for a type in a signature.
func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }
