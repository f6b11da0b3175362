// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since what it checks needs flags that a whole build has or has not; see check.sh.
let package = Package(
    name: "StrippedMetadata",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModelMirror", path: "../..")],
    targets: [
        .executableTarget(
            name: "StrippedMetadata", dependencies: [.product(name: "ModelMirror", package: "ModelMirror")])
    ]
)
