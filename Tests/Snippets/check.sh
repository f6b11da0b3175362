#!/usr/bin/env bash
# Every Swift snippet of README.md, Docs/*.md and the landing pages and articles of the documentation compiles, and prints what the
# page says; the code in documentation comments compiles.
#
#     Tests/Snippets/check.sh [PAGE…]
#
# PAGE is a page's name without `.md`, for a landing page with `Landing` before it, or `Comments`; defaults to all.
# The snippets of a page, in their order, are one program, compiled against the debug build as a client of the libraries would be.
# Lines that begin with "// " in the first column are what it prints, and so is a block below the line `<!-- output -->`; other
# comments are behind code or indented. A snippet below `<!-- not run -->` is compiled only; one below `<!-- fragment -->` is no part
# of the program: a manifest, which is compiled for itself, a line of one, code for a package that is not here. Code that a page needs
# but does not show (a server to talk to) is beside this script in <page>.swift. The programs stay in .build-snippets.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$folder/../.." && pwd)
scratch="$root/.build-snippets"
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$root"

swift build --product Playground > "$scratch/build.log" 2>&1 || { grep "error:" "$scratch/build.log"; exit 1; }
build=$(swift build --show-bin-path)
# The libraries' objects: those of an executable that needs them all, without its own.
grep -v '/Playground\.build/' "$build/Playground.product/Objects.LinkFileList" > "$scratch/objects"
export folder root scratch build

# Code of a page: the blocks between ```swift and ```. What is not run is in a branch that is never taken, where a value that nothing
# uses is used, so that the compiler does not warn. Lines of output become comments.
code() {
    awk '
        /^<!-- (fragment|not run|output) -->$/ { kind = $2; next }
        /^```/ && inside {
            if (branch) print (unused ? "_ = " unused " " : "") "}"
            inside = shown = branch = 0; kind = unused = ""
            next
        }
        /^```/ {
            inside = 1
            shown = $0 == "```swift" && kind != "fragment" || kind == "output"
            next
        }
        !shown { next }
        kind == "output" { print "// " $0; next }
        kind != "not" || /^import / { print; next }
        !branch { branch = 1; print "if CommandLine.arguments.count > 1 {" }
        match($0, /^(let|var) [A-Za-z]+/) { unused = substr($0, 5, RLENGTH - 4) }
        unused && !/^(let|var)/ && index($0, unused) { unused = "" }
        { sub(/^@main /, ""); print "    " $0 }
    ' "$1"
}

# comments: type-checks the code in documentation comments (comments.py), which may use what is internal.
comments() {
    local found
    found=$(python3 "$folder/comments.py" "$scratch/Comments/Blocks.swift")
    if swiftc -typecheck -suppress-warnings -swift-version 6 -package-name modelmirror -module-name Comments -I "$build/Modules" \
        -I "$build/CurlCalls.build" "$scratch/Comments/Blocks.swift" "$folder/Comments.swift" > "$scratch/Comments/log" 2>&1; then
        echo "passed Comments: $found"
    else
        grep -E "^[^ ].*error:" "$scratch/Comments/log" | sort -u | head -20
        echo "FAILED Comments: code in a comment does not compile; see $scratch/Comments/log"
    fi
}

# check PAGE: compiles and runs the page's program; a sentence about what it finds.
check() {
    local name sources program="$scratch/$1"
    name=$1
    [ "$name" = Comments ] && { comments; return; }
    sources=("$program/main.swift")
    [ -f "$folder/$name.swift" ] && sources+=("$folder/$name.swift")
    grep '^// ' "$program/main.swift" | sed 's|^// ||' > "$program/expected" || true
    if ! swiftc -swift-version 6 -warnings-as-errors "${sources[@]}" -module-name "$name" -o "$program/run" \
        -I "$build/Modules" -I "$build/CurlCalls.build" @"$scratch/objects" > "$program/log" 2>&1; then
        grep -E "error:|warning:" "$program/log" | sort -u | head -20
        echo "FAILED $name: a snippet does not compile; see $program/log"
    elif [ -s "$program/Package.swift" ] \
        && ! swift package --package-path "$program" dump-package > "$program/manifest" 2> "$program/log"; then
        grep -E "error:" "$program/log" | sort -u | head -20
        echo "FAILED $name: the manifest does not compile; see $program/log"
    elif ! timeout 120 "$program/run" > "$program/found" 2>&1; then
        echo "FAILED $name: the program stopped: $(tail -1 "$program/found")"
    elif ! diff "$program/expected" "$program/found" > "$program/diff"; then
        echo "FAILED $name: what the page says (<) and what is printed (>):"
        cat "$program/diff"
    else
        echo "passed $name: $(wc -l < "$program/expected") lines"
    fi
}
export -f check comments

for page in "$root"/README.md "$root"/Docs/*.md "$root"/Tests/Documentation/{Landing,Articles}/*.md; do
    [ "$page" = "$root/Docs/README.md" ] && continue  # the table of contents, without code
    name=$(basename "$page" .md)
    [[ "$page" = */Landing/* ]] && name="Landing$name"  # no program is named like a library
    [ $# -gt 0 ] && [[ " $* " != *" $name "* ]] && continue
    [ "$name" = CompileErrors ] && continue  # snippets that do not compile: Tests/CompileErrors/check.sh
    mkdir -p "$scratch/$name"
    code "$page" > "$scratch/$name/main.swift"
    awk '/^\/\/ swift-tools-version/ { shown = 1 } /^```$/ { shown = 0 } shown' "$page" > "$scratch/$name/Package.swift"
    if [ -s "$scratch/$name/main.swift" ]; then echo "$name"; else rm -r "${scratch:?}/$name"; fi
done > "$scratch/pages"
if [ $# = 0 ] || [[ " $* " = *" Comments "* ]]; then
    mkdir "$scratch/Comments"
    echo Comments >> "$scratch/pages"
fi
[ -s "$scratch/pages" ] || { echo "FAILED: there is no such page: $*"; exit 1; }
xargs -P "$(nproc)" -I {} bash -c 'check {}' < "$scratch/pages" | tee "$scratch/report"
# Passes are counted, because a check that is killed prints nothing.
[ "$(grep -c '^passed' "$scratch/report")" = "$(wc -l < "$scratch/pages")" ]
