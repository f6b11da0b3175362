import ModelMirror

extension ReportPage {
    /// The number of lists inside each other; deeper places are listed in the deepest. Browsers limit the depth of elements.
    private static let mostLevels = 32
    /// Places above this level are unfolded, and all of a few.
    private static let (unfoldedLevels, few) = (3, 8)

    /// The places as lists inside each other.
    var tree: Markup {
        let places = Array(statistics.places.prefix(ReportPage.mostPlaces))
        if places.isEmpty { return "<p>There are no values.</p>" }
        let levels = places.map { min($0.depth, ReportPage.mostLevels) }
        // The ends of the items around the next one, and the paths of their places.
        var open: [(end: Markup, path: String)] = []
        let hidesValues = check?.hasSecrets == true
        var tree: Markup = "<ul class=\"tree\">\n"
        for (index, place) in places.enumerated() {
            while open.count > levels[index], let last = open.popLast() { tree += last.end }
            let isParent = index + 1 < places.count && levels[index + 1] > levels[index]
            let around = open.last?.path ?? ""
            // A path cut by bytes, since a key may begin with a mark that joins the character before it.
            let step = String(decoding: place.path.utf8.dropFirst(around.utf8.count), as: UTF8.self)
            let isUnfolded =
                places.count <= ReportPage.few || isParent && levels[index] < ReportPage.unfoldedLevels
            let unfolded: Markup = isUnfolded ? " open" : ""
            tree += """
                <li><details\(unfolded)><summary><code>\(step.shortened(to: ReportPage.mostScalars))</code> \
                <span class="hint">\(place.summary)</span></summary>
                <div class="figures">
                \(place.figures(hidesValues))\(hidesValues ? "" : place.histogram(index))\(hidesValues ? "" : place.frequentValues)</div>

                """
            if isParent { tree += "<ul>\n" }
            open.append((isParent ? "</ul>\n</details></li>\n" : "</details></li>\n", place.path))
        }
        for item in open.reversed() { tree += item.end }
        tree += "</ul>"
        return tree
    }
}

extension DocumentStatistics.Place {
    private var shownPath: String { path.shortened(to: ReportPage.mostScalars) }

    /// The kinds with their shares: `number 90 %, null 10 %`.
    private var shownKinds: String {
        kinds.keys.sorted().map { kinds.count == 1 ? $0 : "\($0) \(share(kinds[$0] ?? 0))" }.joined(separator: ", ")
    }

    fileprivate var summary: String {
        "\(count.of("value")): \(shownKinds)" + (missing > 0 ? ", missing in \(missing.of("object"))" : "")
    }

    /// The counts, ranges and lengths, or the counts alone.
    fileprivate func figures(_ hidesValues: Bool) -> Markup {
        var rows = [("values", "\(count)"), ("kinds", shownKinds), ("missing", "\(missing)"), ("null", "\(nulls)")]
        if distinct > 0 { rows.append(("distinct", (isExact ? "" : "about ") + "\(distinct)")) }
        if let numbers, !hidesValues {
            rows += [
                ("minimum", numbers.minimum.text), ("maximum", numbers.maximum.text), ("mean", numbers.mean.figure),
                ("25 % quantile", numbers.quantile(0.25).figure), ("median", numbers.quantile(0.5).figure),
                ("75 % quantile", numbers.quantile(0.75).figure), ("95 % quantile", numbers.quantile(0.95).figure),
            ]
        }
        if let strings, !hidesValues {
            rows += [
                ("first string", strings.minimum.quotedForMessage), ("last string", strings.maximum.quotedForMessage),
                ("length of strings", strings.lengths.figure), ("format", strings.format ?? "none recognized"),
            ]
        }
        if let elements { rows.append(("elements of arrays", elements.figure)) }
        return """
            <table><caption>Figures of <code>\(shownPath)</code></caption><tbody>
            \(rows.map { "<tr><th scope=\"row\">\($0.0)</th><td>\($0.1.shortened(to: ReportPage.mostScalars))</td></tr>\n" })\
            </tbody></table>

            """
    }

    /// The most frequent values, with bars for their shares.
    fileprivate var frequentValues: Markup {
        if frequent.isEmpty { return "" }
        let rows = frequent.map { value in
            """
            <tr><td><code>\(value.value.compactText.shortened(to: ReportPage.mostScalars))</code></td><td>\(value.count)</td>\
            <td>\(share(value.count)) \(bar(value.count))</td></tr>

            """ as Markup
        }
        let heading: Markup = distinct > frequent.count ? "\(frequent.count) most frequent values" : "All values"
        return """
            <table><caption>\(heading) of <code>\(shownPath)</code></caption>
            <thead><tr><th scope="col">value</th><th scope="col">count</th><th scope="col">share</th></tr></thead>
            <tbody>
            \(rows)</tbody></table>

            """
    }

    private func bar(_ part: Int) -> Markup {
        """
        <svg class="share" viewBox="0 0 100 10" aria-hidden="true">\
        <rect width="\(100 * part / max(count, 1))" height="10"/></svg>
        """
    }

    /// The histogram of the numbers; nothing without numbers.
    ///
    /// - Parameter number: The number of the place on the page, for names.
    fileprivate func histogram(_ number: Int) -> Markup {
        guard let numbers else { return "" }
        let parts = numbers.histogram(20)
        let (most, width) = (max(parts.max() ?? 0, 1), 400 / parts.count)
        let bars = parts.enumerated().map { index, count in
            // A part with any number has a bar that can be seen.
            let height = count == 0 ? 0 : max(100 * count / most, 1)
            return """
                <rect x="\(index * width)" y="\(100 - height)" width="\(width - 2)" height="\(height)"><title>\(count)</title></rect>

                """ as Markup
        }
        let equal = parts.count == 1 ? "" : ", \(parts.count) parts of equal width"
        let range = "\(numbers.minimum.text.shortened(to: 40)) to \(numbers.maximum.text.shortened(to: 40))"
        let sample = numbers.isWhole ? "" : "; of 2048 numbers chosen at random"
        return """
            <figure>
            <svg class="histogram" viewBox="0 0 400 100" preserveAspectRatio="none" role="img" \
            aria-labelledby="title-\(number) description-\(number)">
            <title id="title-\(number)">Histogram of \(shownPath)</title>
            <desc id="description-\(number)">From \(range)\(equal): \
            \(parts.map { "\($0)" }.joined(separator: ", "))</desc>
            \(bars)</svg>
            <figcaption>\(range)\(equal), at most \(most) in one\(sample)</figcaption>
            </figure>

            """
    }
}

extension DocumentStatistics.Lengths {
    fileprivate var figure: String { "\(minimum) to \(maximum), mean \(mean.shown)" }
}

extension Double {
    fileprivate var figure: String { isFinite ? shown : "too large" }
}
