#!/usr/bin/env bash
# What Docs/GettingStarted.md says of the REPL: a class that is typed in is mapped, and prints like that.
#
#     Tests/REPL/check.sh
#
# Skipped where the toolchain's REPL does not start; it needs the Python library that it was built with.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
if ! echo 'print("starts")' | swift repl 2>&1 | grep -q 'starts'; then
    echo "skipped: the toolchain's REPL does not start here"
    exit 0
fi
# The page's block: numbered lines are typed, the others are printed.
block=$(sed -n '/^## In the REPL/,/^## /p' Docs/GettingStarted.md | sed -n '/^```text/,/^```/p' | grep -v '^```')
typed=$(printf '%s\n' "$block" | sed -n 's/^ *[0-9]*> //p')
expected=$(printf '%s\n' "$block" | grep -v '^ *[0-9]*> ')
printed=$(printf '%s\n' "$typed" | swift run --repl 2>&1 | sed '1,/^Launching/d' | sed '/^$/d')
if [ "$printed" = "$expected" ]; then
    echo "passed: $(printf '%s\n' "$expected" | wc -l) lines"
else
    diff <(printf '%s\n' "$expected") <(printf '%s\n' "$printed")
    echo "FAILED: what the page says (<) and what the REPL prints (>)"
    exit 1
fi
