#!/usr/bin/env python3
"""Makes one Swift file of the code in the documentation comments of Sources, for Tests/Snippets/check.sh, which type-checks it.

    comments.py FILE

Each block of Swift becomes a function of an enum for its folder, such as `InClient`; one of overrides becomes a class. Comments.swift
declares what the blocks take for granted: for all folders, or in an extension of the folder's enum. Left out are blocks with "…" in
place of anything but a body, tests, lists of expressions without a type, SwiftUI, Combine, and `URLSessionTransport`, which needs a
trait on Linux.
"""
import os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARIES = ("ModelMirror", "ModelMirrorNetworking", "ModelMirrorTesting", "ModelMirrorExploring")
EXTENSION = re.compile(r"^extension [^\n]*\}$|^extension .*?^\}$", re.M | re.S)


def blocks():
    """(path, number of the first line, code) of each block."""
    for library in LIBRARIES:
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, "Sources", library))):
            for name in sorted(n for n in names if n.endswith(".swift")):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file: lines = file.read().split("\n")
                block = None
                for number, line in enumerate(lines, 1):
                    comment = re.match(r"\s*/// ?(.*)$", line)
                    if not comment: block = None
                    elif not comment[1].startswith("```"): block and block[1].append(comment[1])
                    elif block is None: block = (comment[1], [], number + 1)
                    else:
                        if block[0] == "```swift": yield os.path.relpath(path, ROOT), block[2], "\n".join(block[1])
                        block = None


def is_left_out(code):
    plain = re.sub(r'"[^"\n]*"|//.*', "", code)
    return "…" in plain or re.search(r"^(@main|@Test|@State|await #expect|#expect|\.)", code, re.M)


def main():
    out = "".join(f"@testable import {library}\n" for library in LIBRARIES) + "import Foundation\n"
    folders, count, left_out = set(), 0, 0
    for path, line, code in blocks():
        # A body that is left out.
        code = re.sub(r"(\{|\bin) … \}", lambda m: m[1] + (" some() }" if m[1] == "{" else " }"), code)
        if is_left_out(code) or "/URLSession/" in path or "+Publisher" in path:
            left_out += 1
            continue
        count += 1
        folder = "In" + path.split(os.sep)[2]
        folders.add(folder)
        # Extensions stand at file scope; lines keep their numbers.
        outside = EXTENSION.findall(code)
        code = EXTENSION.sub(lambda m: "\n" * m[0].count("\n"), code)
        place = f'#sourceLocation(file: "{path}", line: {line})\n'
        for text in outside: out += f"{place}{text}\n#sourceLocation()\n"
        opening = f"class Overriding: {folder}.Base {{" if re.search(r"^override ", code, re.M) else "do {"
        out += f"extension {folder} {{\nstatic func block{count}() async throws {{ {opening}\n{place}{code}\n#sourceLocation()\n}}}}}}\n"
    out += "".join(f"enum {folder} {{}}\n" for folder in sorted(folders))
    with open(sys.argv[1], "w", encoding="utf-8") as file: file.write(out)
    print(f"{count} blocks, {left_out} left out")


main()
