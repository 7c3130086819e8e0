import Ports
import SystemBus
import Wire

/// NetworkManager over the system's message bus, to which we are connected while something is asked of it.
final class ManagerWiFi: WiFiTask {
    private let bus: SystemBus
    private var task: ManagerTask
    /// The call under way.
    private var asked: UInt64?

    /// - Throws: Why there is no bus.
    init(_ task: ManagerTask) throws(WiFiError) {
        self.task = task
        do throws(BusError) {
            bus = try SystemBus()
            for rule in ManagerTask.rules {
                _ = try bus.send(
                    BusCall(
                        "AddMatch", of: SystemBus.busName, at: "/org/freedesktop/DBus", on: SystemBus.busName,
                        [.string(rule)]))
            }
            _ = try perform(task.start())
        } catch {
            throw WiFiError(error.explanation)
        }
    }

    var deadline: Instant? { Instant.earliest(task.deadline, bus.deadline) }

    func addDescriptors(to set: inout DescriptorSet) { bus.addDescriptors(to: &set) }

    func turn(at now: Instant) throws(WiFiError) -> WiFiProvisionerEvent? {
        do throws(BusError) {
            while let message = try bus.nextMessage() {
                if let outcome = try perform(receive(message, at: now)) { return outcome }
            }
            return now >= task.deadline ? try perform(task.expire(at: now)) : nil
        } catch {
            throw WiFiError(error.explanation)
        }
    }

    private func receive(_ message: BusMessage, at now: Instant) -> [ManagerTask.Action] {
        switch message.kind {
        case .call: return []
        case .signal: return task.receive(signal: message, at: now)
        case .answer(let number):
            guard number == asked else { return [] }
            return task.receive(answer: message.body, from: message.sender, at: now)
        case .failure(let number, let failure):
            guard number == asked else { return [] }
            return task.receive(failure: failure)
        }
    }

    private func perform(_ actions: [ManagerTask.Action]) throws(BusError) -> WiFiProvisionerEvent? {
        for action in actions {
            switch action {
            case .call(let call): asked = try bus.send(call)
            case .ended(let outcome): return outcome
            }
        }
        return nil
    }
}
