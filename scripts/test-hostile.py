#!/usr/bin/env python3
"""Strangers without a sign-in against a running office and a running field unit: neither dies, answers with a 5xx,
grows, or keeps others waiting.

bodies: large bodies, chunked and plain, 8 at a time, to addresses that refuse them. The optimized program once wrote
  them into freed memory and died after three; a debug build never did. So run this against `make release`.
requests: seeded nonsense: heads, lengths, chunks, paths, cookies, JSON and forms that are wrong in many ways.
silence: 800 connections from one address that send half a head each; another address is answered meanwhile.

Exit status: 0 all of it was survived, 1 something was not, 2 bad arguments, 3 a program does not start.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BODY = 16 << 20
PIECE = bytes(range(256)) * 256
CHUNK = b"%x\r\n" % len(PIECE) + PIECE + b"\r\n"
# Where a refused body may leave a program: the memory of its first hundred, and no more than this beside it.
GROWTH_KB = 24 << 10
# So long may another address wait while one address is silent on 800 connections.
OTHERS_SECONDS = 2


class Program:
    """One of the two, on an address of its own."""

    def __init__(self, name, program, folder):
        self.name, self.folder = name, folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = open(folder / f"{name}.log", "w")
        words = [program, name, "--listen", f"127.0.0.1:{self.port}", "--data", folder / name]
        self.process = subprocess.Popen(
            [str(word) for word in words], stdout=subprocess.PIPE, stderr=self.log, text=True,
            # The C library fills what is freed, so that a program that reads it dies each time.
            env=dict(os.environ, SWIFT_BACKTRACE="enable=no", MALLOC_PERTURB_="165"))
        if " at http" not in self.process.stdout.readline():
            print(f"test-hostile: the {name} does not start; {folder / name}.log says why",
                  file=sys.stderr)
            sys.exit(3)

    @property
    def host(self):
        return f"127.0.0.1:{self.port}".encode()

    def is_alive(self):
        return self.process.poll() is None

    def resident(self):
        """Resident memory, KB."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1])

    def connect(self, source="127.0.0.1", seconds=30):
        return socket.create_connection(("127.0.0.1", self.port), seconds, (source, 0))

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()


def status(answer):
    """The status of an answer's first line; None where nothing came."""
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
    return int(found[1]) if found else None


def read(connection, most=1 << 20):
    """All that comes back, until the other end closes."""
    answer = b""
    try:
        while len(answer) < most:
            piece = connection.recv(65536)
            if not piece:
                break
            answer += piece
    except OSError:
        pass
    return answer


def refused_body(program, number):
    """Sends one large body that nobody wants; gives the answer's status."""
    head = {
        0: b"POST /sign-in HTTP/1.1\r\nHost: stranger.example\r\n",
        1: b"POST /nowhere HTTP/1.1\r\nHost: %s\r\n" % program.host,
        2: b"POST /sign-in HTTP/1.1\r\nHost: %s\r\nOrigin: http://stranger.example\r\n" % program.host,
    }[number % 3]
    is_chunked = number % 2 == 0
    head += b"Transfer-Encoding: chunked\r\n\r\n" if is_chunked else b"Content-Length: %d\r\n\r\n" % BODY
    try:
        connection = program.connect()
    except OSError:
        return None
    with connection:
        try:
            connection.sendall(head)
            for _ in range(BODY // len(PIECE)):
                connection.sendall(CHUNK if is_chunked else PIECE)
            if is_chunked:
                connection.sendall(b"0\r\n\r\n")
        except OSError:
            # It may stop listening behind its answer.
            pass
        return status(read(connection))


def bodies(program, count):
    """Complaints about `count` refused bodies, 8 at a time."""
    first = min(100, max(8, count // 10))
    seen = collections.Counter()
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        seen.update(pool.map(lambda number: refused_body(program, number), range(first)))
        before = program.resident() if program.is_alive() else 0
        if program.is_alive():
            seen.update(pool.map(lambda number: refused_body(program, number), range(first, count)))
    after = program.resident() if program.is_alive() else 0
    print(f"{program.name}: {count} refused bodies of 16 MB in {time.monotonic() - began:.0f} s,"
          f" {before // 1024} MB resident after {first}, {after // 1024} MB after all, answers {dict(seen)}",
          flush=True)
    complaints = []
    if not program.is_alive():
        complaints.append(f"died of refused bodies (status {program.process.poll()})")
    elif after > before + GROWTH_KB:
        complaints.append(f"grew from {before} to {after} KB by refused bodies")
    if any(code is not None and code >= 500 for code in seen):
        complaints.append(f"answered refused bodies with {dict(seen)}")
    if seen[None] > count // 10:
        complaints.append(f"left {seen[None]} of {count} refused bodies without an answer")
    return complaints


def paths(program):
    """Addresses that exist, as the documents list them."""
    found = set(re.findall(r"`(?:GET|POST|PUT|PATCH|DELETE|HEAD)? ?(/[a-z][^\s`?]*)`",
                           (ROOT / "docs/routes.md").read_text()))
    return sorted(found) + ["/", "/sign-in", "/camera", "/tasks", "/log", "/api/v1/uploads", "/api/v1/batches"]


def nonsense(random_, program, known):
    """One request that is wrong in some way, as bytes."""
    pick = random_.choice
    # Most are wrong in one place only: what is wrong everywhere is refused by the first reader and tries nobody else.
    is_rotten = random_.random() < 0.2
    method = pick(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] + (["BREW", "get", "POST\t"] if is_rotten else []))
    path = pick(known)
    path = re.sub(r"\{[^}]*\}", lambda _: pick(
        ["0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f", "..%2f..%2fetc", "%00", "%ff", "'--", "a" * 3000, "-1", "{}", "💥"]), path)
    path += pick(["", "", "", "", "?", "?a=%", "?" + "x=1&" * 500, "?page=-1", "?page=99999999999999999999",
                  "?north=NaN&south=1e999", "/", "//", "/%2e%2e/", ";x"])
    fields = [f"Host: {pick([program.host.decode()] * 20 + (['stranger.example', '', '[::1', 'a' * 300] if is_rotten else []))}"]
    fields += random_.sample([
        "Accept: application/json", "Accept: " + "*/*;q=" * 200, "Authorization: Bearer " + "x" * 43,
        "Authorization: Basic ////", "Authorization: Bearer", "Cookie: standpoint-session=x; =; ;;" + "a=b;" * 300,
        f"Origin: http://{program.host.decode()}", "Origin: null", "Referer: javascript:alert(1)",
        "Range: bytes=9999999999999999999-", "If-None-Match: *", "Expect: 100-continue", "Expect: tea",
        "Upload-Offset: -1", "Upload-Length: 99999999999999999999", "Upload-Metadata: ,,", "Tus-Resumable: 9",
        "X-Form-Token: x", "X-Request-Id: " + "é" * 100, "Content-Digest: sha-256=:!!:", "X-Forwarded-For: ::::",
        "Accept-Language: " + "de," * 400, "Connection: upgrade", "Upgrade: websocket",
    ] + (["Bad Name: x", "Long: " + "x" * 20000] if is_rotten else []), random_.randint(0, 4))
    body = pick([
        b"", b"", b"{", b"[" * 20000, b'{"login": "otto", "password": ' + b'"' * 50, b"null", b'{"a":1e999}', b"\xff\xfe\x00",
        b"login=otto&password=x&csrf=%", b"a=" * 30000, b"--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n",
        random_.randbytes(random_.randint(1, 5000)), b"eyJ.eyJ.eyJ"])
    fields.append("Content-Type: " + pick([
        "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        "multipart/form-data; boundary=" + "y" * 500, "application/offset+octet-stream", "text/csv", ""]))
    length = pick(["right"] * 6 + ["chunked", "chunked"] + (["none", "wrong", "both", "negative", "huge"] if is_rotten else []))
    if length == "right":
        fields.append(f"Content-Length: {len(body)}")
    elif length == "wrong":
        fields.append(f"Content-Length: {max(0, len(body) - 1)}")
    elif length == "negative":
        fields.append("Content-Length: -1")
    elif length == "huge":
        fields.append("Content-Length: 99999999999999999999999")
    elif length in ["chunked", "both"]:
        fields.append("Transfer-Encoding: chunked")
        if length == "both":
            fields.append(f"Content-Length: {len(body)}")
        size = pick([b"%x" % len(body)] + ([b"ffffffffffffffff", b"-1", b"zz", b"%x;ext=1" % len(body)] if is_rotten else []))
        body = size + b"\r\n" + body + b"\r\n0\r\n\r\n"
    head = f"{method} {path} {pick(['HTTP/1.1'] * 9 + (['HTTP/9.9', 'HTTP/1.0'] if is_rotten else []))}\r\n" + "\r\n".join(fields) + "\r\n\r\n"
    whole = head.encode(errors="replace") + body
    # Some break off, so that the other end has to notice.
    return whole[:random_.randint(1, len(whole))] if random_.random() < 0.1 else whole


def requests(program, count, seed):
    """Complaints about `count` requests of nonsense, 8 at a time."""
    known = paths(program)
    seen, bad = collections.Counter(), []

    def ask(number):
        if not program.is_alive():
            return
        whole = nonsense(random.Random(f"{seed} {program.name} {number}"), program, known)
        try:
            with program.connect(seconds=8) as connection:
                connection.sendall(whole)
                connection.shutdown(socket.SHUT_WR)
                code = status(connection.recv(4096))
        except OSError:
            code = None
        seen[code] += 1
        if code is not None and code >= 500 and len(bad) < 5:
            bad.append((number, code, whole[:200]))

    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(count)))
    print(f"{program.name}: {count} hostile requests in {time.monotonic() - began:.0f} s,"
          f" answers {dict(sorted(seen.items(), key=str))}", flush=True)
    complaints = [f"answered request {number} of seed {seed} with {code}: {whole!r}" for number, code, whole in bad]
    if not program.is_alive():
        complaints.append(f"died of hostile requests (status {program.process.poll()})")
    return complaints


def silence(program, count=800):
    """Complaints about 800 connections of one address that send half a head each."""
    held = []
    for _ in range(count):
        try:
            connection = program.connect(seconds=1)
            connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
            held.append(connection)
        except OSError:
            continue
    began = time.monotonic()
    try:
        with program.connect(source="127.0.0.2", seconds=OTHERS_SECONDS + 10) as other:
            other.sendall(b"GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % program.host)
            code = status(read(other))
    except OSError:
        code = None
    seconds = time.monotonic() - began
    for connection in held:
        connection.close()
    print(f"{program.name}: {count} silent connections, another address is answered {code} after"
          f" {seconds * 1000:.0f} ms", flush=True)
    if code is None or seconds > OTHERS_SECONDS:
        return [f"kept another address waiting for {seconds:.1f} s beside {count} silent connections (answer {code})"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build-release/release/standpoint"))
    parser.add_argument("--bodies", type=int, default=1000, help="refused bodies for each program (1000)")
    parser.add_argument("--requests", type=int, default=10_000, help="hostile requests for each program (10000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not pathlib.Path(options.program).exists():
        print(f"test-hostile: {options.program} is not there: make release", file=sys.stderr)
        sys.exit(2)
    complaints = []
    with tempfile.TemporaryDirectory(prefix="test-hostile-") as name:
        for kind in ["office", "field"]:
            program = Program(kind, options.program, pathlib.Path(name))
            try:
                found = silence(program)
                found += requests(program, options.requests, options.seed)
                if program.is_alive():
                    found += bodies(program, options.bodies)
                complaints += [f"the {kind} {words}" for words in found]
            finally:
                program.end()
    for words in complaints:
        print(f"test-hostile: {words}", file=sys.stderr)
    sys.exit(1 if complaints else 0)


main()
