import CShim
public import Ports
public import Wire

/// A connection to a message bus, by libsystemd's sd-bus, which is loaded when the first is opened.
///
/// It never blocks: calls are sent, and their answers come like everything else, by ``nextMessage()``. What is sent
/// waits in memory while the bus does not take it, within a limit.
public final class SystemBus: EventSource {
    public static let systemAddress = "unix:path=/run/dbus/system_bus_socket"
    /// The bus's own name.
    public static let busName = "org.freedesktop.DBus"

    /// Messages that may wait for the bus to take them.
    private static let mostWaiting: UInt64 = 256
    /// Messages that are looked at without a pause.
    private static let mostSteps = 64

    private let library: shim_bus_library
    private let bus: OpaquePointer
    /// The call that was taken last, until it is answered.
    private var asked: OpaquePointer?
    private var stepsLeft = SystemBus.mostSteps

    /// Opens a connection, which is then being made.
    ///
    /// - Throws: Where the machine has no libsystemd, or nothing listens at the address.
    public init(address: String = SystemBus.systemAddress) throws(BusError) {
        guard let found = shim_load_bus() else { throw BusError("libsystemd.so.0 is not installed") }
        library = found.pointee
        var made: OpaquePointer?
        let created = library.open(&made)
        guard created >= 0, let made else { throw Self.error("no message bus", created) }
        bus = made
        // Nobody is given, or needs, a descriptor of ours; those that strangers send are not taken.
        var result = library.set_address(bus, address)
        if result >= 0 { result = library.set_bus_client(bus, 1) }
        if result >= 0 { result = library.negotiate_fds(bus, 0) }
        if result >= 0 { result = library.start(bus) }
        guard result >= 0 else { throw Self.error("no message bus at \(address)", result) }
    }

    deinit {
        dropAsked()
        library.close(bus)
        _ = library.unref(bus)
    }

    // MARK: Waiting

    public var deadline: Instant? {
        // More may lie ready than was looked at in this turn.
        if stepsLeft == 0 { return Instant(microseconds: 0) }
        var moment = UInt64.max
        guard library.get_timeout(bus, &moment) >= 0, moment != .max else { return nil }
        return Instant(microseconds: moment)
    }

    public func addDescriptors(to set: inout DescriptorSet) {
        let descriptor = library.get_fd(bus)
        let events = library.get_events(bus)
        guard descriptor >= 0, events >= 0 else { return }
        set.add(
            descriptor, readable: events & Int32(shim_readable) != 0,
            writable: events & Int32(shim_writable) != 0)
    }

    // MARK: Receiving

    /// The next message. Nil when there is none for now. A call is to be answered before the next is taken, or its
    /// sender waits in vain.
    ///
    /// - Throws: When the connection is lost; it does not come back.
    public func nextMessage() throws(BusError) -> BusMessage? {
        dropAsked()
        if stepsLeft == 0 { stepsLeft = Self.mostSteps }
        while stepsLeft > 0 {
            stepsLeft -= 1
            var taken: OpaquePointer?
            let result = library.process(bus, &taken)
            guard result >= 0 else { throw Self.error("the message bus is gone", result) }
            if result == 0 {
                stepsLeft = Self.mostSteps
                return nil
            }
            guard let taken else { continue }
            if let message = try read(taken) { return message }
        }
        return nil
    }

    /// Nil for what is passed over: signals that are too much, and answers to nothing.
    private func read(_ taken: OpaquePointer) throws(BusError) -> BusMessage? {
        var reader = MessageReader(library, taken)
        let body = reader.values()
        guard let kind = kind(of: taken, isReadable: body != nil) else {
            _ = library.message_unref(taken)
            return nil
        }
        let message = BusMessage(
            kind, from: text(library.get_sender(taken)), path: text(library.get_path(taken)),
            interface: text(library.get_interface(taken)), member: text(library.get_member(taken)), body ?? []
        )
        if message.kind == .call {
            asked = taken
            guard body != nil else {
                refuse(BusFailure("org.freedesktop.DBus.Error.LimitsExceeded", "more than is read here"))
                return nil
            }
        } else {
            _ = library.message_unref(taken)
        }
        if message.kind == .signal, message.interface == "org.freedesktop.DBus.Local" {
            throw BusError("the message bus is gone")
        }
        return message
    }

    private func kind(of message: OpaquePointer, isReadable: Bool) -> BusMessage.Kind? {
        var type: UInt8 = 0
        guard library.get_type(message, &type) >= 0 else { return nil }
        var call: UInt64 = 0
        switch Int(type) {
        case Int(shim_bus_call): return .call
        case Int(shim_bus_signal): return isReadable ? .signal : nil
        case Int(shim_bus_return):
            guard library.get_reply_cookie(message, &call) >= 0 else { return nil }
            let tooMuch = BusFailure("org.freedesktop.DBus.Error.LimitsExceeded", "answers more than is read")
            return isReadable ? .answer(to: call) : .failure(of: call, tooMuch)
        case Int(shim_bus_failure):
            guard library.get_reply_cookie(message, &call) >= 0 else { return nil }
            let error = library.get_error(message)
            return .failure(of: call, BusFailure(text(error?.pointee.name), text(error?.pointee.message)))
        default: return nil
        }
    }

    private func text(_ words: UnsafePointer<CChar>?) -> String {
        guard let words else { return "" }
        return String(cString: words)
    }

    // MARK: Sending

    /// Sends a call and returns its number, by which its answer is known.
    public func send(_ call: BusCall) throws(BusError) -> UInt64 {
        var made: OpaquePointer?
        let result = library.new_call(bus, &made, call.destination, call.path, call.interface, call.member)
        guard result >= 0, let made else { throw Self.error("\(call.member) cannot be called", result) }
        var number: UInt64 = 0
        try finish(made, call.body, number: &number)
        return number
    }

    /// Sends a signal to one receiver alone.
    public func signal(
        _ member: String, of interface: String, at path: String, to receiver: String, _ body: [BusValue]
    ) throws(BusError) {
        var made: OpaquePointer?
        let result = library.new_signal(bus, &made, path, interface, member)
        guard result >= 0, let made else { throw Self.error("\(member) cannot be told", result) }
        _ = library.set_destination(made, receiver)
        try finish(made, body, number: nil)
    }

    /// Answers the call that was taken last.
    public func answer(_ body: [BusValue]) {
        guard let asked else { return }
        var made: OpaquePointer?
        if library.get_expect_reply(asked) > 0, library.new_return(asked, &made) >= 0, let made {
            do { try finish(made, body, number: nil) } catch {
                return refuse(BusFailure("org.freedesktop.DBus.Error.Failed", error.explanation))
            }
        }
        dropAsked()
    }

    /// Refuses the call that was taken last.
    public func refuse(_ failure: BusFailure) {
        guard let asked else { return }
        failure.name.withCString { name in
            failure.text.withCString { text in
                var error = shim_bus_error(name: name, message: text, must_free: 0)
                var made: OpaquePointer?
                guard library.get_expect_reply(asked) > 0,
                    library.new_failure(asked, &made, &error) >= 0, let made
                else { return }
                // Where even that cannot be sent, the caller waits until its own patience ends.
                try? finish(made, [], number: nil)
            }
        }
        dropAsked()
    }

    /// Fills a message, sends it and gives it back.
    private func finish(
        _ message: OpaquePointer, _ body: [BusValue], number: UnsafeMutablePointer<UInt64>?
    ) throws(BusError) {
        defer { _ = library.message_unref(message) }
        var waiting: UInt64 = 0
        guard library.get_n_queued_write(bus, &waiting) >= 0, waiting < Self.mostWaiting else {
            throw BusError("the message bus takes nothing")
        }
        var result = MessageWriter(library: library, message: message).append(body)
        if result >= 0 { result = library.send(nil, message, number) }
        guard result >= 0 else { throw Self.error("the message cannot be sent", result) }
    }

    private func dropAsked() {
        guard let asked else { return }
        _ = library.message_unref(asked)
        self.asked = nil
    }

    private static func error(_ what: String, _ number: Int32) -> BusError {
        guard let reason = shim_reason(number) else { return BusError(what) }
        return BusError(what + ": " + String(cString: reason))
    }
}
