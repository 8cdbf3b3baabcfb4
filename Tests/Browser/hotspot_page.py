"""The hotspot by hand in a real Chromium, at phone and desk size: the question before it, the code that joins it, its end, and each way in
which it fails.

    hotspot_page.py PROGRAM FOLDER [PICTURES]

Runs a field unit of its own in FOLDER beside a NetworkManager without a radio (Tests/Surroundings/with_hotspot.py).
With PICTURES, a folder, its pages are saved there.
"""
import atexit
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from receiver import free_port

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
PASSWORD = "kestrel over wet barley"
SIZES = {"phone": (390, 844), "desk": (1440, 900)}

shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
if PICTURES:
    PICTURES.mkdir(parents=True, exist_ok=True)
state = FOLDER / "state"
state.write_text("absent")
office_data, device = ["--data", str(FOLDER / "office-data")], ["--data", str(FOLDER / "device-data")]


def run(*words, text=None):
    subprocess.run([PROGRAM, *words], input=text, text=True, check=True, stdout=subprocess.DEVNULL)


def start(*words):
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    atexit.register(process.terminate)
    assert " at http" in process.stdout.readline()
    return process


run("office", "agency", "add", "north", *office_data)
run("office", "user", "add", "ines", "--role", "inspector", "--agency", "north", "--name", "Ines Nováková", "--password-stdin",
    *office_data, text=PASSWORD)
office, field = free_port(), free_port()
start(PROGRAM, "office", *office_data, "--listen", f"127.0.0.1:{office}")
run("login", "--office", f"http://127.0.0.1:{office}", "--user", "ines", "--password-stdin", *device, text=PASSWORD)
start("/usr/bin/python3", str(pathlib.Path(__file__).parents[1] / "Surroundings/with_hotspot.py"), str(state),
      PROGRAM, "field", *device, "--listen", f"127.0.0.1:{field}")
PHONES = f"http://127.0.0.1:{field}/phones"
complaints = []
expect.set_options(timeout=15_000)


def joins(page):
    """What a phone's camera reads in the code on the page."""
    with tempfile.NamedTemporaryFile(suffix=".png") as picture:
        page.get_by_role("img", name="QR code that joins the hotspot").screenshot(path=picture.name)
        return subprocess.run(["zbarimg", "--quiet", "--raw", picture.name], capture_output=True, text=True, check=True).stdout.strip()


def day(page, name):
    def look(part):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} {part}: wider than the window"
        if PICTURES:
            page.screenshot(path=PICTURES / f"hotspot-{name}-{part}.png", full_page=True)

    def question():
        page.goto(PHONES)
        page.get_by_role("link", name="Make a hotspot").or_(page.get_by_role("link", name="Try again")).click()

    def make():
        question()
        page.get_by_role("button", name="Make the hotspot").click()

    state.write_text("absent")
    question()
    expect(page.locator(".notice")).to_contain_text("no Wi-Fi")
    look("none")
    state.write_text("good")
    page.get_by_role("link", name="Try again").click()
    expect(page.locator(".notice")).to_contain_text("leaves the Wi-Fi Kavárna U Nádraží 5 GHz")
    look("question")
    page.get_by_role("link", name="Cancel").click()
    expect(page).to_have_url(PHONES)
    make()
    expect(page.get_by_role("status").filter(has_text="coming up")).to_be_visible()
    look("rising")
    # The page follows by itself.
    expect(page.get_by_role("button", name="End the hotspot")).to_be_visible()
    look("up")
    access = json.loads((FOLDER / "device-data/field/keys/hotspot.json").read_text())
    facts = page.locator("section", has=page.get_by_role("heading", name="Hotspot")).locator("dd").all_text_contents()
    assert facts == [access["name"], access["password"]], facts
    assert joins(page) == f"WIFI:T:WPA;S:{access['name']};P:{access['password']};;", joins(page)
    # What is up is not asked for again.
    page.goto(PHONES.replace("/phones", "/hotspot"))
    expect(page).to_have_url(PHONES)
    page.get_by_role("button", name="End the hotspot").click()
    expect(page.get_by_role("link", name="Make a hotspot")).to_be_visible()
    # Name and password stay.
    make()
    expect(page.get_by_role("button", name="End the hotspot")).to_be_visible()
    assert access == json.loads((FOLDER / "device-data/field/keys/hotspot.json").read_text())
    state.write_text("ends")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("ended")
    look("ended")
    state.write_text("gives-up")
    make()
    expect(page.get_by_role("alert")).to_be_visible()
    look("failed")
    state.write_text("good")
    make()
    expect(page.get_by_role("button", name="End the hotspot")).to_be_visible()
    page.get_by_role("button", name="End the hotspot").click()
    expect(page.get_by_role("link", name="Make a hotspot")).to_be_visible()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    for name, (width, height) in SIZES.items():
        page = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce").new_page()
        page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
        page.on("console", lambda said: complaints.append(f"console: {said.text}") if said.type == "error" else None)
        day(page, name)
    browser.close()
assert not complaints, complaints
print("hotspot_page: asked, made, joined by its code, ended, and each failure told, at both sizes")
