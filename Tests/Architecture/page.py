#!/usr/bin/env python3
"""Checks Docs/Architecture.md against the sources, and makes its picture.

    page.py          fails, with a sentence for each, if a path in it or in Additions.md does not exist, if its tables and the folders of
                     Sources differ, or if the picture is not the one that the sources make
    page.py --draw   makes the picture: Docs/Images/Architecture.svg

The picture has a panel for each library, with its folders in the order of check.sh, and an arrow from each folder to those that it
leans on, as arrows.py finds them. An arrow is left out where others lead the same way. Above are the steps of a value's way, each
with the folder that declares its type.
"""
import html, os, re, sys

sys.dont_write_bytecode = True
from arrows import scan

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE, ADDITIONS, PICTURE = "Docs/Architecture.md", "Docs/Internals/Additions.md", "Docs/Images/Architecture.svg"
# The steps of a value's way, and the type that each stands for.
STEPS = [
    ("bytes", None), ("reader", "JSONReader"), ("row", "PropertyRow"), ("converter", "TypePlan"), ("store", "ModelStorage"),
    ("model", "AbstractModel"), ("closure", None),
]
STYLE = """
    text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1d1d1f; }
    .title { font-weight: 600; }
    .label { font-size: 11.5px; }
    .small { font-size: 11px; fill: #515154; }
    .ground { fill: #ffffff; }
    .panel { fill: #f5f5f7; stroke: #c7c7cc; }
    .box { fill: #ffffff; stroke: #8e8e93; }
    .step { fill: #e3f0ff; stroke: #3478c6; }
    .arrow { fill: none; stroke: #515154; }
    .tip { fill: #515154; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f5f5f7; }
      .small { fill: #b0b0b5; }
      .ground { fill: #161618; }
      .panel { fill: #212124; stroke: #48484a; }
      .box { fill: #2f2f33; stroke: #7c7c80; }
      .step { fill: #17304d; stroke: #5a9ae0; }
      .arrow { stroke: #b0b0b5; }
      .tip { fill: #b0b0b5; }
    }
"""
WIDTH, MARGIN, PANEL, BOX, ROW, TOP = 560, 10, 265, 150, 40, 58


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file: return file.read()


def libraries():
    return re.findall(r'\.library\(name: "(\w+)"', read("Package.swift"))


def orders():
    """The folder orders of check.sh, by target."""
    script = read("Tests/Architecture/check.sh")
    lists = dict(re.findall(r"^(\w+)=([\w,]+)$", script, re.M))
    given = {t: lists.get(order.lstrip("$"), order) for t, order in re.findall(r"Sources/(\w+) --order (\S+)", script)}
    return {t: [f for f in order.split(",") if os.path.isdir(os.path.join(ROOT, "Sources", t, f))] for t, order in given.items()}


def reduced(edges):
    """The arrows without those that others replace."""
    def leads(start, goal, without):
        seen, open_ = set(), [start]
        while open_:
            here = open_.pop()
            for edge in edges:
                if edge[0] == here and edge != without and edge[1] not in seen:
                    seen.add(edge[1])
                    open_.append(edge[1])
        return goal in seen
    return sorted(e for e in edges if not leads(*e, e))


def ordered(folders, edges):
    """Folders, each behind those that it leans on; else by the alphabet."""
    left, out = sorted(folders), []
    while left:
        ready = [f for f in left if not any(a == f and b in left for a, b in edges)]
        out.append((ready or left)[0])
        left.remove(out[-1])
    return out


class Target:
    def __init__(self, name):
        self.name = name
        folders, files, self.owner, _, arrows = scan(os.path.join(ROOT, "Sources", name))
        edges = {pair for pair, found in arrows.items() if found}
        self.folders = orders().get(name) or ordered(folders, edges)
        self.edges = reduced(edges)
        text = "\n".join(files.values())
        self.uses = [l for l in libraries() if l != name and re.search(rf"\bimport {l}\b", text)]


def text(x, y, words, kind="", middle=False):
    anchor = ' text-anchor="middle"' if middle else ""
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{style}{anchor}>{html.escape(words)}</text>'


def steps(targets):
    out, width = [], 64
    gap = (WIDTH - 2 * MARGIN - len(STEPS) * width) / (len(STEPS) - 1)
    owner = {name: folder for t in targets for name, folder in t.owner.items()}
    for i, (name, kind) in enumerate(STEPS):
        x = round(MARGIN + i * (width + gap), 1)
        middle = round(x + width / 2, 1)
        out.append(f'<rect class="step" x="{x}" y="12" width="{width}" height="28" rx="6"/>')
        out.append(text(middle, 30, name, "label", middle=True))
        if kind: out.append(text(middle, 54, owner[kind] + "/", "small", middle=True))
        if i: out.append(f'<path class="arrow" d="M{round(x - gap + 1, 1)} 26H{round(x - 3, 1)}" marker-end="url(#tip)"/>')
    return out


def panel(target, x, y):
    out = [f'<rect class="panel" x="{x}" y="{y}" width="{PANEL}" height="{height(target)}" rx="8"/>']
    out.append(text(x + 14, y + 24, target.name, "title"))
    out.append(text(x + 14, y + 42, "uses " + ", ".join(target.uses) if target.uses else "uses no other library", "small"))
    left, right = x + 14, x + 14 + BOX
    place = {f: y + TOP + i * ROW for i, f in enumerate(target.folders)}
    for folder, at in place.items():
        out.append(f'<rect class="box" x="{left}" y="{at}" width="{BOX}" height="26" rx="5"/>')
        out.append(text(left + 10, at + 18, folder + "/"))
    arcs = [(a, b) for a, b in target.edges if target.folders.index(a) - target.folders.index(b) != 1]
    for a, b in target.edges:
        if (a, b) not in arcs:
            out.append(f'<path class="arrow" d="M{left + BOX / 2} {place[a]}V{place[b] + 30}" marker-end="url(#tip)"/>')
    # The longer an arc, the further out; arrows leave a box above its middle and arrive below it.
    for a, b in arcs:
        out_to = right + min(12 + 13 * abs(target.folders.index(a) - target.folders.index(b)), PANEL - BOX - 22)
        start, end = place[a] + 9, place[b] + 18
        out.append(f'<path class="arrow" d="M{right} {start}C{out_to} {start} {out_to} {end} {right + 4} {end}" marker-end="url(#tip)"/>')
    return out


def height(target):
    return TOP + len(target.folders) * ROW - 4


def picture():
    targets = [Target(name) for name in libraries()]
    out, columns = steps(targets), [70, 70]
    for target in targets:
        column = columns.index(min(columns))
        out += panel(target, MARGIN + column * (PANEL + MARGIN), columns[column])
        columns[column] += height(target) + MARGIN
    total = max(columns)
    names = ", ".join(t.name for t in targets)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" height="{total}" role="img">',
        f"  <title>The folders of {names}, and which leans on which</title>",
        f"  <style>{STYLE}  </style>",
        '  <defs><marker id="tip" markerWidth="7" markerHeight="7" refX="4" refY="3.5" orient="auto"><path class="tip" d="M0 0L7 3.5L0 7z"/></marker></defs>',
        f'  <rect class="ground" width="{WIDTH}" height="{total}" rx="10"/>', *("  " + line for line in out), "</svg>", "",
    ])


def problems():
    page = read(PAGE)
    for file in (PAGE, ADDITIONS):
        for path in re.findall(r"`([^`\s]+)`", read(file)):
            if re.match(r"(Sources|Tests|Docs|Playground|\.ci)/|\w+\.(md|swift)$", path) and not os.path.exists(os.path.join(ROOT, path)):
                yield f"{file} names {path}, which does not exist."
    tables, here = {}, None
    for line in page.split("\n"):
        if line.startswith("#"): here = None
        title = re.match(r"\| Folder of `Sources/(\w+)` \|", line)
        row = re.match(r"\| `(\w+)/` \|", line)
        if title: here = tables.setdefault(title[1], [])
        elif row and here is not None: here.append(row[1])
    for target in libraries():
        folders, _, _, _, arrows = scan(os.path.join(ROOT, "Sources", target))
        order = orders().get(target)
        found = tables.get(target, [])
        missing, gone = sorted(set(folders) - set(found)), sorted(set(found) - set(folders))
        if missing: yield f"{PAGE} has no row for these folders of Sources/{target}: {', '.join(missing)}."
        if gone: yield f"{PAGE} has rows for folders that Sources/{target} does not have: {', '.join(gone)}."
        if not missing and not gone and order and found != order:
            yield f"{PAGE} lists the folders of Sources/{target} in another order than Tests/Architecture/check.sh: {', '.join(order)}."
    if not os.path.exists(os.path.join(ROOT, PICTURE)) or read(PICTURE) != picture():
        yield f"{PICTURE} is not what the sources say: run Tests/Architecture/page.py --draw and look at it."


def main():
    if sys.argv[1:] == ["--draw"]:
        with open(os.path.join(ROOT, PICTURE), "w", encoding="utf-8") as file: file.write(picture())
        return 0
    found = list(problems())
    for problem in found: print(problem)
    return 1 if found else 0


sys.exit(main())
