#!/usr/bin/env python3
"""An EGNSS4CAP office's database in a MariaDB server of its own, dumped by mariadb-dump as docs/egnss4cap.md says, and
carried over with its pictures: a look first (--check), then the import, which is interrupted and run again, then once
more with nothing to do.

Needs mariadb-server. Fails where a row is missing or there twice, where what cannot be carried over is not told of, or
where the import has needed more than 150 MB.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no")
APP_SECRET = "bfb576892e43b763731a1596c428987893b2e76ce1be10f733"
MEMORY_MEGABYTES = 150
AGENCIES = 2
FIRST_USER = 10

# The tables as the published schema has them: names and types are facts of the format, the text is ours.
TABLES = """
CREATE TABLE pa (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(100), timestamp DATETIME);
CREATE TABLE user (id INT AUTO_INCREMENT PRIMARY KEY, pa_id INT NOT NULL, login VARCHAR(50), pswd VARCHAR(50),
  name VARCHAR(45), surname VARCHAR(45), identification_number INT, email VARCHAR(45), vat VARCHAR(45),
  active TINYINT(1) DEFAULT 1, timestamp DATETIME, FOREIGN KEY (pa_id) REFERENCES pa (id));
CREATE TABLE role (id INT PRIMARY KEY, role VARCHAR(20));
CREATE TABLE user_role (id INT AUTO_INCREMENT PRIMARY KEY, user_id INT, role_id INT, timestamp DATETIME,
  FOREIGN KEY (user_id) REFERENCES user (id), FOREIGN KEY (role_id) REFERENCES role (id));
CREATE TABLE task_type (id INT PRIMARY KEY, name VARCHAR(100), description TEXT);
CREATE TABLE task (id INT AUTO_INCREMENT PRIMARY KEY, user_id INT, created_id INT, type_id INT,
  status ENUM('new','open','data provided','data checked','returned') NOT NULL, name TEXT, text TEXT,
  text_returned TEXT, text_reason TEXT, date_created DATETIME, task_due_date DATETIME, note TEXT, timestamp DATETIME,
  flg_deleted TINYINT(1) DEFAULT 0, FOREIGN KEY (user_id) REFERENCES user (id));
CREATE TABLE pa_flag (id INT PRIMARY KEY, flag VARCHAR(20));
CREATE TABLE task_flag (id INT AUTO_INCREMENT PRIMARY KEY, task_id INT, flag_id INT, timestamp DATETIME,
  FOREIGN KEY (task_id) REFERENCES task (id) ON DELETE CASCADE);
CREATE TABLE photo (id INT AUTO_INCREMENT PRIMARY KEY, user_id INT, task_id INT, note TEXT,
  lat FLOAT(10,6), lng FLOAT(10,6), centroidLat FLOAT(10,6), centroidLng FLOAT(10,6), altitude FLOAT, bearing FLOAT,
  magnetic_azimuth FLOAT, photo_heading FLOAT, photo_angle FLOAT, roll FLOAT, pitch FLOAT, orientation INT,
  horizontal_view_angle FLOAT, vertical_view_angle FLOAT, accuracy FLOAT, created DATETIME,
  device_manufacture VARCHAR(45), device_model VARCHAR(45), device_platform VARCHAR(45), device_version VARCHAR(45),
  sats_info TEXT, extra_sat_count INT, nmea_msg TEXT, nmea_location TEXT, nmea_distance FLOAT, network_info TEXT,
  network_location TEXT, distance FLOAT, flg_checked_location TINYINT(1), flg_original TINYINT(1), path VARCHAR(100),
  file_name VARCHAR(100), timestamp DATETIME, digest VARCHAR(64), rotation_correction INT DEFAULT 0,
  flg_deleted TINYINT(1) DEFAULT 0, efkLatGpsL1 FLOAT(10,6), efkLngGpsL1 FLOAT(10,6), efkAltGpsL1 FLOAT,
  efkTimeGpsL1 DATETIME, KEY digest (digest));
CREATE TABLE path (id INT AUTO_INCREMENT PRIMARY KEY, user_id INT, name VARCHAR(100), device_manufacture VARCHAR(45),
  device_model VARCHAR(45), device_platform VARCHAR(45), device_version VARCHAR(45), start DATETIME, end DATETIME,
  area DOUBLE, flg_deleted TINYINT(1) DEFAULT 0, timestamp DATETIME, FOREIGN KEY (user_id) REFERENCES user (id));
CREATE TABLE path_point (id INT AUTO_INCREMENT PRIMARY KEY, path_id INT, lat DOUBLE, lng DOUBLE, altitude FLOAT,
  accuracy FLOAT, created DATETIME, timestamp DATETIME,
  FOREIGN KEY (path_id) REFERENCES path (id) ON DELETE CASCADE);
CREATE TABLE land (id INT AUTO_INCREMENT PRIMARY KEY, identificator VARCHAR(100), pa_description TEXT, wkt MEDIUMTEXT,
  wgs_geometry MEDIUMTEXT, wgs_min_lat FLOAT, wgs_max_lat FLOAT, wgs_min_lng FLOAT, wgs_max_lng FLOAT,
  KEY bounds (wgs_max_lat, wgs_min_lat, wgs_max_lng, wgs_min_lng));
CREATE TABLE page (id INT PRIMARY KEY, name VARCHAR(50));
CREATE TABLE comm_log (id INT AUTO_INCREMENT PRIMARY KEY, status VARCHAR(10), error_msg TEXT, timestamp DATETIME);
"""


class Server:
    """A MariaDB server on a socket of its own, without a network."""

    def __init__(self, folder):
        self.folder, self.socket = folder, folder / "s"
        data = folder / "mysql"
        user = ["--user=mysql"] if os.geteuid() == 0 else []
        data.mkdir()
        if user:
            shutil.chown(folder, "mysql")
            shutil.chown(data, "mysql")
        subprocess.run(["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--skip-test-db",
                        "--auth-root-authentication-method=normal", *user],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.process = subprocess.Popen(
            [shutil.which("mariadbd") or "/usr/sbin/mariadbd", "--no-defaults", f"--datadir={data}", "--skip-networking",
             f"--socket={self.socket}", f"--pid-file={folder / 'p'}", "--local-infile=1",
             "--innodb-flush-log-at-trx-commit=0", *user],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            if self.socket.exists():
                break
            time.sleep(0.1)

    def words(self, program):
        return [program, "--no-defaults", "-u", "root", f"--socket={self.socket}"]

    def ask(self, text):
        subprocess.run([*self.words("mariadb"), "--local-infile=1", "--default-character-set=utf8mb4"],
                       input=text, text=True, check=True, stdout=subprocess.DEVNULL)

    def fill(self, table, columns, rows):
        file = self.folder / f"{table}.tsv"
        with open(file, "w") as out:
            for row in rows:
                out.write("\t".join(escaped(value) for value in row) + "\n")
        self.ask(f"USE egnss4cap; SET FOREIGN_KEY_CHECKS=0; LOAD DATA LOCAL INFILE '{file}' INTO TABLE {table}"
                 f" CHARACTER SET utf8mb4 ({columns.replace(' ', ',')});")
        file.unlink()

    def dump(self, file):
        with open(file, "wb") as out:
            subprocess.run([*self.words("mariadb-dump"), "--single-transaction", "--hex-blob",
                            "--default-character-set=utf8mb4", "egnss4cap"], check=True, stdout=out)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def escaped(value):
    if value is None:
        return "\\N"
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def clock(second, gap="T"):
    return time.strftime(f"%Y-%m-%d{gap}%H:%M:%S", time.gmtime(1_685_600_000 + second))


class Older:
    """What the older office has: every hundredth photo has no picture any more, every fiftieth was deleted."""

    def __init__(self, options, jpeg):
        self.options, self.jpeg = options, jpeg
        self.users = options.users
        self.padding = b"".join(b"\xff\xfe\xff\xff" + bytes(65_533)
                                for _ in range(max(0, options.bytes - len(jpeg)) // 65_537))

    def user(self, number):
        return FIRST_USER + number % self.users

    def agency(self, user):
        return 2 + (user - FIRST_USER) % AGENCIES

    def is_deleted(self, photo):
        return photo % 50 == 49

    def is_missing(self, photo):
        return photo % 100 == 7

    def picture(self, photo):
        return b"\xff\xd8\xff\xfe\x00\x0a" + b"%08d" % photo + self.padding + self.jpeg[2:]

    def fill(self, server):
        options = self.options
        server.ask("CREATE DATABASE egnss4cap CHARACTER SET utf8; USE egnss4cap; SET FOREIGN_KEY_CHECKS=0;" + TABLES)
        server.fill("pa", "id name timestamp", [(1, "admin", clock(0, " "))] + [
            (2 + n, f"Agentura {n} – Žďár", clock(n, " ")) for n in range(AGENCIES)])
        server.fill("role", "id role", [(1, "farmer"), (2, "officer"), (3, "superadmin")])
        numbers = range(FIRST_USER, FIRST_USER + self.users)
        server.fill("user", "id pa_id login pswd name surname active timestamp", (
            (n, self.agency(n), f"inspektor{n}", hashlib.sha1(f"heslo {n}".encode()).hexdigest(), "Jan",
             f"O'Novák \\ {n}", 1, clock(n, " ")) for n in numbers))
        server.fill("user_role", "user_id role_id timestamp", ((n, 1, clock(n, " ")) for n in numbers))
        server.fill("task_type", "id name description", [(1, "Kontrola plodiny", None)])
        server.fill("pa_flag", "id flag", [(1, "valid"), (2, "invalid"), (3, "returned")])
        states = ["new", "open", "data provided", "data checked", "returned"]
        server.fill(
            "task", "id user_id created_id type_id status name text text_returned date_created task_due_date note"
            " timestamp flg_deleted",
            ((n, self.user(n), self.user(n), 1, states[n % 5], f"Úkol {n}", "Vyfoť; \"řepu\"\nči 'len' \\", "Tmavé."
              if n % 5 == 4 else None, clock(n, " "), clock(n + 86_400, " "), "hotovo & \t dobré", clock(n, " "), 0)
             for n in range(1, options.tasks + 1)))
        server.fill("task_flag", "task_id flag_id timestamp",
                    ((n, 1 + n % 2, clock(n, " ")) for n in range(3, options.tasks + 1, 5)))
        server.fill(
            "photo", "id user_id task_id note lat lng altitude photo_heading accuracy created device_platform"
            " sats_info nmea_msg network_info path file_name timestamp digest flg_original flg_deleted",
            self.photos())
        server.fill("path", "id user_id name start end area timestamp", (
            (n, self.user(n), f"Okraj {n}", clock(n, " "), clock(n + options.points, " "), 1234.5, clock(n, " "))
            for n in range(1, options.paths + 1)))
        server.fill("path_point", "path_id lat lng altitude accuracy created timestamp", (
            (n, 49 + p * 1e-6, 16 + n * 1e-4, 231.5, 2.5, clock(n + p, " "), clock(n + p, " "))
            for p in range(options.points) for n in range(1, options.paths + 1)))
        server.fill("land", "identificator pa_description wkt wgs_geometry", self.parcels())

    def photos(self):
        for photo in range(1, self.options.photos + 1):
            task = 1 + photo // 8 if photo % 8 and photo // 8 < self.options.tasks else None
            user = self.user(task) if task else self.user(photo)
            android = photo % 2 == 0
            words = clock(photo) + f".{photo % 1000:03}Z" if android else clock(photo + 7200, " ")
            inner = hashlib.sha256(self.picture(photo)).hexdigest()
            digest = hashlib.sha256(f"{APP_SECRET}_{inner}_{words}_{user}".encode()).hexdigest()
            folder = f"photos/{self.agency(user)}/{user}/"
            if not self.is_missing(photo):
                place = self.options.folder / folder
                place.mkdir(parents=True, exist_ok=True)
                (place / f"image_{photo}.jpeg").write_bytes(self.picture(photo))
            satellites = json.dumps([{"prn": f"{n}_L1", "snr": 30 + n / 7} for n in range(24)]) if android else None
            sentence = "$GNGGA,101010.00,4904.80,N,01637.80,E,1,12,0.9,231.2,M,44.0,M,,*00\n" * 8 if android else None
            yield (photo, user, task, "řepa & \"len\"", round(49 + photo * 1e-5, 6), round(16 + photo * 1e-5, 6), 231.2,
                   123.4, 3.5, clock(photo, " "), "Android" if android else None, satellites, sentence, None, folder,
                   f"image_{photo}.jpeg", clock(photo + 60, " "), digest, 1, int(self.is_deleted(photo)))

    def parcels(self):
        side = 300
        for n in range(self.options.parcels):
            south, west = 49 + (n % side) * 1e-3, 16 + (n // side) * 1e-3
            corners = [[south + a * 9e-4, west + b * 9e-4] for a, b in
                       [(0, 0), (0, .5), (0, 1), (.3, 1.05), (.6, 1), (1, 1), (1, .5), (1, 0), (.5, -.05), (0, 0)]]
            yield f"P-{n}", "Zelí", "POLYGON((1 2))", json.dumps([[[round(x, 6) for x in c] for c in corners]])


class Import:
    """A run of the import: its summary, status, seconds and most memory."""

    def __init__(self, options, dump, data, report, *more, cancel_at=None):
        words = [options.program, "office", "import-egnss4cap", dump, "--photos", options.folder / "photos", "--zone",
                 "Europe/Prague", "--agency", "agentura-0-zdar", "--data", data, "--report", report, "--format", "json", *more]
        began = time.monotonic()
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as words_out:
            process = subprocess.Popen([str(word) for word in words], stdout=out, stderr=words_out, env=ENVIRONMENT)
            if cancel_at:
                cancel_when_reached(process, data, cancel_at)
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds, self.status = time.monotonic() - began, os.waitstatus_to_exitcode(status)
            self.megabytes = usage.ru_maxrss / 1000
            out.seek(0)
            words_out.seek(0)
            summary, self.words = out.read(), words_out.read()
        self.summary = json.loads(summary) if summary.strip() else None
        if not pathlib.Path(report).exists():
            sys.exit(f"the import ended with status {self.status} and left no report: {self.words}")
        with open(report) as lines:
            self.lines = [json.loads(line) for line in lines]

    def carried(self, part):
        return self.summary["counts"][part]["carried"]


def cancel_when_reached(process, data, photos):
    """Presses Ctrl-C when so many photos are there."""
    database = data / "office" / "standpoint.sqlite"
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.05)
        try:
            with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
                count = connection.execute("SELECT count(*) FROM photo").fetchone()[0]
        except sqlite3.Error:
            continue
        if count >= photos:
            process.send_signal(signal.SIGINT)
            return


def require(what, found, expected):
    print(f"{'ok  ' if found == expected else 'FAIL'} {what}: {found}" + ("" if found == expected else f", not {expected}"))
    return found == expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--photos", type=int, default=20_000)
    parser.add_argument("--bytes", type=int, default=200_000, help="of each picture, about")
    parser.add_argument("--tasks", type=int, default=2_000)
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--paths", type=int, default=500)
    parser.add_argument("--points", type=int, default=1_000, help="of each path")
    parser.add_argument("--parcels", type=int, default=100_000)
    parser.add_argument("--keep", type=pathlib.Path, help="leave dump and data in this folder")
    options = parser.parse_args()
    if not (shutil.which("mariadbd") or pathlib.Path("/usr/sbin/mariadbd").exists()):
        sys.exit("there is no MariaDB server here: install mariadb-server")
    with tempfile.TemporaryDirectory() as folder:
        work = options.keep or pathlib.Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        options.folder = work / "older"
        sys.exit(measure(options, pathlib.Path(folder), work))


def measure(options, folder, work):
    subprocess.run([options.program, "office", "seed", "--photos", "2", "--data", str(folder / "seed"),
                    "--password-stdin"], input="kestrel over wet barley", text=True, check=True, env=ENVIRONMENT,
                   stdout=subprocess.DEVNULL)
    jpeg = next((folder / "seed" / "office" / "photos").rglob("*.jpg")).read_bytes()
    older = Older(options, jpeg)
    dump = work / "dump.sql"
    (folder / "db").mkdir()
    os.chmod(folder, 0o755)
    server = Server(folder / "db")
    try:
        older.fill(server)
        server.dump(dump)
    finally:
        server.stop()
    print(f"a dump of {dump.stat().st_size / 1e6:.0f} MB, {options.photos} photos of {len(older.picture(1))} bytes,"
          f" {options.tasks} tasks, {options.paths * options.points} points, {options.parcels} parcels")
    data, good = work / "data", True
    numbers = range(1, options.photos + 1)
    deleted = sum(map(older.is_deleted, numbers))
    missing = sum(older.is_missing(n) and not older.is_deleted(n) for n in numbers)
    wanted = options.photos - deleted - missing

    look = Import(options, dump, data, work / "look.jsonl", "--check")
    print(f"--check: {look.seconds:.1f} s")
    good &= require("status of --check", look.status, 1 if missing else 0)
    good &= require("photos it would bring", look.carried("photos"), wanted)
    first = Import(options, dump, data, work / "first.jsonl", cancel_at=wanted // 3)
    good &= require("status of the interrupted import", first.status, 1)
    print(f"     {first.words.strip().splitlines()[-1]}")
    rest = Import(options, dump, data, work / "rest.jsonl")
    memory = max(first.megabytes, rest.megabytes)
    print(f"the import: {first.seconds:.1f} s till it was interrupted, {rest.seconds:.1f} s for the rest,"
          f" at most {memory:.0f} MB (limit {MEMORY_MEGABYTES})")
    again = Import(options, dump, data, work / "again.jsonl")
    print(f"once more, nothing to do: {again.seconds:.1f} s")
    good &= require("what the last run brought", sum(again.carried(part) for part in again.summary["counts"]), 0)
    good &= require("rows told of as left out", len([line for line in again.lines if line["outcome"] == "left"]), missing)
    with sqlite3.connect(data / "office" / "standpoint.sqlite") as connection:
        def count(text):
            return connection.execute(text).fetchone()[0]
        good &= require("photos", count("SELECT count(*) FROM photo WHERE origin = 'egnss4cap'"), wanted)
        good &= require("different pictures", count("SELECT count(DISTINCT file_digest) FROM photo"), wanted)
        good &= require("digests that hold", count("SELECT count(*) FROM phone_photo WHERE digest_holds = 1"), wanted)
        good &= require("tasks", count("SELECT count(*) FROM task"), options.tasks)
        good &= require("tracks", count("SELECT count(*) FROM track"), options.paths)
        good &= require("parcels", count("SELECT count(*) FROM parcel"), options.parcels)
    checked = subprocess.run([options.program, "office", "check", "--data", str(data)], env=ENVIRONMENT)
    good &= require("status of office check", checked.returncode, 0)
    return 0 if good and memory <= MEMORY_MEGABYTES else 1


main()
