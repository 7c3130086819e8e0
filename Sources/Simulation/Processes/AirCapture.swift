import Captures

/// Takes down what a station hears and sends, encrypted as it is on the air.
public protocol AirCapture: AnyObject {
    func capture(_ datagram: AirDatagram, isSent: Bool)
}

/// Makes a pcapng file of it.
public final class AirRecording: AirCapture {
    private let writer = CaptureWriter()
    private let calendarOffset: UInt64
    private let sink: ([UInt8]) -> Void

    /// - Parameters:
    ///   - calendarOffset: What has to be added to the air's time for microseconds since 1970.
    ///   - sink: Is given the file's octets in pieces, the first piece at once.
    public init(application: String, calendarOffset: UInt64, sink: @escaping ([UInt8]) -> Void) {
        self.calendarOffset = calendarOffset
        self.sink = sink
        sink(writer.beginning(application: application, interface: "air"))
    }

    public func capture(_ datagram: AirDatagram, isSent: Bool) {
        sink(
            writer.packet(
                datagram.frame, at: datagram.time &+ calendarOffset, frequency: datagram.frequency,
                signal: datagram.signal, direction: isSent ? .sent : .received))
    }
}
