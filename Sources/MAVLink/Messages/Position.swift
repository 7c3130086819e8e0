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
