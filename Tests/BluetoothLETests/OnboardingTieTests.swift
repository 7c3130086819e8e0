import Testing

@testable import BluetoothLE

struct OnboardingTieTests {
    @Test func `service and accessory, as far as there is room`() throws {
        let tie = OnboardingTie(service: [1, 2, 3, 4, 5, 6], accessory: [7, 8, 9, 10])
        #expect(tie.octets == [1, 2, 3, 4, 7, 8])
        #expect(try OnboardingTie(parsing: tie.octets) == tie)
        #expect(try OnboardingTie(parsing: tie.octets + [0]) == tie)
        #expect(tie.matches(service: [1, 2, 3, 4, 0, 0]) && !tie.matches(service: [1, 2, 3, 0]))
        #expect(tie.matches(accessory: [7, 8, 0, 0]) && !tie.matches(accessory: [7]))
    }

    @Test func `without a service there is the accessory alone`() throws {
        let tie = OnboardingTie(service: nil, accessory: [7, 8, 9, 10])
        #expect(tie.octets == [7, 8])
        #expect(try OnboardingTie(parsing: [7, 8]) == tie)
        #expect(!tie.matches(service: []))
        #expect(throws: (any Error).self) { try OnboardingTie(parsing: [7]) }
    }

    @Test func `somebody else's advertisement has none`() throws {
        let tie = OnboardingTie(service: nil, accessory: [7, 8, 9, 10])
        let data = AdvertisingData.Element.serviceData(OnboardingService.short, tie.octets)
        #expect(AdvertisingData([data]).onboardingTie == nil)
        #expect(
            AdvertisingData([.services([OnboardingService.uuid], isComplete: true), data]).onboardingTie
                == tie)
    }

    @Test func `a device has the name that it says, or one that it says the beginning of`() {
        let whole = AdvertisingData([.name(Array("Drone".utf8), isComplete: true)])
        #expect(whole.isNamed("Drone") && !whole.isNamed("Drone 2") && !whole.isNamed(""))
        let cut = AdvertisingData([.name(Array("Dro".utf8), isComplete: false)])
        #expect(cut.isNamed("Drone") && cut.isNamed("Drone 2") && !cut.isNamed("Rover"))
        #expect(!AdvertisingData([]).isNamed("") && !AdvertisingData([]).isNamed("Drone"))
        #expect(!AdvertisingData([.name([], isComplete: false)]).isNamed("Drone"))
    }
}
