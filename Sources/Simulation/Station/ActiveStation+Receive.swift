import Ports
import Wire

extension ActiveStation {
    /// Frames that are older or younger than this, in microseconds, are not of this air's time.
    private static let staleAfter: UInt64 = 60_000_000

    /// Takes a frame in, and acknowledges it.
    mutating func accept(_ datagram: AirDatagram, at now: Instant) {
        guard datagram.frequency == AirStation.frequency else {
            counters.elsewhere += 1
            return
        }
        let age = Int64(bitPattern: airTime(at: now) &- datagram.time)
        guard age.magnitude <= Self.staleAfter else {
            counters.stale += 1
            return
        }
        guard let head = try? FrameHead(parsing: datagram.frame), !isOwn(head.transmitter) else {
            counters.malformed += 1
            return
        }
        switch head.kind {
        case .acknowledgement: if isOwn(head.receiver) { receiveAcknowledgement(datagram) }
        case .beacon: receiveBeacon(head, datagram, at: now)
        case .action, .authentication, .data: receiveUnit(head, datagram, at: now)
        case .other: counters.unwanted += 1
        }
    }

    /// A frame with a body for the host, or for a program.
    private mutating func receiveUnit(_ head: FrameHead, _ datagram: AirDatagram, at now: Instant) {
        guard isOwn(head.receiver) || head.receiver.isMulticast else { return }
        guard case .joined(let cluster) = phase, cluster.id == head.cluster else {
            counters.elsewhere += 1
            return
        }
        if !head.receiver.isMulticast {
            acknowledge(head, datagram)
            guard !duplicates.isRepetition(head) else {
                counters.duplicates += 1
                return
            }
        }
        if head.kind == .data {
            receiveData(head, datagram.frame, at: now)
        } else {
            receiveManagement(head, datagram)
        }
    }

    private mutating func receiveManagement(_ head: FrameHead, _ datagram: AirDatagram) {
        var frame = datagram.frame
        if head.isProtected {
            guard let opened = openManagement(head, frame) else { return }
            frame = opened
        }
        let category = ActionCategory(of: frame)
        guard isWanted(frame, head, category) else {
            counters.unwanted += 1
            return
        }
        switch (category, head.isProtected) {
        case (.protectedDual, false): counters.unprotected += 1
        case (.publicAction, true), (nil, true): counters.unwanted += 1
        case (.protectedDual, true), (.publicAction, false), (nil, false):
            report(.received(ReceivedFrame(octets: frame, signal: datagram.signal)))
        }
    }

    private mutating func openManagement(_ head: FrameHead, _ frame: [UInt8]) -> [UInt8]? {
        do throws(ProtectedLink.Refusal) {
            var opened: [UInt8]?
            if head.receiver == configuration.managementAddress {
                opened = try peers[head.transmitter]?.link?.open(frame, headCount: FrameHead.managementCount)
            } else if head.receiver == dataInterface {
                opened = try paths[head.transmitter]?.link?.open(frame, headCount: FrameHead.managementCount)
            }
            if opened == nil { counters.undecryptable += 1 }
            return opened
        } catch {
            count(error)
            return nil
        }
    }

    private mutating func receiveData(_ head: FrameHead, _ frame: [UInt8], at now: Instant) {
        guard head.receiver == dataInterface, let path = paths[head.transmitter] else {
            counters.unwanted += 1
            return
        }
        guard head.isProtected == (path.link != nil) else {
            if head.isProtected { counters.undecryptable += 1 } else { counters.unprotected += 1 }
            return
        }
        var plain = frame
        if head.isProtected {
            do throws(ProtectedLink.Refusal) {
                guard
                    let opened = try paths[head.transmitter]?.link?.open(
                        frame, headCount: FrameHead.dataCount)
                else { return }
                plain = opened
            } catch {
                return count(error)
            }
        }
        guard let packet = try? PathPacket(parsing: [UInt8](plain[FrameHead.dataCount...])),
            packet.source == path.peer.interfaceIdentifier,
            packet.destination == dataInterface.interfaceIdentifier
        else {
            counters.malformed += 1
            return
        }
        noteTraffic(with: head.transmitter, at: now)
        put(
            .deliver(
                PathDatagram(
                    peer: head.transmitter, sourcePort: packet.sourcePort,
                    destinationPort: packet.destinationPort,
                    payload: packet.payload)))
    }

    mutating func noteTraffic(with peer: MACAddress, at now: Instant) {
        paths[peer]?.used = now
        paths[peer]?.isIdleReported = false
    }

    private func isOwn(_ address: MACAddress) -> Bool {
        address == configuration.managementAddress || address == dataInterface
    }

    /// What the program registered for: NAN action frames and PASN, on a data interface NAN action frames alone.
    private func isWanted(_ frame: [UInt8], _ head: FrameHead, _ category: ActionCategory?) -> Bool {
        let body = FrameHead.managementCount
        if head.kind == .authentication {
            return head.receiver == configuration.managementAddress && frame.count >= body + 2
                && frame[body] == 7 && frame[body + 1] == 0
        }
        guard category != nil, frame.count > body + 5 else { return false }
        guard frame[body + 1..<body + 5].elementsEqual([0x09, 0x50, 0x6f, 0x9a]) else { return false }
        let isAction = frame[body + 5] == 0x18
        return head.receiver == dataInterface ? isAction : isAction || frame[body + 5] == 0x13
    }

    private mutating func count(_ refusal: ProtectedLink.Refusal) {
        switch refusal {
        case .notEncrypted: counters.malformed += 1
        case .notAuthentic: counters.undecryptable += 1
        case .replayed: counters.replayed += 1
        }
    }
}
