#!/usr/bin/env bash
# What Docs/Tools.md says of the REPL: the lines that are typed there print what stands below them, and the classes that infer prints can be
# pasted, also those that use each other: they map documents, and write them back equal.
#
#     Tests/REPL/check.sh
#
# Skipped where the REPL does not start: it needs the Python library that the toolchain was built with.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
if ! reason=$(Playground/repl.sh --check 2>&1); then
    [[ "$reason" == "The REPL needs "* ]] && { echo "skipped: $reason"; exit 0; }
    echo "FAILED: $reason"
    exit 1
fi

# check NAME: compares a page's block, read from standard input; numbered lines are typed, the others are printed.
check() {
    local block typed expected printed
    block=$(sed -n '/^```text/,/^```/p' | grep -v '^```')
    typed=$(printf '%s\n' "$block" | sed -n 's/^ *[0-9]*> //p')
    expected=$(printf '%s\n' "$block" | grep -v '^ *[0-9]*> ')
    printed=$(printf '%s\n' "$typed" | Playground/repl.sh 2>&1 | sed '1,/^Launching/d' | tr -d '\r' | sed -E '/^$/d; s/0x[0-9a-f]{8,}/0x…/g')
    if [ -n "$expected" ] && [ "$printed" = "$expected" ]; then
        echo "passed $1: $(printf '%s\n' "$expected" | wc -l) lines"
    else
        diff <(printf '%s\n' "$expected") <(printf '%s\n' "$printed")
        echo "FAILED $1: what the page says (<) and what the REPL prints (>)"
        return 1
    fi
}

# values NAME SOURCE DOCUMENTS: lines that paste a source, and compare what its calls read from documents, a Swift expression, with them.
values() {
    printf '%s\n' "$2" "for document in $3 {" "    do {" "        let data = try document.jsonData()"
    printf '%s\n' "$2" | sed -nE 's|^// (let ([^ ]+) = .*)|        \1\n        results.append("read '"$1"': \\(difference(@\1@, try json(\2), "$") ?? "equal")")|p' |
        sed -E 's/@.*at: \[([0-9]+)\].*@/document[\1]!/; s/@.*@/document/'
    printf '%s\n' "    } catch { results.append(\"read $1: \\(error)\") }" "}"
}

# inferred: classes of documents and schemas with several types, pasted one after the other.
inferred() {
    local work playground number=0 count file source
    work=$(mktemp -d)
    swift build --product Playground > "$work/log" 2>&1 || { cat "$work/log"; return 1; }
    playground=$(swift build --show-bin-path)/Playground
    {
        echo 'import Foundation'
        echo 'import ModelMirror'
        echo '#if true'
        sed -n '/MARK: Writing/,/MARK: Counting/p' Tests/Exploring/Checking.swift | sed 's/^private //'
        echo '#endif'
        echo 'func document(_ path: String) throws -> JSONValue { try JSONValue(json: Data(contentsOf: URL(fileURLWithPath: path))) }'
        echo 'var results: [String] = []'
        for file in Tests/Exploring/Documents/{recursion,union,deep,root,same,choices,library}*.json; do
            number=$((number + 1))
            values "$(basename "$file")" "$("$playground" infer "$file" --prefix "Made$number")" "[try document(\"$file\")]"
        done
        for file in Tests/Exploring/Schemas/{alternatives,shapes,references}.json; do
            number=$((number + 1))
            python3 -c 'import json, sys; json.dump(json.load(open(sys.argv[1]))["schema"], sys.stdout)' "$file" > "$work/schema.json"
            values "$(basename "$file")" "$("$playground" infer --schema "$work/schema.json" --name "Top$number" --prefix "Made$number")" \
                "try document(\"$file\")[\"valid\"]!.array!"
        done
        "$playground" infer Tests/Exploring/OpenAPI/shop.json --prefix Shop
        echo 'print(results.joined(separator: "\n"))'
    } > "$work/typed"
    Playground/repl.sh < "$work/typed" > "$work/printed" 2>&1
    count=$(grep -c '^read .*: equal' "$work/printed")
    if [ "$(grep -o '^read [^:]*' "$work/printed" | sort -u | wc -l)" != $number ] || grep -E '^read .*: ' "$work/printed" | grep -v ': equal' ||
        grep -n 'error:' "$work/printed"; then
        echo "FAILED inferred: $work/typed prints $work/printed"
        return 1
    fi
    echo "passed inferred: $number sources, $count values"
    rm -rf "$work"
}

status=0
check REPL < <(sed -n '/^## In the REPL/,$p' Docs/Tools.md) || status=1
inferred || status=1
exit $status
