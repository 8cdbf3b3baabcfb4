#!/usr/bin/env python3
"""The office with a large database: its list of tasks, its map and its register of parcels, a task's page, its start, and 200 people
who look at pages while 20 devices deliver.

The database is made by `office seed`; `--data DIR` keeps it for the next time. The times are those of
whole requests over loopback, each kind asked in turn with other values, p99 of `--count`. By hand:
scripts/bench-office.py [PROGRAM] [--photos N] [--data DIR].
"""
import argparse
import asyncio
import http.cookiejar
import json
import os
import pathlib
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no")
PASSWORD = "kestrel over wet barley"
STATES = ["new", "open", "returned", "dataProvided", "accepted", "declined", "withdrawn"]
TYPES = ["crop check", "buffer strip", "grassland", "damage", "building"]
SORTS = ["review", "-review", "name", "-name", "inspector", "due", "-due", "created", "-created"]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def resident_megabytes(process, name="VmRSS"):
    for line in open(f"/proc/{process.pid}/status"):
        if line.startswith(name):
            return int(line.split()[1]) / 1000
    return 0


class Office:
    def __init__(self, program, data, port):
        self.began = time.monotonic()
        self.port = port
        self.process = subprocess.Popen(
            [program, "office", "--listen", f"127.0.0.1:{port}", "--data", data],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT)
        assert "office at" in self.process.stdout.readline()

    def first_answer(self):
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}/sign-in").read()
        return time.monotonic() - self.began

    def cookie(self, login):
        """A session, as a browser would have it."""
        jar = http.cookiejar.CookieJar()
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        base = f"http://127.0.0.1:{self.port}"
        page = browser.open(f"{base}/sign-in").read().decode()
        token = re.search('name="csrf" value="([^"]+)"', page).group(1)
        form = urllib.parse.urlencode({"csrf": token, "login": login, "password": PASSWORD}).encode()
        browser.open(urllib.request.Request(f"{base}/sign-in", form, {"Origin": base})).read()
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Reader:
    """A browser's connection that stays open."""

    def __init__(self, port, cookie):
        self.port, self.cookie = port, cookie
        self.reader = self.writer = None

    async def get(self, path):
        """Status and seconds of a whole answer."""
        began = time.monotonic()
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writer.write((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}\r\n"
                           "Accept: text/html\r\n\r\n").encode())
        try:
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        except asyncio.IncompleteReadError:
            # The server has closed a connection that was silent for long: a browser asks once more.
            self.writer = None
            return await self.get(path)
        if length := re.search(r"content-length: (\d+)", head):
            await self.reader.readexactly(int(length.group(1)))
        elif "chunked" in head:
            while size := int((await self.reader.readline()).strip(), 16):
                await self.reader.readexactly(size + 2)
            await self.reader.readline()
        return int(head.split()[1]), time.monotonic() - began


def p99(seconds):
    return sorted(seconds)[max(0, -(-len(seconds) * 99 // 100) - 1)] * 1000


class Verdicts:
    def __init__(self):
        self.are_met = True

    def say(self, what, value, limit, unit="ms"):
        is_met = value < limit
        self.are_met &= is_met
        print(f"{what}: {value:.0f} {unit} (limit {limit:.0f}){'' if is_met else ': NOT met'}", flush=True)


def views(chance, extent):
    """Views of the map as they come while somebody zooms in and moves about: 1440 by 900 pixels."""
    west, south, east, north = extent
    while True:
        zoom = chance.randint(3, 18)
        width, height = 1440 / 256 * 360 / 2 ** zoom, 900 / 256 * 230 / 2 ** zoom
        x, y = chance.uniform(west, east), chance.uniform(south, north)
        box = [max(x - width / 2, -180), max(y - height / 2, -89), min(x + width / 2, 180), min(y + height / 2, 89)]
        yield f"box={','.join(f'{side:.6f}' for side in box)}&zoom={zoom}"


def parcel_views(chance, places):
    """The same of the register, most of them near enough to be drawn, around parcels that are there."""
    while True:
        x, y = chance.choice(places)
        zoom = chance.choice([4, 8, 12, 14, 15, 15, 16, 16, 17, 18])
        width, height = 1440 / 256 * 360 / 2 ** zoom, 900 / 256 * 230 / 2 ** zoom
        box = [max(x - width / 2, -180), max(y - height / 2, -89), min(x + width / 2, 180), min(y + height / 2, 89)]
        yield f"box={','.join(f'{side:.6f}' for side in box)}"


async def pages(office, cookie, count, verdicts, tasks, places):
    chance = random.Random(1)
    reader = Reader(office.port, cookie)
    inspector = lambda: f"inspector={chance.choice(['inspector1', 'inspector7', 'inspector40'])}"
    usual = lambda: "&".join(filter(None, [
        f"sort={chance.choice(SORTS)}", chance.choice(["", f"state={chance.choice(STATES)}"]),
        chance.choice(["", inspector()]), chance.choice(["", f"page={chance.randint(1, 40)}"])]))
    extent = (12.3, 48.6, 18.7, 50.9)
    box = lambda: ",".join(f"{side:.4f}" for side in (lambda x, y: (x, y, x + 1.5, y + .8))(
        chance.uniform(12, 17), chance.uniform(48, 50)))
    any_filter = lambda: usual() + "&" + chance.choice([
        f"text={chance.choice(['wheat', 'P-1000', 'nobody has this'])}", "photos=contradicted", "photos=unchecked",
        "photos=clean", "photos=missing", "due=overdue", "due=week", "due=undated", "type=crop check", f"area={box()}"])
    view = views(chance, extent)
    near = parcel_views(chance, places)
    last = time.localtime().tm_year
    span = lambda: (lambda first: f"{first}-{min(last, first + chance.randint(0, 4))}")(chance.randint(last - 12, last))
    filters = lambda: chance.choice([
        f"state={chance.choice(STATES)}", inspector(), "text=wheat", "photos=contradicted", "due=overdue",
        "type=grassland", f"state=accepted&{inspector()}"])
    items_filter = lambda: "&".join(filter(None, [chance.choice([
        "items=missing", "items=not-possible", "items=done", "answer=crop%3Dfallow", "answer=declared%3Dtrue",
        "answer=height%3D12.5", "answer=crop%3Dnone"]), chance.choice(["", f"sort={chance.choice(SORTS)}"]),
        chance.choice(["", f"state={chance.choice(STATES)}"]), chance.choice(["", f"page={chance.randint(1, 40)}"])]))
    kinds = [
        ("list of tasks, usual filters and sorts", 50, lambda: "/tasks?" + usual()),
        ("list of tasks, any filter", 300, lambda: "/tasks?" + any_filter()),
        ("map, everything", 50, lambda: "/map/view.json?" + next(view)),
        ("map, a span of years", 50, lambda: "/map/view.json?" + next(view) + "&years=" + span()),
        ("map, the years of everything", 50, lambda: "/map/view.json?" + next(view) + "&years=all"),
        ("map, with a filter", 300, lambda: "/map/view.json?" + next(view) + "&" + filters()),
        ("map, parcels by box", 50, lambda: "/map/parcels.json?" + next(near)),
        ("list of tasks, by items or an answer", 100, lambda: "/tasks?" + items_filter()),
        ("statistics", 500, lambda: "/statistics?type=" + chance.choice(TYPES)),
        ("statistics of one question", 500, lambda: f"/statistics?type={chance.choice(TYPES)}&item={chance.choice(['crop', 'declared', 'height'])}"),
        ("page of a task", 30, lambda: f"/tasks/{chance.choice(tasks)}"),
        ("photos without a task", 50, lambda: f"/photos?page={chance.randint(1, 400)}"),
    ]
    for name, limit, address in kinds:
        slow = []
        for number in range(count + 5):
            path = address().replace(" ", "%20")
            status, seconds = await reader.get(path)
            assert status == 200, f"{path}: {status}"
            # The first few warm up what a running office has warm.
            if number >= 5:
                slow.append((seconds, path))
        verdicts.say(f"{name}, p99 of {count}", p99([one for one, _ in slow]), limit)
        worst = max(slow)
        print(f"  median {statistics.median(one for one, _ in slow) * 1000:.1f} ms, slowest {worst[0] * 1000:.0f} ms: {worst[1]}")


async def crowd(office, cookies, seconds, tasks, devices, verdicts):
    """Everybody asks for a page every five seconds while the devices deliver."""
    chance = random.Random(2)
    times, wrong = [], []
    end = time.monotonic() + seconds

    async def person(cookie):
        reader = Reader(office.port, cookie)
        await asyncio.sleep(chance.uniform(0, 5))
        while time.monotonic() < end:
            path = chance.choice([
                "/tasks", "/tasks?state=dataProvided", f"/tasks/{chance.choice(tasks)}", "/photos", "/map",
                "/map/view.json?box=12,48,19,51&zoom=7", "/log"])
            status, took = await reader.get(path)
            times.append(took)
            if status != 200:
                wrong.append((status, path))
            await asyncio.sleep(max(0, 5 - took))

    async def device(program, data):
        deliver = await asyncio.create_subprocess_exec(
            program, "deliver", "--data", data, "--format", "json", stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL, env=ENVIRONMENT)
        answer = json.loads((await deliver.communicate())[0].splitlines()[-1])
        if deliver.returncode != 0 or answer["waiting"] or answer["failed"]:
            wrong.append((deliver.returncode, f"deliver: {answer}"))
        return answer["bytesSent"]

    peak = 0

    async def watch():
        nonlocal peak
        while time.monotonic() < end:
            peak = max(peak, resident_megabytes(office.process))
            await asyncio.sleep(0.2)

    async def deliveries():
        # One after the other begins, so that they go on all the while.
        sent = 0
        running = []
        for number, (program, data) in enumerate(devices):
            running.append(asyncio.create_task(device(program, data)))
            await asyncio.sleep(seconds * 0.4 / max(1, len(devices)))
        for one in running:
            sent += await one
        return sent

    delivering = asyncio.create_task(deliveries())
    await asyncio.gather(watch(), *(person(cookie) for cookie in cookies))
    print(f"{len(cookies)} sessions, {len(times)} pages in {seconds} s, {len(devices)} devices;"
          f" median {statistics.median(times or [0]) * 1000:.0f} ms", flush=True)
    verdicts.say("a page among them, p99", p99(times or [0]), 250)
    verdicts.say("resident memory", peak, 250, "MB")
    # Devices with thousands of tasks fetch the surroundings of them all, long after the people have gone.
    print(f"delivered: {await delivering / 1e6:.0f} MB")
    verdicts.say("errors", len(wrong), 1, "")
    for status, path in wrong[:5]:
        print(f"  {status}: {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", default=str(ROOT / ".build-release/release/standpoint"))
    parser.add_argument("--photos", type=int, default=1_000_000)
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--parcels", type=int, default=1_000_000)
    parser.add_argument("--track-points", type=int, default=100_000)
    parser.add_argument("--items", type=int, default=10)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--devices", type=int, default=20)
    parser.add_argument("--each", type=int, default=10, help="photos that each device delivers")
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--data", help="a data folder that is kept for the next time")
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="bench-office-"))
    program = shutil.copy(options.program, work / "standpoint")
    data = pathlib.Path(options.data) if options.data else work / "data"
    verdicts = Verdicts()
    office = None
    try:
        if not data.exists():
            began = time.monotonic()
            subprocess.run(
                [program, "office", "seed", "--photos", str(options.photos), "--tasks", str(options.tasks), "--items", str(options.items),
                 "--years", "12",
                 "--parcels", str(options.parcels), "--track-points", str(options.track_points),
                 "--data", data, "--password-stdin"], input=PASSWORD, text=True, check=True, env=ENVIRONMENT,
                stdout=subprocess.DEVNULL)
            size = (data / "office/standpoint.sqlite").stat().st_size
            print(f"seed: {options.photos} photos, {options.tasks} tasks, {options.parcels} parcels,"
                  f" {options.track_points} points of tracks, {time.monotonic() - began:.0f} s, {size / 1e9:.2f} GB")
        import sqlite3
        base = sqlite3.connect(f"file:{data}/office/standpoint.sqlite?mode=ro", uri=True)
        tasks = [row[0] for row in base.execute(
            "SELECT id FROM task WHERE state IN ('dataProvided', 'accepted') ORDER BY substr(id, 30) LIMIT 2000")]
        # Corners of parcels from all of the register; without one, somewhere.
        most = base.execute("SELECT max(number) FROM parcel").fetchone()[0] or 0
        places = [(corner[0], corner[1]) for number in range(1, most + 1, max(1, most // 2000))
                  for row in base.execute("SELECT outline FROM parcel WHERE number = ?", (number,))
                  for corner in [json.loads(row[0])[0][0][0]]] or [(15, 49.5)]
        base.close()
        # Once, so that what the start reads is where it lies while an office is used.
        Office(program, data, free_port()).stop()
        office = Office(program, data, free_port())
        verdicts.say("start to the first answer", office.first_answer() * 1000, 1000)
        cookie = office.cookie("officer")
        asyncio.run(pages(office, cookie, options.count, verdicts, tasks, places))
        devices = []
        for number in range(options.devices):
            own = work / f"device-{number}"
            subprocess.run(
                [program, "login", "--office", f"http://127.0.0.1:{office.port}", "--user", f"inspector{number + 1}",
                 "--password-stdin", "--data", own], input=PASSWORD, text=True, check=True, env=ENVIRONMENT,
                stdout=subprocess.DEVNULL)
            subprocess.run([program, "measure", "--fill", str(options.each), "--data", own], check=True,
                           env=ENVIRONMENT, stdout=subprocess.DEVNULL)
            devices.append((program, own))
        cookies = [office.cookie("officer" if number % 2 else "officer2") for number in range(options.sessions)]
        asyncio.run(crowd(office, cookies, options.seconds, tasks, devices, verdicts))
        print("office: " + ("met" if verdicts.are_met else "NOT met"))
        return 0 if verdicts.are_met else 1
    finally:
        if office:
            office.stop()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
