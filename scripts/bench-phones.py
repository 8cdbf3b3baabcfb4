#!/usr/bin/env python3
"""500 phones with the EGNSS4CAP apps, logged in before, that synchronise at once: 20 photos of 1 MB each over
loopback, half of them encoded as Android does, half raw as iOS does, one connection each.

Fails where one answer is no "ok", a photo is lost or doubled, an answer comes later than 2 s after the last byte of
its body was handed to the system, or the office has needed more than 250 MB.
"""
import argparse
import base64
import hashlib
import json
import multiprocessing
import os
import pathlib
import secrets
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid

PASSWORD = "kestrel over wet barley"
SECRET_ADDRESS = "bench-address-of-phones"
APP_SECRET = "bfb576892e43b763731a1596c428987893b2e76ce1be10f733"
ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no")
ANSWER_SECONDS = 2.0
MEMORY_MEGABYTES = 250
PROCESSES = 4


def run(*words, given=None):
    subprocess.run([str(word) for word in words], check=True, text=True, input=given,
                   stdout=subprocess.DEVNULL, env=ENVIRONMENT)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def stored_password():
    """As cheap as the office reads it back: hashing is not what is measured."""
    salt = b"7" * 16
    key = hashlib.scrypt(PASSWORD.encode(), salt=salt, n=1024, r=1, p=1, dklen=32)

    def text(data):
        return base64.urlsafe_b64encode(data).decode().rstrip("=")
    return f"scrypt$1024$1$1${text(salt)}${text(key)}"


def people_and_tasks(database, agency, count):
    """A task of each, open."""
    now = int(time.time() * 1000)
    stored = stored_password()
    with sqlite3.connect(database) as connection:
        for number in range(count):
            login = f"phone{number}"
            connection.execute(
                "INSERT INTO person (login, agency, role, name, password, created)"
                " VALUES (?, ?, 'inspector', ?, ?, ?)", (login, agency, login, stored, now))
            connection.execute(
                "INSERT INTO task (id, agency, inspector, name, state, revision, created)"
                " VALUES (?, ?, ?, ?, 'open', 1, ?)", (str(uuid.uuid4()), agency, login, "Field", now))


class Pictures:
    """One JPEG of about 1 MB, another one for each photo: a remark in front differs, the rest is shared, so that 500
    phones need no 500 copies of it."""

    def __init__(self, jpeg, size):
        padding = b""
        while len(padding) + len(jpeg) + 65_535 < size:
            padding += b"\xff\xfe\xff\xff" + secrets.token_bytes(65_533)
        rest = max(4, size - len(padding) - len(jpeg) - 100)
        padding += b"\xff\xfe" + (rest + 2).to_bytes(2, "big") + secrets.token_bytes(rest)
        self.tail = padding + jpeg[2:]
        text = base64.b64encode(self.tail)
        self.raw = text.replace(b"/", b"\\/")
        lines = b"\\n".join(text[i:i + 76] for i in range(0, len(text), 76))
        self.encoded = lines.replace(b"\\", b"%5C").replace(b"/", b"%5C%2F").replace(
            b"+", b"%2B").replace(b"=", b"%3D")

    def head(self):
        # Two bytes of the file's beginning, four of the remark's, sixty of it: threes, so that base64 can be joined.
        return b"\xff\xd8\xff\xfe" + (62).to_bytes(2, "big") + secrets.token_hex(30).encode()


class Phone:
    def __init__(self, port, number):
        self.port, self.number, self.is_android = port, number, number % 2 == 0
        self.connection, self.reader = None, None
        self.slowest, self.numbers, self.errors = 0.0, [], []

    def connect(self):
        self.connection = socket.create_connection(("127.0.0.1", self.port))
        # What is handed to the system is on its way soon, as on a phone's own network.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 << 10)
        self.reader = self.connection.makefile("rb")

    def ask(self, script, *parts):
        length = sum(map(len, parts))
        head = (f"POST /{SECRET_ADDRESS}//egnss4allservices/comm_{script}.php HTTP/1.1\r\n"
                f"Host: 127.0.0.1:{self.port}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                f"Content-Length: {length}\r\n\r\n").encode()
        self.connection.sendall(head)
        for part in parts:
            self.connection.sendall(part)
        sent = time.monotonic()
        status = self.reader.readline()
        fields = {}
        while line := self.reader.readline().strip():
            name, _, value = line.partition(b":")
            fields[name.lower()] = value.strip()
        body = self.reader.read(int(fields.get(b"content-length", b"0")))
        seconds = time.monotonic() - sent
        if not status.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"{script}: {status!r}")
        answer = json.loads(body)
        if answer["status"] != "ok":
            raise RuntimeError(f"{script}: {answer}")
        return answer, seconds

    def log_in(self):
        self.connect()
        words = f"login=phone{self.number}&pswd={PASSWORD.replace(' ', '+')}".encode()
        self.user = self.ask("login", words)[0]["user"]["id"]
        self.task = self.ask("tasks", f"user_id={self.user}".encode())[0]["tasks"][0]["id"]

    def send(self, pictures, second):
        head = pictures.head()
        created = f"2026-06-01 09:{second // 60:02}:{second % 60:02}"
        inner = hashlib.sha256(head)
        inner.update(pictures.tail)
        digest = hashlib.sha256(
            f"{APP_SECRET}_{inner.hexdigest()}_{created}_{self.user}".encode()).hexdigest()
        fields = (f'{{"lat":49.08,"lng":16.63,"accuracy":3.0,"created":"{created}","digest":"{digest}",'
                  '"note":"","photo":"')
        begin = f"user_id={self.user}&task_id={self.task}&photo="
        text = base64.b64encode(head)
        if self.is_android:
            from urllib.parse import quote_plus
            parts = [begin.encode(), quote_plus(fields).encode(), quote_plus(text.decode().replace("/", "\\/")).encode(),
                     pictures.encoded, b"%5Cn%22%7D"]
        else:
            parts = [begin.encode(), fields.encode(), text.replace(b"/", b"\\/"), pictures.raw, b'"}']
        answer, seconds = self.ask("photo", *parts)
        self.slowest = max(self.slowest, seconds)
        self.numbers.append(answer["photo_id"])

    def synchronise(self, pictures, count):
        try:
            for second in range(count):
                self.send(pictures, second)
            self.ask("status", f"task_id={self.task}&status=data provided&note=".encode())
        except Exception as error:  # whatever it is, the phone would say that sending has failed
            self.errors.append(f"phone {self.number}: {error}")


def synchronise(phones, pictures, count, barrier, results):
    """A part of the phones, in a process of its own: Python's threads wait for each other, and an answer that lies
    there would seem to be late."""
    threads = [threading.Thread(target=phone.synchronise, args=(pictures, count)) for phone in phones]
    barrier.wait()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put([(phone.slowest, phone.numbers, phone.errors) for phone in phones])


def peak_megabytes(process):
    for line in open(f"/proc/{process.pid}/status"):
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1000
    return 0


def processor_seconds(process):
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--phones", type=int, default=500)
    parser.add_argument("--photos", type=int, default=20)
    parser.add_argument("--bytes", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "data"
        program = options.program
        run(program, "office", "seed", "--photos", "2", "--data", data, "--password-stdin", given=PASSWORD)
        jpeg = next((data / "office" / "photos").rglob("*.jpg")).read_bytes()
        database = data / "office" / "standpoint.sqlite"
        with sqlite3.connect(database) as connection:
            agency = connection.execute("SELECT agency FROM agency").fetchone()[0]
        people_and_tasks(database, agency, options.phones)
        run(program, "office", "agency", "phones", agency, "--data", data, "--address", SECRET_ADDRESS,
            "--zone", "UTC", "--logins", "10000,10000", "--requests", "1000,10000")
        port = free_port()
        process = subprocess.Popen(
            [program, "office", "--egnss4cap", "--listen", f"127.0.0.1:{port}", "--data", str(data),
             "--disk-reserve", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT)
        try:
            assert "office at" in process.stdout.readline()
            phones = [Phone(port, number) for number in range(options.phones)]
            for phone in phones:
                phone.log_in()
            pictures = Pictures(jpeg, options.bytes)
            barrier = multiprocessing.Barrier(PROCESSES + 1)
            results = multiprocessing.Queue()
            parts = [phones[part::PROCESSES] for part in range(PROCESSES)]
            senders = [multiprocessing.Process(target=synchronise, args=(part, pictures, options.photos, barrier, results))
                       for part in parts]
            for sender in senders:
                sender.start()
            barrier.wait()
            began = time.monotonic()
            before = processor_seconds(process)
            outcomes = [outcome for _ in senders for outcome in results.get()]
            for sender in senders:
                sender.join()
            seconds = time.monotonic() - began
            memory = peak_megabytes(process)
            processor = processor_seconds(process) - before
        finally:
            process.terminate()
            process.wait()
        errors = [error for _, _, errors in outcomes for error in errors]
        numbers = [number for _, numbers, _ in outcomes for number in numbers]
        slowest = max(slowest for slowest, _, _ in outcomes)
        expected = options.phones * options.photos
        with sqlite3.connect(database) as connection:
            kept = connection.execute("SELECT count(*), count(DISTINCT file_digest) FROM photo"
                                      " WHERE origin = 'egnss4cap'").fetchone()
            holding = connection.execute("SELECT count(*) FROM phone_photo WHERE digest_holds = 1").fetchone()[0]
            provided = connection.execute("SELECT count(*) FROM task WHERE state = 'dataProvided'"
                                          " AND inspector LIKE 'phone%'").fetchone()[0]
        print(f"{options.phones} phones, {options.photos} photos of {options.bytes} bytes each: {seconds:.1f} s,"
              f" {expected / seconds:.0f} photos/s, the slowest answer {slowest:.2f} s after its body"
              f" (limit {ANSWER_SECONDS}), {processor:.1f} s of processor, {memory:.0f} MB (limit {MEMORY_MEGABYTES})")
        for error in errors[:10]:
            print(error)
        isGood = (not errors and len(set(numbers)) == expected and kept == (expected, expected)
                  and holding == expected and provided == options.phones)
        print(f"{len(errors)} errors, {kept[0]} photos kept, {kept[1]} different ones, {holding} digests hold,"
              f" {provided} tasks provided")
        checked = subprocess.run([program, "office", "check", "--data", str(data)], env=ENVIRONMENT,
                                 capture_output=True, text=True)
        lines = [line for line in checked.stdout.splitlines() if "does not know" not in line]
        if any("missing" in line or "bytes" in line for line in lines):
            print(*lines[:10], sep="\n")
            isGood = False
        if not isGood or slowest > ANSWER_SECONDS or memory > MEMORY_MEGABYTES:
            sys.exit(1)


main()
