public import Crypto
public import Wire

/// A NAN radio, with the kernel's own division of work (Linux 7.x, nl80211).
///
/// The radio keeps the cluster: it beacons, synchronises, elects the master, holds frames until a window in which
/// their receiver listens, acknowledges, repeats, encrypts with the keys that it was given. It makes no NAN action
/// frame by itself, and keeps none over a change of cluster.
///
/// Requests and events are values, so that a radio can wrap another: to record it, or to disturb it.
public protocol Radio: EventSource {
    /// Does what is asked, or says why not; nothing is half done.
    func perform(_ request: RadioRequest, at now: Instant) throws(RadioError)

    /// The next thing that happened, oldest first. Nil when there is nothing more for now.
    func nextEvent(at now: Instant) -> RadioEvent?
}

/// What the radio can do, as the device capability attribute and the element container report it.
public struct RadioCapabilities: Equatable, Sendable {
    /// As in the device capability attribute, and `capabilities` likewise.
    public var operationMode: UInt8
    /// Low nibble transmit, high nibble receive.
    public var antennas: UInt8
    /// In microseconds.
    public var channelSwitchTime: UInt16
    public var capabilities: UInt8
    /// Bodies of the HT (26 octets) and VHT (12 octets) capabilities elements; empty where there are none.
    public var htCapabilities: [UInt8]
    public var vhtCapabilities: [UInt8]

    public init(
        operationMode: UInt8, antennas: UInt8, channelSwitchTime: UInt16, capabilities: UInt8,
        htCapabilities: [UInt8], vhtCapabilities: [UInt8]
    ) {
        self.operationMode = operationMode
        self.antennas = antennas
        self.channelSwitchTime = channelSwitchTime
        self.capabilities = capabilities
        self.htCapabilities = htCapabilities
        self.vhtCapabilities = vhtCapabilities
    }
}

/// What a radio is asked for.
public enum RadioRequest: Sendable {
    /// Starts with a management address (NMI) of the caller's choice. Answered by ``RadioEvent/started`` and then
    /// ``RadioEvent/clusterJoined``. On a radio that runs it first stops.
    case start(RadioConfiguration)
    /// Stops and forgets peers, schedules and keys.
    case stop

    /// Sends a whole management frame, header included, sequence number zero. Answered by ``RadioEvent/sent``.
    case send([UInt8], cookie: UInt32)

    /// One without slots leaves the discovery windows alone.
    case setLocalSchedule(LocalSchedule)

    /// A peer to which unicast frames can be sent outside discovery windows once its schedule is known.
    case addPeer(MACAddress)
    case setPeerSchedule(MACAddress, PeerSchedule)
    /// Also removes its pairing key and its data paths.
    case removePeer(MACAddress)

    /// From now on protected-dual action frames (category 9) to and from the peer are encrypted with CCMP-128.
    case installPairingKey(MACAddress, Key)
    case removePairingKey(MACAddress)

    /// Lets data flow to and from a peer's data interface, encrypted with CCMP-128 where there is a key.
    /// Answered by ``RadioEvent/dataPathOpened``.
    case openDataPath(DataPeer, key: Key?)
    /// Named by the peer's data interface.
    case closeDataPath(MACAddress)
}

/// As what a radio starts.
public struct RadioConfiguration: Equatable, Sendable {
    /// Of the caller's choice; a single station's.
    public var managementAddress: MACAddress
    /// 1 … 254; 128 and above want to be master.
    public var masterPreference: UInt8
    /// Where its discovery windows are.
    public var bands: RadioBands
    /// From one discovery beacon of a master to the next, in TU. See ``beaconIntervals``.
    public var discoveryBeaconInterval: UInt8

    /// What the kernel takes.
    ///
    /// - Spec: NL80211_NAN_CONF_DISCOVERY_BEACON_INTERVAL; Wi-Fi Aware 4.0, discovery beacons.
    public static let beaconIntervals: ClosedRange<UInt8> = 50...200

    public init(
        managementAddress: MACAddress, masterPreference: UInt8, bands: RadioBands = .lower,
        discoveryBeaconInterval: UInt8 = 100
    ) {
        self.managementAddress = managementAddress
        self.masterPreference = masterPreference
        self.bands = bands
        self.discoveryBeaconInterval = discoveryBeaconInterval
    }

    /// Refuses what no radio takes.
    public func check() throws(RadioError) {
        guard 1...254 ~= masterPreference else {
            throw RadioError(.malformed, "a master preference lies between 1 and 254")
        }
        guard !managementAddress.isMulticast, managementAddress.rawValue != 0 else {
            throw RadioError(.malformed, "\(managementAddress) is no station's address")
        }
        guard Self.beaconIntervals ~= discoveryBeaconInterval else {
            throw RadioError(.malformed, "a discovery beacon interval lies between 50 and 200 TU")
        }
    }
}

/// The bands of discovery windows. That at 2.4 GHz is in both.
public enum RadioBands: Equatable, Sendable {
    /// 2.4 GHz alone.
    case lower
    /// 2.4 and 5 GHz.
    case both
}

/// When this station is available: one channel, in slots of 16 TU. Bit n of `slots` is slot n of a period of 512 TU;
/// slot 0 is the discovery window.
public struct LocalSchedule: Equatable, Sendable {
    public var slots: UInt32
    /// In MHz.
    public var frequency: UInt16
    /// The availability attribute that says so, with its head.
    public var availability: [UInt8]

    public init(slots: UInt32, frequency: UInt16, availability: [UInt8]) {
        self.slots = slots
        self.frequency = frequency
        self.availability = availability
    }
}

/// When a peer is available, on our channel.
public struct PeerSchedule: Equatable, Sendable {
    /// As in the peer's device capability attribute.
    public var committedWindows: UInt16
    /// In microseconds.
    public var channelSwitchTime: UInt16
    /// Of its availability attribute.
    public var sequence: UInt8
    /// Zero: discovery windows only.
    public var slots: UInt32

    public init(committedWindows: UInt16, channelSwitchTime: UInt16, sequence: UInt8, slots: UInt32) {
        self.committedWindows = committedWindows
        self.channelSwitchTime = channelSwitchTime
        self.sequence = sequence
        self.slots = slots
    }
}

/// The far end of a data path.
public struct DataPeer: Equatable, Sendable {
    /// Its data interface (NDI), and its management interface (NMI).
    public var address: MACAddress
    public var management: MACAddress
    /// The lower half of its IPv6 link-local address.
    public var interfaceIdentifier: UInt64
    /// The ports of the peer to which programs of this machine will send. A simulated data interface, which is no
    /// network interface, has to know them.
    public var ports: [UInt16]
    /// Bodies of its HT and VHT capabilities elements; empty where it sent none.
    public var htCapabilities: [UInt8]
    public var vhtCapabilities: [UInt8]
    /// After so long without traffic the radio reports ``RadioEvent/dataPathIdle``, in seconds; zero for never.
    public var idlePeriod: UInt16

    public init(
        address: MACAddress, management: MACAddress, interfaceIdentifier: UInt64, ports: [UInt16],
        htCapabilities: [UInt8], vhtCapabilities: [UInt8], idlePeriod: UInt16
    ) {
        self.address = address
        self.management = management
        self.interfaceIdentifier = interfaceIdentifier
        self.ports = ports
        self.htCapabilities = htCapabilities
        self.vhtCapabilities = vhtCapabilities
        self.idlePeriod = idlePeriod
    }
}

/// What happened at the radio.
public enum RadioEvent: Sendable {
    /// The data interface's address (NDI), the lower half of its IPv6 link-local address, and what this radio can do:
    /// another may have taken the place of the one before.
    case started(dataInterface: MACAddress, interfaceIdentifier: UInt64, capabilities: RadioCapabilities)
    /// Address 3 of every frame from now on. Frames handed over before and not reported as sent are lost.
    case clusterJoined(MACAddress, isNew: Bool)
    /// What should be sent in the next discovery window has to be handed over now. Every 512 TU.
    case windowDue
    case received(ReceivedFrame)
    /// `acknowledged` means nothing for multicast.
    case sent(cookie: UInt32, acknowledged: Bool)
    /// Programs of this machine bind to `own` and talk to `peer`.
    case dataPathOpened(MACAddress, own: InternetAddress, peer: InternetAddress)
    case dataPathIdle(MACAddress)
    /// The radio has left the channel of the local schedule because it is needed for something else, as where another
    /// interface follows its access point: nothing leaves outside discovery windows until a schedule is set again.
    case channelLost
    /// The radio went away or was switched off; it has forgotten everything. `start` may work later.
    case stopped(RadioError)
}

/// A frame off the air.
public struct ReceivedFrame: Equatable, Sendable {
    /// The whole frame. Of a protected one, the plain text behind a header that still says "protected".
    public var octets: [UInt8]
    /// In dBm.
    public var signal: Int8

    public init(octets: [UInt8], signal: Int8) {
        self.octets = octets
        self.signal = signal
    }
}

/// Why a radio does not do what it is asked.
public struct RadioError: Error, Equatable, Sendable {
    /// For those who act on it; the explanation is for people.
    public enum Cause: Equatable, Sendable {
        case notRunning
        case unknownPeer
        case malformed
        case noRoom
        case gone
        /// The system's error number.
        case system(Int32)
    }

    public var cause: Cause
    /// What failed, in words for the operator.
    public var explanation: String

    public init(_ cause: Cause, _ explanation: String) {
        self.cause = cause
        self.explanation = explanation
    }
}
