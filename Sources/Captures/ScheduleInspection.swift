import Frames
import Wire

// When devices meet: availability, NDC, NDL, QoS, unaligned schedules.

extension Availability {
    var fields: [Field] {
        var entries: [Field] = []
        for entry in self.entries { entries.append(Field("entry", .group(entry.fields))) }
        return [
            Field("sequence", sequence), Field("control", bits: control), Field("map", control & 15),
            Field(
                "changed", of: control >> 4,
                [(0, "committed"), (1, "potential"), (2, "public_availability"), (3, "data_cluster")]),
            Field("entries", .list(entries, kind: nil)),
        ]
    }
}

extension Availability.Entry {
    fileprivate var fields: [Field] {
        [
            Field("control", bits: control), Field("type", typeName), Field("preference", control >> 3 & 3),
            Field("utilization", control >> 5 & 7), Field("receive_streams", control >> 8 & 15),
        ] + (slots?.fields ?? []) + channels.fields
            + (reserved == 0 ? [] : [Field("reserved", bits: reserved)])
            + (rest.isEmpty ? [] : [Field("rest", rest)])
    }

    private var typeName: String {
        switch control & 7 {
        case 1: "committed"
        case 2: "potential"
        case 3: "committed+potential"
        case 4: "conditional"
        case 6: "potential+conditional"
        default: "reserved"
        }
    }
}

extension TimeBitmap {
    fileprivate var fields: [Field] {
        let period = control >> 3 & 7
        return [
            Field("bitmap_control", bits: control),
            Field("bit_duration_tu", UInt64(16) << UInt64(control & 7)),
            Field("period_tu", period == 0 ? 0 : UInt64(128) << UInt64(period - 1)),
            Field("offset_tu", UInt64(control >> 6 & 511) * 16), Field("bitmap", bits),
        ]
    }
}

extension Availability.Channels {
    fileprivate var fields: [Field] {
        switch self {
        case .unstated: return []
        case .bands(let bands):
            var list: [Field] = []
            for band in bands { list.append(Field("band", band)) }
            return [Field("bands", .list(list, kind: nil))]
        case .entries(let entries, let hasAuxiliary):
            var list: [Field] = []
            for entry in entries { list.append(Field("channels", .group(entry.fields(hasAuxiliary)))) }
            return [Field("channels", .list(list, kind: nil))]
        }
    }
}

extension Availability.ChannelEntry {
    fileprivate func fields(_ hasAuxiliary: Bool) -> [Field] {
        [
            Field("operating_class", operatingClass), Field("channels", bits: channels),
            Field("primary", bits: primary),
        ] + (hasAuxiliary ? [Field("auxiliary", bits: auxiliary)] : [])
    }
}

extension DataCluster {
    var fields: [Field] {
        var schedules: [Field] = []
        for schedule in self.schedules {
            schedules.append(
                Field("schedule", .group([Field("map", bits: schedule.map)] + schedule.slots.fields)))
        }
        return [
            Field("identifier", identifier), Field("control", bits: control),
            Field("schedules", .list(schedules, kind: nil)),
        ]
    }
}

extension DataLink {
    var fields: [Field] {
        var fields = [
            Field("dialog_token", dialogToken), Field("type", kind.name), Field("status", status.name),
            Field("reason", reason), Field("control", bits: control),
            Field(
                "flags", of: control & 0x3f,
                [
                    (0, "peer"), (1, "immutable_schedule"), (2, "data_cluster"), (3, "qos"),
                    (4, "idle_period"),
                    (5, "type"),
                ]),
            Field("setup_reason", control >> 6),
        ]
        if let peer { fields.append(Field("peer", peer)) }
        if let idlePeriod { fields.append(Field("idle_period_s", idlePeriod)) }
        if !rest.isEmpty { fields.append(Field("rest", rest)) }
        return fields
    }
}

extension DataLink.Kind {
    fileprivate var name: String {
        switch self {
        case .request: "request"
        case .response: "response"
        case .confirm: "confirm"
        }
    }
}

extension NegotiationStatus {
    var name: String {
        switch self {
        case .continued: "continued"
        case .accepted: "accepted"
        case .rejected: "rejected"
        }
    }
}

extension DataLinkQoS {
    var fields: [Field] { [Field("minimum_slots", minimumSlots), Field("maximum_latency", maximumLatency)] }
}

extension UnalignedSchedule {
    var fields: [Field] {
        [
            Field("control", bits: control), Field("start_us", start), Field("duration_us", duration),
            Field("period_us", period), Field("count", count), Field("rest", octets),
        ]
    }
}

extension PublicAvailability {
    var fields: [Field] { [Field("sequence", sequence), Field("rest", octets)] }
}
