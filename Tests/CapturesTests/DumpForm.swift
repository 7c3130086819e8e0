import Foundation

/// An attribute of our JSON in the words of `frames.txt`, so that two programs can be compared field by field.
struct DumpForm {
    private let attribute: [String: Any]

    static func tokens(of attribute: [String: Any]) -> [String] {
        DumpForm(attribute: attribute).tokens.sorted()
    }

    private var tokens: [String] {
        switch text("attribute") {
        case "service_descriptor":
            [
                "service_id=\(text("service_id"))", "inst=\(text("instance"))",
                "req_inst=\(text("requestor_instance"))",
            ]
                + ["type=\(text("type").replacing("_", with: "-"))", "ctrl=\(hex(serviceControl, 1))"]
        case "service_descriptor_extension":
            ["inst=\(text("instance"))", "ctrl=\(hex("control", 2))"] + serviceInformation
        case "device_capability":
            [
                "map=\(hex("map", 1))", "cdw=\(hex("committed_windows", 2))", "bands=\(hex("bands", 1))",
                "opmode=\(hex("operation_mode", 1))", "ant=\(hex("antennas", 1))",
                "chsw=\(text("channel_switch_time_us"))us", "capa=\(hex("capabilities", 1))",
            ]
        case "availability":
            ["seq=\(text("sequence"))", "ctrl=\(hex("control", 2))"] + list("entries").flatMap(\.entry)
        case "data_cluster":
            ["ndc_id=\(text("identifier"))", "ctrl=\(hex("control", 1))"]
                + list("schedules").flatMap {
                    [
                        "map=\($0.text("map"))", "tbm_ctrl=\($0.hex("bitmap_control", 2))",
                        "bitmap=\($0.text("bitmap"))",
                    ]
                }
        case "data_link":
            negotiation + ["ctrl=\(hex("control", 1))"] + optional("max_idle_period", "idle_period_s")
        case "element_container":
            ["map=\(hex("map", 1))"]
                + list("elements").map { "element=\($0.text("element_id"))/\($0.text("octets"))" }
        case "cipher_suites":
            ["capab=\(hex("capabilities", 1))"]
                + list("suites").flatMap { ["csid=\($0.text("suite"))", "publish_id=\($0.text("publish"))"] }
        case "security_contexts":
            list("contexts").flatMap {
                [
                    "type=\($0.text("type"))", "publish_id=\($0.text("publish"))",
                    "id=\($0.text("identifier"))",
                ]
            }
        case "shared_key_descriptor": keyDescriptor
        case "data_path_extension":
            negotiation + [
                "init_ndi=\(text("initiator_ndi"))", "ndp_id=\(text("data_path_id"))",
                "ctrl=\(hex("control", 1))",
            ] + optional("publish_id", "publish") + optional("resp_ndi", "responder_ndi")
                + list("items").map(\.item)
        case "device_capability_extension": ["octet0=\(hex("regulatory", 1))", "octet1=\(hex("pairing", 1))"]
        case "identity_resolution":
            ["cipher_ver=\(text("cipher_version"))", "nonce=\(text("nonce"))", "tag=\(text("tag"))"]
        case "pairing_bootstrapping": bootstrapping
        default: ["unexpected=\(text("attribute"))"]
        }
    }

    private var serviceControl: Int {
        let kind = ["publish": 0, "subscribe": 1, "follow_up": 2][text("type")] ?? 3
        return kind | (attribute["matching_filter"] == nil ? 0 : 4)
            | (attribute["response_filter"] == nil ? 0 : 8)
            | (attribute["service_information"] == nil ? 0 : 16) | (text("range_limited") == "1" ? 32 : 0)
            | (attribute["binding"] == nil ? 0 : 64)
    }

    private var serviceInformation: [String] {
        guard let information = group("service_information") else { return [] }
        return [
            "oui=\(String(information.number("oui"), radix: 16))", "proto=\(information.text("protocol"))",
            "ssi=\(information.text("octets"))",
        ]
    }

    private var negotiation: [String] {
        [
            "token=\(text("dialog_token"))",
            "type=\(text("type").replacing("security_install", with: "sec-install"))",
            "status=\(text("status"))", "reason=\(text("reason"))",
        ]
    }

    private var entry: [String] {
        [
            "ctrl=\(hex("control", 2))", "type=\(text("type"))", "pref=\(text("preference"))",
            "util=\(text("utilization"))", "rx_nss=\(text("receive_streams"))",
        ]
            + (attribute["bitmap"] == nil
                ? [] : ["tbm_ctrl=\(hex("bitmap_control", 2))", "bitmap=\(text("bitmap"))"])
            + list("channels").map {
                "channel=\($0.text("operating_class"))/\($0.hex("channels", 2))/\($0.hex("primary", 1))"
            }
    }

    private var keyDescriptor: [String] {
        [
            "publish_id=\(text("publish"))", "desc_type=\(text("descriptor_type"))",
            "key_info=\(hex("key_info", 2))",
            "key_len=\(text("key_length"))",
            "replay=" + String(format: "%016x", number("replay_counter")), "nonce=\(text("nonce"))",
            "iv=\(text("iv"))",
            "rsc=\(text("sequence_counter"))", "id=\(text("identifier"))", "mic=\(text("mic"))",
            "key_data=\(text("key_data"))",
        ]
    }

    private var item: String {
        guard text("item") == "service_information" else { return "item=?" }
        let protocolType = String(format: "%02x", number("protocol"))
        return "item=1/" + String(number("oui"), radix: 16) + protocolType + text("octets")
    }

    private var bootstrapping: [String] {
        var status = text("status").replacing("_", with: "")
        // A request has a status on the air, which says whether it comes back.
        if status.isEmpty { status = attribute["cookie"] == nil ? "accepted" : "comeback" }
        let type = text("type") == "advertisement" ? "advertise" : text("type")
        return [
            "dialog_token=\(text("dialog_token"))", "type=\(type)", "status=\(status)",
            "reason=\(attribute["reason"] == nil ? "0" : text("reason"))", "methods=\(hex("methods", 2))",
        ] + optional("cookie", "cookie") + optional("comeback_after", "come_back_after_tu")
    }

    // MARK: Values

    private func optional(_ name: String, _ own: String) -> [String] {
        attribute[own] == nil ? [] : ["\(name)=\(text(own))"]
    }

    private func text(_ name: String) -> String {
        switch attribute[name] {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: ""
        }
    }

    private func number(_ name: String) -> Int { (attribute[name] as? NSNumber)?.intValue ?? -1 }
    private func hex(_ name: String, _ octets: Int) -> String { hex(number(name), octets) }
    private func hex(_ number: Int, _ octets: Int) -> String {
        "0x" + String(format: "%0\(2 * octets)x", number)
    }

    private func group(_ name: String) -> DumpForm? {
        (attribute[name] as? [String: Any]).map(DumpForm.init)
    }

    private func list(_ name: String) -> [DumpForm] {
        (attribute[name] as? [[String: Any]] ?? []).map(DumpForm.init)
    }
}
