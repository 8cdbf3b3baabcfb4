#!/usr/bin/env python3
"""A network that loses answers and cuts connections: what is at the office afterwards is what is on
the device, nothing is there twice, and little travels again.

An office and a field unit run as they do in the field, with a proxy between them that knows bytes and
HTTP's messages and nothing of what they say. A batch is photographed once; each case is delivered from
copies of both data folders.

drop: every k-th answer is thrown away and its connection cut, after the office has done what it was
asked. `deliver` is called until it has nothing left to do. With k = 1 no answer would ever come: after
20 tries that brought nothing new the proxy lets them through. With any other k that is a violation.
cut: all connections are cut once, when p % of what the field unit says in a clean delivery have gone
through; the next tries go through. Of files, no more is sent again than what may be under way at once: a
chunk of each of three files, of 2.5 MiB at most.
one: as cut, but only the connection is cut through which those bytes went: no more than one chunk goes
again, and what travels on the others beside it is not disturbed.
slow: the same through a network of half a megabyte a second: chunks are then two seconds' worth.
"""
import argparse
import ast
import asyncio
import collections
import contextlib
import pathlib
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What may be under way at once: three chunks.
CHUNK = 2_621_440
UNDER_WAY = 3 * CHUNK
# Of the slow network, bytes a second, and what two seconds of it carry, with the least chunks there are.
SLOW = 500_000
UNDER_WAY_SLOWLY = 2 * SLOW + 3 * 65_536
BLOCK = 65_536
# So many tries may bring nothing new one after the other, and so long may one take.
IDLE_TRIES = 20
SECONDS = 120
# Exit statuses of `deliver` on a bad network: done, and the office could not be reached.
DONE, UNREACHABLE = 0, 3


def sibling(name):
    """Another script as a module, without the run that its last lines begin."""
    path = ROOT / "scripts" / name
    tree = ast.parse(path.read_text())
    tree.body = [part for part in tree.body
                 if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Call))]
    module = types.ModuleType(path.stem.replace("-", "_"))
    module.__file__ = str(path)
    exec(compile(tree, str(path), "exec"), module.__dict__)
    return module


kill = sibling("kill-deliveries.py")
Violation, require = kill.Violation, kill.require
# Some seeds need more seconds than it gives until the gate opens.
kill.nmea.__defaults__ = (20,)


# The network

class Framing:
    """Takes one direction of an HTTP/1.1 connection apart into its messages."""

    ENDS = {"head": b"\r\n\r\n", "size": b"\r\n", "gap": b"\r\n", "trailer": b"\r\n"}

    def __init__(self, methods, are_answers):
        # What was asked and not answered yet: both directions share it.
        self.methods, self.are_answers = methods, are_answers
        self.held = bytearray()
        self.mode, self.left, self.is_file = "head", 0, False
        self.messages = self.file_bytes = 0

    def take(self, data):
        """The same bytes, piece by piece: no piece has bytes of two messages, or half a head."""
        self.held += data
        while self.held and (count := self.next_count()):
            piece = bytes(self.held[:count])
            del self.held[:count]
            if self.mode in self.ENDS:
                self.line(piece)
            elif self.mode != "rest":
                self.left -= count
                self.file_bytes += count if self.is_file else 0
                if self.left == 0:
                    self.mode = "head" if self.mode == "body" else "gap"
            yield piece

    def next_count(self):
        if end := self.ENDS.get(self.mode):
            return self.held.find(end) + len(end) if end in self.held else 0
        return len(self.held) if self.mode == "rest" else min(self.left, len(self.held))

    def line(self, text):
        match self.mode:
            case "head":
                self.begin(text.decode("latin-1").split("\r\n"))
            case "size":
                self.left = int(text.split(b";")[0], 16)
                self.mode = "chunk" if self.left else "trailer"
            case "gap":
                self.mode = "size"
            case "trailer" if text == b"\r\n":
                self.mode = "head"

    def begin(self, lines):
        fields = {name.strip().lower(): value.strip().lower() for name, colon, value in
                  (line.partition(":") for line in lines[1:]) if colon}
        first = lines[0].split()
        has_body = True
        if self.are_answers:
            status = int(first[1])
            # One that is only on the way to an answer: it belongs to what comes.
            if status < 200:
                return
            has_body = self.methods.popleft() != "HEAD" and status not in (204, 304)
        else:
            self.methods.append(first[0])
            self.is_file = (first[0] in ("POST", "PATCH")
                            and fields.get("content-type") == "application/offset+octet-stream")
        self.messages += 1
        self.left = int(fields.get("content-length", 0))
        if not has_body:
            self.mode = "head"
        elif "chunked" in fields.get("transfer-encoding", ""):
            self.mode = "size"
        elif self.left:
            self.mode = "body"
        else:
            self.mode = "rest" if self.are_answers and "content-length" not in fields else "head"


class Plan:
    """What the network does in one case, and what went through it."""

    def __init__(self, drop_every=None, cut_at=None, by_reset=False, rate=None, only_one=False):
        self.drop_every, self.cut_at, self.by_reset = drop_every, cut_at, by_reset
        self.rate, self.free, self.only_one = rate, 0, only_one
        self.through = self.file_bytes = self.answers = self.dropped = self.cuts = 0
        self.links = set()

    def admit(self, data):
        """What goes through of the field unit's bytes; with the last of them the cut is due."""
        if self.cut_at is not None and self.through + len(data) >= self.cut_at:
            data = data[:self.cut_at - self.through]
            self.cut_at, self.cuts = None, self.cuts + 1
        self.through += len(data)
        return data

    async def carry(self, count):
        """As long as the network needs for so many bytes, all links together."""
        if self.rate:
            now = time.monotonic()
            self.free = max(self.free, now) + count / self.rate
            await asyncio.sleep(self.free - now)

    def drops(self):
        """Whether the answer that begins is thrown away."""
        self.answers += 1
        return bool(self.drop_every) and self.answers % self.drop_every == 0


class Link:
    """A connection of the field unit's, and its continuation to the office."""

    def __init__(self, plan, client, office):
        self.plan = plan
        (self.client_reader, self.client), (self.office_reader, self.office) = client, office
        methods = collections.deque()
        self.requests, self.answers = Framing(methods, False), Framing(methods, True)

    async def run(self):
        self.plan.links.add(self)
        ways = [asyncio.create_task(self.up()), asyncio.create_task(self.down())]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        self.plan.links.discard(self)
        for way in ways:
            way.cancel()
        for outcome in await asyncio.gather(*ways, return_exceptions=True):
            if isinstance(outcome, Exception) and not isinstance(outcome, OSError):
                raise outcome
        self.client.close()
        self.office.close()

    async def up(self):
        """The field unit's bytes, to the office."""
        while data := await self.client_reader.read(BLOCK):
            await self.plan.carry(len(data))
            before, cuts = self.requests.file_bytes, self.plan.cuts
            data = self.plan.admit(data)
            collections.deque(self.requests.take(data), 0)
            self.plan.file_bytes += self.requests.file_bytes - before
            self.office.write(data)
            await self.office.drain()
            if self.plan.cuts > cuts:
                for link in [self] if self.plan.only_one else list(self.plan.links):
                    link.cut()
                return

    async def down(self):
        """The office's bytes, to the field unit."""
        messages, is_dropped = 0, False
        while data := await self.office_reader.read(BLOCK):
            for piece in self.answers.take(data):
                if self.answers.messages > messages:
                    messages, is_dropped = self.answers.messages, self.plan.drops()
                if not is_dropped:
                    self.client.write(piece)
                elif self.answers.mode == "head":
                    self.plan.dropped += 1
                    self.cut()
                    return
            await self.client.drain()

    def cut(self):
        for writer in (self.client, self.office):
            if not self.plan.by_reset:
                writer.close()
                continue
            with contextlib.suppress(OSError):
                writer.get_extra_info("socket").setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()


class Proxy(threading.Thread):
    """Listens where the field unit believes the office to be."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.address, self.office_address, self.plan = address, None, Plan()
        self.is_up = threading.Event()
        self.start()
        require(self.is_up.wait(10), f"the proxy cannot listen at {address}")

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.converse, *self.address.split(":"))
        self.is_up.set()
        await server.serve_forever()

    async def converse(self, reader, writer):
        try:
            office = await asyncio.open_connection(*self.office_address.split(":"))
        except OSError:
            writer.close()
            return
        await Link(self.plan, (reader, writer), office).run()


# The two sides

class Stand(kill.Stand):
    """An office and a field unit with a proxy between them, and one batch that waits to be sent."""

    def __init__(self, program, folder, sizes, chance):
        self.sizes, self.chance, self.proxy, self.office = iter(sizes), chance, None, None
        kill.PHOTOS = len(sizes)
        try:
            super().__init__(program, folder)
            self.prepare(1, None)
        finally:
            self.kill_office()
        self.base, self.is_thorough, self.last_words = self.data, True, ""

    def start_office(self):
        self.proxy = self.proxy or Proxy(self.address)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.proxy.office_address = f"127.0.0.1:{free.getsockname()[1]}"
        # It listens elsewhere than the field unit believes, and answers under that name.
        self.office = subprocess.Popen(
            [self.program, "office", "--listen", self.proxy.office_address,
             "--host-name", self.address, "--data", self.data], text=True,
            stdout=subprocess.PIPE, stderr=self.office_log, env=self.environment)
        require("office at" in self.office.stdout.readline(), "the office does not start")
        self.fingerprint = self.office.stdout.readline().split()[-1]

    def kill_office(self):
        if self.office:
            super().kill_office()

    def padded(self, jpeg):
        """The picture as a file of its own of about the next size, by comments of random bytes."""
        count = next(self.sizes) // 0xF004
        comments = (b"\xff\xfe\xf0\x02" + self.chance.randbytes(0xF000) for _ in range(count))
        return jpeg[:2] + b"".join(comments) + jpeg[2:]

    def case(self, plan):
        """Begins anew with copies of both data folders."""
        self.kill_office()
        self.data = self.folder / "case"
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(self.base, self.data)
        self.start_office()
        self.proxy.plan = plan

    def try_to_deliver(self):
        process = self.deliver()
        try:
            self.last_words = words = process.communicate(timeout=SECONDS)[1].strip()
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Violation(f"deliver does not end within {SECONDS} s") from None
        require(process.returncode in (DONE, UNREACHABLE),
                f"deliver: status {process.returncode}: {words}")
        return process.returncode

    def deliver_with_patience(self, on_standstill):
        """Calls `deliver` until it is done; says how often."""
        tries = idle = 0
        held = self.office_bytes()
        while True:
            tries += 1
            if self.try_to_deliver() == DONE:
                return tries
            before, held = held, self.office_bytes()
            idle = idle + 1 if held == before else 0
            if idle == IDLE_TRIES:
                on_standstill(tries)

    def office_bytes(self):
        folders = [self.data / "office" / name for name in ("incoming", "photos", "records")]
        return sum(path.stat().st_size for folder in folders for path in folder.rglob("*")
                   if path.is_file())

    def evidence(self, side):
        folders = [self.data / side / name for name in ("photos", "records")]
        return {str(path.relative_to(self.data / side)): kill.sha256(path)
                for folder in folders for path in folder.rglob("*") if path.is_file()}

    def check_case(self, is_thorough):
        self.is_thorough = is_thorough
        self.check(is_over=True)
        device, office = self.evidence("field"), self.evidence("office")
        different = sorted(name for name in device.keys() | office.keys()
                           if device.get(name) != office.get(name))
        require(not different, f"{len(different)} files differ between device and office, such as"
                f" {different[:1]}")

    def check_files(self, is_over):
        if self.is_thorough:
            super().check_files(is_over)
            return
        report = self.run("office", "check", "--format", "json", may_fail=True)
        require(report.returncode == 0, f"office check: {report.stdout}{report.stderr}")
        left = list((self.data / "office/incoming").iterdir())
        require(not left, f"{len(left)} files stay among those that come in, such as {left[:1]}")


# The two parts

class Part:
    """Cases of one kind."""

    def __init__(self, name, letter, arguments, sizes):
        self.name, self.letter = name, letter
        self.chance = random.Random(f"{name} {arguments.seed}")
        self.cases = self.tries = self.dropped = self.cuts = self.bytes = 0
        self.again = self.worst = self.worst_messages = 0
        self.began = time.monotonic()
        self.program = arguments.program.resolve()
        self.rate = SLOW if name == "slow" else None
        last = 50 if name == "drop" else 99
        self.numbers = [number for number in range(max(1, arguments.first), min(last, arguments.last or last) + 1)
                        if name != "slow" or number in (15, 35, 55, 75, 95)]
        self.sizes = [size for low, high, count in sizes
                      for size in (self.chance.randint(low, high) for _ in range(count))]
        self.chance.shuffle(self.sizes)

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            note(f"{self.name}: {len(self.sizes)} photos are taken")
            stand = Stand(self.program, pathlib.Path(folder), self.sizes, self.chance)
            try:
                self.clean = Plan(rate=self.rate)
                stand.case(self.clean)
                require(stand.try_to_deliver() == DONE, "a clean delivery does not come to its end")
                stand.check_case(is_thorough=True)
                self.all_cases(stand)
            finally:
                stand.kill_office()
        print(self.words(), flush=True)

    def all_cases(self, stand):
        print(f"{self.name}: clean: {self.clean.answers} answers, {self.clean.through / 1e6:.1f} MB from"
              f" the field unit, {self.clean.file_bytes / 1e6:.1f} MB of them files", flush=True)
        for number in self.numbers:
            is_tenth = number % 10 == 0 or number == self.numbers[-1]
            plan = self.plan(number)
            try:
                stand.case(plan)
                self.tries += stand.deliver_with_patience(
                    lambda tries: self.stand_still(number, plan, tries, stand.last_words))
                stand.check_case(is_tenth)
                self.judge(plan)
            except Violation as violation:
                raise Violation(f"{self.letter} = {number}: {violation}") from None
            self.count(plan)
            note(f"{self.name}: {self.letter} = {number}")
            if is_tenth:
                print(f"{self.name}: up to {self.letter} = {number}: {self.numbers_in_words()}", flush=True)

    def plan(self, number):
        by_reset = self.chance.random() < 0.5
        if self.name == "drop":
            return Plan(drop_every=number, by_reset=by_reset)
        return Plan(cut_at=self.clean.through * number // 100, by_reset=by_reset, rate=self.rate,
                    only_one=self.name == "one")

    def stand_still(self, number, plan, tries, words):
        require(self.name == "drop" and number == 1,
                f"{IDLE_TRIES} tries one after the other, {tries} in all, brought nothing new; {words}")
        plan.drop_every = None

    def judge(self, plan):
        if self.name == "drop":
            require(plan.dropped, f"only {plan.answers} answers, none was dropped")
            return
        require(plan.cuts == 1, "nothing was cut")
        again = plan.file_bytes - self.clean.file_bytes
        limit = {"cut": UNDER_WAY, "one": CHUNK, "slow": UNDER_WAY_SLOWLY}[self.name]
        require(again <= limit, f"{again} bytes of files were sent again, {limit} may be under way")

    def count(self, plan):
        again = plan.file_bytes - self.clean.file_bytes
        self.cases += 1
        self.dropped += plan.dropped
        self.cuts += plan.cuts
        self.bytes += plan.through
        self.again += again
        self.worst = max(self.worst, again)
        self.worst_messages = max(
            self.worst_messages, plan.through - self.clean.through - again)

    def numbers_in_words(self):
        what = f"{self.dropped} answers dropped" if self.name == "drop" else f"{self.cuts} cuts"
        return (f"{self.cases} cases, {what}, {self.tries} tries, {self.bytes / 1e6:.0f} MB,"
                f" {self.again / 1e6:.1f} MB of files sent again, {self.worst} bytes at worst")

    def words(self):
        return (f"{self.name}: {self.numbers_in_words()} ({self.worst_messages} of messages);"
                f" office and device equal in all of them; {time.monotonic() - self.began:.0f} s")


def note(words):
    print(words, file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/debug/standpoint")
    parser.add_argument("--from", type=int, default=1, dest="first", help="the first k, and p")
    parser.add_argument("--to", type=int, dest="last", help="the last k (50), and p (99)")
    parser.add_argument("--only", choices=["drop", "cut", "one", "slow"])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    small = (100_000, 300_000)
    # More than 50 answers, so that there is a 50th to drop.
    parts = [("drop", "k", [(*small, 24), (2_000_000, 3_000_000, 2)]),
             ("cut", "p", [(*small, 55), (2_000_000, 3_000_000, 5)]),
             ("one", "p", [(*small, 55), (2_000_000, 3_000_000, 5)]),
             ("slow", "p", [(*small, 20), (2_000_000, 3_000_000, 2)])]
    for name, letter, sizes in parts:
        if arguments.only in (None, name):
            try:
                Part(name, letter, arguments, sizes).run()
            except Violation as violation:
                sys.exit(f"{name}, {violation}")


if __name__ == "__main__":
    main()
