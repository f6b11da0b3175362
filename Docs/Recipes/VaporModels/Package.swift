// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "VaporModels",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18)],
    products: [.library(name: "VaporModels", targets: ["VaporModels"])],
    dependencies: [
        .package(name: "ModelMirror", path: "../../.."),
        .package(url: "https://github.com/vapor/vapor.git", from: "4.110.0"),
    ],
    targets: [
        .target(
            name: "VaporModels",
            dependencies: [
                .product(name: "ModelMirror", package: "ModelMirror"), .product(name: "Vapor", package: "vapor"),
            ]),
        .testTarget(
            name: "VaporModelsTests",
            dependencies: ["VaporModels", .product(name: "VaporTesting", package: "vapor")]),
    ]
)
