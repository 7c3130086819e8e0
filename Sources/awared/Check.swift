import Accessory
import Aware
import Frames
import LinuxHost
import Ports
import Programs
import Wire

/// Says whether a configuration is right, and what it declares.
func check(_ file: String, isJSON: Bool) -> Int32 {
    do throws(ConfigurationError) {
        let configuration = try Configuration(try readConfiguration(file), file: file)
        StandardStream.output.write(isJSON ? json(configuration) : text(configuration, file))
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

private func json(_ configuration: Configuration) -> String {
    JSONWriter.object { document in
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
    } + "\n"
}
