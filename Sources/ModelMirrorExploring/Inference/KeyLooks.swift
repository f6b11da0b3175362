/// Decides from their keys whether objects are dictionaries.
enum KeyLooks {
    /// Whether objects at one place are dictionaries.
    ///
    /// - Parameters:
    ///   - name: The key of the place.
    ///   - isElement: Whether it is the key of their list or dictionary.
    static func areDictionaries(_ objects: [[Sample.Member]], under name: String, isElement: Bool) -> Bool {
        let filled = objects.filter { !$0.isEmpty }
        let members = filled.flatMap { $0 }
        var holders: [String: Int] = [:]
        for member in members { holders[member.key, default: 0] += 1 }
        let keys = holders.keys
        if keys.count > 100, filled.count == 1 || members.count * 2 < keys.count * filled.count {
            let kinds = Dictionary(grouping: members.map(\.value.kind).filter { !$0.isEmpty }) { $0 }.mapValues(\.count)
            if (kinds.values.max() ?? 0) * 10 >= members.count * 9 { return true }
        }
        guard !keys.isEmpty, haveOneKind(members.map(\.value)) else { return false }
        if keys.allSatisfy(isID) { return true }
        if KeyWords(name).suggestsDictionary { return true }
        if keys.count >= 2, keys.allSatisfy(languages.contains) { return keys.contains("en") || keys.count >= 3 }
        if keys.count >= 3, keys.allSatisfy(isCode) { return true }
        // Evidence from a single sample: many keys with similar objects.
        let inner = members.compactMap(\.value.members)
        // Many plain values, fewer under a plural such as `tags`, unless several objects have the same keys.
        let arePlain = members.allSatisfy { $0.value.kind.isDisjoint(with: [.array, .object]) }
        if arePlain, !isElement, members.count < 3 * keys.count, keys.count >= (KeyWords(name).isPlural ? 5 : 20) {
            return true
        }
        if inner.count == members.count, areAlike(inner) {
            if keys.count >= 5 { return true }
            if filled.count == 1, keys.count >= 3, inner.allSatisfy({ $0.count >= 3 }) { return true }
        }
        // Many objects with mostly different keys.
        guard filled.count >= 3, keys.count >= 5 else { return false }
        let isShared = holders.values.contains { $0 * 2 > filled.count }
        let isAlike = inner.isEmpty || areAlike(inner)
        return !isShared && isAlike && members.count * 2 <= keys.count * filled.count
    }

    /// Whether a text is a language code, with or without a region.
    static func isLanguage(_ text: String) -> Bool {
        let code = text.prefix { $0 != "-" && $0 != "_" }
        return text.utf8.count <= 7 && languages.contains(code.lowercased())
    }

    /// Whether all values but `null` are of one kind.
    private static func haveOneKind(_ values: [Sample]) -> Bool {
        Set(values.map(\.kind).filter { !$0.isEmpty }).count == 1
    }

    /// Whether objects have mostly the same keys.
    private static func areAlike(_ objects: [[Sample.Member]]) -> Bool {
        let all = Set(objects.flatMap { $0.map(\.key) })
        return !all.isEmpty && objects.allSatisfy { $0.count * 10 >= all.count * 7 }
    }

    /// Whether a key is a number, a version, a UUID, a hash, a date, a file, an address or a path.
    private static func isID(_ key: String) -> Bool {
        let utf8 = key.utf8
        if isNumber(utf8) { return true }
        if utf8.count >= 16, utf8.allSatisfy(isHexOrHyphen), utf8.contains(where: { 0x30...0x39 ~= $0 }) { return true }
        if DateForm.isCandidate(key), DateForm.texts.contains(where: { $0.matches(key) }) { return true }
        if utf8.contains(UInt8(ascii: "@")), !key.hasPrefix("@"), key.contains(".") { return true }
        if utf8.contains(UInt8(ascii: "/")) { return true }
        return isFile(key) || isNumbered(utf8)
    }

    /// A number, or the numbers of a version with what follows them: `-7.5`, `v1.2.0-beta.1`.
    private static func isNumber(_ utf8: String.UTF8View) -> Bool {
        let hasV = utf8.first == UInt8(ascii: "v")
        let rest = hasV || utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
        let number = rest.prefix { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
        let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard !parts.contains(where: \.isEmpty) else { return false }
        guard let next = rest.dropFirst(number.count).first else { return parts.count > 1 || !hasV }
        return parts.count > 1 && (next == UInt8(ascii: "-") || next == UInt8(ascii: "+"))
    }

    /// At least three digits after a prefix of at most eight bytes, `user_123`, or digits after a colon, `item:2`.
    private static func isNumbered(_ utf8: String.UTF8View) -> Bool {
        let digits = utf8.reversed().prefix { 0x30...0x39 ~= $0 }.count
        return digits >= 3 && utf8.count - digits <= 8 || digits >= 1 && utf8.dropLast(digits).last == 0x3A
    }

    private static func isFile(_ key: String) -> Bool {
        guard let dot = key.lastIndex(of: "."), dot > key.startIndex else { return false }
        let ending = key[key.index(after: dot)...]
        return 1...5 ~= ending.count && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            && ending.contains(where: \.isLetter)
    }

    private static func isHexOrHyphen(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case 0x30...0x39, 0x61...0x66, 0x2D: true
        default: false
        }
    }

    private static func isCode(_ key: String) -> Bool {
        key.utf8.count == 3 && key.utf8.allSatisfy { 0x41...0x5A ~= $0 }
    }

    private static let languages: Set<String> = Set(
        ("en de fr es it pt ja zh ko ru ar nl sv da no nb nn fi pl cs sk hu tr el he hi th vi uk ro bg hr sr sl et lv lt ca eu gl "
            + "fa ur bn ta te ms sq mk ka hy az kk uz mn ne si km lo my sw zu af ga cy mt lb "
            + "en-US en-GB de-DE de-AT de-CH fr-FR fr-CA es-ES es-MX pt-BR pt-PT zh-CN zh-TW zh-Hans zh-Hant ja-JP ko-KR it-IT "
            + "nl-NL en_US en_GB de_DE fr_FR es_ES pt_BR zh_CN zh_TW ja_JP it_IT").split(separator: " ").map(
                String.init))
}
