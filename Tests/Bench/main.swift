// bench: what the parts cost on this machine. Figures only, nothing here passes or fails: swift run -c release bench
import Foundation

let project = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

do {
    let measurements = [measureFrames, measurePairing, measureConnecting, measureForwarding]
    for measurement in measurements {
        print(try measurement().text)
    }
    print(kernelConnecting())
    print(try measurePrograms().text)
} catch {
    FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
    exit(1)
}
