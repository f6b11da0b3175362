/// Shows how much of a source is read, and how fast: after one second, and then ten times a second.
private struct ReadingProgress {
    private let what: String
    private let size: Int?
    private let context: CommandContext
    private let start: Double
    private var next: Double
    private var last = 0

    init(_ what: String, _ source: ByteSource, _ context: CommandContext) {
        (self.what, size, self.context) = (what, source.size, context)
        start = context.clock()
        next = start + 1
    }

    /// - Parameter position: The number of bytes read.
    mutating func show(_ position: Int) {
        // A piece has many documents.
        guard position != last else { return }
        last = position
        let now = context.clock()
        guard now >= next else { return }
        next = now + 0.1
        let share = size.map { $0 == 0 ? "" : " \(100 * position / $0) %," } ?? ""
        context.progress("\(what):\(share) \(Int(Double(position) / 1_000_000 / (now - start))) MB/s")
    }
}

extension CommandContext {
    /// Reads a source and shows the progress.
    ///
    /// - Parameters:
    ///   - verb: What is done meanwhile: `mapping`.
    ///   - body: Calls its argument with the number of bytes read.
    func reading(
        _ source: ByteSource, named name: String, _ verb: String,
        _ body: ((Int) -> Void) throws(ByteSource.Failure) -> Void
    ) throws(CommandError) {
        var progress = ReadingProgress("\(verb) \(name)", source, self)
        do throws(ByteSource.Failure) {
            try body { progress.show($0) }
        } catch {
            throw SourceDocument.unreadable(name, error)
        }
    }
}
