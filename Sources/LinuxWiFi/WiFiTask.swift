import CShim
import Ports
import Wire

/// Something asked of the daemon that has the board's Wi-Fi, until it has an outcome.
protocol WiFiTask: AnyObject {
    var deadline: Instant? { get }
    func addDescriptors(to set: inout DescriptorSet)
    /// The outcome, once there is one.
    func turn(at now: Instant) throws(WiFiError) -> WiFiProvisionerEvent?
}

/// Why the daemon cannot be asked.
struct WiFiError: Error {
    var explanation: String

    init(_ explanation: String) { self.explanation = explanation }

    init(_ what: String, number: Int32) {
        guard let reason = shim_reason(number) else {
            self.init(what)
            return
        }
        self.init(what + ": " + String(cString: reason))
    }
}
