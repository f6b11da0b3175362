#!/usr/bin/env bash
# Opens reports in headless Chromium, light and dark, wide and narrow: it must run the page's script, and have nothing to say on its console, as
# about what the page's policy refuses.
#
#     Tests/Exploring/page.sh [--picture]
#
# --picture only draws Docs/Images/report.png.
set -euo pipefail
cd "$(dirname "$0")/../.."

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "skipped: there is no Chromium"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "${1:-}" = --picture ]; then
    python3 -c 'import json, random
draw = random.Random(1)
for _ in range(400): print(json.dumps({"state": draw.choice(["open", "open", "closed"]), "price": round(draw.gauss(40, 12), 2)}))
' > "$work/orders.ndjson"
    project=$PWD
    (cd "$work" && swift run --package-path "$project" Playground report orders.ndjson --html page.html)
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --window-size=760,1680 \
        --screenshot="$PWD/Docs/Images/report.png" "file://$work/page.html" 2> /dev/null
    exit
fi
cat > "$work/hostile.json" << 'JSON'
[{"</script><script>alert(1)</script>": "<img src=x onerror=alert(1)>", "n": 1}, {"\"'&<": "]]>--><!--", "n": 7.5}, {"n": -3}]
JSON
# check NAME ARGUMENT…: the report of the arguments.
check() {
    local name=$1
    shift
    # The exit code is 1 if there are findings.
    swift run Playground report "$@" --html "$work/page.html" > "$work/output" 2>&1 || [ $? = 1 ] && grep -q '^Wrote a report' "$work/output" ||
        { cat "$work/output"; exit 1; }
    for theme in light dark; do
        for width in 1200 380; do
            "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr \
                --window-size="$width,900" --blink-settings=preferredColorScheme=$([ $theme = dark ] && echo 0 || echo 1) \
                --dump-dom "file://$work/page.html" > "$work/dom" 2> "$work/log"
            # The script shows the buttons that need it.
            if ! grep -q '<button type="button" id="copy">' "$work/dom" || grep CONSOLE "$work/log"; then
                echo "FAILED: $name, $theme, $width pixels"
                exit 1
            fi
        done
    done
    echo "passed: $name"
}
check "hostile texts" "$work/hostile.json"
check "hostile findings and changes" "$work/hostile.json" --against User --drift Playground/Resources/gists.json
check gists.json Playground/Resources/gists.json
check broken-gists.json Playground/Resources/broken-gists.json --against Gist --drift Playground/Resources/gists.json
