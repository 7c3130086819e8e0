import Accessory
import Aware
import BluetoothLE
import Frames
import Ports
import Wire

/// What phones find over Bluetooth.
enum OnboardingAdvertisement {
    /// The accessory's own first, then Improv's and the transport blocks, where they are wanted: each fills an
    /// advertisement by itself.
    static func all(
        _ accessory: Accessory, improv: ImprovDevice?, interval: UInt16
    ) -> [BluetoothAdvertisement] {
        let configuration = accessory.configuration
        var contents = [own(accessory)]
        if let improv, !improv.isProvisioned { contents.append(improv.advertisement) }
        let transports = configuration.bluetooth.transports
        if !transports.isEmpty {
            contents.append(AdvertisingData([.other(type: AdvertisingData.transportsType, transports)]))
        }
        let name = AdvertisingData([
            AdvertisingData.name(
                configuration.information.pairingName, room: AdvertisingData.legacyLimit)
        ])
        var advertisements: [BluetoothAdvertisement] = []
        for content in contents {
            do throws(WireError) {
                advertisements.append(
                    BluetoothAdvertisement(
                        data: try content.octets(limit: AdvertisingData.limitBesideFlags),
                        scanResponse: try name.octets(limit: AdvertisingData.legacyLimit),
                        interval: interval))
            } catch {
                die("an advertisement is too long")
            }
        }
        return advertisements
    }

    /// 28 octets: the service, and as much as there is room for of what ties it to Wi-Fi Aware: of the first service's
    /// identifier on the air four octets, of the accessory's identifier two.
    private static func own(_ accessory: Accessory) -> AdvertisingData {
        var tie: [UInt8] = []
        for service in accessory.configuration.services.prefix(1) {
            tie += service.publication.name.identifier.octets.prefix(4)
        }
        tie += accessory.shortIdentifier.prefix(2)
        return AdvertisingData([
            .services([OnboardingService.uuid], isComplete: true),
            .serviceData(OnboardingService.short, tie),
        ])
    }
}
