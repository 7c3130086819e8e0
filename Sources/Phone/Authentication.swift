import Aware
import Ports
import Wire

extension Phone {
    /// How an authentication ended.
    enum AuthenticationEnd {
        case authenticated(PairingKeys)
        case failed(PairingRefusal)
    }

    /// Does what an authentication wants of the radio. How it ended is its last action, and the task's to answer.
    mutating func perform(
        _ actions: [PASNAction], with accessory: MACAddress
    ) -> (actions: [Action], end: AuthenticationEnd?) {
        var result: [Action] = []
        for action in actions {
            switch action {
            case .install(let key): result.append(.radio(.installPairingKey(accessory, key)))
            case .uninstall: result.append(.radio(.removePairingKey(accessory)))
            case .send(let body):
                result += withStation { $0.outbox.send(authentication: body, to: accessory) }
            case .authenticated(let keys): return (result, .authenticated(keys))
            case .failed(let refusal): return (result, .failed(refusal))
            }
        }
        return (result, nil)
    }
}
