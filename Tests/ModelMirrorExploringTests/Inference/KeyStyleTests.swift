import ModelMirrorExploring
import Testing

@Test func keyStylesAreWordsOfACommandLine() {
    #expect(KeyStyle.allCases.map(\.rawValue) == ["exact", "snake", "kebab", "pascal"])
}
