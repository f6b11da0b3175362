#!/usr/bin/env bash
# A program whose reflection metadata was stripped gets an error that names the compiler's flag, never an empty object; classes
# with an explicit table are mapped, and rules name their entries by keys or given names.
#
#     Tests/StrippedMetadata/check.sh
#
# Compiles the program of this folder against the debug build without a flag, with -disable-reflection-metadata and with
# -disable-reflection-names, and compares what it prints, line by line. The programs stay in .build-stripped.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$folder/../.." && pwd)
scratch=$root/.build-stripped
mkdir -p "$scratch"
cd "$root" || exit 1
swift build --product Playground > "$scratch/build.log" 2>&1 || { grep "error:" "$scratch/build.log"; exit 1; }
build=$(swift build --show-bin-path)
# The libraries' objects: those of an executable that needs them all, without its own.
grep -v '/Playground\.build/' "$build/Playground.product/Objects.LinkFileList" > "$scratch/objects"
passed=0
failed=0

# Usage: check <name> <flag or nothing> <<< <expected lines>
check() {
    local name=$1 flag=$2 log="$scratch/$1.log" expected actual
    local options=(-swift-version 6 -parse-as-library -I "$build/Modules")
    [ -n "$flag" ] && options+=(-Xfrontend "$flag")
    expected=$(cat)
    local count
    count=$(printf '%s\n' "$expected" | wc -l)
    if ! swiftc "${options[@]}" "$folder/StrippedMetadata.swift" @"$scratch/objects" -o "$scratch/$name" > "$log" 2>&1; then
        echo "FAILED $name: the program does not compile, see $log"
        grep -m 3 "error:" "$log"
        failed=$((failed + count))
        return
    fi
    actual=$("$scratch/$name" 2> "$log.errors")
    local line=0 want have
    while IFS= read -r want; do
        line=$((line + 1))
        have=$(printf '%s\n' "$actual" | sed -n "${line}p")
        if [ "$want" = "$have" ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            printf 'FAILED %s, line %d\n  expected: %s\n  found:    %s\n' "$name" "$line" "$want" "$have"
        fi
    done <<< "$expected"
    if [ "$(printf '%s\n' "$actual" | wc -l)" -gt "$line" ]; then
        failed=$((failed + 1))
        printf 'FAILED %s: more lines than expected:\n%s\n' "$name" "$(printf '%s\n' "$actual" | tail -n "+$((line + 1))")"
    fi
}

unseen="its stored properties were stripped from the program; compile its module without -disable-reflection-metadata."
unnamed="its property names were stripped from the program; compile its module without -disable-reflection-names."
listed='{"id":"1","created_on":60,"owner":{"id":"3"}}'
nameless='requiredProperties names "createdOn", which is not a stored property of Required (did you mean "created_on"?).'

check whole "" << END
class: mapped o
subclass: mapped 0
array: mapped 1
dictionary: mapped 1
report: mapped 1
init(dictionary:): mapped 1
generic class: mapped 1
observable class: mapped t
only a let: mapped 1
listed: mapped $listed
listed, in a rule: mapped 1970-01-01 00:01:00 +0000
listed, in a rule by its name: mapped 60
no properties: mapped true
END

check metadata -disable-reflection-metadata << END
class: Gist cannot be mapped: $unseen
subclass: Fork cannot be mapped: ${unseen/its stored/its superclass Gist\'s stored}
array: Gist cannot be mapped: $unseen
dictionary: Gist cannot be mapped: $unseen
report: Gist cannot be mapped: $unseen
init(dictionary:): Gist cannot be mapped: $unseen
generic class: Page<Int> cannot be mapped: $unseen
observable class: Article cannot be mapped: $unseen
only a let: Constant cannot be mapped: $unseen
listed: mapped $listed
listed, in a rule: Required cannot be mapped: $nameless
listed, in a rule by its name: mapped 60
no properties: mapped true
END

check names -disable-reflection-names << END
class: Gist cannot be mapped: $unnamed
subclass: Fork cannot be mapped: $unnamed
array: Gist cannot be mapped: $unnamed
dictionary: Gist cannot be mapped: $unnamed
report: Gist cannot be mapped: $unnamed
init(dictionary:): Gist cannot be mapped: $unnamed
generic class: Page<Int> cannot be mapped: $unnamed
observable class: Article cannot be mapped: $unnamed
only a let: Constant cannot be mapped: $unnamed
listed: mapped $listed
listed, in a rule: Required cannot be mapped: $nameless
listed, in a rule by its name: mapped 60
no properties: mapped true
END

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
