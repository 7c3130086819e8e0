// swift-tools-version: 6.2
import PackageDescription

// AWARED_EMBEDDED=1 builds what is shipped: Embedded Swift, no runtime on the board (see board/build).
// AWARED_UNICODE_LIB names the toolchain's libswiftUnicodeDataTables.a for the target.
let embedded = Context.environment["AWARED_EMBEDDED"] != nil
let unicodeTables = Context.environment["AWARED_UNICODE_LIB"] ?? ""

/// A section a function lets the linker leave out what is not called and fold what is the same. The standard library's
/// appending, a tenth of the programs where it is inlined, is called. Embedded Swift's check for overlapping accesses at
/// run time does nothing, so it is not called; the compiler's own check stays. Instructions that recur become functions.
/// Debian 12's C library and later ones read packed relocations.
let small =
    [
        "-wmo", "-Osize", "-Xfrontend", "-function-sections", "-enforce-exclusivity=unchecked",
        "-Xllvm", "-enable-machine-outliner=always",
    ]
    + [
        "$es11_StringGutsV6appendyyABF",  // _StringGuts.append(_:)
        "$eSS6appendyySSF",  // String.append(_:)
        "$eSa6appendyyxnFs5UInt8V_Tg5",  // [UInt8].append(_:)
    ].flatMap { ["-Xllvm", "-sil-inline-never-function=\($0)"] }
let smallLinked =
    ["-use-ld=lld"]
    + ["--gc-sections", "--icf=all", "-s", "-z", "pack-relative-relocs", "--as-needed"]
    .flatMap { ["-Xlinker", $0] }

let swift: [SwiftSetting] =
    [.treatAllWarnings(as: .error), .enableUpcomingFeature("InternalImportsByDefault")]
    + (embedded ? [.enableExperimentalFeature("Embedded"), .unsafeFlags(small)] : [])
let borrowing = swift + [.enableExperimentalFeature("Lifetimes")]
let linked: [LinkerSetting] =
    embedded ? [.unsafeFlags(smallLinked + [unicodeTables])] : []

/// The floors of README.md, "How to read the code": a target imports only from floors below its own.
let floors: [Target] = [
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CConfig", pkgConfig: "inih", providers: [.apt(["libinih-dev"])]),
    .systemLibrary(
        name: "CNetlink", pkgConfig: "libnl-genl-3.0", providers: [.apt(["libnl-3-dev", "libnl-genl-3-dev"])]),
    .target(name: "CGPIO"),
    .target(name: "CShim", cSettings: embedded ? [.define("AWARED_EMBEDDED")] : []),

    .target(name: "Wire", dependencies: ["CShim"], swiftSettings: borrowing),

    .target(name: "Crypto", dependencies: ["COpenSSL", "CShim", "Wire"], swiftSettings: swift),
    .target(name: "Frames", dependencies: ["Wire"], swiftSettings: swift),

    .target(name: "BluetoothLE", dependencies: ["Wire"], swiftSettings: swift),

    .target(name: "Ports", dependencies: ["BluetoothLE", "Crypto", "Wire"], swiftSettings: swift),

    .target(name: "SystemBus", dependencies: ["CShim", "Crypto", "Ports", "Wire"], swiftSettings: swift),
    .target(name: "Aware", dependencies: ["Crypto", "Frames", "Ports", "Wire"], swiftSettings: swift),
    .target(
        name: "Captures", dependencies: ["Aware", "CShim", "Crypto", "Frames", "Wire"], swiftSettings: swift),
    .target(name: "MAVLink", dependencies: ["Wire"], swiftSettings: swift),

    .target(
        name: "Accessory", dependencies: ["Aware", "BluetoothLE", "Crypto", "Frames", "Ports", "Wire"],
        swiftSettings: swift),
    .target(
        name: "Phone", dependencies: ["Aware", "Crypto", "Frames", "Ports", "Wire"], swiftSettings: swift),

    .target(
        name: "Runtime",
        dependencies: ["Accessory", "Aware", "BluetoothLE", "Crypto", "Frames", "Phone", "Ports", "Wire"],
        swiftSettings: swift),

    .target(
        name: "LinuxHost", dependencies: ["CConfig", "CShim", "Crypto", "Ports", "Wire"], swiftSettings: swift
    ),
    .target(
        name: "LinuxRadio", dependencies: ["CNetlink", "CShim", "Crypto", "Ports", "Wire"],
        swiftSettings: swift),
    .target(
        name: "LinuxBoard", dependencies: ["CGPIO", "CShim", "Ports", "Wire"], swiftSettings: swift),
    .target(
        name: "LinuxBluetooth",
        dependencies: ["BluetoothLE", "CShim", "Crypto", "Ports", "SystemBus", "Wire"],
        swiftSettings: swift),
    .target(
        name: "LinuxWiFi", dependencies: ["BluetoothLE", "CShim", "Crypto", "Ports", "SystemBus", "Wire"],
        swiftSettings: swift),
    .target(name: "Channels", dependencies: ["MAVLink", "Ports", "Wire"], swiftSettings: swift),
    .target(
        name: "Simulation",
        dependencies: ["BluetoothLE", "CShim", "Captures", "Crypto", "Frames", "Ports", "Wire"],
        swiftSettings: swift),

    .target(
        name: "Programs",
        dependencies: ["Crypto", "LinuxHost", "LinuxRadio", "Ports", "Simulation", "Wire"],
        swiftSettings: swift),

    .executableTarget(
        name: "awared",
        dependencies: [
            "Accessory", "Aware", "Channels", "Crypto", "Frames", "LinuxBluetooth", "LinuxBoard",
            "LinuxHost", "LinuxRadio", "LinuxWiFi", "MAVLink", "Ports", "Programs", "Runtime", "Wire",
        ],
        swiftSettings: swift, linkerSettings: linked),
    .executableTarget(
        name: "aware",
        dependencies: [
            "Aware", "BluetoothLE", "CShim", "Captures", "Channels", "Crypto", "Frames", "LinuxBluetooth",
            "LinuxHost", "Phone", "Ports", "Programs", "Runtime", "Wire",
        ],
        swiftSettings: swift, linkerSettings: linked),
]

let tests: [Target] = [
    .testTarget(name: "LayerTests"),
    .testTarget(
        name: "ScenarioTests",
        dependencies: [
            "Accessory", "Aware", "BluetoothLE", "Crypto", "Frames", "Phone", "Ports", "Runtime",
            "Simulation", "Wire",
        ]),
    .testTarget(
        name: "AccessoryTests", dependencies: ["Accessory", "Crypto", "Ports", "Wire"]),
    .testTarget(
        name: "PhoneTests",
        dependencies: ["Aware", "Crypto", "Frames", "Phone", "Ports", "Simulation", "Wire"]),
    .testTarget(
        name: "RuntimeTests",
        dependencies: [
            "Accessory", "Aware", "Crypto", "Frames", "Phone", "Ports", "Runtime", "Simulation", "Wire",
        ]),
    .testTarget(name: "AwareTests", dependencies: ["Aware", "Crypto", "Frames", "Ports", "Wire"]),
    .testTarget(name: "FramesTests", dependencies: ["Frames", "Wire"]),
    .testTarget(
        name: "LinuxHostTests",
        dependencies: ["CShim", "Crypto", "LinuxHost", "Ports", "Wire", "store-writer"]),
    .executableTarget(
        name: "store-writer", dependencies: ["Crypto", "LinuxHost"], path: "Tests/StoreWriter"),
    .executableTarget(
        name: "bench",
        dependencies: [
            "Accessory", "Aware", "Channels", "Crypto", "Frames", "LinuxHost", "MAVLink", "Phone", "Ports",
            "Runtime", "Simulation", "Wire", "awared",
        ],
        path: "Tests/Bench"),
    .testTarget(name: "LinuxBoardTests", dependencies: ["LinuxBoard", "LinuxHost", "Ports", "Wire"]),
    .testTarget(name: "LinuxRadioTests", dependencies: ["Crypto", "LinuxRadio", "Ports", "Wire"]),
    .testTarget(
        name: "LinuxBluetoothTests",
        dependencies: [
            "Accessory", "BluetoothLE", "Crypto", "LinuxBluetooth", "Ports", "Runtime", "Simulation",
            "SystemBus", "Wire",
        ]),
    .testTarget(name: "SystemBusTests", dependencies: ["Crypto", "Ports", "SystemBus", "Wire"]),
    .testTarget(
        name: "LinuxWiFiTests",
        dependencies: ["BluetoothLE", "Crypto", "LinuxWiFi", "Ports", "SystemBus", "Wire"]),
    .executableTarget(
        name: "wifi-join", dependencies: ["Crypto", "LinuxHost", "LinuxWiFi", "Ports", "Wire"],
        path: "Tests/WiFiJoin"),
    .executableTarget(
        name: "shared-accessory",
        dependencies: ["BluetoothLE", "LinuxBluetooth", "LinuxHost", "Ports", "Simulation", "Wire"],
        path: "Tests/SharedAccessory"),
    .testTarget(name: "WireTests", dependencies: ["Wire"]),
    .testTarget(name: "BluetoothLETests", dependencies: ["BluetoothLE", "Wire"]),
    .testTarget(name: "MAVLinkTests", dependencies: ["MAVLink", "Wire"]),
    .testTarget(
        name: "SimulationTests",
        dependencies: ["Crypto", "Frames", "LinuxHost", "Ports", "Simulation", "Wire"]),
    .testTarget(name: "ChannelsTests", dependencies: ["Channels", "LinuxHost", "MAVLink", "Ports", "Wire"]),
    .testTarget(name: "CryptoTests", dependencies: ["Crypto", "Wire"]),
    .testTarget(name: "CapturesTests", dependencies: ["Captures", "Crypto", "Wire"]),
]

let package = Package(
    name: "Awared",
    targets: floors + (embedded ? [] : tests),
    swiftLanguageModes: [.v6]
)
