import BluetoothLE
import Crypto
import Ports
import Wire

/// What the kernel has told of pairings that are under way.
struct PairingProgress {
    /// Whose passkey is shown.
    fileprivate var shown: BluetoothAddress?
    /// Identity keys come before the long term keys that they belong to.
    fileprivate var identities: [(address: BluetoothAddress, key: Key)] = []

    var admission = PairingAdmission()

    /// So many devices pair at a time at most.
    fileprivate static let mostIdentities = 4

    /// The controller is not ours for now.
    mutating func end() -> [Adapter.Action] {
        identities = []
        guard shown != nil else { return [] }
        shown = nil
        return [.tell(.passkeyOver)]
    }

    fileprivate mutating func end(_ address: BluetoothAddress) -> [Adapter.Action] {
        identities.removeAll { $0.address == address }
        guard shown == address else { return [] }
        shown = nil
        return [.tell(.passkeyOver)]
    }
}

/// Pairing is the kernel's; we show its passkey, and keep what comes of it.
extension Adapter {
    /// Bonds that are kept: more than those of as many devices as may be paired, and of as many others as the accessory
    /// lets be. The oldest goes for one more.
    static let mostBonds = 96

    mutating func paired(_ event: ManagementMessage.Event, at now: Instant) -> [Action] {
        switch event {
        case .passkey(let address, let number): return show(number, for: address, at: now)
        case .confirmation(let address): return ask(.refuseConfirmation, of: address, at: now)
        case .authenticationFailed(let address, let status): return failed(address, status, at: now)
        case .newIdentityKey(let isToBeKept, let resolvable, let address, let key):
            return identified(isToBeKept, resolvable, address, key)
        case .newLongTermKey(let isToBeKept, let address, let key):
            // Nobody has compared anything, anybody who listened knows the key, or it is gone with the connection.
            return isToBeKept && key.isStrong ? bonded(address, key) : refuse(address, at: now)
        case .disconnected(let address): return pairing.end(address)
        case .unpaired(let address):
            // By another program: the kernel has forgotten it.
            return drop(address)
        case .answer, .controllerAdded, .controllerRemoved, .settings, .nameChanged, .advertisingRemoved,
            .connected,
            .discovering, .found, .other:
            return []
        }
    }

    /// Forgets a bond, and ends the connection that uses it.
    mutating func removeBond(_ address: BluetoothAddress, at now: Instant) -> [Action] {
        drop(address) + ask(.unpair, of: address, at: now)
    }

    /// What is kept of a client; nil where there is no bond with it.
    func memory(of address: BluetoothAddress) -> ClientMemory? {
        for bond in bonds where bond.address == address { return bond.memory }
        return nil
    }

    /// The bond, where that changes what is kept with it.
    mutating func remember(_ memory: ClientMemory, of address: BluetoothAddress) -> Bond? {
        for index in bonds.indices where bonds[index].address == address && bonds[index].memory != memory {
            bonds[index].memory = memory
            return bonds[index]
        }
        return nil
    }

    /// Strangers may pair from now on, as the owner let them at that time, or none may.
    mutating func allowPairing(since given: Instant?, at now: Instant) -> [Action] {
        pairing.admission.allow(since: given) ? setPairing(at: now) : []
    }

    /// What the kernel is told of who may pair.
    func pairingCommands(_ controller: UInt16) -> [ManagementCommand] {
        let isOpen = configuration.pairing == .passkey && pairing.admission.isOpen
        return [
            .setBondable(controller, isOpen),
            // Without a display nobody can prove anything, bond or no bond.
            .setIOCapability(controller, isOpen ? .displayOnly : .noInputNoOutput),
        ]
    }

    private mutating func setPairing(at now: Instant) -> [Action] {
        guard configuration.pairing == .passkey, let controller else { return [] }
        return queue(pairingCommands(controller), isNeeded: true, at: now)
    }

    private enum Demand {
        case unpair
        case disconnect
        case refuseConfirmation
    }

    private mutating func ask(_ demand: Demand, of address: BluetoothAddress, at now: Instant) -> [Action] {
        guard let controller else { return [] }
        let command: ManagementCommand =
            switch demand {
            case .unpair: .unpair(controller, address)
            case .disconnect: .disconnect(controller, address)
            case .refuseConfirmation: .refuseConfirmation(controller, address)
            }
        return queue([command], isNeeded: false, at: now)
    }

    /// Adds to what the kernel is to be asked, where there is a controller.
    private mutating func queue(_ commands: [ManagementCommand], isNeeded: Bool, at now: Instant) -> [Action]
    {
        switch state {
        case .up(var up):
            up.conversation.add(commands, isNeeded: isNeeded)
            let actions = proceed(&up.conversation, at: now)
            state = .up(up)
            return actions
        case .opening(var opening):
            opening.conversation.add(commands, isNeeded: isNeeded)
            state = .opening(opening)
            return []
        case .off, .looking, .absent, .reading, .obstructed, .leaving, .pausing: return []
        }
    }

    /// Whoever has failed has to connect again to try again.
    private mutating func failed(
        _ address: BluetoothAddress, _ status: ManagementStatus, at now: Instant
    ) -> [Action] {
        let failure = pairing.admission.fail(status.words)
        let actions =
            pairing.end(address) + [.tell(.pairingFailed(address, reason: failure.reason))]
            + ask(.disconnect, of: address, at: now)
        return failure.hasEnded ? actions + setPairing(at: now) : actions
    }

    /// The kernel has put the key in the place of the bond's, where the device named a bonded one's address.
    private mutating func refuse(_ address: BluetoothAddress, at now: Instant) -> [Action] {
        let actions = pairing.end(address) + ask(.unpair, of: address, at: now)
        guard let controller, bonds.contains(where: { $0.address == address }) else { return actions }
        return actions
            + queue(
                [.loadLongTermKeys(controller, bonds), .loadIdentityKeys(controller, bonds)],
                isNeeded: false, at: now)
    }

    private mutating func drop(_ address: BluetoothAddress) -> [Action] {
        let count = bonds.count
        bonds.removeAll { $0.address == address }
        return bonds.count == count ? [] : [.forget(address)]
    }

    /// One at a time: whoever comes second does not take the first one's passkey off the panel.
    private mutating func show(_ number: UInt32, for address: BluetoothAddress, at now: Instant) -> [Action] {
        if let shown = pairing.shown, shown != address { return ask(.disconnect, of: address, at: now) }
        var digits: [UInt8] = []
        var place: UInt32 = 100_000
        while place > 0 {
            digits.append(UInt8(truncatingIfNeeded: number / place % 10))
            place /= 10
        }
        pairing.shown = address
        return [.tell(.passkey(digits))]
    }

    private mutating func identified(
        _ isToBeKept: Bool, _ resolvable: MACAddress, _ address: BluetoothAddress, _ key: Key
    ) -> [Action] {
        let before = BluetoothAddress(resolvable, isRandom: true)
        if isToBeKept {
            if pairing.identities.count >= PairingProgress.mostIdentities { pairing.identities.removeFirst() }
            pairing.identities.append((address, key))
        }
        if pairing.shown == before { pairing.shown = address }
        return before == address || resolvable.rawValue == 0 ? [] : [.rename(before, address)]
    }

    private mutating func bonded(_ address: BluetoothAddress, _ key: LongTermKey) -> [Action] {
        var bond = Bond(address: address, key: key, identityKey: nil)
        for identity in pairing.identities where identity.address == address {
            bond.identityKey = identity.key
        }
        if let place = bonds.firstIndex(where: { $0.address == address }) {
            let old = bonds.remove(at: place)
            if bond.identityKey == nil { bond.identityKey = old.identityKey }
        }
        var actions: [Action] = []
        bond.number = (bonds.last?.number ?? 0) &+ 1
        if bonds.count >= Self.mostBonds { actions.append(.forget(bonds.removeFirst().address)) }
        bonds.append(bond)
        return actions + [.keep(bond), .tell(.bonded(address))] + pairing.end(address)
    }
}
