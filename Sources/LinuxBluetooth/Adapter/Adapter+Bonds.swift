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

    mutating func paired(_ event: ManagementMessage.Event) -> [Action] {
        switch event {
        case .passkey(let address, let number): return show(number, for: address)
        case .authenticationFailed(let address, let status):
            return pairing.end(address) + [.tell(.pairingFailed(address, reason: status.words))]
        case .newIdentityKey(let isToBeKept, let resolvable, let address, let key):
            return identified(isToBeKept, resolvable, address, key)
        case .newLongTermKey(let isToBeKept, let address, let key):
            guard isToBeKept else { return pairing.end(address) }
            return bonded(address, key)
        case .disconnected(let address): return pairing.end(address)
        case .unpaired(let address):
            // By another program: the kernel has forgotten it.
            return drop(address)
        case .answer, .controllerAdded, .controllerRemoved, .settings, .advertisingRemoved, .connected,
            .discovering, .found, .other:
            return []
        }
    }

    /// Forgets a bond, and ends the connection that uses it.
    mutating func removeBond(_ address: BluetoothAddress, at now: Instant) -> [Action] {
        var actions = drop(address)
        switch state {
        case .up(var up):
            actions += unpair(address, &up.conversation, at: now)
            state = .up(up)
        case .opening(var opening):
            actions += unpair(address, &opening.conversation, at: now)
            state = .opening(opening)
        case .off, .looking, .absent, .reading, .obstructed, .leaving, .pausing: break
        }
        return actions
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

    private func unpair(
        _ address: BluetoothAddress, _ conversation: inout Conversation, at now: Instant
    ) -> [Action] {
        conversation.waiting.append(
            Step(command: .unpair(conversation.controller, address), isNeeded: false))
        return proceed(&conversation, at: now)
    }

    private mutating func drop(_ address: BluetoothAddress) -> [Action] {
        let count = bonds.count
        bonds.removeAll { $0.address == address }
        return bonds.count == count ? [] : [.forget(address)]
    }

    private mutating func show(_ number: UInt32, for address: BluetoothAddress) -> [Action] {
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
        var bond = Bond(address: address, keys: [key], identityKey: nil)
        for identity in pairing.identities where identity.address == address {
            bond.identityKey = identity.key
        }
        var isNew = true
        if let place = bonds.firstIndex(where: { $0.address == address }) {
            let old = bonds.remove(at: place)
            // A legacy pairing makes a key for either role, one after the other.
            for other in old.keys where other.isCentral != key.isCentral && other.kind == key.kind {
                bond.keys.append(other)
                isNew = false
            }
            if bond.identityKey == nil { bond.identityKey = old.identityKey }
        }
        var actions: [Action] = []
        bond.number = (bonds.last?.number ?? 0) &+ 1
        if bonds.count >= Self.mostBonds { actions.append(.forget(bonds.removeFirst().address)) }
        bonds.append(bond)
        actions.append(.keep(bond))
        if isNew { actions.append(.tell(.bonded(address))) }
        return actions + pairing.end(address)
    }
}
