import Foundation

/// Finds the elements of a stream in chunks that are cut anywhere.
///
/// Chunk after chunk is taken; after each, elements are asked for until there are no more in it. Memory is bounded by a
/// chunk and the element that is being gathered.
protocol StreamSplitter: Sendable {
    associatedtype Element

    /// Takes the next chunk, after all elements of those before were asked for.
    mutating func take(_ chunk: Data)

    /// The next element; nil if more bytes are needed.
    mutating func next() throws -> OneShot<Element>?

    /// Takes the end of the stream. Elements may be left; only when they were asked for is it clear that all is well.
    mutating func finish()

    /// Throws what is wrong with the stream as a whole, after its last element.
    mutating func conclude(_ judge: (_ envelope: Data) throws -> Void) throws
}
