// wifi-join scan | wifi-join NAME PASSWORD: what Improv does with the board's Wi-Fi, for the suite `wifi` of Tests/BoardTests.
import Crypto
import LinuxHost
import LinuxWiFi
import Ports
import Wire

let words = CommandLine.arguments
let clock = SystemClock()
let poller = Poller(clock: clock)
let wifi = LinuxWiFi()
if words.count == 3 {
    wifi.join(Array(words[1].utf8), password: Key(Secret(Array(words[2].utf8))), at: clock.now)
} else {
    wifi.scan(at: clock.now)
}
while true {
    if let event = wifi.nextEvent(at: clock.now) {
        switch event {
        case .found(let networks):
            for network in networks {
                let name = String(decoding: network.name, as: UTF8.self)
                print("found", name, network.signal, network.isProtected ? "protected" : "open")
            }
        case .joined: print("joined")
        case .failed(let reason): print("failed:", reason)
        }
        break
    }
    var set = DescriptorSet()
    wifi.addDescriptors(to: &set)
    _ = poller.wait(for: set, until: wifi.deadline)
}
