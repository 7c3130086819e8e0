import Wire

extension ATTServer {
    func read(
        _ handle: UInt16, from values: any CharacteristicValues, at now: Instant
    ) throws(ATTRefusal) -> [UInt8] {
        let value = try value(of: handle, from: values, at: now)
        return [ATTOpcode.readResponse.rawValue] + value.prefix(mtu - 1)
    }

    /// - Spec: 3.4.4.5. Short values are given out too, as most servers do, and not called "not long".
    func read(
        _ handle: UInt16, offset: UInt16, from values: any CharacteristicValues, at now: Instant
    ) throws(ATTRefusal) -> [UInt8] {
        let value = try value(of: handle, from: values, at: now)
        guard offset <= value.count else { throw ATTRefusal(.invalidOffset, handle: handle) }
        return [ATTOpcode.readBlobResponse.rawValue] + value.dropFirst(Int(offset)).prefix(mtu - 1)
    }

    /// - Spec: 3.4.4.7: one value behind the other, as far as they fit.
    func read(
        _ handles: [UInt16], from values: any CharacteristicValues, at now: Instant
    ) throws(ATTRefusal) -> [UInt8] {
        var answer = [ATTOpcode.readMultipleResponse.rawValue]
        for handle in handles {
            let value = try value(of: handle, from: values, at: now)
            answer += value.prefix(mtu - answer.count)
        }
        return answer
    }

    /// - Spec: 3.4.4.1: handles and values of one size, up to the first that may not be read. Each value has as many
    ///   octets as fit, 253 at most.
    func read(
        _ handles: HandleRange, type: BluetoothUUID, from values: any CharacteristicValues, at now: Instant
    ) throws(ATTRefusal) -> [UInt8] {
        var answer = [ATTOpcode.readByTypeResponse.rawValue]
        for handle in try attributes(in: handles) where database[handle]?.type == type {
            let value: ArraySlice<UInt8>
            do throws(ATTRefusal) {
                value = try self.value(of: handle, from: values, at: now).prefix(min(mtu - 4, 253))
            } catch {
                guard answer.count > 1 else { throw error }
                break
            }
            if answer.count == 1 { answer.append(UInt8(2 + value.count)) }
            guard answer[1] == UInt8(2 + value.count), answer.count + 2 + value.count <= mtu else { break }
            answer += Self.octets(handle) + value
        }
        guard answer.count > 1 else { throw ATTRefusal(.attributeNotFound, handle: handles.first) }
        return answer
    }

    /// An attribute's value, where this client may read it.
    private func value(
        of handle: UInt16, from values: any CharacteristicValues, at now: Instant
    ) throws(ATTRefusal) -> [UInt8] {
        guard let attribute = database[handle] else { throw ATTRefusal(.invalidHandle, handle: handle) }
        switch attribute.content {
        case .service(let uuid, _): return uuid.octets
        case .declaration(let characteristic):
            return [characteristic.properties.rawValue] + Self.octets(handle + 1) + characteristic.uuid.octets
        case .subscription(let characteristic): return Self.octets(subscriptions[characteristic.id])
        case .value(let characteristic):
            guard characteristic.properties.contains(.read) else {
                throw ATTRefusal(.readNotPermitted, handle: handle)
            }
            try check(characteristic.access, for: handle)
            if let constant = database.constant(characteristic.id) { return constant }
            do throws(ATTError) {
                return Array(try values.read(characteristic.id, at: now).prefix(Self.mostValue))
            } catch {
                throw ATTRefusal(error, handle: handle)
            }
        }
    }

    /// Says what the link lacks. A client that we have keys with is to encrypt; any other, and one whose pairing
    /// proved nothing, is to pair.
    ///
    /// - Spec: Bluetooth Core 5.4, Vol 3, Part C, 10.3.1, table 10.2.
    func check(_ access: LinkSecurity, for handle: UInt16) throws(ATTRefusal) {
        guard security < access else { return }
        throw ATTRefusal(
            security == .open && isBonded ? .insufficientEncryption : .insufficientAuthentication,
            handle: handle)
    }
}
