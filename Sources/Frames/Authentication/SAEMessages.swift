import Wire

/// SAE's commit message as PASN wraps it: an authentication frame body without its header.
///
/// - Spec: 802.11-2020 §12.4.7.4 and §12.13.
public struct SAECommit: Equatable, Sendable {
    public var status: AuthenticationFrame.Status
    public var group: UInt16
    public var scalar: [UInt8]
    /// x, then y.
    public var element: [UInt8]

    public init(
        status: AuthenticationFrame.Status = .hashToElement, group: UInt16, scalar: [UInt8], element: [UInt8]
    ) {
        self.status = status
        self.group = group
        self.scalar = scalar
        self.element = element
    }
}

/// SAE's confirm message.
public struct SAEConfirm: Equatable, Sendable {
    public var sendConfirm: UInt16
    public var proof: [UInt8]

    public init(sendConfirm: UInt16, proof: [UInt8]) {
        self.sendConfirm = sendConfirm
        self.proof = proof
    }
}
