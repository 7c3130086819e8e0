public import Aware
public import Crypto
public import Ports

/// What either program keeps over a restart: who it is, and whom it has paired with.
public final class Records {
    private static let identityName = "identity"
    private static let peerPrefix = "peer-"

    private let store: any Store
    private let journal: any Journal

    public init(store: any Store, journal: any Journal) {
        self.store = store
        self.journal = journal
    }

    /// Our identity, made at the first start. One that is damaged is set aside and made anew: paired peers then
    /// don't know us any more, which is said.
    public func identity(entropy: any Entropy) throws(StoreError) -> Identity {
        if let record = try store.load(Self.identityName) {
            do throws(RecordRefusal) { return try Identity(parsing: record.secret) } catch {
                journal.write(
                    .warning, "our identity is damaged (\(error)) and set aside: devices have to pair again")
                try store.setAside(Self.identityName)
            }
        }
        let identity = Identity(from: entropy)
        try store.save(Self.identityName, identity.record())
        return identity
    }

    /// Every peer whose record is whole. The others are set aside, which is said.
    public func peers() throws(StoreError) -> [PairedPeer] {
        var peers: [PairedPeer] = []
        for name in try store.names().sorted() where name.hasPrefix(Self.peerPrefix) {
            guard let record = try store.load(name) else { continue }
            do throws(RecordRefusal) {
                peers.append(try PairedPeer(parsing: record.secret))
            } catch {
                journal.write(.warning, "the record \(name) is damaged (\(error)) and set aside")
                try store.setAside(name)
            }
        }
        return peers
    }

    /// Keeps a peer. A store that fails is told of, and the program goes on with what it knows.
    public func save(_ peer: PairedPeer) {
        do throws(StoreError) {
            try store.save(Self.peerPrefix + peer.id, peer.record())
        } catch {
            journal.write(.warning, "cannot keep \(peer.name.text) (\(peer.id)): \(error.explanation)")
        }
    }

    /// Forgets a peer. Where that fails it is known again at the next start.
    public func remove(_ id: String) throws(StoreError) {
        try store.remove(Self.peerPrefix + id)
    }
}
