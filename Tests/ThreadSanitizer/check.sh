#!/usr/bin/env bash
# Runs the whole suite under the thread sanitizer, in a copy of the package where each module's Mutex is one that the sanitizer
# sees (Mutex.swift.in). Arguments are handed on to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

copy=$PWD/.build-thread/copy
# Anew, without files that the package no longer has.
rm -rf "$copy"
mkdir -p "$copy"
# Times of files are kept, so that a second run builds only what changed.
git ls-files -z --cached --others --exclude-standard --deduplicate |
    while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\0' "$file"; fi; done |
    tar --create --null --files-from=- | tar --extract --directory="$copy"

for target in "$copy"/Sources/* "$copy"/Tests/*; do
    if grep --quiet --recursive --word-regexp --include='*.swift' Mutex "$target"; then
        cp --preserve Tests/ThreadSanitizer/Mutex.swift.in "$target/Mutex.swift"
    fi
done

export TSAN_OPTIONS="suppressions=$PWD/Tests/thread-sanitizer.txt"
swift test --package-path "$copy" --scratch-path .build-thread/build --sanitize=thread --traits FoundationNetworking "$@"
