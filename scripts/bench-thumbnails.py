#!/usr/bin/env python3
"""Previews beside `djpeg -scale 1/8` on the same drawn pictures of 12 megapixels, in turn.

djpeg (Debian's libjpeg-turbo-progs) only decodes; ours also encodes what it has decoded. djpeg is a
process of its own for each picture: what it takes to decode a picture of 8 by 8 pixels is told beside,
and taken off. Each picture is tried several times by either, and its fastest time counts.
Exit 1 where ours is less than 0.9 times as fast.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST = 0.9


def milliseconds(words):
    began = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(ROOT / ".build-release/release/standpoint"))
    parser.add_argument("--pictures", type=int, default=10)
    parser.add_argument("--tries", type=int, default=5)
    given = parser.parse_args()
    if not shutil.which("djpeg") or not shutil.which("cjpeg"):
        sys.exit("djpeg and cjpeg are not installed: apt install libjpeg-turbo-progs")
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(
            [given.program, "measure", "--thumbnails", str(given.pictures), "--folder", folder,
             "--keep", "--format", "json"], check=True, stdout=subprocess.PIPE, text=True).stdout
        ours = json.loads(said)
        pictures = sorted(pathlib.Path(ours["folder"]).glob("picture-*.jpg"))
        small = pathlib.Path(folder) / "small.ppm"
        small.write_bytes(b"P6 8 8 255\n" + bytes(192))
        tiny = pathlib.Path(folder) / "small.jpg"
        with open(tiny, "wb") as file:
            subprocess.run(["cjpeg", str(small)], check=True, stdout=file)
        start = min(milliseconds(["djpeg", "-scale", "1/8", str(tiny)]) for _ in range(20))
        whole = statistics.median(
            min(milliseconds(["djpeg", "-scale", "1/8", str(picture)]) for _ in range(given.tries))
            for picture in pictures)
    theirs = whole - start
    ratio = theirs / ours["milliseconds"]
    print(json.dumps({
        "pictures": ours["pictures"], "bytes": ours["bytes"],
        "standpointMilliseconds": ours["milliseconds"], "djpegMilliseconds": round(theirs, 3),
        "djpegStartMilliseconds": round(start, 3), "timesAsFast": round(ratio, 3)}))
    return 0 if ratio >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
