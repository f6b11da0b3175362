import Foundation

/// The system's zlib, loaded when a file is read.
///
/// Its functions for files read gzip of any number of members, and files that are not compressed as they are. They are part of its
/// public interface since 1.2.4, of 2010.
// @unchecked: constant addresses of functions that may be called on any thread.
struct Zlib: @unchecked Sendable {
    typealias Handle = OpaquePointer

    fileprivate let open: @convention(c) (Int32, UnsafePointer<CChar>) -> Handle?
    fileprivate let read: @convention(c) (Handle, UnsafeMutableRawPointer, UInt32) -> Int32
    fileprivate let offset: @convention(c) (Handle) -> Int
    fileprivate let error: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafePointer<CChar>?
    fileprivate let close: @convention(c) (Handle) -> Int32

    /// The installed library; nil if there is none.
    static let system = Zlib(named: ["libz.so.1", "libz.so", "/usr/lib/libz.1.dylib"])

    /// The first library found under these names.
    init?(named names: [String]) {
        guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first,
            let open = dlsym(library, "gzdopen"), let read = dlsym(library, "gzread"),
            let offset = dlsym(library, "gzoffset"), let error = dlsym(library, "gzerror"),
            let close = dlsym(library, "gzclose")
        else { return nil }
        self.open = unsafeBitCast(open, to: (@convention(c) (Int32, UnsafePointer<CChar>) -> Handle?).self)
        self.read = unsafeBitCast(
            read, to: (@convention(c) (Handle, UnsafeMutableRawPointer, UInt32) -> Int32).self)
        self.offset = unsafeBitCast(offset, to: (@convention(c) (Handle) -> Int).self)
        self.error = unsafeBitCast(
            error, to: (@convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafePointer<CChar>?).self)
        self.close = unsafeBitCast(close, to: (@convention(c) (Handle) -> Int32).self)
    }

    /// Reads an open file from its position; nil if the system has no memory or descriptor for it.
    func file(_ handle: FileHandle) -> ZlibFile? {
        // zlib closes the descriptor that it is given.
        let descriptor = dup(handle.fileDescriptor)
        guard descriptor >= 0 else { return nil }
        guard let file = open(descriptor, "rb") else {
            _ = Foundation.close(descriptor)
            return nil
        }
        return ZlibFile(file, self)
    }
}

/// A file that zlib reads.
final class ZlibFile {
    private let handle: Zlib.Handle
    private let library: Zlib
    private var count = 0

    fileprivate init(_ handle: Zlib.Handle, _ library: Zlib) { (self.handle, self.library) = (handle, library) }

    deinit { _ = library.close(handle) }

    /// The number of stored bytes that were read; of a pipe, whose offset zlib does not know, of decompressed ones.
    var position: Int {
        let offset = library.offset(handle)
        return offset < 0 ? count : offset
    }

    /// The next bytes, decompressed; none at the end.
    func read(_ most: Int) throws(ByteSource.Failure) -> [UInt8] {
        var count: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, length in
            count = buffer.baseAddress.map { library.read(handle, $0, UInt32(buffer.count)) } ?? 0
            length = max(Int(count), 0)
        }
        self.count += bytes.count
        if count > 0 { return bytes }
        var code: Int32 = 0
        _ = library.error(handle, &code)
        switch code {
        case 0, 1: return []
        case -5: throw .init("its compressed data ends too early")
        case -3: throw .init("its compressed data is damaged")
        default: throw .init("the system reported an error while reading it")
        }
    }
}
