import Ports
import SystemBus

/// What bluetoothd calls of the objects that were registered with it.
enum ServiceCall: Equatable {
    case listObjects
    case properties(of: String)
    case property(String, of: String)
    case read(device: String, offset: Int)
    case write([UInt8], device: String)
    /// A subscription starts or ends, an indication has arrived: nothing follows from it here.
    case noted
    /// An advertisement, or the agent, is registered no more.
    case released
    case showPasskey([UInt8], device: String)
    /// The agent is to end what it does.
    case cancelled

    private static let longestValue = 512

    /// - Throws: The refusal to answer with.
    init(_ call: BusMessage) throws(BusFailure) {
        switch call.interface {
        case BusNames.objectManager: self = try Self.listing(call)
        case BusNames.properties: self = try Self.properties(call)
        case BusNames.characteristic: self = try Self.characteristic(call)
        case BusNames.advertisement: self = try Self.advertisement(call)
        case BusNames.agent: self = try Self.agent(call)
        default: throw .unknownMethod
        }
    }

    private static func listing(_ call: BusMessage) throws(BusFailure) -> Self {
        guard call.member == "GetManagedObjects" else { throw .unknownMethod }
        return .listObjects
    }

    private static func properties(_ call: BusMessage) throws(BusFailure) -> Self {
        switch call.member {
        case "GetAll":
            guard call.body.count == 1, let interface = call.body[0].text else { throw .invalidArguments }
            return .properties(of: interface)
        case "Get":
            guard call.body.count == 2, let interface = call.body[0].text, let name = call.body[1].text else {
                throw .invalidArguments
            }
            return .property(name, of: interface)
        default: throw .unknownMethod
        }
    }

    private static func characteristic(_ call: BusMessage) throws(BusFailure) -> Self {
        switch call.member {
        case "ReadValue":
            guard call.body.count == 1, let device = call.body[0]["device"]?.text else {
                throw .invalidArguments
            }
            return .read(device: device, offset: try offset(call.body[0]))
        case "WriteValue":
            guard call.body.count == 2, let value = call.body[0].octetString,
                let device = call.body[1]["device"]?.text
            else { throw .invalidArguments }
            guard value.count <= longestValue else { throw .invalidLength }
            // bluetoothd puts prepared writes together itself; a part alone has no meaning for these services.
            guard try offset(call.body[1]) == 0 else { throw .invalidOffset }
            return .write(value, device: device)
        case "StartNotify", "StopNotify", "Confirm": return .noted
        default: throw .unknownMethod
        }
    }

    private static func offset(_ options: BusValue) throws(BusFailure) -> Int {
        guard let value = options["offset"] else { return 0 }
        guard let number = value.number, number <= longestValue else { throw .invalidOffset }
        return Int(number)
    }

    private static func advertisement(_ call: BusMessage) throws(BusFailure) -> Self {
        guard call.member == "Release" else { throw .unknownMethod }
        return .released
    }

    /// Passkeys are shown. What a board without keys cannot answer is rejected, and so is pairing without a passkey.
    private static func agent(_ call: BusMessage) throws(BusFailure) -> Self {
        switch call.member {
        case "DisplayPasskey":
            guard call.body.count == 3, let device = call.body[0].text, let number = call.body[1].number,
                number < 1_000_000
            else { throw .invalidArguments }
            return .showPasskey(digits(number), device: device)
        case "Release": return .released
        case "Cancel": return .cancelled
        case "RequestPinCode", "RequestPasskey", "RequestConfirmation", "RequestAuthorization",
            "AuthorizeService", "DisplayPinCode":
            throw BusFailure("org.bluez.Error.Rejected", "this accessory pairs by the passkey that it shows")
        default: throw .unknownMethod
        }
    }

    private static func digits(_ number: UInt64) -> [UInt8] {
        var digits: [UInt8] = []
        var divisor: UInt64 = 100_000
        while divisor > 0 {
            digits.append(UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
        return digits
    }
}
