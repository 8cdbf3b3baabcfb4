#!/usr/bin/env python3
"""Alters an evidence bundle in many ways, as somebody without a signing key could, and counts what
`PROGRAM verify` notices. Findings that the untouched bundle gets as well say nothing about an
alteration and are left out.

Exit status: 1 if a meaningful alteration passed unmentioned or the program crashed, 2 if the bundle is unfit.
"""
import argparse, base64, collections, contextlib, copy, hashlib, hmac, io, json, os, pathlib, random, re, string
import struct, subprocess, sys, tempfile, time, types, unicodedata, warnings, zipfile, zlib

LIST = ("SHA256SUMS", "SHA256SUMS.jws")
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the group of P-256
ALPHABET = (string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_").encode()  # of Base64 for URLs
JWS = re.compile(rb"(eyJ[\w-]*)\.([\w-]+)\.([\w-]+)")
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# What an alteration raises when the bundle has nothing that it could touch, or no longer: it is tried anew.
UNFIT = (ValueError, LookupError, TypeError, AttributeError, OSError, EOFError, zlib.error)
FAMILIES, OTHER, ONCE = {}, [], ("1 GB of zeros", "100,000 tiny entries")
warnings.simplefilter("ignore")  # zipfile warns of names that come twice, as they shall here

# ---- Bundles and helpers
class Entry(types.SimpleNamespace):
    """A file, whose data come `times` times. `lies` are (field, form, value, where) for its headers."""
    def __init__(self, name="", data=b"", **more):
        super().__init__(**{"name": name, "data": data, "method": 8, "date": (2026, 6, 1, 9, 51, 0), "mode": 0o100644,
                            "extra": b"", "comment": b"", "times": 1, "lies": ()} | more)

class Bundle:
    def __init__(self, path):
        self.prefix, self.counted, self.suffix, self.comment, self.late, self.what = b"", b"", b"", b"", [], []
        with zipfile.ZipFile(path) as archive:
            self.entries = [Entry(i.filename, archive.read(i), method=i.compress_type) for i in archive.infolist()]

    def names(self): return [e.name for e in self.entries]
    def drop(self, names):
        self.entries = [e for e in self.entries if e.name not in names]
        return one(*names)

    def add(self, name, data, **more):
        self.entries.append(Entry(name, data, **more))
        return one(name)

    def build(self):
        file, offsets = io.BytesIO(self.counted), []
        with zipfile.ZipFile(file, "a") as archive:
            for e in self.entries:
                info = zipfile.ZipInfo("", e.date)
                info.filename, info.compress_type, info.external_attr, info.extra, info.comment = e.name, e.method, e.mode << 16, e.extra, e.comment
                with archive.open(info, "w") as writer:
                    for _ in range(e.times):
                        writer.write(e.data)
                offsets.append(info.header_offset)
            archive.comment, directory = self.comment, archive.start_dir
        out = bytearray(file.getvalue())
        for e, local in zip(self.entries, offsets):
            for field, form, value, where in e.lies:
                struct.pack_into(form, out, local + field, value)
                if where == "both":  # the directory has most fields two bytes later than the local header
                    struct.pack_into(form, out, directory + field + 2, value)
            directory += 46 + sum(struct.unpack_from("<HHH", out, directory + 28))
        out = self.prefix + out.replace("zebra7\u00ff".encode(), b"zebra7\xff\xff") + self.suffix  # no UTF-8 any more
        for change in self.late:
            out = change(out)
        return bytes(out)

def one(*names): return [(n,) for n in names]  # each of these names was touched
def some(names): return [tuple(names)[:200]]  # touched as a whole: to name one of them is enough
def kind(e): return pathlib.PurePath(e.name).suffix
def b64(data): return base64.urlsafe_b64encode(data).rstrip(b"=")
def unb64(text): return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))
def dump(document): return json.dumps(document, separators=(",", ":"), ensure_ascii=False)
def new_id(r): return f"{r.randbytes(4).hex()}-{r.randbytes(2).hex()}-7ead-8ead-{r.randbytes(6).hex()}"
def lies(*each): return [{"lies": (lie,)} for lie in each]  # for tweaks()
def split(name): return name[:name.rfind("/") + 1], name[name.rfind("/") + 1:]

def pick(b, r, n=None, fits=lambda e: True):
    found = [e for e in b.entries if e.data and fits(e)]
    return r.sample(found, n) if n else r.choice(found)

def family(name): return lambda function: FAMILIES.__setitem__(name, function)

def content(name, change, fits=lambda e: True):
    """Changes the bytes of one file: change(r, data) gives the new ones."""
    @family(name)
    def alter(b, r):
        e = pick(b, r, fits=fits)
        old, e.data = e.data, change(r, e.data)
        at = next((i for i, (x, y) in enumerate(zip(old, e.data)) if x != y), min(len(old), len(e.data)))
        b.what.append(f"byte {at} of {len(old)}, {old[max(0, at - 12):at + 20]} to {e.data[max(0, at - 12):at + 20]}")
        return one(e.name)

def edited(r, data, edit):
    """JSON after edit(r, document, node, key), which changes the document, or gives the new text."""
    document = json.loads(data)
    return (edit(r, document, *r.choice(list(places(document)))) or dump(document)).encode()

def jsons(name, edit):
    content("JSON " + name, lambda r, data: edited(r, data, edit), lambda e: e.data.lstrip().startswith(b"{"))

def jws(name, edit):
    """Changes a JWS in some file: edit(r, header, payload, signature) gives the new three."""
    def change(r, data):
        found = r.choice(list(JWS.finditer(data)))
        return data[:found.start()] + b".".join(edit(r, *found.groups())) + data[found.end():]
    content("JWS " + name, change, lambda e: JWS.search(e.data))

def adds(family_name, *names):
    """Adds a file of one of these names: with fresh bytes, those of another file, or none."""
    @family(family_name)
    def alter(b, r):
        folder, base = split(pick(b, r, fits=lambda e: "/" in e.name).name)
        key = re.search(rb'"key":"([\w-]{43})"', b"".join(e.data for e in b.entries)).group(1).decode()
        name = r.choice(names).format(f=folder, b=base, id=new_id(r), key=key)
        return b.add(name, r.choice([b"zebra\n", r.randbytes(40), pick(b, r).data, b""]))

def renames(family_name, change, moves=0.5, fits=lambda e: True):
    """Moves a file to the name that change(r, name) gives, or adds one there."""
    @family(family_name)
    def alter(b, r):
        e = pick(b, r, fits=fits)
        old, name = e.name, change(r, e.name)
        if r.random() >= moves:
            return b.add(name, r.choice([e.data, b"zebra\n"]))
        e.name = name
        return one(old, name)

def tweaks(name, ways):
    """Changes attributes of one entry as ways(b, r, e) offers."""
    @family(name)
    def alter(b, r):
        e = pick(b, r)
        fields = r.choice(ways(b, r, e))
        b.what.append(str(fields)[:80])
        vars(e).update(fields)
        return one(e.name)

# ---- Files and names
def flip(r, data):
    at = r.randrange(len(data))
    return data[:at] + bytes([data[at] ^ r.choice([1, 2, 4, 8, 16, 32, 64, 128, 255])]) + data[at + 1:]

def drop_folder(b, r):
    folder = r.choice(sorted({f for n in b.names() for f in (n.split("/")[0] + "/", split(n)[0]) if f in n and f}))
    return some([n for (n,) in b.drop([n for n in b.names() if n.startswith(folder)])])

content("bit or byte flipped", flip)
content("truncated", lambda r, d: d[:r.choice([0, 1, len(d) // 2, len(d) - 1])])
content("extended", lambda r, d: r.choice([d + b"\n", d + b"\r\n", d + b" ", d + b"\0", d + r.randbytes(40), d + d, b"\xef\xbb\xbf" + d, b"\n" + d]))
family("file dropped")(lambda b, r: b.drop([pick(b, r).name]))
family("several files dropped")(lambda b, r: b.drop([e.name for e in pick(b, r, r.choice([2, 3, 5]))]))
family("folder dropped")(drop_folder)
adds("file added", "zebra7.txt", "{f}zebra7.jpg", "photos/ab/{id}.jpg", "photos/ab/{id}.jpg.seal", "records/ab/{id}.seal", "log/checkpoint",
     "tracks/ab/{id}.track", "receipts/{id}.receipt", "links/{key}.links", "certificates/zebra7.pem", "revocations/{key}.revocation")
adds("file added, odd ending", "{f}{b}.bak", "{f}{b}~", "{f}{b}.tmp", "zebra7", "{f}zebra7.exe", "{f}{b}.seal", "{f}{id}.raw", "{f}{id}.jpeg", "zebra7.JPG",
     "SHA256SUMS.asc", "{f}{b}.part", "receipts/{id}.tlog-proof", "zebra7.lock", "certificates/zebra7.crt")
adds("file added, hidden", ".zebra7", "{f}.{b}", ".DS_Store", "__MACOSX/._README.txt", "Thumbs.db", "{f}.zebra7/zebra8.txt", "._{b}", ".git/config")
adds("file added, nested", "zebra7/" * 3 + "zebra8.txt", "z/" * 60 + "zebra8.txt", "{f}sub/{b}", "photos/photos/ab/{id}.jpg")
adds("file added below keys/", "keys/zebra7.pem", "keys/{key}.key", "keys/{key}.pem", "keys/device.json", "keys/authority.pem", "keys/{key}")
adds("unsafe name added", "../zebra7.txt", "/tmp/zebra7.txt", "{f}../../../zebra7.txt", "./README.txt", "{f}/{b}", "C:\\zebra7.txt", "{f}./{b}", "..",
     "photos\\ab\\zebra7.jpg", "README.txt\0zebra7", "zebra7\n.txt", "zebra7\x1b[2J.txt", "zebra7\u00ff.txt", "a/" + "y" * 5000)

LOOK = str.maketrans({"K": "\u212a", "a": "\u0430", "e": "\u0435", "S": "\uff33", "1": "\u00b9"})
family("names equal but for normalisation")(lambda b, r: [b.add(n, n.encode())[0] for n in r.sample(["zebra\u00c5.txt", "zebraA\u030a.txt", "zebra\u212b.txt"], 2)])
renames("name in other case", lambda r, n: r.choice([n.upper(), n.swapcase(), n.title(), n[:1].swapcase() + n[1:]]))
renames("trailing dot or space", lambda r, n: r.choice([n + ".", n + " ", n + "..", " " + n, n.replace("/", "./", 1) + " ", n + "\t", n + "\xa0"]))
renames("name that looks alike", lambda r, n: r.choice([n.translate(LOOK), n + "\u200b", n.replace(".", ".\u200d"), n + "\u0301"]))
renames("renamed, small change", lambda r, n: n.replace(c := r.choice(n), r.choice(["", c + c, c + "q", "q"]), 1), 1)
renames("renamed, other folder", lambda r, n: r.choice(["zebra7/", "photos/00/", "records/00/", "receipts/", "keys/"]) + split(n)[1], 1)
renames("renamed, other ID", lambda r, n: ID.sub(new_id(r), n) if ID.search(n) else split(n)[0] + "zebra7." + split(n)[1], 1)
renames("copied under another name", lambda r, n: r.choice([split(n)[0] + "copy7-" + split(n)[1], n.replace(".", " (1).", 1), "zebra7/" + n, n + ".2"]), 0)

family("ZIP in the ZIP")(lambda b, r: b.add(r.choice(["", "photos/", "certificates/"]) + "zebra7.zip", b.build()))

@family("contents swapped")
def _(b, r):
    x = pick(b, r)
    alike = [e for e in b.entries if e is not x and kind(e) == kind(x)]  # files of one kind are likelier to pass
    y = r.choice(alike) if alike and r.random() < 0.6 else pick(b, r, fits=lambda e: e is not x)
    x.data, y.data = y.data, x.data
    return one(x.name, y.name)

@family("names swapped, of two files or two IDs")
def _(b, r):
    x, y = r.sample(r.choice([b.names(), sorted(set(ID.findall("\n".join(b.names()))))]), 2)
    moved = [e for e in b.entries if x in e.name or y in e.name]
    for e in moved:
        e.name = e.name.replace(x, "\0").replace(y, x).replace("\0", y)
    return one(*[e.name for e in moved])

@family("replay from the other bundle")
def _(b, r):
    e = pick(OTHER[0], r)
    replayed = {x.name: x.data for x in OTHER[0].entries if x is e or e.name in LIST and x.name in LIST}  # one of these two alone never fits
    if e.name not in LIST and r.random() < 0.5:  # in the place of a file of the same kind
        replayed = {pick(b, r, fits=lambda x: kind(x) == kind(e)).name: e.data}
    b.drop(replayed)
    return [group for name, data in replayed.items() for group in b.add(name, data)]

# ---- Text, JSON, JWS and what else has an inside
def lines(r, data):
    rows = data.splitlines(True)
    at = r.randrange(len(rows) - 1)
    return b"".join(r.choice([rows[::-1], rows[:at] + [rows[at + 1], rows[at]] + rows[at + 2:], rows[:at] + rows[at + 1:], rows[:at + 1] + rows[at:],
                              [x.replace(b"\n", b"\r\n") for x in rows], rows[:at] + [b"\n"] + rows[at:], [x.upper() for x in rows],
                              [b"# zebra\n"] + rows, rows[:-1] + [rows[-1].rstrip()]]))

def places(node):
    """Every member and element inside, as its object or array and its key."""
    for key in list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
        yield node, key
        yield from places(node[key])

def turned(node):
    return {k: turned(v) for k, v in reversed(node.items())} if isinstance(node, dict) else [turned(v) for v in node] if isinstance(node, list) else node

def change_member(r, document, node, key):
    v = node[key]
    node[key] = r.choice([v + "1", v[:-1], v[::-1], "", None, 7, "\0", "1e999"] if isinstance(v, str) else [not v] if isinstance(v, bool) else
                         [v + 1, v - 1, v + 0.5, 10**30] if isinstance(v, int) else [None, [], {}, "zebra"])

content("lines changed", lines, lambda e: e.data.count(b"\n") > 1 and b"\0" not in e.data)
jsons("member changed", change_member)
jsons("member removed", lambda r, document, node, key: node.__delitem__(key))
jsons("member added", lambda r, document, node, key: node.__setitem__(
    r.choice(["zebra", "", "Record", "note", "revoked", "verified", "__proto__"]), r.choice([True, "zebra", None, [[]], 1e300])))
jsons("member twice", lambda r, document, node, key: dump(document).replace(  # parsers disagree which one counts
    f'"{key}":', '"%s":%s,"%s":' % (key, r.choice(['"zebra"', "{}", "0"]), key), 1))
jsons("members reordered", lambda r, document, node, key: dump(turned(document)))
jsons("spelled otherwise", lambda r, document, node, key: r.choice([
    json.dumps(document, indent=2), json.dumps(document), dump(document).replace("/", "\\/"), dump(document).replace('"id"', '"\\u0069d"'),
    f"\n{dump(document)}\n", re.sub(r":(\d+)([,}])", r":\1.0\2", dump(document))]))

def twin(sign):  # (r, n - s) is as valid as (r, s), and anybody can compute it
    return b64(unb64(sign)[:32] + (ORDER - int.from_bytes(unb64(sign)[32:], "big")).to_bytes(32, "big"))

HEADS = [{"alg": "none"}, {"alg": "HS256"}, {"alg": "ES384"}, {"kid": "zebra"}, {"jwk": {}}, {"x5c": []}, {"crit": ["zebra"]}, {"b64": False}]
jws("header", lambda r, head, says, sign: (b64(dump(json.loads(unb64(head)) | r.choice(HEADS)).encode()), says, sign))
jws("payload", lambda r, head, says, sign: (head, b64(edited(r, unb64(says), change_member)), sign))
jws("signature", lambda r, head, says, sign: (head, says, b64(r.choice([flip(r, unb64(sign)), bytes(64), b"", ORDER.to_bytes(32, "big") * 2, bytes(63) + b"\1", unb64(sign)[:63]]))))
jws("signature's twin", lambda r, head, says, sign: (head, says, twin(sign)))
jws("spelled otherwise", lambda r, head, says, sign: (head, says, r.choice([  # the last one differs in bits that decode to nothing
    sign + b"==", sign.translate(bytes.maketrans(b"-_", b"+/")), sign + b" ", sign + b".", sign[:-1] + ALPHABET[ALPHABET.index(sign[-1]) ^ 1:][:1]])))

@family("JWS exchanged")
def _(b, r):
    x, y = pick(b, r, 2, lambda e: JWS.search(e.data))
    old, swapped = [JWS.search(e.data) for e in (x, y)], r.choice([(1, 2, 3), (1,), (2,), (3,)])  # whole, or one part
    for e, i in ((x, 0), (y, 1)):
        e.data = e.data.replace(old[i].group(), b".".join(old[1 - i if part in swapped else i].group(part) for part in (1, 2, 3)), 1)
    return one(x.name, y.name)

# ---- The list and its statement
def strip(b, r): return b.drop([b.names()[b.names().index(n)] for n in LIST])  # unfit if one of them is not there

def stripped_and(name, others):
    """Without the list, only seals, receipts and chains are left to notice the other alteration."""
    @family(name)
    def alter(b, r):
        b.what.append(second := r.choice(others))
        return strip(b, r) + FAMILIES[second](b, r)

stripped_and("list stripped, JSON changed", [n for n in FAMILIES if n.startswith("JSON")])
stripped_and("list stripped, JWS changed", [n for n in FAMILIES if n.startswith("JWS")])
stripped_and("list stripped, files changed", [n for n in FAMILIES if not n.startswith(("JSON", "JWS", "list", "ZIP", "replay"))])
family("stripped list")(strip)
family("list or statement alone dropped")(lambda b, r: b.drop([pick(b, r, fits=lambda e: e.name in LIST).name]))

@family("list stripped, chain's end cut off")
def _(b, r):
    links = [json.loads(unb64(JWS.search(e.data).group(2))) for e in b.entries if kind(e) == ".seal"]
    ends = [link["id"] for link in sorted(links, key=lambda link: link["sequence"])[-r.choice([1, 2]):]]
    return strip(b, r) + b.drop([n for n in b.names() if n.startswith(("receipts/", "log/")) or any(i in n for i in ends)])  # receipts say how long it was

@family("list recomputed without a key")
def _(b, r):
    touched = FAMILIES[r.choice(["bit or byte flipped", "file dropped", "file added", "JSON member changed"])](b, r)
    sums, statement = [e for e in b.entries if e.name in LIST]  # unfit if one of them was dropped
    text = "".join(f"{hashlib.sha256(e.data).hexdigest()}  {e.name}\n" for e in sorted(b.entries, key=lambda e: e.name) if e.name not in LIST)
    sums.data = text.encode()
    b.what.append(way := r.choice(["statement kept", "statement dropped", "ES256", "none", "HS256"]))
    if way.startswith("statement"):
        return touched + one(LIST[0]) + (b.drop(LIST[1:]) if way == "statement dropped" else [])
    head, says, sign = JWS.search(statement.data).groups()
    head, says = json.loads(unb64(head)), json.loads(unb64(says)) | {"list": hashlib.sha256(sums.data).hexdigest(), "files": text.count("\n")}
    signed = b64(dump(head | {"alg": way}).encode()) + b"." + b64(dump(says).encode())
    if way != "ES256":  # an HMAC with what is public fools whoever believes "alg"
        sign = b"" if way == "none" else b64(hmac.digest(base64.b64decode(head["x5c"][0]), signed, "sha256"))
    statement.data = signed + b"." + sign + b"\n"
    return touched + one(*LIST)

content("list's statement respelled", lambda r, d: r.choice([  # no list has the digest of this one
    d.strip(), d + b"\n", d.replace(JWS.search(d).group(3), twin(JWS.search(d).group(3)))]), lambda e: e.name == LIST[1])
renames("two lists", lambda r, n: r.choice(["photos/" + n, "zebra7/" + n, "keys/" + n, n.lower(), n + ".txt", n.replace("SUMS", "SUM")]), 0, lambda e: e.name in LIST)

def move(b, r, moved, folders):
    old, folder = [e.name for e in moved], r.choice(folders)
    for e in moved:
        e.name = folder + e.name
    return [e.name for e in moved] + old

family("list moved into a subfolder")(lambda b, r: one(*move(b, r, [e for e in b.entries if e.name in LIST[r.randrange(2):]], ["zebra7/", "photos/", "records/"])))
family("bundle moved below a subfolder")(lambda b, r: some(move(b, r, b.entries, ["zebra7/", "./", "a/b/c/", "photos/", "keys/", ".hidden7/"])))

# ---- The ZIP container
@family("ZIP flipped or truncated")
def _(b, r):
    way, share = r.choice(["anywhere", "near the end", "cut"]), r.random()  # the directory is near the end
    def change(out):
        at = max(0, len(out) - 1 - int(2000 * share)) if way == "near the end" else int(len(out) * share)
        return out[:at] if way == "cut" else out[:at] + bytes([out[at] ^ 1 << int(share * 1e6) % 8]) + out[at + 1:]
    b.late, b.what = b.late + [change], b.what + [f"{way} {share:.3f}"]
    return some(b.names()) if way == "cut" else []  # else found out later

renames("entry name twice", lambda r, n: n, 0)
family("symlink added")(lambda b, r: b.add(r.choice(["zebra7.jpg", "photos/ab/zebra7.jpg"]), pick(b, r).name.encode(), mode=0o120777))
tweaks("symlink", lambda b, r, e: [{"data": to.encode(), "mode": 0o120777} for to in ("/etc/passwd", "../../../etc/passwd", pick(b, r).name, ".")])

def extras(b, r, e):
    path = b"\1" + struct.pack("<I", zlib.crc32(e.name.encode())) + b"zebra7.txt"  # a name that some readers prefer
    path = b"up" + struct.pack("<H", len(path)) + path
    return [{"comment": b"zebra"}] + [{"extra": x} for x in (b"UT\5\0\1abcd", path, b"zz\xff\xff", b"z", b"\x99\x99\4\0abcd")]

tweaks("entry comment or extra field", extras)
tweaks("wrong CRC, size or flag", lambda b, r, e: lies((14, "<I", 7, "both"), (14, "<I", 7, "local"), (22, "<I", 7, "both"), (22, "<I", 2**32 - 16, "both"), (6, "<H", 1, "both")))
tweaks("local header disagrees", lambda b, r, e: lies((30, "<5s", b"zebra", "local"), (22, "<I", 7, "local"), (8, "<H", 8 * (not e.method), "local"), (0, "<I", 0, "local")))
tweaks("compression method changed", lambda b, r, e: [{"method": 0}, {"method": 8}, {"method": 12}] + lies((8, "<H", 99, "both"), (8, "<H", 8 * (not e.method), "both")))
tweaks("time stamp or mode", lambda b, r, e: [{"date": (1980, 0, 0, 0, 0, 0)}, {"date": (2107, 15, 31, 31, 63, 62)}, {"mode": 0}, {"mode": 0o100777}, {"mode": 0o104755}])

@family("ZIP comment, or data before or after the ZIP")
def _(b, r):
    small = copy.deepcopy(b)
    small.entries, small.late = [Entry("zebra7.txt", b"zebra\n")], []
    b.what.append(part := r.choice(["comment", "prefix", "counted", "suffix"]))  # the offsets inside the ZIP count a counted prefix
    setattr(b, part, r.choice([b"#!/bin/sh\n", r.randbytes(60000)] + [small.build(), b"PK\5\6" + bytes(18)] * (part != "counted")))  # an empty ZIP
    return one("zebra7.txt")  # what other programs see instead of all the others

family("entry order")(lambda b, r: r.shuffle(b.entries) or [])
family("folder entries")(lambda b, r: [b.add(f, b"", mode=0o40755)[0] for f in sorted({split(n)[0] for n in b.names()} - {""})])
family("1 GB of zeros")(lambda b, r: b.add(f"photos/ab/{new_id(r)}.jpg", bytes(1 << 20), times=1024))
family("100,000 tiny entries")(lambda b, r: some([b.add(f"zebra7/{i}.txt", b"z", method=0)[0][0] for i in range(100_000)]))

@family("two alterations")
def _(b, r):
    b.what += (names := r.sample([n for n in FAMILIES if n not in ONCE and n != "two alterations"], 2))
    return FAMILIES[names[0]](b, r) + FAMILIES[names[1]](b, r)

# ---- Running and judging
def contents(path):
    """Names with the digests of their bytes, or None when zipfile cannot read all of them."""
    try:
        with zipfile.ZipFile(path) as archive:  # folders are no files
            files = [i for i in archive.infolist() if i.file_size or not i.orig_filename.endswith("/")]
            return {(i.orig_filename, hashlib.file_digest(archive.open(i), "sha256").digest()) for i in files}
    except Exception:  # zipfile raises about ten kinds for damaged archives
        return None

def ask(program, path, trust, more=()):
    """Exit status (None after a timeout), the answer (None if there is none), and the error output."""
    command = [program, "verify", str(path), "--format", "json"] + (["--trust", trust] if trust else []) + list(more)
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, env=os.environ | {"SWIFT_BACKTRACE": "enable=no"})
        answer = json.loads(done.stdout.strip().rsplit(b"\n", 1)[-1])
        answer["verdict"], answer["findings"]
    except subprocess.TimeoutExpired:
        return None, None, "timeout"
    except (ValueError, LookupError, TypeError):
        answer = None
    return done.returncode, answer, done.stderr.decode(errors="replace").strip()

def mentions(name, text):
    words = [w for w in (split(name)[1].strip(". \t\xa0"), split(name)[1].strip(". \t\xa0").split(".")[0]) if len(w) > 3 and w in text]
    return any(n in text for n in (name, name.encode("unicode_escape").decode(), unicodedata.normalize("NFC", name))) or any(
        re.search(rf"(?<![\w-]){re.escape(w)}(?![\w-])", text) for w in words)

def judge(case, answer, usual, before, after):
    """Fills in what the answer means for this alteration."""
    stripped = {x for x in before if x[0] not in LIST}
    case.kind = "cosmetic" if after == before else "stripped list" if after == stripped else "meaningful"
    case.touched = case.touched or one(*sorted({n for n, _ in before ^ (after or before)}))
    refused = answer is None and case.status == 2
    case.crash = answer is None and not refused  # a signal, a timeout, or an answer that is none
    case.verdict = answer["verdict"] if answer else "refused" if refused else "CRASH"
    case.findings = [f for f in answer["findings"] if f not in usual["findings"]] if answer else []
    case.rest = {k: v for k, v in answer.items() if k not in ("findings", "verdict") and v != usual.get(k)} if answer else {}
    loud, every = ("\n".join(f"{f.get('subject')}\n{f.get('message')}" for f in case.findings if f.get("severity") != quiet) for quiet in ("note", ""))
    case.named, case.named_any = (refused or bool(t) and all(any(mentions(n, t) for n in group) for group in case.touched) for t in (loud, every))
    case.mentioned = refused or any(mentions(n, every) for group in case.touched for n in group)

def show(title, cases):
    print(f"\n{title}: {len(cases)}")
    for c in cases:
        names = [ascii(n[:200]) for group in c.touched for n in group]
        print(f"  #{c.index} {c.family} ({ascii('; '.join(c.what))[1:-1]}): {c.kind}, {c.verdict}, exit status {c.status}{'' if c.mentioned else ', UNMENTIONED'}")
        print("      touched:", ", ".join(names[:8]), f"and {len(names) - 8} more" if len(names) > 8 else "")
        print("".join(f"      finding: {ascii(f)[:400]}\n" for f in c.findings[:5]), end="")
        print(f"      {len(c.findings)} findings in all; otherwise than usual: {ascii(c.rest)[:300]}; error output: {ascii(c.error[-300:])}")

def alterations(original, count, seed):
    """Number, family, altered bundle and touched names. Family after family, so that each comes up equally often."""
    order = [n for n in FAMILIES if OTHER or not n.startswith("replay")]
    order += [n for n in order if n not in ONCE] * (count // len(order) + 1)
    for index, name in enumerate(order[:count]):
        for attempt in range(20):
            b, r = copy.deepcopy(original), random.Random(f"{seed} {index} {attempt}")
            with contextlib.suppress(*UNFIT):
                yield index, name, b, FAMILIES[name](b, r)
                break

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, more in {"program": {}, "bundle": {}, "--count": {"type": int, "default": 200}, "--seed": {"type": int, "default": 1},
                       "--trust": {"metavar": "FINGERPRINT"}, "--other": {"metavar": "OTHER_BUNDLE"}}.items():
        parser.add_argument(name, **more)
    parser.add_argument("--require-receipt", action="store_true", help="ask verify to doubt what no trusted receipt names")
    options = parser.parse_args()
    more = ["--require-receipt"] * options.require_receipt
    OTHER.extend([Bundle(options.other)] if options.other else [])
    before, (_, usual, error) = contents(options.bundle), ask(options.program, options.bundle, options.trust, more)
    if not usual or usual["verdict"] != "intact":
        print(f"the bundle is not intact to begin with: {usual or error}")
        return 2
    cases, folder = [], pathlib.Path(tempfile.mkdtemp(prefix="altered-"))
    for index, name, bundle, touched in alterations(Bundle(options.bundle), options.count, options.seed):
        path = folder / f"case{index}.zip"
        path.write_bytes(bundle.build())
        begun = time.monotonic()
        status, answer, error = ask(options.program, path, options.trust, more)
        cases.append(case := argparse.Namespace(index=index, family=name, what=bundle.what, touched=touched, status=status, error=error))
        case.seconds = time.monotonic() - begun
        judge(case, answer, usual, before, contents(path))
        if not case.crash and (case.kind == "cosmetic" or case.verdict != "intact"):
            path.unlink()  # only those that one will want to look at are kept
    for name in FAMILIES:
        verdicts = collections.Counter(f"{c.kind} {c.verdict}" for c in cases if c.family == name)
        print(f"{name:40}", ", ".join(f"{n} {v}" for v, n in sorted(verdicts.items())) or "does not apply")
    real, crashed = [c for c in cases if c.kind == "meaningful"], [c for c in cases if c.crash]
    passed = [c for c in real if c.verdict == "intact"]
    show("meaningful, but intact", passed)
    show("stripped list", [c for c in cases if c.kind == "stripped list"])
    show("crashed", crashed)
    show("not intact, but exit status 0", [c for c in cases if c.status == 0 and c.verdict != "intact"])
    show("cosmetic, but not intact", [c for c in cases if c.kind == "cosmetic" and c.verdict != "intact"])
    show("meaningful and noticed, but some touched name in no finding", [c for c in real if c not in passed and not c.crash and not c.named_any])
    for title, n in (("findings above note", sum(c.named for c in real)), ("any finding", sum(c.named_any for c in real))):
        print(f"\nnamed by {title}: {n} of {len(real)} meaningful ({100 * n / max(1, len(real)):.1f} %)", end="")
    print("\nslowest:", ", ".join(f"#{c.index} {c.family} {c.seconds:.1f} s" for c in sorted(cases, key=lambda c: -c.seconds)[:3]))
    print(f"kept the altered bundles of what was intact or crashed: {folder}" if any(folder.iterdir()) else folder.rmdir() or "")
    return 1 if crashed or any(not c.mentioned for c in passed) else 0

if __name__ == "__main__":
    sys.exit(main())
