#!/usr/bin/env python3
"""kill -9 in the capture path, at random moments: each capture is there whole or not at all.

Half of the kills come at a random moment of the whole command, half within the first milliseconds
after a file has appeared in the staging folder, which is where it hurts. After each kill the data
directory is verified from its files alone, before anything has come to clear up; now and then a
capture is left to end, and everything acknowledged so far must still be listed and verify.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def nmea(seconds):
    """A receiver that stands still, one second after the other."""
    lines = []
    noise = random.Random(1)
    east = north = 0.0
    for second in range(seconds):
        east += noise.gauss(0, 0.01)
        north += noise.gauss(0, 0.01)
        clock = f"{9 + second // 3600:02d}{second // 60 % 60:02d}{second % 60:02d}.00"
        place = f"4905.{0.01600 + north / 1852:.7f}"[0:5] + f"{0.016 + north / 1852:.7f}"[2:]
        lines.append(f"GPGGA,{clock},{place},N,01638.{2920000 + int(east * 8000):07d},E,1,10,0.9,231.0,M,44.6,M,,")
        lines.append(f"GPRMC,{clock},A,{place},N,01638.{2920000 + int(east * 8000):07d},E,0.02,,010626,,,A")
    def frame(body):
        total = 0
        for character in body:
            total ^= ord(character)
        return f"${body}*{total:02X}\r\n"
    return "".join(map(frame, lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/debug/standpoint")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    chance = random.Random(arguments.seed)
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        log, image, data = folder / "log.nmea", folder / "picture.jpg", folder / "data"
        log.write_text(nmea(45))
        subprocess.run([program, "demo-picture", image, "--width", "1600", "--height", "1200"], check=True)
        capture = [program, "capture", "--image", image, "--gnss", f"file://{log}?rate=max",
                   "--data", data, "--format", "json"]
        staging = data / "field/staging"

        def verified():
            outcome = subprocess.run([program, "verify", data, "--format", "json"],
                                     capture_output=True, text=True, env=environment)
            return outcome.returncode, outcome.stdout

        began = time.monotonic()
        first = subprocess.run(capture, capture_output=True, text=True, env=environment)
        duration = time.monotonic() - began
        if first.returncode != 0:
            sys.exit(f"the capture that is not killed fails: {first.stderr}")
        acknowledged = {json.loads(first.stdout)["id"]}
        kills = in_staging = 0
        for run in range(arguments.runs):
            process = subprocess.Popen(capture, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True, env=environment)
            if run % 2 == 0:
                time.sleep(chance.uniform(0, duration * 1.05))
            else:
                # What an earlier kill has left lies there until the capture clears it away.
                known = {(entry, os.stat(staging / entry).st_mtime_ns) for entry in os.listdir(staging)}
                while process.poll() is None:
                    try:
                        now = {(entry, os.stat(staging / entry).st_mtime_ns) for entry in os.listdir(staging)}
                    except FileNotFoundError:
                        break
                    if now - known:
                        break
                time.sleep(chance.uniform(0, 0.012))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            output = process.communicate()[0]
            if output.strip():
                acknowledged.add(json.loads(output)["id"])
            if os.listdir(staging):
                in_staging += 1
            status, report = verified()
            if status != 0:
                sys.exit(f"kill {run}: verify says {report}")
        listed = subprocess.run([program, "photo", "list", "--data", data, "--format", "json"],
                                capture_output=True, text=True, check=True, env=environment).stdout
        photos = {json.loads(line)["id"] for line in listed.splitlines()}
        lost = acknowledged - photos
        whole = all(len(list((data / "field/photos").glob(f"*/{photo}.*"))) == 3 for photo in photos)
        files = len(list((data / "field/photos").glob("*/*")))
        status, report = verified()
        checked = json.loads(report)["checked"]
        print(f"{arguments.runs} runs, {kills} killed, {in_staging} of them with files in staging; "
              f"{len(photos)} photos, {len(acknowledged)} acknowledged, {len(lost)} of those lost, "
              f"verify: {json.loads(report)['verdict']}, {checked} seals")
        if lost or not whole or files != 3 * len(photos) or status != 0 or checked != len(photos):
            sys.exit("a capture is not whole, or one that was acknowledged is gone")


main()
