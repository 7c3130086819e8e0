public import Wire

/// What the satellite receiver says.
///
/// - Spec: MAVLink common, GPS_RAW_INT.
public struct GPSRawInt: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 24)
    public static let length = 30

    /// In microseconds since the start.
    public var time: UInt64
    /// In 10⁻⁷ degrees.
    public var latitude: Int32
    public var longitude: Int32
    /// Above the sea, in mm.
    public var altitude: Int32
    /// Times 100.
    public var horizontalDilution: UInt16
    public var verticalDilution: UInt16
    /// In cm/s.
    public var speed: UInt16
    /// In 0.01 degrees.
    public var course: UInt16
    /// 3 is a fix in three dimensions.
    public var fix: UInt8
    public var satellites: UInt8

    public init(
        time: UInt64, latitude: Int32, longitude: Int32, altitude: Int32, horizontalDilution: UInt16,
        verticalDilution: UInt16, speed: UInt16, course: UInt16, fix: UInt8, satellites: UInt8
    ) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.horizontalDilution = horizontalDilution
        self.verticalDilution = verticalDilution
        self.speed = speed
        self.course = course
        self.fix = fix
        self.satellites = satellites
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        time = try payload.number64("time")
        latitude = try payload.signed32("latitude")
        longitude = try payload.signed32("longitude")
        altitude = try payload.signed32("altitude")
        horizontalDilution = try payload.number16("horizontal dilution")
        verticalDilution = try payload.number16("vertical dilution")
        speed = try payload.number16("speed")
        course = try payload.number16("course")
        fix = try payload.octet("fix")
        satellites = try payload.octet("satellites")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number64(time)
        payload.signed32(latitude)
        payload.signed32(longitude)
        payload.signed32(altitude)
        payload.number16(horizontalDilution)
        payload.number16(verticalDilution)
        payload.number16(speed)
        payload.number16(course)
        payload.octet(fix)
        payload.octet(satellites)
    }
}

/// Where the vehicle is, by all its sensors together.
///
/// - Spec: MAVLink common, GLOBAL_POSITION_INT.
public struct GlobalPositionInt: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 33)
    public static let length = 28

    /// In ms since the start.
    public var time: UInt32
    /// In 10⁻⁷ degrees.
    public var latitude: Int32
    public var longitude: Int32
    /// Above the sea, in mm.
    public var altitude: Int32
    /// Above home, in mm.
    public var relativeAltitude: Int32
    /// In cm/s.
    public var speedNorth: Int16
    public var speedEast: Int16
    public var speedDown: Int16
    /// In 0.01 degrees.
    public var heading: UInt16

    public init(
        time: UInt32, latitude: Int32, longitude: Int32, altitude: Int32, relativeAltitude: Int32,
        speedNorth: Int16 = 0, speedEast: Int16 = 0, speedDown: Int16, heading: UInt16
    ) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.relativeAltitude = relativeAltitude
        self.speedNorth = speedNorth
        self.speedEast = speedEast
        self.speedDown = speedDown
        self.heading = heading
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        time = try payload.number32("time")
        latitude = try payload.signed32("latitude")
        longitude = try payload.signed32("longitude")
        altitude = try payload.signed32("altitude")
        relativeAltitude = try payload.signed32("relative altitude")
        speedNorth = try payload.signed16("speed north")
        speedEast = try payload.signed16("speed east")
        speedDown = try payload.signed16("speed down")
        heading = try payload.number16("heading")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number32(time)
        payload.signed32(latitude)
        payload.signed32(longitude)
        payload.signed32(altitude)
        payload.signed32(relativeAltitude)
        payload.signed16(speedNorth)
        payload.signed16(speedEast)
        payload.signed16(speedDown)
        payload.number16(heading)
    }
}

/// Where the vehicle is, in metres north, east and down of home.
///
/// - Spec: MAVLink common, LOCAL_POSITION_NED.
public struct LocalPosition: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 32)
    public static let length = 28

    /// In ms since the start.
    public var time: UInt32
    public var north: Float
    public var east: Float
    public var down: Float
    /// In m/s.
    public var speedNorth: Float
    public var speedEast: Float
    public var speedDown: Float

    public init(
        time: UInt32, north: Float = 0, east: Float = 0, down: Float, speedNorth: Float = 0,
        speedEast: Float = 0, speedDown: Float
    ) {
        self.time = time
        self.north = north
        self.east = east
        self.down = down
        self.speedNorth = speedNorth
        self.speedEast = speedEast
        self.speedDown = speedDown
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        time = try payload.number32("time")
        north = try payload.float("north")
        east = try payload.float("east")
        down = try payload.float("down")
        speedNorth = try payload.float("speed north")
        speedEast = try payload.float("speed east")
        speedDown = try payload.float("speed down")
    }

    public func write(into payload: inout FrameWriter) {
        payload.number32(time)
        payload.float(north)
        payload.float(east)
        payload.float(down)
        payload.float(speedNorth)
        payload.float(speedEast)
        payload.float(speedDown)
    }
}

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

/// Where the vehicle returns to.
///
/// - Spec: MAVLink common, HOME_POSITION.
public struct HomePosition: Equatable, MAVLinkMessage {
    public static let id = MessageID(rawValue: 242)
    public static let length = 60

    /// In 10⁻⁷ degrees.
    public var latitude: Int32
    public var longitude: Int32
    /// Above the sea, in mm.
    public var altitude: Int32
    public var x: Float
    public var y: Float
    public var z: Float
    /// The direction of take-off as a quaternion.
    public var rotationW: Float
    public var rotationX: Float
    public var rotationY: Float
    public var rotationZ: Float
    /// In microseconds since the start.
    public var time: UInt64

    public init(
        latitude: Int32, longitude: Int32, altitude: Int32, x: Float = 0, y: Float = 0, z: Float = 0,
        rotationW: Float = 1, rotationX: Float = 0, rotationY: Float = 0, rotationZ: Float = 0, time: UInt64
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.x = x
        self.y = y
        self.z = z
        self.rotationW = rotationW
        self.rotationX = rotationX
        self.rotationY = rotationY
        self.rotationZ = rotationZ
        self.time = time
    }

    public init(parsing payload: inout FrameReader) throws(WireError) {
        latitude = try payload.signed32("latitude")
        longitude = try payload.signed32("longitude")
        altitude = try payload.signed32("altitude")
        x = try payload.float("x")
        y = try payload.float("y")
        z = try payload.float("z")
        rotationW = try payload.float("rotation w")
        rotationX = try payload.float("rotation x")
        rotationY = try payload.float("rotation y")
        rotationZ = try payload.float("rotation z")
        _ = try payload.octets(12, "approach")
        time = try payload.number64("time")
    }

    public func write(into payload: inout FrameWriter) {
        payload.signed32(latitude)
        payload.signed32(longitude)
        payload.signed32(altitude)
        payload.float(x)
        payload.float(y)
        payload.float(z)
        payload.float(rotationW)
        payload.float(rotationX)
        payload.float(rotationY)
        payload.float(rotationZ)
        payload.zeros(12)
        payload.number64(time)
    }
}
