import Wire

extension SimulatedVehicle {
    /// Says what is asked for, if the vehicle has it.
    mutating func sendTelemetry(_ message: MessageID) {
        switch message {
        case Heartbeat.id: send(heartbeat)
        case SystemStatus.id: send(systemStatus)
        case ExtendedSystemState.id: send(ExtendedSystemState(landedState: flight.landedState))
        case GlobalPositionInt.id: send(globalPosition)
        case Attitude.id: send(Attitude(time: milliseconds, roll: 0, pitch: 0, yaw: 0))
        case GPSRawInt.id: send(satellitePosition)
        case FlightDisplay.id: send(display)
        case LocalPosition.id:
            send(
                LocalPosition(
                    time: milliseconds, down: -Float(flight.height), speedDown: -Float(flight.climb)))
        case BatteryStatus.id: send(battery)
        case HomePosition.id:
            send(
                HomePosition(
                    latitude: home.latitude, longitude: home.longitude, altitude: home.altitude,
                    time: microseconds))
        case Altitude.id: send(altitude)
        case AutopilotVersion.id: send(version)
        default: break
        }
    }

    private var microseconds: UInt64 { now.microseconds(since: started) }
    private var milliseconds: UInt32 { UInt32(truncatingIfNeeded: microseconds / 1000) }
    private var altitudeAboveSea: Int32 { home.altitude + Int32(flight.height * 1000) }

    private var heartbeat: Heartbeat {
        var baseMode: BaseMode = [.custom, .stabilized]
        if flight.isArmed { baseMode.insert(.armed) }
        switch mode {
        case .guided, .returnToLaunch, .land, .brake: baseMode.insert(.guided)
        case .stabilize, .altitudeHold, .loiter, .positionHold: baseMode.insert(.manualInput)
        }
        return Heartbeat(
            type: .quadrotor, autopilot: .arduPilot, customMode: mode.rawValue, baseMode: baseMode,
            systemState: flight.isArmed ? .active : .standby)
    }

    private var systemStatus: SystemStatus {
        let sensors: Sensors = [
            .gyroscope, .accelerometer, .magnetometer, .pressure, .satellites, .rateControl, .attitudeControl,
            .yawControl, .heightControl, .positionControl, .motors, .attitudeEstimate, .battery,
            .armingChecks,
        ]
        return SystemStatus(
            present: sensors, enabled: sensors, healthy: sensors, load: 100, voltage: millivolts,
            current: current,
            batteryRemaining: Int8(flight.battery.remaining))
    }

    private var millivolts: UInt16 { UInt16(flight.battery.volts * 1000) }
    private var current: Int16 { Int16(flight.battery.current * 100) }

    private var battery: BatteryStatus {
        BatteryStatus(
            consumed: Int32(flight.battery.consumed), voltage: millivolts, current: current,
            remaining: Int8(flight.battery.remaining))
    }

    private var globalPosition: GlobalPositionInt {
        GlobalPositionInt(
            time: milliseconds, latitude: home.latitude, longitude: home.longitude,
            altitude: altitudeAboveSea,
            relativeAltitude: Int32(flight.height * 1000), speedDown: Int16(-flight.climb * 100), heading: 0)
    }

    private var satellitePosition: GPSRawInt {
        GPSRawInt(
            time: microseconds, latitude: home.latitude, longitude: home.longitude,
            altitude: altitudeAboveSea,
            horizontalDilution: 70, verticalDilution: 110, speed: 0, course: 0, fix: 3, satellites: 14)
    }

    private var display: FlightDisplay {
        FlightDisplay(
            airSpeed: 0, groundSpeed: 0, altitude: Float(altitudeAboveSea) / 1000, climb: Float(flight.climb),
            heading: 0, throttle: flight.isInAir ? 50 : 0)
    }

    private var altitude: Altitude {
        let aboveSea = Float(altitudeAboveSea) / 1000
        let aboveHome = Float(flight.height)
        return Altitude(
            time: microseconds, monotonic: aboveSea, aboveSea: aboveSea, local: aboveHome,
            aboveHome: aboveHome,
            aboveTerrain: aboveHome, clearance: aboveHome)
    }

    private var version: AutopilotVersion {
        AutopilotVersion(
            capabilities: [.missionInt, .commandInt, .mavlink2, .castParameters],
            identifier: UInt64(address.system),
            flightVersion: Self.flightVersion)
    }

    /// The ArduPilot that it behaves like: 4.6.0, an official release.
    private static let flightVersion: UInt32 = 0x0406_00ff
}
