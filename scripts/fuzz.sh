#!/bin/bash
# By hand: hostile bytes for the stream decoder, the epoch assembler, and what reads photos and records.
#   scripts/fuzz.sh [RUNS]     10,000,000 executions of each by default
# It begins with the corpus in Fuzz/corpus-*.tar.gz and packs it anew with what it has found; an input
# that breaks something is left in out/fuzz.
set -euo pipefail
cd "$(dirname "$0")/../Fuzz"
runs=${1:-10000000}
export SWIFT_BACKTRACE=enable=no
found=../out/fuzz
mkdir -p "$found"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in stream epochs photo record; do
  swift build -c release --sanitize fuzzer --product "fuzz-$target" >&2
  limits=(-max_len=384 -dict=dictionary)
  case $target in
    epochs) limits=(-max_len=128) ;;
    photo) limits=(-max_len=16384) ;;
    record) limits=(-max_len=8192) ;;
  esac
  mkdir -p "$work/new/$target" "$work/kept/$target"
  mkdir -p "$work/$target"
  # What reads photos and records begins with its seeds alone.
  if [[ -f corpus-$target.tar.gz ]]; then tar -xzf "corpus-$target.tar.gz" -C "$work"; fi
  echo "$target: $runs executions"
  ".build/release/fuzz-$target" "${limits[@]}" -seed="$RANDOM" -runs="$runs" -timeout=5 \
    -rss_limit_mb=2000 -artifact_prefix="$found/$target-" -print_final_stats=1 \
    "$work/new/$target" "$work/$target" "seeds/$target" >"$work/log" 2>&1 || {
    grep -a -E 'Fatal|Precondition|ERROR|SUMMARY|written' "$work/log" >&2 || tail -5 "$work/log" >&2
    exit 1
  }
  grep -a -E 'DONE|stat::(number|average|peak)' "$work/log"
  ".build/release/fuzz-$target" -set_cover_merge=1 "${limits[@]}" "$work/kept/$target" \
    "$work/$target" "$work/new/$target" "seeds/$target" >"$work/log" 2>&1 || {
    tail -5 "$work/log" >&2
    exit 1
  }
  if [[ ! -f corpus-$target.tar.gz ]]; then continue; fi
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work/kept" -cf - "$target" |
    gzip -9n >"corpus-$target.tar.gz"
done
