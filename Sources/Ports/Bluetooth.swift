public import BluetoothLE
public import Wire

/// The board's Bluetooth, as the peripheral that phones find and whose services they read.
///
/// It keeps the controller powered and the services registered, brings the advertisements back after whatever took
/// them away (a switched-off or unplugged controller, another Bluetooth daemon), lets clients in and keeps bonds. What
/// a client may do is checked against ``GATTCharacteristic/access`` before ``answerer`` is asked.
public protocol Bluetooth: EventSource {
    /// Who answers clients. It keeps its answerer.
    var answerer: (any GATTAnswerer)? { get set }
    /// Whose bonds it keeps, the oldest first, while it is not started too. Those that a daemon keeps are not among them.
    var bonds: [BluetoothAddress] { get }
    func perform(_ request: BluetoothRequest, at now: Instant)
    /// Forgets a bond and ends the connection that uses it.
    ///
    /// - Throws: where what is kept of it cannot be removed: it is forgotten until the next start only.
    func removeBond(_ address: BluetoothAddress, at now: Instant) throws(StoreError)
    /// The next thing that happened, oldest first. Nil when there is nothing more for now.
    func nextEvent(at now: Instant) -> BluetoothEvent?
}

/// Answers what clients ask of the accessory's own characteristics. Answers must be at hand: nothing waits, and
/// nothing is asked of the port meanwhile.
public protocol GATTAnswerer: AnyObject {
    /// The whole value; the caller takes the part that is asked for. At most 512 octets.
    func read(_ characteristic: GATTCharacteristic.ID, by client: BluetoothClient, at now: Instant)
        throws(ATTError) -> [UInt8]
    /// A whole value, of at most 512 octets.
    func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic.ID, by client: BluetoothClient,
        at now: Instant) throws(ATTError)
}

/// What Bluetooth is asked for. None of it fails: what cannot be is told by ``BluetoothEvent``.
public enum BluetoothRequest: Sendable {
    /// Answered by ``BluetoothEvent/ready`` or ``BluetoothEvent/unavailable``, and again whenever that changes.
    case start(BluetoothConfiguration)
    /// Takes advertisements and services back, lets clients go.
    case stop
    /// From now on these, and no others.
    case advertise([BluetoothAdvertisement])
    /// To every client that has subscribed.
    case notify(GATTCharacteristic.ID, [UInt8])
    /// Lets everybody go who has not paired.
    case disconnectStrangers
    /// Strangers may pair over Bluetooth from now on, as the owner let them at that time: what has failed since is held
    /// against the next. Nil: nobody may, which is so until this is asked for after each start.
    case allowPairing(since: Instant?)
}

/// As what Bluetooth starts.
public struct BluetoothConfiguration: Equatable, Sendable {
    /// How clients pair over Bluetooth itself; what they may read then is up to the services.
    public enum Pairing: Equatable, Sendable {
        /// Clients cannot pair.
        case none
        /// Clients pair with a passkey that the board shows.
        case passkey
    }

    /// At most 248 octets.
    public var name: String
    public var pairing: Pairing
    /// Without GAP and GATT, which it adds.
    public var services: [GATTService]

    public init(name: String, pairing: Pairing, services: [GATTService]) {
        self.name = name
        self.pairing = pairing
        self.services = services
    }
}

/// One of the advertisements that take turns.
public struct BluetoothAdvertisement: Equatable, Sendable {
    /// Advertising data without flags, which the kernel adds; at most 28 octets.
    public var data: [UInt8]
    /// At most 31 octets.
    public var scanResponse: [UInt8]
    /// In milliseconds, 20 … 10240.
    public var interval: UInt16

    public init(data: [UInt8], scanResponse: [UInt8], interval: UInt16) {
        self.data = data
        self.scanResponse = scanResponse
        self.interval = interval
    }
}

/// A device's address, the identity address where it is bonded.
public struct BluetoothAddress: Hashable, Sendable {
    public var octets: MACAddress
    public var isRandom: Bool

    public init(_ octets: MACAddress, isRandom: Bool) {
        self.octets = octets
        self.isRandom = isRandom
    }
}

extension BluetoothAddress: CustomStringConvertible {
    /// Reads `c6:55:44:33:22:11 random`, or the same with `public`.
    public init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let octets = MACAddress(String(words[0])) else { return nil }
        switch words[1] {
        case "random": self.init(octets, isRandom: true)
        case "public": self.init(octets, isRandom: false)
        default: return nil
        }
    }

    public var description: String { "\(octets) \(isRandom ? "random" : "public")" }
}

/// Somebody who is connected.
public struct BluetoothClient: Equatable, Sendable {
    /// Tells connections apart as long as the agent runs.
    public var id: UInt64
    public var address: BluetoothAddress
    public var security: LinkSecurity

    public init(id: UInt64, address: BluetoothAddress, security: LinkSecurity) {
        self.id = id
        self.address = address
        self.security = security
    }
}

/// What happened over Bluetooth.
public enum BluetoothEvent: Equatable, Sendable {
    /// It can be found at this address.
    case ready(BluetoothAddress)
    /// Why nobody can find it now. It is tried again by itself.
    case unavailable(String)
    case connected(BluetoothClient)
    case disconnected(client: UInt64)
    /// Six decimal digits, to be shown until ``passkeyOver``.
    case passkey([UInt8])
    case passkeyOver
    case bonded(BluetoothAddress)
    case pairingFailed(BluetoothAddress, reason: String)
}
