#!/usr/bin/env python3
"""The compiler's time for the core.

    Tests/CompileTime/measure.py COMMIT [ROUNDS]   # CPU of clean release builds of ModelMirror, here and at COMMIT, in turns
    Tests/CompileTime/measure.py where [COUNT]     # what an optimized build consists of: the functions with the most code

CPU is user and system time of all processes. `where` adds up all specialisations of a function.
"""
import collections, pathlib, re, resource, statistics, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def cpu(package):
    """The CPU of a clean build of the package's core."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as scratch:
        command = ["swift", "build", "-c", "release", "--target", "ModelMirror", "--scratch-path", scratch]
        result = subprocess.run(command, cwd=package, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stdout + result.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(commit, rounds):
    with tempfile.TemporaryDirectory() as folder:
        # Both outside of the repository, so that neither build differs by its place.
        packages = {"here": pathlib.Path(folder, "here/ModelMirror"), commit: pathlib.Path(folder, "there/ModelMirror")}
        for package in packages.values():
            package.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", packages[commit]], input=archive, check=True)
        for part in ["Package.swift", "Sources", "Tests", "Playground"]:
            subprocess.run(["cp", "-r", ROOT / part, packages["here"]], check=True)
        seconds = collections.defaultdict(list)
        for _ in range(rounds):
            for label, package in packages.items():
                seconds[label].append(cpu(package))
                print(f"{label}: {seconds[label][-1]:.1f} s", flush=True)
    here, there = (statistics.median(seconds[label]) for label in packages)
    print(f"{here:.1f} s here, {there:.1f} s at {commit}: {here / there * 100:.0f} %")


def original(name):
    """A demangled name without the words for specialisations around it."""
    while match := re.match(r"(generic [\w -]*specialization|function signature specialization|merged) ", name):
        name, depth = name[match.end():], 0
        for index, character in enumerate(name):
            depth += (character == "<") - (character == ">" and name[index - 1] != "-")
            if depth == 0:
                break
        if name.startswith("<"):
            name = name[index + 1:].strip().removeprefix("of ")
    return name


def where(count):
    common = ["-parse-as-library", "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault"]
    with tempfile.TemporaryDirectory() as folder:
        def compile(target, output, *options):
            command = ["swiftc", *options, "-module-name", target, "-package-name", "main", "-I", folder, *common]
            files = sorted((ROOT / "Sources" / target).rglob("*.swift"))
            subprocess.run(command + ["-o", pathlib.Path(folder, output), *files], check=True)

        compile("ModelMirrorFoundation", "ModelMirrorFoundation.swiftmodule", "-emit-module")
        object = pathlib.Path(folder, "ModelMirror.o")
        compile("ModelMirror", object, "-whole-module-optimization", "-O", "-c")
        symbols = subprocess.run(["nm", "-S", "-t", "d", "--defined-only", object], capture_output=True, text=True).stdout
    fields = [line.split() for line in symbols.splitlines()]
    bytes = {field[3]: int(field[1]) for field in fields if len(field) == 4 and field[2] in "tTwW"}
    names = subprocess.run(["swift", "demangle"], input="\n".join(bytes), capture_output=True, text=True).stdout
    sums, copies = collections.Counter(), collections.Counter()
    for name, amount in zip(names.splitlines(), bytes.values()):
        # A name is followed by what it stands for.
        name = original(name.split(" ---> ")[-1])
        sums[name] += amount
        copies[name] += 1
    print(f"{sum(sums.values())} bytes in {len(bytes)} functions")
    for name, amount in sums.most_common(count):
        print(f"{amount:9} {copies[name]:5} × {name[:160]}")


arguments = sys.argv[1:]
if arguments[:1] == ["where"]:
    where(int((arguments + ["60"])[1]))
else:
    compare((arguments + ["HEAD"])[0], int(arguments[1]) if len(arguments) > 1 else 3)
