#!/usr/bin/env bash
# Maps and updates a class of every kind of storage, with canaries between its properties, with valid and invalid values, and checks
# that no canary changes: unoptimized, with -O, with -Osize, in a static program, and with resilient modules.
#
#     Tests/Canaries/check.sh [VARIANT…]
#
# Each variant compiles the library anew: about a minute and a half. The programs stay in .build-canaries.
set -euo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$folder/../.." && pwd)
scratch=$root/.build-canaries
mkdir -p "$scratch"
cd "$root"
common=(-swift-version 6 -parse-as-library -package-name modelmirror -enable-upcoming-feature InternalImportsByDefault -wmo -suppress-warnings)
declare -A flags=(
    [debug]="-Onone" [optimised]="-O" [small]="-Osize" [static]="-O -static-stdlib" [resilient]="-O -enable-library-evolution"
)
for variant in ${*:-debug optimised small static resilient}; do
    out=$scratch/$variant
    mkdir -p "$out"
    read -r -a options <<< "${flags[$variant]}"
    for library in ModelMirrorFoundation ModelMirror; do
        swiftc "${common[@]}" "${options[@]}" -I "$out" -module-name $library -emit-module \
            -emit-module-path "$out/$library.swiftmodule" -c $(find Sources/$library -name '*.swift') -o "$out/$library.o"
    done
    swiftc "${common[@]}" "${options[@]}" -I "$out" -module-name CanaryModels -emit-module \
        -emit-module-path "$out/CanaryModels.swiftmodule" -c "$folder/Storage.swift" -o "$out/CanaryModels.o"
    read -r -a options <<< "${flags[$variant]/-enable-library-evolution/}"
    swiftc -swift-version 6 "${options[@]}" -I "$out" "$folder/main.swift" "$out"/*.o -o "$out/canaries"
    printf '%s: ' "$variant"
    "$out/canaries"
done
