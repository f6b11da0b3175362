#!/usr/bin/env bash
# The classes inferred from the schemas of the JSON-Schema-Test-Suite map its valid documents and refuse its invalid ones.
#
#     Tests/Schemas/suite.sh SUITE [CASE...]
#
# SUITE is a clone of github.com/json-schema-org/JSON-Schema-Test-Suite, also a bare one; of draft 2020-12 all but the folder
# `optional` is read. A CASE ("not.json") limits this, and prints the documents that are judged differently. The program stays in
# .build-suite.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
cd "$folder/../.."
scratch=$PWD/.build-suite
rm -rf "$scratch"
mkdir -p "$scratch/program" "$scratch/tool"
swift build --target ModelMirrorExploring > "$scratch/build.log" 2>&1 || { grep "error:" "$scratch/build.log"; exit 1; }
build=$(swift build --show-bin-path)
cp "$folder/Suite.swift" "$scratch/tool/main.swift"
swiftc -swift-version 6 -I "$build/Modules" -module-name Suite -o "$scratch/suite" "$scratch/tool/main.swift" \
    "$build"/ModelMirror.build/*.o "$build"/ModelMirrorExploring.build/*.o
"$folder/suite.py" list "$scratch" "$@"
"$scratch/suite" "$scratch/schemas" "$scratch/program" > "$scratch/without-classes"
swiftc -swift-version 6 -warnings-as-errors -Onone -j2 -I "$build/Modules" -module-name Inferred -o "$scratch/inferred" \
    "$scratch/program"/*.swift "$build"/ModelMirror.build/*.o
"$scratch/inferred" < "$scratch/documents" > "$scratch/verdicts"
"$folder/suite.py" judge "$scratch" "$@"
