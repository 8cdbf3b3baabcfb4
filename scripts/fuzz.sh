#!/bin/bash
# By hand: hostile bytes for the stream decoder and the epoch assembler, with libFuzzer.
#   scripts/fuzz.sh [RUNS]     10,000,000 executions of each by default
# What is found new is merged into Fuzz/corpus; an input that breaks something is left in out/fuzz.
set -euo pipefail
cd "$(dirname "$0")/../Fuzz"
runs=${1:-10000000}
export SWIFT_BACKTRACE=enable=no
found=../out/fuzz
mkdir -p "$found"
for target in stream epochs; do
  swift build -c release --sanitize fuzzer --product "fuzz-$target" >&2
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  limits=(-max_len=384 -dict=dictionary)
  [[ $target == epochs ]] && limits=(-max_len=128)
  mkdir -p "corpus/$target"
  ".build/release/fuzz-$target" "${limits[@]}" -seed=1 -runs="$runs" -timeout=5 -rss_limit_mb=2000 \
    -artifact_prefix="$found/$target-" -print_final_stats=1 "$work" "corpus/$target" "seeds/$target" \
    2>&1 | grep -a -E 'DONE|ERROR|SUMMARY|stat::(number|average|peak)' || exit 1
  ".build/release/fuzz-$target" -merge=1 -max_len=128 "corpus/$target" "$work" >/dev/null 2>&1
  rm -rf "$work"
done
