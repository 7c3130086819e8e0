import BluetoothLE
public import Ports
import Wire

/// What the owner declares about Bluetooth.
public struct BluetoothSettings: Equatable, Sendable {
    /// Over what Bluetooth is used, if it is.
    public enum Use: Equatable, Sendable {
        /// Over the daemon while it runs, over the kernel while it doesn't.
        case auto
        /// Over the kernel, which then belongs to this program.
        case exclusive
        /// Over the daemon that the board has.
        case shared
        case off
    }

    /// Who may open the pairing window over Bluetooth.
    public enum Opening: Equatable, Sendable {
        case never
        /// Anybody, while somebody has pressed a button on the board within the last minute.
        case button
        /// Clients that have paired over Bluetooth.
        case bonded
    }

    /// When phones find the accessory over Bluetooth.
    public enum Advertising: Equatable, Sendable {
        /// Only while strangers may pair, or no device is paired.
        case onboarding
        case always
    }

    /// Nil where the file does not say: ``Use/auto`` beside a radio of the kernel, ``Use/off`` on the simulated air.
    public var use: Use?
    public var pairing = BluetoothConfiguration.Pairing.none
    public var opening = Opening.button
    public var advertising = Advertising.onboarding
    public var improv = false
    /// Transport blocks as they are advertised; none where it is empty.
    public var transports: [UInt8] = []

    public init() {}

    /// What is wrong with an entry.
    struct Mistake: Error {
        var explanation: String

        init(_ explanation: String) { self.explanation = explanation }
    }

    mutating func read(_ entry: ConfigurationEntry) throws(Mistake) {
        switch (entry.key, entry.value) {
        case ("use", "auto"): use = .auto
        case ("use", "exclusive"): use = .exclusive
        case ("use", "shared"): use = .shared
        case ("use", "off"): use = .off
        case ("use", _): throw Mistake("use is auto, exclusive, shared or off")
        case ("pairing", "none"): pairing = .none
        case ("pairing", "passkey"): pairing = .passkey
        case ("pairing", _): throw Mistake("pairing is none or passkey")
        case ("open-window", "never"): opening = .never
        case ("open-window", "button"): opening = .button
        case ("open-window", "bonded"): opening = .bonded
        case ("open-window", _): throw Mistake("open-window is never, button or bonded")
        case ("advertise", "onboarding"): advertising = .onboarding
        case ("advertise", "always"): advertising = .always
        case ("advertise", _): throw Mistake("advertise is onboarding or always")
        case ("improv", "on"): improv = true
        case ("improv", "off"): improv = false
        case ("improv", _): throw Mistake("improv is on or off")
        case ("tds", _): transports = try Self.transports(entry.value)
        default: throw Mistake("unknown key \(entry.key) in [bluetooth]")
        }
    }

    /// Checks what only shows once everything is read.
    func check() throws(Mistake) {
        guard opening == .bonded, pairing == .none else { return }
        throw Mistake("[bluetooth] open-window = bonded needs pairing = passkey")
    }

    /// Whole transport blocks that fit beside nothing else.
    private static func transports(_ text: String) throws(Mistake) -> [UInt8] {
        guard let octets = [UInt8](hex: text), !octets.isEmpty else {
            throw Mistake("tds is pairs of hexadecimal digits")
        }
        do throws(WireError) {
            let data = AdvertisingData([.other(type: AdvertisingData.transportsType, octets)])
            let advertised = try data.octets(limit: AdvertisingData.limitBesideFlags)
            _ = try AdvertisingData(parsing: advertised)
        } catch {
            throw Mistake("tds: \(error)")
        }
        return octets
    }
}
