/// A document like the response of GitHub's "list gists": the same bytes on every run and every machine.
///
/// Each gist has 19 keys, its owner 12; every fifth gist also has a user. Descriptions contain escapes, non-ASCII text and
/// surrogate pairs. 2,000 gists are about 3 MB and 4,400 objects.
struct GistsDocument {
    private var random = SplitMix64(state: 42)

    /// The document with the given number of gists.
    static func bytes(count: Int) -> [UInt8] {
        var document = GistsDocument()
        let gists = (0..<count).map { document.gist($0) }
        return Array(("[" + gists.joined(separator: ",") + "]").utf8)
    }

    /// One object of about 500 bytes.
    static func smallObject() -> [UInt8] {
        let text = """
            {"login":"octocat","id":583231,"node_id":"MDQ6VXNlcjU4MzIzMQ==",\
            "avatar_url":"https://avatars.example.com/u/583231?v=4","gravatar_id":"",\
            "url":"https://api.github.com/users/octocat","html_url":"https://github.com/octocat",\
            "followers_url":"https://api.github.com/users/octocat/followers",\
            "gists_url":"https://api.github.com/users/octocat/gists{/gist_id}",\
            "repos_url":"https://api.github.com/users/octocat/repos","type":"User","site_admin":false,"score":1.5}
            """
        return Array(text.utf8)
    }

    private mutating func gist(_ number: Int) -> String {
        let id = hexadecimal(32)
        let login = "user\(random.next() % 5000)"
        let api = "https://api.github.com/gists/\(id)"
        let user = number.isMultiple(of: 5) ? account("user\(random.next() % 5000)") : "null"
        return """
            {"url":"\(api)","forks_url":"\(api)/forks","commits_url":"\(api)/commits","id":"\(id)",\
            "node_id":"G_\(hexadecimal(20))","git_pull_url":"https://gist.github.com/\(id).git",\
            "html_url":"https://gist.github.com/\(login)/\(id)",\
            "files":{"main.swift":{"type":"text/plain","size":\(random.next() % 20000)}},"public":\(random.next() % 4 != 0),\
            "created_at":"\(date())","updated_at":"\(date())","description":"\(description())",\
            "comments":\(random.next() % 100),"user":\(user),"comments_enabled":true,\
            "comments_url":"\(api)/comments","owner":\(account(login)),"truncated":false,"score":\(score())}
            """
    }

    private mutating func account(_ login: String) -> String {
        let api = "https://api.github.com/users/\(login)"
        let id = random.next() % 100_000_000
        return """
            {"login":"\(login)","id":\(id),"node_id":"MDQ6VXNlcj\(id)",\
            "avatar_url":"https://avatars.example.com/u/\(id)?v=4","gravatar_id":"","url":"\(api)",\
            "html_url":"https://github.com/\(login)","followers_url":"\(api)/followers",\
            "gists_url":"\(api)/gists{/gist_id}","repos_url":"\(api)/repos","type":"User","site_admin":\(random.next() % 50 == 0)}
            """
    }

    private mutating func description() -> String {
        let phrases = [
            "A small helper for retrying network calls", "Notes on \\\"value semantics\\\" and copy-on-write",
            "Générateur de rapports — été", "日本語のメモと設定ファイル", "Line one\\nLine two\\tindented", "Path C:\\\\temp\\\\x",
            "Rocket \\ud83d\\ude80 deployment script", "Ελληνικά και κάτι ακόμα",
            "Plain words without anything special",
            "Emoji 🎉 in the text",
        ]
        return (0..<3).map { _ in phrases[Int(random.next() % UInt64(phrases.count))] }.joined(separator: "; ")
    }

    private mutating func date() -> String {
        func two(_ range: ClosedRange<UInt64>) -> String {
            let value = range.lowerBound + random.next() % (range.upperBound - range.lowerBound + 1)
            return value < 10 ? "0\(value)" : "\(value)"
        }
        return "20\(two(10...25))-\(two(1...12))-\(two(1...28))T\(two(0...23)):\(two(0...59)):\(two(0...59))Z"
    }

    private mutating func score() -> String { "\(random.next() % 100).\(random.next() % 1000)" }

    private mutating func hexadecimal(_ count: Int) -> String {
        String((0..<count).map { _ in Character(String(random.next() % 16, radix: 16)) })
    }
}

/// Steele, Lea and Flood's generator: small, fast, the same everywhere.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
