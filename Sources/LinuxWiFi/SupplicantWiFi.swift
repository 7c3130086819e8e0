import CShim
import Crypto
import Ports
import Wire

/// wpa_supplicant by its control socket, which is open while something is asked of it and no longer.
final class SupplicantWiFi: WiFiTask {
    /// Datagrams that are read without a pause.
    private static let mostDatagrams = 64

    private let descriptor: Int32
    private let password: Key?
    private var task: SupplicantTask
    private var room = [UInt8](repeating: 0, count: SupplicantText.longest)

    /// - Throws: Why the socket cannot be used.
    init(_ path: String, _ task: SupplicantTask, password: Key?) throws(WiFiError) {
        let opened = shim_connect_datagrams(path)
        guard opened >= 0 else { throw WiFiError("wpa_supplicant cannot be reached", number: opened) }
        descriptor = opened
        self.task = task
        self.password = password
        do { _ = try perform(task.start()) } catch {
            shim_close(opened)
            throw error
        }
    }

    deinit {
        // Where that does not get through, wpa_supplicant notices by the next event.
        _ = "DETACH".withCString { shim_write(descriptor, $0, 6) }
        shim_close(descriptor)
    }

    var deadline: Instant? { task.deadline }

    func addDescriptors(to set: inout DescriptorSet) { set.add(descriptor) }

    func turn(at now: Instant) throws(WiFiError) -> WiFiProvisionerEvent? {
        for _ in 0..<Self.mostDatagrams {
            let count = room.withUnsafeMutableBytes { shim_read(descriptor, $0.baseAddress, $0.count) }
            if count == Int(shim_error_again) { break }
            guard count >= 0 else {
                throw WiFiError("wpa_supplicant went away", number: Int32(clamping: count))
            }
            if let outcome = try perform(task.receive(Array(room[..<count]))) { return outcome }
        }
        return now >= task.deadline ? try perform(task.expire(at: now)) : nil
    }

    private func perform(_ actions: [SupplicantTask.Action]) throws(WiFiError) -> WiFiProvisionerEvent? {
        for action in actions {
            switch action {
            case .send(let command): try send(Array(command.utf8))
            case .sendPassword(let before, let after):
                guard let password else { continue }
                var command = Array(before.utf8)
                command.reserveCapacity(256)
                password.secret.withOctets { command.append(contentsOf: $0) }
                command.append(contentsOf: after.utf8)
                defer { command.erase() }
                try send(command)
            case .ended(let outcome): return outcome
            }
        }
        return nil
    }

    private func send(_ command: [UInt8]) throws(WiFiError) {
        let sent = command.withUnsafeBytes { shim_write(descriptor, $0.baseAddress, $0.count) }
        guard sent >= 0 else {
            throw WiFiError("wpa_supplicant takes no command", number: Int32(clamping: sent))
        }
    }
}
