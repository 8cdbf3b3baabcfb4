#!/usr/bin/env python3
"""Ten invented receivers of rising skill behind TCP ports, against the installed program.

Office, field units and captures run as users run them. The orbits are made here, and the right sky is
computed with SGP4 by PyPI's sgp4, of which nothing is shared with ours. Then the agency leaves `tcp` out
of its policy, and a real gpsd reads an invented receiver from a pseudo-terminal.
"""
import argparse, concurrent.futures, contextlib, datetime, importlib.util, json, os, pathlib, random, re
import shutil, socket, sqlite3, subprocess, sys, tempfile, threading, time
from math import asin, atan2, cos, degrees, pi, radians, sin, sqrt

from sgp4.api import WGS72, Satrec, jday

PASSWORD = "kestrel over wet barley"
PLACE = (49.0839, 16.6389)
UTC = datetime.timezone.utc
# What the checks `sky` and `noise` say: one outcome, or several where drawn numbers may look slow.
FAKES = {
    "positions alone, always the same": (None, "none", "none", {"not-checkable"}, {"unclear"}),
    "positions alone, drawn": (None, "drawn", "none", {"not-checkable"}, {"unclear"}),
    "made-up sky, everything constant": ("invented", "none", "none", {"contradicts"}, {"contradicts"}),
    "made-up sky, constant signals, drawn positions":
        ("invented", "drawn", "none", {"contradicts"}, {"contradicts", "unclear"}),
    "made-up sky, everything drawn":
        ("invented", "drawn", "drawn", {"contradicts"}, {"contradicts", "unclear"}),
    "made-up sky, good noise": ("invented", "slow", "slow", {"contradicts"}, {"agrees", "unclear"}),
    "the sky of three hours ago, good noise": (3, "slow", "slow", {"contradicts"}, {"agrees", "unclear"}),
    "the right sky, constant signals, drawn positions":
        (0, "drawn", "none", {"agrees"}, {"contradicts", "unclear"}),
    "the right sky, good positions, drawn signals": (0, "slow", "drawn", {"agrees"}, {"unclear"}),
    "the right sky, good noise": (0, "slow", "slow", {"agrees"}, {"agrees", "unclear"}),
}
faults = []


def require(holds, words):
    print(("ok    " if holds else "FAULT ") + words, flush=True)
    if not holds:
        faults.append(words)


# Orbits

def summed(line):
    return line + str(sum(int(c) if c.isdigit() else c == "-" for c in line) % 10)


def elements():
    """Two-line elements of 24 GPS and 24 Galileo satellites that nobody launched, of today."""
    now = datetime.datetime.now(UTC)
    day = (now - datetime.datetime(now.year, 1, 1, tzinfo=UTC)).total_seconds() / 86400 + 1
    made = []
    for name, inclination, turns in [("GPS BIIF-9  (PRN {:02})", 55, 2.0056), ("GSAT0200 (PRN E{:02})", 56, 1.7047)]:
        for number in range(1, 25):
            catalogue = len(made) + 20001
            first = summed(f"1 {catalogue}U 20001A   {now:%y}{day:012.8f}  .00000000  00000-0  00000-0 0  999")
            second = summed(
                f"2 {catalogue} {inclination:8.4f} {number % 6 * 60:8.4f} 0010000  30.0000"
                f" {(number // 6 * 90 + number % 6 * 25) % 360:8.4f} {turns:11.8f}    1")
            made.append((name.format(number), number if "GPS" in name else 300 + number, first, second))
    return made


def direction(first, second, when):
    record = Satrec.twoline2rv(first, second, WGS72)
    day, part = jday(when.year, when.month, when.day, when.hour, when.minute, when.second)
    error, (x, y, z), _ = record.sgp4(day, part)
    assert error == 0
    century = (day - 2451545.0 + part) / 36525
    turn = radians((67310.54841 + (876600 * 3600 + 8640184.812866) * century + 0.093104 * century**2) / 240) % (2 * pi)
    x, y, z = (1000 * v for v in (x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn), z))
    latitude, longitude = map(radians, PLACE)
    normal = 6378137 / sqrt(1 - 6.69437999014e-3 * sin(latitude) ** 2)
    x -= normal * cos(latitude) * cos(longitude)
    y -= normal * cos(latitude) * sin(longitude)
    z -= normal * (1 - 6.69437999014e-3) * sin(latitude)
    out = cos(longitude) * x + sin(longitude) * y
    up, east, north = cos(latitude) * out + sin(latitude) * z, cos(longitude) * y - sin(longitude) * x, \
        cos(latitude) * z - sin(latitude) * out
    return degrees(asin(up / sqrt(x * x + y * y + z * z))), degrees(atan2(east, north)) % 360


def satellites(sky, orbits, chance):
    if sky is None:
        return []
    if sky == "invented":
        return [(number, chance.uniform(10, 80), chance.uniform(0, 359)) for number in range(2, 32, 3)]
    when = datetime.datetime.now(UTC) - datetime.timedelta(hours=sky)
    seen = [(number, *direction(first, second, when)) for _, number, first, second in orbits]
    return [one for one in seen if one[1] > 8][:16]


# Receivers

class Wobble:
    def __init__(self, kind, size, chance):
        self.kind, self.size, self.chance = kind, size, chance
        self.state = chance.gauss(0, size) if kind == "slow" else 0

    def next(self):
        if self.kind == "none":
            return 0
        drawn = self.chance.gauss(0, self.size)
        self.state = 0.95 * self.state + 0.31 * drawn if self.kind == "slow" else drawn
        return self.state


class Receiver:
    """An invented receiver; `serve` gives its sentences to each who connects to a TCP port."""

    def __init__(self, sky, positions, signals, orbits, seed):
        chance = random.Random(seed)
        self.sky = satellites(sky, orbits, chance)
        self.place = [Wobble(positions, size, chance) for size in (0.05, 0.05, 0.1)]
        self.signals = [Wobble(signals, 2, chance) for _ in self.sky]
        # No two of them stand at one height: a sky and a place that never change would else be the same.
        self.height = 250 + seed

    def sentences(self):
        now = datetime.datetime.now(UTC)
        east, north, up = (one.next() for one in self.place)
        latitude, longitude = PLACE[0] + north / 111200, PLACE[1] + east / (111320 * cos(radians(PLACE[0])))
        place = f"{int(latitude):02}{latitude % 1 * 60:010.7f},N,{int(longitude):03}{longitude % 1 * 60:010.7f},E"
        lines = [f"GNRMC,{now:%H%M%S}.00,A,{place},0.01,,{now:%d%m%y},,,A",
                 f"GNGGA,{now:%H%M%S}.00,{place},1,{max(6, len(self.sky)):02},0.9,{self.height + up:.2f},M,44.0,M,,",
                 "GNGST,{:%H%M%S}.00,1.0,0.8,0.7,10,0.8,0.7,1.4".format(now)]
        for talker, system, low in [("GP", 1, 0), ("GA", 3, 300)]:
            own = [(number - low, elevation, azimuth, max(20, round(30 + elevation / 5 + wobble)))
                   for (number, elevation, azimuth), wobble in zip(self.sky, self.strengths(low))
                   if low < number < low + 100]
            if not own:
                continue
            used = ",".join([str(one[0]) for one in own[:12]] + [""] * (12 - len(own[:12])))
            lines.append(f"GNGSA,A,3,{used},1.5,0.9,1.2,{system}")
            parts = [own[at:at + 4] for at in range(0, len(own), 4)]
            for number, part in enumerate(parts):
                groups = ",".join(f"{a:02},{round(b):02},{round(c) % 360:03},{d:02}" for a, b, c, d in part)
                lines.append(f"{talker}GSV,{len(parts)},{number + 1},{len(own):02},{groups},1")
        return "".join(f"${line}*{self.sum(line):02X}\r\n" for line in lines).encode()

    def strengths(self, low):
        if low == 0:
            self.now = [one.next() for one in self.signals]
        return self.now

    @staticmethod
    def sum(line):
        total = 0
        for character in line:
            total ^= ord(character)
        return total

    def stream(self, write, over):
        with contextlib.suppress(OSError):
            while not over.is_set():
                write(self.sentences())
                time.sleep(1 - time.time() % 1)

    @contextlib.contextmanager
    def serve(self):
        over = threading.Event()
        server = socket.create_server(("127.0.0.1", 0))

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    one, _ = server.accept()
                    threading.Thread(target=self.stream, args=(one.sendall, over), daemon=True).start()
        threading.Thread(target=accept, daemon=True).start()
        try:
            yield server.getsockname()[1]
        finally:
            over.set()
            server.close()


# The programs

class Stand:
    def __init__(self, program, folder):
        self.program, self.folder = shutil.copy(program, folder / "standpoint"), folder
        self.environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        self.orbits = elements()
        (folder / "office/office/orbits").mkdir(parents=True)
        (folder / "office/office/orbits/made.tle").write_text(
            "".join(f"{name}\n{first}\n{second}\n" for name, _, first, second in self.orbits))
        self.run("office", "office", "agency", "add", "north")
        for number in range(len(FAKES) + 1):
            self.run("office", "office", "user", "add", f"ines{number}", "--role", "inspector", "--agency", "north",
                     "--password-stdin", given=PASSWORD)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.office = subprocess.Popen(
            [self.program, "office", "--listen", self.address, "--data", folder / "office"], text=True,
            stdout=subprocess.PIPE, stderr=open(folder / "office.log", "w"), env=self.environment)
        assert "office at" in self.office.stdout.readline()
        for number in range(len(FAKES) + 1):
            self.run(f"field{number}", "login", "--office", f"http://{self.address}", "--user", f"ines{number}",
                     "--password-stdin", given=PASSWORD)

    def run(self, data, *words, given=None, may_fail=False):
        done = subprocess.run([self.program, *map(str, words), "--data", self.folder / data], text=True, input=given,
                              capture_output=True, env=self.environment)
        if done.returncode != 0 and not may_fail:
            raise SystemExit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
        return done

    def capture(self, data, source, may_fail=False):
        return self.run(data, "capture", "--gnss", source, "--samples", 20, "--countdown", 0, "--wait", 90,
                        "--camera", f"{self.program} demo-picture {{file}} --width 640 --height 480",
                        "--format", "json", may_fail=may_fail)

    def photo(self, data, source):
        """Takes a photo with a receiver, delivers it, and returns its identifier."""
        taken = json.loads(self.capture(data, source).stdout.splitlines()[0])["id"]
        self.run(data, "photo", "send", taken)
        self.run(data, "deliver")
        return taken

    def ask(self, sql, *values):
        database = sqlite3.connect(f"file:{self.folder}/office/office/standpoint.sqlite?mode=ro", uri=True, timeout=30)
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def checks(self, photo):
        deadline = time.monotonic() + 60
        while not self.ask("SELECT 1 FROM photo WHERE id = ? AND verdict IS NOT NULL", photo):
            assert time.monotonic() < deadline, "the office does not look at the photo"
            time.sleep(0.3)
        return {name: (outcome, json.loads(numbers), words) for name, outcome, numbers, words in
                self.ask("SELECT name, outcome, numbers, words FROM photo_check WHERE photo = ?", photo)}


def short(numbers):
    return ", ".join(f"{name} {round(value, 2)}" for name, value in sorted(numbers.items()))


def rising(stand):
    def play(number, name):
        sky, positions, signals, *_ = FAKES[name]
        with Receiver(sky, positions, signals, stand.orbits, number).serve() as port:
            return stand.checks(stand.photo(f"field{number}", f"tcp://127.0.0.1:{port}"))
    with concurrent.futures.ThreadPoolExecutor(len(FAKES)) as pool:
        results = list(pool.map(play, range(len(FAKES)), FAKES))
    for name, checks in zip(FAKES, results):
        *_, sky, noise = FAKES[name]
        require(checks["sky"][0] in sky, f"{name}: sky {checks['sky'][0]} ({short(checks['sky'][1])})")
        require(checks["noise"][0] in noise,
                f"{name}: noise {checks['noise'][0]} {checks['noise'][2] or ''} ({short(checks['noise'][1])})")
        for check in ("seal", "standpoint", "chain", "file"):
            require(checks[check][0] == "agrees", f"{name}: {check} {checks[check]}")


def forbidden(stand):
    last = f"field{len(FAKES)}"
    stand.run("office", "office", "agency", "policy", "north", "--set", "receivers=gpsd bluetooth serial")
    wrong = stand.run("office", "office", "agency", "policy", "north", "--set", "receivers=usb", may_fail=True)
    require(wrong.returncode == 2 and "receivers" in wrong.stderr, f"a wrong list is refused: {wrong.stderr.strip()}")
    stand.run(last, "deliver")
    with Receiver(0, "slow", "slow", stand.orbits, 77).serve() as port:
        refused = stand.capture(last, f"tcp://127.0.0.1:{port}", may_fail=True)
        require(refused.returncode != 0 and "does not take photos with this receiver" in refused.stderr,
                f"a receiver over TCP is refused with {refused.returncode}: {refused.stderr.strip()}")
    if shutil.which("gpsd") is None:
        require(False, "gpsd is not installed: apt install gpsd")
        return
    over, (controller, terminal) = threading.Event(), os.openpty()
    device = os.ttyname(terminal)
    receiver = Receiver(0, "slow", "slow", stand.orbits, 78)
    link = stand.folder / "gps0"
    link.symlink_to(device)
    refused = stand.capture(last, f"serial://{link}?baud=9600", may_fail=True)
    require(refused.returncode != 0 and "does not take photos with this receiver" in refused.stderr,
            f"a link to a pseudo-terminal is refused: {refused.stderr.strip()}")
    threading.Thread(target=receiver.stream, args=(lambda text: os.write(controller, text), over), daemon=True).start()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    gpsd = subprocess.Popen(["gpsd", "-N", "-n", "-S", str(port), device], stderr=subprocess.DEVNULL)
    try:
        time.sleep(2)
        checks = stand.checks(stand.photo(last, f"gpsd://127.0.0.1:{port}"))
        require(checks["policy"][0] == "contradicts" and checks["policy"][2] == "receivers",
                f"a gpsd that reads from a pseudo-terminal breaks the policy: {checks['policy']}")
        require(checks["sky"][0] == "agrees", f"its sky by gpsd's JSON: {short(checks['sky'][1])}")
    finally:
        over.set()
        gpsd.kill()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True, help="the program, built for release")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="standpoint-fakes-") as folder:
        stand = Stand(given.program, pathlib.Path(folder))
        try:
            rising(stand)
            forbidden(stand)
        finally:
            stand.office.terminate()
            stand.office.wait()
            complaints = [line for line in pathlib.Path(folder, "office.log").read_text().splitlines()
                          if "orbits" in line]
            require(not complaints, f"the office complains of no orbits {complaints[:2]}")
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
