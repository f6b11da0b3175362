import ModelMirror
import Testing

/// Classes with more properties than fit in one machine word of a ``RowSet``.
@Suite("Large classes")
struct LargeClassTests {
    @Test("One hundred and thirty properties are mapped in any order", arguments: [1, 3, 7, 63, 64, 65, 127, 129])
    func anyOrder(_ step: Int) throws {
        // 131 is a prime, so that each step gives another order of all numbers.
        let order = (1...130).map { $0 * step % 131 - 1 }
        let (model, report) = try HundredThirty.mapReporting(json: document(order))
        #expect(model.all == Array(0..<130))
        #expect(report.description == "nothing to report")
    }

    @Test(
        "A missing key calls the invalid-value hook once, and no other key does",
        arguments: [0, 1, 62, 63, 64, 65, 127, 128, 129])
    func oneMissing(_ missing: Int) throws {
        let (model, report) = try HundredThirty.mapReporting(json: document((0..<130).filter { $0 != missing }))
        #expect(model.all == (0..<130).map { $0 == missing ? -missing - 1 : $0 })
        #expect(model.asked == ["p\(missing)"])
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["missing $.p\(missing)"])
    }

    @Test("Missing keys call the invalid-value hook in declared order")
    func allMissing() throws {
        let model = try HundredThirty(json: "{}")
        #expect(model.asked == (0..<130).map { "p\($0)" })
        #expect(model.all == (0..<130).map { -$0 - 1 })
    }

    @Test("A duplicate key is reported in every word of the row set", arguments: [0, 63, 64, 127, 128, 129])
    func duplicate(_ number: Int) throws {
        let (model, report) = try HundredThirty.mapReporting(json: document(Array(0..<130) + [number]))
        #expect(model.all == Array(0..<130))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["skipped $.p\(number)"])
        #expect(
            report.entries.map(\.found) == [
                #"the key "p\#(number)" with a second value for p\#(number); the last one that fits is used"#
            ])
    }

    @Test(
        "A missing required property fails its object, even beyond the first word of the row set",
        arguments: [63, 64, 128])
    func required(_ missing: Int) throws {
        #expect(
            Thrown.text {
                try Demanding(json: document((0..<130).filter { $0 != missing }))
            } == "Demanding.p\(missing) at $.p\(missing) (line 1, column 1): expected an integer, found no such key.")
    }

    @Test("Inherited properties and a subclass's own are mapped and reported together")
    func inherited() throws {
        let json = "{" + (0..<70).map { "\"p\($0)\": \($0)" }.joined(separator: ",") + #", "own": 5, "last": 6}"#
        let model = try BelowSeventy(json: json)
        #expect(model.all == Array(0..<70))
        #expect((model.own, model.last) == (5, 6))
        let (_, report) = try BelowSeventy.mapReporting(json: document(0..<70))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["missing $.own", "missing $.last"])
    }

    private func document(_ numbers: some Sequence<Int>) -> String {
        "{" + numbers.map { "\"p\($0)\": \($0)" }.joined(separator: ", ") + "}"
    }
}

// MARK: Models

private class Seventy: AbstractModel {
    var p0 = -1, p1 = -2, p2 = -3, p3 = -4, p4 = -5
    var p5 = -6, p6 = -7, p7 = -8, p8 = -9, p9 = -10
    var p10 = -11, p11 = -12, p12 = -13, p13 = -14, p14 = -15
    var p15 = -16, p16 = -17, p17 = -18, p18 = -19, p19 = -20
    var p20 = -21, p21 = -22, p22 = -23, p23 = -24, p24 = -25
    var p25 = -26, p26 = -27, p27 = -28, p28 = -29, p29 = -30
    var p30 = -31, p31 = -32, p32 = -33, p33 = -34, p34 = -35
    var p35 = -36, p36 = -37, p37 = -38, p38 = -39, p39 = -40
    var p40 = -41, p41 = -42, p42 = -43, p43 = -44, p44 = -45
    var p45 = -46, p46 = -47, p47 = -48, p48 = -49, p49 = -50
    var p50 = -51, p51 = -52, p52 = -53, p53 = -54, p54 = -55
    var p55 = -56, p56 = -57, p57 = -58, p58 = -59, p59 = -60
    var p60 = -61, p61 = -62, p62 = -63, p63 = -64, p64 = -65
    var p65 = -66, p66 = -67, p67 = -68, p68 = -69, p69 = -70
    var all: [Int] {
        [
            p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20,
            p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37, p38, p39,
            p40, p41, p42, p43, p44, p45, p46, p47, p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58,
            p59, p60, p61, p62, p63, p64, p65, p66, p67, p68, p69,
        ]
    }
}

private final class BelowSeventy: Seventy {
    var own = 0
    var last = 0
}

private class HundredThirty: AbstractModel {
    var p0 = -1, p1 = -2, p2 = -3, p3 = -4, p4 = -5
    var p5 = -6, p6 = -7, p7 = -8, p8 = -9, p9 = -10
    var p10 = -11, p11 = -12, p12 = -13, p13 = -14, p14 = -15
    var p15 = -16, p16 = -17, p17 = -18, p18 = -19, p19 = -20
    var p20 = -21, p21 = -22, p22 = -23, p23 = -24, p24 = -25
    var p25 = -26, p26 = -27, p27 = -28, p28 = -29, p29 = -30
    var p30 = -31, p31 = -32, p32 = -33, p33 = -34, p34 = -35
    var p35 = -36, p36 = -37, p37 = -38, p38 = -39, p39 = -40
    var p40 = -41, p41 = -42, p42 = -43, p43 = -44, p44 = -45
    var p45 = -46, p46 = -47, p47 = -48, p48 = -49, p49 = -50
    var p50 = -51, p51 = -52, p52 = -53, p53 = -54, p54 = -55
    var p55 = -56, p56 = -57, p57 = -58, p58 = -59, p59 = -60
    var p60 = -61, p61 = -62, p62 = -63, p63 = -64, p64 = -65
    var p65 = -66, p66 = -67, p67 = -68, p68 = -69, p69 = -70
    var p70 = -71, p71 = -72, p72 = -73, p73 = -74, p74 = -75
    var p75 = -76, p76 = -77, p77 = -78, p78 = -79, p79 = -80
    var p80 = -81, p81 = -82, p82 = -83, p83 = -84, p84 = -85
    var p85 = -86, p86 = -87, p87 = -88, p88 = -89, p89 = -90
    var p90 = -91, p91 = -92, p92 = -93, p93 = -94, p94 = -95
    var p95 = -96, p96 = -97, p97 = -98, p98 = -99, p99 = -100
    var p100 = -101, p101 = -102, p102 = -103, p103 = -104, p104 = -105
    var p105 = -106, p106 = -107, p107 = -108, p108 = -109, p109 = -110
    var p110 = -111, p111 = -112, p112 = -113, p113 = -114, p114 = -115
    var p115 = -116, p116 = -117, p117 = -118, p118 = -119, p119 = -120
    var p120 = -121, p121 = -122, p122 = -123, p123 = -124, p124 = -125
    var p125 = -126, p126 = -127, p127 = -128, p128 = -129, p129 = -130
    private(set) var asked: [String] = []
    override class var ignoredProperties: Set<String> { ["asked"] }
    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        asked.append(property)
        return false
    }
    var all: [Int] {
        [
            p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20,
            p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37, p38, p39,
            p40, p41, p42, p43, p44, p45, p46, p47, p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58,
            p59, p60, p61, p62, p63, p64, p65, p66, p67, p68, p69, p70, p71, p72, p73, p74, p75, p76, p77,
            p78, p79, p80, p81, p82, p83, p84, p85, p86, p87, p88, p89, p90, p91, p92, p93, p94, p95, p96,
            p97, p98, p99, p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111, p112,
            p113, p114, p115, p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127, p128,
            p129,
        ]
    }
}

private final class Demanding: HundredThirty {
    override class var requiredProperties: Set<String> { ["p63", "p64", "p128"] }
}
