import Foundation
import ModelMirror
import ModelMirrorExploring
import Testing

/// Queries and documents that are made to take long, or all of the stack.
struct JSONQueryLimitTests {
    private func isRefused(_ query: String) -> Bool {
        do throws(JSONQueryError) {
            _ = try JSONQuery(query)
            return false
        } catch {
            if case .invalidQuery = error { return true } else { return false }
        }
    }

    /// The limit of steps that a query exceeds; nil if it ends before.
    private func limit(of query: JSONQuery, in json: String) throws -> Int? {
        do throws(JSONQueryError) {
            _ = try query.lines(in: json)
            return nil
        } catch {
            guard case .tooManySteps(let limit) = error else { throw error }
            return limit
        }
    }

    private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test func queriesNestToALimit() throws {
        #expect(try JSONQuery("$[?\(repeated("(", 31))@\(repeated(")", 31))]").lines(in: "[1]") == ["1"])
        #expect(isRefused("$[?\(repeated("(", 32))@\(repeated(")", 32))]"))
        for open in ["(", "!(", "@[?", "$[?", "length(", "value($[?", "value(@[?length("] {
            #expect(isRefused("$[?" + repeated(open, 100_000)), "\(open)")
        }
    }

    /// On half of the stack that Apple's threads have.
    @Test(arguments: [
        ("$[?", "(", 31, "@", ")", "]"), ("$[?", "@[?", 31, "@", "]", "]"), ("$[?", "!(@[?", 15, "@", "])", "]"),
        ("$[?match('', '", "(|(a)*", 31, "", ")*", "')]"),
    ]) func theDeepestQueriesNeedLittleStack(
        start: String, open: String, count: Int, middle: String, close: String, end: String
    ) async {
        let query = start + repeated(open, count) + middle + repeated(close, count) + end
        let document = repeated("[", 100) + repeated("]", 100)
        let isRun = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: (try? JSONQuery(query).lines(in: document)) != nil) }
            thread.stackSize = 256 << 10
            thread.start()
        }
        #expect(isRun)
    }

    @Test(arguments: [
        ("$", ".a", 20_000, ""), ("$", "..a", 20_000, ""), ("$", "[0]", 20_000, ""), ("$", "[?@.a]", 20_000, ""),
        ("$", " .a", 20_000, ""), ("$[", "0,", 5_000, "0]"), ("$[", "?@.a||@.b&&@.c,", 5_000, "0]"),
        ("$[", "'a',", 5_000, "0]"), ("$[", ": : ,", 5_000, "0]"), ("$[", "?1==1,", 5_000, "0]"),
    ]) func longAndWideQueriesAreCompiled(start: String, part: String, count: Int, end: String) throws {
        let query = try JSONQuery(start + repeated(part, count) + end)
        for json in ["[]", "{}"] { #expect(try query.lines(in: json) == []) }
    }

    @Test func deepDocumentsAreQueriedWithoutRecursion() throws {
        let deep = repeated(#"{"a":["#, 250) + "1" + repeated("]}", 250)
        #expect(try JSONQuery("$..a").paths(in: deep).count == 250)
        #expect(try JSONQuery("$..[?@ == 1]").lines(in: deep) == ["1"])
        #expect(try JSONQuery("$..[?@ == $.a[0]]").paths(in: deep).map(\.steps.count) == [2])
        #expect(try JSONQuery("$..a").values(in: deep).last == [1])
    }

    /// Each has more results, or more to test, than any computer could go through.
    @Test(arguments: [
        "$..*..*..*..*..*..*..*..*..*..*", "$..[*,*,*,*,*,*,*,*,*,*][*,*,*,*,*,*,*,*,*,*][*,*,*,*,*,*,*,*,*,*]",
        "$..[?count(@..*..*..*..*..*) > 0]", "$..[?@..[?@..[?@..[?@..[?@..[?@.x]]]]]]",
        "$..*[?@ != $ && $ != @]..*..*..*",
    ]) func stepsAreLimited(text: String) throws {
        var query = try JSONQuery(text)
        query.stepLimit = 20_000
        let json = "[\(repeated("[", 40))1,[2,3]\(repeated("]", 40)),[[[[4]]]],[[[[5]]]]]"
        #expect(try limit(of: query, in: json) == 20_000)
    }

    /// Each comparison reads long values, which no step counts but by their size.
    @Test(arguments: [
        "$.items[?$.list == $.longer]", "$.items[?$.text < $.other]", "$.items[?$.text == $.other]",
        "$.items[?$.number == 7]", "$.items[?$.number == $.list[0]]", "$.items[?$.list[0] == $.number]",
        "$.items[?$.number < 7]", "$.items[?match($.text, '')]", "$.patterns[?match('', @)]",
    ])
    func comparisonsCountBySize(text: String) throws {
        var query = try JSONQuery(text)
        query.stepLimit = 0
        let words = repeated("a", 2_000)
        let members = [
            "items": #"[\#(repeated("[0],", 1_000))0]"#, "list": #"[\#(repeated("1,", 2_000))1]"#,
            "longer": #"[\#(repeated("1,", 2_000))1,1]"#, "text": #""\#(words)b""#, "other": #""\#(words)a""#,
            "number": repeated("1", 2_000),
            "patterns": #"[\#((300..<600).map { #""a{\#($0)}""# }.joined(separator: ","))]"#,
        ]
        let needed = members.filter { text.contains("$.\($0.key)") }
        let json = "{\(needed.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ","))}"
        #expect(try limit(of: query, in: json) == 20 * json.utf8.count)
    }

    /// A text of another length than the literal is not read.
    @Test func longTextsBesideShortLiteralsAreNoSteps() throws {
        let json = #"{"text":"\#(repeated("a", 30_000))","items":[\#(repeated("0,", 3_000))0]}"#
        #expect(try JSONQuery("$.items[?$.text == 'x']").lines(in: json) == [])
    }

    /// Would be quadratic if the query from the root ran for each element.
    @Test func queriesFromTheRootRunOnce() throws {
        var query = try JSONQuery("$.items[?@ == $.items[-1] || count($.items[*]) == 1 || $.items[?@ == 7]]")
        query.stepLimit = 0
        let json = "{\"items\": [\((0..<10_000).map { "\($0)" }.joined(separator: ","))]}"
        #expect(try query.lines(in: json).count == 10_000)
    }

    /// The time of a backtracking matcher is exponential in these.
    @Test(arguments: [
        "(a*)*b", "(a|a)*b", "(a|aa)+b", "(((a*)*)*)*b", "(a?){30}a{30}b", "(|a)*b", ".*.*.*.*.*b", "(^|a)*$b",
    ])
    func patternsTakeLinearTime(pattern: String) throws {
        let query = try JSONQuery("$[?match(@, '\(pattern)') || search(@, '\(pattern)')]")
        #expect(try query.lines(in: "[\"\(repeated("a", 2_000))\"]") == [])
        #expect(try query.lines(in: "[\"\(repeated("a", 60))b\"]").count == (pattern == "(^|a)*$b" ? 0 : 1))
    }

    @Test(arguments: ["a{5000}", "(a{100}){100}", "(){4001}", "((((a{0,9}){9}){9}){9}){9}", "a{99999999999999999999}"])
    func patternsHaveALimitOfStates(pattern: String) throws {
        let query = try JSONQuery("$[?match(@, '\(pattern)')]")
        do throws(JSONQueryError) {
            _ = try query.lines(in: #"["a"]"#)
            Issue.record("\(pattern) is compiled")
        } catch {
            guard case .largePattern(let text, let states) = error else { throw error }
            #expect((text, states) == (pattern, 4_000))
        }
    }

    @Test func patternsNestToALimit() throws {
        let query = try JSONQuery("$[?match(@, '\(repeated("(", 100_000))')]")
        #expect(throws: JSONQueryError.self) { try query.lines(in: #"["a"]"#) }
        let deep = try JSONQuery("$[?match(@, '\(repeated("(", 32))a\(repeated(")", 32))')]")
        #expect(try deep.lines(in: #"["a", "b"]"#) == [#""a""#])
    }
}
