import MAVLink
import Wire

/// Frames made by pymavlink 2.4.50. They prove that both sides mean the same octets, not that an autopilot does.
enum Golden {
    static let groundStation = MAVLinkAddress(system: 255, component: 190)
    static let vehicle = MAVLinkAddress(system: 1, component: 1)

    static let heartbeat: [UInt8] = [
        0xfd, 0x09, 0x00, 0x00,  // version two, nine octets of payload, no flags
        0x07, 0xff, 0xbe,  // sequence, system 255, component 190
        0x00, 0x00, 0x00,  // message 0
        0x00, 0x00, 0x00, 0x00,  // custom mode
        0x06, 0x08, 0x00, 0x04, 0x03,  // ground station, no autopilot, no mode, active, protocol 3
        0x7e, 0xfa,  // check value
    ]
    static let oldHeartbeat: [UInt8] = [
        0xfe, 0x09,  // version one
        0x05, 0x01, 0x01, 0x00,  // sequence, system, component, message
        0x04, 0x00, 0x00, 0x00,  // custom mode: guided
        0x02, 0x03, 0x51, 0x03, 0x03,  // quadrotor, ArduPilot, custom | stabilized | manual input, standby
        0xb7, 0x6c,
    ]
    static let signedHeartbeat: [UInt8] = [
        0xfd, 0x09, 0x01, 0x00, 0x07, 0xff, 0xbe, 0x00, 0x00, 0x00,  // flag: signed
        0x00, 0x00, 0x00, 0x00, 0x06, 0x08, 0x00, 0x04, 0x03,
        0x99, 0x02,  // check value
        0x01,  // link
        0x01, 0x00, 0x00, 0x00, 0x00, 0x00,  // time
        0x27, 0xb7, 0x91, 0x34, 0x04, 0x2e,  // signature
    ]
    /// Message 70000, which nobody knows, with three octets. Made by hand.
    static let unknown: [UInt8] = [
        0xfd, 0x03, 0x00, 0x00, 0x01, 0x01, 0x01, 0x70, 0x11, 0x01, 0xaa, 0xbb, 0xcc, 0x12, 0x34,
    ]
    /// As MAVSDK asks a PX4 to take off: all numbers are NaN.
    static let takeOff = frame(
        "fd20000007ffbe4c00000000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f1600010188ac")
    static let arm = frame(
        "fd20000007ffbe4c00000000803f0000000000000000000000000000000000000000000000009001010105b2")
    static let setParameter = frame("fd17000007ffbe17000000009643010157504e41565f53504545445f55500000091f5d")
    static let position = frame(
        "fd1a0000000101210000e80300004c52401c44f41705047c0700c409000000000000ceff6cb2")
    static let battery = frame(
        "fd24000000010193000078000000ffffffffff7f3831ffffffffffffffffffffffffffffffffffffdc050001015f131c")
    static let version = frame("fd1400000001019400000c200200000000000100000000000000ff000604a76a")
    static let home = frame(
        "fd370000000101f200004c52401c44f41705407207000000000000000000000000000000803f"
            + "00000000000000000000000000000000000000000000000040420fa19e")
    static let system = frame(
        "fd1f00000001010100002ffc20122ffc20122ffc20126400383164000000000000000000000000005f0c70")
    static let refusedFile = frame("fd1000000001016e000000ffbe0100008101040000000000000af1d5")
    static let text = frame("fd070000000101fd0000064c616e646564e621")
    static let parameter = frame("fd1900000001011600000000a0400c00050046535f4743535f54494d454f5554000009e027")
    static let acknowledgement = frame("fd0a00000001014d00009001000000000000ffbe6a53")

    static let all = [
        heartbeat, oldHeartbeat, signedHeartbeat, unknown, takeOff, arm, setParameter, position, battery,
        version, home, system, refusedFile, text, parameter, acknowledgement,
    ]

    private static func frame(_ text: String) -> [UInt8] { [UInt8](hex: text) ?? [] }
}
