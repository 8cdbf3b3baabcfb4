"""A set taken with the browser's camera in a real Chromium: a walk round a heap with a receiver that is heard through a real gpsd, with
motion sensors that shake, and a turn on the spot; interrupted, gone on with, ended with sides missing, left, and refused.

    set_camera.py PROGRAM FOLDER [PICTURES]

Looks at each page at a phone's and a desk's size. With PICTURES, a folder, the pages are also saved.
"""
import atexit
import json
import math
import pathlib
import shutil
import subprocess
import sys
import threading
import time

from playwright.sync_api import expect, sync_playwright

import tiles
from receiver import Receiver, free_port

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
PASSWORD = "kestrel over wet barley"
LATITUDE, LONGITUDE, RADIUS = 49.08, 16.63, 9.0
SIZES = {"phone": (390, 664), "desk": (1440, 900)}
# The fewest frames a second that are judged, of a camera that gives thirty of 1280 x 720.
JUDGED_AT_LEAST = 15
complaints = []
# A standpoint takes a quarter of a minute.
expect.set_options(timeout=40_000)

# The hand: it shakes, and turns as the walk does. `hand.walk(seconds, degrees)` begins a walk; `hand.isGone` stops the sensors.
SENSORS = """
globalThis.hand = { angle: 0, tilt: 0, isGone: false, hasCompass: false, north: 0, walk: (seconds, degrees) => {
  const [began, from] = [performance.now(), hand.angle];
  hand.step = () => { hand.angle = from + degrees * Math.min(1, (performance.now() - began) / 1000 / seconds); };
} };
const shake = (size) => (Math.random() - .5) * size;
setInterval(() => {
  hand.step?.();
  if (hand.isGone) return;
  dispatchEvent(new DeviceMotionEvent("devicemotion", { acceleration: { x: shake(.4), y: shake(.4), z: shake(.4) }, interval: 16 }));
  dispatchEvent(new DeviceOrientationEvent("deviceorientation", {
    alpha: (((20 - hand.angle + shake(.4)) % 360) + 360) % 360, beta: 82 + hand.tilt + shake(1), gamma: shake(1), absolute: false,
  }));
  if (hand.hasCompass) dispatchEvent(new DeviceOrientationEvent("deviceorientationabsolute", {
    alpha: (((hand.north - hand.angle + shake(.4)) % 360) + 360) % 360, beta: 82 + hand.tilt, gamma: 0, absolute: true,
  }));
}, 16);
addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""


def run(*words, text=PASSWORD):
    return subprocess.run([PROGRAM, *words], input=text, text=True, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def start(*words):
    process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    atexit.register(process.kill)
    assert " at http" in process.stdout.readline()
    return process


def memory(process, word):
    """Bytes that the program holds now (VmRSS), or has held at most since it was last asked to forget (VmHWM)."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith(word)).split()[1]) * 1024


def walk(page, seconds, degrees, at=0):
    """Walks round the heap, which lies north of the start, and turns the device with it."""
    def feet():
        began = time.monotonic()
        while True:
            share = min(1, (time.monotonic() - began) / seconds)
            turn = math.radians(at + degrees * share)
            receiver.east, receiver.north = -math.sin(turn) * RADIUS, (1 - math.cos(turn)) * RADIUS
            receiver.speed = math.radians(abs(degrees)) * RADIUS / seconds if share < 1 else 0
            receiver.course = (270 + math.degrees(turn)) % 360
            if share == 1:
                return
            time.sleep(.05)
    thread = threading.Thread(target=feet, daemon=True)
    page.evaluate("([seconds, degrees]) => hand.walk(seconds, degrees)", [seconds, degrees])
    thread.start()
    return thread


def window(browser, size, script=True):
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce",
                                  permissions=["camera"], java_script_enabled=script)
    context.set_default_timeout(40_000)
    page = context.new_page()
    if script:
        context.add_init_script(SENSORS)
    page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
    page.on("console", lambda said: complaints.append(f"console: {said.text} {page.url}") if said.type == "error" else None)
    return page


def look(page, name):
    """Nothing is wider than the screen; the picture is saved."""
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{name}: {wide} px too wide"
    if PICTURES:
        page.screenshot(path=str(PICTURES / f"{name}.png"))


def answer(page, words, is_yes):
    """Answers the next question, which has to hold these words."""
    def heard(dialog):
        if words not in dialog.message:
            complaints.append(f"a question: {dialog.message}")
        (dialog.accept if is_yes else dialog.dismiss)()
    page.once("dialog", heard)


def begin(page):
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("button", name="End the set")).to_be_visible()


def shown(page):
    """What the terminal says about the set whose page is open."""
    page.wait_for_url("**/sets/0*")
    return json.loads(run("around", "show", page.url.split("/sets/")[1], "--data", DATA, "--format", "json"))


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
if PICTURES:
    PICTURES.mkdir(parents=True, exist_ok=True)
DATA, office_data = str(FOLDER / "device-data"), str(FOLDER / "office-data")
run("office", "agency", "add", "north", "--data", office_data)
run("office", "user", "add", "ines", "--role", "inspector", "--agency", "north", "--name", "Ines Nováková", "--password-stdin",
    "--data", office_data)
office_port, field_port = free_port(), free_port()
start("office", "--data", office_data, "--listen", f"127.0.0.1:{office_port}")
run("login", "--data", DATA, "--office", f"http://127.0.0.1:{office_port}", "--user", "ines", "--password-stdin")
# A base map of the inspector's own, down to the ground.
(pathlib.Path(DATA) / "field/maps").mkdir(parents=True, exist_ok=True)
tiles.write_archive(f"{DATA}/field/maps/land.mbtiles", "Land", "ortho", around=(LATITUDE, LONGITUDE))
receiver = Receiver(LATITUDE, LONGITUDE)
FIELD = f"http://127.0.0.1:{field_port}"
unit = start("field", "--data", DATA, "--listen", f"127.0.0.1:{field_port}", "--gnss", receiver.program)

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
        "--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream=fps=30"])
    page = window(browser, SIZES["phone"])
    page.goto(FIELD + "/sets")
    expect(page.get_by_text("No sets of pictures yet.")).to_be_visible()
    page.get_by_role("link", name="New set").click()
    look(page, "new-phone")

    # A whole walk, begun by the key, at a phone's size.
    page.get_by_label("Pictures round the thing").fill("24")
    page.get_by_role("button", name="To the camera").first.click()
    expect(page.get_by_role("heading", name="Walk round a thing")).to_be_visible()
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    look(page, "ready-phone")
    # The key of a page that has just come is not meant for it.
    page.wait_for_timeout(800)
    page.keyboard.press("Enter")
    expect(page.get_by_text("The place where you begin")).to_be_visible()
    look(page, "opening-phone")
    expect(page.get_by_role("button", name="End the set")).to_be_visible()
    hint = page.locator("[data-part=hint]")
    expect(hint).to_contain_text("Step left")
    before_walk = memory(unit, "VmRSS")
    pathlib.Path(f"/proc/{unit.pid}/clear_refs").write_text("5")
    feet = walk(page, 45, 360)
    page.wait_for_timeout(4000)
    before, moment = int(page.locator("[data-judged]").get_attribute("data-judged")), time.monotonic()
    page.wait_for_timeout(10_000)
    judged = (int(page.locator("[data-judged]").get_attribute("data-judged")) - before) / (time.monotonic() - moment)
    size = page.evaluate("() => { const { videoWidth, videoHeight } = document.querySelector('video'); return [videoWidth, videoHeight]; }")
    print(f"{judged:.1f} frames a second are judged, of {size[0]} x {size[1]}", flush=True)
    assert judged >= JUDGED_AT_LEAST, f"{judged:.1f} frames a second"
    # The way is drawn over the base map: the tiles have come, fill the square, and are as large as it shows ground.
    ground = page.evaluate("""() => {
      const images = [...document.querySelectorAll(".set-way image")];
      const sides = images.map((one) => ["x", "y", "width", "height"].map((name) => Number(one.getAttribute(name))));
      return { count: images.length, hidden: images.filter((one) => one.style.display === "none").length,
        covered: Math.min(...sides.map(([x]) => x)) <= -100 && Math.max(...sides.map(([x, , w]) => x + w)) >= 100
          && Math.min(...sides.map(([, y]) => y)) <= -100 && Math.max(...sides.map(([, y, , h]) => y + h)) >= 100,
        told: document.querySelector("[data-part=attribution]").textContent };
    }""")
    assert ground["count"] and not ground["hidden"] and ground["covered"], ground
    assert ground["told"] == "Made up for the tests", ground
    look(page, "taking-phone")
    page.evaluate("() => { hand.tilt = 9; }")
    expect(hint).to_contain_text("Tilt the lens down")
    page.evaluate("() => { hand.tilt = 0; }")
    feet.join()
    grown = memory(unit, "VmHWM") - before_walk
    print(f"the field unit grows by {grown / 1e6:.1f} MB, {grown / (size[0] * size[1] * 3):.1f} frames", flush=True)
    assert grown <= 26 * size[0] * size[1] * 3, "no more than N + 2 frames"
    expect(page.locator("[data-part=filled]")).to_have_text("24 of 24 sectors")
    expect(hint).to_contain_text("Nothing is missing")
    look(page, "whole-phone")
    page.get_by_role("button", name="End the set").click()
    expect(page.get_by_text("The place where you end")).to_be_visible()
    look(page, "closing-phone")
    one = shown(page)
    assert (len(one["frames"]), one["isComplete"], one["isRound"], one["isClosed"]) == (24, True, True, True), {**one, "frames": None}
    look(page, "sealed-phone")

    # Half a walk at a desk's size: interrupted, gone on with from where it was, and ended with sides missing.
    desk = window(browser, SIZES["desk"])
    desk.goto(FIELD + "/sets/camera?kind=around&sectors=24&task=01a21982-19d4-7a8b-9a1c-1f0d88e471ff")
    # *Back* keeps the task in mind.
    assert desk.get_by_role("link", name="Back").get_attribute("href") == "/sets/new?task=01a21982-19d4-7a8b-9a1c-1f0d88e471ff"
    desk.goto(FIELD + "/sets/camera?kind=around&sectors=24")
    begin(desk)
    walk(desk, 15, 90).join()
    expect(desk.locator("[data-part=filled]")).to_have_text("7 of 24 sectors")
    look(desk, "taking-desk")
    desk.get_by_role("button", name="Interrupt").click()
    expect(desk.get_by_role("heading", name="Interrupted sets")).to_be_visible()
    look(desk, "interrupted-desk")
    desk.get_by_role("link", name="Go on, or end it").click()
    expect(desk.locator("[data-part=filled]")).to_have_text("7 of 24 sectors")
    begin(desk)
    expect(desk.locator("[data-part=hint]")).not_to_contain_text("Begin with")
    walk(desk, 15, 90, at=90).join()
    expect(desk.locator("[data-part=filled]")).to_contain_text("13 of 24")
    answer(desk, "sectors are still empty", False)
    desk.get_by_role("button", name="End the set").click()
    expect(desk.get_by_role("button", name="End the set")).to_be_enabled()
    answer(desk, "sectors are still empty", True)
    desk.get_by_role("button", name="End the set").click()
    half = shown(desk)
    assert (len(half["frames"]), half["isComplete"], half["isRound"], half["isClosed"]) == (13, False, False, False), {**half, "frames": None}
    expect(desk.get_by_text("incomplete: 13 of 24 sectors have a picture")).to_be_visible()
    look(desk, "incomplete-desk")

    # A turn on the spot with a compass: its views look to north, east, south and west, wherever it begins.
    receiver.north = receiver.east = 0
    desk.goto(FIELD + "/sets/camera?kind=turn&sectors=4")
    desk.evaluate("() => { hand.hasCompass = true; hand.north = 300; }")
    begin(desk)
    desk.evaluate("() => hand.walk(16, 360)")
    expect(desk.locator("[data-part=filled]")).to_have_text("4 of 4 sectors")
    desk.get_by_role("button", name="End the set").click()
    compass = shown(desk)
    desk.get_by_text("All pictures").click()
    # The lens looked 60 degrees from magnetic north; the declination is about 5 degrees east here.
    told = desk.locator(".set-sheet li span").all_inner_texts()
    assert sorted(one.split()[0] for one in told) == ["E", "N", "S", "W"], told
    east = float(next(one for one in told if one.startswith("E")).split()[1].rstrip("°"))
    assert 15 < east < 35, told
    look(desk, "compass-desk")

    # A turn without one, and a turn that is interrupted: it is thrown away after a question.
    desk.goto(FIELD + "/sets/new")
    desk.get_by_label("Views").select_option("8")
    desk.get_by_role("button", name="To the camera").nth(1).click()
    begin(desk)
    desk.evaluate("() => hand.walk(16, 360)")
    expect(desk.locator("[data-part=filled]")).to_have_text("8 of 8 sectors")
    desk.get_by_role("button", name="End the set").click()
    assert shown(desk)["isComplete"]
    desk.goto(FIELD + "/sets/camera?kind=turn&sectors=4")
    begin(desk)
    answer(desk, "A turn that is interrupted is thrown away", True)
    desk.get_by_role("button", name="Interrupt").click()
    expect(desk.get_by_role("heading", name="A set of pictures")).to_be_visible()
    expect(desk.get_by_role("heading", name="Interrupted sets")).to_have_count(0)

    # Who walks in a turn is refused, in words.
    desk.goto(FIELD + "/sets/camera?kind=turn&sectors=4")
    begin(desk)
    walk(desk, 8, 60).join()
    expect(desk.get_by_text("The set is not ended")).to_be_visible()
    look(desk, "refused-desk")
    receiver.north = receiver.east = 0

    # A second page waits, sensors that stop are told, and a page that is left keeps its walk.
    desk.goto(FIELD + "/sets/camera?kind=around&sectors=12")
    begin(desk)
    desk.wait_for_timeout(1500)
    desk.evaluate("() => { hand.isGone = true; }")
    expect(desk.locator("[data-part=hint]")).to_contain_text("The motion sensors say nothing")
    page.goto(FIELD + "/sets/camera?kind=around&sectors=12")
    expect(page.get_by_text("Another page is taking a set. You can begin here when it is done.")).to_be_visible()
    expect(page.get_by_role("button", name="Begin")).to_be_disabled()
    page.goto(FIELD + "/sets/new")
    expect(page.get_by_role("button", name="Interrupt it")).to_be_visible()
    look(page, "busy-phone")
    desk.goto(FIELD + "/")
    # A browser may send the last word of a page some seconds later.
    for _ in range(60):
        page.goto(FIELD + "/sets/new")
        if page.get_by_role("button", name="Interrupt it").count() == 0:
            break
        page.wait_for_timeout(500)
    expect(page.get_by_role("heading", name="Interrupted sets")).to_be_visible()
    answer(page, "Throw away the pictures of this set?", True)
    page.get_by_role("button", name="Throw away").click()
    expect(page.get_by_role("heading", name="Interrupted sets")).to_have_count(0)

    # Numbers that a set cannot have, and no script.
    page.goto(FIELD + "/sets/camera?kind=around&sectors=10000")
    expect(page.get_by_text("a walk round a thing has 4 to 120 sectors, not 10000")).to_be_visible()
    complaints[:] = [one for one in complaints if "422" not in one]
    plain = window(browser, SIZES["phone"], script=False)
    plain.goto(FIELD + "/sets/camera")
    expect(plain.get_by_text("This page needs a browser that runs scripts.")).to_be_visible()
    look(plain, "plain-phone")
    browser.close()
report = subprocess.run([PROGRAM, "verify", DATA], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
assert report.returncode == 0, report.stdout
assert not complaints, complaints
print("sets were taken with the browser's camera, interrupted, gone on with, and refused")
