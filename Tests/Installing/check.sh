#!/usr/bin/env bash
# The lines that install the package resolve: README's, against a clone with the version's tag, and a checkout in a folder of any name.
#
#     Tests/Installing/check.sh
#
# The tag is in a copy of the repository alone, which git is told to use for the address. Nothing is built.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

address=$(sed -n 's/^\.package(url: "\([^"]*\)", from: .*/\1/p' README.md)
version=$(sed -n 's/^\.package(url: .*, from: "\([^"]*\)").*/\1/p' README.md)
checkout=$(sed -n 's/^\(\.package(name: .*)\) .*/\1/p' README.md)
[ -n "$address" ] && [ -n "$version" ] && [ -n "$checkout" ] || { echo "FAILED: README has no lines that install the package"; exit 1; }
grep -q "static let current = \"$version\"" Sources/ModelMirror/Reporting/PackageVersion.swift \
    || { echo "FAILED: README's version is not that of PackageVersion.swift"; exit 1; }
line=".package(url: \"$address\", from: \"$version\")"
grep -qF "$line" Docs/GettingStarted.md || { echo "FAILED: Docs/GettingStarted.md does not install $line"; exit 1; }

# What is committed and what is not, in a folder of another name, with the tag.
mkdir "$work/clone"
git ls-files -z --cached --others --exclude-standard -- Package.swift Sources Playground Tests | tar --null -T - -cf - 2> /dev/null | tar -xf - -C "$work/clone"
git -C "$work/clone" init -q
git -C "$work/clone" add -A
git -C "$work/clone" -c user.name=check -c user.email=check@localhost commit -q -m "The version"
git -C "$work/clone" tag "$version"

# resolves NAME: whether the manifest of GettingStarted with this line in place of its own finds the package's products.
resolves() {
    local folder="$work/$1/App"
    mkdir -p "$folder/Sources/App" "$folder/Sources/Tool" "$folder/Tests/AppTests"
    touch "$folder/Sources/App/App.swift" "$folder/Sources/Tool/main.swift" "$folder/Tests/AppTests/AppTests.swift"
    awk '/^\/\/ swift-tools-version/ { shown = 1 } /^```$/ { shown = 0 } shown' Docs/GettingStarted.md > "$folder/Package.swift"
    [ -z "${2:-}" ] || python3 -c 'import sys; p, a, b = sys.argv[1:]; t = open(p).read(); assert a in t; open(p, "w").write(t.replace(a, b))' \
        "$folder/Package.swift" "$line" "$2"
    swift package --package-path "$folder" --cache-path "$work/cache" --security-path "$work/security" show-dependencies --format flatlist > "$work/found" 2>&1 \
        && ! grep -E "(error|warning):" "$work/found" > /dev/null || { echo "FAILED, $1:"; cat "$work/found"; exit 1; }
}
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$work/clone.insteadOf" GIT_CONFIG_VALUE_0="$address"
resolves address
resolves checkout "${checkout/..\/ModelMirror/$work/clone}"
echo "passed: $version of $address, and a checkout in another folder"
