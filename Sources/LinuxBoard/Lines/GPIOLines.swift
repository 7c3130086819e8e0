import CGPIO
import CShim
import Wire

private let noMemory = Int32(shim_error_no_memory)

/// Lines of the system's GPIO chips. All calls of libgpiod 2 are in this file.
public final class GPIOLines: Lines {
    private let library: gpiod_library
    private let request: OpaquePointer
    private let events: OpaquePointer
    private let names: [LineName]
    private let offsets: [UInt32]
    /// Reused by every call.
    private var chosen: [UInt32] = []
    private var values: [gpiod_line_value] = []

    /// Takes the lines.
    public init(_ wanted: LineRequest) throws(BoardFault) {
        precondition(!wanted.lines.isEmpty && wanted.lines.count <= 32, "a request has 1 to 32 lines")
        guard let functions = gpiod_library() else {
            throw .noLibrary(String(cString: gpiod_library_problem()))
        }
        let library = functions.pointee
        let chip = try Chip.open(wanted.chip, library)
        defer { library.chip_close(chip) }
        var offsets: [UInt32] = []
        for line in wanted.lines {
            offsets.append(try Chip.offset(of: line.name, on: chip, named: wanted.chip, library))
        }
        let config = try Self.config(wanted, offsets, library)
        defer { library.line_config_free(config) }
        guard let consumer = library.request_config_new() else { throw .system("ask for lines", noMemory) }
        defer { library.request_config_free(consumer) }
        library.request_config_set_consumer(consumer, wanted.consumer)
        guard let request = library.chip_request_lines(chip, consumer, config) else {
            let error = gpiod_library_error()
            throw Chip.refusal(of: wanted, offsets, on: chip, error: error, library)
        }
        guard let events = library.edge_event_buffer_new(1) else {
            library.line_request_release(request)
            throw .system("ask for lines", noMemory)
        }
        self.library = library
        self.request = request
        self.events = events
        self.offsets = offsets
        names = wanted.lines.map { $0.name }
    }

    deinit {
        library.edge_event_buffer_free(events)
        library.line_request_release(request)
    }

    public var descriptor: Int32 { library.line_request_get_fd(request) }

    public func set(_ lines: LineSet, high: LineSet) throws(BoardFault) {
        chosen.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        for index in offsets.indices where lines.contains(.line(index)) {
            chosen.append(offsets[index])
            values.append(high.contains(.line(index)) ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE)
        }
        guard library.line_request_set_values_subset(request, chosen.count, chosen, values) == 0 else {
            throw .system("set line \(firstName)", gpiod_library_error())
        }
    }

    public func high() throws(BoardFault) -> LineSet {
        values.removeAll(keepingCapacity: true)
        for _ in offsets { values.append(GPIOD_LINE_VALUE_INACTIVE) }
        guard library.line_request_get_values_subset(request, offsets.count, offsets, &values) == 0 else {
            throw .system("read line \(firstName)", gpiod_library_error())
        }
        var high: LineSet = []
        for index in values.indices where values[index] == GPIOD_LINE_VALUE_ACTIVE {
            high.insert(.line(index))
        }
        return high
    }

    public func nextEdge() throws(BoardFault) -> LineEdge? {
        // Reading would wait for an edge.
        let isReady = library.line_request_wait_edge_events(request, 0)
        if isReady == 0 { return nil }
        guard isReady > 0, library.line_request_read_edge_events(request, events, 1) == 1,
            let event = library.edge_event_buffer_get_event(events, 0)
        else { throw .system("watch line \(firstName)", gpiod_library_error()) }
        guard let line = offsets.firstIndex(of: library.edge_event_get_line_offset(event)) else { return nil }
        return LineEdge(
            line: line,
            isRising: library.edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
            time: Instant(microseconds: library.edge_event_get_timestamp_ns(event) / 1000))
    }

    private var firstName: String { names.first?.text ?? "" }

    private static func config(
        _ wanted: LineRequest, _ offsets: [UInt32], _ library: gpiod_library
    ) throws(BoardFault) -> OpaquePointer {
        guard let settings = library.line_settings_new() else { throw .system("ask for lines", noMemory) }
        defer { library.line_settings_free(settings) }
        guard let config = library.line_config_new() else { throw .system("ask for lines", noMemory) }
        for (line, offset) in zip(wanted.lines, offsets) {
            apply(line.use, to: settings, library)
            guard library.line_config_add_line_settings(config, [offset], 1, settings) == 0 else {
                library.line_config_free(config)
                throw .system("ask for line \(line.name.text)", gpiod_library_error())
            }
        }
        return config
    }

    /// Sets everything that differs between uses: the settings are those of the line before.
    private static func apply(_ use: LineUse, to settings: OpaquePointer, _ library: gpiod_library) {
        var direction = GPIOD_LINE_DIRECTION_OUTPUT
        var drive = GPIOD_LINE_DRIVE_PUSH_PULL
        var bias = GPIOD_LINE_BIAS_AS_IS
        var edges = GPIOD_LINE_EDGE_NONE
        var starts = GPIOD_LINE_VALUE_INACTIVE
        var debounce: UInt64 = 0
        switch use {
        case .output(let isHigh):
            if isHigh { starts = GPIOD_LINE_VALUE_ACTIVE }
        case .openDrain(let isHigh):
            if isHigh { starts = GPIOD_LINE_VALUE_ACTIVE }
            drive = GPIOD_LINE_DRIVE_OPEN_DRAIN
        case .input(let wantedBias, let shortest):
            direction = GPIOD_LINE_DIRECTION_INPUT
            edges = GPIOD_LINE_EDGE_BOTH
            debounce = UInt64(shortest.count) * TimeUnits.microseconds
            switch wantedBias {
            case .asIs: break
            case .pullUp: bias = GPIOD_LINE_BIAS_PULL_UP
            case .pullDown: bias = GPIOD_LINE_BIAS_PULL_DOWN
            }
        }
        // They refuse values outside their enumerations alone.
        _ = library.line_settings_set_direction(settings, direction)
        _ = library.line_settings_set_drive(settings, drive)
        _ = library.line_settings_set_bias(settings, bias)
        _ = library.line_settings_set_edge_detection(settings, edges)
        _ = library.line_settings_set_output_value(settings, starts)
        library.line_settings_set_debounce_period_us(settings, UInt(debounce))
    }
}

/// A chip as libgpiod has it. It is open while lines are asked for only.
private enum Chip {
    /// - Parameter name: a path, or the label of the first chip that has it.
    static func open(_ name: String, _ library: gpiod_library) throws(BoardFault) -> OpaquePointer {
        if name.hasPrefix("/") {
            if let chip = library.chip_open(name) { return chip }
            let error = gpiod_library_error()
            if error == Int32(shim_error_missing) { throw .noChip(name) }
            throw .system("open \(name)", error)
        }
        var refusal: BoardFault?
        for path in paths() {
            guard let chip = library.chip_open(path) else {
                refusal = .system("open \(path)", gpiod_library_error())
                continue
            }
            if hasLabel(name, chip, library) { return chip }
            library.chip_close(chip)
        }
        throw refusal ?? .noChip(name)
    }

    private static func hasLabel(_ label: String, _ chip: OpaquePointer, _ library: gpiod_library) -> Bool {
        guard let info = library.chip_get_info(chip) else { return false }
        defer { library.chip_info_free(info) }
        guard let text = library.chip_info_get_label(info) else { return false }
        return String(cString: text) == label
    }

    /// `/dev/gpiochip0` and so on, in the order of their numbers.
    private static func paths() -> [String] {
        guard let listing = shim_list_path("/dev") else { return [] }
        defer { shim_end_list(listing) }
        var numbers: [UInt32] = []
        while let name = shim_next_name(listing) {
            let text = String(cString: name)
            if text.hasPrefix("gpiochip"), let number = UInt32(text.dropFirst(8)) { numbers.append(number) }
        }
        numbers.sort()
        return numbers.map { "/dev/gpiochip\($0)" }
    }

    static func offset(
        of line: LineName, on chip: OpaquePointer, named label: String, _ library: gpiod_library
    ) throws(BoardFault) -> UInt32 {
        switch line {
        case .name(let name):
            let offset = library.chip_get_line_offset_from_name(chip, name)
            guard offset >= 0 else { throw .noLine(name, chip: label) }
            return UInt32(offset)
        case .offset(let offset):
            guard let info = library.chip_get_info(chip) else {
                throw .system("ask \(label)", gpiod_library_error())
            }
            defer { library.chip_info_free(info) }
            guard Int(offset) < library.chip_info_get_num_lines(info) else {
                throw .noLine(line.text, chip: label)
            }
            return offset
        }
    }

    /// Why the lines were not given: who has the first one that is taken.
    static func refusal(
        of wanted: LineRequest, _ offsets: [UInt32], on chip: OpaquePointer, error: Int32,
        _ library: gpiod_library
    ) -> BoardFault {
        guard error == Int32(shim_error_busy) else {
            return .system("ask for lines of \(wanted.chip)", error)
        }
        for (line, offset) in zip(wanted.lines, offsets) {
            guard let info = library.chip_get_line_info(chip, offset) else { continue }
            defer { library.line_info_free(info) }
            guard library.line_info_is_used(info) else { continue }
            let holder = library.line_info_get_consumer(info).map { String(cString: $0) }
            return .lineHeld(line.name.text, by: holder ?? "")
        }
        return .system("ask for lines of \(wanted.chip)", error)
    }
}
