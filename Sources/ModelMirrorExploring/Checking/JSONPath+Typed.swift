import ModelMirror

extension JSONPath {
    /// A path as typed, `data,items,0`, or as findings print it, `$.data.items[0]`; nil if the latter is malformed.
    ///
    /// With commas, a number is a key where the document has an object. `$["a,b"]` can name any key.
    init?(typed text: String, in document: JSONValue?) {
        var steps: [Step] = []
        if text == "$" || text.hasPrefix("$.") || text.hasPrefix("$[") {
            var rest = text.dropFirst()
            while let match = rest.prefixMatch(of: #/\.([^.\[]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/#) {
                let (_, name, index, literal) = match.output
                if let name {
                    steps.append(.key(String(name)))
                } else if let index = index.flatMap({ Int($0) }) {
                    steps.append(.index(index))
                } else if let key = literal.flatMap({ try? JSONValue(json: String($0)) })?.string {
                    steps.append(.key(key))
                } else {
                    return nil
                }
                rest = rest[match.range.upperBound...]
            }
            guard rest.isEmpty else { return nil }
        } else {
            for word in text.split(separator: ",", omittingEmptySubsequences: text.isEmpty) {
                let isMember = document?[JSONPath(steps)]?.object != nil
                steps.append(isMember ? .key(String(word)) : Int(word).map { .index($0) } ?? .key(String(word)))
            }
        }
        self.init(steps)
    }
}
