import Frames
import Testing
import Wire

/// Frames from the air, see Tests/Vectors/nan/README.md.
struct RecordedFramesTests {
    @Test(arguments: Recordings.cases)
    func `every recorded frame is read and written back to the same octets`(_ name: String) throws {
        let frames = try Recordings.frames(of: name)
        #expect(frames.count > 7)
        for frame in frames {
            do {
                #expect(try Frame(frame.octets).octets() == frame.octets, "\(frame.place)")
            } catch {
                Issue.record("\(frame.place): \(error)")
            }
        }
    }

    @Test(arguments: Recordings.cases)
    func `every attribute in them has a name`(_ name: String) throws {
        for frame in try Recordings.frames(of: name) {
            for attribute in try attributes(of: frame) {
                if case .unknown(let id, _) = attribute { Issue.record("\(frame.place): \(id)") }
            }
        }
    }

    @Test(arguments: Recordings.cases)
    func `every element of an authentication frame is understood`(_ name: String) throws {
        for frame in try Recordings.frames(of: name) {
            guard case .authentication(let authentication) = try Frame(frame.octets).body else { continue }
            for element in authentication.elements where element.id != .rsnExtension {
                #expect(try rewritten(element) == element, "\(frame.place)")
            }
        }
    }

    @Test func `service information that is plain text does not spoil the frame`() throws {
        var seen: Set<[UInt8]> = []
        for frame in try Recordings.all() {
            guard case .action(let action) = try Frame(frame.octets).body else { continue }
            for descriptor in action.serviceDescriptorExtensions {
                guard case .other(2, let octets) = descriptor.information?.content else { continue }
                seen.insert(octets)
            }
        }
        #expect(seen.contains(Array("pubssi\0".utf8)))
        #expect(seen.contains(Array("subssi\0".utf8)))
    }

    @Test func `the MIC of a frame with keys is where it is said to be`() throws {
        var found = 0
        for frame in try Recordings.all() {
            let body = Array(frame.octets.dropFirst(ManagementHeader.count))
            switch try Frame(frame.octets).body {
            case .action(let action):
                let range = SharedKeyDescriptor.micRange(inBodyOf: body)
                guard let mic = action.sharedKeyDescriptor?.mic, !mic.isEmpty else {
                    #expect(range == nil)
                    continue
                }
                #expect(Array(body[try #require(range)]) == mic)
                found += 1
            case .authentication(let authentication):
                let mic = try authentication.content(MessageIntegrityCode.self)
                let range = AuthenticationFrame.micRange(inBodyOf: body)
                #expect(range.map { Array(body[$0]) } == mic?.octets, "\(frame.place)")
            case .beacon:
                #expect(SharedKeyDescriptor.micRange(inBodyOf: body) == nil)
            }
        }
        #expect(found >= 16)
    }

    private func attributes(of frame: RecordedFrame) throws -> [Attribute] {
        switch try Frame(frame.octets).body {
        case .action(let action): action.attributes
        case .authentication(let frame): try frame.content(NANElement.self)?.attributes ?? []
        case .beacon(let beacon): beacon.attributes
        }
    }
}
