import Ports
import Wire

extension BoardConfiguration.Panel {
    init(_ section: inout BoardSection, _ lines: inout BoardLines) throws(ConfigurationError) {
        switch String(section.name.prefix { $0 != " " }) {
        case "tm1637": self = .tm1637(try TM1637.Settings(&section, &lines))
        case "hd44780": self = try .hd44780(Self.size(&section), HD44780.Connection(&section, &lines))
        case "ssd1306": self = .oled(try OLED.Settings(.ssd1306, &section, &lines))
        case "sh1106": self = .oled(try OLED.Settings(.sh1106, &section, &lines))
        case "max7219":
            let bus = try lines.claimBus(try section.required("bus"), address: nil, for: section.title)
            let brightness = try section.number("brightness", MAX7219.Settings.brightnesses, otherwise: 4)
            self = .max7219(MAX7219.Settings(bus: bus, brightness: UInt8(brightness)))
        case "led": self = .light(try LightWiring(led: &section, &lines))
        case "exec": self = .exec(try section.path(try section.required("program")))
        default:
            throw section.mistake(
                "[\(section.title)]: panels are tm1637, hd44780, ssd1306, sh1106, max7219, led and exec")
        }
    }

    private static func size(_ section: inout BoardSection) throws(ConfigurationError) -> HD44780.Size {
        guard let entry = section.entry("size") else { return .columns16rows2 }
        return try section.choice(entry, "16x2", "20x4") ? .columns16rows2 : .columns20rows4
    }
}

extension TM1637.Settings {
    fileprivate init(_ section: inout BoardSection, _ lines: inout BoardLines) throws(ConfigurationError) {
        let clock = try lines.claim(try section.required("clk"), for: section.title)
        let data = try lines.claim(try section.required("dio"), for: section.title)
        self.init(chip: lines.chip, clock: clock, data: data)
        if let digits = section.entry("digits") {
            registers = try section.choice(digits, "4", "6") ? Self.fourDigits : Self.sixDigits
        }
        if let order = section.entry("order") {
            var wanted: [UInt8] = []
            for word in words(of: order.value) { wanted.append(UInt8(word) ?? .max) }
            guard wanted.count == registers.count, Self.areRegisters(wanted) else {
                throw section.mistake(
                    order, "order names each of the \(registers.count) digits once, as in 2 1 0 5 4 3")
            }
            registers = wanted
        }
        halfClock = UInt32(try section.number("half-clock", Self.halfClocks, otherwise: Int(halfClock)))
        brightness = UInt8(try section.number("brightness", Self.brightnesses, otherwise: Int(brightness)))
    }
}

extension HD44780.Connection {
    fileprivate init(_ section: inout BoardSection, _ lines: inout BoardLines) throws(ConfigurationError) {
        if let bus = section.entry("bus") {
            let address = try section.number("address", 0x08...0x77, otherwise: 0x27)
            self = .i2c(
                PCF8574.Settings(
                    bus: try lines.claimBus(bus, address: address, for: section.title),
                    address: UInt8(address)))
            return
        }
        let select = try lines.claim(try section.required("rs"), for: section.title)
        let enable = try lines.claim(try section.required("e"), for: section.title)
        var data: [LineName] = []
        for key in ["d4", "d5", "d6", "d7"] {
            data.append(try lines.claim(try section.required(key), for: section.title))
        }
        self = .lines(
            HD44780Lines.Settings(chip: lines.chip, registerSelect: select, enable: enable, data: data))
    }
}

extension OLED.Settings {
    fileprivate init(
        _ controller: OLED.Controller, _ section: inout BoardSection, _ lines: inout BoardLines
    ) throws(ConfigurationError) {
        let address = try section.number("address", 0x08...0x77, otherwise: 0x3c)
        let bus = try lines.claimBus(try section.required("bus"), address: address, for: section.title)
        var isTall = true
        if let size = section.entry("size") {
            isTall = try section.choice(size, "128x64", "128x32")
            guard isTall || controller == .ssd1306 else {
                throw section.mistake(size, "an sh1106 has 128x64 dots")
            }
        }
        self.init(controller, height: isTall ? 64 : 32, bus: bus, address: UInt8(address))
        brightness = UInt8(try section.number("brightness", 0...255, otherwise: Int(brightness)))
    }
}

extension LightWiring {
    /// A `[light NAME]`.
    init(light section: inout BoardSection, _ lines: inout BoardLines) throws(ConfigurationError) {
        let name = try section.named()
        let place: Place
        if let one = section.entry("line") {
            place = .one(try lines.claim(one, for: section.title))
        } else {
            let red = try lines.claim(try section.required("red"), for: section.title)
            let green = try lines.claim(try section.required("green"), for: section.title)
            let blue = try lines.claim(try section.required("blue"), for: section.title)
            place = .colors(red: red, green: green, blue: blue)
        }
        self.init(
            name: "light \(name)", chip: lines.chip, place: place,
            isActiveLow: try Self.isActiveLow(&section, otherwise: false), language: .states)
    }

    /// A `[panel led]`.
    init(led section: inout BoardSection, _ lines: inout BoardLines) throws(ConfigurationError) {
        let line = try lines.claim(try section.required("line"), for: section.title)
        self.init(
            name: "led on \(line.text)", chip: lines.chip, place: .one(line),
            isActiveLow: try Self.isActiveLow(&section, otherwise: false), language: .digits)
    }

    fileprivate static func isActiveLow(
        _ section: inout BoardSection, otherwise: Bool
    ) throws(ConfigurationError) -> Bool {
        guard let entry = section.entry("active") else { return otherwise }
        return try section.choice(entry, "low", "high")
    }
}

extension ButtonWiring {
    init(_ section: inout BoardSection, _ lines: inout BoardLines) throws(ConfigurationError) {
        let name = try section.named()
        let line = try lines.claim(try section.required("line"), for: section.title)
        let isActiveLow = try LightWiring.isActiveLow(&section, otherwise: true)
        var settings = ButtonSettings()
        if let press = section.entry("press") {
            settings.press = try section.choice(press, "open-pairing", "none") ? .openPairing : .none
        }
        if let hold = section.entry("hold") {
            settings.hold = try section.choice(hold, "forget-all", "none") ? .forgetAll : .none
        }
        if let time = section.entry("hold-time") {
            guard settings.hold == .forgetAll else {
                throw section.mistake(time, "hold-time belongs to hold = forget-all")
            }
            settings.holdTime = .seconds(UInt32(try section.number(time, 3...30)))
        }
        settings.debounce = .milliseconds(UInt32(try section.number("debounce", 5...200, otherwise: 25)))
        self.init(
            name: name, chip: lines.chip, line: line, isActiveLow: isActiveLow, settings: settings)
    }
}
