/// A type's name as the library prints it. Optimised code prints a private type that it knows at compile time with the file it
/// is private to, `(Plan in _8B21C44A)`, which must not depend on how a test was compiled.
func plainName(_ type: Any.Type) -> String { "\(type)".replacing(/\((\w+) in _[0-9A-F]+\)/) { String($0.1) } }
