/// The version of the package.
enum PackageVersion {
    /// The newest version of the change log.
    static let current = "1.0.0"
}
