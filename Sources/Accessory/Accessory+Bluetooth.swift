import Aware
public import BluetoothLE
import Frames
public import Ports
public import Wire

/// What the accessory tells over Bluetooth, and what it lets clients do.
extension Accessory {
    /// What holds of Bluetooth now.
    struct BluetoothStanding {
        var state = BluetoothState.off
        /// Shown for a client that pairs over Bluetooth.
        var passkey: [UInt8]?
        /// Who says that the next device to pair is theirs.
        var claims: [BluetoothClient] = []
        /// Who opened the pairing window; nil where that was no client, or one that is gone.
        var opener: UInt64?
    }

    /// More clients than any controller keeps connected.
    private static let claimLimit = 16

    // MARK: What happens

    /// Bluetooth was ended, or begins anew: what it had told holds no more, and it tells nothing of that.
    public mutating func bluetoothEnded() {
        bluetooth = BluetoothStanding()
    }

    /// Takes in what happened over Bluetooth.
    public mutating func receive(_ event: BluetoothEvent, at now: Instant) -> [Action] {
        switch event {
        case .ready(let address):
            bluetooth.state = .ready(address)
            return [.tell(.bluetoothReady(address))]
        case .unavailable(let reason):
            bluetooth = BluetoothStanding(state: .unavailable(reason))
            return [.tell(.bluetoothUnavailable(reason))]
        case .connected(let client):
            return news.allows(at: now) ? [.tell(.bluetoothConnected(client.address))] : []
        case .disconnected(let client):
            bluetooth.claims.removeAll { $0.id == client }
            if bluetooth.opener == client { bluetooth.opener = nil }
            return []
        case .passkey(let digits):
            bluetooth.passkey = digits
            return news.allows(at: now) ? [.tell(.passkeyShown)] : []
        case .passkeyOver:
            bluetooth.passkey = nil
            return []
        case .bonded(let address):
            return [.tell(.bonded(address))]
        case .pairingFailed(let address, let reason):
            return news.allows(at: now) ? [.tell(.bondFailed(address, reason: reason))] : []
        }
    }

    /// Does what a client asks for at the control point, where it may.
    ///
    /// Whoever opens the window must not be able to wipe out what wrong guesses have cost: a window that is open stays
    /// as it is, a press of the button opens it once, and who needs none opens it with what they have cost.
    public mutating func perform(
        _ command: OnboardingCommand, by client: BluetoothClient, at now: Instant
    ) throws(ATTError) -> [Action] {
        switch command {
        case .identify: return try identify(at: now)
        case .openPairing:
            return try openPairing(by: client, at: now)
        case .cancel:
            guard window.isOpen, bluetooth.opener == client.id || client.security == .authenticated else {
                throw .nothingThere
            }
            return closePairing(at: now)
        case .claim:
            guard client.security == .authenticated else { throw .notBonded }
            guard window.isOpen, bluetooth.claims.count < Self.claimLimit else { throw .nothingThere }
            bluetooth.claims.removeAll { $0.id == client.id }
            bluetooth.claims.append(client)
            return []
        }
    }

    private mutating func openPairing(
        by client: BluetoothClient, at now: Instant
    ) throws(ATTError) -> [Action] {
        switch configuration.bluetooth.opening {
        case .never: throw .notAllowed
        case .button:
            let mayOpen = buttonPressedRecently(at: now) && lastPress?.isSpent == false
            guard window.isOpen || mayOpen else { throw .buttonNotPressed }
        case .bonded:
            guard client.security == .authenticated else { throw .notBonded }
        }
        guard devices.all.count < configuration.deviceLimit else { throw .noRoomForDevices }
        guard !window.isOpen else { return [] }
        let actions =
            configuration.bluetooth.opening == .button
            ? openPairing(at: now)
            : perform(window.reopen(seconds: configuration.windowSeconds, at: now), at: now)
        lastWord = now
        lastPress?.isSpent = true
        bluetooth.opener = client.id
        return actions
    }

    // MARK: One device, two ways to it

    /// Ties a device that has just paired to the one client that claimed it. Two claims tie nothing: it is not known
    /// whose it is. The tie lets neither way stand in for the other; it says what is listed and forgotten together.
    mutating func tie(_ device: inout PairedPeer) -> [Action] {
        device.bluetooth = devices.device(device.id)?.bluetooth
        guard bluetooth.claims.count == 1, let client = bluetooth.claims.first else { return [] }
        var actions: [Action] = []
        for var other in devices.all where other.id != device.id && other.bluetooth == client.address {
            other.bluetooth = nil
            devices.add(other)
            actions.append(.save(other))
        }
        if let old = device.bluetooth, old != client.address { actions.append(.removeBond(old)) }
        device.bluetooth = client.address
        return actions + [
            .tell(.tied(device: device.id, name: device.name.text, address: client.address))
        ]
    }

    /// Bonds of no paired device, which anybody who sees the panel can make; of one more, the oldest goes.
    public static let looseBondLimit = 16

    /// Those that are of no paired device, in their order.
    public func looseBonds(of bonds: [BluetoothAddress]) -> [BluetoothAddress] {
        bonds.filter { bond in !devices.all.contains { $0.bluetooth == bond } }
    }

    // MARK: What is told

    /// Whether there is something to do for a phone that sets the accessory up.
    public var isOnboarding: Bool { window.isOpen || devices.all.isEmpty }

    /// The owner is at the board, or lets others act as if he were.
    public struct OwnersWord: Equatable, Sendable {
        /// When he last pressed a button or opened the pairing window.
        public var given: Instant
        public var until: Instant
    }

    /// Nil where the owner is not known to be there.
    public func ownersWord(at now: Instant) -> OwnersWord? {
        guard let lastWord else { return nil }
        if window.isOpen { return OwnersWord(given: lastWord, until: now + Self.presence) }
        guard let lastPress, buttonPressedRecently(at: now) else { return nil }
        return OwnersWord(given: lastWord, until: lastPress.time + Self.presence)
    }

    /// What paired devices know the accessory by. 4 octets.
    public var shortIdentifier: [UInt8] { identity.shortIdentifier }

    /// How pairing over Wi-Fi Aware stands, as phones read it. Its seconds are those left at `now`.
    public func progress(at now: Instant) -> OnboardingProgress {
        switch (window.standing, notice?.state) {
        case (.pin, _): .pinShown
        case (_, .paired): .paired
        case (_, .refused(_, let reason)): .failed(reason.printable(limit: Self.reasonLimit))
        case (.open(let end), _): .open(seconds: UInt32(clamping: now.secondsLeft(until: end)))
        case (.locked(let end), _): .locked(seconds: UInt32(clamping: now.secondsLeft(until: end)))
        default: .idle
        }
    }

    /// Octets of a reason, for which there is little room.
    private static let reasonLimit = 100

    /// Whether Wi-Fi Aware is up. Its address, which changes lest strangers follow the accessory, is for those who set it
    /// up.
    public var awareRadio: AwareState.Radio {
        switch radio {
        case .on(let station, _): .up(channel: Self.channel, address: isOnboarding ? station.address : nil)
        case .off, .starting: .down("starting")
        case .lost(_, let reason): .down(reason.printable(limit: Self.reasonLimit))
        }
    }

    /// How Wi-Fi Aware does and what it publishes, as phones read it.
    public func awareState(at now: Instant) -> AwareState {
        var services: [AwareState.Service] = []
        for publication in publisher.publications {
            services.append(
                AwareState.Service(
                    identifier: publication.name.identifier.octets, name: publication.name.text))
        }
        return AwareState(
            radio: awareRadio, pairingSeconds: window.secondsLeft(at: now) ?? 0, services: services)
    }

    /// Where discovery windows are.
    private static let channel: UInt8 = 6

    /// What a client that has paired over Bluetooth may know of its own device.
    public func result(for client: BluetoothClient) -> OnboardingResult {
        guard client.security == .authenticated else { return .none }
        for device in devices.all where device.bluetooth == client.address {
            return .paired(device.identity.shortIdentifier)
        }
        return .none
    }
}

/// Whether Bluetooth can be used.
public enum BluetoothState: Equatable, Sendable {
    case off
    case ready(BluetoothAddress)
    case unavailable(String)
}
