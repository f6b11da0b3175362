import ModelMirrorExploring
import Testing

@Test func keyStylesHaveTheirCommandLineNames() {
    #expect(KeyStyle.allCases.map(\.rawValue) == ["exact", "snake", "kebab", "pascal"])
}
