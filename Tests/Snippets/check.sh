#!/usr/bin/env bash
# Every Swift snippet of README.md and Docs/*.md compiles, and prints what the page says.
#
#     Tests/Snippets/check.sh [PAGE…]
#
# PAGE is a page's name without `.md`; defaults to all.
# The snippets of a page, in their order, are one program, compiled against the debug build as a client of the libraries would be.
# Lines that begin with "// " in the first column are what it prints; other comments are behind code or indented. A snippet below
# the line `<!-- fragment -->` is not compiled. Code that a page needs but does not show (a server to talk to) is beside this
# script in <page>.swift. The programs stay in .build-snippets.
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

# Code of a page: the blocks between ```swift and ```.
code() {
    awk '
        /^<!-- fragment -->$/ { fragment = 1; next }
        /^```/ && inside { inside = 0; shown = 0; fragment = 0; next }
        /^```/ { inside = 1; shown = $0 == "```swift" && !fragment; next }
        shown
    ' "$1"
}

# check PAGE: compiles and runs the page's program; a sentence about what it finds.
check() {
    local name sources program="$scratch/$1"
    name=$1
    sources=("$program/main.swift")
    [ -f "$folder/$name.swift" ] && sources+=("$folder/$name.swift")
    grep '^// ' "$program/main.swift" | sed 's|^// ||' > "$program/expected" || true
    if ! swiftc -swift-version 6 -warnings-as-errors "${sources[@]}" -module-name "$name" -o "$program/run" \
        -I "$build/Modules" -I "$build/CurlCalls.build" @"$scratch/objects" > "$program/log" 2>&1; then
        grep -E "error:|warning:" "$program/log" | sort -u | head -20
        echo "FAILED $name: a snippet does not compile; see $program/log"
    elif ! "$program/run" > "$program/found" 2>&1; then
        echo "FAILED $name: the program stopped: $(tail -1 "$program/found")"
    elif ! diff "$program/expected" "$program/found" > "$program/diff"; then
        echo "FAILED $name: what the page says (<) and what is printed (>):"
        cat "$program/diff"
    else
        echo "passed $name: $(wc -l < "$program/expected") lines"
    fi
}
export -f check

for page in "$root"/README.md "$root"/Docs/*.md; do
    name=$(basename "$page" .md)
    [ $# -gt 0 ] && [[ " $* " != *" $name "* ]] && continue
    [ "$name" = CompileErrors ] && continue  # snippets that do not compile: Tests/CompileErrors/check.sh
    mkdir -p "$scratch/$name"
    code "$page" > "$scratch/$name/main.swift"
    if [ -s "$scratch/$name/main.swift" ]; then echo "$name"; else rm -r "${scratch:?}/$name"; fi
done > "$scratch/pages"
[ -s "$scratch/pages" ] || { echo "FAILED: there is no such page: $*"; exit 1; }
xargs -P "$(nproc)" -I {} bash -c 'check {}' < "$scratch/pages" | tee "$scratch/report"
# Passes are counted, because a check that is killed prints nothing.
[ "$(grep -c '^passed' "$scratch/report")" = "$(wc -l < "$scratch/pages")" ]
