#!/usr/bin/env python3
"""The compiler's time for the core.

    Tests/CompileTime/measure.py [COMMIT] [ROUNDS]   # CPU of clean builds, here and at COMMIT, alternating: medians and their ratio
    Tests/CompileTime/measure.py where [COUNT]       # what an optimised build consists of, largest first

The builds: ModelMirror in release, and in debug a program of one class that uses it. CPU is user and system time of all processes.
`where` groups all specialisations of a function, by the optimiser's time for SIL (about half of an optimised build) and by the
bytes of their code, which the other half goes with.
"""
import collections, os, pathlib, re, resource, statistics, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "Program", platforms: [.macOS(.v15)], dependencies: [.package(name: "ModelMirror", path: "%s")],
    targets: [.executableTarget(name: "Program", dependencies: ["ModelMirror"])])
"""
PROGRAM = """import ModelMirror
final class User: AbstractModel { var name = "" }
print(try User(json: #"{"name":"A"}"#).name)
"""


def cpu(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as scratch:
        result = subprocess.run(command + ["--scratch-path", scratch], cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stdout + result.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def builds(package, folder):
    """The CPU of the two builds of a package, by their names."""
    program = folder / "Program"
    (program / "Sources/Program").mkdir(parents=True, exist_ok=True)
    (program / "Package.swift").write_text(MANIFEST % package)
    (program / "Sources/Program/main.swift").write_text(PROGRAM)
    return {
        "ModelMirror, release": cpu(["swift", "build", "-c", "release", "--target", "ModelMirror"], package),
        "a program, debug": cpu(["swift", "build"], program),
    }


def compare(commit, rounds):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # Both outside of the repository, so that neither build differs by its place.
        packages = {"here": folder / "here/ModelMirror", commit: folder / "there/ModelMirror"}
        for package in packages.values():
            package.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", packages[commit]], input=archive, check=True)
        for part in ["Package.swift", "Sources", "Tests", "Playground"]:
            subprocess.run(["cp", "-r", ROOT / part, packages["here"]], check=True)
        seconds = collections.defaultdict(lambda: collections.defaultdict(list))
        for _ in range(rounds):
            for label, package in packages.items():
                for build, time in builds(package, package.parent).items():
                    seconds[build][label].append(time)
                    print(f"{build}, {label}: {time:.1f} s", flush=True)
        for build, times in seconds.items():
            here, there = (statistics.median(times[label]) for label in packages)
            print(f"{build}: {here:.1f} s here, {there:.1f} s at {commit}: {here / there * 100:.0f} %")


def original(name):
    """A demangled name without the words for specialisations around it."""
    while match := re.match(r"(generic [\w -]*specialization|function signature specialization|merged) ", name):
        name = name[match.end():]
        depth = 0
        for index, character in enumerate(name):
            depth += (character == "<") - (character == ">" and name[index - 1] != "-")
            if depth == 0:
                break
        if name.startswith("<"):
            name = name[index + 1:].strip().removeprefix("of ")
    return name


def table(title, amounts, count, unit):
    names = subprocess.run(["swift", "demangle"], input="\n".join(amounts), capture_output=True, text=True).stdout
    sums, copies = collections.Counter(), collections.Counter()
    for name, amount in zip(names.splitlines(), amounts.values()):
        sums[original(name)] += amount
        copies[original(name)] += 1
    print(f"\n{title}: {sum(sums.values()):.0f} {unit} in {len(amounts)} functions\n")
    for name, amount in sums.most_common(count):
        print(f"{amount:9.0f} {copies[name]:5d} × {name[:160]}")


def where(count):
    sources = sorted(str(path) for path in (ROOT / "Sources/ModelMirror").rglob("*.swift"))
    command = ["swiftc", "-module-name", "ModelMirror", "-parse-as-library", "-whole-module-optimization", "-O", "-g"]
    command += ["-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault", "-package-name", "main"]
    with tempfile.TemporaryDirectory() as folder:
        # The compiler prints a line for each pass over each function, more than a million.
        passes = pathlib.Path(folder, "passes")
        with open(passes, "w") as output:
            subprocess.run(
                command + ["-emit-sil", "-o", os.devnull, "-Xllvm", "-sil-print-pass-time"] + sources, stderr=output,
                check=True)
        times = collections.Counter()
        with open(passes, errors="replace") as lines:
            for line in lines:
                if match := re.match(r"\s+([\d.]+) ms: (\S+) #\d+(?: @(\S+))?", line):
                    times[match[3] or f"the pass {match[2]}"] += float(match[1])
        object = pathlib.Path(folder, "ModelMirror.o")
        subprocess.run(command + ["-c", "-o", object] + sources, check=True)
        symbols = subprocess.run(["nm", "-S", "-t", "d", "--defined-only", object], capture_output=True, text=True).stdout
    fields = [line.split() for line in symbols.splitlines()]
    bytes = {field[3]: int(field[1]) for field in fields if len(field) == 4 and field[2] in "tTwW"}
    table("SIL", times, count, "ms")
    table("Code", bytes, count, "bytes")


arguments = sys.argv[1:]
if arguments[:1] == ["where"]:
    where(int((arguments + ["60"])[1]))
else:
    compare((arguments + ["HEAD"])[0], int((arguments + ["HEAD", "3"])[1]) if len(arguments) > 1 else 3)
