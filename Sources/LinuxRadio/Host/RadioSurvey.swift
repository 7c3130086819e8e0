import CShim
public import Ports
import Wire

/// What one of the kernel's radios can do for us.
public struct RadioFinding: Equatable, Sendable {
    /// As in `phy0`.
    public var name: String
    /// Why it cannot be used now, in words for the operator. Nil where it can.
    public var obstacle: String?
    /// The most that it can be asked for.
    public var bands: RadioBands
}

/// Looks at the kernel's radios.
public enum RadioSurvey {
    /// All radios of the kernel, in its order.
    ///
    /// - Throws: where there is nothing to look at: no Wi-Fi, or a kernel that is too old.
    public static func findings() throws(RadioError) -> [RadioFinding] {
        var findings: [RadioFinding] = []
        for wiphy in try KernelLink().radios() {
            findings.append(
                RadioFinding(
                    name: wiphy.name, obstacle: obstacle(to: wiphy),
                    bands: wiphy.shortcoming(for: .both) == nil ? .both : .lower))
        }
        return findings
    }

    /// The radio that is wanted, by its name or number, or the first that can be used.
    static func radio(_ wanted: String?, bands: RadioBands) throws(RadioError) -> (
        wiphy: Wiphy, nan: Wiphy.NAN
    ) {
        let radios = try KernelLink().radios()
        guard !radios.isEmpty else {
            throw RadioError(.gone, "the kernel has no radio")
        }
        guard let wanted else { return try firstUsable(radios, bands) }
        for wiphy in radios where wiphy.name == wanted || String(wiphy.index) == wanted {
            return try usable(wiphy, bands)
        }
        var names = ""
        for wiphy in radios { names += (names.isEmpty ? "" : ", ") + wiphy.name }
        throw RadioError(.gone, "the kernel has no radio \(wanted), but \(names)")
    }

    private static func firstUsable(
        _ radios: [Wiphy], _ bands: RadioBands
    ) throws(RadioError) -> (wiphy: Wiphy, nan: Wiphy.NAN) {
        var reasons = ""
        for wiphy in radios {
            do throws(RadioError) {
                return try usable(wiphy, bands)
            } catch {
                reasons += (reasons.isEmpty ? "" : "; ") + error.explanation
            }
        }
        throw RadioError(.gone, reasons)
    }

    private static func usable(
        _ wiphy: Wiphy, _ bands: RadioBands
    ) throws(RadioError) -> (wiphy: Wiphy, nan: Wiphy.NAN) {
        if let obstacle = obstacle(to: wiphy) ?? wiphy.shortcoming(for: bands) {
            throw RadioError(.gone, "\(wiphy.name): \(obstacle)")
        }
        guard let nan = wiphy.nan else { die("a radio without Wi-Fi Aware has no shortcoming") }
        return (wiphy, nan)
    }

    private static func obstacle(to wiphy: Wiphy) -> String? {
        obstacle(
            to: wiphy, block: RadioSwitch.block(of: wiphy.name),
            mayAdminister: shim_may_administer_networks() == 1)
    }

    /// What lasts comes before what can be changed at once.
    static func obstacle(to wiphy: Wiphy, block: String?, mayAdminister: Bool) -> String? {
        if let shortcoming = wiphy.shortcoming { return shortcoming }
        if let block { return block }
        guard mayAdminister else {
            return
                "this program may not administer networks (it lacks CAP_NET_ADMIN: run it as root or as a service)"
        }
        return nil
    }
}

/// The switch of a radio, in software or as a key of the machine.
enum RadioSwitch {
    /// Why the radio is off. Nil where it is on, or has no switch.
    static func block(of radio: String, in radios: String = "/sys/class/ieee80211") -> String? {
        let path = radios + "/" + radio
        guard let listing = shim_list_path(path) else { return nil }
        defer { shim_end_list(listing) }
        while let name = shim_next_name(listing) {
            let entry = String(cString: name)
            guard entry.hasPrefix("rfkill") else { continue }
            switch shim_radio_switch(path + "/" + entry) {
            case Int32(shim_switch_off_by_key): return "it is switched off by a key of this machine (rfkill)"
            case Int32(shim_switch_off): return "it is blocked (rfkill unblock wifi)"
            default: continue
            }
        }
        return nil
    }
}
