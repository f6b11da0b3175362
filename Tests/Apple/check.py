#!/usr/bin/env python3
"""Type-checks on Linux the code that only Apple platforms compile.

    Tests/Apple/check.py

Copies the targets with the Linux conditions off (canImport of FoundationNetworking, FoundationEssentials, Glibc and Musl, and
os(Linux)), and compiles them in Swift 6 mode against the stub modules beside this script: Combine, Network, Security, UIKit, AppKit,
SwiftUI and Darwin, written from Apple's documentation. They declare only what is used here: add what you use, as Apple declares it,
Sendability included. A passing run is no proof, since no SDK is involved; a failing one is a mistake or a missing stub.
"""
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
STUBS = ("Darwin", "Security", "Network", "Combine", "UIKit", "AppKit", "SwiftUI")
TARGETS = ("ModelMirrorFoundation", "ModelMirror", "ModelMirrorNetworking", "ModelMirrorTesting", "ModelMirrorExploring")
TEST_TARGETS = ("AccountModel", "Fuzzing", "Benchmarks")
LINUX_CONDITION = re.compile(r"canImport\((?:FoundationNetworking|FoundationEssentials|Glibc|Musl)\)|os\(Linux\)")
# Array's span is of macOS 26; on Linux nothing is checked for that. Those of ArraySlice and ContiguousArray, such as tokens, are older.
NEW_SPAN = re.compile(r"(?<!\btokens)(?<!\bslice)(?<!\botherSlice)(?<!\bArraySlice<UInt8>\(\))\.span\b")
# URLSession lives in FoundationNetworking here all the same: its import stays, beside those of the Apple branch.
IMPORT = r"(?:[a-z@() ]*import [^\n]*\n)+"
NETWORKING_IMPORT = re.compile(rf"#if canImport\(FoundationNetworking\)\n({IMPORT})(?:#else\n({IMPORT}))?#endif")


def imports(match):
    """What stands in place of a conditional import."""
    networking = [line for line in match[1].splitlines(True) if "FoundationNetworking" in line]
    if not match[2]:
        return match[1]
    # What is public through FoundationNetworking here is Foundation's own there.
    apple = match[2].replace("public import", "import") if "public" in "".join(networking) else match[2]
    return "".join(networking) + apple


def compile(work, *command):
    """Runs the compiler; prints its errors and warnings."""
    done = subprocess.run(command, capture_output=True, text=True)
    text = done.stdout + done.stderr
    problems = [line for line in text.splitlines() if re.search(r"(error|warning):", line)]
    if done.returncode or problems:
        print("\n".join(problems).replace(work, "").strip() or text[-2000:])
    return done.returncode == 0 and not problems


def stub(name, folder):
    """The path of a stub, copied to where the compiler takes it for Swift."""
    return shutil.copyfile(os.path.join(HERE, name + ".stub"), os.path.join(folder, name + ".swift"))


def sources(target, work):
    """The files of a target as an Apple platform sees them."""
    root = os.path.join(ROOT, "Tests" if target in TEST_TARGETS else "Sources", target)
    for folder, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            if not name.endswith(".swift"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = LINUX_CONDITION.sub("LINUX_ONLY", NETWORKING_IMPORT.sub(imports, file.read()))
            if NEW_SPAN.search(text):
                sys.exit(f"FAILED: {name} of {target} takes the span of an Array; take that of a slice")
            path = os.path.join(work, target, os.path.relpath(os.path.join(folder, name), root))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            yield path


def delegate(page):
    """The program of the delegate in Docs/Transports.md."""
    code = re.search(r"^<!-- fragment -->\n```swift\n(final class Judge.*?)^```$", page, re.M | re.S)[1]
    return (
        "import Foundation\nimport FoundationNetworking\nimport ModelMirrorNetworking\nimport Security\n" + code
        + "func isKnown(_ trust: SecTrust) -> Bool { true }\n")


def views(page):
    """The program of Docs/SwiftUI.md, with functions in place of previews, whose macro only Xcode has."""
    code = "".join(re.findall(r"^```swift\n(.*?)^```$", page, re.M | re.S)).replace("@main ", "")
    numbers = itertools.count()
    preview = lambda _: f"@MainActor @ViewBuilder func preview{next(numbers)}() -> some View {{"
    return re.sub(r"^#Preview.*\{$", preview, code, flags=re.M)


def snippet(page, program, work):
    """The path of a program made of a guide's code that Linux cannot compile."""
    with open(os.path.join(ROOT, "Docs", page), encoding="utf-8") as file:
        text = program(file.read())
    path = os.path.join(work, page, "main.swift")
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def main():
    with tempfile.TemporaryDirectory(prefix="apple-check-") as work:
        stubs, modules = os.path.join(work, "stubs"), os.path.join(work, "modules")
        os.makedirs(stubs)
        os.makedirs(modules)
        for name in STUBS:
            if not compile(
                    work, "swiftc", "-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", name,
                    stub(name, work), "-I", stubs, "-o", os.path.join(stubs, name + ".swiftmodule")):
                sys.exit(f"FAILED: the stub of {name} does not compile")
        for target in TARGETS + TEST_TARGETS:
            files = list(sources(target, work))
            if target == "ModelMirrorNetworking":
                files.append(stub("NetworkingShims", work))
            if not compile(
                    work, "swiftc", "-emit-module", "-wmo", "-swift-version", "6", "-package-name", "modelmirror",
                    *([] if target in TEST_TARGETS else ["-enable-upcoming-feature", "InternalImportsByDefault"]),
                    "-parse-as-library", "-module-name", target,
                    "-I", stubs, "-I", modules, "-o", os.path.join(modules, target + ".swiftmodule"), *files):
                sys.exit(f"FAILED: {target} does not compile on Apple platforms")
            print(f"passed {target}: {len(files)} files")
        for page, program in (("Transports.md", delegate), ("SwiftUI.md", views)):
            files = [snippet(page, program, work), stub("NetworkingShims", work)]
            if not compile(work, "swiftc", "-typecheck", "-swift-version", "6", "-I", stubs, "-I", modules, *files):
                sys.exit(f"FAILED: the code of Docs/{page} does not compile on Apple platforms")
            print(f"passed the code of Docs/{page}")


main()
