import BluetoothLE
import Crypto
import Ports
import Wire

/// One thing that is asked of wpa_supplicant, from its first command to its end, as one value: answers and events go in,
/// commands come out. One command is under way at a time.
///
/// The new network is preferred while it is tried, and no other is switched off: whenever we die, the board is as it was
/// but for an entry that nobody saved, which the next task takes away. A network that works takes the place of older
/// entries of its name, and the configuration is saved.
struct SupplicantTask {
    enum Action: Equatable {
        case send(String)
        /// The text, the password between these, and nothing more.
        case sendPassword(before: String, after: String)
        case ended(WiFiProvisionerEvent)
    }

    private enum Step: Equatable {
        case attaching
        // Looking for networks
        case startingScan
        case scanning
        case readingScan
        // Joining one
        case readingNeighbours
        case readingKnown
        // Was it left on trial by one who died?
        case inspecting([SupplicantText.KnownNetwork])
        case dropping([SupplicantText.KnownNetwork])
        case adding
        case naming(UInt32)
        case hiding(UInt32)
        case protecting(UInt32)
        case settingFrames(UInt32)
        case settingPassword(UInt32)
        case preferring(UInt32)
        case disabling(UInt32)
        case enabling(UInt32)
        case selecting(UInt32)
        case connecting(UInt32)
        // Leaving everything as it is to be
        case tidying([String], WiFiProvisionerEvent)
    }

    static let patienceForScan = TimeUnits.seconds(15)
    static let patienceForJoin = TimeUnits.seconds(45)
    private static let patienceForTidying = TimeUnits.seconds(5)
    /// The highest that there is: no person gives it.
    private static let priorityOnTrial = "2147483647"

    private(set) var deadline: Instant
    private let target: Target?
    private var step = Step.attaching
    private var protection = Protection.none
    private var refusals = 0
    private var known: [SupplicantText.KnownNetwork] = []

    private struct Target {
        var name: [UInt8]
        var credentials: Credentials
    }

    static func scan(at now: Instant) -> Self { Self(nil, until: now + patienceForScan) }

    static func join(_ name: [UInt8], _ credentials: Credentials, at now: Instant) -> Self {
        Self(Target(name: name, credentials: credentials), until: now + patienceForJoin)
    }

    private init(_ target: Target?, until deadline: Instant) {
        self.target = target
        self.deadline = deadline
    }

    func start() -> [Action] { [.send("ATTACH")] }

    /// A datagram of wpa_supplicant's.
    mutating func receive(_ message: [UInt8]) -> [Action] {
        if let event = SupplicantText.event(message) { return happened(event) }
        return answered(message)
    }

    /// The time is over.
    mutating func expire(at now: Instant) -> [Action] {
        guard target != nil else { return [.ended(.found([]))] }
        if case .tidying(_, let outcome) = step { return [.ended(outcome)] }
        deadline = now + Self.patienceForTidying
        return tidy(.failed("the network was not joined in time: it is out of reach, or refuses us"))
    }

    // MARK: Events

    private mutating func happened(_ event: SupplicantText.Event) -> [Action] {
        switch (event, step) {
        case (.scanned, .scanning):
            step = .readingScan
            return [.send("SCAN_RESULTS")]
        case (.scanFailed, .scanning): return [.ended(.found([]))]
        // Told of before the answer, at times.
        case (.connected(let number), _) where number == own: return tidy(.joined)
        case (.disabled(let number, let isWrongKey), .connecting(let own)) where number == own && isWrongKey:
            // It is concluded from a handshake that broke off, as bad reception breaks one off too.
            refusals += 1
            guard refusals < 2 else { return tidy(.failed("the password is wrong")) }
            // Else it is left alone for ten seconds.
            return go(.disabling(own), "DISABLE_NETWORK \(own)")
        default: return []
        }
    }

    // MARK: Answers

    private mutating func answered(_ answer: [UInt8]) -> [Action] {
        let isFine = answer.elementsEqual("OK\n".utf8)
        switch step {
        case .attaching: return attached(isFine)
        case .startingScan:
            // Somebody else's scan is as good as ours.
            guard isFine || answer.elementsEqual("FAIL-BUSY\n".utf8) else { return [.ended(.found([]))] }
            step = .scanning
            return []
        case .readingScan:
            return [.ended(.found(SupplicantText.found(in: answer).map { $0.network }.strongest()))]
        case .scanning, .connecting: return []
        case .readingNeighbours: return readNeighbours(answer)
        case .readingKnown:
            return inspect(SupplicantText.known(in: answer))
        case .inspecting(var rest):
            let network = rest.removeFirst()
            if answer.elementsEqual(Self.priorityOnTrial.utf8) {
                return go(.dropping(rest), "REMOVE_NETWORK \(network.number)")
            }
            known.append(network)
            return inspect(rest)
        case .dropping(let rest): return inspect(rest)
        case .adding:
            guard let number = SupplicantText.number(answer[...]) else { return tidy(.refused) }
            return setName(number)
        case .tidying(let rest, let outcome): return tidyNext(rest, outcome)
        case .naming, .hiding, .protecting, .settingFrames, .settingPassword, .preferring, .disabling,
            .enabling, .selecting:
            return isFine ? next() : tidy(.refused)
        }
    }

    private mutating func attached(_ isFine: Bool) -> [Action] {
        guard target != nil else {
            return isFine ? go(.startingScan, "SCAN") : [.ended(.found([]))]
        }
        return isFine ? go(.readingNeighbours, "SCAN_RESULTS") : [.ended(.refused)]
    }

    /// How the network wants to be joined. One that was not heard lately is believed to be of the common kind.
    private mutating func readNeighbours(_ answer: [UInt8]) -> [Action] {
        guard let target else { return [] }
        protection = .psk
        for (network, protection) in SupplicantText.found(in: answer) where network.name == target.name {
            self.protection = protection
            if protection == .psk { break }
        }
        if case .none = target.credentials {
            protection = .none
        } else if protection == .none {
            protection = .psk
        }
        return go(.readingKnown, "LIST_NETWORKS")
    }

    private mutating func inspect(_ rest: [SupplicantText.KnownNetwork]) -> [Action] {
        guard let first = rest.first else { return go(.adding, "ADD_NETWORK") }
        return go(.inspecting(rest), "GET_NETWORK \(first.number) priority")
    }

    private mutating func setName(_ number: UInt32) -> [Action] {
        guard let target else { return [] }
        return set(.naming(number), number, "ssid", String(hex: target.name))
    }

    /// The step after one that was fine.
    private mutating func next() -> [Action] {
        switch step {
        case .naming(let number): return set(.hiding(number), number, "scan_ssid", "1")
        case .hiding(let number):
            let management =
                switch protection {
                case .none: "NONE"
                case .psk: "WPA-PSK"
                case .sae: "SAE"
                }
            return set(.protecting(number), number, "key_mgmt", management)
        case .protecting(let number):
            // WPA3 wants its management frames protected.
            return protection == .sae
                ? set(.settingFrames(number), number, "ieee80211w", "2") : setPassword(number)
        case .settingFrames(let number): return setPassword(number)
        case .settingPassword(let number): return prefer(number)
        case .preferring(let number), .disabling(let number):
            return go(.enabling(number), "ENABLE_NETWORK \(number)")
        case .enabling(let number): return go(.selecting(number), "REASSOCIATE")
        case .selecting(let number):
            step = .connecting(number)
            return []
        default: return []
        }
    }

    private mutating func setPassword(_ number: UInt32) -> [Action] {
        guard let target else { return [] }
        step = .settingPassword(number)
        let command = "SET_NETWORK \(number) psk "
        switch target.credentials {
        case .none: return prefer(number)
        case .passphrase: return [.sendPassword(before: command + "\"", after: "\"")]
        case .key: return [.sendPassword(before: command, after: "")]
        }
    }

    private mutating func prefer(_ number: UInt32) -> [Action] {
        set(.preferring(number), number, "priority", Self.priorityOnTrial)
    }

    private mutating func set(_ step: Step, _ number: UInt32, _ field: String, _ value: String) -> [Action] {
        go(step, "SET_NETWORK \(number) \(field) \(value)")
    }

    private mutating func go(_ step: Step, _ command: String) -> [Action] {
        self.step = step
        return [.send(command)]
    }

    // MARK: The end

    private var own: UInt32? {
        switch step {
        case .naming(let number), .hiding(let number), .protecting(let number), .settingFrames(let number),
            .settingPassword(let number), .preferring(let number), .disabling(let number),
            .enabling(let number), .selecting(let number), .connecting(let number):
            number
        default: nil
        }
    }

    private mutating func tidy(_ outcome: WiFiProvisionerEvent) -> [Action] {
        var commands: [String] = []
        if let own {
            commands.append(outcome == .joined ? "SET_NETWORK \(own) priority 0" : "REMOVE_NETWORK \(own)")
        }
        for network in known where outcome == .joined && network.name == target?.name {
            commands.append("REMOVE_NETWORK \(network.number)")
        }
        // Saving is refused where the configuration is not the daemon's to write: the network works all the same.
        commands.append(outcome == .joined ? "SAVE_CONFIG" : "RECONNECT")
        return tidyNext(commands, outcome)
    }

    private mutating func tidyNext(_ commands: [String], _ outcome: WiFiProvisionerEvent) -> [Action] {
        guard let first = commands.first else { return [.ended(outcome)] }
        step = .tidying(Array(commands.dropFirst()), outcome)
        return [.send(first)]
    }
}

extension WiFiProvisionerEvent {
    static var refused: Self { .failed("wpa_supplicant refuses the settings") }
}
