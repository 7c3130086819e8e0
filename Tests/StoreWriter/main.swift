// Saves records in a loop until it is killed. For FileStoreKillTests.
import Crypto
import LinuxHost

let arguments = CommandLine.arguments
guard arguments.count == 2 else { fatalError("usage: store-writer DIRECTORY") }
let store = try FileStore(directory: arguments[1])
var generation = UInt8.random(in: 0...255)
while true {
    generation &+= 1
    // Every octet says which generation it belongs to, so that a mixture shows; several pages, so that writing
    // takes several steps.
    try store.save("record", Secret([UInt8](repeating: generation, count: 9000 + Int(generation))))
    StandardStream.output.write([generation])
}
