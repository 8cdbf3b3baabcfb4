#!/usr/bin/env python3
"""By hand, called by `make bench`: what `gnss watch` costs with a receiver of 25 Hz that tells everything,
about 20 kB a second, for a minute. Prints share of one core and resident memory; exit 1 above 2 % or
40 MB. `bench-receiver.py PROGRAM [SECONDS]`"""

import os
import pathlib
import socket
import subprocess
import sys
import threading
import time


def framed(body):
    total = 0
    for letter in body:
        total ^= ord(letter)
    return f"${body}*{total:02X}\r\n"


def epoch(number):
    seconds = number / 25
    clock = f"10{int(seconds) // 60 % 60:02d}{seconds % 60:06.3f}"
    place = f"4807.{1000 + number % 50:04d}123,N,01131.{2000 + number % 70:04d}456,E"
    lines = [
        f"GNRMC,{clock},A,{place},0.02,84.40,010626,,,D,V",
        f"GNVTG,84.40,T,,M,0.02,N,0.04,K,D",
        f"GNGGA,{clock},{place},2,24,0.61,545.412,M,46.912,M,1.0,0120",
        f"GNGST,{clock},12,0.61,0.44,84.4,0.52,0.48,0.98",
        f"GNGLL,4807.1000123,N,01131.2000456,E,{clock},A,D",
    ]
    for system in (1, 2, 3, 4):
        lines.append(f"GNGSA,A,3,02,05,07,13,15,30,18,20,,,,,1.22,0.61,1.05,{system}")
    if number % 25 < 5:
        talker = ("GP", "GL", "GA", "GB", "GQ")[number % 25]
        for part in (1, 2, 3):
            satellites = ",".join(f"{4 * part + index:02d},45,1{index}0,4{index}" for index in range(4))
            lines.append(f"{talker}GSV,3,{part},12,{satellites},1")
    return "".join(map(framed, lines)).encode()


def serve(listening, seconds, sent):
    connection, _ = listening.accept()
    start = time.time()
    try:
        for number in range(int(seconds * 25)):
            data = epoch(number)
            connection.sendall(data)
            sent.append(len(data))
            time.sleep(max(0, start + (number + 1) / 25 - time.time()))
    except OSError:
        pass
    connection.close()


def main(program, seconds):
    listening = socket.create_server(("127.0.0.1", 0))
    sent = []
    threading.Thread(target=serve, args=(listening, seconds + 5, sent), daemon=True).start()
    source = f"tcp://127.0.0.1:{listening.getsockname()[1]}"
    with open("/dev/null", "wb") as nothing:
        watch = subprocess.Popen(
            [program, "gnss", "watch", "--gnss", source, "--format", "json"], stdout=nothing
        )
    ticks = os.sysconf("SC_CLK_TCK")

    def spent():
        fields = pathlib.Path(f"/proc/{watch.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / ticks

    # Starting up is not following.
    time.sleep(2)
    begun, before = time.time(), spent()
    time.sleep(seconds)
    share = (spent() - before) / (time.time() - begun)
    status = pathlib.Path(f"/proc/{watch.pid}/status").read_text()
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    watch.kill()
    print(
        f"gnss watch, 25 Hz, {sum(sent) / (seconds + 2) / 1000:.1f} kB a second: {100 * share:.2f} % of one"
        f" core (at most 2), {resident / 1000:.1f} MB resident (at most 40)"
    )
    return 0 if share <= 0.02 and resident <= 40_000 else 1


sys.exit(main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 60))
