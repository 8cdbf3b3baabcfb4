#!/usr/bin/env python3
"""A delivery of many photos of 2 MB over loopback beside one `curl -T` of the same files to nginx
followed by `sync -d` of them, both over plain HTTP, in turn; and what each side needs of memory.

The photos are sealed once. Each pair begins with an office and a field unit that know each other and
have delivered nothing, and with an empty nginx. Beside the field unit's own time the time is said until
the office has looked at all that came, which it does behind the receipt.
"""
import argparse
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PASSWORD = "kestrel over wet barley"
LIMIT = 0.60
MEMORY_MEGABYTES = 120
ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def run(*words, given=None):
    subprocess.run([str(word) for word in words], check=True, text=True, input=given,
                   stdout=subprocess.DEVNULL, env=ENVIRONMENT)


def peak_megabytes(process):
    for line in open(f"/proc/{process.pid}/status"):
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1000
    return 0


def copy(source, target):
    """Data of their own; photos, which nobody writes to, under a second name."""
    shutil.rmtree(target, ignore_errors=True)

    def one(source, target):
        if source.endswith((".jpg", ".raw", ".seal")):
            os.link(source, target)
        else:
            shutil.copy2(source, target)
    shutil.copytree(source, target, copy_function=one)


class Office:
    def __init__(self, program, data, port):
        self.process = subprocess.Popen(
            [program, "office", "--listen", f"127.0.0.1:{port}", "--data", data],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT)
        assert "office at" in self.process.stdout.readline()

    def stop(self):
        self.process.terminate()
        self.process.wait()


def deliver(program, template, data, port):
    copy(template, data)
    subprocess.run(["sync"], check=True)
    office = Office(program, data, port)
    try:
        began = time.monotonic()
        field = subprocess.Popen([program, "deliver", "--data", data, "--format", "json"],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                 env=ENVIRONMENT)
        memory = 0
        while field.poll() is None:
            try:
                memory = max(memory, peak_megabytes(field))
            except OSError:
                pass
            time.sleep(0.02)
        seconds = time.monotonic() - began
        answer = json.loads(field.stdout.read().splitlines()[-1])
        if field.returncode != 0 or answer["delivered"] == 0 or answer["waiting"] or answer["failed"]:
            sys.exit(f"the delivery failed: {answer}")
        while unchecked(data):
            time.sleep(0.1)
        return seconds, time.monotonic() - began, answer["bytesSent"], memory, peak_megabytes(office.process)
    finally:
        office.stop()


def unchecked(data):
    """How many photos the office has still to look at."""
    import sqlite3
    database = sqlite3.connect(f"file:{data}/office/standpoint.sqlite?mode=ro", uri=True, timeout=30)
    try:
        return database.execute("SELECT count(*) FROM photo WHERE verdict IS NULL").fetchone()[0]
    finally:
        database.close()


class Nginx:
    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        for name in ["root", "temporary", "logs"]:
            (folder / name).mkdir(parents=True)
        (folder / "nginx.conf").write_text(f"""
daemon off; pid {folder}/pid; error_log {folder}/logs/error.log; worker_processes 1;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/temporary; client_max_body_size 100m;
  proxy_temp_path {folder}/temporary/p; fastcgi_temp_path {folder}/temporary/f;
  uwsgi_temp_path {folder}/temporary/u; scgi_temp_path {folder}/temporary/s;
  server {{ listen 127.0.0.1:{self.port}; root {folder}/root; location / {{ dav_methods PUT DELETE; create_full_put_path on; }} }}
}}
user root;
""")
        self.process = subprocess.Popen(["nginx", "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("nginx does not start")

    def receive(self, photos):
        shutil.rmtree(self.folder / "root")
        (self.folder / "root").mkdir()
        subprocess.run(["sync"], check=True)
        config = self.folder / "curl.conf"
        config.write_text("".join(
            f'upload-file = "{path}"\nurl = "http://127.0.0.1:{self.port}/{number}.jpg"\n'
            for number, path in enumerate(photos)))
        began = time.monotonic()
        subprocess.run(["curl", "--silent", "--show-error", "--fail", "-K", config], check=True,
                       stdout=subprocess.DEVNULL)
        files = sorted((self.folder / "root").iterdir())
        subprocess.run(["sync", "-d", *files], check=True)
        seconds = time.monotonic() - began
        if len(files) != len(photos):
            sys.exit(f"nginx has {len(files)} of {len(photos)} files")
        return seconds

    def stop(self):
        self.process.terminate()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", default=str(ROOT / ".build-release/release/standpoint"))
    parser.add_argument("--photos", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--template", help="a folder that keeps the sealed photos for the next time")
    parser.add_argument("--folder", help="where to work: the disk that counts")
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(dir=options.folder, prefix="bench-delivery-"))
    program = shutil.copy(options.program, work / "standpoint")
    template = pathlib.Path(options.template) if options.template else work / "template"
    nginx = Nginx(work / "nginx")
    try:
        if template.exists():
            port = int((template / "port").read_text())
        else:
            port = free_port()
            run(program, "office", "agency", "add", "north", "--data", template)
            run(program, "office", "user", "add", "ines", "--role", "inspector", "--agency", "north",
                "--password-stdin", "--data", template, given=PASSWORD)
            office = Office(program, template, port)
            run(program, "login", "--office", f"http://127.0.0.1:{port}", "--user", "ines",
                "--password-stdin", "--data", template, given=PASSWORD)
            office.stop()
            run(program, "measure", "--fill", options.photos, "--data", template)
            (template / "port").write_text(str(port))
        photos = sorted(template.glob("field/**/*.jpg"))
        size = sum(path.stat().st_size for path in photos)
        raw = sum(path.stat().st_size for path in template.glob("field/**/*.raw"))
        print(f"{len(photos)} photos, {size / 1e6:.0f} MB, raw windows {raw / 1e6:.1f} MB")
        ratios, memories = [], []
        for pair in range(options.pairs):
            theirs = nginx.receive(photos)
            ours, looked, sent, field, office = deliver(program, template, work / "data", port)
            ratios.append(theirs / ours)
            memories.append((field, office))
            print(f"pair {pair + 1}: curl to nginx {theirs:.2f} s, {size / 1e6 / theirs:.0f} MB/s; deliver"
                  f" {ours:.2f} s, {size / 1e6 / ours:.0f} MB/s: {theirs / ours:.2f} times; all looked at"
                  f" after {looked:.1f} s; {sent / (size + raw):.4f} times the bytes of the photos and raw"
                  f" windows; resident: field unit {field:.0f} MB, office {office:.0f} MB", flush=True)
        ratio = statistics.median(ratios)
        field, office = (max(side) for side in zip(*memories))
        is_met = ratio >= LIMIT and max(field, office) < MEMORY_MEGABYTES
        print(f"delivery, {len(photos)} photos: {ratio:.2f} times curl's throughput in the median (at least"
              f" {LIMIT:.2f}); at most {field:.0f} and {office:.0f} MB resident (limit {MEMORY_MEGABYTES}):"
              f" {'met' if is_met else 'NOT met'}")
        return 0 if is_met else 1
    finally:
        nginx.stop()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
