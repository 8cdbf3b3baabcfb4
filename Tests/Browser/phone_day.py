"""A phone becomes the camera of a field unit, by hand in a real Chromium at 390 px: paired by the address in the QR code, past the browser's
warning, a photo taken with the phone's camera; ended by a tap, by signing out, and by another inspector.

    phone_day.py PROGRAM FOLDER [PICTURES]

Runs an office and a field unit of its own in FOLDER. Phones are served at 127.0.0.2, which is another device to the field unit.
With PICTURES, a folder, its pages are saved there.
"""
import atexit
import contextlib
import json
import pathlib
import shutil
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

from playwright.sync_api import Error, expect, sync_playwright

from receiver import Receiver, free_port

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
PASSWORD = "kestrel over wet barley"
LATITUDE, LONGITUDE = 50.102, 14.1025
HOST = "127.0.0.2"


def run(*words, text=None, check=True):
    done = subprocess.run([PROGRAM, *words], input=text, text=True, check=check, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout if done.returncode == 0 else done.stderr


def start(*words):
    process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    atexit.register(process.kill)
    assert " at http" in process.stdout.readline()
    return process


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
if PICTURES:
    PICTURES.mkdir(parents=True, exist_ok=True)
office_data, device = ["--data", str(FOLDER / "office-data")], ["--data", str(FOLDER / "device-data")]
run("office", "agency", "add", "north", *office_data)
for login, role, name in (("ines", "inspector", "Ines Nováková"), ("jana", "inspector", "Jana Dvořáková"),
                          ("otto", "officer", "Otto Šimek")):
    run("office", "user", "add", login, "--role", role, "--agency", "north", "--name", name, "--password-stdin", *office_data, text=PASSWORD)
rows = ["identifier,name,type,inspector,wkt"]
for number in range(50):
    west = 14.10 + number / 100
    ring = f"{west:.3f} 50.1, {west + .005:.3f} 50.1, {west + .005:.3f} 50.104, {west:.3f} 50.104, {west:.3f} 50.1"
    rows.append(f'P-{number},"Dolní Břežany, parcel {number}",roof,ines,"POLYGON(({ring}))"')
(FOLDER / "tasks.csv").write_text("\n".join(rows) + "\n")
run("office", "task", "import", str(FOLDER / "tasks.csv"), "--agency", "north", *office_data)
office_port, field_port = free_port(), free_port()
# Two ports next to each other: the pages over TLS, and the page that pairs.
phone_port = next(port for port in range(18_471, 19_000, 2) if subprocess.run(
    ["ss", "-Hltn", f"sport = :{port} or sport = :{port + 1}"], capture_output=True, text=True).stdout == "")
OFFICE, FIELD, PLAIN, SECURE = (f"http://127.0.0.1:{office_port}", f"http://127.0.0.1:{field_port}",
                                f"http://{HOST}:{phone_port + 1}", f"https://{HOST}:{phone_port}")
start("office", *office_data, "--listen", f"127.0.0.1:{office_port}")
refused = subprocess.run([PROGRAM, "field", "pair", *device], capture_output=True, text=True)
assert refused.returncode == 1 and "nobody is signed in" in refused.stderr, refused
run("login", "--office", OFFICE, "--user", "ines", "--password-stdin", *device, text=PASSWORD)
receiver = Receiver(LATITUDE, LONGITUDE)
start("field", *device, "--listen", f"127.0.0.1:{field_port}", "--phones", f"{HOST}:{phone_port}", "--gnss", receiver.program)
complaints = []
expect.set_options(timeout=20_000)


def window(browser, size, **options):
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options)
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
    page.on("console", lambda said: complaints.append(f"console: {said.text} {page.url}")
            # Past its warning a browser takes no service worker.
            if said.type == "error" and not any(
                word in said.text for word in ("401", "422", "429", "ERR_", "when fetching the script")) else None)
    return page


def look(page, name):
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}: wider than the window"
    if PICTURES:
        page.screenshot(path=PICTURES / f"{name}.png", full_page=True)


def reaches(address):
    """The status of an address, without its certificate's being checked; nil if nothing listens."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        return urllib.request.urlopen(address, context=context if address.startswith("https") else None, timeout=5).status
    except urllib.error.HTTPError as answer:
        return answer.code
    except OSError:
        return None


def wait_for(what):
    end = time.monotonic() + 20
    while not what():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.2)


taps = 0


def tap(locator):
    """Taps as a person does, and counts it."""
    global taps
    taps += 1
    locator.click()


def past_the_warning(page):
    tap(page.locator("#details-button"))
    tap(page.locator("#proceed-link"))


def through(page, address):
    """Opens an address past the browser's warning."""
    try:
        page.goto(address)
    except Exception as refusal:
        assert "ERR_CERT" in str(refusal), refusal
        past_the_warning(page)


def shutter(page):
    end = time.monotonic() + 90
    button = page.locator("[data-camera-shutter]")
    while not button.is_enabled():
        assert time.monotonic() < end, page.locator("main").inner_text()
        page.wait_for_timeout(200)
    button.click()
    expect(page.locator("[data-camera-review]")).to_be_visible(timeout=60_000)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", ignore_default_args=["--headless", "--headless=old"],
        args=["--headless=new", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"])
    desk = window(browser, (1280, 800))
    # Nothing listens before somebody wants a phone.
    assert reaches(PLAIN) is None and reaches(SECURE) is None
    desk.goto(f"{FIELD}/settings")
    desk.get_by_role("link", name="Pair a phone, or end one").click()
    expect(desk.get_by_text("No phone is paired.")).to_be_visible()
    look(desk, "phones-empty")
    desk.get_by_role("button", name="Pair a phone").click()
    expect(desk.locator(".qr")).to_be_visible()
    look(desk, "phones-code")
    code = desk.locator(".code").inner_text()
    shown = desk.locator(".pairing .digest").inner_text()
    fingerprint = shown.replace(":", "").lower()
    letters = code.replace("-", "")
    wait_for(lambda: reaches(PLAIN) == 200 and reaches(SECURE) is not None)
    for path in ("/tasks", "/pair", "/assets/app.js"):
        assert reaches(PLAIN + path) == 404, path
    began = time.monotonic()
    phone = window(browser, (390, 844), permissions=["camera"])
    phone.goto(f"{PLAIN}/#{letters}.{fingerprint}")
    expect(phone.locator("[data-fingerprint]")).to_have_text(shown)
    look(phone, "trust-phone")
    for system in ("android", "ios"):
        details = phone.locator(f"details[data-system={system}]")
        if not details.evaluate("one => one.open"):
            details.locator("summary").click()
        assert details.locator("svg").count() == 3
    look(phone, "trust-steps-phone")
    # A phone that trusts the certificate and finds the device by its name goes on by the name; not to another
    # device that has it, and not where nothing would show another device.
    namer = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[f"--host-resolver-rules=MAP standpoint.local {HOST}"])
    for trusts, print_, led in ((True, fingerprint, f"https://standpoint.local:{phone_port}"), (True, "0" * 64, SECURE), (False, fingerprint, SECURE)):
        named = window(namer, (390, 844), ignore_https_errors=trusts)
        named.goto(f"{PLAIN}/#{letters}.{print_}")
        expect(named.locator("a[data-answered]")).to_be_visible()
        expect(named.get_by_role("link", name="Go on")).to_have_attribute("href", f"{led}/pair#{letters}")
    namer.close()
    certificate = urllib.request.urlopen(f"{PLAIN}/field-unit.crt").read()
    told = subprocess.run(["openssl", "x509", "-inform", "DER", "-noout", "-fingerprint", "-sha256"], input=certificate,
                           capture_output=True, check=True).stdout.decode()
    assert told.strip().split("=")[1] == shown, told
    taps = 0
    tap(phone.get_by_role("link", name="Go on"))
    past_the_warning(phone)
    expect(phone.get_by_label("Code from the field unit")).to_have_value(letters)
    assert phone.evaluate("location.hash") == "" and phone.evaluate("isSecureContext")
    assert phone.get_by_label("Name of this phone").input_value() != ""
    phone.get_by_label("Name of this phone").fill("Ines <script>phone")
    look(phone, "pair-phone")
    tap(phone.get_by_role("button", name="Pair", exact=True))
    expect(phone.get_by_text("This phone is paired with the field unit.")).to_be_visible()
    look(phone, "home-phone")
    tap(phone.get_by_role("navigation").first.get_by_role("link", name="Camera"))
    expect(phone.locator("video")).to_be_visible()
    wait_for(lambda: phone.evaluate("document.querySelector('video').videoWidth") > 0)
    print(f"from the address of the QR code to the live picture: {taps} taps, {time.monotonic() - began:.1f} s")
    assert taps <= 6
    look(phone, "camera-phone")
    shutter(phone)
    photos = [json.loads(line) for line in run("photo", "list", "--format", "json", *device).splitlines()]
    assert len(photos) == 1 and photos[0]["origin"] == "camera", photos
    # The device sees its phone at once; a second phone with the same code does not get in.
    expect(desk.get_by_text("Paired: Ines <script>phone")).to_be_visible()
    look(desk, "phones-paired")
    second = window(browser, (390, 844))
    through(second, f"{SECURE}/pair")
    second.get_by_label("Code from the field unit").fill(code)
    second.get_by_label("Name of this phone").fill("Second")
    second.get_by_role("button", name="Pair", exact=True).click()
    expect(second.get_by_text("this code has paired a phone already")).to_be_visible()
    look(second, "refused-phone")
    second.goto(f"{SECURE}/tasks")
    expect(second).to_have_url(f"{SECURE}/pair")
    # The page without TLS goes with its code.
    wait_for(lambda: reaches(PLAIN) is None)
    # A command makes a code as well, and wrong ones are told on the device.
    told = json.loads(run("field", "pair", "--format", "json", *device))
    assert sorted(told) == ["code", "expires", "fingerprint", "url"] and told["fingerprint"] == fingerprint, told
    assert told["url"] == f"{PLAIN}/#{told['code'].replace('-', '')}.{fingerprint}", told
    for _ in range(2):
        second.get_by_label("Code from the field unit").fill("0" * 26)
        second.get_by_label("Name of this phone").fill("Guesser")
        second.get_by_role("button", name="Pair", exact=True).click()
        expect(second.get_by_text("this is not the code")).to_be_visible()
    expect(desk.get_by_text("Wrong codes were entered 2 times.")).to_be_visible()
    desk.goto(f"{FIELD}/")
    expect(desk.get_by_text("Wrong codes were entered 2 times.")).to_be_visible()
    look(desk, "home-guesses")
    desk.locator(".notice-warning").get_by_role("link", name="Phones").click()
    # The distance between antenna and lens, set by hand on the device.
    desk.get_by_role("link", name="Lens at the antenna").click()
    desk.get_by_label("From the antenna to the lens, metres").fill("12")
    desk.get_by_role("button", name="Set", exact=True).click()
    expect(desk.get_by_text("from 0 to 5: 1.5")).to_be_visible()
    desk.go_back()
    desk.get_by_label("From the antenna to the lens, metres").fill("1,5")
    desk.get_by_label("Give or take, metres").fill("0.25")
    look(desk, "phones-lens")
    desk.get_by_role("button", name="Set", exact=True).click()
    expect(desk.get_by_text("The distance is set for the photos to come.")).to_be_visible()
    expect(desk.get_by_text("Lens 1.50 m (± 0.25 m) from the antenna")).to_be_visible()
    # The office shows with the photo which phone took it, how late it was, and how far the lens was.
    run("photo", "send", photos[0]["id"], *device)
    run("deliver", *device)
    for size, name in (((390, 844), "office-photo-phone"), ((1280, 800), "office-photo")):
        officer = window(browser, size)
        officer.goto(f"{OFFICE}/sign-in")
        officer.get_by_label("Login").fill("otto")
        officer.get_by_label("Password").fill(PASSWORD)
        officer.get_by_role("button", name="Sign in").click()
        officer.goto(f"{OFFICE}/photos/{photos[0]['id']}")
        officer.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
        for fact in ("Phone or browser", "Session of the phone", "From the position to the picture", "Clock of the phone"):
            expect(officer.get_by_text(fact, exact=True)).to_be_visible()
        expect(officer.get_by_text("allowed 0.50 s")).to_be_visible()
        look(officer, name)
        officer.context.close()
    # Ended by a tap: the open page shows nothing more, and the next one asks for a code.
    phone.goto(f"{SECURE}/phones")
    expect(phone.get_by_text("(this phone)")).to_be_visible()
    look(phone, "phones-phone")
    phone.get_by_role("link", name="Lens 1.50 m").click()
    assert phone.get_by_label("Give or take, metres").input_value() == "0.25"
    look(phone, "lens-phone")
    phone.get_by_role("link", name="Cancel").click()
    desk.get_by_role("button", name="End now").click()
    expect(desk.get_by_text("No phone is paired.")).to_be_visible()
    phone.goto(f"{SECURE}/tasks")
    expect(phone).to_have_url(f"{SECURE}/pair")

    def pair_again(name):
        again = json.loads(run("field", "pair", "--format", "json", *device))
        phone.goto(f"{SECURE}/pair")
        phone.get_by_label("Code from the field unit").fill(again["code"].lower())
        phone.get_by_label("Name of this phone").fill(name)
        phone.get_by_role("button", name="Pair", exact=True).click()
        expect(phone.get_by_text("This phone is paired with the field unit.")).to_be_visible()

    pair_again("Ines")
    listed = [json.loads(line) for line in run("field", "phones", "--format", "json", *device).splitlines()]
    assert [one["name"] for one in listed] == ["Ines"] and listed[0]["inspector"] == "ines", listed
    run("field", "phones", "--end", listed[0]["id"], *device)
    phone.goto(f"{SECURE}/tasks")
    expect(phone).to_have_url(f"{SECURE}/pair")
    pair_again("Ines")
    # Signed out on the device, and another inspector signs in: the phone shows nothing of either.
    run("logout", "--yes", *device)
    # The phones' address closes behind the answer, or just before it.
    with contextlib.suppress(Error):
        phone.goto(f"{SECURE}/tasks")
    wait_for(lambda: reaches(SECURE) is None)
    run("login", "--office", OFFICE, "--user", "jana", "--password-stdin", *device, text=PASSWORD)
    again = json.loads(run("field", "pair", "--format", "json", *device))
    wait_for(lambda: reaches(SECURE) is not None)
    phone.goto(f"{SECURE}/tasks")
    expect(phone).to_have_url(f"{SECURE}/pair")
    browser.close()
assert not complaints, complaints
print("a phone paired, a photo taken with it, ended by a tap, a command and signing out: no script error")
