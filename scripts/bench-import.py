#!/usr/bin/env python3
"""How long the office takes for a register of parcels: a GeoJSON file of 100,000 of them with 6 to 60
corners, some with holes, some in several parts, into an office that has others already; and the same
file again, of which nothing is new. By hand: scripts/bench-import.py PROGRAM [--parcels N] [--before N]
[--into DIR]: --into imports into a copy of an office's data that is there already, such as the one of
`office seed --parcels 1000000`, whose agency is then `seed`.

The first import must end within 30 s. Memory is the command's peak.
"""
import argparse
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

LIMIT_SECONDS = 30
AGENCY = "north"
SEEDED = "seed"


def ring(random, west, south, size, corners):
    """A star round the middle of a cell: never crosses itself."""
    points = []
    for corner in range(corners):
        angle = 2 * math.pi * corner / corners
        reach = size * random.uniform(0.3, 0.48)
        points.append([round(west + size / 2 + reach * math.cos(angle), 7),
                       round(south + size / 2 + reach * math.sin(angle), 7)])
    return points + points[:1]


def feature(random, number):
    size = 0.002
    west, south = 12 + number % 1000 * size, 45 + number // 1000 * size
    outline = ring(random, west, south, size, random.randint(6, 60))
    polygons = [[outline]]
    if number % 10 == 0:
        polygons[0].append(ring(random, west + size * 0.45, south + size * 0.45, size * 0.1, 8))
    if number % 25 == 0:
        polygons.append([ring(random, west + size * 0.96, south, size * 0.04, 6)])
    many = len(polygons) > 1
    return {
        "type": "Feature", "id": f"CZ-{number:08}",
        "properties": {"area": 1.5, "crop:name": random.choice(["rye", "oats", "clover", "maize"])},
        "geometry": {"type": "MultiPolygon" if many else "Polygon",
                     "coordinates": polygons if many else polygons[0]}}


def write(path, numbers):
    source = random.Random(numbers.start)
    with open(path, "w") as file:
        file.write('{"type":"FeatureCollection","features":[\n')
        for number in numbers:
            file.write(("" if number == numbers.start else ",\n")
                       + json.dumps(feature(source, number), separators=(",", ":")))
        file.write("\n]}\n")


def take(program, data, path, agency):
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [program, "office", "parcel", "import", str(path), "--agency", agency, "--data", str(data),
             "--format", "json"], stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        if status:
            sys.exit(f"the import of {path.name} failed")
        output.seek(0)
        return seconds, usage.ru_maxrss / 1000, json.loads(output.read())


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("program")
    arguments.add_argument("--parcels", type=int, default=100_000)
    arguments.add_argument("--before", type=int, default=0, help="parcels that are there already")
    arguments.add_argument("--into", type=pathlib.Path, help="a data folder that office seed has made")
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        data = folder / "data"
        agency = AGENCY
        if asked.into:
            # A copy: the original stays what it is for the next time. Photos' files are not needed.
            agency = SEEDED
            shutil.copytree(asked.into, data, ignore=shutil.ignore_patterns("photos", "tracks"))
        else:
            subprocess.run([asked.program, "office", "agency", "add", AGENCY, "--data", data],
                           check=True, stdout=subprocess.DEVNULL)
        if asked.before:
            write(folder / "before.geojson", range(10_000_000, 10_000_000 + asked.before))
            seconds, memory, _ = take(asked.program, data, folder / "before.geojson", agency)
            print(f"import, {asked.before} parcels before: {seconds:.1f} s, {memory:.0f} MB")
        path = folder / "parcels.geojson"
        write(path, range(asked.parcels))
        size = path.stat().st_size / 1e6
        seconds, memory, report = take(asked.program, data, path, agency)
        assert report["new"] == asked.parcels, report
        print(f"import, {asked.parcels} parcels, {size:.0f} MB: {seconds:.1f} s (at most"
              f" {LIMIT_SECONDS}), {memory:.0f} MB of memory")
        again, memory, report = take(asked.program, data, path, agency)
        assert report["unchanged"] == asked.parcels, report
        print(f"import, the same file again: {again:.1f} s, {memory:.0f} MB of memory")
        sys.exit(0 if seconds <= LIMIT_SECONDS else 1)


main()
