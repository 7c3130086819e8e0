import Wire

// What ground stations ask of a vehicle besides commands.
extension SimulatedVehicle {
    mutating func answer(_ frame: MAVLinkFrame) {
        let sender = frame.sender
        if let heartbeat = frame.read(Heartbeat.self) {
            if heartbeat.type == .groundStation { heard = now }
        } else if let command = frame.read(CommandLong.self) {
            guard isMine(command.targetSystem, command.targetComponent) else { return }
            answer(command, from: sender)
        } else if let command = frame.read(CommandInt.self) {
            guard isMine(command.targetSystem, command.targetComponent) else { return }
            answer(CommandLong(command), from: sender)
        } else if let request = frame.read(SetMode.self) {
            guard isMine(request.targetSystem, 0) else { return }
            _ = change(toMode: request.customMode)
        } else if let request = frame.read(RequestDataStream.self) {
            guard isMine(request.targetSystem, request.targetComponent), request.start != 0 else { return }
            telemetry.setRate(request.rate, at: now)
        } else if let question = frame.read(TimeSynchronization.self) {
            guard question.answered == 0 else { return }
            let time = Int64(truncatingIfNeeded: now.microseconds(since: started)) &* 1000
            send(TimeSynchronization(answered: max(1, time), asked: question.asked))
        } else if let question = frame.read(Ping.self) {
            guard question.targetSystem == 0 else { return }
            send(
                Ping(
                    time: question.time, sequence: question.sequence, targetSystem: sender.system,
                    targetComponent: sender.component))
        } else if let transfer = frame.read(FileTransfer.self) {
            guard isMine(transfer.targetSystem, transfer.targetComponent) else { return }
            refuse(transfer, from: sender)
        } else {
            answerParameters(frame)
            answerMissions(frame)
        }
    }

    private func isMine(_ system: UInt8, _ component: UInt8) -> Bool {
        (system == 0 || system == address.system) && (component == 0 || component == address.component)
    }

    private mutating func answerParameters(_ frame: MAVLinkFrame) {
        if let request = frame.read(ParameterRequestList.self) {
            guard isMine(request.targetSystem, request.targetComponent) else { return }
            parameterList = .sending(next: 0, due: now)
        } else if let request = frame.read(ParameterRequestRead.self) {
            guard isMine(request.targetSystem, request.targetComponent) else { return }
            let index = request.index < 0 ? parameters.index(of: request.name) : Int(request.index)
            guard let index, index < parameters.entries.count else { return }
            send(parameters.message(index))
        } else if let change = frame.read(ParameterSet.self) {
            guard isMine(change.targetSystem, change.targetComponent) else { return }
            guard let index = parameters.index(of: change.name) else { return }
            parameters.set(index, to: change.value)
            send(parameters.message(index))
        }
    }

    /// It has no mission, no fence and no rally points, and takes none.
    private mutating func answerMissions(_ frame: MAVLinkFrame) {
        let sender = frame.sender
        if let request = frame.read(MissionRequestList.self) {
            guard isMine(request.targetSystem, request.targetComponent) else { return }
            send(
                MissionCount(
                    count: 0, targetSystem: sender.system, targetComponent: sender.component,
                    kind: request.kind))
        } else if let request = frame.read(MissionClearAll.self) {
            guard isMine(request.targetSystem, request.targetComponent) else { return }
            acknowledge(.accepted, kind: request.kind, to: sender)
        } else if let upload = frame.read(MissionCount.self) {
            guard isMine(upload.targetSystem, upload.targetComponent) else { return }
            acknowledge(upload.count == 0 ? .accepted : .noRoom, kind: upload.kind, to: sender)
        }
    }

    private mutating func acknowledge(_ result: MissionResult, kind: UInt8, to sender: MAVLinkAddress) {
        send(
            MissionAcknowledgement(
                targetSystem: sender.system, targetComponent: sender.component, result: result, kind: kind))
    }

    /// A ground station that gets no answer tries for many seconds, hence the refusal.
    ///
    /// - Spec: MAVLink guide, "File Transfer Protocol", "ERRORs".
    private mutating func refuse(_ transfer: FileTransfer, from sender: MAVLinkAddress) {
        let fileNotFound: UInt8 = 10
        let unknownOperation: UInt8 = 7
        switch transfer.operation {
        case .acknowledged, .refused: return
        default: break
        }
        send(
            FileTransfer(
                targetSystem: sender.system, targetComponent: sender.component,
                sequence: transfer.sequence &+ 1,
                session: transfer.session, operation: .refused, size: 1,
                answeredOperation: transfer.operation,
                data: [transfer.operation == .openForReading ? fileNotFound : unknownOperation]))
    }
}

extension CommandLong {
    /// The same command, its place rounded to what a float holds.
    init(_ command: CommandInt) {
        self.init(
            command: command.command, parameter1: command.parameter1, parameter2: command.parameter2,
            parameter3: command.parameter3, parameter4: command.parameter4,
            parameter5: Float(command.x) / 1e7,
            parameter6: Float(command.y) / 1e7, parameter7: command.z, targetSystem: command.targetSystem,
            targetComponent: command.targetComponent)
    }
}
