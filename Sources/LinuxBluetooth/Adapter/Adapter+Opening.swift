import Ports
import Wire

/// How a controller is found and brought up, one command after the other.
extension Adapter {
    mutating func look(at now: Instant) -> [Action] {
        let command = ManagementCommand.readIndexList()
        state = .looking(Asked(command, at: now))
        return [.send(command)]
    }

    mutating func answered(
        _ opcode: ManagementCommand.Opcode, _ status: ManagementStatus, _ octets: [UInt8], from index: UInt16,
        at now: Instant
    ) -> [Action] {
        do throws(WireError) {
            switch state {
            case .off, .absent, .obstructed, .pausing: return []
            case .looking(let asked):
                guard asked.opcode == opcode else { return [] }
                guard status == .success else { return refused(asked, status, at: now) }
                return read(try ManagementAnswers.indexList(octets), at: now)
            case .reading(let candidates, let asked):
                guard asked.opcode == opcode, index == candidates.first else { return [] }
                // It can go while it is asked.
                guard status == .success else { return read(Array(candidates.dropFirst()), at: now) }
                return examine(try ControllerInformation(parsing: octets), candidates, at: now)
            case .opening(var opening):
                guard let asked = opening.conversation.take(opcode, from: index) else { return [] }
                if status != .success, asked.isNeeded { return refused(asked, status, at: now) }
                if opcode == .readAdvertisingFeatures {
                    return ready(opening, try AdvertisingFeatures(parsing: octets), at: now)
                }
                let actions = proceed(&opening.conversation, at: now)
                state = .opening(opening)
                return actions
            case .up(var up):
                guard let asked = up.conversation.take(opcode, from: index) else { return [] }
                if status != .success {
                    if asked.isNeeded { return refused(asked, status, at: now) }
                    if opcode.advertises { up.isCurtailed = true }
                }
                let actions = proceed(&up.conversation, at: now)
                state = .up(up)
                return actions
            }
        } catch {
            return fail("the kernel's Bluetooth answers strangely: \(error)", at: now)
        }
    }

    private mutating func refused(_ asked: Asked, _ status: ManagementStatus, at now: Instant) -> [Action] {
        fail("the Bluetooth controller refuses to \(asked.name): \(status.words)", at: now)
    }

    private mutating func read(_ candidates: [UInt16], at now: Instant) -> [Action] {
        guard let first = candidates.first else {
            state = .absent
            return tell(.unavailable("there is no Bluetooth controller"))
        }
        let command = ManagementCommand.readInformation(first)
        state = .reading(candidates, Asked(command, at: now))
        return [.send(command)]
    }

    private mutating func examine(
        _ information: ControllerInformation, _ candidates: [UInt16], at now: Instant
    ) -> [Action] {
        guard let first = candidates.first, information.supported.contains(.lowEnergy) else {
            return read(Array(candidates.dropFirst()), at: now)
        }
        state = .opening(
            Opening(
                conversation: Conversation(controller: first), information: information, isPolite: false,
                hasDaemon: false, address: Address(octets: information.address, isRandom: false)))
        return [.survey(controller: first)]
    }

    /// What the survey found, after ``Action/survey(controller:)``.
    mutating func surveyed(_ surroundings: Surroundings, at now: Instant) -> [Action] {
        guard case .opening(var opening) = state, opening.conversation.asked == nil else { return [] }
        guard surroundings.mayAdminister else {
            state = .obstructed(until: nil)
            return tell(
                .unavailable("this program may not use Bluetooth: it lacks CAP_NET_ADMIN"))
        }
        if let block = surroundings.block {
            state = .obstructed(until: surroundings.watchesSwitches ? nil : now + Self.switchPolling)
            return tell(.unavailable(block))
        }
        opening.hasDaemon = surroundings.hasDaemon
        opening.isPolite = surroundings.hasDaemon && use == .automatic
        if opening.isPolite { queuePolitely(&opening) } else { queueExclusively(&opening) }
        let actions = proceed(&opening.conversation, at: now)
        state = .opening(opening)
        return actions
    }

    /// The controller is ours: everything is set, from the state in which it can be set.
    private func queueExclusively(_ opening: inout Opening) {
        let controller = opening.conversation.controller
        let supported = opening.information.supported
        var steps = [
            Step(command: .setPowered(controller, false)),
            Step(command: .setLowEnergy(controller, true)),
        ]
        if supported.contains(.classic) { steps.append(Step(command: .setClassic(controller, false))) }
        if supported.contains(.secureConnections) {
            steps.append(Step(command: .setSecureConnections(controller, true)))
        }
        steps += pairingSteps(controller)
        if supported.contains(.staticAddress) {
            steps.append(Step(command: .setStaticAddress(controller, staticAddress)))
            opening.address = Address(octets: staticAddress, isRandom: true)
        }
        steps += [
            Step(command: .setLocalName(controller, configuration.name), isNeeded: false),
            Step(command: .loadLongTermKeys(controller, bonds), isNeeded: false),
            Step(command: .loadIdentityKeys(controller, bonds), isNeeded: false),
            Step(command: .setConnectable(controller, true)),
            Step(command: .setPowered(controller, true)),
            // What a killed program has left behind comes back with the power, and can only now be removed.
            Step(
                command: .removeAdvertising(controller, instance: ManagementCommand.allInstances),
                isNeeded: false),
            Step(command: .readAdvertisingFeatures(controller)),
        ]
        opening.conversation.waiting = steps
    }

    /// The controller is somebody else's: nothing is changed that others may rely on.
    private func queuePolitely(_ opening: inout Opening) {
        let controller = opening.conversation.controller
        let current = opening.information.current
        var steps: [Step] = []
        if !current.contains(.lowEnergy) { steps.append(Step(command: .setLowEnergy(controller, true))) }
        if configuration.pairing == .passkey { steps += pairingSteps(controller) }
        steps.append(Step(command: .setConnectable(controller, true)))
        if !current.contains(.powered) { steps.append(Step(command: .setPowered(controller, true))) }
        steps.append(Step(command: .readAdvertisingFeatures(controller)))
        if current.contains(.staticAddress) { opening.address = Address(octets: nil, isRandom: true) }
        opening.conversation.waiting = steps
    }

    private func pairingSteps(_ controller: UInt16) -> [Step] {
        switch configuration.pairing {
        case .none:
            [
                Step(command: .setBondable(controller, false)),
                Step(command: .setIOCapability(controller, .noInputNoOutput)),
            ]
        case .passkey:
            [
                Step(command: .setBondable(controller, true)),
                Step(command: .setIOCapability(controller, .displayOnly)),
            ]
        }
    }

    private mutating func ready(
        _ opening: Opening, _ features: AdvertisingFeatures, at now: Instant
    ) -> [Action] {
        guard features.most > 0 else { return fail("the Bluetooth controller cannot advertise", at: now) }
        var up = Up(
            conversation: opening.conversation, address: opening.address,
            // Daemons count from below.
            instances: Array((1...features.most).suffix(Self.mostInstances).reversed()), since: now)
        if opening.hasDaemon {
            for span in Self.renewals { up.renewals.append(now + span) }
        }
        if opening.isPolite {
            // What a killed program of ours has left behind.
            up.used = up.instances.filter { features.instances.contains($0) }
        }
        queueAdvertisements(&up)
        let address = opening.address
        var actions: [Action] = [.listen(address.octets, isRandom: address.isRandom)]
        actions += proceed(&up.conversation, at: now)
        state = .up(up)
        return actions
            + tell(
                .ready(
                    BluetoothAddress(address.octets ?? staticAddress, isRandom: address.isRandom)))
    }

    /// Advertisements of ours at a time, at most; on controllers with few, somebody else may need one.
    static let mostInstances = 3

    /// What was advertised goes, what is wanted comes.
    func queueAdvertisements(_ up: inout Up) {
        let controller = up.conversation.controller
        up.conversation.waiting.removeAll {
            $0.command.opcode == .removeAdvertising || $0.command.opcode.advertises
        }
        for instance in up.used { up.conversation.remove(instance) }
        up.used = []
        up.isCurtailed = false
        let isNeeded = up.connections == 0
        for (instance, wanted) in zip(up.instances, advertisements) {
            up.used.append(instance)
            for command in [
                .addAdvertisingParameters(controller, instance: instance, interval: wanted.interval),
                .addAdvertisingData(
                    controller, instance: instance, data: wanted.data, scanResponse: wanted.scanResponse),
            ] as [ManagementCommand] {
                up.conversation.waiting.append(Step(command: command, isNeeded: isNeeded))
            }
        }
    }

    /// Asks the next thing, where nothing is asked.
    func proceed(_ conversation: inout Conversation, at now: Instant) -> [Action] {
        guard conversation.asked == nil, !conversation.waiting.isEmpty else { return [] }
        let step = conversation.waiting.removeFirst()
        var asked = Asked(step.command, at: now)
        asked.isNeeded = step.isNeeded
        conversation.asked = asked
        return [.send(step.command)]
    }
}

extension Adapter.Asked {
    init(_ command: ManagementCommand, at now: Instant) {
        self.init(
            opcode: command.opcode, name: command.name, isNeeded: true, until: now + Adapter.patience)
    }
}

extension ManagementCommand.Opcode {
    fileprivate var advertises: Bool { self == .addAdvertisingParameters || self == .addAdvertisingData }
}

extension Adapter.Conversation {
    /// What this answers, where it answers what was asked.
    mutating func take(_ opcode: ManagementCommand.Opcode, from index: UInt16) -> Adapter.Asked? {
        guard let asked, asked.opcode == opcode, index == controller else { return nil }
        self.asked = nil
        return asked
    }

    mutating func remove(_ instance: UInt8) {
        waiting.append(
            Adapter.Step(command: .removeAdvertising(controller, instance: instance), isNeeded: false))
    }
}
