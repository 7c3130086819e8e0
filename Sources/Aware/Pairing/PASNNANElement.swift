import Frames
import Wire

/// The NAN element inside a PASN frame: which suite for which publish, and what the authentication rests on.
///
/// - Spec: Wi-Fi Aware 4.0, NAN attributes in authentication frames.
struct PASNNANElement {
    /// What stands beside the cipher suite.
    enum Basis {
        /// The bootstrapping request that the PIN belongs to.
        case bootstrapping(PairingBootstrapping)
        case identity(IdentityResolution)
    }

    var publish: UInt8
    var bootstrapping: PairingBootstrapping?
    var resolution: IdentityResolution?

    /// What the frame's NAN elements say together, which must offer our suite. There may be several of them: each
    /// ends at 255 octets.
    init(of frame: AuthenticationFrame) throws(PairingRefusal) {
        var attributes: [Attribute]?
        for element in frame.elements where NANElement.isIn(element) {
            do throws(WireError) {
                let nan = try NANElement(parsing: FrameReader(element.body.span.bytes))
                attributes = (attributes ?? []) + nan.attributes
            } catch {
                throw .malformed(error)
            }
        }
        guard let attributes else { throw .missing(.nanElement) }
        var suites: CipherSuiteInformation?
        for attribute in attributes {
            switch attribute {
            case .cipherSuiteInformation(let information):
                guard suites == nil else { throw .repeated(.cipherSuites) }
                suites = information
            case .identityResolution(let found):
                guard resolution == nil else { throw .repeated(.identityResolution) }
                resolution = found
            case .pairingBootstrapping(let found):
                bootstrapping = found
            default:
                break
            }
        }
        guard let suites else { throw .missing(.cipherSuites) }
        guard let entry = suites.entries.first(where: { $0.suite == .pasn128 }) else {
            throw .unsupportedSuites
        }
        publish = entry.publish
    }

    static func element(_ offer: PairingOffer, _ basis: Basis) -> Element {
        var attributes = [suites(of: offer)]
        switch basis {
        case .bootstrapping(let request):
            attributes.append(
                .deviceCapabilityExtension(DeviceCapabilityExtension(pairing: [.setup, .caching])))
            attributes.append(.pairingBootstrapping(request))
        case .identity(let resolution):
            attributes.append(.identityResolution(resolution))
        }
        return element(attributes)
    }

    /// For a frame that ends an authentication: the suite alone.
    static func element(_ offer: PairingOffer) -> Element { element([suites(of: offer)]) }

    private static func suites(of offer: PairingOffer) -> Attribute {
        .cipherSuiteInformation(
            CipherSuiteInformation(
                capabilities: offer.capabilities, entries: [.init(suite: .pasn128, publish: offer.publish)]))
    }

    private static func element(_ attributes: [Attribute]) -> Element {
        PASNFrame.element(NANElement(attributes: attributes))
    }
}
