import Frames
import Wire

extension Attribute {
    /// The attribute by its name, with every field.
    var inspection: Field {
        switch self {
        case .masterIndication(let value): show("master_indication", .masterIndication, value.fields)
        case .cluster(let value): show("cluster", .cluster, value.fields)
        case .serviceDescriptor(let value): show("service_descriptor", .serviceDescriptor, value.fields)
        case .serviceDescriptorExtension(let value):
            show("service_descriptor_extension", .serviceDescriptorExtension, value.fields)
        case .deviceCapability(let value): show("device_capability", .deviceCapability, value.fields)
        case .dataPath(let value): show("data_path", .dataPath, value.fields)
        case .availability(let value): show("availability", .availability, value.fields)
        case .dataCluster(let value): show("data_cluster", .dataCluster, value.fields)
        case .dataLink(let value): show("data_link", .dataLink, value.fields)
        case .dataLinkQoS(let value): show("data_link_qos", .dataLinkQoS, value.fields)
        case .unalignedSchedule(let value): show("unaligned_schedule", .unalignedSchedule, value.fields)
        case .elementContainer(let value): show("element_container", .elementContainer, value.fields)
        case .cipherSuiteInformation(let value): show("cipher_suites", .cipherSuiteInformation, value.fields)
        case .securityContextInformation(let value):
            show("security_contexts", .securityContextInformation, value.fields)
        case .sharedKeyDescriptor(let value):
            show("shared_key_descriptor", .sharedKeyDescriptor, value.fields)
        case .publicAvailability(let value): show("public_availability", .publicAvailability, value.fields)
        case .dataPathExtension(let value): show("data_path_extension", .dataPathExtension, value.fields)
        case .deviceCapabilityExtension(let value):
            show("device_capability_extension", .deviceCapabilityExtension, value.fields)
        case .identityResolution(let value): show("identity_resolution", .identityResolution, value.fields)
        case .pairingBootstrapping(let value):
            show("pairing_bootstrapping", .pairingBootstrapping, value.fields)
        case .vendorSpecific(let value): show("vendor_specific", .vendorSpecific, value.fields)
        case .unknown(let id, let octets): show("unknown", id, [Field("octets", octets)])
        }
    }

    private func show(_ name: StaticString, _ id: AttributeID, _ fields: [Field]) -> Field {
        Field(name, .group([Field("id", bits: id.rawValue)] + fields))
    }
}

extension [Attribute] {
    var inspection: Field {
        var fields: [Field] = []
        for attribute in self { fields.append(attribute.inspection) }
        return Field("attributes", .list(fields, kind: "attribute"))
    }
}

extension MasterIndication {
    var fields: [Field] { [Field("preference", preference), Field("random_factor", randomFactor)] }
}

extension ClusterAttribute {
    var fields: [Field] {
        [
            Field("anchor_rank", bits: anchorRank), Field("hop_count", hopCount),
            Field("anchor_beacon_time", beaconTime),
        ]
    }
}

extension VendorSpecificAttribute {
    var fields: [Field] { [Field("oui", oui: oui), Field("octets", octets)] }
}

extension Field {
    /// The 24 bits of an organisation's identifier.
    init(_ name: StaticString, oui: UInt32) {
        self.init(name, .bits(UInt64(oui), octets: 3))
    }

    init(_ name: StaticString, _ address: MACAddress) {
        self.init(name, address.description)
    }

    init(_ name: StaticString, _ reason: Reason) {
        self.init(name, reason.rawValue, named: reason == .methodNotSupported ? "method_not_supported" : nil)
    }
}
