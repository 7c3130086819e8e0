import Wire

// Finding out what there is needs no protection.
extension ATTServer {
    /// Which attributes a range holds; none of a range that is turned around.
    func attributes(in handles: HandleRange) throws(ATTRefusal) -> ClosedRange<UInt16> {
        guard handles.first > 0, handles.first <= handles.last else {
            throw ATTRefusal(.invalidHandle, handle: handles.first)
        }
        guard handles.first <= database.last else {
            throw ATTRefusal(.attributeNotFound, handle: handles.first)
        }
        return handles.first...min(handles.last, database.last)
    }

    /// - Spec: 3.4.3.1: pairs of handle and type, all types of one size.
    func findInformation(_ handles: HandleRange) throws(ATTRefusal) -> [UInt8] {
        var answer = FrameWriter(limit: mtu)
        var size: Int?
        for handle in try attributes(in: handles) {
            guard let type = database[handle]?.type else { break }
            if size == nil {
                answer.octet(ATTOpcode.findInformationResponse.rawValue)
                answer.octet(type.count == 2 ? 1 : 2)
            }
            guard type.count == size ?? type.count, answer.count + 2 + type.count <= mtu else { break }
            size = type.count
            answer.number16(handle)
            type.write(into: &answer)
        }
        return try Self.finish(answer)
    }

    /// - Spec: 3.4.3.3. Services are found by their name so; nothing else needs it.
    func find(_ handles: HandleRange, type: BluetoothUUID, value: [UInt8]) throws(ATTRefusal) -> [UInt8] {
        var answer = FrameWriter(limit: mtu)
        answer.octet(ATTOpcode.findByTypeValueResponse.rawValue)
        for handle in try attributes(in: handles) where type == AttributeDatabase.Declaration.primaryService {
            guard case .service(let uuid, let end)? = database[handle]?.content, uuid.octets == value else {
                continue
            }
            guard answer.count + 4 <= mtu else { break }
            answer.number16(handle)
            answer.number16(end)
        }
        guard answer.count > 1 else { throw ATTRefusal(.attributeNotFound, handle: handles.first) }
        return try Self.finish(answer)
    }

    /// - Spec: 3.4.4.9: handle, end of the group and value, all values of one size.
    func readGroups(_ handles: HandleRange, type: BluetoothUUID) throws(ATTRefusal) -> [UInt8] {
        let range = try attributes(in: handles)
        // There are no secondary services.
        if type == AttributeDatabase.Declaration.secondaryService {
            throw ATTRefusal(.attributeNotFound, handle: handles.first)
        }
        guard type == AttributeDatabase.Declaration.primaryService else {
            throw ATTRefusal(.unsupportedGroupType, handle: handles.first)
        }
        var answer = FrameWriter(limit: mtu)
        var size: Int?
        for handle in range {
            guard case .service(let uuid, let end)? = database[handle]?.content else { continue }
            if size == nil {
                answer.octet(ATTOpcode.readByGroupTypeResponse.rawValue)
                answer.octet(UInt8(4 + uuid.count))
            }
            guard uuid.count == size ?? uuid.count, answer.count + 4 + uuid.count <= mtu else { break }
            size = uuid.count
            answer.number16(handle)
            answer.number16(end)
            uuid.write(into: &answer)
        }
        guard size != nil else { throw ATTRefusal(.attributeNotFound, handle: handles.first) }
        return try Self.finish(answer)
    }

    static func finish(_ answer: consuming FrameWriter) throws(ATTRefusal) -> [UInt8] {
        do throws(WireError) { return try answer.finish() } catch { throw ATTRefusal(.unlikely) }
    }
}

extension BluetoothUUID {
    /// As an attribute's value has it.
    var octets: [UInt8] {
        switch self {
        case .assigned(let number): ATTServer.octets(number)
        case .custom(let high, let low):
            (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? low : high) >> UInt64(8 * ($0 & 7))) }
        }
    }
}
