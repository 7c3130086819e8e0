public import Frames
public import Wire

/// The publisher's side of bootstrapping: what a device that shows a PIN says to a request.
///
/// It keeps nothing of a peer: whoever decides about the pairing window says what holds now.
public enum BootstrappingAnswer {
    /// What the pairing window says to this peer.
    public enum Decision: Equatable, Sendable {
        case accept
        case comeBack(after: TimeUnits)
        case reject
    }

    /// Why a request is answered with no, whatever the window says.
    public enum Refusal: Error, Equatable, Sendable {
        case notARequest
        case missingToken
        /// A cookie that we never gave. What a request brings is said back in PASN, so its size must be ours to choose.
        case foreignCookie
    }

    /// What the peer asks for, if it is something that we can do at all: its keypad for our display.
    public static func isForOurDisplay(_ request: PairingBootstrapping) throws(Refusal) -> Bool {
        guard case .request(let cookie) = request.step else { throw .notARequest }
        guard request.dialogToken != 0 else { throw .missingToken }
        guard cookie.isEmpty || cookie == Self.cookie else { throw .foreignCookie }
        return request.methods.contains(.pinKeypad)
    }

    /// The answer to a request for our display.
    public static func answer(_ request: PairingBootstrapping, _ decision: Decision) -> PairingBootstrapping {
        switch decision {
        case .accept:
            answer(request, .accepted, .pinDisplay)
        case .comeBack(let after):
            answer(request, .comeBack(after: after, cookie: cookie), [])
        case .reject:
            rejection(of: request)
        }
    }

    /// The answer to a request that cannot be met, whatever the window says.
    public static func rejection(of request: PairingBootstrapping) -> PairingBootstrapping {
        answer(request, .rejected(.methodNotSupported), [])
    }

    /// The peer repeats it; nothing is bound to it, since nothing is kept.
    private static let cookie: [UInt8] = [0, 0, 0, 1]

    private static func answer(
        _ request: PairingBootstrapping, _ step: PairingBootstrapping.Step, _ methods: BootstrappingMethods
    ) -> PairingBootstrapping {
        PairingBootstrapping(dialogToken: request.dialogToken, step: step, methods: methods)
    }
}

extension BootstrappingAnswer.Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notARequest: "not a request"
        case .missingToken: "no dialog token"
        case .foreignCookie: "a cookie that was never given"
        }
    }
}
