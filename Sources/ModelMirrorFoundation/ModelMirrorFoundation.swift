// The part of Foundation that the libraries use. Where FoundationEssentials is a module of its own, they link no more than it: all of
// Foundation is 42 MB in a static executable.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

// The C library. Foundation for Apple platforms contains it.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Darwin)
@_exported public import Darwin
#endif
