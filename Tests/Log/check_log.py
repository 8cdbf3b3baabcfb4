"""Checks an office's public log without any code of ours: written from RFC 9162 and C2SP's signed-note, tlog-checkpoint,
tlog-proof and tlog-witness alone. Usage:
  check_log.py KEY log LOGFILE CHECKPOINT        the checkpoint is that of the exported log's first entries
  check_log.py KEY entry LOGFILE PROOF           the log's line is in the tree of the proof's checkpoint
  check_log.py KEY grown EARLIER PROOF           the log of the proof's checkpoint begins with that of the earlier one
KEY is the text that /checkpoints/key gives. Prints one line and ends with 0 if it holds, else with 1."""
import base64
import hashlib
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Wrong(Exception):
    pass


def sha256(data):
    return hashlib.sha256(data).digest()


def leaf(entry):
    return sha256(b"\0" + entry)


def node(left, right):
    return sha256(b"\1" + left + right)


def tree_head(hashes):
    """MTH of RFC 9162, 2.1.1, over hashes of leaves; without recursion, for long logs."""
    stack = []
    for index, one in enumerate(hashes):
        stack.append(one)
        while index & 1:
            right = stack.pop()
            stack.append(node(stack.pop(), right))
            index >>= 1
    if not stack:
        return sha256(b"")
    head = stack.pop()
    while stack:
        head = node(stack.pop(), head)
    return head


def inclusion(index, size, one, path):
    """RFC 9162, 2.1.3.2."""
    if not 0 <= index < size:
        raise Wrong("the tree has no such entry")
    fn, sn, r = index, size - 1, one
    for p in path:
        if sn == 0:
            raise Wrong("the proof is too long")
        if fn & 1 or fn == sn:
            r = node(p, r)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = node(r, p)
        fn, sn = fn >> 1, sn >> 1
    if sn:
        raise Wrong("the proof is too short")
    return r


def consistency(first, second, first_head, second_head, path):
    """RFC 9162, 2.1.4.2."""
    if not 0 < first <= second:
        raise Wrong(f"a log of {second} entries cannot begin with one of {first}")
    if first == second:
        return not path and first_head == second_head
    if not path:
        raise Wrong("the proof is empty")
    if first & (first - 1) == 0:
        path = [first_head] + path
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for c in path[1:]:
        if sn == 0:
            raise Wrong("the proof is too long")
        if fn & 1 or fn == sn:
            fr, sr = node(c, fr), node(c, sr)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return fr == first_head and sr == second_head and sn == 0


def checkpoint(note, key_text):
    """The size and the head of a checkpoint that the log's key has signed."""
    name, key_id, key = key_text.strip().split("+", 2)
    key = base64.b64decode(key)
    if key[:1] != b"\x01" or sha256(name.encode() + b"\n" + key)[:4].hex() != key_id:
        raise Wrong("the key is not well formed")
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    lines = text.split("\n")
    if lines[0] != name:
        raise Wrong(f"it is a checkpoint of {lines[0]}")
    for line in signatures.splitlines():
        dash, signer, signature = line.split(" ")
        signature = base64.b64decode(signature)
        if dash == "—" and signer == name and signature[:4].hex() == key_id:
            try:
                Ed25519PublicKey.from_public_bytes(key[1:]).verify(signature[4:], text.encode())
            except InvalidSignature:
                raise Wrong("the signature does not hold") from None
            return int(lines[1]), base64.b64decode(lines[2])
    raise Wrong("the log's key has not signed it")


def proof(text, first_word):
    """A proof's number, its hashes, and its checkpoint."""
    head, _, note = text.partition("\n\n")
    lines = [line for line in head.split("\n") if line != "c2sp.org/tlog-proof@v1" and not line.startswith("extra ")]
    word, number = lines[0].split(" ")
    if word != first_word:
        raise Wrong(f"its first line is not {first_word}")
    return int(number), [base64.b64decode(line) for line in lines[1:]], note


def entries(path):
    """The entries of the tree: the SHA-256 of each line of an exported log, but its last one, the signature."""
    with open(path, "rb") as file:
        before = None
        for line in file:
            if before is not None:
                yield sha256(before.rstrip(b"\n"))
            before = line


def main():
    key, what, one, other = sys.argv[1:5]
    other = open(other).read()
    if what == "log":
        size, head = checkpoint(other, key)
        hashes = [leaf(entry) for entry in entries(one)][:size]
        if len(hashes) != size or tree_head(hashes) != head:
            raise Wrong("the log's lines are not those of the checkpoint")
        print(f"ok: the first {size} lines of the log are those of the checkpoint")
    elif what == "entry":
        index, path, note = proof(other, "index")
        size, head = checkpoint(note, key)
        line = next((entry for number, entry in enumerate(entries(one)) if number == index), None)
        if line is None or inclusion(index, size, leaf(line), path) != head:
            raise Wrong("the log's line is not in the tree")
        print(f"ok: line {index + 1} is in the tree of {size} entries")
    elif what == "grown":
        first, first_head = checkpoint(open(one).read(), key)
        number, path, note = proof(other, "old")
        second, second_head = checkpoint(note, key)
        if number != first or not consistency(first, second, first_head, second_head, path):
            raise Wrong("the later log does not begin with the earlier one")
        print(f"ok: the log of {second} entries begins with that of {first}")
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    try:
        main()
    except (Wrong, ValueError, OSError) as error:
        print(f"NOT: {error}")
        sys.exit(1)
