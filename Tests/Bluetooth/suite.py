"""Run in a virtual machine with two Bluetooth controllers by `make test-bluetooth`: a real BlueZ, a
receiver on hci1 and standpoint on hci0. Each line of output is a thing that was seen; exit 1 where one
was not. What destroys something comes last."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

STANDPOINT = sys.argv[1]
HERE = pathlib.Path(__file__).parent
PEER, CHANNEL = "00:AA:01:01:00:01", 3
SOURCE = f"bluetooth://{PEER}?adapter=hci0"
failures = []
begun = time.time()


def see(what, is_so, detail=""):
    print(f"{'ok ' if is_so else 'NOT'} {time.time() - begun:5.1f} s  {what} {detail if not is_so else ''}", flush=True)
    if not is_so:
        failures.append(what)


def run(*arguments, seconds=60):
    outcome = subprocess.run(
        [STANDPOINT, *arguments], capture_output=True, text=True, timeout=seconds, check=False,
        stdin=subprocess.DEVNULL,
    )
    return outcome.returncode, outcome.stdout, outcome.stderr


def peer(limit=0):
    return subprocess.Popen(
        ["/usr/bin/python3", str(HERE / "peer.py"), PEER, str(CHANNEL), str(limit)]
    )


def power(index, state):
    with open(os.devnull, "rb") as nothing:
        subprocess.run(
            ["timeout", "10", "btmgmt", "--index", str(index), "power", state], stdin=nothing,
            capture_output=True, check=False,
        )
        if state == "on":
            subprocess.run(
                ["timeout", "10", "btmgmt", "--index", str(index), "connectable", "on"],
                stdin=nothing, capture_output=True, check=False,
            )


class Watch:
    """A `gnss watch` that goes on while things are done to the receiver."""

    def __init__(self):
        self.process = subprocess.Popen(
            [STANDPOINT, "gnss", "watch", "--gnss", SOURCE, "--format", "json"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        self.fixes, self.words = [], []
        for stream, into in [(self.process.stdout, self.fixes), (self.process.stderr, self.words)]:
            threading.Thread(target=self.read, args=(stream, into), daemon=True).start()

    @staticmethod
    def read(stream, into):
        for line in stream:
            into.append((time.time(), line.strip()))

    def goes_on(self, seconds):
        """Seconds until fixes come again; None when they do not."""
        start, before = time.time(), len(self.fixes)
        while time.time() - start < seconds:
            if len(self.fixes) > before + 3:
                return time.time() - start
            time.sleep(0.05)
        return None

    def said(self, words, since, seconds=20):
        # Some words depend on which deadline comes first: "switched off …", "… is it switched on …".
        end = time.time() + seconds
        while time.time() < end:
            if any(words in line for at, line in self.words if at >= since):
                return True
            time.sleep(0.05)
        return False

    def lately(self, since):
        return [line for at, line in self.words if at >= since]


def main():
    receiver = peer()
    # Who accepts on hci1 agrees to everything, as receivers do.
    agent = subprocess.Popen(
        ["bluetoothctl", "--agent", "NoInputNoOutput"], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    subprocess.run(["sdptool", "add", f"--channel={CHANNEL}", "SP"], capture_output=True, check=True)
    time.sleep(2)

    status, output, errors = run("gnss", "scan", "--adapter", "hci0", "--duration", "5", "--format", "json")
    devices = json.loads(output)["devices"] if output else []
    found = next((device for device in devices if device["address"] == PEER), None)
    see("scan finds the receiver", status == 0 and found is not None, errors + output)
    see("scan: SDP offers a serial port", bool(found and found.get("serialPort")), str(found))

    status, output, errors = run("gnss", "pair", PEER, "--adapter", "hci0")
    see("pair", status == 0 and "trusted" in errors, errors)
    status, output, errors = run("gnss", "pair", PEER, "--adapter", "hci0")
    see("pair again says that it is", status == 0 and "already paired" in errors, errors)

    status, output, errors = run("gnss", "test", SOURCE, "--duration", "5", "--format", "json")
    survey = json.loads(output) if output else {}
    see("test: it will do, RTK, five a second",
        status == 0 and survey.get("quality") == "rtk fixed" and 4 < survey.get("fixesPerSecond", 0) < 6,
        output + errors)

    status, output, errors = run("gnss", "test", f"bluetooth://{PEER}/9?adapter=hci0", "--duration", "3")
    see("a channel on which nobody listens", status == 3 and "serial port is closed" in errors, errors)
    status, output, errors = run(
        "gnss", "test", "bluetooth://00:AA:01:09:00:09?adapter=hci0", "--duration", "3")
    # The controller gives up by itself, or we do after 20 s: that depends on the kernel.
    see("a device that is not there", status == 3 and "range" in errors, errors)
    status, output, errors = run("gnss", "test", f"bluetooth://{PEER}?adapter=hci5", "--duration", "3")
    see("an adapter that is not there", status == 3 and "no such Bluetooth adapter" in errors, errors)

    watch = Watch()
    see("fixes come", watch.goes_on(30) is not None, str(watch.words))

    since = time.time()
    receiver.kill()
    receiver.wait()
    see("killed: the loss is said", watch.said("ended the connection", since), str(watch.lately(since)))
    receiver = peer()
    back = watch.goes_on(60)
    see(f"back: {back and round(back, 1)} s", back is not None, str(watch.lately(since)))

    since = time.time()
    os.kill(receiver.pid, signal.SIGSTOP)
    see("stopped: silence is said", watch.said("no fix for", since), str(watch.lately(since)))
    os.kill(receiver.pid, signal.SIGCONT)
    back = watch.goes_on(60)
    see(f"goes on: {back and round(back, 1)} s", back is not None, str(watch.lately(since)))

    since = time.time()
    power(1, "off")
    see("receiver's radio off: said", watch.said("switched o", since, 60), str(watch.lately(since)))
    power(1, "on")
    receiver.kill()
    receiver.wait()
    receiver = peer()
    back = watch.goes_on(90)
    see(f"on again: {back and round(back, 1)} s", back is not None, str(watch.lately(since)))

    since = time.time()
    power(0, "off")
    see("own radio off: said", watch.said("Bluetooth is off", since, 40), str(watch.lately(since)))
    power(0, "on")
    back = watch.goes_on(90)
    see(f"on again: {back and round(back, 1)} s", back is not None, str(watch.lately(since)))

    since = time.time()
    subprocess.run(["pkill", "-9", "btvirt"], check=False)
    see("adapter unplugged: said", watch.said("lost: ", since, 40), str(watch.lately(since)))
    see("and it goes on trying", watch.process.poll() is None)
    watch.process.send_signal(signal.SIGINT)
    watch.process.wait(timeout=20)
    see("Ctrl-C ends it", True)
    receiver.kill()
    agent.kill()


main()
print(f"{len(failures)} not seen" if failures else "all seen")
sys.exit(1 if failures else 0)
