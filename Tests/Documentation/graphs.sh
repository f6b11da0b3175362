#!/usr/bin/env bash
# The symbol graphs of the libraries: their public names with comments, as JSON.
#
#     Tests/Documentation/graphs.sh FOLDER
#
# Made in FOLDER/graphs, from the interfaces alone: function bodies are skipped, so this takes seconds where a build takes minutes. With
# the trait, whose transport is public, too.
set -eu
cd "$(dirname "$0")/../.."
out=$1
mkdir -p "$out/modules" "$out/graphs"
printf 'module CurlCalls { umbrella "%s"\nexport * }\n' "$PWD/Sources/CurlCalls/include" > "$out/modules/module.modulemap"
# Makes the module of a target, with further options.
compile() {
    local target=$1
    shift
    find "Sources/$target" -name '*.swift' | sort > "$out/files"
    swiftc -emit-module -wmo -parse-as-library -swift-version 6 -package-name modelmirror -module-name "$target" \
        -enable-upcoming-feature InternalImportsByDefault -D FoundationNetworking \
        -Xfrontend -experimental-skip-non-inlinable-function-bodies -I "$out/modules" \
        "$@" -o "$out/modules/$target.swiftmodule" @"$out/files"
}

compile ModelMirrorFoundation
for library in $(sed -n 's/.*\.library(name: "\([A-Za-z]*\)".*/\1/p' Package.swift); do
    compile "$library" -emit-symbol-graph -emit-symbol-graph-dir "$out/graphs" -emit-extension-block-symbols \
        -symbol-graph-minimum-access-level public
done
