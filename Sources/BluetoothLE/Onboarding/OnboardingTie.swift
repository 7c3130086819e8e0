public import Wire

/// What ties the accessory's advertisement to what it publishes over Wi-Fi Aware, as far as there is room.
public struct OnboardingTie: Equatable, Sendable {
    private static let serviceCount = 4
    private static let accessoryCount = 2

    /// The first octets of the first service's identifier on the air; empty where it has no service.
    public var service: [UInt8]
    /// The first octets of what paired devices know the accessory by.
    public var accessory: [UInt8]

    /// - Parameters:
    ///   - service: 6 octets, or none.
    ///   - accessory: 4 octets.
    public init(service: [UInt8]?, accessory: [UInt8]) {
        self.service = Array((service ?? []).prefix(Self.serviceCount))
        self.accessory = Array(accessory.prefix(Self.accessoryCount))
    }

    public func matches(service identifier: [UInt8]) -> Bool {
        !service.isEmpty && Array(identifier.prefix(Self.serviceCount)) == service
    }

    public func matches(accessory identifier: [UInt8]) -> Bool {
        Array(identifier.prefix(Self.accessoryCount)) == accessory
    }
}

// MARK: Octets, as service data: service (4, or none) | accessory (2)

extension OnboardingTie {
    /// Later versions add fields at the end, which are passed over.
    public init(parsing data: [UInt8]) throws(WireError) {
        var reader = FrameReader(data.span.bytes)
        service =
            data.count < Self.serviceCount + Self.accessoryCount
            ? [] : try reader.octets(Self.serviceCount, "service")
        accessory = try reader.octets(Self.accessoryCount, "accessory")
    }

    public var octets: [UInt8] { service + accessory }
}

extension AdvertisingData {
    /// Of an accessory of this program. Nil where it is somebody else's advertisement.
    public var onboardingTie: OnboardingTie? {
        var isOurs = false
        var tie: OnboardingTie?
        for element in elements {
            switch element {
            case .services(let services, _): isOurs = isOurs || services.contains(OnboardingService.uuid)
            case .serviceData(OnboardingService.short, let data):
                do throws(WireError) { tie = try OnboardingTie(parsing: data) } catch { continue }
            default: continue
            }
        }
        return isOurs ? tie : nil
    }

    /// Whether it says this name, or the beginning of it where it says that there was no room for more.
    public func isNamed(_ name: String) -> Bool {
        for case .name(let octets, let isComplete) in elements where !octets.isEmpty {
            let known = Array(name.utf8)
            return isComplete ? known == octets : known.starts(with: octets)
        }
        return false
    }

    /// The device's name, in characters that a terminal can show; empty where it says none.
    public var deviceName: String {
        for element in elements {
            if case .name(let octets, _) = element { return String(decoding: octets, as: UTF8.self) }
        }
        return ""
    }
}
