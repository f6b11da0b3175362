#!/usr/bin/env python3
"""Compares the public names of each library with the list beside this script, so that a change of them shows in review.

    Tests/Baseline/check.py [--write] [GRAPHS]

--write makes the lists anew. GRAPHS is a folder of symbol graphs, such as .build-documentation/graphs after Tests/Documentation/build.sh;
without it they are made first. A list has the declarations that Linux compiles, with the trait FoundationNetworking, as Swift 6.3
prints them: each type or extension with its conformances, and its members below it.
"""
import collections, difflib, glob, json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TYPES = {"swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.extension"}
IMPLIED = {"Copyable", "Escapable", "SendableMetatype"}
SIGNS = {"sameType": "==", "conformance": ":", "superclass": ":"}


def declaration(symbol):
    """The declaration on one line, with the access that subclasses need and the constraints of its extension."""
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    text = re.sub(r"\s+", " ", text)
    if symbol["kind"]["identifier"] == "swift.extension": return text
    full = ".".join(symbol["pathComponents"])
    if symbol["kind"]["identifier"] in TYPES: text = re.sub(r"(class|struct|enum|protocol) \w+", lambda m: f"{m[1]} {full}", text, count=1)
    if symbol["accessLevel"] == "open": text = "open " + text
    outer = symbol.get("swiftExtension", {}).get("constraints", [])
    outer = [f"{c['lhs']} {SIGNS[c['kind']]} {c['rhs']}" for c in outer]
    outer = [c for c in outer if c not in text]
    if outer: text += (", " if " where " in text else " where ") + ", ".join(outer)
    if any(a.get("isUnconditionallyDeprecated") or a.get("deprecated") for a in symbol.get("availability", [])): text = "@deprecated " + text
    return text


def surface(graphs, library):
    """The lines of a library's list."""
    symbols, owners, conformances = {}, {}, collections.defaultdict(set)
    names = {}
    for path in sorted(glob.glob(os.path.join(graphs, "*.symbols.json"))):
        with open(path, encoding="utf-8") as file: graph = json.load(file)
        for symbol in graph["symbols"]: names[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
        if os.path.basename(path).split(".")[0].split("@")[0] != library: continue
        for symbol in graph["symbols"]:
            if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]: symbols[symbol["identifier"]["precise"]] = symbol
        for relation in graph["relationships"]:
            source, target = relation["source"], relation["target"]
            if relation["kind"] in ("memberOf", "requirementOf", "optionalRequirementOf"): owners.setdefault(source, target)
            elif relation["kind"] in ("conformsTo", "inheritsFrom"):
                conformances[source].add(names.get(target) or relation.get("targetFallback", target).split(".", 1)[-1])
    members, lines = collections.defaultdict(list), []
    for identifier, symbol in symbols.items():
        if symbol["kind"]["identifier"] not in TYPES: members[owners.get(identifier) or ".".join(symbol["pathComponents"][:-1])].append(declaration(symbol))
    tops = [(s["pathComponents"], declaration(s), i) for i, s in symbols.items() if s["kind"]["identifier"] in TYPES]
    for _, text, identifier in sorted(tops):
        # Conformances that the declaration itself shows are not repeated.
        shown = re.split(r" where ", text)[0]
        others = sorted(c for c in conformances[identifier] - IMPLIED if not re.search(rf"[:,] {re.escape(c)}\b", shown))
        lines += [text + (f" // {', '.join(others)}" if others else "")] + ["    " + m for m in sorted(members.pop(identifier, []))]
    # Default implementations, which belong to no declaration of a type.
    for owner, owned in sorted(members.items()): lines += [f"extension {owner}" if owner else "// Outside of types"] + ["    " + m for m in sorted(owned)]
    return lines


def main():
    arguments = [word for word in sys.argv[1:] if word != "--write"]
    with tempfile.TemporaryDirectory() as work:
        graphs = arguments[0] if arguments else os.path.join(work, "graphs")
        if not arguments: subprocess.run([os.path.join(ROOT, "Tests/Documentation/graphs.sh"), work], check=True)
        with open(os.path.join(ROOT, "Package.swift"), encoding="utf-8") as file: libraries = re.findall(r'\.library\(name: "(\w+)"', file.read())
        found = {library: surface(graphs, library) for library in libraries}
    status = 0
    for library, lines in found.items():
        path = os.path.join(HERE, library + ".txt")
        if "--write" in sys.argv:
            with open(path, "w", encoding="utf-8") as file: file.write("\n".join(lines) + "\n")
        listed = open(path, encoding="utf-8").read().splitlines() if os.path.exists(path) else []
        changes = [l for l in difflib.unified_diff(listed, lines, lineterm="", n=0) if not re.match(r"---|\+\+\+|@@", l)]
        for change in changes: print(change)
        if changes:
            status = 1
            print(f"FAILED: the public names of {library} are not those of Tests/Baseline/{library}.txt; Tests/Baseline/check.py --write lists them")
        else: print(f"passed {library}: {len(lines)} lines")
    return status


sys.exit(main())
