import ModelMirror

extension DocumentDrift {
    /// The values of a document that show a change.
    struct Evidence: Equatable {
        enum Step: Equatable, CustomStringConvertible {
            case key(String)
            /// Each element of an array.
            case element
            /// Each member of an object whose keys are data.
            case member

            var description: String {
                switch self {
                case .key(let key): String("\(JSONPath([.key(key)]))".dropFirst())
                case .element: "[]"
                case .member: "{}"
                }
            }
        }

        enum Value: Equatable {
            case any
            case of([DocumentShape.Kind])
            case fraction
            case strings([String])
            /// An object without the last member of the path.
            case absent
        }

        let path: [Step]
        let value: Value

        /// The token of the first such value.
        fileprivate func token(in document: QueriedDocument, isElement: Bool) -> Int? {
            guard isElement else { return token(path[...], in: document, from: 0) }
            return path.first == .element ? token(path.dropFirst(), in: document, from: 0) : nil
        }

        private func token(_ path: ArraySlice<Step>, in document: QueriedDocument, from token: Int) -> Int? {
            var steps = 0
            var children: [QueriedDocument.Child] = []
            switch path.first {
            case nil: return isShown(by: token, document) ? token : nil
            case .key(let key):
                guard document.kind(token).isObject else { return nil }
                let member = document.member(Array(key.utf8), of: token, &steps)
                if value == .absent, path.count == 1 { return member == nil ? token : nil }
                return member.flatMap { self.token(path.dropFirst(), in: document, from: $0.value) }
            case .element where document.kind(token).isArray, .member where document.kind(token).isObject:
                document.addChildren(of: token, to: &children)
                return children.lazy.compactMap { self.token(path.dropFirst(), in: document, from: $0.value) }.first
            case .element, .member: return nil
            }
        }

        private func isShown(by token: Int, _ document: QueriedDocument) -> Bool {
            let kind = document.kind(token)
            return switch value {
            case .any: true
            case .of(let kinds): kinds.contains(DocumentShape.Kind(kind))
            case .fraction: kind == .number
            case .strings(let strings):
                kind.isString && strings.contains(String(decoding: document.text(token), as: UTF8.self))
            case .absent: false
            }
        }
    }

    /// The place of the first value that shows a change.
    struct Line: Equatable {
        let source: String
        let place: ErrorPlace
        /// The line with a caret under the value.
        let excerpt: String
    }

    /// Finds the lines of changes: in the old document those of members that disappeared, in the new one the others.
    ///
    /// - Parameters:
    ///   - most: The number of changes, from the first, that need a line.
    ///   - isList: Whether the documents of the source were compared as one array.
    mutating func findLines(of most: Int, in bytes: [UInt8], named source: String, isOld: Bool, isList: Bool) {
        var wanted = changes.indices.prefix(most).filter { (changes[$0].kind == .disappeared) == isOld }
        var reader = DocumentReader(ByteSource(bytes))
        while !wanted.isEmpty, let piece = try? reader.next() {
            guard case .document(let range) = piece else { continue }
            let found = evidence(of: wanted, in: reader, from: range.lowerBound, isElement: isList)
            for (index, offset) in found.sorted(by: { $0.offset < $1.offset }) {
                let place = reader.place(at: offset)
                try? reader.readLine(after: offset)
                let excerpt = SourceExcerpt(reader.buffer, line: place.line, offset: offset, width: 100)
                changes[index].line = Line(source: source, place: place, excerpt: excerpt.text())
            }
            wanted.removeAll { changes[$0].line != nil }
        }
    }

    /// The offsets in the reader's buffer of the values that show changes, in the document that was just read.
    private func evidence(
        of wanted: [Int], in reader: DocumentReader, from start: Int, isElement: Bool
    ) -> [(index: Int, offset: Int)] {
        let document = QueriedDocument(bytes: reader.buffer, tape: reader.tape)
        return wanted.compactMap { index in
            changes[index].evidence.token(in: document, isElement: isElement).map {
                (index, document.offset(of: $0, from: start))
            }
        }
    }
}

extension DocumentShape.Kind {
    fileprivate init(_ kind: JSONTape.Kind) {
        self =
            switch kind {
            case .object, .objectEnd: .object
            case .array, .arrayEnd: .array
            case .key, .string: .string
            case .integer, .number: .number
            case .true, .false: .boolean
            case .null: .null
            }
    }
}
