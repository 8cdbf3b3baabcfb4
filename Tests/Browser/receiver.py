"""A receiver for the browser tests: it says where a story stands or walks, over TCP, to a real gpsd.

Its sentences are made here, five times a second or as often as is asked for, under the machine's own date and time, so that sampling
takes seconds. What the story does with it: stand, walk, fall silent, speak again.
"""
import atexit
import datetime
import functools
import math
import operator
import random
import shutil
import socket
import subprocess
import threading
import time

METRES_PER_DEGREE = 111_194.9


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def sentence(words):
    check = functools.reduce(operator.xor, words.encode())
    return f"${words}*{check:02X}\r\n"


def angle(degrees, width, signs):
    sign = signs[0] if degrees >= 0 else signs[1]
    whole = int(abs(degrees))
    return f"{whole:0{width}d}{(abs(degrees) - whole) * 60:010.7f},{sign}"


class Receiver:
    """Somebody with a receiver in a field; `program` is the address for `--gnss`."""

    def __init__(self, latitude, longitude, rate=5, on_said=lambda moment, line: None):
        self.rate, self.on_said = rate, on_said
        self.random = random.Random(1)
        self.latitude, self.longitude = latitude, longitude
        self.north = self.east = 0.0
        self.speed, self.course = 0.0, 90.0
        self.is_silent = False
        self.peers = []
        self.server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.welcome, daemon=True).start()
        threading.Thread(target=self.talk, daemon=True).start()
        port = free_port()
        device = f"tcp://127.0.0.1:{self.server.getsockname()[1]}"
        gpsd = shutil.which("gpsd") or "/usr/sbin/gpsd"
        self.gpsd = subprocess.Popen([gpsd, "-n", "-N", "-S", str(port), device],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.gpsd.kill)
        self.program = f"gpsd://127.0.0.1:{port}"

    def stand(self):
        self.speed = 0.0

    def walk(self, metres_per_second=1.4, course=None):
        self.speed = metres_per_second
        if course is not None:
            self.course = course

    def go_to(self, latitude, longitude):
        """Somewhere else at once, as no one walks: for the next scene."""
        self.latitude, self.longitude = latitude, longitude
        self.north = self.east = 0.0

    def silence(self, is_silent=True):
        self.is_silent = is_silent

    def welcome(self):
        while True:
            peer, _ = self.server.accept()
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.peers.append(peer)

    def talk(self):
        drift = [0.0, 0.0]
        tick = time.time()
        while True:
            tick = math.floor(tick * self.rate + 1) / self.rate
            time.sleep(max(0, tick - time.time()))
            self.north += self.speed / self.rate * math.cos(math.radians(self.course))
            self.east += self.speed / self.rate * math.sin(math.radians(self.course))
            # A receiver's errors wander slowly.
            drift = [0.98 * one + self.random.gauss(0, 0.03) for one in drift]
            if self.is_silent:
                continue
            said = self.said(tick, self.north + drift[0], self.east + drift[1]).encode()
            self.on_said(time.time(), said)
            for peer in list(self.peers):
                try:
                    peer.sendall(said)
                except OSError:
                    self.peers.remove(peer)

    def said(self, moment, north, east):
        now = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc)
        clock = now.strftime("%H%M%S.") + f"{now.microsecond // 10_000:02d}"
        latitude = self.latitude + north / METRES_PER_DEGREE
        longitude = self.longitude + east / METRES_PER_DEGREE / math.cos(math.radians(latitude))
        place = f"{angle(latitude, 2, 'NS')},{angle(longitude, 3, 'EW')}"
        course = f"{self.course:.1f}" if self.speed > 0.2 else ""
        lines = [
            f"GNRMC,{clock},A,{place},{self.speed * 1.943844:.3f},{course},{now:%d%m%y},,,A,V",
            f"GNGGA,{clock},{place},1,12,0.70,251.4,M,44.6,M,,",
            "GNGSA,A,3,02,05,12,15,25,29,,,,,,,1.20,0.70,0.97,1",
            "GNGSA,A,3,07,08,13,21,26,30,,,,,,,1.20,0.70,0.97,3",
            f"GNGST,{clock},3.1,1.3,1.0,20.0,1.1,1.2,2.1",
        ]
        if abs(moment - round(moment)) < 0.01:
            lines += [
                "GPGSV,2,1,06,02,34,118,41,05,61,291,46,12,47,215,43,15,22,060,37,1",
                "GPGSV,2,2,06,25,71,092,47,29,18,310,35,1",
                "GAGSV,2,1,06,07,29,178,40,08,55,044,45,13,66,262,46,21,17,132,34,7",
                "GAGSV,2,2,06,26,41,309,42,30,24,082,38,7",
            ]
        return "".join(map(sentence, lines))
