import Accessory
import Aware
import Frames
import LinuxBoard
import LinuxHost
import Ports
import Programs
import Wire

/// Says whether a configuration, a board file, or both are right, and what they declare.
func check(_ file: String?, board boardFile: String?, isJSON: Bool) -> Int32 {
    do throws(ConfigurationError) {
        var configuration: Configuration?
        if let file { configuration = try Configuration(try readConfiguration(file), file: file) }
        var board: BoardConfiguration?
        if let boardFile { board = try readBoard(boardFile) }
        if isJSON {
            StandardStream.output.write(json(configuration, board))
        } else {
            if let configuration, let file { StandardStream.output.write(text(configuration, file)) }
            if let board, let boardFile { StandardStream.output.write(text(board, boardFile)) }
        }
        return ExitStatus.done
    } catch {
        return complain(error.description, status: ExitStatus.usage)
    }
}

private func text(_ configuration: Configuration, _ file: String) -> String {
    let names = configuration.information
    var text = "\(file) is right: \(names.pairingName), \(names.vendorName), \(names.modelName)\n"
    for service in configuration.services {
        text += "  publishes \(service.publication.name.text) at port \(service.publication.port)"
        text += service.publication.isUnsolicited ? "\n" : ", when asked\n"
    }
    return text
}

private func text(_ board: BoardConfiguration, _ file: String) -> String {
    var text = "\(file) is right\(board.name.isEmpty ? "" : ": " + board.name.printable)\n"
    for name in panelNames(board) { text += "  has \(name)\n" }
    for button in board.buttons { text += "  has button \(button.name.printable) on \(button.line.text)\n" }
    return text
}

private func panelNames(_ board: BoardConfiguration) -> [String] {
    var names: [String] = []
    for panel in board.makePanels(on: LinuxWiring(), clock: SystemClock()) {
        names.append(panel.name.printable)
    }
    return names
}

private func json(_ configuration: Configuration?, _ board: BoardConfiguration?) -> String {
    JSONWriter.object { document in
        if let configuration { write(configuration, into: &document) }
        guard let board else { return }
        document.object("board") { object in
            object.member("name", board.name)
            object.member("panels", panelNames(board))
            var buttons: [String] = []
            for button in board.buttons { buttons.append(button.name) }
            object.member("buttons", buttons)
        }
    } + "\n"
}

private func write(_ configuration: Configuration, into document: inout JSONObject) {
    document.member("name", configuration.information.pairingName)
    document.member("vendor", configuration.information.vendorName)
    document.member("model", configuration.information.modelName)
    document.array("services") { services in
        for service in configuration.services {
            services.object {
                $0.member("service", service.publication.name.text)
                $0.member("port", service.publication.port)
                $0.member("unsolicited", service.publication.isUnsolicited)
            }
        }
    }
}
