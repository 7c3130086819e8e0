import Frames
import Wire

// What services are: SDA, SDEA, service information, and what the device is capable of.

extension ServiceDescriptor {
    var fields: [Field] {
        var fields = [
            Field("service_id", service.octets), Field("instance", instance),
            Field("requestor_instance", requestor),
            Field("type", kind.name), Field("range_limited", isRangeLimited),
        ]
        if isReservedBitSet { fields.append(Field("reserved_bit", isReservedBitSet)) }
        if let matchingFilter {
            var values: [Field] = []
            for value in matchingFilter { values.append(Field("value", value)) }
            fields.append(Field("matching_filter", .list(values, kind: nil)))
        }
        if let responseFilter { fields.append(Field("response_filter", .group(responseFilter.fields))) }
        if let binding { fields.append(Field("binding", bits: binding)) }
        if let information { fields.append(Field("service_information", information)) }
        return fields
    }
}

extension ServiceDescriptor.Kind {
    var name: String {
        switch self {
        case .publish: "publish"
        case .subscribe: "subscribe"
        case .followUp: "follow_up"
        }
    }
}

extension ServiceResponseFilter {
    fileprivate var fields: [Field] {
        switch members {
        case .addresses(let addresses):
            var members: [Field] = []
            for address in addresses { members.append(Field("address", address)) }
            return head + [Field("addresses", .list(members, kind: nil))]
        case .bloom(let index, let bits):
            return head + [Field("bloom_index", index), Field("bloom", bits)]
        }
    }

    private var head: [Field] {
        [Field("includes", includes)] + (reserved == 0 ? [] : [Field("reserved", bits: reserved)])
    }
}

extension ServiceDescriptorExtension {
    var fields: [Field] {
        var fields = [
            Field("instance", instance), Field("control", bits: control.rawValue),
            Field(
                "flags", of: control.rawValue,
                [
                    (0, "further_service_discovery"), (1, "gas"), (2, "data_path_required"),
                    (3, "multicast_data_path"), (5, "qos_required"), (6, "security_required"),
                    (7, "ranging_required"), (8, "range_limit"), (9, "update_indicator"),
                    (10, "group_key_required"),
                ]),
        ]
        if let rangeLimit { fields.append(Field("range_limit", rangeLimit)) }
        if let updateIndicator { fields.append(Field("update_indicator", updateIndicator)) }
        if let information { fields.append(Field("service_information", .group(information.fields))) }
        if !rest.isEmpty { fields.append(Field("rest", rest)) }
        return fields
    }
}

extension ServiceInformation {
    var fields: [Field] {
        switch content {
        case .generic(let service):
            [
                Field("oui", oui: oui), Field("protocol", 2, named: protocolName(2)),
                Field("items", .list(service.fields, kind: "item")),
            ]
        case .other(let type, let octets):
            [
                Field("oui", oui: oui), Field("protocol", type, named: protocolName(type)),
                Field("octets", octets),
            ]
        }
    }

    private func protocolName(_ type: UInt8) -> String? {
        guard oui == Self.wiFiAlliance else { return nil }
        switch type {
        case 1: return "bonjour"
        case 2: return "generic"
        case 3: return "matter"
        default: return nil
        }
    }
}

extension GenericService {
    fileprivate var fields: [Field] {
        var fields: [Field] = []
        for item in items { fields.append(item.field) }
        return fields
    }
}

extension GenericService.Item {
    fileprivate var field: Field {
        switch self {
        case .port(let port): Field("port", port)
        case .transport(let transport): Field("transport", transport.rawValue, named: transport.name)
        case .serviceName(let name): Field("service_name", String(decoding: name, as: UTF8.self))
        case .instanceName(let name): Field("instance_name", String(decoding: name, as: UTF8.self))
        case .text(let strings): Field("text", .flags(Self.texts(strings)))
        case .unknown(let id, let octets):
            Field("unknown", .group([Field("id", bits: id), Field("octets", octets)]))
        }
    }

    private static func texts(_ strings: [[UInt8]]) -> [String] {
        var texts: [String] = []
        for string in strings { texts.append(String(decoding: string, as: UTF8.self)) }
        return texts
    }
}

extension GenericService.Transport {
    fileprivate var name: String? {
        switch self {
        case .tcp: "tcp"
        case .udp: "udp"
        default: nil
        }
    }
}

extension DeviceCapability {
    var fields: [Field] {
        [
            Field("map", bits: map), Field("committed_windows", bits: committedWindows),
            Field("bands", bits: bands),
            Field("operation_mode", bits: operationMode), Field("antennas", bits: antennas),
            Field("channel_switch_time_us", channelSwitchTime),
            Field("capabilities", bits: capabilities.rawValue),
            Field("flags", of: capabilities.rawValue, [(3, "data_path_extension")]),
        ]
    }
}

extension DeviceCapabilityExtension {
    var fields: [Field] {
        [
            Field("regulatory", bits: regulatory), Field("pairing", bits: pairing.rawValue),
            Field("flags", of: pairing.rawValue, [(0, "pairing_setup"), (1, "caching")]), Field("rest", rest),
        ]
    }
}
