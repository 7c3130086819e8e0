// A small accessory on bluetoothd, for Tests/BoardTests/bluetooth-shared: a state that anybody may read and follow, a
// control point that takes one command, a result that only a paired phone may read. Says on its output what happens.
import BluetoothLE
import LinuxBluetooth
import LinuxHost
import Ports
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
let clock = SystemClock()
let signals = try SignalSource()
let poller = Poller(clock: clock)
let bluetooth = SharedBluetooth()
let answerer = Answerer()
bluetooth.answerer = answerer

var now = clock.now
bluetooth.perform(
    .start(
        BluetoothConfiguration(name: "board", pairing: .passkey, services: services)), at: now)
let advertisement = AdvertisingData([
    .services([uuid(0)], isComplete: true), .serviceData(.assigned(0x4677), [1, 2]),
])
bluetooth.perform(
    .advertise([
        BluetoothAdvertisement(
            data: try advertisement.octets(limit: AdvertisingData.limitBesideFlags),
            scanResponse: try AdvertisingData([.name(Array("board".utf8), isComplete: true)]).octets(
                limit: 31),
            interval: 100)
    ]), at: now)

var isRunning = true
while isRunning {
    while let event = bluetooth.nextEvent(at: now) {
        switch event {
        case .passkey(let digits): say("passkey " + digits.map { String($0) }.joined())
        default: say("\(event)")
        }
    }
    if answerer.hasChanged {
        answerer.hasChanged = false
        bluetooth.perform(.notify(state, answerer.state), at: now)
    }
    var set = DescriptorSet()
    signals.addDescriptors(to: &set)
    bluetooth.addDescriptors(to: &set)
    now = poller.wait(for: set, until: bluetooth.deadline)
    while let signal = signals.nextSignal() { if signal == .terminate { isRunning = false } }
}
bluetooth.perform(.stop, at: now)
