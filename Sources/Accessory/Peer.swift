import Aware
import Frames
import Ports
import Wire

/// What the accessory knows of one management address.
///
/// The attempt and the association are independent: somebody who pretends to be a paired device by its address can
/// start an attempt, and must not disturb the association by it.
struct Peer {
    /// When a frame of it last proved itself, or its attempt began.
    var heard: Instant
    /// When it listens besides the discovery windows, where it said so when it asked for a PIN.
    var schedule: PeerSchedule?
    var attempt: Attempt?
    var association: Association?

    /// Something that is not proved yet.
    ///
    /// Boxed: large, and copied with whatever holds it.
    indirect enum Attempt {
        /// A PIN is shown for it.
        case asked(Asked)
        case setup(PASNResponder, Asked)
        /// The PIN was right. Its identity key is still to come.
        case exchanging(Exchange)
        case verification(PASNResponder, device: String)
    }

    /// What a peer said when it asked for a PIN.
    struct Asked {
        var request: PairingBootstrapping
        var name: PairingInformation
        var context: FollowUp.Context
    }

    struct Exchange {
        var responder: IdentityKeyResponder
        var keys: PairingKeys
        var asked: Asked
    }

    /// A paired device at this address.
    struct Association {
        var device: String
        var keys: PairingKeys
        /// Where the association began with a pairing: the peer may repeat its identity key.
        var finished: Exchange?
        var paths: [Path] = []
    }

    struct Path {
        var responder: DataPathResponder
        var service: Publication
        var stage: Stage

        enum Stage {
            case negotiating
            /// The radio has been asked to open it towards the data interface.
            case opening(MACAddress)
            case open(MACAddress, ServicePath)
        }
    }

    init(heard: Instant) {
        self.heard = heard
    }

    var isAssociated: Bool { association != nil }

    /// Whether the peer has proved itself, so that frames under its pairing key count.
    var isTrusted: Bool {
        if case .exchanging? = attempt { return true }
        return isAssociated
    }

    var deadline: Instant? {
        var earliest: Instant?
        switch attempt {
        case .setup(let responder, _), .verification(let responder, _): earliest = responder.deadline
        case .exchanging(let exchange): earliest = exchange.responder.deadline
        case .asked, nil: break
        }
        for path in association?.paths ?? [] {
            earliest = Instant.earliest(earliest, path.responder.deadline)
        }
        return earliest
    }
}

extension Peer.Attempt {
    /// The machine of an authentication that is under way.
    var responder: PASNResponder? {
        switch self {
        case .setup(let responder, _), .verification(let responder, _): responder
        case .asked, .exchanging: nil
        }
    }

    /// The same attempt with its machine's next state.
    func with(_ responder: PASNResponder) -> Peer.Attempt {
        switch self {
        case .setup(_, let asked): .setup(responder, asked)
        case .verification(_, let device): .verification(responder, device: device)
        case .asked, .exchanging: self
        }
    }
}
