import CShim

public enum Environment {
    /// The variable's value. Nil where it is not set or empty, which programs are to treat alike.
    public static func value(_ name: String) -> String? {
        guard let value = shim_environment(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The number of the user that the program runs as.
    public static var user: UInt32 { shim_user() }
}
