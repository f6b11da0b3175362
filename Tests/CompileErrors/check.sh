#!/usr/bin/env bash
# The wrong code of Docs/CompileErrors.md fails with the message beside it, the right code compiles.
#
#     Tests/CompileErrors/check.sh
#
# The first snippet stands in front of all other code, and compiles in silence in a target of either default isolation. A block of ```diff is
# a main.swift, and its first line, `! …`, what the compiler says to the lines with `-`. The messages are those of the toolchain that the page
# names.
#
# Below `<!-- rows in: … -->`, each row of the table has code that must not compile, what the compiler says, and, if the third cell begins
# with code, code that compiles; the comment has what stands around the code, which takes the place of its `…`. Below
# `<!-- rows on the main actor in: … -->` that is so in a target whose default isolation is the main actor, otherwise in the other. ` · ` is
# between the messages of a cell.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
page="$root/Docs/CompileErrors.md"
cd "$root"
swift build --target ModelMirrorNetworking > /dev/null || { echo "FAILED: the library does not build"; exit 1; }
build=$(swift build --show-bin-path)
modules="$build/Modules"
# Where SwiftPM describes the C module that CurlTransport calls libcurl by, on Linux.
calls="$build/CurlCalls.build"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# snippets/LINE/{code,says}, where LINE is that of the page at which the snippet begins; for a row LINE/{row,says,isolation}, and
# LINE.right/{row,isolation}.
awk -v work="$work" '
    # The first code of a cell, with what stands around it.
    function row(folder, cell,    place) {
        split(cell, parts, "`")
        place = index(around, "…")
        system("mkdir -p " folder)
        printf "%s\n%s\n%s\n", substr(around, 1, place - 1), parts[2], substr(around, place + length("…")) > (folder "/row")
        print isolation > (folder "/isolation")
    }
    function text(prefix, line) { sub(prefix, "", line); sub(/ -->$/, "", line); return line }
    /^```(swift|diff)$/ {
        inside = $0 == "```diff" ? 2 : 1
        folder = work "/" sprintf("%04d", NR)
        system("mkdir -p " folder)
        next
    }
    inside == 2 && /^! / {
        print substr($0, 3) > (folder "/says")
        next
    }
    inside == 2 && !/^```$/ { print substr($0, 2) > (folder "/code"); next }
    /^<!-- rows (on the main actor )?in: / {
        around = text("^<!-- rows (on the main actor )?in: ", $0)
        isolation = /^<!-- rows on/ ? "MainActor" : "nonisolated"
        next
    }
    /^$/ && !inside { around = "" }
    around && /^\| `/ {
        count = split($0, cells, / \| /)
        sub(/^\| /, "", cells[1])
        wrong = work "/" sprintf("%04d", NR)
        row(wrong, cells[1])
        gsub(/ · /, "\n", cells[2])
        print cells[2] > (wrong "/says")
        if (cells[3] ~ /^`/) row(wrong ".right", cells[3])
        next
    }
    /^```$/ { inside = 0; next }
    inside { print > (folder "/code") }
' "$page"

shared=$(find "$work" -name code | sort | head -1 | xargs -r dirname)
[ -n "$shared" ] || { echo "FAILED: the page has no snippets"; exit 1; }

# check FOLDER: a sentence for each snippet that is not as the page says.
check() {
    local folder=$1 place isolation
    place="Docs/CompileErrors.md:$(basename "$folder" .right | sed 's/^0*//')"
    compile() {  # FILE ISOLATION FLAGS…: what the compiler says
        local file=$1 isolation=$2
        shift 2
        rm -f "$folder/output.sil"
        swiftc -emit-sil -o "$folder/output.sil" -swift-version 6 -default-isolation "$isolation" -I "$modules" -I "$calls" "$@" "$file" 2>&1 || true
    }
    expect() {  # FOUND LINE HOW
        printf '%s' "$1" | grep -qF -- "$2" || {
            echo "$place, $3: the compiler does not say \"$2\" but:"
            printf '%s\n' "$1" | grep -E ' (error|warning): ' | sed 's/^[^ ]*/   /' | head -3
        }
    }
    if [ -e "$folder/row" ]; then
        { sed 's/^let /nonisolated let /' "$shared/code"; cat "$folder/row"; } > "$folder/snippet.swift"
        isolation=$(cat "$folder/isolation")
        found=$(compile "$folder/snippet.swift" "$isolation" -parse-as-library)
        if [ -e "$folder/says" ]; then
            while read -r line; do expect "$found" "$line" "$isolation"; done < "$folder/says"
        elif [ ! -s "$folder/output.sil" ]; then
            echo "$place: what to write instead does not compile:"
            printf '%s\n' "$found" | grep -E ' error: ' | sed 's/^[^ ]*/   /' | head -3
        fi
        return
    fi
    if [ -e "$folder/says" ]; then
        mkdir -p "$folder/top"
        cat "$shared/code" "$folder/code" > "$folder/top/main.swift"
        found=$(compile "$folder/top/main.swift" nonisolated)
        while read -r line; do expect "$found" "$line" "at the top level"; done < "$folder/says"
        return
    fi
    sed 's/^let /nonisolated let /' "$folder/code" > "$folder/snippet.swift"
    for isolation in nonisolated MainActor; do
        found=$(compile "$folder/snippet.swift" $isolation -parse-as-library)
        if [ -n "$found" ] || [ ! -s "$folder/output.sil" ]; then  # a compiler that is killed is silent, too
            echo "$place, $isolation: does not compile in silence:"
            printf '%s\n' "$found" | grep -E ' (error|warning): ' | sed 's/^[^ ]*/   /' | head -3
        fi
    done
}
export -f check
export modules calls shared
wrong=$(find "$work" -mindepth 1 -maxdepth 1 -type d | sort | xargs -P 2 -I {} bash -c 'check {}')
if [ -n "$wrong" ]; then
    printf '%s\nFAILED: snippets of Docs/CompileErrors.md\n' "$wrong"
    exit 1
fi
echo "passed: $(find "$work" -name code | wc -l) snippets, $(find "$work" -name row -path '*[0-9]/row' | wc -l) rows"
