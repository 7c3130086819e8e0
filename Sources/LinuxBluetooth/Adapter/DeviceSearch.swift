import Ports
import Wire

/// Looks for devices over Bluetooth LE, as a value: what the kernel says goes in, what to send comes out.
///
/// It changes nothing of the controller: one that is off stays off, which is said.
///
/// Legal transitions:
/// - listing → reading → starting → searching
/// - searching → starting, when the kernel ends the search by itself
/// - any → failed, where it cannot go on
struct DeviceSearch {
    enum State: Equatable {
        case listing
        /// The first of the candidates is being read.
        case reading([UInt16])
        case starting(UInt16)
        case searching(UInt16)
        case failed(String)
    }

    private(set) var state = State.listing
    /// Everyone that was heard, by what was heard last.
    private(set) var found: [DeviceFound] = []

    /// More than any place has; of further ones nothing is kept.
    private static let most = 256

    mutating func start() -> ManagementCommand {
        state = .listing
        return .readIndexList()
    }

    /// Ends the search. Nil where there is none.
    mutating func stop() -> ManagementCommand? {
        guard case .searching(let controller) = state else { return nil }
        state = .listing
        return .stopDiscovery(controller)
    }

    mutating func fail(_ reason: String) { state = .failed(reason) }

    mutating func receive(_ message: ManagementMessage) -> ManagementCommand? {
        switch message.event {
        case .answer(let opcode, let status, let octets):
            do throws(WireError) { return try answered(opcode, status, octets, from: message.index) } catch {
                state = .failed("the kernel's Bluetooth answers strangely: \(error)")
                return nil
            }
        case .found(let device):
            guard case .searching(message.index) = state else { return nil }
            keep(device)
            return nil
        case .discovering(false):
            guard case .searching(message.index) = state else { return nil }
            state = .starting(message.index)
            return .startDiscovery(message.index)
        case .controllerRemoved:
            switch state {
            case .starting(message.index), .searching(message.index):
                state = .failed("the Bluetooth controller is gone")
            case .listing, .reading, .starting, .searching, .failed: break
            }
            return nil
        case .discovering(true), .controllerAdded, .settings, .nameChanged, .newLongTermKey, .newIdentityKey,
            .passkey,
            .confirmation, .authenticationFailed, .connected, .disconnected, .unpaired, .advertisingRemoved,
            .other:
            return nil
        }
    }

    private mutating func answered(
        _ opcode: ManagementCommand.Opcode, _ status: ManagementStatus, _ octets: [UInt8], from index: UInt16
    ) throws(WireError) -> ManagementCommand? {
        switch (state, opcode) {
        case (.listing, .readIndexList):
            guard status == .success else {
                state = .failed("the kernel lists no Bluetooth controllers: \(status.words)")
                return nil
            }
            return read(try ManagementAnswers.indexList(octets))
        case (.reading(let candidates), .readInformation):
            guard let first = candidates.first, first == index else { return nil }
            guard status == .success else { return read(Array(candidates.dropFirst())) }
            let information = try ControllerInformation(parsing: octets)
            guard information.supported.contains(.lowEnergy) else {
                return read(Array(candidates.dropFirst()))
            }
            guard information.current.isSuperset(of: [.powered, .lowEnergy]) else {
                state = .failed("the Bluetooth controller is switched off (bluetoothctl power on)")
                return nil
            }
            state = .starting(index)
            return .startDiscovery(index)
        case (.starting(index), .startDiscovery):
            switch status {
            case .success, .busy: state = .searching(index)
            case .permissionDenied:
                state = .failed("this program may not search over Bluetooth: it lacks CAP_NET_ADMIN")
            default: state = .failed("the Bluetooth controller refuses to search: \(status.words)")
            }
            return nil
        case (.listing, _), (.reading, _), (.starting, _), (.searching, _), (.failed, _): return nil
        }
    }

    private mutating func read(_ candidates: [UInt16]) -> ManagementCommand? {
        guard let first = candidates.first else {
            state = .failed("there is no Bluetooth controller")
            return nil
        }
        state = .reading(candidates)
        return .readInformation(first)
    }

    /// What it last said. Its scan response, which holds the name, is not always heard.
    private mutating func keep(_ device: DeviceFound) {
        if let place = found.firstIndex(where: { $0.address == device.address }) {
            found[place].signal = device.signal
            if !found[place].data.starts(with: device.data) { found[place].data = device.data }
        } else if found.count < Self.most {
            found.append(device)
        }
    }
}
