#!/bin/bash
# By hand, called by `make bench`: how fast positioning is, beside programs that are installed, on the
# same input in the same run. Machines are noisy: the ratios count. Exit 1 when a number is not met.
set -euo pipefail
cd "$(dirname "$0")/../Benchmarks"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SWIFT_BACKTRACE=enable=no
failed=0

swift build -c release --product figures >&2
figures=.build/release/figures

# Seconds that a command takes, best of so many runs: short ones are disturbed more.
seconds() {
  local best= runs=$1
  shift
  for ((run = 0; run < runs; run++)); do
    local began ended taken
    began=$(date +%s%N)
    "$@" >/dev/null 2>"$folder/errors" || { cat "$folder/errors" >&2; exit 1; }
    ended=$(date +%s%N)
    taken=$((ended - began))
    if [[ -z $best ]] || ((taken < best)); then best=$taken; fi
  done
  awk "BEGIN { printf \"%.3f\", $best / 1e9 }"
}

# compare NAME FILE: decoding it by us and by those who are here.
compare() {
  local bytes ours theirs
  bytes=$(stat -c %s "$2")
  ours=$(seconds 7 "$figures" decode "$2")
  awk "BEGIN { printf \"decode %s, %d MB: %.2f s, %d MB/s (at least 150)\n\", \"$1\", $bytes / 1e6, $ours, $bytes / 1e6 / $ours }"
  awk "BEGIN { exit !($bytes / 1e6 / $ours >= 150) }" || failed=1
  if command -v gpsbabel >/dev/null; then
    theirs=$(seconds 2 gpsbabel -t -i nmea -f "$2" -o gpx -F "$folder/out.gpx")
    awk "BEGIN { printf \"  gpsbabel: %.2f s, %.0f times ours (at least 30)\n\", $theirs, $theirs / $ours }"
    awk "BEGIN { exit !($theirs / $ours >= 30) }" || failed=1
  else
    echo '  gpsbabel is not installed: not compared'
  fi
  if command -v gpsdecode >/dev/null; then
    head -c 20000000 "$2" >"$folder/part.nmea"
    ours=$(seconds 7 "$figures" decode "$folder/part.nmea")
    theirs=$(seconds 2 bash -c 'gpsdecode <"$1"' _ "$folder/part.nmea")
    awk "BEGIN { printf \"  gpsdecode, the first 20 MB: %.2f s, %.0f times ours\n\", $theirs, $theirs / $ours }"
  fi
}

"$figures" write-log "$folder/all.nmea" --bytes 200000000
compare 'RMC GGA GSA GST, GSV each fifth second' "$folder/all.nmea"
if [[ -x /usr/bin/time ]]; then
  memory=$(for size in 20000000 200000000; do
    head -c $size "$folder/all.nmea" >"$folder/size.nmea"
    /usr/bin/time -f %M "$figures" decode "$folder/size.nmea" 2>&1 >/dev/null | tail -1
  done | xargs)
  echo "memory at the most, for 20 and for 200 MB: $memory kB"
else
  echo 'time (package time) is not installed: memory not measured'
fi
rm -f "$folder/size.nmea"
rm "$folder/all.nmea"
"$figures" write-log "$folder/plain.nmea" --plain --bytes 100000000
compare 'RMC and GGA alone' "$folder/plain.nmea"

echo
"$figures" layers
if command -v valgrind >/dev/null; then
  counts=$(for count in 10000 20000; do
    valgrind "$figures" allocations $count 2>&1 | sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p'
  done | xargs)
  echo "allocations with 10,000 and with 20,000 fixes through gate and sampler: $counts"
  [[ $counts =~ ^([0-9,]+)\ ([0-9,]+)$ && ${BASH_REMATCH[1]} == "${BASH_REMATCH[2]}" ]] || failed=1
else
  echo 'valgrind is not installed: allocations not counted'
fi
echo
mkdir "$folder/now"
swift package --allow-writing-to-directory "$folder/now" benchmark --no-progress \
  --format metricP90AbsoluteThresholds --path "$folder/now" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
echo 'slower (or faster) than the stored results of Benchmarks/results, nine of ten runs, wall clock:'
python3 - "$folder/now" results <<'END'
import json, pathlib, sys
now, stored = (pathlib.Path(one) for one in sys.argv[1:])
for path in sorted(now.glob("*.json")):
    before = stored / path.name
    here = json.loads(path.read_text())["wallClock"]
    name = path.name.split(".")[1].replace("_", " ")
    ratio = f"{here / json.loads(before.read_text())['wallClock']:.2f} times" if before.exists() else "new"
    print(f"  {name}: {here / 1e6:.3f} ms, {ratio}")
END

exit $failed
