"""A network of its own between two network namespaces of this machine, with delay and loss, made of two TUN devices.

Linux has `netem` for that, and many kernels are built without it. Here one thread for each direction carries whole IP packets from
one namespace to the other, keeps each for the delay, and drops some. Needs root, and touches nothing outside its two namespaces.

    with SlowNetwork("standpoint", delay=0.05, loss=0.02) as network:
        subprocess.Popen(network.inside("unit", [program, …]))     # at network.UNIT
        subprocess.Popen(network.inside("phone", [browser, …]))    # at network.PHONE
"""
import ctypes
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import threading
import time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


class SlowNetwork:
    UNIT, PHONE = "10.77.0.1", "10.77.0.2"

    def __init__(self, name, delay=0.0, loss=0.0, megabits=None, seed=1):
        self.names = {"unit": f"{name}-unit", "phone": f"{name}-phone"}
        self.delay, self.loss, self.megabits = delay, loss, megabits
        self.chance = random.Random(seed)
        self.is_cut = False
        self.carried = self.dropped = 0
        self.ends, self.threads, self.is_over = {}, [], False

    def run(self, *words):
        subprocess.run(words, check=True)

    def inside(self, side, words):
        return ["ip", "netns", "exec", self.names[side], *words]

    def __enter__(self):
        own = os.open("/proc/self/ns/net", os.O_RDONLY)
        # A private address that nothing outside these two namespaces can reach or see.
        for side, address in (("unit", self.UNIT), ("phone", self.PHONE)):
            subprocess.run(["ip", "netns", "del", self.names[side]], stderr=subprocess.DEVNULL)
            self.run("ip", "netns", "add", self.names[side])
            # A TUN device belongs to the namespace in which it was made.
            there = os.open(f"/run/netns/{self.names[side]}", os.O_RDONLY)
            libc = ctypes.CDLL(None, use_errno=True)
            assert libc.setns(there, 0) == 0, os.strerror(ctypes.get_errno())
            try:
                end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
                fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH", b"wlan0", IFF_TUN | IFF_NO_PI))
            finally:
                assert libc.setns(own, 0) == 0
            os.close(there)
            self.ends[side] = end
            for words in (("addr", "add", f"{address}/24", "dev", "wlan0"), ("link", "set", "wlan0", "up"), ("link", "set", "lo", "up")):
                self.run(*self.inside(side, ["ip", *words]))
        os.close(own)
        for source, target in (("unit", "phone"), ("phone", "unit")):
            thread = threading.Thread(target=self.carry, args=(self.ends[source], self.ends[target]), daemon=True)
            thread.start()
            self.threads.append(thread)
        return self

    def carry(self, source, target):
        """Carries the packets of one direction."""
        under_way, count, free_at = [], 0, 0.0
        while not self.is_over:
            now = time.monotonic()
            wait = max(0.0, under_way[0][0] - now) if under_way else 0.2
            if select.select([source], [], [], min(wait, 0.2))[0]:
                while True:
                    try:
                        packet = os.read(source, 65_536)
                    except (BlockingIOError, OSError):
                        break
                    if self.is_cut or self.chance.random() < self.loss:
                        self.dropped += 1
                        continue
                    now = time.monotonic()
                    free_at = max(now, free_at) + (len(packet) * 8 / self.megabits / 1e6 if self.megabits else 0)
                    count += 1
                    heapq.heappush(under_way, (free_at + self.delay, count, packet))
            now = time.monotonic()
            while under_way and under_way[0][0] <= now:
                try:
                    os.write(target, heapq.heappop(under_way)[2])
                    self.carried += 1
                except OSError:
                    self.dropped += 1

    def __exit__(self, *_):
        self.is_over = True
        for thread in self.threads:
            thread.join(2)
        for end in self.ends.values():
            os.close(end)
        for name in self.names.values():
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)
