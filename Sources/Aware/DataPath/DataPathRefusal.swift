public import Frames
public import Wire

/// Why a frame of a data path's or schedule's negotiation was not taken in. Nothing has changed where one is thrown.
public enum DataPathRefusal: Error, Equatable, Sendable {
    case unreadable(WireError)
    /// The category and the header disagree, or the exchange began encrypted and this frame is not.
    case unprotected
    case missing(AttributeID)
    /// Names another data path, or another exchange.
    case otherDataPath
    /// Not the message that is due.
    case unexpected(ActionFrame.Subtype)
    /// The attributes contradict the kind of frame.
    case contradictory
    /// Asks for a data path without encryption.
    case open
    /// For those who look up keys: the peer is not paired.
    case unpaired
    case unknownService(UInt8)
    case unsupportedSuite
    /// The peer means another master key than ours.
    case unknownKey
    /// A data interface that cannot be one: a group's, or our own.
    case invalidAddress
    case noCommonSlots
    /// Fewer slots in common, or longer pauses between them, than the peer needs.
    case insufficientSlots
    /// The flags of the key descriptor are not those of the message.
    case wrongKeyInformation(UInt16)
    case replayed(UInt64)
    case wrongNonce
    case wrongCode
    case unreadableKeyData
    /// The peer does not want the schedule that we asked for.
    case rejected(Reason)
    /// The negotiation or the data path is over.
    case over

    /// What to tell the peer whose request was refused. Nil where it is better to say nothing.
    public var reason: Reason? {
        switch self {
        case .open, .unpaired: .securityPolicy
        case .unknownService, .unsupportedSuite, .unknownKey, .invalidAddress: .invalidParameters
        case .missing(.availability), .noCommonSlots: .invalidAvailability
        case .missing: .invalidParameters
        case .insufficientSlots: .unacceptableQoS
        case .unreadable, .unprotected, .otherDataPath, .unexpected, .contradictory, .wrongKeyInformation,
            .replayed, .wrongNonce, .wrongCode, .unreadableKeyData, .rejected, .over:
            nil
        }
    }
}

extension DataPathRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .unprotected: "not protected as it has to be"
        case .missing(let attribute): "attribute \(attribute.rawValue) is missing"
        case .otherDataPath: "belongs to another data path"
        case .unexpected(let subtype): "action frame \(subtype.rawValue) is not due"
        case .contradictory: "attributes contradict the kind of frame"
        case .open: "data path without encryption"
        case .unpaired: "not paired"
        case .unknownService(let publish): "publish id \(publish) is not ours"
        case .unsupportedSuite: "no common cipher suite"
        case .unknownKey: "another master key"
        case .invalidAddress: "impossible data interface address"
        case .noCommonSlots: "no time slots in common"
        case .insufficientSlots: "too few time slots in common"
        case .wrongKeyInformation(let info): "key information \(info) is not that of the message"
        case .replayed(let counter): "replay counter \(counter) was used before or never"
        case .wrongNonce: "wrong nonce"
        case .wrongCode: "wrong MIC"
        case .unreadableKeyData: "key data cannot be unwrapped"
        case .rejected(let reason): "rejected by the peer, reason \(reason.rawValue)"
        case .over: "the data path is over"
        }
    }
}

/// Reasons of negotiations about data paths.
///
/// - Spec: Wi-Fi Aware 4.0, reason codes of the NDP, NDL and NDPE attributes.
extension Reason {
    public static let unspecified = Reason(rawValue: 1)
    public static let noResources = Reason(rawValue: 2)
    public static let invalidParameters = Reason(rawValue: 3)
    public static let invalidAvailability = Reason(rawValue: 6)
    public static let securityPolicy = Reason(rawValue: 8)
    public static let unacceptableQoS = Reason(rawValue: 9)
    public static let dataPathRejected = Reason(rawValue: 10)
    public static let dataLinkUnacceptable = Reason(rawValue: 11)
}
