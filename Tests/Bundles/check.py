"""Checks a bundle by hand, as its README says: with hashlib for sha256sum, PyJWT for any JOSE library and
cryptography for openssl. Nothing here knows anything of Standpoint but that README.

Usage: check.py BUNDLE.zip AUTHORITY-FINGERPRINT
Prints one line for each thing that was checked; what does not hold is said on standard error, status 1.
"""

import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.x509.oid import NameOID

faults = 0


def fault(words):
    global faults
    faults += 1
    print(words, file=sys.stderr)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def canonical(value):
    """RFC 8785, for records whose names are ASCII and whose numbers are whole."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def thumbprint(jwk):
    """RFC 7638."""
    members = {name: jwk[name] for name in ("crv", "kty", "x", "y")}
    return base64.urlsafe_b64encode(hashlib.sha256(canonical(members)).digest()).rstrip(b"=").decode()


def numbers(key):
    point = key.public_numbers()
    return point.x, point.y


def verified(jws, key):
    return jwt.api_jws.decode(jws, key=key, algorithms=["ES256"])


def certificate_chain(pem):
    return x509.load_pem_x509_certificates(pem)


def issued(certificate, authority):
    try:
        authority.public_key().verify(
            certificate.signature, certificate.tbs_certificate_bytes, ec.ECDSA(hashes.SHA256())
        )
        return True
    except Exception:
        return False


def office_statement(jws, authority, where):
    """What an office of the authority says; None, with a fault, if its signature does not hold."""
    leaf = x509.load_der_x509_certificate(base64.b64decode(jwt.get_unverified_header(jws)["x5c"][0]))
    try:
        words = json.loads(verified(jws, leaf.public_key()))
    except jwt.InvalidTokenError as error:
        fault(f"{where}: its signature does not hold: {error}")
        return None
    if not issued(leaf, authority):
        fault(f"{where}: another authority's office signed it")
    return words


def checked_list(archive, names, authority):
    """The list of all files, and the proofs that the office's log has the receipts."""
    said = office_statement(archive.read("SHA256SUMS.jws").decode().strip(), authority, "SHA256SUMS.jws")
    if said is None:
        return
    listing = archive.read("SHA256SUMS")
    if sha256(listing) != said["list"]:
        fault("SHA256SUMS: it is not the list that the office signed")
    listed = dict(reversed(line.split("  ", 1)) for line in listing.decode().splitlines())
    for name in set(listed) | set(names) - {"SHA256SUMS", "SHA256SUMS.jws"}:
        if name not in names:
            fault(f"{name}: it is on the list, and not here")
        elif sha256(archive.read(name)) != listed.get(name):
            fault(f"{name}: it is not as the list says")
    print("list", said["selection"]["name"])
    if "log" not in said:
        return
    name, _, key = said["log"]["key"].split("+", 2)
    public = ed25519.Ed25519PublicKey.from_public_bytes(base64.b64decode(key)[1:])
    for path in names:
        if not path.endswith(".tlog-proof"):
            continue
        head, note = archive.read(path).decode().split("\n\n", 1)
        text, signatures = note.split("\n\n", 1)
        # An office that was restored has begun a new log under a new key; earlier stamps stay.
        for signature in (line for line in signatures.splitlines() if line.split(" ")[1] == name):
            public.verify(base64.b64decode(signature.split(" ")[2])[4:], (text + "\n").encode())
        origin, size, root = text.split("\n")[:3]
        lines = head.split("\n")
        entry = base64.b64decode(lines[1].removeprefix("extra "))
        index = int(lines[2].removeprefix("index "))
        # RFC 9162, 2.1.3.2. The tree's entry is the digest of the log's line.
        place, last = index, int(size) - 1
        node = hashlib.sha256(b"\0" + hashlib.sha256(entry).digest()).digest()
        for beside in map(base64.b64decode, lines[3:]):
            if place & 1 or place == last:
                node = hashlib.sha256(b"\1" + beside + node).digest()
                while not place & 1 and place:
                    place, last = place >> 1, last >> 1
            else:
                node = hashlib.sha256(b"\1" + node + beside).digest()
            place, last = place >> 1, last >> 1
        beside = path.rpartition("/")[0] + "/checkpoint"
        if last or node != base64.b64decode(root) or note.encode() != archive.read(beside):
            fault(f"{path}: it does not lead to the checkpoint")
        if beside == "log/checkpoint" and (int(size), root) != (said["log"]["entries"], said["log"]["root"]):
            fault(f"{path}: the checkpoint is not the one that the office's list names")
        receipt = path.rpartition("/")[2].removesuffix(".tlog-proof")
        digest = sha256(archive.read(f"receipts/{receipt}.receipt"))
        if not json.loads(entry)["detail"].endswith(f", SHA-256 {digest} of receipt {receipt}"):
            fault(f"{path}: the log's line is of another receipt")
        print("proof", path)
    for path in names:
        if path.endswith(".tsr"):
            stamped(archive, path)


def stamped(archive, path):
    """openssl verifies a time authority's answer, for whoever trusts the certificates in TIME_ROOTS."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"data": path.rpartition("/")[0] + "/checkpoint", "in": path, "untrusted": path[:-4] + ".pem"}
        for name, source in files.items():
            with open(f"{folder}/{name}", "wb") as out:
                out.write(archive.read(source))
        roots = os.environ.get("TIME_ROOTS")
        if not roots:
            return
        run = subprocess.run(
            ["openssl", "ts", "-verify", "-CAfile", roots] + [w for n in files for w in (f"-{n}", f"{folder}/{n}")],
            capture_output=True,
        )
        if run.returncode:
            fault(f"{path}: openssl does not verify it")
        print("stamp", path)


def main(path, fingerprint):
    archive = zipfile.ZipFile(path)
    names = [name for name in archive.namelist() if not name.endswith("/")]
    named = set()
    places = {}
    keys = {}

    certificates = [c for n in names if n.startswith("certificates/") for c in certificate_chain(archive.read(n))]
    authorities = [c for c in certificates if c.fingerprint(hashes.SHA256()).hex() == fingerprint]
    if not authorities:
        fault("the authority that was told by another way is not here")
        return
    authority = authorities[0]

    def seal(jws, record, where):
        header = jwt.get_unverified_header(jws)
        jwk = header["jwk"]
        key = jwt.PyJWK(jwk, algorithm="ES256").key
        try:
            link = json.loads(verified(jws, key))
        except jwt.InvalidTokenError as error:
            fault(f"{where}: its signature does not hold: {error}")
            return None
        if header["kid"] != thumbprint(jwk) or link["key"] != header["kid"]:
            fault(f"{where}: it names another key")
        keys[header["kid"]] = (key, record)
        places.setdefault(link["key"], {})[link["sequence"]] = (sha256(jws.encode()), link.get("previous"))
        return link

    for name in names:
        if name.endswith(".seal"):
            whole = json.loads(archive.read(name))
            link = seal(whole["seal"], whole["record"], name)
            if link is None:
                continue
            if sha256(canonical(whole["record"])) != link["record"]:
                fault(f"{name}: its record is not the one that was sealed")
            stem = name[: -len(".seal")]
            for member, file in (("file", stem), ("raw", stem.rsplit(".", 1)[0] + ".raw")):
                if member in link:
                    named.add(file)
                    if file not in names:
                        fault(f"{file}: it is missing")
                    elif sha256(archive.read(file)) != link[member]:
                        fault(f"{file}: its bytes are not those that were sealed")
            print("seal", name)
        elif name.startswith("links/"):
            for line in archive.read(name).decode().split():
                seal(line, None, name)

    for key, chain in places.items():
        for sequence, (_, previous) in sorted(chain.items()):
            if sequence > 1 and chain.get(sequence - 1, (None,))[0] != previous:
                fault(f"key {key}: place {sequence} does not continue the chain")
        if sorted(chain) != list(range(1, max(chain) + 1)):
            fault(f"key {key}: a place of the chain is nowhere")
        print("chain", key, max(chain))

    for kid, (key, record) in keys.items():
        own = [c for c in certificates if numbers(c.public_key()) == numbers(key)]
        if not own or not issued(own[0], authority):
            fault(f"key {kid}: the authority does not vouch for it")
            continue
        if record is not None:
            said = {a.oid: a.value for a in own[0].subject}
            if (said[NameOID.ORGANIZATION_NAME], said[NameOID.COMMON_NAME]) != (record["agency"], record["inspector"]):
                fault(f"key {kid}: its certificate is another person's")
        print("certificate", kid)

    held = set()
    for name in names:
        if name.startswith("receipts/"):
            receipt = office_statement(archive.read(name).decode().strip(), authority, name)
            if receipt is None:
                continue
            held.update(receipt["files"])
            print("receipt", name)
    for file in sorted(named & set(names)):
        if sha256(archive.read(file)) not in held:
            fault(f"{file}: no receipt names it")

    if "SHA256SUMS.jws" in names:
        checked_list(archive, names, authority)

    for name in names:
        if name.endswith((".jpg", ".raw", ".track")) and name not in named:
            fault(f"{name}: no seal names it")


main(sys.argv[1], sys.argv[2])
sys.exit(1 if faults else 0)
