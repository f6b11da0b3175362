#!/usr/bin/env bash
# Type-checks the recipe for Vapor against stubs of what it uses of Vapor 4, written from Vapor's documentation.
#
#     Tests/Recipes/check.sh
#
# A passing run is no proof that it works; where Vapor can be fetched, the recipe's own tests are:
# swift test --package-path Docs/Recipes/VaporModels. The modules stay in .build-recipes.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
cd "$folder/../.."
scratch=$PWD/.build-recipes
mkdir -p "$scratch"
swift build --target ModelMirror > "$scratch/build.log" 2>&1 || { grep "error:" "$scratch/build.log"; exit 1; }
modules=$(swift build --show-bin-path)/Modules
options=(-swift-version 6 -package-name recipes -I "$scratch" -I "$modules")
module() {
    swiftc "${options[@]}" -emit-module -emit-module-path "$scratch/$1.swiftmodule" -module-name "$1" "${@:2}"
}
for stub in Vapor VaporTesting; do
    cp "$folder/$stub.stub" "$scratch/$stub.swift"
    module "$stub" -suppress-warnings "$scratch/$stub.swift"
done
recipe=Docs/Recipes/VaporModels
module VaporModels -warnings-as-errors -enable-upcoming-feature InternalImportsByDefault "$recipe"/Sources/VaporModels/*.swift
plugins=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/host/plugins/testing
swiftc "${options[@]}" -warnings-as-errors -typecheck -plugin-path "$plugins" "$recipe"/Tests/VaporModelsTests/*.swift
echo "passed: the recipe for Vapor fits the stubs"
