#!/usr/bin/env python3
"""Makes an honest day with PROGRAM, alters its evidence in 98 ways without a key, forges it in 13 ways with the device's key,
and says what `PROGRAM verify` and an office find.

Without the key, an alteration is noticed (not intact, or refused), noted (a new note names what was touched), harmless (each
file has its name and its bytes) or SILENT. With the key, a forgery is noticed by verify, by a check of the office, or a row of
"Who could still cheat" (docs/evidence.md) names it.

Exit status: 0 if all of it was as expected here; 1 if something was silent, crashed, or is otherwise than expected; 2 if the
honest day is unfit.
"""
import argparse, base64, collections, contextlib, copy, datetime, decimal, functools, gzip, hashlib, importlib.util, json, os, pathlib, random, re
import shutil, socket, sqlite3, subprocess, sys, tempfile, threading, time, urllib.request, uuid

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

ROOT = pathlib.Path(__file__).resolve().parent.parent
described = importlib.util.spec_from_file_location("alter", ROOT / "scripts/alter-bundles.py")
alter = importlib.util.module_from_spec(described)
described.loader.exec_module(alter)
LIST, JWS, Entry, b64, unb64 = alter.LIST, alter.JWS, alter.Entry, alter.b64, alter.unb64
PASSWORD, UTC = "kestrel over wet barley", datetime.timezone.utc
ENVIRONMENT = os.environ | {"SWIFT_BACKTRACE": "enable=no"}
PLACE = (49.0839, 16.6389)
PROMISE = b"The office signed a list of all its files, of this one, too."
EAST = 0.006  # degrees, 438 m: the second task's parcel is so far from where its photos are taken


# ---- An honest day

class Receiver:
    """A receiver that stands still, with slow noise; a TCP port gives its sentences to each who connects."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.sky = [(number, self.chance.randint(15, 80), self.chance.randint(0, 359)) for number in range(2, 32, 3)]
        self.noise = [self.chance.gauss(0, 1) for _ in range(3 + len(self.sky))]
        self.server = socket.create_server(("127.0.0.1", 0))
        self.source = f"tcp://127.0.0.1:{self.server.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            one, _ = self.server.accept()
            threading.Thread(target=self.stream, args=(one,), daemon=True).start()

    def stream(self, one):
        with contextlib.suppress(OSError):
            while True:
                time.sleep(1 - time.time() % 1)
                one.sendall(self.sentences(datetime.datetime.now(UTC)))

    def sentences(self, now):
        self.noise = [0.95 * value + 0.31 * self.chance.gauss(0, 1) for value in self.noise]
        north, east, up, *signals = self.noise
        latitude, longitude = PLACE[0] + north * 5e-7, PLACE[1] + east * 7e-7
        place = f"{int(latitude):02}{latitude % 1 * 60:010.7f},N,{int(longitude):03}{longitude % 1 * 60:010.7f},E"
        lines = [f"GPRMC,{now:%H%M%S}.00,A,{place},0.01,,{now:%d%m%y},,,A",
                 f"GPGGA,{now:%H%M%S}.00,{place},1,{len(self.sky):02},0.9,{231 + up / 5:.2f},M,44.6,M,,",
                 f"GPGST,{now:%H%M%S}.00,1.0,0.8,0.7,10,0.8,0.7,1.4",
                 f"GPGSA,A,3,{','.join(f'{one[0]:02}' for one in self.sky)},,,1.5,0.9,1.2"]
        seen = [f"{number:02},{height},{azimuth:03},{round(32 + height / 6 + 2 * noise)}"
                for (number, height, azimuth), noise in zip(self.sky, signals)]
        parts = [seen[at:at + 4] for at in range(0, len(seen), 4)]
        lines += [f"GPGSV,{len(parts)},{at + 1},{len(seen)},{','.join(part)}" for at, part in enumerate(parts)]
        return "".join(map(framed, lines)).encode()


def framed(body): return f"${body}*{functools.reduce(lambda total, one: total ^ ord(one), body, 0):02X}\r\n"


class Day:
    """An office, two devices of one inspector, two tasks, and the bundle of the first one. `folder` has all of it."""

    def __init__(self, program, folder):
        self.program, self.folder, self.facts = program, folder, folder / "day.json"
        if not self.facts.exists():
            self.make()
        self.__dict__.update(json.loads(self.facts.read_text()))

    def run(self, data, *words, given=None, may_fail=False):
        done = subprocess.run([self.program, *map(str, words), "--data", self.folder / data], text=True, input=given, timeout=120,
                              capture_output=True, env=ENVIRONMENT)
        if done.returncode != 0 and not may_fail:
            sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
        return done

    @contextlib.contextmanager
    def office(self, data, address):
        """The office, and the fingerprint of its authority."""
        with open(self.folder / "office.err", "a") as log:
            office = subprocess.Popen([self.program, "office", "--listen", address, "--data", self.folder / data], text=True,
                                      stdout=subprocess.PIPE, stderr=log, env=ENVIRONMENT)
            try:
                assert "office at" in office.stdout.readline()
                yield office.stdout.readline().split()[-1]
            finally:
                office.terminate()
                office.wait()

    def capture(self, data, seed, task, *words):
        picture = self.folder / f"picture-{seed}.jpg"
        self.draw(picture, seed)
        taken = self.run(data, "capture", "--task", task, "--samples", 8, "--countdown", 0, "--format", "json",
                         *[str(word).replace("PICTURE", str(picture)) for word in words])
        return json.loads(taken.stdout.splitlines()[0])["id"]

    def draw(self, picture, seed):
        subprocess.run([self.program, "demo-picture", picture, "--seed", str(seed), "--width", "320", "--height", "240"], check=True)

    def ask(self, path, token, body):
        request = urllib.request.Request(f"http://{self.address}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        return json.load(urllib.request.urlopen(request, timeout=30))

    def make(self):
        self.run("office", "office", "agency", "add", "north")
        for login, role in (("ines", "inspector"), ("adam", "administrator")):
            self.run("office", "office", "user", "add", login, "--role", role, "--agency", "north", "--password-stdin", given=PASSWORD)
        policy = ("office", "agency", "policy", "north", "--deliver-ahead", "on")
        self.run("office", *policy, "--set", "speedLimitMetresPerSecond=0.40")
        corner = [[x * 4e-4, y * 3e-4] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
        features = [{"type": "Feature", "properties": {"identifier": name, "name": name, "inspector": "ines"},
                     "geometry": {"type": "Polygon", "coordinates": [[[PLACE[1] + east + x, PLACE[0] + y] for x, y in corner]]}}
                    for name, east in (("here", 0), ("east", EAST), ("near", 0))]
        (self.folder / "tasks.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
        self.run("office", "office", "task", "import", self.folder / "tasks.geojson", "--agency", "north")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        with self.office("office", self.address) as fingerprint:
            self.fill(fingerprint, policy)
        self.facts.write_text(json.dumps({name: getattr(self, name) for name in ("address", "fingerprint", "tasks", "photos")}))

    def fill(self, fingerprint, policy):
        self.fingerprint, receiver, tcp = fingerprint, Receiver(7), []
        tcp = ["--camera", "cp PICTURE {file}", "--gnss", receiver.source]
        def login(data): self.run(data, "login", "--office", f"http://{self.address}", "--user", "ines", "--password-stdin", given=PASSWORD)
        def key(data): return json.loads(self.run(data, "key", "--format", "json").stdout)["keys"][0]["key"]
        login("lost")
        listed = [json.loads(line) for line in self.run("lost", "task", "list", "--format", "json").stdout.splitlines()]
        self.tasks = here, east, _ = [next(task["id"] for task in listed if task["name"] == name) for name in ("here", "east", "near")]
        photos = [self.capture("lost", 1, here, *tcp)]
        self.run("lost", "deliver")
        token = self.ask("/api/v1/officer-sessions", None, {"login": "adam", "password": PASSWORD})["token"]
        self.ask(f"/api/v1/console/devices/{key('lost')}/revoke", token, {"reason": "left on a bus"})
        # From here on the other device. The agency's rules have become stricter.
        self.run("office", *policy, "--set", "speedLimitMetresPerSecond=0.15", "--set", "maximumUncertaintyMetres95=20")
        login("field")
        photos.append(self.capture("field", 2, here, *tcp))
        self.run("office", *policy[:-1], "off")
        self.run("field", "deliver")
        self.run("field", "photo", "delete", self.capture("field", 3, here, *tcp), "--reason", "blurred", "--yes")
        photos.append(self.capture("field", 4, east, *tcp))
        photos.append(self.capture("field", 5, here, *tcp))
        self.run("field", "photo", "note", photos[-1], "the gate is open")
        self.run("field", "track", "record", "--name", "edge", "--task", here, "--gnss", receiver.source, "--duration", 5, given="")
        self.run("field", "task", "provide", here)
        self.run("field", "deliver")
        time.sleep(3)  # the office looks at what came, and signs a checkpoint
        self.run("office", "export", "task", here, "--office", "--as", "bundle", "-o", self.folder / "bundle.zip")
        self.run("office", "office", "log", "-o", self.folder / "office.log")
        self.run("field", "deliver")  # which fetches the proofs of the receipts
        # What is not delivered yet: the forger's.
        photos.append(self.capture("field", 6, east, *tcp))
        photos.append(self.capture("field", 7, east, *tcp))
        photos.append(self.capture("field", 8, east, "--image", "PICTURE", "--gnss", receiver.source))
        log, now = self.folder / "replay.nmea", datetime.datetime.now(UTC)
        other = Receiver(8)
        log.write_bytes(b"".join(other.sentences(now + datetime.timedelta(seconds=second - 30)) for second in range(30)))
        photos.append(self.capture("field", 9, east, "--camera", "cp PICTURE {file}", "--gnss", f"file://{log}?rate=max"))
        self.photos = photos
        self.draw(self.folder / "picture-other.jpg", 77)


# ---- Signatures, as docs/evidence.md and schemas/ describe them

STRANGER = ec.derive_private_key(0x5EA1, ec.SECP256R1())

def canonical(document): return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def sha256(data): return hashlib.sha256(data).hexdigest()

def jwk(key):
    numbers = key.public_key().public_numbers()
    return {"crv": "P-256", "kty": "EC", **{axis: b64(getattr(numbers, axis).to_bytes(32, "big")).decode() for axis in "xy"}}

def thumbprint(key): return b64(hashlib.sha256(canonical(jwk(key))).digest()).decode()

def signed(key, payload, header=None):
    text = b64(canonical(header or {"alg": "ES256", "jwk": jwk(key), "kid": thumbprint(key)})) + b"." + b64(canonical(payload))
    r, s = utils.decode_dss_signature(key.sign(text, ec.ECDSA(hashes.SHA256())))
    return (text + b"." + b64(r.to_bytes(32, "big") + min(s, alter.ORDER - s).to_bytes(32, "big"))).decode()

def link_of(seal): return json.loads(unb64(json.loads(seal)["seal"].split(".")[1].encode()))


# ---- 98 alterations without a key

class Case(alter.Bundle):
    """The files of one copy. `a`, `b`: two photos of the device that is in use, as paths without ending; `key`: its key."""

    def __init__(self, day, entries, form):
        self.prefix, self.counted, self.suffix, self.comment, self.late, self.what = b"", b"", b"", b"", [], []
        self.day, self.entries, self.form = day, sorted(entries, key=lambda e: e.name), form
        stems = {alter.split(name)[1][:-4]: name[:-4] for name in self.names() if name.endswith(".raw")}
        self.a, self.b = (stems.get(day.photos[at]) for at in (1, 3))
        self.key = link_of(self.data(self.a + ".jpg.seal"))["key"] if self.a else ""

    def all(self, part): return [name for name in self.names() if part in name]
    def name(self, part, at=0): return self.all(part)[at]
    def file(self, name): return self.entries[self.names().index(name)]
    def data(self, name): return self.file(name).data

    def sealed(self, kind):
        """The last seal of this kind of the device that is in use."""
        links = {name: link_of(self.data(name)) for name in self.all(".seal")}
        return [name for name, link in links.items() if (link["kind"], link["key"]) == (kind, self.key)][-1]

    def edit(self, name, change): self.put(name, change(self.data(name)))

    def put(self, name, data, **more):
        self.entries = [e for e in self.entries if e.name != name]
        self.add(name, data, **more)

    def rename(self, old, new):
        for e in self.entries:
            e.name = e.name.replace(old, new)

    def swap(self, x, y):
        old = self.data(x)
        self.put(x, self.data(y))
        self.put(y, old)

    def record(self, name, change):
        """The record of a seal file after change(record), and the rest as it was."""
        document = json.loads(self.data(name))
        change(document["record"])
        self.put(name, canonical(document))

    def jws(self, name, change):
        """The first JWS in a file after change(head, payload, signature)."""
        self.edit(name, lambda data: JWS.sub(lambda found: b".".join(change(*found.groups())), data, count=1))

    def payload(self, name, **more): self.jws(name, lambda head, says, sign: (head, b64(canonical(json.loads(unb64(says)) | more)), sign))
    def twin(self, name): self.jws(name, lambda head, says, sign: (head, says, alter.twin(sign)))
    def unlist(self, *parts): self.drop([name for name in self.names() if name in LIST or any(part in name for part in parts)])

    def relist(self, key=None, statement=True):
        """The list as it would be now; the statement over it as it was, or signed by `key`."""
        text = "".join(f"{sha256(e.data)}  {e.name}\n" for e in sorted(self.entries, key=lambda e: e.name) if e.name not in LIST)
        self.put(LIST[0], text.encode())
        head, says, _ = JWS.search(self.data(LIST[1])).groups()
        says = json.loads(unb64(says)) | {"list": sha256(text.encode()), "files": text.count("\n")}
        if key:
            self.put(LIST[1], signed(key, says, json.loads(unb64(head))).encode() + b"\n")
        elif not statement:
            self.drop(LIST[1:])

    def tweak(self, name, **more): vars(self.file(name)).update(more)

def flip(at):
    def change(data):
        place = at % len(data)
        return data[:place] + bytes([data[place] ^ 1]) + data[place + 1:]
    return change

def replace(old, new): return lambda data: data.replace(old, new)

def segments(data, marker, start=b""):
    """Where the JPEG's segments with this marker are."""
    at, found = 2, []
    while data[at + 1] != 0xDA:
        end = at + 2 + int.from_bytes(data[at + 2:at + 4], "big")
        if data[at + 1] == marker and data[at + 4:end].startswith(start):
            found.append((at, end))
        at = end
    return found

def without(marker, start=b""):
    def change(data):
        for at, end in reversed(segments(data, marker, start)):
            data = data[:at] + data[end:]
        return data
    return change

def bare_picture(data): return functools.reduce(lambda data, marker: without(marker)(data), range(0xE0, 0xF0), data)
def put_in(segment): return lambda data: data[:2] + segment + data[2:]

def move_exif(data):
    """The degrees of the latitude in EXIF, one more."""
    at = min(data.find(tag) for tag in (b"\x00\x02\x00\x05\x00\x00\x00\x03", b"\x02\x00\x05\x00\x03\x00\x00\x00") if tag in data)
    order = "little" if data[at] else "big"
    place = segments(data, 0xE1, b"Exif")[0][0] + 10 + int.from_bytes(data[at + 8:at + 12], order)
    return data[:place] + (int.from_bytes(data[place:place + 4], order) + 1).to_bytes(4, order) + data[place + 4:]

def other_manifest(case):
    at, end = (lambda found: (found[0][0], found[-1][1]))(segments(case.data(case.b + ".jpg"), 0xEB))
    case.edit(case.a + ".jpg", lambda data: put_in(case.data(case.b + ".jpg")[at:end])(without(0xEB)(data)))

def unzipped(change): return lambda data: gzip.compress(change(gzip.decompress(data)), mtime=0)

def moved(degrees):
    """Changes the longitude in all sentences of a raw window."""
    def sentence(found):
        body = re.sub(rb"(\d{3})(\d\d\.\d{7}),E", lambda one: b"%s%010.7f,E" % (one[1], float(one[2]) + degrees * 60), found[1])
        return framed(body.decode()).encode().rstrip()
    return windowed(lambda read: re.sub(rb"\$([^*$]+)\*..", sentence, read))

def windowed(change):
    def lines(data):
        first, *reads = data.splitlines()
        return b"\n".join([first] + [one.split()[0] + b" " + base64.b64encode(change(base64.b64decode(one.split()[1]))) for one in reads]) + b"\n"
    return lines

def der(tag, data): return bytes([tag]) + (b"" if len(data) < 128 else b"\x82") + len(data).to_bytes(1 if len(data) < 128 else 2, "big") + data

def recertified(sign):
    """The first certificate of a file with the signature that sign(certificate) gives."""
    def change(data):
        first = x509.load_pem_x509_certificates(data)[0]
        algorithm = bytes.fromhex("300a06082a8648ce3d040302")
        made = x509.load_der_x509_certificate(der(0x30, first.tbs_certificate_bytes + algorithm + der(3, b"\0" + sign(first))))
        old = first.public_bytes(serialization.Encoding.PEM)
        assert old in data, "the certificate is not as it is written here"
        return data.replace(old, made.public_bytes(serialization.Encoding.PEM))
    return change

def twin_of(certificate):
    r, s = utils.decode_dss_signature(certificate.signature)
    return utils.encode_dss_signature(r, alter.ORDER - s)

def by_stranger(certificate): return STRANGER.sign(certificate.tbs_certificate_bytes, ec.ECDSA(hashes.SHA256()))

def resealed(case, name, whose):
    """A seal of the stranger's over a record with another inspector's note; the link names the device's key, or the stranger's."""
    document = json.loads(case.data(name))
    link = link_of(case.data(name))
    document["record"]["position"]["uncertaintyMetres95"] = "0.020"
    if whose == "own":
        link["key"] = document["record"]["device"]["key"] = thumbprint(STRANGER)
    link["record"] = sha256(canonical(document["record"]))
    document["seal"] = signed(STRANGER, link, None if whose == "own" else json.loads(unb64(document["seal"].split(".")[0].encode())))
    case.put(name, canonical(document))

def bare_link(case, name):
    """The photo's link goes to the bare links; record, picture and raw window go away."""
    case.edit(case.name(".links"), lambda data: json.loads(case.data(name))["seal"].encode() + b"\n" + data)
    case.drop(case.all(name[:-9]))

def exchanged(case, *endings):
    for ending in endings:
        case.swap(case.a + ending, case.b + ending)

CHAINS_END = "| the inspector | the device | delete the end of the chain before anything of it is sent |"
KEY_FILE = "| the inspector | the device and its key file | "
INVENTED = "| the inspector | the device and its key file (each photo's check *Issuer* says that the key is in one) | seal an invented position"
ATTACKS, GROUP = [], [""]
def group(name): GROUP[0] = name
def attack(base, expected, name, change, *options, row=None): ATTACKS.append((GROUP[0], base, expected, name, change, options, row))

# What the table's words are about: "listed" is the bundle (a ZIP), "bare" the bundle without the office's list, so that seals and
# receipts alone speak; "folder" and "bare folder" are the same, unpacked; "field" is a field unit's data, "log" the office's log.
group("Picture and metadata")
attack("bare", "altered: file, image, manifest", "A bit in the middle of the picture changed", lambda c: c.edit(c.a + ".jpg", flip(-9000)))
attack("bare", "altered: file", "The picture cut off in the middle", lambda c: c.edit(c.a + ".jpg", lambda data: data[:len(data) // 2]))
attack("bare", "altered: exif, file, manifest", "The latitude in EXIF moved by a degree", lambda c: c.edit(c.a + ".jpg", move_exif))
attack("bare", "altered: exif, file, manifest", "The year in EXIF changed", lambda c: c.edit(c.a + ".jpg", lambda data: re.sub(rb"20\d\d(:\d\d:\d\d \d)", rb"2019\1", data)))
attack("bare", "altered: exif, file, manifest", "EXIF taken away", lambda c: c.edit(c.a + ".jpg", without(0xE1, b"Exif")))
attack("bare", "altered: file, manifest, xmp", "The inspector's name in XMP changed", lambda c: c.edit(c.a + ".jpg", replace(b'inspector="ines"', b'inspector="inez"')))
attack("bare", "altered: file, manifest, xmp", "XMP taken away", lambda c: c.edit(c.a + ".jpg", without(0xE1, b"http://ns.adobe.com/xap")))
attack("bare", "altered: file, manifest", "The C2PA manifest taken away", lambda c: c.edit(c.a + ".jpg", without(0xEB)))
attack("bare", "altered: file, manifest", "The C2PA manifest of another photo in its place", other_manifest)
attack("bare", "altered: file, manifest", "The record in the C2PA manifest changed",
       lambda c: c.edit(c.a + ".jpg", replace(b'"inspector":"ines"', b'"inspector":"inez"')))
attack("bare", "altered: file, manifest", "A segment APP14 put in, which changes the colours",
       lambda c: c.edit(c.a + ".jpg", put_in(b"\xff\xee\0\x0eAdobe\0d\0\0\0\0\2")))
attack("bare", "altered: exif, file, manifest, xmp", "All metadata taken away, the picture kept", lambda c: c.edit(c.a + ".jpg", bare_picture))
attack("bare", "altered: exif, file, image, manifest, xmp", "A new picture in the photo's place", lambda c: c.edit(c.a + ".jpg", lambda data: (c.day.folder / "picture-other.jpg").read_bytes()))
attack("photo", "altered: file, image, manifest", "A bit of a single photo changed, checked by itself", lambda c: c.edit(c.a + ".jpg", flip(-9000)))

group("Record, seal and signature")
attack("bare", "altered: chain, seal", "The record's latitude changed", lambda c: c.record(c.a + ".jpg.seal", lambda r: r["position"].update(latitudeDegrees="49.100000000")))
attack("bare", "altered: chain, seal", "The photo claimed for another task", lambda c: c.record(c.a + ".jpg.seal", lambda r: r["task"].update(id=c.day.tasks[1])))
attack("bare", "altered: chain, seal", "A member taken out of the record", lambda c: c.record(c.a + ".jpg.seal", lambda r: r.pop("challenge")))
attack("bare", "altered: chain, seal", "The words of a note changed", lambda c: c.record(c.sealed("note"), lambda r: r["note"].update(text="the gate is shut")))
attack("bare", "altered: chain, seal", "The seal file written with spaces", lambda c: c.edit(c.a + ".jpg.seal", lambda data: json.dumps(json.loads(data)).encode()))
attack("bare", "altered: chain, seal", "A further member beside record and seal", lambda c: c.edit(c.a + ".jpg.seal", replace(b'{"record":', b'{"about":1,"record":')))
attack("bare", "altered: chain, seal", "A member of the record there twice", lambda c: c.edit(c.a + ".jpg.seal", replace(b'"inspector":', b'"inspector":"tom","inspector":')))
attack("bare", "altered: chain, seal", "A bit of the signature changed",
       lambda c: c.jws(c.a + ".jpg.seal", lambda head, says, sign: (head, says, b64(flip(9)(unb64(sign))))))
attack("bare", "altered: chain, receipt", "The signature's twin: s made n - s, in the middle of the chain", lambda c: c.twin(c.a + ".jpg.seal"))
attack("bare", "doubtful: receipt", "The signature's twin: s made n - s, at the chain's end", lambda c: c.twin(c.sealed("transition")))
attack("bare", "altered: chain, seal", "The seal's algorithm said to be none",
       lambda c: c.jws(c.a + ".jpg.seal", lambda head, says, sign: (b64(canonical(json.loads(unb64(head)) | {"alg": "none"})), says, sign)))
attack("bare", "altered: chain, seal", "The link's place in the chain changed", lambda c: c.payload(c.a + ".jpg.seal", sequence=7))
attack("bare", "incomplete: chain, exif, manifest, standpoint, times, xmp", "The uncertainty lowered, and sealed with a stranger's key", lambda c: resealed(c, c.a + ".jpg.seal", "own"))
attack("bare", "altered: chain, seal", "The same, under the name of the device's key", lambda c: resealed(c, c.a + ".jpg.seal", "device's"))

group("Raw window")
attack("bare", "altered: raw-window", "A byte of the raw window changed", lambda c: c.edit(c.a + ".raw", flip(300)))
attack("bare", "altered: raw-window", "The receiver's positions moved by 438 m", lambda c: c.edit(c.a + ".raw", unzipped(moved(EAST))))
attack("bare", "altered: raw-window", "The raw window compressed otherwise", lambda c: c.edit(c.a + ".raw", unzipped(lambda data: data)))
attack("bare", "altered: raw-window", "Another photo's raw window", lambda c: c.put(c.a + ".raw", c.data(c.b + ".raw")))
attack("bare", "incomplete: raw-window", "The raw window taken away", lambda c: c.drop([c.a + ".raw"]))

group("Chain and links")
attack("bare", "incomplete: chain", "A photo taken away with its seal and its raw window", lambda c: c.drop(c.all(c.a)))
attack("bare", "intact, a note: receipt", "The last record of the chain taken away", lambda c: c.drop([c.sealed("transition")]))
attack("bare", "incomplete: file", "The picture taken away, seal and raw window left", lambda c: c.drop([c.a + ".jpg"]))
attack("bare", "incomplete: chain, unnamed", "The seal taken away, the picture left", lambda c: c.drop([c.a + ".jpg.seal"]))
attack("bare", "incomplete: chain, file, raw-window", "The record of a deletion taken away", lambda c: c.drop([c.sealed("deletion")]))
attack("bare", "incomplete: chain", "The links of other tasks taken away", lambda c: c.drop([c.name(".links")]))
attack("bare", "incomplete: chain", "One of these links taken away", lambda c: c.edit(c.name(".links"), lambda data: data.split(b"\n")[0] + b"\n"))
attack("bare", "altered: chain, seal", "A link of another task changed", lambda c: c.payload(c.name(".links"), id=str(uuid.UUID(int=7))))
attack("bare", "intact, a note: chain", "A photo hidden: its link put among those of other tasks", lambda c: bare_link(c, c.b + ".jpg.seal"))
attack("field", "intact; named under *Who could still cheat*", "The last photo taken out of a field unit's folder", lambda c: c.drop(c.all(c.day.photos[7])),
       row=CHAINS_END)
attack("field", "incomplete: chain", "A photo taken out of the middle of a field unit's folder", lambda c: c.drop(c.all(c.day.photos[2])))

group("Receipts, proofs and the office's log")
attack("listed", "incomplete: list, log", "A receipt dropped", lambda c: c.drop([c.name(".receipt", 2)]))
attack("listed", "incomplete: list", "A device's receipts, all proofs and the list dropped", lambda c: c.unlist(*c.all(".receipt")[2:], "log/"))
attack("listed", "incomplete: list", "The same, where receipts are required", lambda c: c.unlist(*c.all(".receipt")[2:], "log/"), "--require-receipt")
attack("listed", "incomplete: list", "A chain's end, the receipts of it and the list dropped", lambda c: c.unlist(
    c.b, c.name(".links"), *map(c.sealed, ("note", "track", "transition")), c.name(".track"), c.name(".receipt", 3), "log/"))
attack("listed", "altered: list", "A receipt dropped, and the list written anew", lambda c: (c.drop([c.name(".receipt", 2)]), c.relist()))
attack("bare", "altered: receipt", "The time in a receipt changed", lambda c: c.payload(c.name(".receipt", 2), received="2026-01-01T09:00:00.000Z"))
attack("bare", "not silent", "The twin of a receipt's signature", lambda c: c.twin(c.name(".receipt", 2)))
attack("bare", "altered: receipt", "A receipt signed with a stranger's key, under the office's certificate", lambda c: c.jws(
    c.name(".receipt", 2), lambda head, says, sign: tuple(signed(STRANGER, json.loads(unb64(says)), json.loads(unb64(head))).encode().split(b"."))))
attack("listed", "incomplete: list", "A proof of the log changed, and the list dropped", lambda c: (c.edit(c.name(".tlog-proof"), flip(80)), c.unlist()))
attack("listed", "incomplete: list", "The checkpoint of the log changed, and the list dropped", lambda c: (c.edit("log/checkpoint", flip(70)), c.unlist()))
attack("field", "altered: log", "A proof of a receipt changed in a field unit's folder", lambda c: c.payload(c.name(".receipt-proof"), receipt="0" * 64))
attack("log", "altered: log", "An entry taken out of the office's log", lambda c: c.edit("office.log", lambda data: b"".join(data.splitlines(True)[:5] + data.splitlines(True)[6:])))
attack("bare", "altered: times", "The time of a challenge changed", lambda c: c.payload(c.name(".challenge"), time="2026-01-01T09:00:00.000Z"))

group("Certificates and revocations")
attack("bare", "issuer unknown", "A device's certificate dropped", lambda c: c.drop([c.name(c.key + ".pem")]))
attack("bare", "not silent", "The certificates of both devices exchanged", lambda c: c.swap(*c.all(".pem")))
attack("bare", "not silent", "The twin of a certificate's signature", lambda c: c.edit(c.name(c.key + ".pem"), recertified(twin_of)))
attack("bare", "altered: certificate", "A certificate signed by a stranger", lambda c: c.edit(c.name(c.key + ".pem"), recertified(by_stranger)))
attack("bare", "not silent", "Words put before a certificate", lambda c: c.edit(c.name(c.key + ".pem"), lambda data: b"Trust this one:\n" + data))
attack("listed", "incomplete: list, revoked", "A revocation dropped", lambda c: c.drop([c.name(".revocation")]))
attack("listed", "incomplete: list", "A revocation and the list dropped", lambda c: c.unlist(".revocation"))
attack("bare", "altered: revoked", "The time of a revocation changed", lambda c: c.payload(c.name(".revocation"), revoked="2030-01-01T09:00:00.000Z"))
attack("bare", "not silent", "The twin of a revocation's signature", lambda c: c.twin(c.name(".revocation")))

group("List and statement of the bundle")
attack("listed", "incomplete: list", "List and statement dropped", lambda c: c.unlist())
attack("listed", "incomplete: list", "The statement alone dropped", lambda c: c.drop(LIST[1:]))
attack("listed", "altered: list", "A file put in, and the list written anew", lambda c: (c.put("loose.txt", b"zebra\n"), c.relist()))
attack("listed", "incomplete: list", "The same, and the statement dropped", lambda c: (c.put("loose.txt", b"zebra\n"), c.relist(statement=False)))
attack("listed", "altered: list", "The same, and the statement signed by a stranger", lambda c: (c.put("loose.txt", b"zebra\n"), c.relist(STRANGER)))
attack("listed", "altered: list", "The twin of the statement's signature", lambda c: c.twin(LIST[1]))
attack("listed", "altered: list", "The README changed", lambda c: c.edit("README.txt", flip(50)))

group("Loose, hidden, nested and renamed files")
for base, path, expected, name in (
        ("bare folder", "loose.txt", "intact, a note: unnamed", "A loose text"),
        ("bare folder", "photos/zz/loose.jpg", "incomplete: unnamed", "A loose picture among the photos"),
        ("bare folder", "records/loose", "intact, a note: unnamed", "A loose file without an ending among the records"),
        ("bare folder", "certificates/loose.crt", "intact, a note: unnamed", "A loose file among the certificates"),
        ("bare folder", "tools/loose.exe", "intact, a note: unnamed", "A loose program in a folder of its own"),
        ("folder", "thumbnails/loose.jpg", "not silent", "A loose picture in a folder for previews")):
    attack(base, expected, name, lambda c, path=path: c.put(path, b"zebra\n"))
attack("bare folder", "not silent", "A loose text beside a database",
       lambda c: (c.put("loose.txt", b"zebra\n"), c.put("standpoint.sqlite", b"SQLite format 3\0" + bytes(84))))
for path, name in ((".hidden.txt", "A hidden text"), ("photos/zz/.hidden.jpg", "A hidden picture among the photos"),
                   (".git/config", "A file in a hidden folder"), ("keys/hidden.pem", "A file in the folder keys, which is no evidence")):
    attack("bare folder", "intact, a note: unnamed", name, lambda c, path=path: c.put(path, b"zebra\n"))
attack("bare", "intact, a note: unnamed", "A ZIP in the ZIP", lambda c: c.put("nested.zip", c.build()))
attack("bare", "altered: exif, file, image, manifest, xmp", "The pictures of two photos exchanged", lambda c: exchanged(c, ".jpg"))
attack("bare", "doubtful: seal", "Two photos exchanged with seals and raw windows", lambda c: exchanged(c, ".jpg", ".jpg.seal", ".raw"))
attack("bare", "intact, a note: seal", "A photo renamed, with its seal and its raw window", lambda c: c.rename(c.a, alter.split(c.a)[0] + "barn"))
attack("bare", "incomplete: file, unnamed", "The picture alone renamed", lambda c: setattr(c.file(c.a + ".jpg"), "name", c.a + ".jpeg"))
attack("bare", "not silent", "A picture and its seal renamed from .jpg to .jpeg", lambda c: c.rename(c.a + ".jpg", c.a + ".jpeg"))

group("The ZIP itself")
attack("listed", "intact", "The entries in another order", lambda c: c.entries.reverse())
attack("listed", "intact", "Entries with other times and without compression", lambda c: [c.tweak(name, date=(2001, 1, 1, 1, 1, 2), method=0) for name in c.names()])
attack("listed", "refused", "A comment of the ZIP", lambda c: setattr(c, "comment", b"zebra"))
attack("listed", "refused", "Another ZIP put before it", lambda c: setattr(c, "prefix", Case(c.day, [Entry("loose.txt", b"zebra\n")], "zip").build()))
attack("listed", "refused", "The name of a photo there twice", lambda c: c.add(c.a + ".jpg", b"zebra\n"))
attack("listed", "refused", "A name in the local header that is not the directory's", lambda c: c.tweak(c.a + ".jpg", lies=((30, "<5s", b"zebra", "local"),)))
attack("listed", "refused", "A symbolic link put in", lambda c: c.put("loose.jpg", b"/etc/passwd", mode=0o120777))
attack("listed", "altered: file, list", "The checksum of an entry changed", lambda c: c.tweak(c.a + ".jpg", lies=((14, "<I", 7, "both"),)))


# ---- Asking and judging

class Verifier:
    def __init__(self, day):
        self.day, self.bases, self.usual = day, {}, {}
        zipped, log = alter.Bundle(day.folder / "bundle.zip").entries, Entry("office.log", (day.folder / "office.log").read_bytes())
        self.entries = {"listed": zipped, "field": self.read(day.folder / "field/field"),
                        "log": [log, next(e for e in zipped if e.name.endswith(".pem"))]}

    @staticmethod
    def read(folder):
        return [Entry(str(path.relative_to(folder)), path.read_bytes()) for path in sorted(folder.rglob("*"))
                if path.is_file() and path.name not in ("lock", "delivery.lock")]

    def base(self, name):
        entries = self.entries.get(name, self.entries["listed"])
        entries = copy.deepcopy([e for e in entries if "bare" not in name or e.name not in LIST])
        for e in entries:
            if "bare" in name and e.name == "README.txt":  # as in bundles of the time before there were lists
                e.data = e.data.replace(PROMISE, b"")
        return Case(self.day, entries, name)

    def ask(self, case, folder, options):
        """The answer to verify of this case; its `files` are the names and digests of the files."""
        folder.mkdir(parents=True)
        if case.form in ("listed", "bare"):
            (folder / "bundle.zip").write_bytes(case.build())
            asked, files = "bundle.zip", alter.contents(folder / "bundle.zip")
        else:
            for e in case.entries:
                (folder / "evidence" / e.name).parent.mkdir(parents=True, exist_ok=True)
                (folder / "evidence" / e.name).write_bytes(e.data)
            asked, files = f"evidence/{case.a}.jpg" if case.form == "photo" else "evidence", {(e.name, sha256(e.data)) for e in case.entries}
        return verified(self.day, folder, asked, options) | {"files": files}

    def judge(self, number, base, change, options, folder):
        if (base, options) not in self.usual:
            usual = self.usual[base, options] = self.ask(self.base(base), folder / f"usual {base}{len(self.usual)}", options)
            if usual["status"] != 0 or usual["issuer"] != "trusted":
                print(f"{base}: the honest evidence is not intact: {usual}")
                sys.exit(2)
        usual, case = self.usual[base, options], self.base(base)
        change(case)
        answer = self.ask(case, folder / str(number), options)
        before, after = usual["files"], answer["files"] or set()
        touched = {name for name, _ in after - before} or {name for name, _ in before - after}
        sealed = self.base(base)
        touched |= {f"place {link_of(sealed.data(name))['sequence']};" for name in touched & set(sealed.all(".seal"))}
        return outcome(answer, usual, touched)


def verified(day, folder, asked, options=()):
    command = [day.program, "verify", asked, "--format", "json", "--trust", day.fingerprint, *options]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, env=ENVIRONMENT)
        answer = json.loads(done.stdout.strip().rsplit(b"\n", 1)[-1]) if done.stdout.strip() else {"verdict": "refused", "findings": []}
        return {"issuer": "unknown"} | answer | {"status": done.returncode, "error": done.stderr.decode(errors="replace").strip()}
    except subprocess.TimeoutExpired:
        return {"verdict": "timeout", "findings": [], "status": None, "error": "", "issuer": ""}


def outcome(answer, usual, touched):
    """A word, and what verify says in words of the table."""
    new = [f for f in answer["findings"] if f not in usual["findings"]]
    loud = sorted({f["check"] for f in new if f["severity"] != "note"})
    if answer["status"] not in (0, 1, 2) or answer["verdict"] == "refused" and answer["status"] != 2:
        return "CRASH", f"{answer['status']} {answer['error'][-200:]}", new
    if answer["verdict"] == "refused":
        return "noticed", "refused", new
    if answer["verdict"] != "intact":
        return "noticed", f"{answer['verdict']}: {', '.join(loud)}", new
    if answer["issuer"] != "trusted":
        return "noticed", "issuer unknown" + (f": {', '.join(loud)}" if loud else ""), new
    if answer["status"] != 0:
        return "noticed", "intact, refused for want of receipts", new
    if not touched:
        return "harmless", "intact", new
    told = [f for f in new if any(alter.mentions(name, f"{f['subject']}\n{f['message']}") for name in touched)]
    if told:
        return "noted", f"intact, a note: {', '.join(sorted({f['check'] for f in told}))}", new
    return "SILENT", "intact", new


# ---- 13 forgeries with the device's key

class Forger:
    """Somebody with a copy of the field unit's data and of its key, who seals again what they change."""

    def __init__(self, day, folder, name):
        self.day, self.data, self.sealed_from = day, folder / name, 10 ** 6
        shutil.copytree(day.folder / "field", self.data)
        key = next((self.data / "field/keys").glob("*.pem")).read_bytes()
        self.key, self.database = serialization.load_pem_private_key(key, None), self.data / "field/standpoint.sqlite"
        with contextlib.closing(sqlite3.connect(self.database)) as database:
            rows = database.execute("SELECT id, kind, record, jws, file_digest, raw_digest FROM link ORDER BY sequence").fetchall()
        self.links = [{"id": id, "kind": kind, "record": json.loads(record), "jws": jws, "file": file, "raw": raw}
                      for id, kind, record, jws, file, raw in rows]

    def place(self, photo): return next(at for at, link in enumerate(self.links) if link["id"] == photo)

    def earlier(self):
        """The policy that the revoked device had, as its record names it."""
        seal = next((self.day.folder / "lost/field/photos").glob("*/*.seal"))
        return json.loads(seal.read_bytes())["record"]["policy"]

    def path(self, photo, ending):
        found = next((self.data / "field/photos").glob(f"*/{photo}.jpg.seal"))
        return found.with_name(photo + ending)

    def change(self, photo, record=lambda record: None, window=None, picture=None):
        """Changes record, raw window and picture; a photo whose record was changed loses its claims, which are not signed apart."""
        link = self.links[self.place(photo)]
        self.sealed_from = min(self.sealed_from, self.place(photo))
        record(link["record"])
        link["record"]["photo"].pop("claims", None)
        files = {"file": (self.path(photo, ".jpg"), lambda data: picture or bare_picture(data)),
                 "raw": (self.path(photo, ".raw"), unzipped(window) if window else lambda data: data)}
        for name, (path, change) in files.items():
            path.write_bytes(change(path.read_bytes()))
            link[name] = sha256(path.read_bytes())
        if picture:
            link["record"]["photo"].update(frame=sha256(picture), image=sha256(bare_picture(picture)), bytes=len(picture))

    def remove(self, photo):
        self.sealed_from = min(self.sealed_from, self.place(photo))
        for path in [self.path(photo, ending) for ending in (".jpg", ".raw", ".jpg.seal")]:
            path.unlink()
        self.links.pop(self.place(photo))

    def seal(self):
        """Seals everything from the first change on, in files and database."""
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            guards = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'link'").fetchall()
            database.execute("PRAGMA foreign_keys = OFF")
            for name, _ in guards:
                database.execute(f"DROP TRIGGER {name}")
            first = database.execute("SELECT agency, inspector FROM link").fetchone()
            database.execute("DELETE FROM link WHERE sequence > ?", (self.sealed_from,))
            for at, link in enumerate(self.links[self.sealed_from:], self.sealed_from):
                payload = {"schema": "standpoint.link/1", "key": thumbprint(self.key), "sequence": at + 1, "kind": link["kind"],
                           "id": link["id"], "record": sha256(canonical(link["record"])),
                           "previous": sha256(self.links[at - 1]["jws"].encode())}
                payload |= {name: link[name] for name in ("file", "raw") if link[name]}
                link["jws"] = signed(self.key, payload)
                self.path(link["id"], ".jpg.seal").write_bytes(canonical(
                    {"schema": "standpoint.seal/1", "record": link["record"], "seal": link["jws"]}))
                database.execute("INSERT INTO link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (
                    thumbprint(self.key), at + 1, *first, link["id"], link["kind"], canonical(link["record"]).decode(), payload["record"],
                    link["jws"], sha256(link["jws"].encode()), link["file"], link["raw"]))
                size = self.path(link["id"], ".jpg").stat().st_size
                database.execute("UPDATE photo SET file_digest = ?, bytes = ?, task = ?, origin = ? WHERE id = ?", (
                    link["file"], size, link["record"]["task"]["id"], link["record"]["photo"]["origin"], link["id"]))
            marks = ",".join("?" * len(self.links))
            database.execute(f"DELETE FROM photo WHERE id NOT IN ({marks})", [link["id"] for link in self.links])
            for _, sql in guards:
                database.execute(sql)


def places(node, change):
    """Changes each pair of latitude and longitude in a record by change(longitude as text)."""
    if isinstance(node, dict):
        return {name: change(value) if name == "longitudeDegrees" else [[change(east), north] for east, north in value] if name == "hull"
                else places(value, change) for name, value in node.items()}
    return node

def east(text): return str(decimal.Decimal(text) + decimal.Decimal(str(EAST)))
def to_the_east(record): record.update(position=places(record["position"], east))
def yesterday(text): return re.sub(r"20\d\d-\d\d-\d\d", str(datetime.date.fromisoformat(text[:10]) - datetime.timedelta(days=1)), text)

FORGERIES = []
def forgery(name, verify, office, row, change): FORGERIES.append((name, verify, office, row, change))

def day_earlier(forger, photo, *_):
    def record(r):
        for name in ("gnss", "device"):
            r["time"][name] = yesterday(r["time"][name])
        r["position"]["fix"]["time"] = yesterday(r["position"]["fix"]["time"])
        for name in ("firstTime", "lastTime"):
            r["position"]["standpoint"][name] = yesterday(r["position"]["standpoint"][name])
    def window(data):
        first, rest = data.split(b"\n", 1)
        today = datetime.datetime.fromisoformat(json.loads(first)["shutter"])
        first = json.loads(first) | {name: yesterday(json.loads(first)[name]) for name in ("from", "firstSample", "shutter")}
        before, after = (f"{when:,%d%m%y,,}".strip(",").encode() for when in (today, today - datetime.timedelta(days=1)))
        def sentence(found): return framed(found[1].replace(b"," + before + b",", b"," + after + b",").decode()).encode().rstrip()
        return windowed(lambda read: re.sub(rb"\$([^*$]+)\*..", sentence, read))(canonical(first) + b"\n" + rest)
    forger.change(photo, record, window)

def header(change):
    def window(data):
        first, rest = data.split(b"\n", 1)
        document = json.loads(first)
        change(document)
        return canonical(document) + b"\n" + rest
    return window

forgery("The record's position moved 438 m to the east, with the honest raw window", "doubtful: standpoint", "standpoint", None,
        lambda f, p, *_: f.change(p, to_the_east))
forgery("Another capture's raw window", "doubtful: raw-window, times", "standpoint, times", None,
        lambda f, p, q, imported, replay: (shutil.copy(f.path(q, ".raw"), f.path(p, ".raw")), f.change(p)))
forgery("Position and raw window moved 438 m to the east, onto the parcel", "", "", INVENTED,
        lambda f, p, *_: f.change(p, to_the_east, moved(EAST)))
forgery("Everything a day earlier: record, raw window and the device's time", "doubtful: certificate, times", "issuer, standpoint, times", None, day_earlier)
forgery("More samples than there were, and a smaller uncertainty", "doubtful: standpoint", "standpoint", None, lambda f, p, *_: f.change(p, lambda r: (
    r["position"]["standpoint"].update(samples=20, uncertaintyMetres95="0.100"), r["position"].update(uncertaintyMetres95="0.100"))))
forgery("A photo of one task claimed for another one", "", "", KEY_FILE + "seal a photo for another task",
        lambda f, p, *_: f.change(p, lambda r: (r["task"].update(id=f.day.tasks[2]), r["task"].pop("parcel"))))
forgery("Another picture, with its digests in the record", "", "", KEY_FILE + "seal another picture",
        lambda f, p, *_: f.change(p, picture=(f.day.folder / "picture-other.jpg").read_bytes()))
forgery("An imported picture, as if the camera had taken it", "", "", KEY_FILE + "seal another picture",
        lambda f, p, q, imported, replay: f.change(imported, lambda r: r["photo"].update(origin="camera")))
forgery("The last captures deleted before they were delivered", "", "", CHAINS_END,
        lambda f, p, q, imported, replay: [f.remove(one) for one in (q, imported, replay)])
forgery("A fork: a copy of the device goes on in the place of the last photo, and delivers first", "doubtful: chain", "chain", None,
        lambda f, p, q, imported, replay: f.remove(replay))
LAXER = {"speedLimitMetresPerSecond": "0.400", "maximumUncertaintyMetres95": "50.000"}
def laxer(record, policy=None): record.update(gate=record["gate"] | {"limits": record["gate"]["limits"] | LAXER}, policy=policy or record["policy"])
forgery("Limits of the gate looser than the agency's policy", "", "policy", None,
        lambda f, p, *_: f.change(p, laxer, header(lambda w: w["gate"].update(LAXER))))
forgery("The same, and the record names the agency's earlier policy, which allowed it", "", "", KEY_FILE + "name an earlier policy", lambda f, p, *_: f.change(
    p, lambda r: laxer(r, f.earlier()), header(lambda w: w["gate"].update(LAXER))))
forgery("A replay that does not say so, with another receiver's name", "", "", INVENTED, lambda f, p, q, imported, replay: f.change(
    replay, lambda r: (r.pop("simulated"), r["device"]["receiver"].update(source="tcp://127.0.0.1:40000")),
    header(lambda w: w.update(source="tcp://127.0.0.1:40000"))))


def try_forgery(day, folder, change, is_fork=False):
    """After deliveries: what verify finds in the forged folder, what the programs refused, and the office's checks of all photos."""
    forgers = [Forger(day, folder, "field")] + [Forger(day, folder, "copy")] * is_fork
    office = Day.__new__(Day)
    office.__dict__ = vars(day) | {"folder": folder}
    if change:
        change(forgers[-1], *day.photos[4:8])
        forgers[-1].seal()
    shutil.copytree(day.folder / "office", folder / "office")
    with office.office("office", day.address):
        steps = [("task", "provide", day.tasks[1]), ("task", "open", day.tasks[2]), ("task", "provide", day.tasks[2]), ("deliver",)]
        refused = [office.run(one.data, *words, may_fail=True).stderr.strip() for one in reversed(forgers) for words in steps]
        with contextlib.closing(sqlite3.connect(f"file:{folder}/office/office/standpoint.sqlite?mode=ro", uri=True, timeout=30)) as database:
            deadline = time.monotonic() + 60
            while database.execute("SELECT 1 FROM photo WHERE verdict IS NULL").fetchone():
                assert time.monotonic() < deadline, "the office does not look at the photos"
                time.sleep(0.3)
            checks = set(database.execute("SELECT photo, name, outcome FROM photo_check").fetchall())
    return verified(day, folder, "." if is_fork else "field"), set(refused), checks


# ---- Telling

NOBODY = "nobody, and NO ROW names it"
ROWS = [line for line in (ROOT / "docs/evidence.md").read_text().split("## Who could still cheat")[1].splitlines() if line.startswith("| ")]
PLACES = {"listed": "bundle", "bare": "bundle without its list", "folder": "unpacked bundle", "bare folder": "unpacked bundle without its list",
          "field": "a field unit's folder", "log": "the office's log", "photo": "a single photo"}


def row_of(beginning):
    """The cells of the row of "Who could still cheat" that begins so."""
    found = [line for line in ROWS if line.startswith(beginning or "nothing")]
    return [cell.strip() for cell in found[0].strip("|").split(" | ")] if found else None


def without_key(day, folder, faults):
    verifier, words, lines, last = Verifier(day), collections.Counter(), [], ""
    for number, (group, base, expected, name, change, options, row) in enumerate(ATTACKS, 1):
        word, says, new = verifier.judge(number, base, change, options, folder)
        if word == "SILENT" and row_of(row):
            word, says = "documented", "intact; named under *Who could still cheat*"
        words[word] += 1
        is_right = expected == says or expected == "not silent" and word in ("noticed", "noted")
        print(f"{number:3} {word:10} {says:50} {name} ({PLACES[base]})" + ("" if is_right else f"   EXPECTED {expected}"), flush=True)
        if not is_right or word in ("SILENT", "CRASH"):
            faults.append(f"{number} {name}: {word}, {says}")
            print("".join(f"      {f['severity']} {f['subject']}: {f['message']} [{f['check']}]\n" for f in new), end="")
        if group != last:
            lines += ["", f"### {group}", "| | alteration | of | verify says |", "| --- | --- | --- | --- |"]
            last = group
        lines.append(f"| {number} | {name} | {PLACES[base]} | {'**nothing**' if word == 'SILENT' else says} |")
    return words, lines


def with_key(day, folder, faults):
    usual, words, lines = try_forgery(day, folder / "F0", None), collections.Counter(), []
    for number, (name, verify, office, row, change) in enumerate(FORGERIES, 1):
        found, sent, checks = try_forgery(day, folder / f"F{number}", change, is_fork="fork" in name)
        word, says, new = outcome(found, usual[0], [])
        says = says if word == "noticed" else "" if word == "harmless" else word
        refused = sent - usual[1] - {""}
        checked = sorted({check for _, check, result in checks - usual[2] if result == "contradicts"})
        told = ", ".join(checked + ["the delivery refused"] * bool(refused))
        cells = row_of(row)
        where = "verify" if says else "the office alone" if told else "nobody, but a row names it" if cells else NOBODY
        words[where] += 1
        is_right = (says, told) == (verify, office) and where != NOBODY
        print(f"F{number:<2} noticed by {where}: {name}\n      verify: {says or 'intact'}\n      office: {told or 'nothing'}\n      row: {cells}", flush=True)
        if not is_right:
            faults.append(f"F{number} {name}: {where}; verify {says!r}, expected {verify!r}; office {told!r}, expected {office!r}")
        named = f"{cells[0]}, with {cells[1]}: {cells[2]} | {cells[3]}" if cells else " | " if says or told else "**no row** | "
        lines.append(f"| F{number} | {name} | {says or 'intact'} | {told or 'nothing'} | {named} |")
    return words, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--out", metavar="FOLDER", help="keep the honest day and all copies there, and take the day from there if it is there")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables into this file, behind its line <!-- tables -->")
    given, faults = parser.parse_args(), []
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(given.out or stack.enter_context(tempfile.TemporaryDirectory(prefix="standpoint-attacks-"))).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for part in ("cases", "forged"):
            shutil.rmtree(folder / part, ignore_errors=True)
        day = Day(str(pathlib.Path(given.program).resolve()), folder)
        alterations, first = without_key(day, folder / "cases", faults)
        forgeries, second = with_key(day, folder / "forged", faults)
    sums = ["; ".join(f"{word}: {number}" for word, number in words.most_common()) for words in (alterations, forgeries)]
    print(f"{len(ATTACKS)} alterations. {sums[0]}\n{len(FORGERIES)} forgeries. Who notices them: {sums[1]}")
    print(f"{len(faults)} faults", *faults, sep="\n  ")
    if given.markdown:
        path, mark = pathlib.Path(given.markdown), "<!-- tables -->"
        text = path.read_text().split(mark)[0] if path.exists() else ""
        path.write_text("\n".join([
            text + mark, "## Without the key", f"{len(ATTACKS)} alterations. {sums[0]}.", *first, "", "## With the device's key",
            f"{len(FORGERIES)} forgeries. Who notices them: {sums[1]}.", "",
            "| | forgery | verify says | checks of the office that contradict | the row that names it | what shows it, or what it costs |",
            "| --- | --- | --- | --- | --- | --- |", *second]) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
