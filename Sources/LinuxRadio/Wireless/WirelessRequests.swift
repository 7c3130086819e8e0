import Crypto
import Ports
import Wire

/// A wireless device of the kernel: the NAN device, or its data interface.
struct WirelessDevice: Equatable {
    var identifier: UInt64
}

/// The requests to nl80211, as octets. Sending them is somebody else's.
struct WirelessRequests {
    /// The family's number, which the kernel gives out anew when it starts.
    var family: UInt16

    private typealias Attribute = Wireless.Attribute
    private typealias Command = Wireless.Command

    // MARK: Devices

    func listRadios() -> NetlinkRequest {
        request("radios", Command.getWiphy, flags: .list) { $0.flag(Attribute.splitDump) }
    }

    /// The NAN device. It is gone when the socket is closed over which this is sent.
    func createDevice(wiphy: UInt32, name: String, address: MACAddress) -> NetlinkRequest {
        create("new NAN device", wiphy, name, Wireless.InterfaceType.nan, address)
    }

    func createDataInterface(wiphy: UInt32, name: String, address: MACAddress) -> NetlinkRequest {
        create("new data interface", wiphy, name, Wireless.InterfaceType.nanData, address)
    }

    private func create(
        _ purpose: StaticString, _ wiphy: UInt32, _ name: String, _ type: UInt16, _ address: MACAddress
    ) -> NetlinkRequest {
        request(purpose, Command.newInterface) { writer in
            writer.number32(Attribute.wiphy, wiphy)
            writer.text(Attribute.interfaceName, name)
            writer.number32(Attribute.interfaceType, UInt32(type))
            writer.flag(Attribute.socketOwner)
            writer.address(Attribute.address, address)
        }
    }

    func delete(_ device: WirelessDevice) -> NetlinkRequest {
        request("delete interface", Command.deleteInterface, device) { _ in }
    }

    /// What follows the header of frames that we want to be given.
    ///
    /// - Spec: Wi-Fi Aware 4.0, service discovery frames (type 0x13) and NAN action frames (0x18) as public (4) and
    ///   protected dual (9) action frames; authentication with algorithm 7, PASN.
    enum FramePattern {
        case action([UInt8])
        case authentication([UInt8])

        // Not stored: the compiler of 6.2 fails over constants that are arrays of these.
        static var device: [FramePattern] {
            [nan(0x04, 0x13), nan(0x04, 0x18), nan(0x09, 0x13), nan(0x09, 0x18), .authentication([7, 0])]
        }
        static var dataInterface: [FramePattern] { [nan(0x04, 0x18), nan(0x09, 0x18)] }

        private static func nan(_ category: UInt8, _ type: UInt8) -> FramePattern {
            .action([category, 0x09, 0x50, 0x6f, 0x9a, type])
        }
    }

    func register(_ pattern: FramePattern, at device: WirelessDevice) -> NetlinkRequest {
        request("register frames", Command.registerFrame, device) { writer in
            switch pattern {
            case .action(let match):
                writer.number16(Attribute.frameType, 0x00d0)
                writer.flag(Attribute.receiveMulticast)
                writer.octets(Attribute.frameMatch, match)
            case .authentication(let match):
                writer.number16(Attribute.frameType, 0x00b0)
                writer.octets(Attribute.frameMatch, match)
            }
        }
    }

    // MARK: The cluster

    /// How the device looks for clusters and keeps its own.
    enum Timing {
        /// In seconds.
        static let scanPeriod: UInt16 = 60
        /// In TU.
        static let scanDwell: UInt16 = 150
        /// In dBm: from which strength on a cluster is close, and in the middle.
        static let close: Int8 = -50
        static let middle: Int8 = -65
    }

    /// Awake in each discovery window. At 5 GHz the kernel takes channel 149, or 44 where that is not allowed.
    func start(_ device: WirelessDevice, _ settings: RadioConfiguration) -> NetlinkRequest {
        let bands: [UInt8] =
            switch settings.bands {
            case .lower: [Wireless.band2GHz]
            case .both: [Wireless.band2GHz, Wireless.band5GHz]
            }
        return request("start NAN", Command.startNAN, device) { writer in
            writer.octet(Attribute.masterPreference, settings.masterPreference)
            writer.number32(Attribute.bands, bands.reduce(0) { $0 | 1 << UInt32($1) })
            writer.nest(Attribute.configuration) { configuration in
                configuration.flag(Wireless.Configuration.notifyWindows)
                configuration.number16(Wireless.Configuration.scanPeriod, Timing.scanPeriod)
                configuration.number16(Wireless.Configuration.scanDwellTime, Timing.scanDwell)
                configuration.octet(
                    Wireless.Configuration.discoveryBeaconInterval, settings.discoveryBeaconInterval)
                configuration.nest(Wireless.Configuration.bands) { list in
                    for band in bands { list.nest(UInt16(band) + 1) { write(band: band, into: &$0) } }
                }
            }
        }
    }

    private func write(band: UInt8, into writer: inout AttributeWriter) {
        writer.octet(Wireless.BandConfiguration.band, band)
        writer.octet(Wireless.BandConfiguration.signalClose, UInt8(bitPattern: Timing.close))
        writer.octet(Wireless.BandConfiguration.signalMiddle, UInt8(bitPattern: Timing.middle))
        writer.octet(Wireless.BandConfiguration.wakeWindows, 1)
    }

    func stop(_ device: WirelessDevice) -> NetlinkRequest {
        request("stop NAN", Command.stopNAN, device) { _ in }
    }

    /// - Parameter frame: with its header. The kernel chooses the window, and the sequence number.
    func send(_ frame: [UInt8], isAction: Bool, from device: WirelessDevice) -> NetlinkRequest {
        request("send frame", Command.frame, device) { writer in
            if isAction { writer.flag(Attribute.noCCKRate) }
            writer.octets(Attribute.frame, frame)
        }
    }

    // MARK: Schedules

    func setLocalSchedule(
        _ schedule: LocalSchedule, channel: ScheduleChannel, of device: WirelessDevice
    ) -> NetlinkRequest {
        request("set local schedule", Command.setLocalSchedule, device) { writer in
            channel.write(into: &writer)
            writer.octets(Attribute.timeSlots, ScheduleChannel.timeSlots(schedule.slots))
            writer.octets(Attribute.availability, schedule.availability)
        }
    }

    /// - Parameter channel: where the peer's slots are; nil where it has none but the discovery windows.
    func setPeerSchedule(
        _ schedule: PeerSchedule, of peer: MACAddress, channel: ScheduleChannel?, at device: WirelessDevice
    ) -> NetlinkRequest {
        request("set peer schedule", Command.setPeerSchedule, device) { writer in
            writer.address(Attribute.address, peer)
            writer.number16(Attribute.committedWindows, schedule.committedWindows)
            writer.number16(Attribute.channelSwitchTime, schedule.channelSwitchTime)
            guard let channel, schedule.slots != 0 else { return }
            writer.octet(Attribute.sequence, schedule.sequence)
            channel.write(into: &writer)
            writer.nest(Attribute.peerMaps) { maps in
                maps.nest(1) { map in
                    map.octet(Wireless.PeerMap.identifier, 1)
                    map.octets(Wireless.PeerMap.timeSlots, ScheduleChannel.timeSlots(schedule.slots))
                }
            }
        }
    }

    /// The peer has no schedule any more.
    func removePeerSchedule(of peer: MACAddress, at device: WirelessDevice) -> NetlinkRequest {
        request("remove peer schedule", Command.setPeerSchedule, device) { writer in
            writer.address(Attribute.address, peer)
            writer.number16(Attribute.committedWindows, 0)
        }
    }

    // MARK: Stations and keys

    /// A peer at the NAN device, or, where `management` is given, its data interface at ours.
    func addStation(
        _ station: MACAddress, flags: Wireless.StationFlags, management: MACAddress? = nil,
        at device: WirelessDevice
    ) -> NetlinkRequest {
        request("add station", Command.newStation, device) { writer in
            writer.address(Attribute.address, station)
            // The kernel demands these three; in NAN they mean nothing.
            writer.number16(Attribute.stationCapability, 0)
            writer.number16(Attribute.stationAssociation, 1)
            writer.number16(Attribute.stationListenInterval, 0)
            write(set: flags, of: flags, into: &writer)
            if let management { writer.address(Attribute.managementAddress, management) }
        }
    }

    /// Changes the flags in `mask`. The capabilities are bodies of elements, empty where there are none.
    func setStation(
        _ station: MACAddress, set flags: Wireless.StationFlags, of mask: Wireless.StationFlags,
        htCapabilities: [UInt8] = [], vhtCapabilities: [UInt8] = [], at device: WirelessDevice
    ) -> NetlinkRequest {
        request("change station", Command.setStation, device) { writer in
            writer.address(Attribute.address, station)
            if !htCapabilities.isEmpty { writer.octets(Attribute.htCapability, htCapabilities) }
            if !vhtCapabilities.isEmpty { writer.octets(Attribute.vhtCapability, vhtCapabilities) }
            write(set: flags, of: mask, into: &writer)
        }
    }

    private func write(
        set flags: Wireless.StationFlags, of mask: Wireless.StationFlags, into writer: inout AttributeWriter
    ) {
        writer.number64(
            Attribute.stationFlags, UInt64(mask.rawValue) | UInt64(flags.rawValue) << 32)
    }

    func removeStation(_ station: MACAddress, at device: WirelessDevice) -> NetlinkRequest {
        request("remove station", Command.deleteStation, device) { $0.address(Attribute.address, station) }
    }

    func describeStation(_ station: MACAddress, at device: WirelessDevice) -> NetlinkRequest {
        request("look at station", Command.getStation, device) { $0.address(Attribute.address, station) }
    }

    func installPairwiseKey(
        _ key: Key, for station: MACAddress, at device: WirelessDevice
    ) -> NetlinkRequest {
        request("install key", Command.newKey, device) { writer in
            writer.address(Attribute.address, station)
            write(key, index: 0, into: &writer)
        }
    }

    func removePairwiseKey(for station: MACAddress, at device: WirelessDevice) -> NetlinkRequest {
        request("remove key", Command.deleteKey, device) { writer in
            writer.address(Attribute.address, station)
            writer.nest(Attribute.key) { $0.octet(Wireless.KeyAttribute.index, 0) }
        }
    }

    func installGroupKey(_ key: Key, index: UInt8, at device: WirelessDevice) -> NetlinkRequest {
        request("install group key", Command.newKey, device) { write(key, index: index, into: &$0) }
    }

    /// From now on what goes to many is encrypted with the key.
    func useGroupKey(index: UInt8, at device: WirelessDevice) -> NetlinkRequest {
        request("use group key", Command.setKey, device) { writer in
            writer.nest(Attribute.key) { key in
                key.octet(Wireless.KeyAttribute.index, index)
                key.flag(Wireless.KeyAttribute.isDefault)
                key.nest(Wireless.KeyAttribute.defaultTypes) { $0.flag(Wireless.KeyAttribute.multicast) }
            }
        }
    }

    private func write(_ key: Key, index: UInt8, into writer: inout AttributeWriter) {
        writer.nest(Attribute.key) { attributes in
            attributes.secret(Wireless.KeyAttribute.data, key)
            attributes.number32(Wireless.KeyAttribute.cipher, Wireless.ccmp)
            attributes.octets(Wireless.KeyAttribute.sequence, [0, 0, 0, 0, 0, 0])
            attributes.octet(Wireless.KeyAttribute.index, index)
        }
    }

    // MARK: The head

    private func request(
        _ name: StaticString, _ command: UInt8, _ device: WirelessDevice,
        _ write: (inout AttributeWriter) -> Void
    ) -> NetlinkRequest {
        request(name, command) { writer in
            writer.number64(Attribute.device, device.identifier)
            write(&writer)
        }
    }

    private func request(
        _ name: StaticString, _ command: UInt8, flags: NetlinkRequest.Flags = .order,
        _ write: (inout AttributeWriter) -> Void
    ) -> NetlinkRequest {
        // struct genlmsghdr: command, version, reserved.
        NetlinkRequest(name, kind: family, flags: flags, head: [command, 0, 0, 0], write)
    }
}
