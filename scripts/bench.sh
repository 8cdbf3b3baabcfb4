#!/bin/bash
# By hand: what issues ask for as numbers, on this machine. Copy the lines that matter, with their
# date, into docs/measured.md.
set -euo pipefail
cd "$(dirname "$0")/.."
program=.build/debug/standpoint
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SWIFT_BACKTRACE=enable=no

began=$(date +%s%N)
"$program" demo --headless --rate 20 --out "$folder/first" >"$folder/first.txt"
ended=$(date +%s%N)
echo "demo --headless --rate 20 (debug build): $(((ended - began) / 1000000)) ms, limit 120000"

"$program" demo --headless --rate 200 --out "$folder/second" >"$folder/second.txt"
if diff <(tail -n +2 "$folder/first.txt" | sed 's/[0-9]* bytes//') \
  <(tail -n +2 "$folder/second.txt" | sed 's/[0-9]* bytes//') >/dev/null; then
  echo 'two demos with one seed, at rates 20 and 200: the same summary'
else
  echo 'two demos with one seed, at rates 20 and 200: DIFFERENT summaries'
  exit 1
fi

for name in one two; do
  "$program" export all --as kml -o "$folder/$name.kml" --data "$folder/first/data" \
    --agency demonstration --inspector ines
done
cmp "$folder/one.kml" "$folder/two.kml" && echo 'two exports of one data directory: identical'

# A release build of its own, because what a program costs is asked of what people run.
make --no-print-directory release >&2
scripts/bench-receiver.py .build-release/release/standpoint || echo 'a number of the receivers is not met'

release=.build-release/release/standpoint
"$release" measure --similar 1000000
# Two photos of 12 megapixels in one picture: under 1 s and 200 MB.
"$release" measure --composites 10
"$release" measure --sets 20

# Sealing beside its floor (at most 4 times), and verifying beside two openssl (at least 0.25 times).
"$release" measure --count 30
kept=$("$release" measure --count 200 --keep --folder "$folder")
find "$kept" -name '*.jpg' -o -name '*.raw' >"$folder/list"
split -n l/2 "$folder/list" "$folder/half."
seconds() { local began=$EPOCHREALTIME; "$@" >/dev/null || true; awk "BEGIN { print $EPOCHREALTIME - $began }"; }
both() {
  xargs openssl dgst -sha256 <"$folder/half.aa" &
  xargs openssl dgst -sha256 <"$folder/half.ab"
  wait
}
theirs=$(seconds both)
ours=$(seconds "$release" verify "$kept")
awk "BEGIN { printf \"verify, 200 photos of 5 MB: %.2f s, two openssl %.2f s, %.2f times their throughput (at least 0.25)\n\", $ours, $theirs, $theirs / $ours }"

# Previews beside djpeg (at least 0.9 times as fast).
if command -v djpeg >/dev/null; then
  scripts/bench-thumbnails.py --program "$release" || echo 'the number of the previews is not met'
else
  echo 'previews: not compared, there is no djpeg (package libjpeg-turbo-progs)'
fi

# A PDF of 500 photos beside reportlab and Pillow (at least 3 times as fast, under 300 MB).
if python3 -c 'import reportlab, PIL' 2>/dev/null; then
  scripts/bench-pdf.py --program "$release" || echo 'a number of the PDF is not met'
else
  echo 'PDF: not compared, python3 has no reportlab or no Pillow (scripts/bench-pdf.py --python)'
fi

# A delivery beside curl and nginx (at least 0.6 times), and what both sides need of memory (at most 120 MB).
if command -v nginx >/dev/null; then
  scripts/bench-delivery.py "$release" || echo 'a number of the delivery is not met'
else
  echo 'delivery: not compared, there is no nginx (package nginx-light)'
fi

# 500 phones of the predecessor's apps at once: no error, each answer within 2 s of its body, at most 250 MB.
scripts/bench-phones.py "$release" || echo 'a number of the phones is not met'

# An older office's database, dumped by MariaDB itself, carried over: nothing missing, nothing twice.
if [ -x /usr/sbin/mariadbd ]; then
  scripts/bench-older-office.py "$release" || echo 'the older office was not carried over as it should be'
else
  echo 'older office: not measured, there is no MariaDB (package mariadb-server)'
fi

# A register of 100,000 parcels (at most 30 s) into an office that has 1,000,000.
scripts/bench-import.py "$release" --before 1000000 || echo 'the import takes too long'

# The office with a million photos: lists, map, a task's page, 200 people and 20 devices. Making it takes half an hour.
scripts/bench-office.py "$release" || echo 'a number of the office is not met'

# The log of ten million entries: its tree, and proofs.
scripts/bench-log.py "$release" || echo 'a number of the log is not met'

# A thousand photos to and from an object store, beside rclone.
scripts/bench-objects.py "$release" || echo 'a number of the object store is not met'
