#!/usr/bin/env bash
# Strict mapping and the schema that a class writes agree about random values, for each form of rule, by Python's package jsonschema.
#
#     Tests/Schemas/check.sh [COUNT [SEED]]
#
# COUNT documents for each rule. Ends with 3 where the package is missing. The program stays in .build-schemas.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
cd "$folder/../.."
python3 -c 'import jsonschema' 2> /dev/null || { echo "skipped: Python's package jsonschema is missing"; exit 3; }
scratch=$PWD/.build-schemas
mkdir -p "$scratch"
swift build --target ModelMirror > "$scratch/build.log" 2>&1 || { grep "error:" "$scratch/build.log"; exit 1; }
build=$(swift build --show-bin-path)
cp "$folder/Judging.swift" "$scratch/main.swift"
swiftc -swift-version 6 -warnings-as-errors -I "$build/Modules" -module-name Judging -o "$scratch/judging" "$scratch/main.swift" \
    "$build"/ModelMirror.build/*.o
"$scratch/judging" "${2:-7}" "${1:-2000}" > "$scratch/documents"
"$folder/judge.py" < "$scratch/documents"
