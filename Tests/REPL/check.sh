#!/usr/bin/env bash
# What Docs/Tools.md says of the REPL: the lines that are typed there print what stands below them.
#
#     Tests/REPL/check.sh
#
# Skipped where the REPL does not start: it needs the Python library that the toolchain was built with.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
if ! reason=$(Playground/repl.sh --check 2>&1); then
    [[ "$reason" == "The REPL needs "* ]] && { echo "skipped: $reason"; exit 0; }
    echo "FAILED: $reason"
    exit 1
fi

# check NAME: compares a page's block, read from standard input; numbered lines are typed, the others are printed.
check() {
    local block typed expected printed
    block=$(sed -n '/^```text/,/^```/p' | grep -v '^```')
    typed=$(printf '%s\n' "$block" | sed -n 's/^ *[0-9]*> //p')
    expected=$(printf '%s\n' "$block" | grep -v '^ *[0-9]*> ')
    printed=$(printf '%s\n' "$typed" | Playground/repl.sh 2>&1 | sed '1,/^Launching/d' | tr -d '\r' | sed -E '/^$/d; s/0x[0-9a-f]{8,}/0x…/g')
    if [ -n "$expected" ] && [ "$printed" = "$expected" ]; then
        echo "passed $1: $(printf '%s\n' "$expected" | wc -l) lines"
    else
        diff <(printf '%s\n' "$expected") <(printf '%s\n' "$printed")
        echo "FAILED $1: what the page says (<) and what the REPL prints (>)"
        return 1
    fi
}

status=0
check REPL < <(sed -n '/^## In the REPL/,$p' Docs/Tools.md) || status=1
exit $status
