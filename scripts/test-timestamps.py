#!/usr/bin/env python3
"""Time authorities that come and go, lie, stall and talk nonsense, and two offices that witness each other.

The authority is openssl behind a small server; offices and their commands run as users run them. A bundle of the
demonstration, exported with a stamp, is checked by `verify`, and by `openssl ts` alone.
"""
import argparse, base64, contextlib, http.server, json, os, pathlib, shutil, socket, subprocess, sys, tempfile, threading, time, urllib.request, zipfile

CONFIG = """
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[signer]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
subjectKeyIdentifier = hash
crlDistributionPoints = URI:http://127.0.0.1:{port}/root.crl
[tsa]
default_tsa = stamping
[stamping]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
[ca]
default_ca = issuing
[issuing]
database = {folder}/index.txt
default_md = sha256
default_crl_days = 30
"""
faults = []


def require(holds, words):
    print(("ok    " if holds else "FAULT ") + words, flush=True)
    if not holds:
        faults.append(words)


def openssl(*words, **more):
    return subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, **more).stdout


class Authority:
    """An authority of openssl's at a port of its own; `mode` says how it behaves."""

    def __init__(self, folder, days="30"):
        self.folder, self.mode, self.questions, self.last = folder, "good", 0, b""
        folder.mkdir(parents=True)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *words): pass
            def do_GET(self): self.answer((folder / "root.crl").read_bytes(), "application/pkix-crl")
            def do_POST(self): outer.post(self)

            def answer(self, body, kind, status=200):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/stamp"
        (folder / "cnf").write_text(CONFIG.format(port=self.port, folder=folder))
        (folder / "serial").write_text("01\n")
        (folder / "index.txt").write_text("")
        for name in ("root", "signer"):
            openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", folder / f"{name}.key")
        openssl("req", "-x509", "-new", "-key", folder / "root.key", "-subj", "/CN=Root of time", "-days", "3650",
                "-config", folder / "cnf", "-extensions", "root", "-out", folder / "root.pem")
        openssl("req", "-new", "-key", folder / "signer.key", "-subj", "/CN=Time of tests", "-config", folder / "cnf",
                "-out", folder / "signer.csr")
        openssl("x509", "-req", "-in", folder / "signer.csr", "-CA", folder / "root.pem", "-CAkey", folder / "root.key",
                "-CAcreateserial", "-days", days, "-extfile", folder / "cnf", "-extensions", "signer", "-out", folder / "signer.pem")
        openssl("ca", "-gencrl", "-config", folder / "cnf", "-cert", folder / "root.pem", "-keyfile", folder / "root.key",
                "-out", folder / "crl.pem")
        openssl("crl", "-in", folder / "crl.pem", "-outform", "DER", "-out", folder / "root.crl")
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stamp(self, query):
        (self.folder / "query").write_bytes(query)
        openssl("ts", "-reply", "-config", self.folder / "cnf", "-queryfile", self.folder / "query", "-signer",
                self.folder / "signer.pem", "-inkey", self.folder / "signer.key", "-out", self.folder / "reply")
        return (self.folder / "reply").read_bytes()

    def post(self, handler):
        self.questions += 1
        query = handler.rfile.read(int(handler.headers["Content-Length"]))
        kind = "application/timestamp-reply"
        match self.mode:
            case "good":
                self.last = self.stamp(query)
                handler.answer(self.last, kind)
            case "slow": time.sleep(60)
            case "drip":
                # A byte each second, for ever.
                handler.send_response(200)
                handler.send_header("Content-Type", kind)
                handler.end_headers()
                with contextlib.suppress(OSError):
                    for _ in range(90):
                        handler.wfile.write(b"0")
                        handler.wfile.flush()
                        time.sleep(1)
            case "html": handler.answer(b"<html><title>Sign in</title></html>", "text/html")
            case "lie": handler.answer(b"<html>", kind)
            case "repeat": handler.answer(self.last, kind)
            case "error": handler.answer(b"", "text/plain", 503)
            case "refusal": handler.answer(self.stamp(b"no question"), kind)
            case "huge": handler.answer(b"\x30" * (4 << 20), kind)
            case "cut": handler.answer(self.stamp(query)[:-40], kind)
            case "leave":
                handler.connection.close()


class Office:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = None

    def run(self, *words, check=None):
        run = subprocess.run([self.program, "office", *map(str, words), "--data", self.folder], capture_output=True, text=True)
        if check is not None and run.returncode != check:
            require(False, f"office {' '.join(map(str, words))}: status {run.returncode} and not {check}: {run.stdout}{run.stderr}")
        return run

    def start(self):
        self.process = subprocess.Popen([self.program, "office", "--data", self.folder, "--listen", f"127.0.0.1:{self.port}"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError):
                if urllib.request.urlopen(self.address + "/health/ready").status == 200:
                    return
            time.sleep(0.1)
        require(False, "the office does not come up")

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def grow(self, name):
        self.run("agency", "add", name, "--title", name, check=0)

    def timestamps(self):
        return json.loads(self.run("timestamp", "--format", "json", check=0).stdout)


def authorities(program, folder):
    office, authority = Office(program, folder / "one"), Authority(folder / "authority")
    office.grow("north")
    for mode, words in [
        ("html", "text/html and not with a timestamp"), ("lie", "no timestamp"), ("error", "it answers 503"),
        ("refusal", "the authority refuses"), ("huge", "larger than 256 KiB"), ("cut", "no timestamp"),
        ("leave", "nothing answers there"), ("slow", "within 30 seconds"), ("drip", "within 30 seconds"),
    ]:
        authority.mode = mode
        began = time.monotonic()
        run = office.run("timestamp", "use", authority.url)
        took = time.monotonic() - began
        require(run.returncode == 2 and words in run.stderr, f"{mode}: refused with {run.stderr.strip()[-110:]!r}")
        require(took < 35, f"{mode}: after {took:.0f} s")
    require(office.timestamps() == [], "none of them was kept")
    for url in ("ftp://x", "nonsense", "http://user:word@127.0.0.1/"):
        require(office.run("timestamp", "use", url).returncode == 2, f"{url}: no address of an authority")

    other = Authority(folder / "stranger")
    authority.mode = "good"
    run = office.run("timestamp", "use", authority.url, "--root", other.folder / "root.pem")
    require(run.returncode == 2 and "do not vouch" in run.stderr, "a root that does not vouch is refused")
    run = office.run("timestamp", "use", authority.url, "--root", authority.folder / "root.pem")
    require(run.returncode == 0 and "Time of tests" in run.stdout, f"used: {run.stdout.strip()}")
    run = office.run("timestamp", "now")
    require(run.returncode == 0, f"stamped at once: {run.stdout.strip()}")

    authority.mode = "repeat"
    office.grow("south")
    run = office.run("timestamp", "now")
    require(run.returncode == 1 and "stamp of something else" in run.stderr, "the answer to an earlier question is none")
    office.start()
    authority.mode = "slow"
    stuck = subprocess.Popen([program, "office", "timestamp", "now", "--data", office.folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    longest = 0.0
    for _ in range(20):
        began = time.monotonic()
        urllib.request.urlopen(office.address + "/health/ready").read()
        longest = max(longest, time.monotonic() - began)
    require(longest < 1, f"while an authority is slow the office answers within {longest * 1000:.0f} ms")
    stuck.kill()
    stuck.wait()
    authority.mode = "good"
    run = office.run("timestamp", "now")
    require(run.returncode == 0 and "problem" not in office.timestamps()[0], "when it is back, it stamps, and the complaint ends")
    stamps = sorted((folder / "one/office/stamps").glob("*/*.tsr"))
    require(len(stamps) == 2, f"{len(stamps)} stamps are kept")
    for stamp in stamps:
        openssl("ts", "-verify", "-data", stamp.parent / "checkpoint", "-in", stamp, "-CAfile", authority.folder / "root.pem",
                "-untrusted", stamp.with_suffix(".pem"))
        require(len(list(stamp.parent.glob("*.crl"))) == 1, f"openssl verifies {stamp.parent.name}, its revocation list is there")
    return office


def witnesses(program, folder, office):
    other = Office(program, folder / "two")
    other.grow("east")
    other.start()
    keys = {o: (o.run("log", "key", check=0).stdout.strip(), o.run("witness", "key", check=0).stdout.strip()) for o in (office, other)}
    run = office.run("witness", "use", other.address, keys[other][1])
    require(run.returncode == 1 and "does not watch this log" in run.stderr, "a witness that does not know the log says so")
    other.run("witness", "watch", keys[office][0], check=0)
    run = office.run("witness", "now")
    require(run.returncode == 0, f"witnessed: {run.stdout.strip()}")
    note = urllib.request.urlopen(office.address + "/checkpoint").read().decode()
    require(keys[other][1].split("+")[0] in note, "the published checkpoint has the witness's line")
    office.grow("west")
    require(office.run("witness", "now").returncode == 0, "it signs the next one, too")
    other.process.kill()
    other.process.wait()
    office.grow("far")
    run = office.run("witness", "now")
    require(run.returncode == 1 and "nothing answers there" in run.stderr, "a witness that is gone is told")
    other.start()
    require(office.run("witness", "now").returncode == 0, "when it is back, it signs")
    require(office.run("witness", "use", other.address, keys[other][0]).returncode == 2, "the key of a log is none of a witness")
    run = office.run("witness", "watch", "nonsense")
    require(run.returncode == 2, f"nonsense is no key: {run.stderr.strip()}")
    other.process.terminate()


def bundle(program, folder):
    """The office of the demonstration, whose day lies in June: a stamp of today covers it."""
    out = folder / "demo"
    subprocess.run([program, "demo", "--headless", "--out", out], check=True, capture_output=True)
    office, authority = Office(program, out / "data"), Authority(folder / "late")
    run = office.run("timestamp", "use", authority.url, "--root", authority.folder / "root.pem")
    require(run.returncode == 0, f"used: {run.stdout.strip()}{run.stderr.strip()}")
    require(office.run("timestamp", "now").returncode == 0, "the log of the demonstration is stamped")
    with zipfile.ZipFile(out / "demo-bundle.zip") as archive:
        statement = archive.read("SHA256SUMS.jws").decode().split(".")[1]
    task = json.loads(base64.urlsafe_b64decode(statement + "=" * (-len(statement) % 4)))["selection"]["task"]
    made = subprocess.run([program, "export", "task", task, "--as", "bundle", "--office", "-o", folder / "stamped.zip", "--data", out / "data"],
                          capture_output=True, text=True)
    require(made.returncode == 0, f"exported {made.stderr.strip()}")
    root = authority.folder / "root.pem"
    run = subprocess.run([program, "verify", folder / "stamped.zip", "--trust-time", root, "--format", "json"], capture_output=True, text=True)
    report = json.loads(run.stdout)
    stamps = report["timestamps"]
    require(report["verdict"] == "intact" and stamps["seals"] == report["checked"] and stamps["vouchedBy"] == ["Root of time"],
            f"{stamps['seals']} of {report['checked']} seals existed before {stamps.get('last')}")
    require(len(report["sealedBetween"]) == report["checked"], "each seal is between two times")
    with zipfile.ZipFile(folder / "stamped.zip") as archive:
        archive.extractall(folder / "unpacked")
    for stamp in (folder / "unpacked/log/stamped").glob("*/*.tsr"):
        openssl("ts", "-verify", "-data", stamp.parent / "checkpoint", "-in", stamp, "-CAfile", root, "-untrusted", stamp.with_suffix(".pem"))
        require(True, f"openssl ts verifies {stamp.relative_to(folder / 'unpacked')} of the bundle")
    checker = pathlib.Path(__file__).parent.parent / "Tests/Bundles/check.py"
    python = checker.parent.parent.parent / ".venv/bin/python"
    if python.exists():
        run = subprocess.run([python, checker, folder / "stamped.zip", report["issuerFingerprint"]], capture_output=True, text=True,
                             env=os.environ | {"TIME_ROOTS": str(root)})
        require(run.returncode == 0 and "stamp log/" in run.stdout, f"a stranger's program agrees {run.stderr.strip()}")
    stranger = Authority(folder / "nobody")
    run = subprocess.run([program, "verify", folder / "stamped.zip", "--trust-time", stranger.folder / "root.pem"], capture_output=True, text=True)
    require("timestamps: none of a trusted time authority" in run.stdout, "for whom another authority counts there is none")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", required=True, type=pathlib.Path)
    program = arguments.parse_args().program.resolve()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="standpoint-time-"))
    office = None
    try:
        office = authorities(program, folder)
        witnesses(program, folder, office)
        bundle(program, folder)
    finally:
        if office and office.process:
            office.process.terminate()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
