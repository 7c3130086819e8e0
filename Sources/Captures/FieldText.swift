public import Wire

extension [Field] {
    /// Lines for a person: what is simple on one, what is nested below it.
    ///
    /// - Parameter indent: Spaces before each line.
    public func lines(indent: Int) -> [String] {
        var line = ""
        var below: [String] = []
        for field in self {
            switch field.value {
            case .group(let fields):
                below += field.heading(fields, indent: indent)
            case .list(let fields, _):
                for element in fields { below += element.element(of: field, indent: indent) }
            default:
                line += (line.isEmpty ? "" : " ") + field.name.description + "=" + field.value.text
            }
        }
        return (line.isEmpty ? [] : [String(repeating: " ", count: indent) + line]) + below
    }

    /// Writes each field as a member.
    public func write(into object: inout JSONObject) {
        for field in self { field.write(into: &object) }
    }
}

extension Field {
    /// The name with the simple fields behind it, nested ones below.
    fileprivate func heading(_ fields: [Field], indent: Int) -> [String] {
        let inside = fields.lines(indent: indent + 2)
        let margin = String(repeating: " ", count: indent)
        guard let first = inside.first, fields.hasSimpleField else {
            return [margin + name.description] + inside
        }
        let simple = String(first.utf8.dropFirst(indent + 2)) ?? ""
        return [margin + name.description + ": " + simple] + inside.dropFirst()
    }

    fileprivate func element(of list: Field, indent: Int) -> [String] {
        guard case .group(let fields) = value else {
            return [String(repeating: " ", count: indent) + name.description + "=" + value.text]
        }
        return heading(fields, indent: indent)
    }

    fileprivate func write(into object: inout JSONObject) {
        switch value {
        case .number(let number): object.member(name, number)
        case .signed(let number): object.member(name, number)
        case .bits(let number, let octets):
            // Many readers of JSON hold numbers as doubles, of 53 bits.
            octets > 4 ? object.member(name, value.text) : object.member(name, number)
        case .named(let number, let text):
            object.member(name, number)
            object.member(name, suffix: "_name", text)
        case .text(let text): object.member(name, text)
        case .octets(let octets): object.member(name, String(hex: octets))
        case .flag(let flag): object.member(name, flag)
        case .flags(let names): object.member(name, names)
        case .group(let fields): object.object(name) { fields.write(into: &$0) }
        case .list(let fields, let kind):
            object.array(name) { array in
                for field in fields { field.write(into: &array, kind: kind) }
            }
        }
    }

    fileprivate func write(into array: inout JSONArray, kind: StaticString?) {
        switch value {
        case .group(let fields):
            array.object { object in
                if let kind { object.member(kind, name.description) }
                fields.write(into: &object)
            }
        default:
            guard let kind else { return value.write(into: &array) }
            array.object { object in
                object.member(kind, name.description)
                Field("value", value).write(into: &object)
            }
        }
    }
}

extension Field.Value {
    /// A simple value in a line.
    fileprivate var text: String {
        switch self {
        case .number(let number): return "\(number)"
        case .signed(let number): return "\(number)"
        case .bits(let number, let octets):
            return "0x"
                + String(
                    hex: (0..<octets).map {
                        UInt8(truncatingIfNeeded: number >> UInt64(8 * (octets - 1 - $0)))
                    })
        case .named(let number, let name): return "\(number)(\(name))"
        case .text(let text): return text.printable
        case .octets(let octets): return octets.isEmpty ? "-" : String(hex: octets)
        case .flag(let flag): return flag ? "yes" : "no"
        case .flags(let names):
            var text = ""
            for name in names { text += (text.isEmpty ? "" : ",") + name }
            return text.isEmpty ? "-" : text
        case .group, .list: return ""
        }
    }

    fileprivate func write(into array: inout JSONArray) {
        switch self {
        case .number(let number), .bits(let number, _), .named(let number, _): array.element(number)
        case .signed(let number): array.element(number)
        case .text(let text): array.element(text)
        case .octets(let octets): array.element(String(hex: octets))
        case .flag(let flag): array.element(flag)
        case .flags(let names):
            array.array { inner in
                for name in names { inner.element(name) }
            }
        case .group(let fields): array.object { fields.write(into: &$0) }
        case .list(let fields, let kind):
            array.array { inner in
                for field in fields { field.write(into: &inner, kind: kind) }
            }
        }
    }
}

extension [Field] {
    fileprivate var hasSimpleField: Bool {
        for field in self {
            switch field.value {
            case .group, .list: continue
            default: return true
            }
        }
        return false
    }
}
