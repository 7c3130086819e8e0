import Wire

extension ATTServer {
    /// A write that nobody answers: what cannot be done is not done.
    func command(_ pdu: [UInt8], to values: any CharacteristicValues, at now: Instant) {
        var reader = FrameReader(pdu.span.bytes)
        do throws(WireError) {
            _ = try reader.octet("ATT opcode")
            let handle = try reader.number16("handle")
            let value = reader.rest()
            guard case .value(let characteristic)? = database[handle]?.content,
                characteristic.properties.contains(.writeWithoutResponse),
                characteristic.access <= security, value.count <= Self.mostValue
            else { return }
            do throws(ATTError) { try values.write(value, to: characteristic.id, at: now) } catch {}
        } catch {}
    }

    mutating func write(
        _ value: [UInt8], to handle: UInt16, in values: any CharacteristicValues, at now: Instant
    ) throws(ATTRefusal) {
        let target = try target(of: handle)
        guard value.count <= Self.mostValue else {
            throw ATTRefusal(.invalidAttributeValueLength, handle: handle)
        }
        switch target {
        case .subscription(let characteristic):
            try subscribe(to: characteristic, value, handle: handle)
        case .value(let id):
            do throws(ATTError) { try values.write(value, to: id, at: now) } catch {
                throw ATTRefusal(error, handle: handle)
            }
        }
    }

    private enum Target {
        case value(GATTCharacteristic.ID)
        case subscription(GATTCharacteristic)
    }

    /// What a write to the handle changes, where this client may.
    private func target(of handle: UInt16) throws(ATTRefusal) -> Target {
        guard let attribute = database[handle] else { throw ATTRefusal(.invalidHandle, handle: handle) }
        switch attribute.content {
        case .service, .declaration: throw ATTRefusal(.writeNotPermitted, handle: handle)
        case .subscription(let characteristic):
            try check(characteristic.access, for: handle)
            return .subscription(characteristic)
        case .value(let characteristic):
            guard characteristic.properties.contains(.write) else {
                throw ATTRefusal(.writeNotPermitted, handle: handle)
            }
            try check(characteristic.access, for: handle)
            return .value(characteristic.id)
        }
    }

    private mutating func subscribe(
        to characteristic: GATTCharacteristic, _ value: [UInt8], handle: UInt16
    ) throws(ATTRefusal) {
        guard value.count == 2 else { throw ATTRefusal(.invalidAttributeValueLength, handle: handle) }
        var possible: UInt16 = 0
        if characteristic.properties.contains(.notify) { possible |= Subscriptions.notification }
        if characteristic.properties.contains(.indicate) { possible |= Subscriptions.indication }
        let choice = UInt16(value[0]) | UInt16(value[1]) << 8
        guard choice & ~possible == 0 else { throw ATTRefusal(.valueNotAllowed, handle: handle) }
        subscriptions[characteristic.id] = choice
        if choice == 0 { forgetNews(of: characteristic.id) }
    }

    /// - Spec: 3.4.6.1: the answer repeats the part, so that the client sees what arrived.
    mutating func prepare(_ part: PreparedWrites.Part) throws(ATTRefusal) -> [UInt8] {
        _ = try target(of: part.handle)
        guard prepared.add(part) else { throw ATTRefusal(.prepareQueueFull, handle: part.handle) }
        return [ATTOpcode.prepareWriteResponse.rawValue] + Self.octets(part.handle) + Self.octets(part.offset)
            + part.value
    }

    /// Nothing is written unless the value is whole and may be written. The queue is empty afterwards.
    mutating func executeWrites(
        _ isWanted: Bool, in values: any CharacteristicValues, at now: Instant
    ) throws(ATTRefusal) -> [UInt8] {
        let queue = prepared
        prepared = PreparedWrites()
        if isWanted, let write = try queue.write() {
            try self.write(write.value, to: write.handle, in: values, at: now)
        }
        return [ATTOpcode.executeWriteResponse.rawValue]
    }
}
