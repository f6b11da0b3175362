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
for target in $targets; do
    mkdir -p "$folder/corpus/$target" "$folder/found"
    # Leaks are not detected, since Swift's metadata is never freed.
    ASAN_OPTIONS=detect_leaks=0 "$program" "$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -dict="$folder/seeds/$target.dict" -artifact_prefix="$folder/found/$target-" \
        "$folder/corpus/$target" "$folder/seeds/$target" > "$folder/$target.log" 2>&1 \
        || { tail -30 "$folder/$target.log"; echo "FAILED: $target"; exit 1; }
    echo "$target: $(grep -oE 'number_of_executed_units: *[0-9]+' "$folder/$target.log" | grep -oE '[0-9]+') inputs in $seconds s, no rule was broken"
done
