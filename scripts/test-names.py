#!/usr/bin/env python3
"""Two field units in one network, each beside a real Avahi of its own: the first has the name standpoint.local, the second says that
another device has it and pairs its phones by the address; when the first goes, the second gets the name. Needs root.

Exit status: 0 all of it was seen, 1 something was not, 2 bad arguments, 3 a program does not start.
"""
import argparse
import ast
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PASSWORD = "kestrel over wet barley"
NAME = "standpoint.local"
# Avahi looks for a name every 30 s again.
PATIENCE_SECONDS = 90
# A machine of its own: its own /run, so that each has a D-Bus and an Avahi.
MACHINE = r"""
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus /run/avahi-daemon
dbus-daemon --config-file={folder}/bus.conf --fork
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket
avahi-daemon --file={folder}/avahi.conf --no-drop-root --no-chroot --no-rlimits --daemonize
exec {program} field --data {folder}/device --listen 127.0.0.1:8471 --phones {address}:8481
"""
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
<allow send_requested_reply="true"/><allow receive_type="method_call"/><allow receive_type="signal"/>
<allow receive_type="method_return"/><allow receive_type="error"/></policy></busconfig>
"""
AVAHI = """[server]
host-name={host}
use-ipv4=yes
use-ipv6=no
allow-interfaces=wlan0
[wide-area]
enable-wide-area=no
[publish]
publish-hinfo=no
publish-workstation=no
"""


class Unit:
    """A field unit on a machine of its own: a network namespace with one interface."""

    def __init__(self, number, program, folder, office):
        self.name, self.address, self.folder = f"names-{number}", f"10.78.0.{number}", folder / str(number)
        self.program, self.office, self.process = program, office, None
        self.folder.mkdir()
        (self.folder / "bus.conf").write_text(BUS)
        (self.folder / "avahi.conf").write_text(AVAHI.format(host=self.name))
        subprocess.run([program, "login", "--office", office, "--user", "ines", "--password-stdin", "--data", self.folder / "device"],
                       input=PASSWORD, text=True, check=True, stdout=subprocess.DEVNULL)

    def inside(self, *words):
        return ["ip", "netns", "exec", self.name, *words]

    def start(self):
        script = MACHINE.format(folder=self.folder, program=self.program, address=self.address)
        log = open(self.folder / "log", "w")
        self.process = subprocess.Popen(self.inside("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", script),
                                        stdout=subprocess.PIPE, stderr=log, text=True)
        said = self.process.stdout.readline()
        if " at http" not in said:
            print(f"test-names: the field unit {self.name} does not start:\n{said}{(self.folder / 'log').read_text()}", file=sys.stderr)
            sys.exit(3)

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def pairs(self):
        """What the page of a new code says of the name, and the address in the code."""
        jar = self.folder / "jar"
        get = ["curl", "-s", "-b", jar, "-c", jar, "http://127.0.0.1:8471/phones"]
        page = subprocess.run(self.inside(*get), capture_output=True, text=True, check=True).stdout
        form = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
        post = ["curl", "-s", "-L", "-b", jar, "-c", jar, "-H", "Origin: http://127.0.0.1:8471"]
        for name, value in form.items():
            post += ["--data-urlencode", f"{name}={html.unescape(value)}"]
        page = subprocess.run(self.inside(*post, "http://127.0.0.1:8471/phones/code"), capture_output=True, text=True, check=True).stdout
        facts = dict(re.findall(r"<dt>([^<]+)</dt>\s*<dd>([^<]*)</dd>", page))
        return facts.get("Name"), facts.get("Address")


# Asks the network as a phone does, without an Avahi: one question by multicast, an answer to its own port.
LOOK = """
import socket, struct, sys
question = struct.pack(">6H", 7, 0, 1, 0, 0, 0) + b"\\x0astandpoint\\x05local\\0" + struct.pack(">2H", 1, 0x8001)
asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
asker.settimeout(2)
asker.sendto(question, ("224.0.0.251", 5353))
answers = set()
try:
    while True:
        bytes_, sender = asker.recvfrom(9000)
        answers.add((sender[0], socket.inet_ntoa(bytes_[-4:])))
except TimeoutError:
    print(answers)
"""


def resolved():
    """Who says what the name's address is, as another machine of the network hears it."""
    done = subprocess.run(["ip", "netns", "exec", "names-3", sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    return ast.literal_eval(done.stdout.replace("set()", "[]"))


def until(words, wanted, ask):
    end, seen = time.monotonic() + PATIENCE_SECONDS, None
    began = time.monotonic()
    while time.monotonic() < end:
        seen = ask()
        if wanted(seen):
            print(f"{words} after {time.monotonic() - began:.0f} s: {seen}", flush=True)
            return []
        time.sleep(1)
    return [f"never: {words}; last seen: {seen}"]


def only(unit):
    """The answer that says that a unit has the name, and no other one."""
    return {(unit.address, unit.address)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build-release/release/standpoint"))
    program = pathlib.Path(parser.parse_args().program).resolve()
    if os.geteuid() != 0 or not program.exists():
        print(f"test-names: needs root, and {program} (make release)", file=sys.stderr)
        sys.exit(2)
    complaints = []
    with tempfile.TemporaryDirectory(prefix="test-names-") as name:
        folder = pathlib.Path(name)
        data = ["--data", folder / "office"]
        subprocess.run([program, "office", "agency", "add", "north", *data], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([program, "office", "user", "add", "ines", "--role", "inspector", "--agency", "north", "--name", "Ines Nováková",
                        "--password-stdin", *data], input=PASSWORD, text=True, check=True, stdout=subprocess.DEVNULL)
        office = subprocess.Popen([program, "office", "--listen", "127.0.0.1:0", *data], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        address = re.search(r"http://\S+", office.stdout.readline())[0].rstrip(".,")
        units = []
        try:
            network()
            units = [Unit(number, program, folder, address) for number in (1, 2)]
            first, second = units
            first.start()
            complaints += until("the first has the name", lambda seen: seen[0] == NAME, first.pairs)
            complaints += until("the network finds the first", lambda seen: seen == only(first), resolved)
            second.start()
            complaints += until("the second says that another device has it",
                                lambda seen: "another device here has the name" in (seen[0] or "") and second.address in seen[1], second.pairs)
            complaints += until("the network still finds the first", lambda seen: seen == only(first), resolved)
            if first.pairs()[0] != NAME:
                complaints.append(f"the first lost its name: {first.pairs()}")
            first.end()
            complaints += until("the second gets the name when the first is gone", lambda seen: seen[0] == NAME, second.pairs)
            complaints += until("the network finds the second", lambda seen: seen == only(second), resolved)
        finally:
            for unit in units:
                unit.end()
            office.kill()
            network(down=True)
    for words in complaints:
        print(f"test-names: {words}", file=sys.stderr)
    sys.exit(1 if complaints else 0)


def network(down=False):
    """Three machines at one switch: two field units, and one that looks for names."""
    for name in ("names-1", "names-2", "names-3", "names-switch"):
        subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)
    if down:
        return
    run = lambda *words: subprocess.run(words, check=True)  # noqa: E731
    run("ip", "netns", "add", "names-switch")
    run("ip", "-n", "names-switch", "link", "add", "name", "switch", "type", "bridge")
    run("ip", "-n", "names-switch", "link", "set", "switch", "up")
    for number in (1, 2, 3):
        name = f"names-{number}"
        run("ip", "netns", "add", name)
        run("ip", "link", "add", "wlan0", "netns", name, "type", "veth", "peer", "name", f"port{number}", "netns", "names-switch")
        run("ip", "-n", "names-switch", "link", "set", f"port{number}", "master", "switch", "up")
        for words in (("addr", "add", f"10.78.0.{number}/24", "dev", "wlan0"), ("link", "set", "wlan0", "up"), ("link", "set", "lo", "up"),
                      ("route", "add", "224.0.0.0/4", "dev", "wlan0")):
            run("ip", "-n", name, *words)


main()
