public import Wire

/// Heights in metres above several things.
///
/// - Spec: MAVLink common, ALTITUDE.
public struct Altitude: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 141)
    public static let length = 32

    /// In microseconds since the start.
    public var time: UInt64
    public var monotonic: Float
    public var aboveSea: Float
    public var local: Float
    public var aboveHome: Float
    public var aboveTerrain: Float
    public var clearance: Float

    public init(
        time: UInt64, monotonic: Float, aboveSea: Float, local: Float, aboveHome: Float, aboveTerrain: Float,
        clearance: Float
    ) {
        self.time = time
        self.monotonic = monotonic
        self.aboveSea = aboveSea
        self.local = local
        self.aboveHome = aboveHome
        self.aboveTerrain = aboveTerrain
        self.clearance = clearance
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        time = try payload.number64("time")
        monotonic = try payload.float("monotonic")
        aboveSea = try payload.float("above sea")
        local = try payload.float("local")
        aboveHome = try payload.float("above home")
        aboveTerrain = try payload.float("above terrain")
        clearance = try payload.float("clearance")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number64(time)
        payload.float(monotonic)
        payload.float(aboveSea)
        payload.float(local)
        payload.float(aboveHome)
        payload.float(aboveTerrain)
        payload.float(clearance)
    }
}

/// How the vehicle is turned, in radians and radians a second.
///
/// - Spec: MAVLink common, ATTITUDE.
public struct Attitude: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 30)
    public static let length = 28

    /// In ms since the start.
    public var time: UInt32
    public var roll: Float
    public var pitch: Float
    public var yaw: Float
    public var rollSpeed: Float
    public var pitchSpeed: Float
    public var yawSpeed: Float

    public init(
        time: UInt32, roll: Float, pitch: Float, yaw: Float, rollSpeed: Float = 0, pitchSpeed: Float = 0,
        yawSpeed: Float = 0
    ) {
        self.time = time
        self.roll = roll
        self.pitch = pitch
        self.yaw = yaw
        self.rollSpeed = rollSpeed
        self.pitchSpeed = pitchSpeed
        self.yawSpeed = yawSpeed
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        time = try payload.number32("time")
        roll = try payload.float("roll")
        pitch = try payload.float("pitch")
        yaw = try payload.float("yaw")
        rollSpeed = try payload.float("roll speed")
        pitchSpeed = try payload.float("pitch speed")
        yawSpeed = try payload.float("yaw speed")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number32(time)
        payload.float(roll)
        payload.float(pitch)
        payload.float(yaw)
        payload.float(rollSpeed)
        payload.float(pitchSpeed)
        payload.float(yawSpeed)
    }
}

/// What a pilot's display shows.
///
/// - Spec: MAVLink common, VFR_HUD.
public struct FlightDisplay: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 74)
    public static let length = 20

    /// In m/s.
    public var airSpeed: Float
    public var groundSpeed: Float
    /// Above the sea, in metres.
    public var altitude: Float
    /// In m/s.
    public var climb: Float
    /// In degrees.
    public var heading: Int16
    /// In per cent.
    public var throttle: UInt16

    public init(
        airSpeed: Float, groundSpeed: Float, altitude: Float, climb: Float, heading: Int16, throttle: UInt16
    ) {
        self.airSpeed = airSpeed
        self.groundSpeed = groundSpeed
        self.altitude = altitude
        self.climb = climb
        self.heading = heading
        self.throttle = throttle
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        airSpeed = try payload.float("air speed")
        groundSpeed = try payload.float("ground speed")
        altitude = try payload.float("altitude")
        climb = try payload.float("climb")
        heading = try payload.signed16("heading")
        throttle = try payload.number16("throttle")
    }

    public func write(into payload: inout FrameWriter) {
        payload.float(airSpeed)
        payload.float(groundSpeed)
        payload.float(altitude)
        payload.float(climb)
        payload.signed16(heading)
        payload.number16(throttle)
    }
}
