#!/usr/bin/env python3
"""Makes a docc catalog out of the pages in Docs, the pages beside the README, the landing pages, the articles and the topics of
types beside this script.

    catalog.py GRAPHS CATALOG LIBRARY…

There is no second copy of a page: each is read where it is, and its links, pictures and comments are rewritten. Exit status 1, with
a sentence for each, if a link leads to no page, to no heading or to no file, if a page is not in a list of guides, if the README
is too long, if a library has no landing page or one that does not list all of its types, or if a public symbol has no comment.
"""
import json, os, re, shutil, sys, unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BESIDE = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
# Pages of the repository that the landing page of the guides replaces.
REPLACED = ["README.md", "Docs/README.md"]
LINK = re.compile(r"(!?)\[([^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\(([^()\s]+)\)")
problems = []


def pages():
    """Every page: its path from the root, without those that the landing page of the guides replaces."""
    found = BESIDE + [os.path.join("Docs", n) for n in os.listdir(os.path.join(ROOT, "Docs"))]
    for folder in ("Docs/Internals", "Docs/Decisions"): found += [os.path.join(folder, n) for n in os.listdir(os.path.join(ROOT, folder))]
    return sorted(p for p in found if p.endswith(".md") and p not in REPLACED)


def lines(path):
    """(line, is code) of a page, without the comments that are there for the checks."""
    code = False
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("```"):
                yield line, True
                code = not code
            elif code or not re.fullmatch(r"<!--.*-->", line):
                yield line, code


def plain(heading):
    return re.sub(r"[`*]", "", heading).strip()


def fragment_in_repository(heading):
    """The anchor that a page's heading has where the repository is shown."""
    return re.sub(r"[^\w\- ]", "", plain(heading).lower()).replace(" ", "-")


def fragment_in_site(heading):
    """The anchor of the same heading in a docc archive."""
    joined = re.sub(r"[\s-]+", "-", plain(heading))
    return "".join(c for c in joined if c == "-" or not unicodedata.category(c).startswith("P"))


def headings(path):
    return [l.lstrip("#").strip() for l, code in lines(path) if not code and re.match(r"#{1,6} ", l)]


def name(path):
    stem = os.path.splitext(os.path.basename(path))[0]
    return stem.capitalize() if path in BESIDE else stem


def resolved(path, target):
    """The file, from the root, and the anchor that a link of the page at `path` leads to."""
    file, _, anchor = target.partition("#")
    return os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path, anchor


def broken_links(path):
    """A sentence for each link of a page that leads nowhere in the repository. A link may continue on the next line."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file: text = file.read()
    # Code is no link; its lines count.
    text = re.sub(r"^```.*?^```|(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", lambda m: re.sub(r"[^\n]", "x", m[0]), text, flags=re.M | re.S)
    for found in LINK.finditer(text):
        target = found[3]
        if re.match(r"[a-z]+:", target): continue
        there, anchor = resolved(path, target)
        place = f"{path}:{text.count(chr(10), 0, found.start(3)) + 1}: the link to {target} leads to no"
        if not os.path.exists(os.path.join(ROOT, there)): yield f"{place} file."
        elif anchor and not (there.endswith(".md") and anchor in map(fragment_in_repository, headings(there))): yield f"{place} heading."


def unlisted_guides():
    """A sentence for each guide that the table of contents does not have."""
    contents = os.path.join("Docs", "README.md")
    with open(os.path.join(ROOT, contents), encoding="utf-8") as file: listed = set(re.findall(r"\]\(([\w-]+\.md)\)", file.read()))
    for path in pages():
        if os.path.dirname(path) == "Docs" and os.path.basename(path) not in listed: yield f"{contents} does not list {path}."


def long_readme():
    """A sentence if the README is longer than what is read before a decision, or installs later than on its first screen."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file: text = file.read().split("\n")
    if len(text) > 141: yield f"README.md has {len(text) - 1} lines, more than 140."
    first = [n for n, line in enumerate(text, 1) if line.startswith(".package(url:") or line == "swift test"]
    if len(first) < 2 or max(first) > 40: yield "README.md does not install the package and name the two commands in its first 40 lines."


def link(path, picture, text, target):
    """A link of the page at `path`, as docc writes it."""
    if re.match(r"[a-z]+:", target): return f"{picture}[{text}]({target})"
    there, anchor = resolved(path, target)
    if picture: return f"![{text}]({os.path.basename(there)})"
    if there in REPLACED: return f"[{text}](doc:Guides)"
    # A folder of sources beside the pages.
    if os.path.isdir(os.path.join(ROOT, there)): return text
    if there not in pages():
        problems.append(f"{path}: the link to {target} leads to a file that is no page of the site.")
        return text
    if not anchor: return f"[{text}](doc:{name(there)})"
    for heading in headings(there):
        if fragment_in_repository(heading) == anchor: return f"[{text}](doc:{name(there)}#{fragment_in_site(heading)})"
    return text


def converted(path):
    out = []
    for line, code in lines(path):
        if not code:
            # Two backticks are docc's mark of a symbol link; three are code.
            line = re.sub(r"(?<!`)``(?!`)", "```", line)
            # What stands in a code span is no link.
            spans = re.split(r"(`+[^`]*`+)", line)
            if any(LINK.search(s) for s in spans[::2]) or re.search(r"\[[^\]]*`[^\]]*\]\(", line):
                line = LINK.sub(lambda m: link(path, m[1], m[2], m[3]), line)
        out.append(line)
    return "\n".join(out)


def undocumented(graphs):
    for file in sorted(os.listdir(graphs)):
        with open(os.path.join(graphs, file), encoding="utf-8") as graph:
            symbols = json.load(graph)["symbols"]
        for symbol in symbols:
            # What the compiler makes has no place in a file, and an extension's comment is no public text.
            made = "::SYNTHESIZED::" in symbol["identifier"]["precise"] or "location" not in symbol
            if made or symbol["kind"]["identifier"] == "swift.extension": continue
            if any(l["text"].strip() for l in symbol.get("docComment", {"lines": []})["lines"]):
                yield None
            else:
                place = symbol["location"]
                where = place["uri"].removeprefix("file://").removeprefix(ROOT + "/")
                yield f"{where}:{place['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])} has no comment."


def completed(graphs, page):
    """The topics of a type, with `…` in a member's name replaced by what the library declares."""
    with open(page, encoding="utf-8") as file: text = file.read()
    library, owner = re.match(r"# ``(\w+)/(\w+)``", text).groups()
    with open(os.path.join(graphs, library + ".symbols.json"), encoding="utf-8") as graph: symbols = json.load(graph)["symbols"]
    members = {s["pathComponents"][-1] for s in symbols if s["pathComponents"][:-1] == [owner]}

    def whole(found):
        names = [m for m in members if m.startswith(found[1]) and m.endswith(found[2])]
        if len(names) != 1: problems.append(f"{os.path.relpath(page, ROOT)}: {len(names)} members are named {found[1]}…{found[2]}.")
        return f"``{names[0]}``" if names else found[0]

    return re.sub(r"``([\w(:]+)…([\w:)]*)``", whole, text)


def uncurated(graphs, library):
    """A library's types that its landing page does not list."""
    page = os.path.join(HERE, "Landing", library + ".md")
    if not os.path.exists(page): return
    with open(page, encoding="utf-8") as file: listed = set(re.findall(r"^- ``([\w(:)]+)``$", file.read(), re.M))
    with open(os.path.join(graphs, library + ".symbols.json"), encoding="utf-8") as graph: symbols = json.load(graph)["symbols"]
    for name in sorted({s["pathComponents"][0] for s in symbols if len(s["pathComponents"]) == 1} - listed):
        yield f"Tests/Documentation/Landing/{library}.md does not list {name}."


def main():
    graphs, catalog, libraries = sys.argv[1], sys.argv[2], sys.argv[3:]
    for path in REPLACED + pages(): problems.extend(broken_links(path))
    problems.extend(unlisted_guides())
    problems.extend(long_readme())
    for path in pages():
        with open(os.path.join(catalog, name(path) + ".md"), "w", encoding="utf-8") as file: file.write(converted(path))
    for picture in sorted(os.listdir(os.path.join(ROOT, "Docs/Images"))) if os.path.isdir(os.path.join(ROOT, "Docs/Images")) else []:
        shutil.copy(os.path.join(ROOT, "Docs/Images", picture), catalog)
    for landing in ["Guides"] + libraries:
        source = os.path.join(HERE, "Landing", landing + ".md")
        if os.path.exists(source): shutil.copy(source, catalog)
        else: problems.append(f"Tests/Documentation/Landing/{landing}.md is missing.")
    # Articles, one for each library, which its landing page links to.
    articles = os.path.join(HERE, "Articles")
    for page in sorted(os.listdir(articles)):
        shutil.copy(os.path.join(articles, page), catalog)
        linked = [l for l in libraries if f"<doc:{page.removesuffix('.md')}>" in open(os.path.join(HERE, "Landing", l + ".md"), encoding="utf-8").read()]
        if not linked: problems.append(f"Tests/Documentation/Articles/{page} is on no landing page.")
    # Pages of types: what a reader looks for, in the order of a program, where docc sorts by kind.
    topics = os.path.join(HERE, "Topics")
    for page in sorted(os.listdir(topics)):
        with open(os.path.join(catalog, page), "w", encoding="utf-8") as file: file.write(completed(graphs, os.path.join(topics, page)))
    with open(os.path.join(HERE, "Landing/Guides.md"), encoding="utf-8") as file: listed = set(re.findall(r"<doc:([\w-]+)>", file.read()))
    problems.extend(f"{path} is not in Tests/Documentation/Landing/Guides.md." for path in pages() if name(path) not in listed)
    for library in libraries: problems.extend(uncurated(graphs, library))
    symbols = list(undocumented(graphs))
    problems.extend(s for s in symbols if s)
    for problem in problems: print(problem)
    print(f"{len(pages())} pages, {len(libraries)} libraries, {len(symbols)} public symbols, {sum(s is not None for s in symbols)} without a comment")
    return 1 if problems else 0


sys.exit(main())
