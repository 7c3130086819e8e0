// A small accessory on bluetoothd, for the suite `shared` of Tests/BoardTests: a state that anybody may read and follow, a
// control point that takes one command, a result that only a paired phone may read. Says on its output what happens.
import BluetoothLE
import LinuxBluetooth
import LinuxHost
import Ports
import Simulation
import Wire

/// Those of the onboarding service: the phone of the board tests knows them.
func uuid(_ number: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0x832e_b559_5af9_4d93, low: 0x8623_bdef_d811_a033 + number)
}
let state = GATTCharacteristic.ID(1)
let control = GATTCharacteristic.ID(2)
let result = GATTCharacteristic.ID(3)

final class Answerer: GATTAnswerer {
    var state: [UInt8] = [1]
    var hasChanged = false

    func read(
        _ characteristic: GATTCharacteristic.ID, by client: BluetoothClient, at now: Instant
    ) throws(ATTError) -> [UInt8] {
        switch characteristic {
        case control: throw .readNotPermitted
        case result: return Array("the result, which is longer than one answer holds".utf8)
        default: return state
        }
    }

    func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic.ID, by client: BluetoothClient,
        at now: Instant
    ) throws(ATTError) {
        guard value.count == 1 else { throw .invalidAttributeValueLength }
        guard value == [7] else { throw ATTError(code: 0x81) }
        state = [state[0] &+ 1]
        hasChanged = true
    }
}

func say(_ line: String) { StandardStream.output.write(line + "\n") }

let services = [
    GATTService(
        uuid(0),
        [
            GATTCharacteristic(state, uuid(3), [.read, .notify]),
            GATTCharacteristic(control, uuid(4), [.write]),
            GATTCharacteristic(result, uuid(5), [.read], access: .authenticated),
        ])
]

func advertisement() throws(WireError) -> BluetoothAdvertisement {
    let data = AdvertisingData([
        .services([uuid(0)], isComplete: true), .serviceData(.assigned(0x4677), [1, 2]),
    ])
    let name = AdvertisingData([.name(Array("board".utf8), isComplete: true)])
    return BluetoothAdvertisement(
        data: try data.octets(limit: AdvertisingData.limitBesideFlags),
        scanResponse: try name.octets(limit: AdvertisingData.legacyLimit), interval: 100)
}

func say(_ event: BluetoothEvent) {
    switch event {
    case .ready(let address): say("ready \(address.octets)")
    case .unavailable(let reason): say("unavailable: " + reason)
    case .connected(let client): say("connected \(client.id)")
    case .disconnected(let client): say("disconnected \(client)")
    case .passkey(let digits):
        var line = "passkey "
        for digit in digits { line += "\(digit)" }
        say(line)
    case .passkeyOver: say("passkeyOver")
    case .bonded(let address): say("bonded \(address.octets)")
    case .pairingFailed(_, let reason): say("pairing failed: " + reason)
    }
}

func run() throws(HostError) {
    let clock = SystemClock()
    let signals = try SignalSource()
    let poller = Poller(clock: clock)
    let bluetooth = SharedBluetooth(store: MemoryStore(), journal: StandardJournal(verbose: false))
    let answerer = Answerer()
    bluetooth.answerer = answerer
    var now = clock.now
    bluetooth.perform(
        .start(BluetoothConfiguration(name: "board", pairing: .passkey, services: services)), at: now)
    do throws(WireError) {
        bluetooth.perform(.advertise([try advertisement()]), at: now)
        bluetooth.perform(.allowPairing(since: now), at: now)
    } catch {
        throw HostError("the advertisement is too long")
    }
    while true {
        while let event = bluetooth.nextEvent(at: now) { say(event) }
        if answerer.hasChanged {
            answerer.hasChanged = false
            bluetooth.perform(.notify(state, answerer.state), at: now)
        }
        var set = DescriptorSet()
        signals.addDescriptors(to: &set)
        bluetooth.addDescriptors(to: &set)
        now = poller.wait(for: set, until: bluetooth.deadline)
        if signals.nextSignal() == .terminate { break }
    }
    bluetooth.perform(.stop, at: now)
}

do throws(HostError) { try run() } catch { say(error.explanation) }
