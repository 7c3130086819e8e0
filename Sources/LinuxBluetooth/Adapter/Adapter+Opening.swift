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
                guard status == .success else { return refused(asked.name, status, at: now) }
                return read(try ManagementAnswers.indexList(octets), at: now)
            case .reading(let reading):
                guard reading.asked.opcode == opcode, index == reading.candidates.first else { return [] }
                guard status == .success else {
                    // It can go while it is asked.
                    let refusal = status == .invalidIndex ? reading.refusal : status
                    return read(Array(reading.candidates.dropFirst()), after: refusal, at: now)
                }
                return examine(try ControllerInformation(parsing: octets), reading, at: now)
            case .opening(var opening):
                guard let asked = opening.conversation.take(opcode, from: index) else { return [] }
                if status != .success, asked.isNeeded { return refused(asked.name, status, at: now) }
                if opcode == .readAdvertisingFeatures {
                    return ready(opening, try AdvertisingFeatures(parsing: octets), at: now)
                }
                let actions = proceed(&opening.conversation, at: now)
                state = .opening(opening)
                return actions
            case .up(var up):
                guard let asked = up.conversation.take(opcode, from: index) else { return [] }
                if status != .success {
                    // Not all controllers advertise while somebody is connected.
                    let isCurtailed = opcode.advertises && up.connections > 0
                    if asked.isNeeded, !isCurtailed { return refused(asked.name, status, at: now) }
                    if isCurtailed { up.isCurtailed = true }
                }
                let actions = proceed(&up.conversation, at: now)
                state = .up(up)
                return actions
            case .leaving(var conversation):
                guard let asked = conversation.take(opcode, from: index) else { return [] }
                // By the daemon, which has just started.
                if status == .busy { return refused(asked.name, status, at: now) }
                let actions = proceed(&conversation, at: now)
                state = .leaving(conversation)
                return conversation.asked == nil ? left() : actions
            }
        } catch {
            return fail("the kernel's Bluetooth answers strangely: \(error)", at: now)
        }
    }

    private mutating func refused(
        _ name: StaticString, _ status: ManagementStatus, at now: Instant
    ) -> [Action] {
        fail("the Bluetooth controller refuses to \(name): \(status.words)", at: now)
    }

    private mutating func read(
        _ candidates: [UInt16], after refusal: ManagementStatus? = nil, at now: Instant
    ) -> [Action] {
        guard let first = candidates.first else {
            if let refusal { return refused(ManagementCommand.readInformationName, refusal, at: now) }
            state = .absent
            return tell(.unavailable("there is no Bluetooth controller"))
        }
        let command = ManagementCommand.readInformation(first)
        state = .reading(Reading(candidates: candidates, asked: Asked(command, at: now), refusal: refusal))
        return [.send(command)]
    }

    private mutating func examine(
        _ information: ControllerInformation, _ reading: Reading, at now: Instant
    ) -> [Action] {
        guard let first = reading.candidates.first, information.supported.contains(.lowEnergy) else {
            return read(Array(reading.candidates.dropFirst()), after: reading.refusal, at: now)
        }
        state = .opening(
            Opening(
                conversation: Conversation(controller: first), information: information, hasDaemon: false,
                address: BluetoothAddress(information.address, isRandom: false)))
        return [.survey(controller: first)]
    }

    /// What the survey found, after ``Action/survey(controller:)``.
    mutating func surveyed(_ surroundings: Surroundings, at now: Instant) -> [Action] {
        if case .up(let up) = state { return surveyed(surroundings, beside: up, at: now) }
        guard case .opening(var opening) = state, opening.conversation.asked == nil else { return [] }
        if let block = surroundings.block {
            state = .obstructed(until: surroundings.watchesSwitches ? nil : now + Self.switchPolling)
            return tell(.unavailable(block))
        }
        guard !surroundings.hasDaemon || !leavesToDaemon else { return leave(opening, at: now) }
        guard surroundings.mayAdminister else {
            return rest("this program may not use Bluetooth: it lacks CAP_NET_ADMIN")
        }
        opening.hasDaemon = surroundings.hasDaemon
        queueSteps(&opening)
        let actions = proceed(&opening.conversation, at: now)
        state = .opening(opening)
        return actions
    }

    /// What is wanted is advertised, unless it is found out that a daemon has started meanwhile.
    private mutating func surveyed(_ surroundings: Surroundings, beside up: Up, at now: Instant) -> [Action] {
        guard surroundings.hasDaemon else { return advertiseWanted(up, at: now) }
        // The newest listener gets the clients, and the daemon's may be newer than ours.
        guard leavesToDaemon else { return [.listen(up.address)] + advertiseWanted(up, at: now) }
        return pairing.end() + [.close] + withdrawal(up) + tell(.unavailable("bluetoothd has started"))
            + look(at: now)
    }

    /// The controller is the daemon's. Where it has our address it gets its own back, and what goes with it: bonds are
    /// made with an address, and the daemon's are to hold after the next start too. Both need it to be off.
    private mutating func leave(_ opening: Opening, at now: Instant) -> [Action] {
        let actions = pairing.end() + [.close]
        let information = opening.information
        guard information.current.contains(.staticAddress), information.address.rawValue != 0 else {
            return actions + left()
        }
        var conversation = opening.conversation
        let controller = conversation.controller
        var commands: [ManagementCommand] = [
            .setPowered(controller, false), .setStaticAddress(controller, MACAddress(rawValue: 0)),
        ]
        if information.supported.contains(.classic) { commands.append(.setClassic(controller, true)) }
        commands.append(.setPowered(controller, true))
        conversation.add(commands, isNeeded: false)
        let first = proceed(&conversation, at: now)
        state = .leaving(conversation)
        return actions + first
    }

    mutating func left() -> [Action] {
        state = .off
        return [.leave]
    }

    /// The controller is ours: everything is set, from the state in which it can be set.
    private func queueSteps(_ opening: inout Opening) {
        let controller = opening.conversation.controller
        let supported = opening.information.supported
        var steps = [
            Step(command: .setPowered(controller, false)),
            Step(command: .setLowEnergy(controller, true)),
        ]
        if supported.contains(.classic) { steps.append(Step(command: .setClassic(controller, false))) }
        if supported.contains(.secureConnections) {
            steps.append(Step(command: .allowSecureConnections(controller)))
        }
        for command in pairingCommands(controller) { steps.append(Step(command: command)) }
        if supported.contains(.staticAddress) {
            steps.append(Step(command: .setStaticAddress(controller, staticAddress)))
            opening.address = BluetoothAddress(staticAddress, isRandom: true)
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
        return [.listen(up.address)] + advertiseWanted(up, at: now) + tell(.ready(up.address))
    }

    /// Advertisements of ours at a time, at most; on controllers with few, somebody else may need one.
    static let mostInstances = 3

    /// What was advertised goes, what is wanted comes. What is still to go stays so.
    mutating func advertiseWanted(_ before: Up, at now: Instant) -> [Action] {
        var up = before
        let controller = up.conversation.controller
        up.conversation.waiting.removeAll { $0.command.opcode.advertises }
        for instance in up.used { up.conversation.remove(instance) }
        up.used = []
        up.isCurtailed = false
        for (instance, wanted) in zip(up.instances, advertisements) {
            up.used.append(instance)
            up.conversation.add([
                .addAdvertisingParameters(controller, instance: instance, interval: wanted.interval),
                .addAdvertisingData(
                    controller, instance: instance, data: wanted.data, scanResponse: wanted.scanResponse),
            ])
        }
        let actions = proceed(&up.conversation, at: now)
        state = .up(up)
        return actions
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

    mutating func add(_ commands: [ManagementCommand], isNeeded: Bool = true) {
        for command in commands { waiting.append(Adapter.Step(command: command, isNeeded: isNeeded)) }
    }

    mutating func remove(_ instance: UInt8) {
        add([.removeAdvertising(controller, instance: instance)], isNeeded: false)
    }
}
