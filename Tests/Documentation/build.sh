#!/usr/bin/env bash
# The documentation as a static site: the public comments of every library, and the pages of Docs, in one archive.
#
#     Tests/Documentation/build.sh [BASE]
#     python3 -m http.server --bind 127.0.0.1 --directory .build-documentation/site 8000
#
# BASE is the path that the site is hosted below, such as `modelmirror`; without one it is the root of its host. A warning of docc is
# an error: a link that leads nowhere, a parameter that a function does not have. So is a public symbol without a comment.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$folder/../.." && pwd)
base=${1:-}
scratch="$root/.build-documentation"
rm -rf "$scratch"
mkdir -p "$scratch/Guides.docc"
cd "$root"

libraries=$(sed -n 's/.*\.library(name: "\([A-Za-z]*\)".*/\1/p' Package.swift)
"$folder/graphs.sh" "$scratch"

status=0
python3 "$folder/catalog.py" "$scratch/graphs" "$scratch/Guides.docc" $libraries || status=1

docc=$(command -v docc || xcrun --find docc)
"$docc" convert "$scratch/Guides.docc" --additional-symbol-graph-dir "$scratch/graphs" --output-dir "$scratch/site" \
    --fallback-display-name Guides --fallback-bundle-identifier modelmirror --fallback-default-module-kind Library \
    --transform-for-static-hosting ${base:+--hosting-base-path "$base"} --warnings-as-errors > "$scratch/log" 2>&1 || {
    cat "$scratch/log"
    status=1
}
[ "$status" = 0 ] || exit 1
# docc leaves the root of a site without a page.
start="${base:+/$base}/documentation/guides/"
printf '<!DOCTYPE html><meta charset="utf-8"><title>ModelMirror</title><meta http-equiv="refresh" content="0; url=%s">\n' "$start" \
    > "$scratch/site/index.html"
echo "the site: $scratch/site, from ${start}"
