#!/usr/bin/env bash
# On Linux, a program over ModelMirrorNetworking links no more of Foundation than its essentials, and works with those alone.
#
#     Tests/Essentials/check.sh
#
# The tests cannot tell: Swift Testing brings all of Foundation. The program of this folder is linked to the debug build of the
# libraries; what it prints is compared with main.expected.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
cd "$folder/../.."
if [ "$(uname)" != Linux ]; then
    echo "passed: nothing to check, Foundation is one here"
    exit 0
fi
swift build --product Playground > /dev/null
build=$(swift build --show-bin-path)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The libraries' objects: those of an executable that needs them all.
grep -E '/(ModelMirrorFoundation|ModelMirror|ModelMirrorNetworking|CurlCalls)\.build/' "$build/Playground.product/Objects.LinkFileList" > "$work/objects"
swiftc -swift-version 6 -I "$build/Modules" -I "$build" -Xcc -fmodule-map-file="$build/CurlCalls.build/module.modulemap" \
    "$folder/main.swift" @"$work/objects" -o "$work/program"
foundation=$(readelf -d "$work/program" | sed -n 's/.*Shared library: \[\(lib_\{0,1\}Foundation.*\)\]/\1/p')
if [ "$foundation" != libFoundationEssentials.so ]; then
    echo "FAILED: the program links more of Foundation than its essentials:"
    echo "$foundation"
    exit 1
fi
"$work/program" "$work" > "$work/found" || { cat "$work/found"; echo "FAILED: the program stopped"; exit 1; }
diff "$folder/main.expected" "$work/found" || { echo "FAILED: what is expected (<) and what is printed (>)"; exit 1; }
echo "passed: $(wc -l < "$work/found") lines, linked to $foundation"
