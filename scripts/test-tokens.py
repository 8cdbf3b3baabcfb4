#!/usr/bin/env python3
"""The device's key and the office's authority in tokens: SoftHSM, a TPM 2.0 in software (swtpm), and one behind tpm2-pkcs11.

Office, field unit and captures run as users run them. Tokens are pulled, PINs are wrong, modules crash, hang and
refuse; another program (opensc's pkcs11-tool) says whether the key can be taken out.
"""
import argparse, datetime, json, os, pathlib, random, re, shutil, socket, sqlite3, subprocess, sys, tempfile, time

PASSWORD = "kestrel over wet barley"
SOFTHSM = "/usr/lib/softhsm/libsofthsm2.so"
TPM = next(iter(map(str, pathlib.Path("/usr/lib").glob("*/pkcs11/libtpm2_pkcs11.so"))), "")
faults = []
MODULE = r"""
#define CRYPTOKI_GNU 1
#include <stdlib.h>
#include <unistd.h>
#include <p11-kit-1/p11-kit/pkcs11.h>
static ck_rv_t ends(void *nothing) { %s return CKR_GENERAL_ERROR; }
static ck_rv_t done(void *nothing) { return CKR_OK; }
static struct ck_function_list list = { .version = {2, 40}, .C_Initialize = ends, .C_Finalize = done };
ck_rv_t C_GetFunctionList(struct ck_function_list **given) { *given = &list; return CKR_OK; }
"""


def require(holds, words):
    print(("ok    " if holds else "FAULT ") + str(words), flush=True)
    if not holds:
        faults.append(words)


def nmea(seed):
    noise, began = random.Random(seed), datetime.datetime.now(datetime.timezone.utc)
    lines = []
    for second in range(20):
        at = began + datetime.timedelta(seconds=second - 20)
        north, east = (f"{minutes + noise.gauss(0, 5e-6):010.7f}" for minutes in (5.016, 38.292))
        place = f"49{north},N,016{east},E"
        lines.append(f"GPGGA,{at:%H%M%S}.00,{place},1,10,0.9,231.0,M,44.6,M,,")
        lines.append(f"GPRMC,{at:%H%M%S}.00,A,{place},0.02,,{at:%d%m%y},,,A")

    def frame(body):
        total = 0
        for character in body:
            total ^= ord(character)
        return f"${body}*{total:02X}\r\n"
    return "".join(map(frame, lines))


class Stand:
    def __init__(self, program, folder):
        self.program, self.folder, self.photos = shutil.copy(program, folder / "standpoint"), folder, 0
        # The office signs in a token, too: its process knows from the beginning where SoftHSM has its tokens.
        os.environ["SOFTHSM2_CONF"] = str(folder / "softhsm/conf")
        self.environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        self.run("office", "office", "agency", "add", "north")
        for login in ("ines", "tom"):
            self.run("office", "office", "user", "add", login, "--role", "inspector", "--agency", "north",
                     "--password-stdin", given=PASSWORD)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.office = subprocess.Popen([self.program, "office", "--listen", self.address, "--data", folder / "office"],
                                       text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       env=self.environment)
        assert "office at" in self.office.stdout.readline()
        self.fingerprint = self.office.stdout.readline().split()[-1]

    def run(self, data, *words, given=None, may_fail=False):
        done = subprocess.run([self.program, *map(str, words), "--data", self.folder / data], text=True, input=given,
                              capture_output=True, env=self.environment)
        if done.returncode != 0 and not may_fail:
            raise SystemExit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
        return done

    def login(self, data, login, **more):
        return self.run(data, "login", "--office", f"http://{self.address}", "--user", login, "--password-stdin",
                        given=PASSWORD, **more)

    def capture(self, data, **more):
        self.photos += 1
        log, picture = self.folder / "standing.nmea", self.folder / "picture.jpg"
        log.write_text(nmea(self.photos))
        if not picture.exists():
            subprocess.run([self.program, "demo-picture", picture, "--width", "640", "--height", "480"], check=True)
        picture.write_bytes(picture.read_bytes()[:-2] + b"\xff\xfe\x00\x04" + os.urandom(2) + b"\xff\xd9")
        began = time.monotonic()
        done = self.run(data, "capture", "--image", picture, "--samples", 5, "--countdown", 0, "--format", "json",
                        "--gnss", f"file://{log}?rate=max", **more)
        done.seconds = time.monotonic() - began
        return done

    def key(self, data):
        return json.loads(self.run(data, "key", "--format", "json").stdout)

    def refused(self, done, status, words, what):
        require(done.returncode == status and words in done.stderr,
                f"{what}: {done.returncode}, {done.stderr.strip().splitlines()[-1:]}")


def work(stand, data, login, uri, maker):
    """A key in the token from the sign-in to the office's check, and a stranger's verdict."""
    stand.login(data, login)
    stand.capture(data)
    first = stand.key(data)
    require([one["keeping"] for one in first["keys"]] == ["file"] and first["new"] == "file",
            f"{maker}: the first key is in a file")
    print("      " + stand.run(data, "key", "use", uri).stdout.strip())
    stand.login(data, login)
    keys = stand.key(data)["keys"]
    token = [one for one in keys if one["keeping"] == "token"]
    require(len(token) == 1 and maker in token[0]["maker"], f"{maker}: the next sign-in makes a key there: {token}")
    stand.login(data, login)
    require(len(stand.key(data)["keys"]) == len(keys), f"{maker}: another sign-in takes the same key")
    times = [stand.capture(data).seconds for _ in range(3)]
    print(f"      a capture with its signatures: {', '.join(f'{one:.2f}' for one in times)} s")
    taken = [json.loads(line)["id"] for line in stand.run(data, "photo", "list", "--format", "json").stdout.splitlines()]
    stand.run(data, "photo", "send", *taken)
    stand.run(data, "deliver")
    done = subprocess.run([stand.program, "verify", stand.folder / data, "--trust", stand.fingerprint, "--format", "json"],
                          text=True, capture_output=True)
    verdict = json.loads(done.stdout)
    require(done.returncode == 0 and len(verdict["keys"]) == 2,
            f"{maker}: verify says {verdict['verdict']} of {verdict['checked']} seals under {len(verdict['keys'])} keys")
    database = sqlite3.connect(f"file:{stand.folder}/office/office/standpoint.sqlite?mode=ro", uri=True, timeout=30)
    deadline = time.monotonic() + 60
    while database.execute("SELECT 1 FROM photo WHERE verdict IS NULL").fetchone():
        assert time.monotonic() < deadline
        time.sleep(0.2)
    inside = [json.loads(row[0]).get("isInToken") == 1 for row in database.execute(
        "SELECT numbers FROM photo_check WHERE name = 'issuer' AND photo IN (%s)" % ",".join("?" * len(taken)), taken)]
    require(sorted(inside) == [False, True, True, True], f"{maker}: the office says of three photos that the key is in a token")
    return token[0]["key"]


def soft(stand):
    folder = stand.folder / "softhsm"
    (folder / "tokens").mkdir(parents=True)
    (folder / "conf").write_text(f"directories.tokendir = {folder}/tokens\nlog.level = ERROR\n")
    subprocess.run(["softhsm2-util", "--init-token", "--free", "--label", "field-07", "--so-pin", "87654321", "--pin",
                    "135790"], check=True, capture_output=True)
    pin = folder / "pin"
    pin.write_text("135790\n")
    uri = f"pkcs11:token=field-07?module-path={SOFTHSM}&pin-source={pin}"
    stand.refused(stand.run("soft", "key", "use", uri, may_fail=True), 2, "chmod 600", "a PIN that others can read")
    pin.chmod(0o600)
    wrong = folder / "wrong"
    wrong.write_text("000000\n")
    wrong.chmod(0o600)
    stand.refused(stand.run("soft", "key", "use", uri.replace(str(pin), str(wrong)), may_fail=True), 1, "refuses the PIN",
                  "a wrong PIN")
    stand.refused(stand.run("soft", "key", "use", uri.replace("field-07", "field-08"), may_fail=True), 3, "not there",
                  "another token")
    stand.refused(stand.run("soft", "key", "use", uri.replace(SOFTHSM, "/nowhere.so"), may_fail=True), 3, "cannot be loaded",
                  "no module")
    stand.refused(stand.run("soft", "key", "use", uri + "&pin-value=135790", may_fail=True), 2, "holds the PIN",
                  "a PIN in the address")
    work(stand, "soft", "ines", uri, "SoftHSM")
    told = subprocess.run(["pkcs11-tool", "--module", SOFTHSM, "--token-label", "field-07", "--login", "--pin", "135790",
                           "--list-objects", "--type", "privkey"], text=True, capture_output=True).stdout
    require("never extractable" in told and "sensitive" in told and "local" in told,
            f"pkcs11-tool: {' '.join(told.split())[-120:]}")
    secrets = [path for path in (stand.folder / "soft").rglob("*") if path.is_file() and b"135790" in path.read_bytes()]
    require(not secrets, f"the PIN is in no file of the device {secrets}")
    # Pulled in the middle of the day, and put in again.
    before = len(stand.run("soft", "photo", "list", "--format", "json").stdout.splitlines())
    (folder / "tokens").rename(folder / "pulled")
    (folder / "tokens").mkdir()
    stand.refused(stand.capture("soft", may_fail=True), 3, "not there", "a photo without the token")
    require(len(stand.run("soft", "photo", "list", "--format", "json").stdout.splitlines()) == before,
            "nothing was half written, and the list is shown without the token")
    (folder / "tokens").rmdir()
    (folder / "pulled").rename(folder / "tokens")
    stand.capture("soft")
    # A backup names the token, and holds no key of it.
    stand.run("soft", "backup", stand.folder / "soft.backup")
    restored = stand.run("again", "restore", stand.folder / "soft.backup", may_fail=True)
    require(restored.returncode == 0 and stand.key("again") == stand.key("soft"), f"a backup is restored {restored.stderr}")
    stand.capture("again")
    # Modules that are broken.
    for name, code, status, words in [("crashes", "abort();", 3, "crashed"), ("hangs", "sleep(1000);", 3, "did not answer"),
                                      ("refuses", "", 3, "refuses")]:
        source, module = folder / f"{name}.c", folder / f"{name}.so"
        source.write_text(MODULE % code)
        subprocess.run(["cc" if shutil.which("cc") else "clang", "-shared", "-fPIC", "-o", module, source], check=True)
        for token in (stand.folder / "soft/field/keys").glob("*.token"):
            kept = token.read_bytes()
            chosen = token.parent / "chosen-token"
            choice = chosen.read_bytes()
            for path in (token, chosen):
                path.write_bytes(path.read_bytes().replace(SOFTHSM.encode(), str(module).encode()))
            began = time.monotonic()
            stand.refused(stand.capture("soft", may_fail=True), status, words, f"a module that {name}")
            print(f"      after {time.monotonic() - began:.1f} s")
            token.write_bytes(kept)
            chosen.write_bytes(choice)
    stand.capture("soft")
    print("      " + stand.run("soft", "key", "use", "file").stdout.strip())
    stand.login("soft", "ines")
    stand.capture("soft")
    checked = subprocess.run([stand.program, "verify", stand.folder / "soft"], text=True, capture_output=True)
    require(checked.returncode == 0, f"all of the device's day is intact: {checked.stdout.splitlines()[:1]}")


def authority(stand):
    """The office's authority moves into a token while the office runs, and its first key is revoked."""
    folder = stand.folder / "softhsm"
    subprocess.run(["softhsm2-util", "--init-token", "--free", "--label", "office", "--so-pin", "87654321", "--pin",
                    "135790"], check=True, capture_output=True)
    uri = f"pkcs11:token=office?module-path={SOFTHSM}&pin-source={folder}/pin"

    def keys():
        return json.loads(stand.run("office", "office", "keys", "--format", "json").stdout)

    def delivered(data):
        photo = json.loads(stand.capture(data).stdout.splitlines()[-1])["id"]
        stand.run(data, "photo", "send", photo)
        return stand.run(data, "deliver", may_fail=True)

    def verdict(data, trust):
        done = subprocess.run([stand.program, "verify", stand.folder / data, "--trust", trust, "--format", "json"],
                              text=True, capture_output=True)
        return done.returncode, json.loads(done.stdout)

    stand.login("walk", "tom")
    require(delivered("walk").returncode == 0, "a day under the first authority")
    first = stand.fingerprint
    stand.refused(stand.run("office", "office", "keys", "renew", "receipts", "--token", uri, may_fail=True), 2,
                  "only the authority", "receipts are not signed in a token")
    print("      " + stand.run("office", "office", "keys", "renew", "authority", "--token", uri, "--yes").stdout.strip())
    print("      " + stand.run("office", "office", "keys", "renew", "receipts", "--yes").stdout.strip())
    now = {one["name"]: one for one in keys()}
    second = now["authority-2"]["fingerprint"]
    require(now["authority-2"]["keeping"] == "token" and now["authority-1"]["state"] == "earlier", f"{sorted(now)}")
    left = sorted(path.name for path in (stand.folder / "office/office/keys").glob("*.key"))
    require(not any(name in left for name in ("authority.key", "receipts.key")), f"earlier private halves are gone: {left}")
    require(delivered("walk").returncode == 0, "a device that knows the first authority believes the second one's receipt")
    stand.fingerprint = second
    stand.login("new", "tom")
    require(delivered("new").returncode == 0, "a new device gets its certificate from the token")
    for data, trust in (("walk", first), ("new", second), ("new", first)):
        status, found = verdict(data, trust)
        require(status == 0 and found["issuer"] == "trusted", f"{data} under {trust[:8]}: {found['verdict']} {found['issuer']}")
    # The token is pulled: known devices go on, a new one is told.
    (folder / "tokens").rename(folder / "pulled")
    (folder / "tokens").mkdir()
    require(delivered("new").returncode == 0, "without the token a known device delivers")
    refused = stand.login("third", "ines", may_fail=True)
    require(refused.returncode != 0 and "authority cannot certify" in refused.stderr, f"a new one: {refused.stderr.strip()}")
    (folder / "tokens").rmdir()
    (folder / "pulled").rename(folder / "tokens")
    stand.login("third", "ines")
    print("      " + stand.run("office", "office", "keys", "revoke", "authority-1", "--reason", "moved", "--yes").stdout.strip())
    told = delivered("walk")
    require(told.returncode != 0 and "fingerprint" in told.stderr, f"under the revoked one: {told.stderr.strip()[-160:]}")
    stand.login("walk", "tom")
    require(stand.run("walk", "deliver").returncode == 0, "signed in again, everything that waited is delivered")
    backup = stand.folder / "office.backup"
    stand.run("office", "office", "backup", backup)
    restored = stand.run("elsewhere", "office", "restore", backup, may_fail=True)
    require(restored.returncode == 0 and [one["state"] for one in json.loads(stand.run(
        "elsewhere", "office", "keys", "--format", "json").stdout)] == [one["state"] for one in keys()],
            f"a backup holds the keys, and which of them count {restored.stderr.strip()}")


class Chip:
    """A TPM 2.0 in software with the certificate of a maker that this script makes up."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("state", "ca"):
            (folder / name).mkdir(parents=True)
        (folder / "setup.conf").write_text("create_certs_tool = /usr/bin/swtpm_localca\n"
                                           f"create_certs_tool_config = {folder}/ca.conf\n"
                                           f"create_certs_tool_options = {folder}/ca.options\n")
        (folder / "ca.conf").write_text(f"statedir = {folder}/ca\nsigningkey = {folder}/ca/key.pem\n"
                                        f"issuercert = {folder}/ca/issuer.pem\ncertserial = {folder}/ca/serial\n")
        (folder / "ca.options").write_text(
            "--platform-manufacturer Fixture\n--platform-version 1\n--platform-model Field\n")
        subprocess.run(["swtpm_setup", "--tpm2", "--tpmstate", folder / "state", "--createek", "--create-ek-cert",
                        "--config", folder / "setup.conf"], check=True, capture_output=True)
        self.address = f"tpm:?tcti=swtpm:path={folder}/tpm"
        self.makers = [folder / "ca/swtpm-localca-rootca-cert.pem", folder / "ca/issuer.pem"]
        self.switch_on()

    def switch_on(self):
        self.process = subprocess.Popen(
            ["swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.folder}/state", "--flags", "startup-clear",
             "--server", f"type=unixio,path={self.folder}/tpm", "--ctrl", f"type=unixio,path={self.folder}/tpm.ctrl"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)

    def switch_off(self):
        self.process.kill()
        self.process.wait()


def attested(stand):
    """A TPM that shows the office its key; the office learns its maker later."""
    chip, cheap = Chip(stand.folder / "chip-tpm"), Chip(stand.folder / "cheap-tpm")
    try:
        key = work(stand, "shown", "ines", chip.address, "IBM")
        line = next(one for one in stand.run("shown", "key").stdout.splitlines() if key in one)
        require("does not know the TPM's maker" in line, f"without its maker's certificate: {line[45:]}")
        makers = stand.folder / "office/office/tpm-makers"
        makers.mkdir()
        for one in chip.makers:
            shutil.copy(one, makers / one.name)
        (makers / "readme.txt").write_text("no certificate")
        stand.login("shown", "ines")
        line = next(one for one in stand.run("shown", "key").stdout.splitlines() if key in one)
        require("vouches for the TPM" in line, f"with it: {line[45:]}")
        # The office's next authority and its next key for statements sign it again, for a device that signs in.
        for kind in ("authority", "receipts"):
            stand.run("office", "office", "keys", "renew", kind)
            stand.login("shown", "ines")
            line = next(one for one in stand.run("shown", "key").stdout.splitlines() if key in one)
            require("vouches for the TPM" in line and "at the last" not in line, f"after a renewal of {kind}: {line[45:]}")
        taken = json.loads(stand.capture("shown").stdout.splitlines()[-1])["id"]
        stand.run("shown", "photo", "send", taken)
        stand.run("shown", "deliver")
        deadline, found = time.monotonic() + 60, None
        while found is None and time.monotonic() < deadline:
            time.sleep(0.2)
            database = sqlite3.connect(f"file:{stand.folder}/office/office/standpoint.sqlite?mode=ro", uri=True, timeout=30)
            found = database.execute("SELECT numbers FROM photo_check WHERE name = 'issuer' AND photo = ?", [taken]).fetchone()
        require(found and json.loads(found[0]).get("isAttested") == 1, f"a photo's check Issuer says it: {found}")
        done = subprocess.run([stand.program, "verify", stand.folder / "office/office", "--trust", stand.fingerprint,
                               "--format", "json"], text=True, capture_output=True)
        told = [one["message"] for one in json.loads(done.stdout)["findings"]
                if key in one["message"] and "TPM" in one["message"]]
        require(len(told) == 1 and "vouches" in told[0], f"a stranger's verifier: {told}")
        # Another TPM, of a maker that the office does not know, with the file of the first one's key.
        stand.run("shown", "key", "use", cheap.address)
        refused = stand.capture("shown", may_fail=True)
        require(refused.returncode != 0 and "key" in refused.stderr,
                f"the file without its TPM: {refused.returncode}, {refused.stderr.strip().splitlines()[-1:]}")
        stand.login("shown", "ines")
        lines = stand.run("shown", "key").stdout
        require("does not know the TPM's maker" in lines, "a sign-in makes a new key there; its maker is not known")
        cheap.switch_off()
        off = stand.capture("shown", may_fail=True)
        require(off.returncode == 3 and "TPM" in off.stderr,
                f"the TPM switched off: {off.returncode}, {off.stderr.strip().splitlines()[-1:]}")
        stand.refused(stand.run("shown", "key", "use", "tpm:?tcti=cmd:sh", may_fail=True), 2, "a TPM is reached by",
                      "an address that would run a command")
        stand.refused(stand.run("shown", "key", "use", cheap.address, may_fail=True), 3, "does not answer",
                      "the choice of a TPM that is off")
        cheap.switch_on()
        require(stand.capture("shown").returncode == 0, "switched on again, it signs")
    finally:
        for one in (chip, cheap):
            one.switch_off()


def tpm(stand):
    folder = stand.folder / "tpm"
    for name in ("state", "store"):
        (folder / name).mkdir(parents=True)
    ports = []
    for _ in range(2):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            ports.append(free.getsockname()[1])
    # The control port is the next one behind the server's: that is where TSS looks for it.
    server = ports[0]
    chip = subprocess.Popen(["swtpm", "socket", "--tpm2", "--tpmstate", f"dir={folder}/state", "--flags", "startup-clear",
                             "--server", f"type=tcp,port={server},disconnect", "--ctrl", f"type=tcp,port={server + 1}"],
                            stderr=subprocess.DEVNULL)
    # A real machine has the kernel's resource manager (/dev/tpmrm0); here it is tpm2-abrmd on a bus of its own.
    bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True)
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = stand.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
    broker = None
    try:
        time.sleep(1)
        broker = subprocess.Popen(["tpm2-abrmd", "--allow-root", "--session", f"--tcti=swtpm:host=127.0.0.1,port={server}"],
                                  stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        time.sleep(2)
        names = {"TPM2_PKCS11_STORE": str(folder / "store"), "TPM2_PKCS11_TCTI": "tabrmd:bus_type=session",
                 "TPM2TOOLS_TCTI": "tabrmd:bus_type=session"}
        os.environ.update(names)
        stand.environment.update(names)
        for words in (["init"], ["addtoken", "--pid=1", "--label=chip", "--sopin=87654321", "--userpin=135790"]):
            done = subprocess.run(["tpm2_ptool", *words, "--path", str(folder / "store")], text=True, capture_output=True)
            require(done.returncode == 0, f"tpm2_ptool {words[0]}: {done.stderr.strip()[-200:]}")
        pin = folder / "pin"
        pin.write_text("135790\n")
        pin.chmod(0o600)
        work(stand, "chip", "tom", f"pkcs11:token=chip?module-path={TPM}&pin-source={pin}", "")
        for one in (broker, chip):
            one.kill()
            one.wait()
        refused = stand.capture("chip", may_fail=True)
        require(refused.returncode in (1, 3) and "token" in refused.stderr,
                f"without the TPM: {refused.returncode}, {refused.stderr.strip().splitlines()[-1:]}")
    finally:
        for one in (broker, chip, bus):
            if one:
                one.kill()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True, help="the program, built for release")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="standpoint-tokens-") as folder:
        stand = Stand(given.program, pathlib.Path(folder))
        try:
            soft(stand)
            authority(stand)
            attested(stand)
            tpm(stand)
        finally:
            stand.office.terminate()
            stand.office.wait()
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
