public import LinuxHost
import Simulation
import Wire

/// The file in which what is on the air is taken down, for Wireshark and `aware decode`.
public final class CaptureFile {
    let recording: AirRecording

    /// Makes the file, or empties it.
    public init(path: String, application: String) throws(HostError) {
        let file = try OutputFile(path: path)
        let clock = SystemClock()
        recording = AirRecording(
            application: application,
            calendarOffset: clock.date &* 1_000_000 &- clock.now.microseconds
        ) { file.write($0) }
    }
}
