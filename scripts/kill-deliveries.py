#!/usr/bin/env python3
"""kill -9 of either side while 20 photos are delivered: nothing that counts as delivered is missing
at the office, and nothing is there twice.

An office and a field unit run as they do in the field, over HTTP. The kills come at any moment, soon
after a batch was begun, between files, while the office puts the batch together, and soon after it
has committed it. Only those count that leave a delivery in its midst. After each kill the field unit
is asked what it believes to be delivered, and that is looked for at the office: file, rows, receipt.
Every other round the officer has returned the task, and its next photos come in a second batch. Each
pair of rounds is photographed once and delivered ten times.
"""
import argparse
import base64
import collections
import datetime
import hashlib
import http.cookiejar
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
PHOTOS = 20
# So many rounds, then everything is photographed anew.
ROUNDS = 20
PASSWORD = "kestrel over wet barley"
STAGES = ["before the first file", "files in transit", "all files there, nothing committed",
          "committed, receipt not kept"]
# The moments to choose from, by where the delivery stood before; None lets it end.
MOMENTS = [["any", "begun", "files", "files", "files", "named", "committed"],
           ["any", "files", "files", "files", "files", "named", "committed"],
           ["any", "named", "named", "committed"],
           ["any", None, None]]
# What `office check` may say while a batch is put together: files have their names before their rows.
PLACED = "the database does not know it"


def nmea(began, seed, seconds=20):
    """A receiver that stands still, one second after the other."""
    noise = random.Random(seed)
    lines = []
    for second in range(seconds):
        at = began + datetime.timedelta(seconds=second)
        north, east = (f"{minutes + noise.gauss(0, 5e-6):010.7f}" for minutes in (5.016, 38.292))
        place = f"49{north},N,016{east},E"
        lines.append(f"GPGGA,{at:%H%M%S}.00,{place},1,10,0.9,231.0,M,44.6,M,,")
        lines.append(f"GPRMC,{at:%H%M%S}.00,A,{place},0.02,,{at:%d%m%y},,,A")

    def frame(body):
        total = 0
        for character in body:
            total ^= ord(character)
        return f"${body}*{total:02X}\r\n"
    return "".join(map(frame, lines))


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Violation(Exception):
    """Something that must never be."""


def require(holds, words):
    if not holds:
        raise Violation(words)


class Stand:
    """An office and a field unit in one temporary folder."""

    def __init__(self, program, folder):
        # A copy: a build that goes on beside must not exchange it.
        self.program, self.folder = shutil.copy(program, folder / "standpoint"), folder
        self.environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        self.data = folder / "data"
        self.office_log = open(folder / "office.log", "w")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.digests = {}
        self.kept = []
        self.browser = None
        self.run("office", "agency", "add", "north")
        for login, role in [("ines", "inspector"), ("otto", "officer")]:
            self.run("office", "user", "add", login, "--role", role, "--agency", "north",
                     "--password-stdin", given=PASSWORD)
        self.start_office()
        self.run("login", "--office", f"http://{self.address}", "--user", "ines", "--password-stdin",
                 given=PASSWORD)
        self.pictures = []
        for seed in range(4):
            path = folder / f"picture-{seed}.jpg"
            subprocess.run([self.program, "demo-picture", path, "--width", "320", "--height", "240",
                            "--seed", str(seed)], check=True, env=self.environment)
            self.pictures.append(path.read_bytes())

    def run(self, *words, given=None, may_fail=False):
        done = subprocess.run([self.program, *map(str, words), "--data", self.data], text=True,
                              input=given, capture_output=True, env=self.environment)
        if done.returncode != 0 and not may_fail:
            raise Violation(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
        return done

    def lines(self, *words, **options):
        output = self.run(*words, "--format", "json", **options).stdout
        return [json.loads(line) for line in output.splitlines()]

    # The office's program

    def start_office(self):
        self.office = subprocess.Popen(
            [self.program, "office", "--listen", self.address, "--data", self.data], text=True,
            stdout=subprocess.PIPE, stderr=self.office_log, env=self.environment)
        require("office at" in self.office.stdout.readline(), "the office does not start again")
        self.fingerprint = self.office.stdout.readline().split()[-1]

    def kill_office(self):
        self.office.send_signal(signal.SIGKILL)
        self.office.wait()

    def page(self, path, form=None):
        """One of the officer's pages, as a browser would ask for it."""
        if self.browser is None:
            self.browser = urllib.request.build_opener(
                urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
            token = re.search('name="csrf" value="([^"]+)"', self.page("/sign-in")).group(1)
            self.page("/sign-in", {"csrf": token, "login": "otto", "password": PASSWORD})
        request = urllib.request.Request(
            f"http://{self.address}{path}", headers={"Origin": f"http://{self.address}"},
            data=form and urllib.parse.urlencode(form).encode())
        with self.browser.open(request) as answer:
            return answer.read().decode()

    def return_task(self, task):
        page = self.page(f"/tasks/{task}")
        hidden = dict(re.findall('name="(csrf|seen)" value="([^"]+)"', page))
        page = self.page(f"/tasks/{task}/decide",
                         {**hidden, "action": "returnToInspector", "reason": "One more from the other side."})
        require("state-returned" in page, "the officer cannot return the task")
        # Devices hear of a decision when the officer can no longer undo it: after 10 seconds.
        time.sleep(10.5)

    # What both sides hold

    def ask(self, side, sql, *values):
        # Read-only: what a kill has left must be found by the program, not mended by this script.
        path = f"file:{self.data / side / 'standpoint.sqlite'}?mode=ro"
        database = sqlite3.connect(path, uri=True, timeout=30)
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def office_file(self, digest, names):
        if list((self.data / "office/incoming").glob(digest + "-*[!t!h]")):
            return True
        return any((self.data / "office" / name).exists() for name in names.get(digest, []))

    def stage(self):
        """Where the delivery stands: an index of STAGES; None where none is in its midst."""
        begun = self.ask("field", "SELECT id, message FROM batch WHERE delivered IS NULL")
        if not begun:
            return None
        batch = json.loads(begun[0][1])
        if self.ask("office", "SELECT 1 FROM batch WHERE id = ?", begun[0][0]):
            return 3
        names = collections.defaultdict(list)
        for record, file, raw in self.ask("field", "SELECT id, file_digest, raw_digest FROM link"):
            for digest, end in [(file, "jpg"), (raw, "raw")]:
                names[digest].append(f"photos/{record[-2:]}/{record}.{end}")
        there = sum(self.office_file(file["digest"], names) for file in batch["files"])
        return 2 if there == len(batch["files"]) else 1 if there or self.parts() else 0

    def parts(self):
        """Files that are half there."""
        return [name for name in os.listdir(self.data / "office/incoming") if name.endswith(".part")]

    def named(self):
        return sum(len(files) for _, _, files in os.walk(self.data / "office/photos"))

    # A round

    def prepare(self, number, task):
        """Photographs and sends a task: a new one, or the one that came back."""
        if task is None:
            orders = self.folder / "orders.geojson"
            outline = [[[16.637, 49.083], [16.640, 49.083], [16.640, 49.085]]]
            orders.write_text(json.dumps({"type": "FeatureCollection", "features": [{
                "type": "Feature", "geometry": {"type": "Polygon", "coordinates": outline},
                "properties": {"identifier": str(number), "name": f"Parcel {number}",
                               "inspector": "ines"}}]}))
            task = self.lines("office", "task", "import", orders, "--agency", "north")[0]["id"]
            self.run("deliver")
            self.run("task", "open", task)
        else:
            self.return_task(task)
            self.run("deliver")
        log, picture = self.folder / "standing.nmea", self.folder / "picture.jpg"
        for photo in range(PHOTOS):
            # The last two share their raw window: one file, two names.
            if photo < PHOTOS - 1:
                now = datetime.datetime.now(datetime.timezone.utc)
                log.write_text(nmea(now, seed=number * PHOTOS + photo))
            picture.write_bytes(self.padded(self.pictures[photo % len(self.pictures)]))
            taken = self.lines("capture", "--task", task, "--image", picture, "--samples", 5,
                               "--gnss", f"file://{log}?rate=max", "--countdown", 0)[0]
            self.digests[taken["id"]] = sha256(pathlib.Path(taken["file"]))
        self.run("task", "provide", task)
        return task

    @staticmethod
    def padded(jpeg):
        """The picture as a file of its own, by comments of random bytes: drawing takes longer."""
        comment = b"\xff\xfe\xf0\x02" + os.urandom(0xF000)
        return jpeg[:2] + 5 * comment + jpeg[2:]

    def keep(self, name):
        """Both sides as they stand now, for later rounds."""
        self.kill_office()
        shutil.copytree(self.data, self.folder / name)
        self.kept.append((name, dict(self.digests)))
        self.start_office()

    def begin(self, number):
        """A round begins where it was kept: photographing takes longer than what is looked at here."""
        name, digests = self.kept[number % len(self.kept)]
        self.kill_office()
        shutil.rmtree(self.data)
        shutil.copytree(self.folder / name, self.data)
        self.digests = dict(digests)
        self.start_office()

    def deliver(self):
        return subprocess.Popen([self.program, "deliver", "--data", self.data], text=True,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                env=self.environment)

    # What must hold

    def check(self, is_over, is_looked_at=False):
        """Holds what the field unit believes against what the office has."""
        listed = self.lines("photo", "list")
        require(sorted(photo["id"] for photo in listed) == sorted(self.digests),
                "the field unit lists other photos than were taken")
        delivered = {photo["id"] for photo in listed if photo.get("delivered")}
        if is_over:
            require(len(delivered) == len(self.digests), "not everything is delivered")
        # What has arrived is looked at behind the receipt: after a while all of it has a verdict.
        waited = time.monotonic() + 120
        while is_looked_at and self.ask("office", "SELECT id FROM photo WHERE verdict IS NULL"):
            require(time.monotonic() < waited, "the office does not look at what has arrived")
            time.sleep(0.2)
        rows = collections.Counter(row[0] for row in self.ask(
            "office", "SELECT id FROM photo WHERE verdict IS NULL OR verdict = 'intact'"))
        links = collections.Counter(row[0] for row in self.ask("office", "SELECT id FROM link"))
        places = self.ask("office", "SELECT count(*), count(DISTINCT sequence), max(sequence),"
                          " count(DISTINCT key), count(record) FROM link")[0]
        promised = set()
        for receipt in (self.data / "field/receipts").glob("*.receipt"):
            claims = receipt.read_text().split(".")[1]
            claims = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
            promised |= set(claims["files"])
        for photo in delivered:
            held = self.data / f"office/photos/{photo[-2:]}/{photo}.jpg"
            require(held.exists() and sha256(held) == self.digests[photo],
                    f"photo {photo} counts as delivered, and its file is not at the office")
            require(rows[photo] == 1 and links[photo] == 1,
                    f"photo {photo} counts as delivered, and the office has {rows[photo]} intact rows"
                    f" and {links[photo]} links of it")
            require(self.digests[photo] in promised, f"no receipt names the file of photo {photo}")
        require(not links or (max(links.values()) == 1 and max(rows.values()) == 1),
                "something is at the office twice")
        require(places[0] == places[1] == places[4] and (places[2] or 0) == places[0]
                and places[3] <= 1, f"the office's chain is not the field unit's: {places}")
        for sql in ["SELECT id FROM task_transition WHERE conflict IS NOT NULL",
                    "SELECT subject FROM log WHERE action IN"
                    " ('chain-broken', 'transition-conflict', 'task-unknown')",
                    "SELECT subject FROM log WHERE action = 'delivery-received'"
                    " GROUP BY subject HAVING count(*) > 1"]:
            require(not self.ask("office", sql), f"there is a row of: {sql}")
        self.check_files(is_over)
        return delivered

    def check_files(self, is_over):
        report = self.run("office", "check", "--format", "json", may_fail=True)
        require(report.returncode in (0, 1), f"office check: {report.stderr}")
        unacknowledged = {row[0] for row in self.ask(
            "field", "SELECT id FROM link WHERE id NOT IN (SELECT id FROM delivered_record)")}
        for line in report.stdout.splitlines():
            difference = json.loads(line)
            record = pathlib.Path(difference["subject"]).name.split(".")[0]
            require(difference["message"] == PLACED and record in unacknowledged and not is_over,
                    f"office check: {line}")
        self.verify(self.data / "field")
        if not is_over:
            return
        checked = self.verify(self.data / "office", trust=self.fingerprint)
        links = self.ask("field", "SELECT count(*) FROM link")[0][0]
        require(checked == links == self.ask("office", "SELECT count(*) FROM link")[0][0],
                f"the field unit has sealed {links} records, at the office there are {checked}")
        pictures = len(list((self.data / "office/photos").glob("*/*.jpg")))
        require(pictures == len(self.digests), f"{pictures} pictures of {len(self.digests)}")
        left = os.listdir(self.data / "office/incoming")
        require(not left, f"{len(left)} files stay among those that come in, such as {left[:1]}")

    def verify(self, path, trust=None):
        words = [self.program, "verify", path, "--format", "json"]
        done = subprocess.run(words + (["--trust", trust] if trust else []), text=True,
                              capture_output=True, env=self.environment)
        require(done.returncode == 0, f"verify {path.name}: {done.stdout}{done.stderr}")
        report = json.loads(done.stdout)
        require(report["verdict"] == "intact" and (not trust or report["issuer"] == "trusted"),
                f"verify {path.name}: {report['verdict']}, issuer {report['issuer']}")
        return report["checked"]


def wait_for_moment(stand, process, chance, stage, duration):
    """Waits for the moment of a kill; it may be too late by then."""
    def until(holds):
        while process.poll() is None and not holds():
            pass

    def batches():
        return len(stand.ask("office", "SELECT id FROM batch"))

    incoming = stand.data / "office/incoming"
    match chance.choice(MOMENTS[stage or 0]):
        case None:
            process.wait()
        case "any":
            time.sleep(chance.uniform(0, duration))
        case "begun":
            until(lambda: stand.ask("field", "SELECT 1 FROM batch WHERE delivered IS NULL"))
            time.sleep(chance.uniform(0, 0.03))
        case "files":
            goal = len(os.listdir(incoming)) + chance.randint(1, 6)
            until(lambda: len(os.listdir(incoming)) >= goal)
            time.sleep(chance.uniform(0, 0.01))
        case "named":
            # Files get their names when all have come: that is where the batch is put together.
            before = stand.named()
            until(lambda: stand.named() > before)
            time.sleep(chance.uniform(0, 0.2))
        case "committed":
            before = batches()
            until(lambda: batches() > before)
            time.sleep(chance.uniform(0, 0.02))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/debug/standpoint")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    kills, stages = collections.Counter(), collections.Counter()
    tries = rounds = halves = photos = 0
    began = time.monotonic()
    while kills.total() < arguments.kills:
        stand, begun = None, rounds
        folder = tempfile.TemporaryDirectory()
        try:
            stand = Stand(arguments.program.resolve(), pathlib.Path(folder.name))
            task = None
            for number in range(2):
                task = stand.prepare(number, task)
                stand.keep(f"kept-{number}")
                # One that is not killed says how long one takes.
                started = time.monotonic()
                process = stand.deliver()
                require(process.wait() == 0, f"deliver: {process.communicate()[1]}")
                duration = time.monotonic() - started
                stand.check(is_over=True, is_looked_at=True)
            while kills.total() < arguments.kills and rounds < begun + ROUNDS:
                stand.begin(rounds)
                rounds += 1
                photos += len(stand.digests)
                while True:
                    tries += 1
                    stage = stand.stage()
                    process = stand.deliver()
                    if kills.total() < arguments.kills:
                        wait_for_moment(stand, process, chance, stage, duration)
                    else:
                        process.wait()
                    if process.poll() is not None:
                        words = process.communicate()[1]
                        require(process.returncode == 0, f"deliver: {words}")
                        break
                    side = chance.choice(["field unit", "office"])
                    if side == "office":
                        stand.kill_office()
                    else:
                        process.send_signal(signal.SIGKILL)
                    half = bool(stand.parts())
                    process.communicate()
                    stage = stand.stage()
                    if stage is not None:
                        kills[side] += 1
                        stages[stage] += 1
                        halves += half
                    stand.check(is_over=False)
                    if side == "office":
                        stand.start_office()
                    if stage is not None and kills.total() % 10 == 0:
                        print(f"{kills.total()} kills in {rounds} rounds", flush=True)
                stand.check(is_over=True, is_looked_at=rounds % 5 == 0)
        except Violation as violation:
            sys.exit(f"round {rounds}, after {kills.total()} kills: {violation}")
        finally:
            if stand:
                stand.kill_office()
            folder.cleanup()
    where = ", ".join(f"{stages[index]} {words}" for index, words in enumerate(STAGES))
    print(f"{kills.total()} kills in the midst of a delivery ({kills['field unit']} of the field unit,"
          f" {kills['office']} of the office), {tries} deliveries begun, {rounds} rounds of {PHOTOS}"
          f" photos; {where}; {halves} with a file half there."
          f" {photos} photos delivered, none missing, none twice;"
          f" {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
