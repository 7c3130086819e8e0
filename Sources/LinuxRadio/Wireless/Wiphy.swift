import Ports
import Wire

/// A radio of the kernel, as far as NAN is concerned.
struct Wiphy {
    var index: UInt32
    var name = ""
    var hasNAN = false
    var hasDataInterface = false
    var nan: NAN?
    /// Its driver has discovery windows at 5 GHz.
    var hasUpperBand = false
    /// The rules of its country let it begin to send on one of the channels of those windows.
    var mayUseUpperBand = false

    /// The rules of its country keep it from beginning to send on the one channel of the windows at 2.4 GHz.
    var isLowerBandForbidden = false

    /// Channels 6, 149 and 44.
    private static let lowerFrequency: UInt32 = 2437
    private static let upperFrequencies: [UInt32] = [5745, 5220]

    struct NAN {
        var canConfigure: Bool
        var hasUserSpaceDiscovery: Bool
        var capabilities: RadioCapabilities
    }

    /// Puts together what the messages of a split list say; each has a part of one radio.
    struct Collection {
        /// More radios than this are not looked at.
        private static let limit = 64
        private(set) var all: [Wiphy] = []

        mutating func add(_ body: ArraySlice<UInt8>) throws(WireError) {
            let attributes = try WirelessReply.attributes(body)
            guard body.first == Wireless.Command.newWiphy,
                let index = attributes.number32(Wireless.Attribute.wiphy)
            else { return }
            guard let known = all.firstIndex(where: { $0.index == index }) else {
                guard all.count < Self.limit else { return }
                var wiphy = Wiphy(index: index)
                try wiphy.take(attributes)
                all.append(wiphy)
                return
            }
            try all[known].take(attributes)
        }
    }

    private mutating func take(_ attributes: AttributeList) throws(WireError) {
        if let name = attributes.text(Wireless.Attribute.wiphyName) { self.name = name }
        if let types = try attributes.nested(Wireless.Attribute.supportedInterfaceTypes) {
            hasNAN = types.has(Wireless.InterfaceType.nan)
            hasDataInterface = types.has(Wireless.InterfaceType.nanData)
        }
        if let nan = try attributes.nested(Wireless.Attribute.capabilities) { self.nan = try NAN(nan) }
        if let bands = attributes.number32(Wireless.Attribute.bands) {
            hasUpperBand = bands >> UInt32(Wireless.band5GHz) & 1 == 1
        }
        for band in try attributes.nested(Wireless.Attribute.radioBands)?.all ?? [] {
            let frequencies = try AttributeList(parsing: band.value).nested(Wireless.Band.frequencies)
            for entry in frequencies?.all ?? [] { try take(frequency: AttributeList(parsing: entry.value)) }
        }
    }

    /// A band's channels come in parts.
    private mutating func take(frequency: AttributeList) throws(WireError) {
        guard let number = frequency.number32(Wireless.Frequency.number) else { return }
        let isForbidden =
            frequency.has(Wireless.Frequency.isDisabled) || frequency.has(Wireless.Frequency.isPassive)
            || frequency.has(Wireless.Frequency.needsRadarDetection)
        if number == Self.lowerFrequency { isLowerBandForbidden = isForbidden }
        if Self.upperFrequencies.contains(number), !isForbidden { mayUseUpperBand = true }
    }

    /// Why it cannot be an accessory's radio, whatever its state. Nil where it can.
    var shortcoming: String? {
        guard hasNAN else { return "its driver does not offer Wi-Fi Aware" }
        guard let nan, nan.hasUserSpaceDiscovery else {
            return "its driver keeps Wi-Fi Aware discovery to itself (no user-space discovery)"
        }
        guard nan.canConfigure else { return "its driver does not let the cluster be configured" }
        guard hasDataInterface else { return "its driver offers no Wi-Fi Aware data interface" }
        guard !isLowerBandForbidden else {
            return "the rules of its country do not let it begin on channel 6 (iw reg get)"
        }
        return nil
    }

    /// Why it cannot have its discovery windows there. Nil where it can.
    func shortcoming(for bands: RadioBands) -> String? {
        guard bands == .both else { return nil }
        guard hasUpperBand else { return "it has no Wi-Fi Aware at 5 GHz: set bands = 2.4" }
        guard mayUseUpperBand else {
            return
                "the rules of its country do not let it begin at 5 GHz, on channel 149 or 44 (iw reg get): set bands = 2.4"
        }
        return nil
    }
}

extension Wiphy.NAN {
    init(_ attributes: AttributeList) throws(WireError) {
        let physical = try attributes.nested(Wireless.Capability.physical)
        canConfigure = attributes.has(Wireless.Capability.configurableSync)
        hasUserSpaceDiscovery = attributes.has(Wireless.Capability.userSpaceDiscovery)
        capabilities = RadioCapabilities(
            operationMode: attributes.octet(Wireless.Capability.operationMode) ?? 0,
            antennas: attributes.octet(Wireless.Capability.antennas) ?? 0x11,
            channelSwitchTime: attributes.number16(Wireless.Capability.channelSwitchTime) ?? 0,
            capabilities: attributes.octet(Wireless.Capability.capabilities) ?? 0,
            htCapabilities: physical.map(Self.htElement) ?? [],
            vhtCapabilities: physical.map(Self.vhtElement) ?? [])
    }

    /// - Spec: IEEE 802.11-2020, 9.4.2.55: capability information, A-MPDU parameters, supported MCS set; the
    ///   extended capabilities, beamforming and antenna selection that follow are none.
    private static func htElement(_ physical: AttributeList) -> [UInt8] {
        guard let information = physical.number16(Wireless.Physical.htCapabilities),
            let rates = physical.octets(Wireless.Physical.htRates), rates.count == 16
        else { return [] }
        let length = (physical.octet(Wireless.Physical.htAggregateLength) ?? 0) & 3
        let density = (physical.octet(Wireless.Physical.htAggregateDensity) ?? 0) & 7
        return [UInt8(truncatingIfNeeded: information), UInt8(truncatingIfNeeded: information >> 8)]
            + [length | density << 2] + rates + [0, 0, 0, 0, 0, 0, 0]
    }

    /// - Spec: IEEE 802.11-2020, 9.4.2.157.
    private static func vhtElement(_ physical: AttributeList) -> [UInt8] {
        guard let information = physical.octets(Wireless.Physical.vhtCapabilities), information.count == 4,
            let rates = physical.octets(Wireless.Physical.vhtRates), rates.count == 8
        else { return [] }
        return information + rates
    }
}
