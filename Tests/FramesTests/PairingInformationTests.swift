import Frames
import Testing

struct PairingInformationTests {
    @Test func `names are found in any order, between strangers, whatever the case of the key`() {
        let text = [
            "x", "=", "MODELNAME=Two", "vendorName=", "other=1", "pairingname=One", "pairingName=Three",
        ]
        let information = PairingInformation(text: text.map { Array($0.utf8) })
        #expect(information == PairingInformation(pairingName: "One", vendorName: "", modelName: "Two"))
        #expect(
            PairingInformation(text: []) == PairingInformation(pairingName: "", vendorName: "", modelName: "")
        )
    }

    @Test func `what is too long ends with a whole character`() {
        let information = PairingInformation(
            pairingName: String(repeating: "a", count: 62) + "é",
            vendorName: String(repeating: "é", count: 40),
            modelName: "Drohne 🛩️")
        let read = PairingInformation(text: information.text)
        #expect(read.pairingName == String(repeating: "a", count: 62))
        #expect(read.vendorName == String(repeating: "é", count: 31))
        #expect(read.modelName == "Drohne 🛩️")
        for string in information.text { #expect(string.count <= 75) }
    }

    @Test func `a stranger's name cannot command a terminal`() {
        let name = Array("pairingName=".utf8) + [0x1b] + Array("[2J\u{202e}A\r\nB\u{85}".utf8) + [0xff, 0x00]
        #expect(PairingInformation(text: [name]).pairingName == "[2JAB\u{fffd}")
    }

    @Test func `a stranger's name is no longer than ours`() {
        let name = Array("pairingName=".utf8) + [UInt8](repeating: 0x61, count: 240)
        #expect(PairingInformation(text: [name]).pairingName.utf8.count == 63)
    }

    @Test func `what is empty is not said`() {
        let text = PairingInformation(pairingName: "", vendorName: "V", modelName: "").text
        #expect(text == [Array("vendorName=V".utf8)])
    }

    @Test func `text that is no list of strings is kept as octets`() {
        #expect(GenericService(port: nil, transport: nil).text.isEmpty)
        #expect(GenericService(items: [.port(0), .port(80)]).port == 80)
    }
}
