import CShim
import Foundation
import Ports
import Testing
import Wire

@testable import LinuxHost

struct PollerTests {
    private let clock = SystemClock()

    @Test func `a wait lasts until its deadline, to a fraction of a millisecond`() {
        let poller = Poller(clock: clock)
        let isSoon = isSoonOver {
            let deadline = Instant(microseconds: clock.now.microseconds + 12_345)
            let end = poller.wait(for: DescriptorSet(), until: deadline)
            #expect(end >= deadline)
            return end.microseconds(since: deadline)
        }
        #expect(isSoon)
    }

    @Test func `a deadline that lies behind only looks`() {
        let poller = Poller(clock: clock)
        let isSoon = isSoonOver {
            let start = clock.now
            return poller.wait(for: DescriptorSet(), until: Instant(microseconds: 0)).microseconds(
                since: start)
        }
        #expect(isSoon)
    }

    /// Whether something that tells the microseconds it took too long is over at once. A loaded machine wakes up late,
    /// though not always.
    private func isSoonOver(_ action: () -> UInt64) -> Bool {
        (0..<100).contains { _ in action() < 100_000 }
    }

    @Test func `something to read ends the wait`() throws {
        let poller = Poller(clock: clock)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
        var set = DescriptorSet()
        set.add(pipe.fileHandleForReading.fileDescriptor)
        let start = clock.now
        let end = poller.wait(for: set, until: Instant(microseconds: start.microseconds + 60_000_000))
        #expect(end.microseconds(since: start) < 30_000_000)
    }

    @Test func `room to write ends the wait only where it is asked for`() {
        let poller = Poller(clock: clock)
        let pipe = Pipe()
        var set = DescriptorSet()
        set.add(pipe.fileHandleForWriting.fileDescriptor, readable: false)
        let deadline = Instant(microseconds: clock.now.microseconds + 5_000)
        #expect(poller.wait(for: set, until: deadline) >= deadline)
        set.removeAll()
        set.add(pipe.fileHandleForWriting.fileDescriptor, writable: true)
        let start = clock.now
        let end = poller.wait(for: set, until: Instant(microseconds: start.microseconds + 60_000_000))
        #expect(end.microseconds(since: start) < 30_000_000)
    }

    @Test func `the calendar is past the day this was written`() {
        #expect(clock.date > 1_750_000_000)
    }
}

struct SignalSourceTests {
    @Test func `signals come as events, oldest first as the system numbers them`() throws {
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let source = try SignalSource()
        var set = DescriptorSet()
        source.addDescriptors(to: &set)
        #expect(set.interests.count == 1)
        #expect(source.nextSignal() == nil)
        // To this thread, which alone has them blocked.
        for signal in [SIGHUP, SIGTERM] { pthread_kill(pthread_self(), signal) }
        #expect(source.nextSignal() == .reload)
        #expect(source.nextSignal() == .terminate)
        #expect(source.nextSignal() == nil)
    }
}

struct HostNetworkTests {
    private let network = HostNetwork()

    @Test func `a datagram arrives with its sender`() throws {
        let one = try network.datagramSocket(boundTo: loopback)
        let other = try network.datagramSocket(boundTo: loopback)
        #expect(one.localAddress.port != 0)
        #expect(one.localAddress.address == .v4(0x7f00_0001))
        #expect(one.send([1, 2, 3], to: other.localAddress) == .handedOver)
        #expect(one.send([], to: other.localAddress) == .handedOver)
        var datagram: [UInt8] = [9, 9, 9, 9, 9]
        #expect(arrives(at: other, in: &datagram) == one.localAddress)
        #expect(datagram == [1, 2, 3])
        #expect(arrives(at: other, in: &datagram) == one.localAddress)
        #expect(datagram.isEmpty)
        #expect(other.receive(into: &datagram) == nil)
    }

    @Test func `the largest datagram passes, a larger one is refused`() throws {
        let one = try network.datagramSocket(boundTo: loopback)
        let other = try network.datagramSocket(boundTo: loopback)
        let largest = [UInt8](repeating: 5, count: 65_507)
        #expect(one.send(largest, to: other.localAddress) == .handedOver)
        var datagram: [UInt8] = []
        #expect(arrives(at: other, in: &datagram) == one.localAddress)
        #expect(datagram == largest)
        #expect(one.send(largest + [5], to: other.localAddress) == .failed(EMSGSIZE))
    }

    @Test func `nobody at the other end is no trouble`() throws {
        let one = try network.datagramSocket(boundTo: loopback)
        let gone = try network.datagramSocket(boundTo: loopback).localAddress
        for _ in 0..<3 { #expect(one.send([1], to: gone) == .handedOver) }
        var datagram: [UInt8] = []
        #expect(one.receive(into: &datagram) == nil)
    }

    @Test func `a taken port is named`() throws {
        let one = try network.datagramSocket(boundTo: loopback)
        do {
            _ = try network.datagramSocket(boundTo: one.localAddress)
            Issue.record("bound twice")
        } catch {
            let explanation = error.explanation
            #expect(explanation == "\(one.localAddress): cannot be bound: Address already in use")
        }
    }

    @Test func `a link-local address keeps identifier, interface and port`() throws {
        let address = SocketAddress(
            address: .linkLocal(identifier: 0x0211_22ff_fe33_4455, scope: 3), port: 14550)
        let system = shim_address(address)
        #expect(SocketAddress(system) == address)
        var foreign = system
        foreign.v6_prefix = 0x2001_0db8_0000_0000
        #expect(SocketAddress(foreign) == nil)
    }

    private var loopback: SocketAddress { SocketAddress(address: .v4(0x7f00_0001), port: 0) }

    /// The next datagram, which on a loaded machine may still be on its way.
    private func arrives(at socket: any DatagramSocket, in datagram: inout [UInt8]) -> SocketAddress? {
        let clock = SystemClock()
        var set = DescriptorSet()
        set.add(socket.descriptor)
        _ = Poller(clock: clock).wait(for: set, until: clock.now + .seconds(30))
        return socket.receive(into: &datagram)
    }
}
