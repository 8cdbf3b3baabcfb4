#!/usr/bin/env python3
"""How long exports take, on both sides: a field unit's database with a million track points, and an office that holds
as many in sealed files, written as KML, GPX and GeoJSON with a feature for each point, and as a GeoPackage with its
index; and ogr2ogr writing the same from that GeoPackage. At the office a CSV of the tracks, too, which reads no point.
By hand: scripts/bench-exports.py PROGRAM [--points N] [--runs N] [--side field|office]. PROGRAM is a release build.

Text must come at least 5 times as fast as ogr2ogr's, the GeoPackage 1.3 times, each below 64 MB of memory.
Each is the best of the runs; both sides write to the same disk. ogr2ogr gets the table's columns as they are; GPX,
which has no place for them, as extensions. Memory is the command's peak.
"""
import argparse
import math
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

POINTS_IN_TRACK = 1800
LIMIT_MB = 64
RATIOS = {"kml": 5, "gpx": 5, "geojson": 5, "gpkg": 1.3}
DRIVERS = {"kml": ["-f", "KML"],
           "gpx": ["-f", "GPX", "-dsco", "GPX_USE_EXTENSIONS=YES", "-nlt", "POINT"],
           "geojson": ["-f", "GeoJSON"], "gpkg": ["-f", "GPKG"]}


def run(command):
    """Seconds and the most memory, MB."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(map(str, command))}: {errors.decode(errors='replace')[-800:]}")
    return time.monotonic() - began, usage.ru_maxrss / 1000


def fill(database, agency, login, count):
    """Tracks as the field unit keeps them, half an hour each; put in by SQL, since nobody walks for a fortnight."""
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for number in range(math.ceil(count / POINTS_IN_TRACK)):
            points = min(POINTS_IN_TRACK, count - number * POINTS_IN_TRACK)
            track = f"019e8284-0000-7000-8000-{number:012x}"
            started = 1_780_302_600_000 + number * 2_000_000
            connection.execute(
                "INSERT INTO track (id, agency, inspector, task, name, started, simulated, ended, bytes)"
                " VALUES (?, ?, ?, NULL, ?, ?, 1, ?, 1)",
                (track, agency, login, f"Made-up walk {number + 1}", started, started + points * 1000))
            rows = []
            for index in range(points):
                moment = started + index * 1000
                rows.append((
                    track, index + 1, agency, login, "recorded", moment % 86_400_000, moment // 86_400_000,
                    49 + number % 100 * 0.01 + index * 1e-5 + 1.23e-7,
                    16 + number // 100 * 0.1 + math.sin(index / 100) * 1e-3, 276.123 + index * 1e-3,
                    231.523 + index * 1e-3, 1.76, None))
            connection.executemany(
                "INSERT INTO track_point (track, number, agency, inspector, kind, time_of_day, day, latitude,"
                " longitude, ellipsoidal_height, mean_sea_level_height, uncertainty_95, gap_before)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def field(program, folder, points):
    """The command that exports a field unit's data, which are made for it."""
    data = folder / "field"
    own = ["--data", str(data), "--agency", "bench", "--inspector", "bench"]
    # Makes the database.
    subprocess.run([program, "track", "list", *own], check=True, stdout=subprocess.DEVNULL)
    fill(data / "field" / "standpoint.sqlite", "bench", "bench", points)
    return own


def office(program, folder, points):
    """The same of an office's."""
    data = folder / "office"
    subprocess.run([program, "office", "seed", "--photos", "1", "--tasks", "1", "--track-points", str(points),
                    "--password-stdin", "--data", str(data)], input="a password of the bench", text=True, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return ["--office", "--data", str(data), "--agency", "seed"]


def measure(side, program, folder, own, runs):
    """Whether everything was quick and small enough."""
    package = folder / f"{side}.gpkg"
    failed = False
    for name, ratio in (("gpkg", RATIOS["gpkg"]), *((n, r) for n, r in RATIOS.items() if n != "gpkg")):
        target, theirs = folder / f"{side}.{name}", folder / f"theirs.{name}"
        best, other, memory = math.inf, math.inf, 0
        for _ in range(runs):
            seconds, used = run([program, "export", "all", "--as", name, "--points", "-o", str(target), *own])
            best, memory = min(best, seconds), max(memory, used)
            theirs.unlink(missing_ok=True)
            seconds, _ = run(["ogr2ogr", *DRIVERS[name], str(theirs), str(package), "track_points",
                              *(["-nln", "waypoints"] if name == "gpx" else [])])
            other = min(other, seconds)
        good = other / best >= ratio and memory < LIMIT_MB
        failed |= not good
        print(f"{side:6} {name:8} {best:6.2f} s {memory:6.1f} MB   ogr2ogr {other:6.2f} s   {other / best:5.1f} times"
              f" (at least {ratio}) {'ok' if good else 'TOO SLOW OR TOO LARGE'}", flush=True)
        theirs.unlink(missing_ok=True)
        if name != "gpkg":
            target.unlink(missing_ok=True)
    if side == "office":
        seconds, used = run([program, "export", "all", "--as", "csv", "--rows", "tracks", "-o",
                             str(folder / "tracks.csv"), *own])
        print(f"{side:6} {'csv':8} {seconds:6.2f} s {used:6.1f} MB   a line for each track", flush=True)
    package.unlink()
    return not failed


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("program")
    arguments.add_argument("--points", type=int, default=1_000_000)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--side", choices=["field", "office"], help="one side alone")
    given = arguments.parse_args()
    if not shutil.which("ogr2ogr"):
        sys.exit("ogr2ogr (package gdal-bin) is not installed: there is nothing to compare with")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="standpoint-bench-"))
    try:
        print(f"{given.points} points", flush=True)
        good = True
        for side, make in (("field", field), ("office", office)):
            if given.side in (None, side):
                good &= measure(side, given.program, folder, make(given.program, folder, given.points), given.runs)
        sys.exit(0 if good else 1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
