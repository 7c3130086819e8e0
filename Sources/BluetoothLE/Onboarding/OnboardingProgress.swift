public import Wire

/// Where the onboarding stands. The PIN is never in it: it proves who stands before the accessory.
public enum OnboardingProgress: Equatable, Sendable {
    case idle
    /// Strangers may pair, for so many seconds.
    case open(seconds: UInt32)
    /// The accessory shows a PIN, to be typed on the phone.
    case pinShown
    /// For a few seconds.
    case paired
    /// Why, for a few seconds.
    case failed(String)
    /// Nobody may try, for so many seconds.
    case locked(seconds: UInt32)

    /// The same without the seconds, which change by themselves: others are told when this does.
    public var standing: OnboardingProgress {
        switch self {
        case .open: .open(seconds: 0)
        case .locked: .locked(seconds: 0)
        case .idle, .pinShown, .paired, .failed: self
        }
    }
}

// MARK: Octets: state (1) | seconds (4) | reason, behind its length

extension OnboardingProgress {
    public init(parsing value: [UInt8]) throws(WireError) {
        var reader = FrameReader(value.span.bytes)
        let state = try reader.octet("onboarding state")
        let seconds = try reader.number32("seconds left")
        let reason = try reader.text8("reason")
        switch state {
        case 0: self = .idle
        case 1: self = .open(seconds: seconds)
        case 2: self = .pinShown
        case 3: self = .paired
        case 4: self = .failed(reason)
        case 5: self = .locked(seconds: seconds)
        default: throw .unexpected("onboarding state", value: UInt64(state))
        }
    }

    public func write(into frame: inout FrameWriter) {
        switch self {
        case .idle: write(0, into: &frame)
        case .open(let seconds): write(1, seconds: seconds, into: &frame)
        case .pinShown: write(2, into: &frame)
        case .paired: write(3, into: &frame)
        case .failed(let reason): write(4, reason: reason, into: &frame)
        case .locked(let seconds): write(5, seconds: seconds, into: &frame)
        }
    }

    private func write(
        _ state: UInt8, seconds: UInt32 = 0, reason: String = "", into frame: inout FrameWriter
    ) {
        frame.octet(state)
        frame.number32(seconds)
        frame.text8(reason)
    }
}

/// What a client that has paired over Bluetooth may know of the device that is tied to its bond.
public enum OnboardingResult: Equatable, Sendable {
    case none
    /// The identifier by which the accessory lists the device. 4 octets.
    case paired([UInt8])
}

// MARK: Octets: paired (1: 0 or 1) | identifier (4)

extension OnboardingResult {
    public init(parsing value: [UInt8]) throws(WireError) {
        var reader = FrameReader(value.span.bytes)
        let isPaired = try reader.octet("result") == 1
        let identifier = try reader.octets(4, "device's identifier")
        self = isPaired ? .paired(identifier) : .none
    }

    public func write(into frame: inout FrameWriter) {
        switch self {
        case .none: frame.zeros(5)
        case .paired(let identifier):
            frame.octet(1)
            if identifier.count != 4 {
                frame.fail(.unexpected("length of a device's identifier", value: UInt64(identifier.count)))
            }
            frame.octets(identifier)
        }
    }
}
