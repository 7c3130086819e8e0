import CShim
public import Crypto
public import Ports
import SystemBus
public import Wire

/// The board's ordinary Wi-Fi, through whichever daemon has it: NetworkManager where it runs, else wpa_supplicant
/// where it has a control socket.
///
/// Nothing is open, and nothing wakes, while nothing is asked.
public final class LinuxWiFi: WiFiProvisioner {
    private enum Daemon {
        case networkManager
        /// The path of its control socket.
        case supplicant(String)
    }

    private enum Purpose {
        case scan
        case join
    }

    private let directory: String
    private let looksForNetworkManager: Bool
    private var task: (any WiFiTask)?
    private var purpose = Purpose.scan
    private var events = EventQueue<WiFiProvisionerEvent>()

    public convenience init() {
        self.init(directory: "/run/wpa_supplicant", looksForNetworkManager: true)
    }

    init(directory: String, looksForNetworkManager: Bool) {
        self.directory = directory
        self.looksForNetworkManager = looksForNetworkManager
    }

    public var canScan: Bool { daemon != nil }

    public var deadline: Instant? { task?.deadline }

    public func addDescriptors(to set: inout DescriptorSet) { task?.addDescriptors(to: &set) }

    public func scan(at now: Instant) {
        begin(.scan) { daemon throws(WiFiError) in
            switch daemon {
            case .networkManager: try ManagerWiFi(.scan(at: now))
            case .supplicant(let path): try SupplicantWiFi(path, .scan(at: now), password: nil)
            }
        }
    }

    public func join(_ name: [UInt8], password: Key, at now: Instant) {
        guard (1...32).contains(name.count), let credentials = Credentials(password) else {
            events.append(.failed("no network has such a name or password"))
            return
        }
        begin(.join) { daemon throws(WiFiError) in
            switch daemon {
            case .networkManager: try ManagerWiFi(.join(name, credentials, password, at: now))
            case .supplicant(let path):
                try SupplicantWiFi(path, .join(name, credentials, at: now), password: password)
            }
        }
    }

    public func nextEvent(at now: Instant) -> WiFiProvisionerEvent? {
        if let task {
            do throws(WiFiError) {
                if let outcome = try task.turn(at: now) { end(with: outcome) }
            } catch {
                fail(error)
            }
        }
        return events.next()
    }

    private func begin(_ purpose: Purpose, _ make: (Daemon) throws(WiFiError) -> any WiFiTask) {
        // Whoever asked before has had no answer, and gets none.
        task = nil
        self.purpose = purpose
        do throws(WiFiError) {
            guard let daemon else {
                throw WiFiError("neither NetworkManager nor wpa_supplicant runs on this board")
            }
            task = try make(daemon)
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: WiFiError) {
        switch purpose {
        case .scan: end(with: .found([]))
        case .join: end(with: .failed(error.explanation))
        }
    }

    private func end(with outcome: WiFiProvisionerEvent) {
        task = nil
        events.append(outcome)
    }

    // MARK: What runs

    private var daemon: Daemon? {
        // NetworkManager drives a wpa_supplicant of its own, whose networks are not ours to touch.
        if looksForNetworkManager, daemonRuns("NetworkManager") { return .networkManager }
        return socketName.map { .supplicant(directory + "/" + $0) }
    }

    /// The first interface that wpa_supplicant has, in the order of the names.
    private var socketName: String? {
        guard let listing = shim_list_path(directory) else { return nil }
        defer { shim_end_list(listing) }
        var first: String?
        while let next = shim_next_name(listing) {
            let name = String(cString: next)
            guard !name.hasPrefix("."), !name.hasPrefix("p2p-dev-") else { continue }
            if let known = first, known <= name { continue }
            first = name
        }
        return first
    }
}
