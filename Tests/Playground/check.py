#!/usr/bin/env python3
"""Makes the tour's code listings and the Xcode playground from the tour's sources, and checks them, the commands of Playground, and
what Docs/Tools.md says of them.

    Tests/Playground/check.py            fails if a derived file differs from the sources, or a command from what it should print
    Tests/Playground/check.py --write    writes the derived files

A step of the tour shows the lines between `// tour: NAME` and `// tour: end` in Playground/Models and Playground/Tour, without
documentation comments and lines that end with `// tour: hidden`. The playground has the same declarations and what each step
runs; the rest of the models and the helpers stand at its end. It is compiled against the debug build, as Swift 6 and 5, and must
print what the tour prints. Xcode itself is not needed.

Of Docs/Tools.md, the output of `check` is compared.
"""
import difflib
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODELS = ("Models/GitHub.swift", "Models/StackExchange.swift")
STEPS = ("Tour/MappingSteps.swift", "Tour/NetworkingSteps.swift", "Tour/ExploringSteps.swift")
HELPERS = ("Tour/Showing.swift", "Tour/SampleDocument.swift", "Tour/TourServer.swift", "Printing/Listing.swift", "Printing/Texts.swift")
REGION = re.compile(r"^ *// tour: (?!end)(\w+)\n(.*?)^ *// tour: end\n", re.M | re.S)
STEP = re.compile(
    r'static let (\w+) = TourStep\(\n\s*"(\w+)", "([^"]+)",\n\s*explanation: (?:"([^"\n]*)"|"""\n(.*?)\n\s*""")(?:\n    \) \{\n(.*?)^    \}$|\))',
    re.M | re.S)
HEADER = """\
//: # {title}
//: The steps of `swift run Playground` as a playground. Open the package's folder in Xcode, choose the scheme
//: ModelMirror-Package and My Mac, then this file. `Tests/Playground/check.py --write` makes it from `Playground/Tour`.
import Foundation
import ModelMirror
import ModelMirrorExploring
import ModelMirrorNetworking
import ModelMirrorTesting
"""
CONTENTS = """\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<playground version='5.0' target-platform='macos' display-mode='rendered' buildActiveScheme='true' executeOnSourceChanges='false'>
    <timeline fileName='timeline.xctimeline'/>
</playground>
"""
TWEETS = """{"statuses": [{"id": 7, "created_at": "Sun Aug 31 00:29:15 +0000 2014", "text": "Hel\\u001blo", "retweet_count": "2",
"user": {"id": 1, "name": "Mona", "screen_name": "mo\\u009bna"}}]}
"""
SUMMARY = """\
tweets.json: 183 bytes

1 tweets, 0 of them retweets; their authors have marked 0 tweets as favourites

createdAt            user    retweets  entities  text
2014-08-31 00:29:15  @mo na         2         0  Hel lo

Objects
   Tweet        1
   TweetSearch  1
   TwitterUser  1
   in all       3

Deviations
   coerced   1  the first: $.statuses[0].retweet_count
   missing  30  the first: $.statuses[0].id_str
"""


def source(name):
    with open(os.path.join(ROOT, "Playground", name), encoding="utf-8") as file:
        return file.read()


def regions(name):
    """The regions of a file by their step."""
    found = {}
    for step, text in REGION.findall(source(name)):
        found.setdefault(step, []).append(text)
    return {step: "\n".join(texts) for step, texts in found.items()}


def without_imports(text):
    return re.sub(r"^import .*\n", "", text, flags=re.M).strip("\n") + "\n"


def shown(text):
    """The lines of a region that the tour shows."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("///") and not line.endswith("// tour: hidden")]
    return textwrap.dedent("\n".join(lines)).strip("\n")


def formatted(text):
    """Swift as the linter wants it."""
    done = subprocess.run(
        ["swift", "format", "--configuration", os.path.join(ROOT, ".swift-format")], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: what is made is not Swift: {done.stderr}")
    return done.stdout


class Step:
    """A step as the sources have it: its name, title and explanation, the declarations it shows, and what it runs."""

    def __init__(self, name, title, explanation, body, declarations, usage):
        self.name, self.title, self.body = name, title, body
        self.explanation = explanation
        self.declarations = declarations
        self.code = "\n\n".join(shown(text) for text in declarations + usage)


def steps():
    """The steps in the order of the tour."""
    declared = {name: regions(name) for name in MODELS + STEPS}
    found = {}
    for file in STEPS:
        for variable, name, title, line, lines, body in STEP.findall(source(file)):
            found[variable] = Step(
                name, title, line or textwrap.dedent(lines), body, [declared[model][name] for model in MODELS if name in declared[model]],
                [declared[file][name]] if name in declared[file] else [])
    tour = source("Tour/Tour.swift")
    order = re.findall(r"\.(\w+)", re.search(r"\n        steps: \[(.*?)\]\)", tour, re.S)[1])
    names = [found[variable].name for variable in order]
    problems = [f"the tour does not list {v}" for v in found if v not in order]
    problems += [f"the step {s.name} shows no code" for s in found.values() if not s.code]
    problems += [f"{f} marks code for {n}, which is no step" for f in declared for n in declared[f] if n not in names]
    if problems:
        sys.exit("FAILED: " + "; ".join(problems))
    return [found[variable] for variable in order]


def listing(steps):
    """TourStep+Code.swift: what each step shows."""
    entries = "".join(f'        "{step.name}": #"""\n{textwrap.indent(step.code, " " * 12)}\n            """#,\n' for step in steps)
    return formatted(
        "// Made from the marked lines of Playground/Models and Playground/Tour: Tests/Playground/check.py --write\n\n"
        "extension TourStep {\n    /// What each step shows, by its name.\n"
        f"    static let code: [String: String] = [\n{entries}    ]\n}}\n")


def page(title, steps):
    """The playground's Contents.swift."""
    parts = [HEADER.format(title=title)]
    for number, step in enumerate(steps, 1):
        markup = f"//: ## {number}. {step.title}\n" + textwrap.indent(step.explanation, "//: ")
        parts.append("\n".join([markup] + [textwrap.dedent(text) for text in step.declarations]))
        if step.body:
            body = re.sub(r"^ *// tour: .*\n|  // tour: hidden$", "", step.body, flags=re.M)
            parts.append(f'do {{\n    print("\\n{number}. {step.title}")\n' + textwrap.indent(textwrap.dedent(body), "    ") + "}\n")
    parts.append("//: ## The other classes, and the helpers of the steps\n")
    parts += [without_imports(REGION.sub("", source(name))) for name in MODELS]
    for name in HELPERS:
        text = without_imports(source(name))
        parts.append(text.replace("Bundle.module", "Bundle.main") if name == "Tour/SampleDocument.swift" else text)
    return formatted(re.sub(r"\n{3,}", "\n\n", "\n".join(parts)))


def derived(title, steps):
    """The derived files below Playground/ with their content."""
    files = {
        "Tour/TourStep+Code.swift": listing(steps),
        "ModelMirror.playground/Contents.swift": page(title, steps),
        "ModelMirror.playground/contents.xcplayground": CONTENTS,
    }
    for name in sorted(os.listdir(os.path.join(ROOT, "Playground", "Resources"))):
        files["ModelMirror.playground/Resources/" + name] = source("Resources/" + name)
    return files


def write(files):
    shutil.rmtree(os.path.join(ROOT, "Playground", "ModelMirror.playground"), ignore_errors=True)
    for name, text in files.items():
        path = os.path.join(ROOT, "Playground", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


FAILURES = []


def expect(what, found, expected):
    """Compares two texts, line by line."""
    if found == expected:
        print(f"passed {what}")
        return
    FAILURES.append(what)
    print(f"FAILED {what}:")
    print("\n".join(difflib.unified_diff(expected.splitlines(), found.splitlines(), "expected", "found", lineterm="", n=1)))


def check_files(files):
    for name, text in files.items():
        path = os.path.join(ROOT, "Playground", name)
        found = source(name) if os.path.exists(path) else ""
        if found != text:
            expect(f"Playground/{name}, which check.py --write makes", found, text)
    folder = os.path.join(ROOT, "Playground", "ModelMirror.playground")
    others = [os.path.relpath(os.path.join(at, name), os.path.dirname(folder)) for at, _, names in os.walk(folder) for name in names]
    extra = [name for name in others if name not in files and "xcuserdata" not in name and not name.endswith(".xctimeline")]
    expect("the files of the tour's code and of the playground", "\n".join(extra), "")


def modules(build):
    """The compiler's flags for a client of the built libraries."""
    return ["-module-name", "Client", "-I", os.path.join(build, "Modules"), "-I", os.path.join(build, "CurlCalls.build")]


def check_playground(build, work):
    """Compiles the playground against the built libraries, runs it, and returns what each step prints."""
    main = shutil.copyfile(os.path.join(ROOT, "Playground", "ModelMirror.playground", "Contents.swift"), os.path.join(work, "main.swift"))
    objects = os.path.join(work, "objects")
    with open(os.path.join(build, "Playground.product", "Objects.LinkFileList"), encoding="utf-8") as file:
        lines = [line for line in file if "/Playground.build/" not in line]
    with open(objects, "w", encoding="utf-8") as file:
        file.writelines(lines)
    program = os.path.join(work, "run")
    for version, task in (("5", ["-typecheck"]), ("6", ["-warnings-as-errors", "-o", program, "@" + objects])):
        done = subprocess.run(["swiftc", "-swift-version", version, main, *modules(build), *task], capture_output=True, text=True)
        expect(f"the playground as Swift {version}", "" if done.returncode == 0 else done.stdout + done.stderr, "")
        if done.returncode:
            return {}
    for name in os.listdir(os.path.join(ROOT, "Playground", "Resources")):
        shutil.copy(os.path.join(ROOT, "Playground", "Resources", name), work)
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    expect("the playground's end", done.stderr, "")
    parts = re.split(r"^\d+\. (.*)\n", "\n" + done.stdout, flags=re.M)
    return {title: text.strip("\n") for title, text in zip(parts[1::2], parts[2::2])}


class GitHub(http.server.BaseHTTPRequestHandler):
    """A server with one user, who has the sample's gists."""

    def do_GET(self):
        known = self.path == "/users/octocat/gists"
        body = source("Resources/gists.json").encode() if known else b"{}"
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def check_commands(build, work, title, steps, printed):
    """What the commands print, and how they end."""

    def run(*words):
        done = subprocess.run([os.path.join(build, "Playground"), *words], cwd=ROOT, capture_output=True, text=True, timeout=60)
        return done.stdout + (f"{done.stderr}{done.returncode}\n" if done.returncode else "")

    def text(number):
        step = steps[number - 1]
        parts = [f"{number}. {step.title}\n{textwrap.indent(step.explanation, '   ')}", textwrap.indent(step.code, " " * 7)]
        return "\n\n".join(parts + ([printed.get(step.title, "")] if step.body else [])) + "\n"

    numbers = range(1, len(steps) + 1)
    expect("the tour", run(), title + "\n" + "".join("\n" + text(number) for number in numbers))
    for number in numbers:
        expect(f"tour {steps[number - 1].name}", run("tour", steps[number - 1].name), text(number))
    expect("tour, two steps in the order asked for", run("tour", steps[2].name, steps[0].name), text(3) + "\n" + text(1))
    width = max(len(step.name) for step in steps)
    expect("tour --list", run("tour", "--list"), "".join(f"{step.name:{width}}  {step.title}\n" for step in steps))
    expect(
        "tour rutes", run("tour", "fill", "rutes"),
        f'There is no step "rutes" (did you mean "routes"?); there are {", ".join(step.name for step in steps)}. '
        + "See swift run Playground tour --help.\n2\n")
    done = subprocess.run(
        ["bash", "-c", """"$0" drift <(echo '{"id": 1}') <(echo '{"id": "x"}' | gzip)""", os.path.join(build, "Playground")],
        capture_output=True, text=True, timeout=60)
    expect("drift of pipes", done.stdout + done.stderr, "changed type  $.id: number -> string\n\n1 change: 1 changed type\n")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([os.path.join(build, "Playground"), "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
        expect("a full disk", f"{done.returncode} {done.stderr}", "2 Standard output cannot be written: no space is left.\n")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    expect("gists octocat", textwrap.indent(run("gists", "octocat", "--url", url), "   "), printed.get("One line fills it", "") + "\n")
    found = run("gists", "nobody", "--url", url)
    expect("gists nobody", found if "404" not in found else "404, " + found[-2:], "404, 1\n")
    server.shutdown()
    server.server_close()
    expect(
        "gists octocat --url nowhere", run("gists", "octocat", "--url", "nowhere"),
        '"nowhere" is not the URL of a server; write it like https://api.github.com. See swift run Playground gists --help.\n2\n')
    document = os.path.join(work, "tweets.json")
    with open(document, "w", encoding="utf-8") as file:
        file.write(TWEETS)
    expect("twitter", run("twitter", document).replace(document, "tweets.json").split("\nTime\n")[0], SUMMARY)


def check_page(build):
    """Docs/Tools.md: the listing of `check`."""
    with open(os.path.join(ROOT, "Docs", "Tools.md"), encoding="utf-8") as file:
        text = file.read()
    command, listing = re.search(r"^\$ swift run Playground (check [^\n]*)\n(.*?)^```$", text, re.M | re.S).groups()
    found = subprocess.run(
        [os.path.join(build, "Playground"), *command.split()], cwd=os.path.join(ROOT, "Playground", "Resources"), capture_output=True,
        text=True).stdout
    # "…" stands for findings that are left out.
    pattern = ".*".join(re.escape(part) for part in listing.split("…\n"))
    expect("Tools.md: " + command, listing if re.fullmatch(pattern, found, re.S) else found, listing)



def main():
    title = re.search(r'title: "([^"]+)",\n\s*steps:', source("Tour/Tour.swift"))[1]
    all_steps = steps()
    files = derived(title, all_steps)
    if "--write" in sys.argv[1:]:
        return write(files)
    check_files(files)
    if FAILURES:
        sys.exit(1)
    build = subprocess.run(["swift", "build", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    done = subprocess.run(["swift", "build", "--product", "Playground"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit("FAILED: " + "\n".join(line for line in done.stdout.splitlines() if "error:" in line))
    with tempfile.TemporaryDirectory(prefix="playground-check-") as work:
        printed = check_playground(build, work)
        check_commands(build, work, title, all_steps, printed)
        check_page(build)
    sys.exit(1 if FAILURES else 0)


main()
