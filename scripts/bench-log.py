#!/usr/bin/env python3
"""The tree over an office's log of ten million entries: built from the log, grown, and asked for proofs by a stranger over HTTP.

The log is filled by SQL, with digests that are no digests of their entries: the tree reads nothing else. By hand:
scripts/bench-log.py [PROGRAM] [--entries N]."""
import argparse
import os
import pathlib
import random
import secrets
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import importlib
bench = importlib.import_module("bench-office")
GROWTH = 100_000


def fill(path, first, count):
    base = sqlite3.connect(path)
    base.execute("PRAGMA synchronous = OFF")
    base.executemany(
        "INSERT INTO log (number, agency, time, person, action, subject, detail, digest) VALUES (?, NULL, ?, 'otto', 'task-accepted', ?, NULL, ?)",
        ((number, 1_800_000_000_000 + number, f"018f2a3b-7c5d-7000-8000-{number:012d}", secrets.token_hex(32))
         for number in range(first, first + count)))
    base.commit()
    base.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", default=str(ROOT / ".build-release/release/standpoint"))
    parser.add_argument("--entries", type=int, default=10_000_000)
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args()
    verdicts = bench.Verdicts()
    chance = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="bench-log-") as work:
        def run(*words):
            began = time.monotonic()
            process = subprocess.Popen([options.program, "office", *words, "--data", work], stdout=subprocess.PIPE, text=True, env=bench.ENVIRONMENT)
            said = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            assert process.returncode == 0, words
            return said, time.monotonic() - began, usage.ru_maxrss / 1000
        run("agency", "add", "north")
        path = f"{work}/office/standpoint.sqlite"
        there = sqlite3.connect(path).execute("SELECT max(number) FROM log").fetchone()[0]
        fill(path, there + 1, options.entries - there)
        print(f"log: {options.entries} entries, {os.stat(path).st_size / 1e9:.2f} GB", flush=True)
        _, seconds, megabytes = run("log", "checkpoint")
        verdicts.say("the tree built from the log", seconds, 60 * options.entries / 10_000_000, "s")
        print(f"  {megabytes:.0f} MB at most")
        fill(path, options.entries + 1, GROWTH)
        _, seconds, _ = run("log", "checkpoint")
        verdicts.say(f"an entry more, of {GROWTH} in one checkpoint", seconds / GROWTH * 1e6, 50, "us")
        print(f"  one proof by a command: {run('log', 'prove', '--entry', str(options.entries // 3))[1] * 1000:.0f} ms, its start included")
        port = bench.free_port()
        office = bench.Office(options.program, work, port)
        try:
            size = options.entries + GROWTH
            def fetch(what):
                began = time.monotonic()
                urllib.request.urlopen(f"http://127.0.0.1:{port}{what}").read()
                return time.monotonic() - began
            base = [fetch("/checkpoint") for _ in range(options.count)]
            entries = [fetch(f"/checkpoints/{size}/entry/{chance.randint(1, size)}") for _ in range(options.count)]
            proofs = [fetch(f"/checkpoints/{size}/from/{chance.randint(1, size)}") for _ in range(options.count)]
            print(f"the last checkpoint, p99 of {options.count}: {bench.p99(base):.1f} ms")
            verdicts.say(f"an inclusion proof over HTTP, p99 of {options.count}", bench.p99(entries), 5)
            verdicts.say(f"a consistency proof over HTTP, p99 of {options.count}", bench.p99(proofs), 5)
        finally:
            office.stop()
    return 0 if verdicts.are_met else 1


if __name__ == "__main__":
    sys.exit(main())
