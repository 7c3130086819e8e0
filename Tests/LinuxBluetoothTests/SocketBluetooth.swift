import BluetoothLE
import Foundation
import Ports
import Wire

@testable import LinuxBluetooth

/// Bluetooth whose clients are real, and come over socket pairs instead of a controller.
final class SocketBluetooth: Bluetooth {
    var answerer: (any GATTAnswerer)?
    let bonds: [BluetoothAddress] = []
    let clients: AttributeClients
    private let links = Links()
    /// Who is connected, by what was told.
    private(set) var connected: Set<UInt64> = []
    private(set) var mostConnected = 0
    /// Every event once more, for the test.
    private(set) var departures = 0
    private var events = EventQueue<BluetoothEvent>()
    private var postponed: [BluetoothRequest] = []
    private var isAnswering = false

    /// The kernel's levels of links.
    private final class Links { var levels: [Int32: Int32] = [:] }

    init() {
        let links = self.links
        clients = AttributeClients(level: { links.levels[$0] ?? 1 })
    }

    var deadline: Instant? { events.isEmpty ? clients.deadline : Instant(microseconds: 0) }
    func addDescriptors(to set: inout DescriptorSet) { clients.addDescriptors(to: &set) }

    func perform(_ request: BluetoothRequest, at now: Instant) {
        guard !isAnswering else { return postponed.append(request) }
        switch request {
        case .start(let configuration):
            clients.offer(AttributeDatabase(name: configuration.name, services: configuration.services))
            events.append(.ready(BluetoothAddress(AdapterTests.own, isRandom: true)))
        case .notify(let id, let value):
            clients.notify(id, value)
            turn(at: now)
        case .disconnectStrangers: tell(clients.disconnectStrangers())
        default: break
        }
    }

    func removeBond(_ address: BluetoothAddress, at now: Instant) throws(StoreError) {}

    func nextEvent(at now: Instant) -> BluetoothEvent? {
        if events.isEmpty { turn(at: now) }
        return events.next()
    }

    private func turn(at now: Instant) {
        isAnswering = true
        tell(clients.turn(for: answerer, recall: { _ in nil }, at: now))
        isAnswering = false
        _ = clients.takeMemories()
        let requests = postponed
        postponed = []
        for request in requests { perform(request, at: now) }
    }

    private func tell(_ news: [BluetoothEvent]) {
        for event in news {
            switch event {
            case .connected(let client): connected.insert(client.id)
            case .disconnected(let client):
                connected.remove(client)
                departures += 1
            default: break
            }
            mostConnected = max(mostConnected, connected.count)
            events.append(event)
        }
    }

    /// Somebody connects; bonded, with his link protected, where he says so.
    func connect(number: UInt64, isBonded: Bool = false, at now: Instant) -> SocketPhone? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        links.levels[ends[0]] = isBonded ? 4 : 1
        let address = BluetoothAddress(MACAddress(rawValue: 0xc000_0000_0000 + number), isRandom: true)
        tell(clients.admit(ends[0], from: address, memory: nil, at: now))
        if isBonded { clients.setBonded(address, true) }
        return SocketPhone(ends[1])
    }
}

final class SocketPhone {
    private let socket: Int32
    private(set) var isGone = false

    init(_ socket: Int32) { self.socket = socket }
    deinit { close(socket) }

    func send(_ pdu: [UInt8]) {
        if Glibc.send(socket, pdu, pdu.count, Int32(MSG_NOSIGNAL)) < 0, errno != EAGAIN {
            isGone = true
        }
    }

    /// Everything that has arrived.
    func receive() -> [[UInt8]] {
        var pdus: [[UInt8]] = []
        var room = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = recv(socket, &room, room.count, 0)
            guard count > 0 else {
                if count == 0 { isGone = true }
                return pdus
            }
            pdus.append(Array(room[..<count]))
        }
    }
}
