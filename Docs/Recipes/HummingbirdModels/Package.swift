// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HummingbirdModels",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [.library(name: "HummingbirdModels", targets: ["HummingbirdModels"])],
    dependencies: [
        .package(name: "ModelMirror", path: "../../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
    ],
    targets: [
        .target(
            name: "HummingbirdModels",
            dependencies: [
                .product(name: "ModelMirror", package: "ModelMirror"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        .testTarget(
            name: "HummingbirdModelsTests",
            dependencies: ["HummingbirdModels", .product(name: "HummingbirdTesting", package: "hummingbird")]),
    ]
)
