import Frames
import Wire

// What our own machines write fits by construction: whatever a peer may fill in of it is bounded. A frame that does
// not fit is a mistake of ours.

extension ActionFrame {
    init(parsingBody octets: [UInt8]) throws(WireError) {
        try self.init(parsing: FrameReader(octets.span.bytes))
    }

    var body: [UInt8] {
        guard let body = try? octets() else { die("an action frame of ours does not fit") }
        return body
    }
}

extension Attribute {
    var octets: [UInt8] {
        var frame = FrameWriter()
        write(into: &frame)
        guard let octets = try? frame.finish() else { die("an attribute of ours does not fit") }
        return octets
    }
}

extension ServiceInformation {
    init?(octets: [UInt8]) {
        do {
            try self.init(parsing: FrameReader(octets.span.bytes))
        } catch {
            return nil
        }
    }

    var octets: [UInt8] {
        var frame = FrameWriter()
        write(into: &frame)
        guard let octets = try? frame.finish() else { die("service information of ours does not fit") }
        return octets
    }
}
