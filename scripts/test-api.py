#!/usr/bin/env python3
"""Holds a running office's answers against schemas/openapi.yaml, with PyPI's schemathesis.

An office is started on data of its own: two agencies, people of each role, tasks, a device, a task that
was delivered with a photo and a track. Every address is then asked, with what the description allows and
with what it does not, by an officer, by an administrator, by a device, and by nobody. What is looked for
is an answer of 5xx, and one that the description does not know: a status, a type, a header, a member.

Exit status: 0 all answers are as described, 1 some are not, 2 bad arguments, 3 something is missing.
"""
import argparse
import datetime
import json
import os
import pathlib
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
PASSWORD = "kestrel over wet barley"
PEOPLE = [("ines", "inspector"), ("igor", "inspector"), ("otto", "officer"), ("anna", "administrator")]
# Strange requests of the others may set passwords in their agency, and so end sessions there. These sit in another.
UNTOUCHED = [("sara", "officer"), ("sven", "officer")]
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance",
          "response_headers_conformance", "response_schema_conformance", "unsupported_method",
          "allow_header_conformance", "ignored_auth"]
# Whoever runs these is signed out: they come last, and by themselves.
ENDINGS = ["endSession", "endSessionsElsewhere", "signOut"]
# The examples of the description; each gives way to a thing of the office that is asked.
EXAMPLES = {"task": "0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f",
            "photo": "0190a5c0-7d2e-7cc3-98c4-dc0c0c073990",
            "track": "0190a5c0-7d2e-7cc3-98c4-dc0c0c073991",
            "key": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}
# schemathesis does not know how a chunk of a file, or a table, is written.
HOOKS = """
import schemathesis


@schemathesis.serializer("application/offset+octet-stream", "text/csv")
def chunk(context, value):
    value = getattr(value, "data", value)
    return value if isinstance(value, bytes) else str(value).encode(errors="ignore")
"""
ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no", NO_COLOR="1")


def stop(words):
    print(f"test-api: {words}", file=sys.stderr)
    sys.exit(3)


def nmea(began, seconds=30):
    """A receiver that stands still, one second after the other."""
    noise = random.Random(1)
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


class Stand:
    """An office with its people, and a field unit that has worked for it."""

    def __init__(self, program, folder):
        self.program, self.folder = shutil.copy(program, folder / "standpoint"), folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.url = f"http://{self.address}"
        self.office = folder / "office-data"
        for agency in ["north", "south"]:
            self.run("office", "agency", "add", agency, data=self.office)
        for agency, people in [("north", PEOPLE), ("south", UNTOUCHED)]:
            for login, role in people:
                self.run("office", "user", "add", login, "--role", role, "--agency", agency,
                         "--password-stdin", data=self.office, given=PASSWORD)
        features = [{"type": "Feature",
                     "properties": {"identifier": f"P-{number}", "name": f"Field {number}",
                                    "inspector": "ines", "due": "2026-06-30",
                                    "type": ["claim", "visit"][number % 2]},
                     "geometry": {"type": "Polygon", "coordinates": [
                         [[16.62, 49.07], [16.64, 49.07], [16.64, 49.09], [16.62, 49.09], [16.62, 49.07]]]}}
                    for number in range(12)]
        self.run("office", "user", "add", "root", "--role", "super-administrator", "--password-stdin",
                 data=self.office, given=PASSWORD)
        path = folder / "tasks.geojson"
        path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
        self.run("office", "task", "import", path, "--agency", "north", data=self.office)
        self.log = open(folder / "office.log", "w")
        self.process = subprocess.Popen(
            [self.program, "office", "--listen", self.address, "--data", self.office], text=True,
            stdout=subprocess.PIPE, stderr=self.log, env=ENVIRONMENT)
        if "office at" not in self.process.stdout.readline():
            stop("the office does not start: " + (folder / "office.log").read_text())

    def run(self, *words, data, given=None, json_lines=False):
        words = [str(word) for word in words] + ["--data", str(data)]
        if json_lines:
            words += ["--format", "json"]
        done = subprocess.run([self.program, *words], text=True, input=given, capture_output=True,
                              env=ENVIRONMENT)
        if done.returncode != 0:
            stop(f"{' '.join(words)}: status {done.returncode}\n{done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines()] if json_lines else done.stdout

    def deliver(self):
        """One task is delivered with a photo and a track; what the examples of the description stand for."""
        field, log = self.folder / "field-data", self.folder / "receiver.nmea"
        log.write_text(nmea(datetime.datetime(2026, 6, 1, 9, 30)))
        source = f"file://{log}?rate=max"
        self.run("login", "--office", self.url, "--user", "ines", "--password-stdin", data=field,
                 given=PASSWORD)
        self.run("login", "--office", self.url, "--user", "igor", "--password-stdin",
                 data=self.folder / "phone-data", given=PASSWORD)
        self.run("deliver", data=field)
        task = self.run("task", "list", data=field, json_lines=True)[0]["id"]
        self.run("task", "open", task, data=field)
        subprocess.run([self.program, "demo-picture", self.folder / "picture.jpg", "--width", "320",
                        "--height", "240"], check=True, env=ENVIRONMENT, capture_output=True)
        for target in [["--task", task], []]:
            self.run("capture", *target, "--image", self.folder / "picture.jpg", "--gnss", source,
                     "--samples", 5, "--countdown", 0, data=field)
        self.run("track", "record", "--name", "edge", "--task", task, "--gnss", source, data=field,
                 given="")
        self.run("photo", "send", "--all", data=field)
        self.run("task", "provide", task, data=field)
        self.run("deliver", data=field)
        photos = [photo for photo in self.run("photo", "list", data=field, json_lines=True)
                  if photo.get("task") == task]
        tracks = self.run("track", "list", data=field, json_lines=True)
        with sqlite3.connect(f"file:{field}/field/standpoint.sqlite?mode=ro", uri=True) as database:
            token = database.execute(
                "SELECT token FROM sign_in WHERE token IS NOT NULL").fetchone()[0]
        with sqlite3.connect(
                f"file:{self.office}/office/standpoint.sqlite?mode=ro", uri=True) as database:
            key = database.execute("SELECT key FROM device WHERE inspector = 'igor'").fetchone()[0]
        return token, {"task": task, "photo": photos[0]["id"], "track": tracks[0]["id"], "key": key}

    def ask(self, method, path, token=None, body=None):
        """Status, headers and JSON of an answer."""
        request = urllib.request.Request(self.url + path, method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            answer = urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        data = answer.read()
        return answer.status, answer.headers, json.loads(data) if data else None

    def sign_in(self, login):
        """A session's token; nil where the office has no console for programs."""
        status, _, session = self.ask("POST", "/api/v1/officer-sessions", None,
                                      {"login": login, "password": PASSWORD})
        return session["token"] if status == 201 else None

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


def description(folder, things):
    """The description with the office's own things as its examples."""
    target = folder / "schemas"
    shutil.copytree(ROOT / "schemas", target)
    path = target / "openapi.yaml"
    text = path.read_text("utf-8")
    for name, example in EXAMPLES.items():
        if example not in text:
            stop(f"schemas/openapi.yaml has no example {example} of a {name} any more")
        text = text.replace(example, things[name])
    path.write_text(text, "utf-8")
    (target / "hooks.py").write_text(HOOKS)
    return path


def examine(who, token, url, path, options, seconds, endings=False):
    """Lets schemathesis ask as somebody; says whether all answers were as described."""
    words = [str(options.schemathesis), "run", str(path), "--url", url, "--seed", str(options.seed),
             "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing",
             "--max-time", str(seconds), "--continue-on-failure", "--no-shrink",
             "--suppress-health-check", "all", "--warnings", "off", "--workers", "1",
             "--request-timeout", "30"]
    for name in ENDINGS:
        words += [f"--{'include' if endings else 'exclude'}-operation-id", name]
    if options.paths and not endings:
        words += ["--include-path-regex", options.paths]
    if token:
        words += ["--header", f"Authorization: Bearer {token}"]
    began = time.monotonic()
    done = subprocess.run(words, text=True, capture_output=True,
                          env=dict(ENVIRONMENT, SCHEMATHESIS_HOOKS=str(path.parent / "hooks.py")), cwd=path.parent)
    is_right = done.returncode == 0
    print(f"{who}: {'as described' if is_right else 'NOT as described'},"
          f" {time.monotonic() - began:.0f} s", flush=True)
    if not is_right or options.verbose:
        print(done.stdout, done.stderr, sep="\n")
    return is_right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=str(ROOT / ".build/debug/standpoint"))
    parser.add_argument("--quick", action="store_true", help="half a minute instead of three")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--paths", help="only addresses that match this regular expression")
    parser.add_argument("--schemathesis", default=str(ROOT / ".venv/bin/schemathesis"))
    parser.add_argument("--verbose", action="store_true", help="show what schemathesis says in any case")
    options = parser.parse_args()
    for path, advice in [(options.program, "make build"), (options.schemathesis, "scripts/setup.sh --tests")]:
        if not pathlib.Path(path).exists():
            stop(f"{path} is not there: {advice}")
    seconds = 5 if options.quick else 30
    with tempfile.TemporaryDirectory(prefix="test-api-") as name:
        folder = pathlib.Path(name)
        stand = Stand(options.program, folder)
        try:
            device, things = stand.deliver()
            visitors = [(login, stand.sign_in(login)) for login in ["otto", "anna", "root"]]
            # Signed in now: after a hundred strange sign-ins nobody is let in for a while.
            leaving, ending = [stand.sign_in(login) for login, _ in UNTOUCHED]
            if not options.paths and any(token is None for _, token in visitors):
                stop("the office has no /api/v1/officer-sessions: is the program of these sources?")
            path = description(folder, things)
            results = [examine(who, token, stand.url, path, options, seconds)
                       for who, token in visitors + [("a device", device), ("nobody", None)]]
            results.append(examine("signing out", None, stand.url, path, options, 3, endings=True))
            elsewhere = stand.ask("POST", "/api/v1/console/me/elsewhere", leaving)
            ended = [elsewhere[0], stand.ask("GET", "/api/v1/console/me", leaving)[0],
                     stand.ask("GET", "/api/v1/console/me", (elsewhere[2] or {}).get("token"))[0]]
            if ended != [200, 401, 200]:
                print(f"ending sessions elsewhere: {ended}, not [200, 401, 200]")
                results.append(False)
            ended = [stand.ask("DELETE", "/api/v1/officer-sessions", ending)[0],
                     stand.ask("GET", "/api/v1/console/me", ending)[0]]
            if ended != [204, 401]:
                print(f"ending a session: {ended}, not [204, 401]")
                results.append(False)
        finally:
            stand.end()
        log = (folder / "office.log").read_text()
        if log:
            print("the office said:", log[-4000:], sep="\n")
        if stand.process.returncode != 0:
            print(f"the office ended with {stand.process.returncode}")
            results.append(False)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
