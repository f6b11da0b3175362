/// The version of the package.
package enum PackageVersion {
    /// The newest version of the change log.
    package static let current = "1.0.0"
}
