import Wire

/// A TM1637 as its data sheet describes it: watches two lines and keeps six registers. Shares nothing with the driver.
struct TM1637Decoder {
    private(set) var registers = [UInt8](repeating: 0xff, count: 6)
    /// Nil until it was told.
    private(set) var brightness: UInt8?
    private(set) var isOn = true
    /// What a person could read, each time that it became another.
    private(set) var seen: [[UInt8]] = []
    /// The shortest time between two changes of the clock, and from one of data to the clock's next rise.
    private(set) var shortestClock: UInt64 = .max
    private(set) var shortestSetup: UInt64 = .max
    private(set) var complaints: [String] = []

    private let clockName: String
    private let dataName: String
    private var clock = true
    private var data = true
    private var isInFrame = false
    private var bits: [Bool] = []
    private var octets: [UInt8] = []
    private var clockTime: Instant?
    private var dataTime: Instant?

    init(clock: String, data: String) {
        clockName = clock
        dataName = data
    }

    mutating func feed(_ changes: some Sequence<RecordingBoard.Change>) {
        for change in changes {
            if change.line == clockName { clockChanges(to: change.isHigh, change.time) }
            if change.line == dataName { dataChanges(to: change.isHigh, change.time) }
        }
    }

    private mutating func clockChanges(to level: Bool, _ time: Instant) {
        guard level != clock else { return }
        clock = level
        if let clockTime { shortestClock = min(shortestClock, time.microseconds(since: clockTime)) }
        clockTime = time
        guard level, isInFrame else { return }
        if let dataTime { shortestSetup = min(shortestSetup, time.microseconds(since: dataTime)) }
        bits.append(data)
        guard bits.count == 9 else { return }
        var octet: UInt8 = 0
        for (place, bit) in bits.prefix(8).enumerated() where bit { octet |= 1 << place }
        octets.append(octet)
        bits = []
    }

    private mutating func dataChanges(to level: Bool, _ time: Instant) {
        guard level != data else { return }
        data = level
        dataTime = time
        guard clock else { return }
        if let clockTime { shortestClock = min(shortestClock, time.microseconds(since: clockTime)) }
        clockTime = time
        if !level {
            if isInFrame { complaints.append("a start within a frame") }
            isInFrame = true
            octets = []
            bits = []
        } else if isInFrame {
            // The clock at which the stop is given has been taken for a bit.
            if bits.count != 1 { complaints.append("a stop within an octet") }
            isInFrame = false
            take()
        }
    }

    private mutating func take() {
        guard let command = octets.first else {
            complaints.append("an empty frame")
            return
        }
        switch command >> 6 {
        case 0b01:
            if command != 0x40 { complaints.append("data command \(command)") }
        case 0b11:
            for (place, octet) in octets.dropFirst().enumerated() {
                let register = Int(command & 0x0f) + place
                if register < 6 {
                    registers[register] = octet
                } else {
                    complaints.append("register \(register)")
                }
            }
        case 0b10:
            isOn = command & 8 != 0
            brightness = command & 7
        default: complaints.append("command \(command)")
        }
        let readable = isOn ? registers : [UInt8](repeating: 0, count: 6)
        if seen.last != readable { seen.append(readable) }
    }
}

/// Reads 7-segment digits as a person does.
enum SevenSegmentReader {
    private static let shapes: [UInt8: Character] = [
        0b0111111: "0", 0b0000110: "1", 0b1011011: "2", 0b1001111: "3", 0b1100110: "4", 0b1101101: "5",
        0b1111101: "6", 0b0000111: "7", 0b1111111: "8", 0b1101111: "9", 0b1000000: "-", 0: " ",
        0b1110011: "P", 0b0111001: "C", 0b0111000: "L", 0b1110001: "F", 0b1110111: "A", 0b1111001: "E",
        0b1010000: "r", 0b1111100: "b", 0b1111000: "t", 0b1011110: "d", 0b1011100: "o", 0b1010100: "n",
    ]

    static func text(_ cells: some Sequence<UInt8>) -> String {
        String(cells.map { shapes[$0 & 0x7f] ?? "?" })
    }
}
