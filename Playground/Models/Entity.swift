/// A part of a tweet's text.
class Entity: TwitterObject {
    /// Where it begins and ends, in characters from 0.
    var indices: [Int] = []
}
