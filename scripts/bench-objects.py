#!/usr/bin/env python3
"""`office photos copy` and `fetch` beside `rclone copy`, to and from the same object store (rclone's own server on this machine), in turn,
with the same number of files at a time: seconds, ratio, and the most memory. Exit 1 if a number is not met.

    bench-objects.py PROGRAM [--photos 1000] [--megabytes 2] [--rounds 3]
"""
import argparse
import os
import pathlib
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RCLONE = ROOT / ".venv/bin/rclone"
IDENTIFIER, SECRET, BUCKET, AT_A_TIME = "inspectionkey", "wet-barley-and-kestrel", "field-photos", 8


def run(words, **environment):
    """Seconds, and the most resident memory in MB."""
    began = time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, AWS_ACCESS_KEY_ID=IDENTIFIER, AWS_SECRET_ACCESS_KEY=SECRET, **environment))
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"bench-objects: {' '.join(map(str, words))} ended with {status}:\n{said}")
    return time.monotonic() - began, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--photos", type=int, default=1000)
    parser.add_argument("--megabytes", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-objects-") as name:
        folder = pathlib.Path(name)
        photos = folder / "data/office/photos"
        chance = random.Random(34)
        for number in range(options.photos):
            place = photos / f"{number % 256:02x}"
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{number}.jpg").write_bytes(chance.randbytes(int(options.megabytes * 1e6)))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        subprocess.run([options.program, "office", "agency", "add", "north", "--data", folder / "data"], check=True, stdout=subprocess.DEVNULL)
        bucket = folder / "store" / BUCKET
        bucket.mkdir(parents=True)
        server = subprocess.Popen([RCLONE, "serve", "s3", "--auth-key", f"{IDENTIFIER},{SECRET}", "--addr", f"127.0.0.1:{port}",
                                   "--config", "/dev/null", bucket.parent], stderr=subprocess.DEVNULL)
        time.sleep(1)
        remote = f":s3,provider=Other,env_auth=true,endpoint='http://127.0.0.1:{port}':{BUCKET}"
        quiet = ["--transfers", AT_A_TIME, "--checkers", AT_A_TIME, "--config", "/dev/null", "--quiet"]
        data = ["--data", folder / "data"]
        seconds = {word: [] for word in ("copy", "rclone there", "fetch", "rclone back")}
        memory = dict.fromkeys(seconds, 0.0)

        def measure(word, words):
            took, most = run(words)
            seconds[word].append(took)
            memory[word] = max(memory[word], most)

        try:
            for number in range(options.rounds):
                for way in ("own", "other") if number % 2 else ("other", "own"):
                    run(["sync"])
                    # A folder of its own each time: the server remembers what lay in one.
                    address, plain = f"s3://{BUCKET}/office-{number}?endpoint=http://127.0.0.1:{port}", f"{remote}/plain-{number}"
                    if way == "own":
                        measure("copy", [options.program, "office", "photos", "copy", "--to", address, *data])
                        shutil.move(photos, folder / "aside")
                        measure("fetch", [options.program, "office", "photos", "fetch", "--from", address, *data])
                        got = sum(1 for _ in photos.rglob("*.jpg"))
                        assert got == options.photos, got
                        shutil.rmtree(photos)
                        shutil.move(folder / "aside", photos)
                    else:
                        measure("rclone there", [RCLONE, "copy", photos, plain, *quiet])
                        measure("rclone back", [RCLONE, "copy", plain, folder / "back", *quiet])
                        shutil.rmtree(folder / "back")
        finally:
            server.kill()
        median = {word: statistics.median(values) for word, values in seconds.items()}
        print(f"{options.photos} photos of {options.megabytes:g} MB, {AT_A_TIME} at a time, median of {options.rounds}:")
        is_met = True
        for own, other in (("copy", "rclone there"), ("fetch", "rclone back")):
            is_met = is_met and median[other] / median[own] >= 0.8 and memory[own] < 100
            print(f"  {own}: {median[own]:.2f} s, rclone {median[other]:.2f} s: {median[other] / median[own]:.2f} times its speed (limit 0.8);"
                  f" {memory[own]:.0f} MB (limit 100), rclone {memory[other]:.0f} MB", flush=True)
        sys.exit(0 if is_met else 1)


main()
