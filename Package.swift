// swift-tools-version: 6.2
import PackageDescription

// Stores and downloads ask for the size and the age of files, which Apple's platforms want to be told. A resource makes SwiftPM link
// all of Foundation, so Linux goes without.
#if os(Linux)
let privacyManifest: (resources: [Resource], exclude: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#else
let privacyManifest: (resources: [Resource], exclude: [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#endif

let package = Package(
    name: "ModelMirror",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ModelMirror", targets: ["ModelMirror"]),
        .library(name: "ModelMirrorNetworking", targets: ["ModelMirrorNetworking"]),
        .library(name: "ModelMirrorTesting", targets: ["ModelMirrorTesting"]),
        .library(name: "ModelMirrorExploring", targets: ["ModelMirrorExploring"]),
    ],
    traits: [
        .trait(
            name: "FoundationNetworking",
            description:
                "URLSessionTransport on Linux, which links all of Foundation. It is always there on Apple platforms.")
    ],
    dependencies: [],
    targets: [
        .target(
            name: "ModelMirrorFoundation", swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .target(
            name: "ModelMirror", dependencies: ["ModelMirrorFoundation"],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .target(name: "CurlCalls"),
        .target(
            name: "ModelMirrorNetworking",
            dependencies: [
                "ModelMirror", "ModelMirrorFoundation",
                .target(name: "CurlCalls", condition: .when(platforms: [.linux])),
            ],
            exclude: privacyManifest.exclude, resources: privacyManifest.resources,
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .target(
            name: "ModelMirrorTesting",
            dependencies: ["ModelMirror", "ModelMirrorFoundation", "ModelMirrorNetworking"],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .target(
            name: "ModelMirrorExploring", dependencies: ["ModelMirror"],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .executableTarget(
            name: "Playground",
            dependencies: ["ModelMirror", "ModelMirrorNetworking", "ModelMirrorTesting", "ModelMirrorExploring"],
            path: "Playground", exclude: ["repl.sh", "ModelMirror.playground"], resources: [.process("Resources")]),
        .executableTarget(
            name: "Benchmarks", dependencies: ["ModelMirror", "ModelMirrorNetworking", "ModelMirrorTesting"],
            path: "Tests/Benchmarks", exclude: ["instructions.txt"]),
        .target(
            name: "AccountModel", dependencies: ["ModelMirror", "ModelMirrorNetworking", "ModelMirrorTesting"],
            path: "Tests/AccountModel"),
        .executableTarget(
            name: "Fuzzing",
            dependencies: ["AccountModel", "ModelMirror", "ModelMirrorNetworking", "ModelMirrorTesting"],
            path: "Tests/Fuzzing", exclude: ["coverage.sh", "Regressions"]),
        .testTarget(
            name: "ModelMirrorTests", dependencies: ["ModelMirror", "ModelMirrorTesting"],
            resources: [.copy("Conformance")]),
        .testTarget(
            name: "ModelMirrorNetworkingTests",
            dependencies: ["AccountModel", "ModelMirror", "ModelMirrorNetworking", "ModelMirrorTesting"],
            resources: [.copy("Persistence/CacheTests")]),
        .testTarget(
            name: "ModelMirrorExploringTests", dependencies: ["ModelMirror", "ModelMirrorExploring"],
            resources: [.copy("Querying/Compliance")]),
        .testTarget(name: "ClientNonisolatedTests", dependencies: ["ModelMirror", "ModelMirrorNetworking"]),
        .testTarget(
            name: "ClientMainActorTests", dependencies: ["ModelMirror", "ModelMirrorNetworking"],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ]
)

// What the project's own checks build with: a warning is an error.
if Context.environment["MODELMIRROR_STRICT"] != nil {
    for target in package.targets {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}

// The tests themselves unoptimized in release builds, which takes a third of the time: for the project's gate, which tests the
// optimized libraries, and optimized clients in the smaller test targets.
if Context.environment["MODELMIRROR_PLAIN_TESTS"] != nil {
    for target in package.targets where target.type == .test && target.name.hasPrefix("ModelMirror") {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
    }
}
