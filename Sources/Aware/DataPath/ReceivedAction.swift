public import Frames
import Wire

/// A NAN action frame as it came: what it says, and the octets that MICs cover.
public struct ReceivedAction: Equatable, Sendable {
    public let frame: ActionFrame
    /// From the category octet on.
    public let body: [UInt8]
    /// It came encrypted with the pairing key: category 9, and the header said so.
    public let isProtected: Bool

    /// - Parameter isEncrypted: what the header said. It has to agree with the category.
    public init(parsing body: [UInt8], isEncrypted: Bool) throws(DataPathRefusal) {
        do {
            frame = try ActionFrame(parsingBody: body)
        } catch {
            throw .unreadable(error)
        }
        guard frame.isProtectedDual == isEncrypted else { throw .unprotected }
        self.body = body
        isProtected = isEncrypted
    }

    /// Nil for a discovery frame.
    public var subtype: ActionFrame.Subtype? {
        switch frame.kind {
        case .action(let subtype): subtype
        case .serviceDiscovery: nil
        }
    }

    var dataLink: DataLink? {
        for case .dataLink(let link) in frame.attributes { return link }
        return nil
    }

    var dataLinkQoS: DataLinkQoS? {
        for case .dataLinkQoS(let quality) in frame.attributes { return quality }
        return nil
    }

    var dataCluster: DataCluster? {
        for case .dataCluster(let cluster) in frame.attributes { return cluster }
        return nil
    }

    var sharedKeyDescriptor: SharedKeyDescriptor? {
        for case .sharedKeyDescriptor(let descriptor) in frame.attributes { return descriptor }
        return nil
    }

    var cipherSuites: CipherSuiteInformation? {
        for case .cipherSuiteInformation(let information) in frame.attributes { return information }
        return nil
    }

    var securityContexts: SecurityContextInformation? {
        for case .securityContextInformation(let information) in frame.attributes { return information }
        return nil
    }

    /// The body of an element in the element container; empty where there is none of the right length.
    func element(_ id: Element.ID, count: Int) -> [UInt8] {
        for case .elementContainer(let container) in frame.attributes {
            for element in container.elements where element.id == id && element.body.count == count {
                return element.body
            }
        }
        return []
    }
}
