#!/usr/bin/env bash
# Every Swift snippet of README.md and Docs/*.md compiles, and prints what the page says.
#
#     Tests/Snippets/check.sh
#
# The snippets of a page, in their order, are one program. Lines that begin with "// " in the first column are what it prints;
# other comments stand behind code or are indented. A snippet below the line `<!-- fragment -->` is not compiled. Code that a
# page needs but does not show (a server to talk to) stands beside this script in <page>.swift. Builds stay in .build-snippets.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$folder/../.." && pwd)
scratch="$root/.build-snippets"
rm -rf "$scratch/Sources"
mkdir -p "$scratch/Sources"

# Code of a page: the blocks between ```swift and ```.
code() {
    awk '
        /^<!-- fragment -->$/ { fragment = 1; next }
        /^```/ && inside { inside = 0; shown = 0; fragment = 0; next }
        /^```/ { inside = 1; shown = $0 == "```swift" && !fragment; next }
        shown
    ' "$1"
}

pages=()
targets=""
for page in "$root"/README.md "$root"/Docs/*.md; do
    name=$(basename "$page" .md)
    [ "$name" = CompileErrors ] && continue  # snippets that do not compile: Tests/CompileErrors/check.sh
    code "$page" > "$scratch/code"
    [ -s "$scratch/code" ] || continue
    mkdir -p "$scratch/Sources/$name"
    mv "$scratch/code" "$scratch/Sources/$name/main.swift"
    grep '^// ' "$scratch/Sources/$name/main.swift" | sed 's|^// ||' > "$scratch/$name.expected" || true
    [ -f "$folder/$name.swift" ] && cp "$folder/$name.swift" "$scratch/Sources/$name/Unshown.swift"
    pages+=("$name")
    targets+="        .executableTarget(name: \"$name\", dependencies: products),
"
done
cat > "$scratch/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let products: [Target.Dependency] = ["ModelMirror", "ModelMirrorNetworking", "ModelMirrorTesting"].map {
    .product(name: \$0, package: "ModelMirror")
}
let package = Package(
    name: "Snippets", platforms: [.macOS(.v15)], dependencies: [.package(name: "ModelMirror", path: "$root")],
    targets: [
$targets    ])
END

swift build --package-path "$scratch" -Xswiftc -warnings-as-errors > "$scratch/build.log" 2>&1 || {
    grep -E "error:|warning:" "$scratch/build.log" | sort -u | head -20
    echo "FAILED: a snippet does not compile; see $scratch/build.log"
    exit 1
}
failed=0
for name in "${pages[@]}"; do
    if ! "$scratch/.build/debug/$name" > "$scratch/$name.found" 2>&1; then
        echo "FAILED $name: the program stopped: $(tail -1 "$scratch/$name.found")"
        failed=1
    elif ! diff "$scratch/$name.expected" "$scratch/$name.found" > "$scratch/$name.diff"; then
        echo "FAILED $name: what the page says (<) and what is printed (>):"
        cat "$scratch/$name.diff"
        failed=1
    else
        echo "passed $name: $(wc -l < "$scratch/$name.expected") lines"
    fi
done
exit $failed
