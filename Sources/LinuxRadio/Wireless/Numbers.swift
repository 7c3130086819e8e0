/// The numbers of nl80211 that a NAN device needs.
///
/// They are ours because the headers of Debian 12 (Linux 6.1) and 13 (6.12) lack those of NAN.
///
/// - Spec: include/uapi/linux/nl80211.h of Linux 7.3.
enum Wireless {
    /// NL80211_CMD_…
    enum Command {
        static let getWiphy: UInt8 = 1
        static let newWiphy: UInt8 = 3
        static let newInterface: UInt8 = 7
        static let deleteInterface: UInt8 = 8
        static let setKey: UInt8 = 10
        static let newKey: UInt8 = 11
        static let deleteKey: UInt8 = 12
        static let getStation: UInt8 = 17
        static let setStation: UInt8 = 18
        static let newStation: UInt8 = 19
        static let deleteStation: UInt8 = 20
        static let registerFrame: UInt8 = 58
        static let frame: UInt8 = 59
        static let frameStatus: UInt8 = 60
        static let startNAN: UInt8 = 115
        static let stopNAN: UInt8 = 116
        static let nextWindow: UInt8 = 158
        static let clusterJoined: UInt8 = 159
        static let setLocalSchedule: UInt8 = 161
        static let scheduleUpdated: UInt8 = 162
        static let setPeerSchedule: UInt8 = 163
        static let unalignedSchedule: UInt8 = 164
        static let channelEvacuation: UInt8 = 165
    }

    /// NL80211_ATTR_…
    enum Attribute {
        static let wiphy: UInt16 = 1
        static let wiphyName: UInt16 = 2
        static let interfaceIndex: UInt16 = 3
        static let interfaceName: UInt16 = 4
        static let interfaceType: UInt16 = 5
        static let address: UInt16 = 6
        static let stationAssociation: UInt16 = 16
        static let stationListenInterval: UInt16 = 18
        static let stationInformation: UInt16 = 21
        static let radioBands: UInt16 = 22
        static let htCapability: UInt16 = 31
        static let supportedInterfaceTypes: UInt16 = 32
        static let frequency: UInt16 = 38
        static let frame: UInt16 = 51
        static let stationFlags: UInt16 = 67
        static let key: UInt16 = 80
        static let cookie: UInt16 = 88
        static let frameMatch: UInt16 = 91
        static let acknowledged: UInt16 = 92
        static let frameType: UInt16 = 101
        static let noCCKRate: UInt16 = 135
        static let signal: UInt16 = 151
        static let device: UInt16 = 153
        static let vhtCapability: UInt16 = 157
        static let channelWidth: UInt16 = 159
        static let centerFrequency1: UInt16 = 160
        static let centerFrequency2: UInt16 = 161
        static let stationCapability: UInt16 = 171
        static let splitDump: UInt16 = 174
        static let socketOwner: UInt16 = 204
        static let masterPreference: UInt16 = 238
        static let bands: UInt16 = 239
        static let receiveMulticast: UInt16 = 289
        static let configuration: UInt16 = 342
        static let isNewCluster: UInt16 = 343
        static let capabilities: UInt16 = 344
        static let channel: UInt16 = 351
        static let channelEntry: UInt16 = 352
        static let timeSlots: UInt16 = 353
        static let receiveStreams: UInt16 = 354
        static let availability: UInt16 = 355
        static let isScheduleUpdated: UInt16 = 357
        static let managementAddress: UInt16 = 358
        static let unalignedSchedule: UInt16 = 359
        static let committedWindows: UInt16 = 360
        static let sequence: UInt16 = 361
        static let channelSwitchTime: UInt16 = 362
        static let peerMaps: UInt16 = 363
    }

    /// The highest attribute that a radio of ours uses: a kernel that does not know it is too old.
    static let newestAttribute = UInt32(Attribute.peerMaps)

    /// NL80211_IFTYPE_…
    enum InterfaceType {
        static let nan: UInt16 = 12
        static let nanData: UInt16 = 13
    }

    /// NL80211_NAN_CAPA_…
    enum Capability {
        static let configurableSync: UInt16 = 1
        static let userSpaceDiscovery: UInt16 = 2
        static let operationMode: UInt16 = 3
        static let antennas: UInt16 = 4
        static let channelSwitchTime: UInt16 = 5
        static let capabilities: UInt16 = 6
        static let physical: UInt16 = 7
    }

    /// NL80211_BAND_ATTR_…
    enum Band {
        static let frequencies: UInt16 = 1
    }

    /// NL80211_FREQUENCY_ATTR_…
    enum Frequency {
        static let number: UInt16 = 1
        static let isDisabled: UInt16 = 2
        /// No radiation that nobody asked for.
        static let isPassive: UInt16 = 3
        static let needsRadarDetection: UInt16 = 5
    }

    /// NL80211_NAN_PHY_CAP_ATTR_…
    enum Physical {
        static let htRates: UInt16 = 1
        static let htCapabilities: UInt16 = 2
        static let htAggregateLength: UInt16 = 3
        static let htAggregateDensity: UInt16 = 4
        static let vhtRates: UInt16 = 5
        static let vhtCapabilities: UInt16 = 6
    }

    /// NL80211_NAN_CONF_…
    enum Configuration {
        static let bands: UInt16 = 4
        static let scanPeriod: UInt16 = 5
        static let scanDwellTime: UInt16 = 6
        static let discoveryBeaconInterval: UInt16 = 7
        static let notifyWindows: UInt16 = 8
    }

    /// NL80211_NAN_BAND_CONF_…
    enum BandConfiguration {
        static let band: UInt16 = 1
        static let signalClose: UInt16 = 3
        static let signalMiddle: UInt16 = 4
        static let wakeWindows: UInt16 = 5
    }

    /// NL80211_NAN_PEER_MAP_ATTR_…
    enum PeerMap {
        static let identifier: UInt16 = 1
        static let timeSlots: UInt16 = 2
    }

    /// NL80211_KEY_…
    enum KeyAttribute {
        static let data: UInt16 = 1
        static let index: UInt16 = 2
        static let cipher: UInt16 = 3
        static let sequence: UInt16 = 4
        static let isDefault: UInt16 = 5
        static let defaultTypes: UInt16 = 8
        /// NL80211_KEY_DEFAULT_TYPE_MULTICAST, in `defaultTypes`.
        static let multicast: UInt16 = 2
    }

    /// NL80211_STA_INFO_…
    enum StationInformation {
        static let inactiveTime: UInt16 = 1
    }

    /// NL80211_BAND_2GHZ, NL80211_BAND_5GHZ.
    static let band2GHz: UInt8 = 0
    static let band5GHz: UInt8 = 1
    /// NL80211_CHAN_WIDTH_20: 20 MHz with HT.
    static let width20: UInt32 = 1
    /// 00-0F-AC:4.
    static let ccmp: UInt32 = 0x000f_ac04

    /// NL80211_STA_FLAG_…, as bits.
    struct StationFlags: OptionSet {
        var rawValue: UInt32
        static let authorized = StationFlags(rawValue: 1 << 1)
        static let protectsManagement = StationFlags(rawValue: 1 << 4)
        static let authenticated = StationFlags(rawValue: 1 << 5)
        static let associated = StationFlags(rawValue: 1 << 7)
    }

    /// Groups of events that a socket can join.
    enum Group {
        static let interfaces = "config"
        static let frames = "mlme"
    }
}
