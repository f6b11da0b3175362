#!/usr/bin/env bash
# libFuzzer on every target, under the address sanitizer: SECONDS for each (60 unless told).
#
#     Tests/Fuzzing/coverage.sh [SECONDS [TARGET…]]
#
# What it found is kept from run to run in .build-coverage/corpus. Bytes that break a rule are printed; put them into
# Tests/Fuzzing/Regressions/TARGET-NAME, where Fuzzing tries them first. Debian's libFuzzer comes with the Swift toolchain.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
shift || true
folder=.build-coverage
swift build -c release --product Fuzzing --scratch-path "$folder" --sanitize=address \
    -Xswiftc -sanitize=fuzzer -Xswiftc -DLIBFUZZER -Xlinker -lstdc++ | tail -1
swift run -c release Fuzzing corpus "$folder/seeds" > /dev/null
program="$folder/release/Fuzzing"
targets=${*:-$(cd "$folder/seeds" && ls -d */ | tr -d /)}
for target in $targets; do
    mkdir -p "$folder/corpus/$target" "$folder/found"
    # Leaks are not looked for: Swift's metadata is allocated for good.
    ASAN_OPTIONS=detect_leaks=0 "$program" "$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -dict="$folder/seeds/$target.dict" -artifact_prefix="$folder/found/$target-" \
        "$folder/corpus/$target" "$folder/seeds/$target" > "$folder/$target.log" 2>&1 \
        || { tail -30 "$folder/$target.log"; echo "FAILED: $target"; exit 1; }
    echo "$target: $(grep -oE 'number_of_executed_units: *[0-9]+' "$folder/$target.log" | grep -oE '[0-9]+') inputs in $seconds s, no rule was broken"
done
