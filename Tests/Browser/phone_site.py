"""A field unit with an office in one network namespace and a browser in the other: what the tests of a phone's camera share."""
import atexit
import ctypes
import json
import os
import shutil
import socket
import subprocess
import time

from playwright.sync_api import expect

PASSWORD = "kestrel over wet barley"
PHONES_PORT = 18402


class PhoneSite:
    """Ines's field unit on the unit's side of a network; its browser is made on the phone's side."""

    def __init__(self, program, folder, network, policy, rate=5):
        self.program, self.folder, self.network = program, folder, network
        # Without a network of its own: another device to the field unit is 127.0.0.2.
        self.host = network.UNIT if network else "127.0.0.2"
        if network:
            self.enter()
        from receiver import Receiver
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        office_data, self.device = ["--data", str(folder / "office-data")], ["--data", str(folder / "device-data")]
        self.run("office", "agency", "add", "north", *office_data)
        self.run("office", "user", "add", "ines", "--role", "inspector", "--agency", "north", "--name", "Ines Nováková",
                 "--password-stdin", *office_data, text=PASSWORD)
        self.run("office", "agency", "policy", "north", *[word for rule in policy for word in ("--set", rule)], *office_data)
        self.start("office", *office_data, "--listen", "127.0.0.1:18400")
        self.run("login", "--office", "http://127.0.0.1:18400", "--user", "ines", "--password-stdin", *self.device, text=PASSWORD)
        self.said = []
        self.receiver = Receiver(50.102, 14.1025, rate=rate, on_said=lambda moment, _: self.said.append(moment))
        self.unit = self.start("field", *self.device, "--listen", "127.0.0.1:18401", "--phones", f"{self.host}:{PHONES_PORT}",
                               "--gnss", self.receiver.program)
        self.address = f"https://{self.host}:{PHONES_PORT}"

    def enter(self):
        """From here on everything that this thread starts is on the field unit's side."""
        there = os.open(f"/run/netns/{self.network.names['unit']}", os.O_RDONLY)
        assert ctypes.CDLL(None, use_errno=True).setns(there, 0) == 0
        os.close(there)

    def run(self, *words, text=None):
        return subprocess.run([self.program, *words], input=text, text=True, check=True, stdout=subprocess.PIPE).stdout

    def start(self, *words):
        process = subprocess.Popen([self.program, *words], stdout=subprocess.PIPE, stderr=open(self.folder / "log.txt", "a"), text=True)
        atexit.register(process.kill)
        assert " at http" in process.stdout.readline()
        return process

    def browser(self):
        """A browser's program on the phone's side."""
        path = self.folder / "chromium"
        path.write_text(f"#!/bin/sh\nexec ip netns exec {self.network.names['phone']} /usr/bin/chromium \"$@\"\n")
        path.chmod(0o755)
        return str(path)

    def code(self, *words):
        """A code that pairs one phone."""
        told = json.loads(self.run("field", "pair", *words, "--format", "json", *self.device))
        self.wait_until_served()
        return told["code"]

    def pair(self, page, name, *words):
        """Pairs a page's browser. Returns the session of the phone."""
        code = self.code(*words)
        page.goto(f"{self.address}/pair")
        page.get_by_label("Code from the field unit").fill(code)
        page.get_by_label("Name of this phone").fill(name)
        page.get_by_role("button", name="Pair", exact=True).click()
        expect(page.get_by_text("This phone is paired with the field unit.")).to_be_visible()
        phones = [json.loads(line) for line in self.run("field", "phones", "--format", "json", *self.device).splitlines()]
        return next(one["id"] for one in phones if one["name"] == name)

    def wait_until_served(self):
        end = time.monotonic() + 30
        while True:
            try:
                return socket.create_connection((self.host, PHONES_PORT), 1).close()
            except OSError:
                assert time.monotonic() < end, "the pages for phones are not served"
                time.sleep(0.2)

    def photos(self):
        return [json.loads(line) for line in self.run("photo", "list", "--format", "json", *self.device).splitlines()]

    def sealed(self, photo):
        """A photo's sealed record and its picture."""
        picture = next((self.folder / "device-data/field/photos").rglob(f"{photo['id']}.jpg"))
        return json.loads(picture.with_name(picture.name + ".seal").read_text())["record"], picture.read_bytes()
