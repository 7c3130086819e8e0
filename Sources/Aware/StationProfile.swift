public import Frames
public import Ports
public import Wire

/// What every frame of a station says of it: who it is, what its radio can do, when it listens.
public struct StationProfile: Equatable, Sendable {
    /// Its management interface (NMI).
    public var address: MACAddress
    public var radio: RadioCapabilities
    /// What it says of pairing in its device capability extension.
    public var pairing: DeviceCapabilityExtension.Pairing
    public var availability: LocalAvailability
    /// Where it has discovery windows.
    public var bands: RadioBands

    public init(
        address: MACAddress, radio: RadioCapabilities, pairing: DeviceCapabilityExtension.Pairing,
        availability: LocalAvailability, bands: RadioBands = .lower
    ) {
        self.address = address
        self.radio = radio
        self.pairing = pairing
        self.availability = availability
        self.bands = bands
    }

    /// Awake in every window of both bands, for all maps: what phones say, and what they accept from a station that
    /// has 2.4 GHz alone.
    private static let everyWindow: UInt16 = 0x0449
    private var supportedBands: UInt8 {
        switch bands {
        case .lower: 1 << 2
        case .both: 1 << 2 | 1 << 4
        }
    }

    public var deviceCapability: DeviceCapability {
        DeviceCapability(
            committedWindows: Self.everyWindow, bands: supportedBands, operationMode: radio.operationMode,
            antennas: radio.antennas, channelSwitchTime: radio.channelSwitchTime,
            capabilities: DeviceCapability.Capabilities(rawValue: radio.capabilities).union(
                .dataPathExtension))
    }

    public var deviceCapabilityExtension: DeviceCapabilityExtension {
        DeviceCapabilityExtension(pairing: pairing)
    }

    /// The radio's HT and VHT capabilities, without which some peers open no data path.
    public var elementContainer: ElementContainer {
        var elements: [Element] = []
        if !radio.htCapabilities.isEmpty {
            elements.append(Element(id: .htCapabilities, body: radio.htCapabilities))
        }
        if !radio.vhtCapabilities.isEmpty {
            elements.append(Element(id: .vhtCapabilities, body: radio.vhtCapabilities))
        }
        return ElementContainer(map: 0, elements: elements)
    }

    /// The availability attribute of its frames.
    public var availabilityAttribute: Availability { availability.attribute(receiveStreams: receiveStreams) }

    /// What the radio has to be told of the availability.
    public var localSchedule: LocalSchedule { availability.schedule(receiveStreams: receiveStreams) }

    private var receiveStreams: UInt8 { radio.antennas >> 4 }
}
