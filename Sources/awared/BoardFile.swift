import LinuxBoard
import LinuxHost
import Ports

/// Reads a board file.
func readBoard(_ file: String) throws(ConfigurationError) -> BoardConfiguration {
    try BoardConfiguration(try readConfiguration(file), file: file)
}
