#!/usr/bin/env bash
# The classes inferred from documents compile, map their documents strictly, and write them back equal.
#
#     Tests/Exploring/check.sh [DOCUMENT...]
#
# Those of JSON Schemas map valid documents, and refuse invalid ones.
#
# The documents are those of the folder Documents, one of 5 MB that Inferring.swift makes, and twitter.json, citm_catalog.json and
# canada.json of the folder that MODELMIRROR_DATA names, or else documents of their kind, which standins.py makes. All classes are one
# program. It stays in .build-exploring.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
cd "$folder/../.."
scratch=$PWD/.build-exploring
rm -rf "$scratch"
mkdir -p "$scratch/program"

for target in ModelMirrorExploring ModelMirrorTesting; do
    swift build --target $target > "$scratch/build.log" 2>&1 || { grep "error:" "$scratch/build.log"; exit 1; }
done
build=$(swift build --show-bin-path)
objects() { ls "$build/$1.build"/*.o; }
mkdir "$scratch/tool"
cp "$folder/Inferring.swift" "$scratch/tool/main.swift"
swiftc -swift-version 6 -I "$build/Modules" -module-name Inferring -o "$scratch/inferring" "$scratch/tool/main.swift" \
    $(objects ModelMirror) $(objects ModelMirrorExploring)

documents=("$@")
if [ $# -eq 0 ]; then
    documents=("$folder"/Documents/*.json "$folder"/Schemas/*.json)
    data=${MODELMIRROR_DATA:-}
    if [ -z "$data" ]; then
        echo "MODELMIRROR_DATA names no folder: documents like twitter.json, citm_catalog.json and canada.json are made"
        data=$scratch/documents
        mkdir "$data"
        "$folder/standins.py" "$data"
    fi
    documents+=("$data"/{twitter,citm_catalog,canada}.json)
fi
"$scratch/inferring" "$scratch/program" "${documents[@]}"
timeout 300 swiftc -swift-version 6 -warnings-as-errors -Onone -I "$build/Modules" -module-name Inferred -o "$scratch/inferred" \
    "$scratch/program"/*.swift "$folder/Checking.swift" $(objects ModelMirror)
"$scratch/inferred"
# The client of the OpenAPI document, with the bodies that its requests send.
mkdir "$scratch/client"
"$scratch/inferring" "$scratch/client" --openAPI "$folder/OpenAPI/shop.json"
cp "$folder/Calling.swift" "$scratch/client/main.swift"
swiftc -swift-version 6 -warnings-as-errors -I "$build/Modules" -Xcc -fmodule-map-file="$build/CurlCalls.build/module.modulemap" \
    -module-name Calling -o "$scratch/calling" "$scratch/client"/*.swift $(objects ModelMirror) $(objects ModelMirrorNetworking) \
    $(objects ModelMirrorTesting) $(objects CurlCalls)
"$scratch/calling" > "$scratch/called"
diff "$folder/Calling.expected" "$scratch/called" || { echo "FAILED: what is expected (<) and what is printed (>)"; exit 1; }
# That of a document whose names are reserved words, and names of the libraries.
mkdir "$scratch/names"
"$folder/names.py" > "$scratch/names.json"
"$scratch/inferring" "$scratch/names" --openAPI "$scratch/names.json"
swiftc -typecheck -swift-version 6 -warnings-as-errors -I "$build/Modules" \
    -Xcc -fmodule-map-file="$build/CurlCalls.build/module.modulemap" -module-name Names "$scratch/names/Client.swift"
echo "passed: $((${#documents[@]} + 2)) documents"
