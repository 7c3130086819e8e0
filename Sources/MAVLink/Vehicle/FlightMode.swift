/// How a multicopter of ArduPilot's makes flies by itself.
///
/// - Spec: ArduPilot, ArduCopter flight modes; MAVLink ardupilotmega, COPTER_MODE.
public enum FlightMode: UInt32, Sendable {
    case stabilize = 0
    case altitudeHold = 2
    case guided = 4
    case loiter = 5
    case returnToLaunch = 6
    case land = 9
    case positionHold = 16
    case brake = 17

    /// Motors may be started in it.
    var mayArm: Bool {
        switch self {
        case .stabilize, .altitudeHold, .guided, .loiter, .positionHold: true
        case .returnToLaunch, .land, .brake: false
        }
    }

    /// It brings the vehicle to the ground.
    var descends: Bool {
        switch self {
        case .returnToLaunch, .land: true
        case .stabilize, .altitudeHold, .guided, .loiter, .positionHold, .brake: false
        }
    }
}
