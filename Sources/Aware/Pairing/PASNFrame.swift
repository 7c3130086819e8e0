import Crypto
import Frames
import Wire

/// What the three frames of PASN have in common: how they are read strictly, and what their NAN element says.
///
/// - Spec: 802.11az-2022 §12.13; Wi-Fi Aware 4.0, pairing setup and pairing verification.
enum PASNFrame {
    static let micCount = 16
    static let group = Group.p256

    /// The frame with the elements of `body`, if it is the one with that sequence number.
    static func read(_ body: [UInt8], sequence: UInt16) throws(PairingRefusal) -> AuthenticationFrame {
        let frame: AuthenticationFrame
        do throws(WireError) { frame = try AuthenticationFrame(parsing: FrameReader(body.span.bytes)) } catch
        {
            throw .malformed(error)
        }
        guard frame.algorithm == .pasn else { throw .wrongAlgorithm(frame.algorithm.rawValue) }
        guard frame.sequence == sequence else { throw .wrongSequence(frame.sequence) }
        return frame
    }

    /// Ends the reading of a frame whose sender gives up.
    static func needSuccess(_ frame: AuthenticationFrame) throws(PairingRefusal) {
        guard frame.status == .success else { throw .refusedByPeer(status: frame.status.rawValue) }
    }

    /// The content of the only element that has it, if there is one.
    static func content<Content: ElementContent>(
        _ content: Content.Type, of frame: AuthenticationFrame, _ part: PairingRefusal.Part
    ) throws(PairingRefusal) -> Content? {
        guard frame.elements.count(where: { Content.isIn($0) }) <= 1 else { throw .repeated(part) }
        do throws(WireError) { return try frame.content(content) } catch { throw .malformed(error) }
    }

    /// The content of the only element that has it, which must be there.
    static func need<Content: ElementContent>(
        _ content: Content.Type, of frame: AuthenticationFrame, _ part: PairingRefusal.Part
    ) throws(PairingRefusal) -> Content {
        guard let found = try self.content(content, of: frame, part) else { throw .missing(part) }
        return found
    }

    /// What the sender of the RSN element proposes or confirms, if it is what we can do.
    static func security(of frame: AuthenticationFrame) throws(PairingRefusal) -> RobustSecurity {
        let security = try need(RobustSecurity.self, of: frame, .rsn)
        guard security.version == 1 else { throw .unsupportedVersion(security.version) }
        for cipher in security.pairwiseCiphers where cipher != .ccmp128 {
            throw .unsupportedCipher(cipher.rawValue)
        }
        guard security.pairwiseCiphers.count == 1 else { throw .unsupportedCipher(0) }
        guard security.keyManagement.count == 1 else { throw .unsupportedKeyManagement(0) }
        guard security.keyIdentifiers.count <= 1 else { throw .repeated(.keyIdentifier) }
        return security
    }

    /// The parameters, with a group that we can do where there is a public key.
    static func parameters(of frame: AuthenticationFrame) throws(PairingRefusal) -> PASNParameters {
        let parameters = try need(PASNParameters.self, of: frame, .pasnParameters)
        guard parameters.comeBack == nil else { throw .comeBack }
        return parameters
    }

    /// The ephemeral public key in `parameters`, of our group.
    static func publicKey(in parameters: PASNParameters) throws(PairingRefusal) -> [UInt8] {
        guard let publicKey = parameters.publicKey else { throw .missing(.publicKey) }
        guard publicKey.group == group.rawValue else { throw .unsupportedGroup(publicKey.group) }
        return publicKey.key
    }

    /// SAE needs the RSN extension element to say that it goes by hash-to-element.
    static func needHashToElement(in frame: AuthenticationFrame) throws(PairingRefusal) {
        guard let element = frame.element(.rsnExtension) else { throw .missing(.rsnExtension) }
        guard let first = element.body.first, first & hashToElementBit != 0 else { throw .notHashToElement }
    }

    /// Nothing may be wrapped where there is nothing to prove by SAE.
    static func needUnwrapped(
        _ frame: AuthenticationFrame, _ parameters: PASNParameters
    ) throws(PairingRefusal) {
        guard parameters.format == .none else { throw .unsupportedWrapping(parameters.format.rawValue) }
        guard frame.element(.wrappedData) == nil else { throw .misplaced(.wrappedData) }
    }

    /// A commitment that we can answer.
    static func check(_ commit: SAECommit) throws(PairingRefusal) {
        guard commit.status == .hashToElement else { throw .notHashToElement }
        guard commit.group == group.rawValue else { throw .unsupportedGroup(commit.group) }
    }

    /// The MIC, which is the last element, and the body with zeros in its place.
    static func mic(
        of frame: AuthenticationFrame, in body: [UInt8]
    ) throws(PairingRefusal) -> (mic: [UInt8], zeroed: [UInt8]) {
        let mic = try need(MessageIntegrityCode.self, of: frame, .mic).octets
        guard frame.elements.last?.id == .mic, mic.count == micCount else { throw .misplaced(.mic) }
        return (mic, body.dropLast(micCount) + zeroMIC)
    }

    // MARK: Writing

    /// - Spec: 802.11-2020 §9.4.2.241, RSN extension element, bit 5.
    private static let hashToElementBit: UInt8 = 1 << 5
    private static let zeroMIC = [UInt8](repeating: 0, count: micCount)

    static func rsn(identifier: [UInt8]?) -> Element {
        let identifiers: [[UInt8]] = if let identifier { [identifier] } else { [] }
        return element(
            RobustSecurity(pairwiseCiphers: [.ccmp128], keyManagement: [.sae], keyIdentifiers: identifiers))
    }

    static func parameters(_ format: PASNParameters.WrappedDataFormat, publicKey: [UInt8]?) -> Element {
        var key: PASNParameters.PublicKey?
        if let publicKey { key = PASNParameters.PublicKey(group: group.rawValue, key: publicKey) }
        return element(PASNParameters(format: format, publicKey: key))
    }

    static func element<Content: ElementContent>(_ content: Content) -> Element {
        do throws(WireError) { return try Element(content) } catch { die("an element of PASN does not fit") }
    }

    /// The security elements of a frame as they stand in it: what Auth2's MIC covers before the body.
    static func securityOctets(of elements: [Element]) -> [UInt8] {
        var writer = FrameWriter()
        for element in elements where element.id == .rsn { element.write(into: &writer) }
        for element in elements where element.id == .rsnExtension { element.write(into: &writer) }
        return finish(writer)
    }

    static func body(
        sequence: UInt16, status: AuthenticationFrame.Status = .success, _ elements: [Element]
    ) -> [UInt8] {
        var writer = FrameWriter()
        AuthenticationFrame(sequence: sequence, status: status, elements: elements).write(into: &writer)
        return finish(writer)
    }

    /// The body of a frame whose last element is the MIC that `mic` makes of the body with zeros in its place.
    static func body(sequence: UInt16, _ elements: [Element], mic: ([UInt8]) -> [UInt8]) -> [UInt8] {
        let zeroed = body(sequence: sequence, elements + [element(MessageIntegrityCode(octets: zeroMIC))])
        return zeroed.dropLast(micCount) + mic(zeroed)
    }

    /// What we compose ourselves always fits.
    private static func finish(_ writer: consuming FrameWriter) -> [UInt8] {
        do throws(WireError) { return try writer.finish() } catch { die("a frame of PASN does not fit") }
    }
}
