// A small accessory on bluetoothd, for Tests/BoardTests/bluetooth-shared: a state that anybody may read and follow, a
// control point that takes one command, a result that only a paired phone may read. Says on its output what happens.
import BluetoothLE
import LinuxBluetooth
import LinuxHost
import Ports
import Wire

let serviceHigh: UInt64 = 0x1f2e_3d4c_5b6a_7988
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
        .custom(serviceHigh, 1),
        [
            GATTCharacteristic(state, .custom(serviceHigh, 2), [.read, .notify]),
            GATTCharacteristic(control, .custom(serviceHigh, 3), [.write]),
            GATTCharacteristic(result, .custom(serviceHigh, 4), [.read], access: .authenticated),
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
    .start(BluetoothConfiguration(name: "board", pairing: .passkey, services: services)), at: now)
// All 128-bit services; service data of 0x4677, two octets. The name.
let uuid: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x79, 0x6a, 0x5b, 0x4c, 0x3d, 0x2e, 0x1f]
bluetooth.perform(
    .advertise([
        BluetoothAdvertisement(
            data: [17, 7] + uuid + [5, 0x16, 0x77, 0x46, 1, 2], scanResponse: [6, 9] + Array("board".utf8),
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
