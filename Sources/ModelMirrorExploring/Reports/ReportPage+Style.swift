extension ReportPage {
    /// Nothing is loaded, and no other script or style has an effect: those of the page are named by the SHA-256 of their texts.
    static let policy: Markup = """
        default-src 'none'; style-src 'sha256-yrcaXkjIFpDUIJQ5p5P4YGGxtl3Dk/gULn/BfaO90GA='; \
        script-src 'sha256-cCryVQL4/OkpNDKm+jRJX6cTR0V5A7zUoLXnD6ne+TA='; base-uri 'none'; form-action 'none'
        """

    static let style: Markup = """
        :root { color-scheme: light dark; --text: #1b1b1b; --back: #ffffff; --hint: #565656; --line: #c4c4c4; --mark: #0a58a8;
        --failure: #b3261e; --deviation: #7a5200; }
        @media (prefers-color-scheme: dark) {
        :root { --text: #e8e8e8; --back: #141414; --hint: #b0b0b0; --line: #4d4d4d; --mark: #7db7ff;
        --failure: #ff9a91; --deviation: #eebf5c; }
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 1rem; max-width: 75rem; color: var(--text); background: var(--back);
        font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; unicode-bidi: isolate; }
        td, li { unicode-bidi: isolate; }
        a { color: var(--mark); margin-right: 1rem; }
        :focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
        table { border-collapse: collapse; margin: 0.5rem 0; }
        caption { text-align: left; color: var(--hint); }
        th, td { text-align: left; vertical-align: top; padding: 0.15rem 1rem 0.15rem 0; border-bottom: 1px solid var(--line); }
        th { font-weight: normal; color: var(--hint); white-space: nowrap; }
        td:nth-child(2) { font-variant-numeric: tabular-nums; }
        .tree, .tree ul { list-style: none; margin: 0; padding: 0; }
        .tree ul { padding-left: 0.9rem; border-left: 1px solid var(--line); }
        summary { padding: 0.2rem 0; cursor: pointer; }
        .hint, figcaption { color: var(--hint); }
        .figures { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: flex-start; padding-left: 0.9rem; }
        .figures > * { min-width: 0; max-width: 100%; }
        figure { margin: 0.5rem 0; flex: 1 1 16rem; max-width: 30rem; }
        svg { fill: var(--mark); }
        .histogram { display: block; width: 100%; height: 7rem; border-bottom: 1px solid var(--line); }
        .share { width: 5rem; height: 0.6rem; }
        pre { padding: 1rem; border: 1px solid var(--line); overflow-x: auto; overflow-wrap: normal; }
        .findings { padding-left: 2rem; }
        .findings li { margin-bottom: 0.8rem; }
        .findings pre { margin: 0.3rem 0; padding: 0.4rem 0.8rem; }
        .failure { color: var(--failure); }
        .deviation { color: var(--deviation); }
        button { font: inherit; padding: 0.2rem 0.8rem; }
        @media (max-width: 30rem) { .tree ul { padding-left: 0.4rem; } .share { display: none; } }
        @media (forced-colors: active) { svg { fill: CanvasText; } }
        """

    /// Without it, buttons stay hidden.
    static let script: Markup = """
        for (const button of document.querySelectorAll("button")) { button.hidden = false; }
        for (const [id, open] of [["unfold", true], ["fold", false]]) {
        document.getElementById(id).addEventListener("click", () => {
        for (const item of document.querySelectorAll("details")) { item.open = open; }
        });
        }
        document.getElementById("copy")?.addEventListener("click", async () => {
        const source = document.getElementById("source"), result = document.getElementById("copied");
        try {
        await navigator.clipboard.writeText(source.textContent);
        result.textContent = "Copied.";
        } catch {
        getSelection().selectAllChildren(source);
        result.textContent = "Selected; copy it with the keyboard.";
        }
        });
        """

    static let foldingButtons: Markup = """
        <p><button type="button" id="unfold" hidden>Unfold all</button> <button type="button" id="fold" hidden>Fold all</button></p>
        """
}
