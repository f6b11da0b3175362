/// Makes names free with numbers. Each name remembers its last number, so that many equal names take linear time.
package struct NumberedNames {
    private var next: [String: Int] = [:]

    package init() {}

    /// A free name: the name itself, otherwise with a number from 2 that makes it free.
    package mutating func free(_ name: String, _ isFree: (String) -> Bool) -> String {
        if isFree(name) { return name }
        var number = next[name] ?? 2
        while !isFree("\(name)\(number)") { number += 1 }
        next[name] = number + 1
        return "\(name)\(number)"
    }
}
