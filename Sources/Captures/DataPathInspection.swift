import Frames
import Wire

// The data path itself: NDP, NDPE, and the elements that say what the radios can do.

extension DataPathHead {
    fileprivate func fields(bit5: String) -> [Field] {
        var fields = [
            Field("dialog_token", dialogToken), Field("type", kind.name), Field("status", status.name),
            Field("reason", reason), Field("initiator_ndi", initiator), Field("data_path_id", identifier),
            Field("control", bits: control.rawValue),
            Field(
                "flags", of: control.rawValue,
                [
                    (0, "confirm_required"), (2, "security_present"), (3, "publish_present"),
                    (4, "responder_present"), (5, bit5),
                ]),
        ]
        if let publish { fields.append(Field("publish", publish)) }
        if let responder { fields.append(Field("responder_ndi", responder)) }
        return fields
    }
}

extension DataPathHead.Kind {
    var name: String {
        switch self {
        case .request: "request"
        case .response: "response"
        case .confirm: "confirm"
        case .securityInstall: "security_install"
        case .terminate: "terminate"
        }
    }
}

extension DataPathAttribute {
    var fields: [Field] {
        let fields = head.fields(bit5: "service_information_present")
        guard let information else { return fields }
        return fields + [Field("service_information", information)]
    }
}

extension DataPathExtension {
    var fields: [Field] {
        var items: [Field] = []
        for item in self.items { items.append(item.field) }
        return head.fields(bit5: "group_key_required") + [Field("items", .list(items, kind: "item"))]
    }
}

extension DataPathExtension.Item {
    fileprivate var field: Field {
        switch self {
        case .interfaceIdentifier(let identifier):
            Field("interface_identifier", .group([Field("value", bits: identifier)]))
        case .service(let information): Field("service_information", .group(information.fields))
        case .unknown(let id, let octets):
            Field("unknown", .group([Field("id", bits: id), Field("octets", octets)]))
        }
    }
}

extension ElementContainer {
    var fields: [Field] { [Field("map", bits: map), elements.inspection] }
}

extension [Element] {
    var inspection: Field {
        var fields: [Field] = []
        for element in self { fields.append(element.inspection) }
        return Field("elements", .list(fields, kind: "element"))
    }
}

extension Element {
    /// The element as octets, by its name.
    var inspection: Field { inspection([Field("octets", body)]) }

    /// The element with what is known of its inside.
    func inspection(_ inside: [Field]) -> Field {
        var fields = [Field("element_id", id.number)]
        if id.number == 255 { fields.append(Field("extension", id.extensionNumber)) }
        return Field(id.name, .group(fields + inside))
    }
}

extension Element.ID {
    fileprivate var name: StaticString {
        switch self {
        case .htCapabilities: "ht_capabilities"
        case .rsn: "rsn"
        case .mic: "mic"
        case .vhtCapabilities: "vht_capabilities"
        case .vendorSpecific: "vendor_specific"
        case .rsnExtension: "rsn_extension"
        case .wrappedData: "wrapped_data"
        case .pasnParameters: "pasn_parameters"
        case .supportedGroups: "supported_groups"
        default: "other"
        }
    }
}
