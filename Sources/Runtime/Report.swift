import Accessory
public import Aware
public import Ports
import Wire

/// The lists that the programs print, for people and for programs.
public enum Report {
    /// A panel or the buttons, and why they do not work; nil while they do.
    struct Part {
        var name: String
        var fault: String?
    }

    static func status(_ accessory: Accessory, parts: [Part], at now: Instant, isJSON: Bool) -> String {
        let status = accessory.status(at: now)
        guard !isJSON else {
            return JSONWriter.object { document in
                document.member("radio", status.radio)
                document.member("address", status.address?.description)
                document.object("bluetooth") { write(status.bluetooth, into: &$0) }
                document.member("cluster", status.cluster?.description)
                document.member("services", status.services)
                document.member("pairing_seconds", status.pairingSeconds)
                document.member("paired", status.paired)
                document.member("connected", status.connected)
                document.member("peers", status.peers)
                document.member("frames_lost", status.framesLost)
                document.array("parts") { list in
                    for part in parts {
                        list.object {
                            $0.member("name", part.name)
                            $0.member("fault", part.fault)
                        }
                    }
                }
                document.array("refusals") { refusals in
                    for entry in status.refusals {
                        refusals.object {
                            $0.member("reason", entry.reason)
                            $0.member("count", entry.count)
                        }
                    }
                }
            } + "\n"
        }
        var text = "radio      \(status.radio)"
        if let address = status.address { text += " as \(address)" }
        if let cluster = status.cluster { text += " in \(cluster)" }
        text += "\nbluetooth  " + words(of: status.bluetooth)
        text += "\nservices   " + status.services.joined(separator: ", ")
        text += "\npairing    " + (status.pairingSeconds.map { "open for \($0) s" } ?? "closed")
        text += "\ndevices    \(status.paired) paired, \(status.connected) connected\n"
        for part in parts { text += "part       \(part.name.printable): \(part.fault?.printable ?? "ok")\n" }
        for entry in status.refusals { text += "refused    \(entry.count) × \(entry.reason.printable)\n" }
        return text
    }

    private static func write(_ bluetooth: BluetoothState, into object: inout JSONObject) {
        switch bluetooth {
        case .off: object.member("state", "off")
        case .ready(let address):
            object.member("state", "on")
            object.member("address", address.octets.description)
        case .unavailable(let reason):
            object.member("state", "unavailable")
            object.member("reason", reason)
        }
    }

    private static func words(of bluetooth: BluetoothState) -> String {
        switch bluetooth {
        case .off: "off"
        case .ready(let address): "on as \(address)"
        case .unavailable(let reason): "unavailable: \(reason.printable)"
        }
    }

    static func devices(_ accessory: Accessory, _ looseBonds: [BluetoothAddress], isJSON: Bool) -> String {
        devices(
            accessory.devices.all, looseBonds, isConnected: accessory.isConnected, isJSON: isJSON)
    }

    /// Paired devices, or on the phone's side paired accessories.
    /// - Parameter looseBonds: of those that are paired over Bluetooth only; they are listed by their address.
    public static func devices(
        _ devices: [PairedPeer], _ looseBonds: [BluetoothAddress] = [], isConnected: (String) -> Bool,
        isJSON: Bool
    ) -> String {
        guard !isJSON else {
            return JSONWriter.array { list in
                for device in devices {
                    list.object {
                        $0.member("id", device.id)
                        $0.member("name", device.name.text)
                        $0.member("vendor", device.vendor.text)
                        $0.member("model", device.model.text)
                        $0.member("services", device.services.map { $0.text })
                        $0.member("paired_at", device.pairedAt)
                        $0.member("last_seen", device.lastSeen)
                        $0.member("connected", isConnected(device.id))
                        $0.member("bluetooth", device.bluetooth?.octets.description)
                    }
                }
                for bond in looseBonds {
                    list.object {
                        $0.member("id", bond.octets.description)
                        $0.member("name", nil)
                        $0.member("connected", false)
                        $0.member("bluetooth", bond.octets.description)
                    }
                }
            } + "\n"
        }
        var table = Table(["ID", "NAME", "VENDOR", "MODEL", "PAIRED", "LAST SEEN", "CONNECTED"])
        for device in devices {
            table.row([
                device.id, device.name.text, device.vendor.text, device.model.text,
                CalendarText.of(device.pairedAt),
                CalendarText.of(device.lastSeen), isConnected(device.id) ? "yes" : "no",
            ])
        }
        for bond in looseBonds { table.row([bond.octets.description, "(over Bluetooth only)"]) }
        return table.text
    }
}

/// Calendar times as a person reads them, in UTC.
enum CalendarText {
    /// `2026-11-30 18:17`, or `-` where the clock was not set.
    static func of(_ date: UInt64) -> String {
        guard date > 0 else { return "-" }
        let (year, month, day) = civil(days: date / 86_400)
        let minute = date / 60 % 1_440
        return "\(year)-\(two(month))-\(two(day)) \(two(minute / 60)):\(two(minute % 60))"
    }

    /// Days since 1970 in the Gregorian calendar, counted in years that begin in March.
    private static func civil(days: UInt64) -> (year: UInt64, month: UInt64, day: UInt64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    private static func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
