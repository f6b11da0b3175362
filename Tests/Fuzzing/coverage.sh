#!/usr/bin/env bash
# Runs libFuzzer on every target under the address sanitizer, for SECONDS each (60 by default).
#
#     Tests/Fuzzing/coverage.sh [SECONDS [TARGET…]]
#
# The corpus is kept between runs in .build-coverage/corpus. Inputs that break a rule are printed; put them into
# Tests/Fuzzing/Regressions/TARGET-NAME, where Fuzzing tries them first. libFuzzer is part of the Swift toolchain.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
shift || true
folder=.build-coverage
# libFuzzer without its own `main`, which swiftc's -sanitize=fuzzer would link.
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
library=$(ls "$resources"/clang/lib/linux/libclang_rt.fuzzer_no_main-"$(uname -m)".a)
swift build -c release --product Fuzzing --traits FoundationNetworking --scratch-path "$folder" --sanitize=address \
    -Xswiftc -sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp -Xswiftc -DLIBFUZZER \
    -Xlinker "$library" -Xlinker -lstdc++ | tail -1
program="$folder/release/Fuzzing"
"$program" corpus "$folder/seeds"
targets=${*:-$(cd "$folder/seeds" && ls -d */ | tr -d /)}
fuzz() {
    mkdir -p "$folder/corpus/$1" "$folder/found"
    # Leaks are not detected, since Swift's metadata is never freed.
    ASAN_OPTIONS=detect_leaks=0 "$program" "$1" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -dict="$folder/seeds/$1.dict" -artifact_prefix="$folder/found/$1-" \
        "$folder/corpus/$1" "$folder/seeds/$1" > "$folder/$1.log" 2>&1 \
        || { tail -30 "$folder/$1.log"; echo "FAILED: $1"; return 1; }
    echo "$1: $(grep -oE 'number_of_executed_units: *[0-9]+' "$folder/$1.log" | grep -oE '[0-9]+') inputs in $seconds s, no rule was broken"
}
export -f fuzz
export folder program seconds
# One on each processor. A target that fails does not keep the others from running.
printf '%s\n' $targets | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I TARGET bash -c 'fuzz TARGET'
