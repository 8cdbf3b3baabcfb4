"""An inspector's day in a real Chromium, with its camera and its sensors emulated, and a real gpsd.

    inspector_day.py PROGRAM FOLDER [PICTURES]

Runs an office and a field unit of its own in FOLDER. Prints one line for each thing seen, and ends with
another status than 0 at the first that is not as it must be. With PICTURES it keeps screenshots there.
"""
import atexit
import datetime
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import crowd
import film
import guidance
from receiver import Receiver, free_port
from stage import THEMES, WIDTHS, seen

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
PASSWORD = "kestrel over wet barley"
LATITUDE, LONGITUDE = 49.0840, 16.6390
FIELD = "Sugar beet at the lane"
NEIGHBOUR = "Clover beyond the lane"
SPAN = 0.0006
# The screens on which nothing important may be out of sight.
SCREENS = [(360, 640), (390, 664), (412, 915), (800, 360)]
# The most taps from Home to sent, the shutter not counted: nine before the camera came first.
TAPS = 4
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


class Program:
    """One of our programs, running until it is stopped."""

    def __init__(self, *words):
        self.words = words
        self.start()
        atexit.register(lambda: self.process.kill())

    def start(self):
        self.process = subprocess.Popen(
            [PROGRAM, *self.words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.line = self.process.stdout.readline()
        assert " at http" in self.line, self.line

    def stop(self):
        self.process.terminate()
        assert self.process.wait(timeout=30) == 0


def run(*words, text=None):
    return subprocess.run(
        [PROGRAM, *words], input=text, text=True, check=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout


def told(*words):
    return [json.loads(line) for line in run(*words, "--format", "json").splitlines()]


def state_at_office(name=FIELD):
    tasks = told("office", "task", "list", "--agency", "north", "--data", str(OFFICE))
    rows = tasks[0] if len(tasks) == 1 and isinstance(tasks[0], list) else tasks
    return {row["name"]: row["state"] for row in rows}[name]


OFFICE, DEVICE = FOLDER / "office-data", FOLDER / "device-data"
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
run("office", "agency", "add", "north", "--data", str(OFFICE))
for login, role in (("ines", "inspector"), ("olga", "officer")):
    run("office", "user", "add", login, "--role", role, "--agency", "north", "--name", login.title(),
        "--password-stdin", "--data", str(OFFICE), text=PASSWORD)
EAST = 3.2 * SPAN


def ring(longitude):
    return [[longitude + x * SPAN, LATITUDE + y * SPAN] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]


(FOLDER / "tasks.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {
        "name": FIELD, "type": "crop", "inspector": "ines", "identifier": "P-1",
        "instructions": "One photo from the middle of the field.", "due": "2099-06-30"},
     "geometry": {"type": "Polygon", "coordinates": [ring(LONGITUDE)]}},
    {"type": "Feature", "properties": {
        "name": NEIGHBOUR, "type": "crop", "inspector": "ines", "identifier": "P-2", "due": "2099-06-30"},
     "geometry": {"type": "Polygon", "coordinates": [ring(LONGITUDE + EAST)]}}] + [
    # Among fifty, as it is on a working day.
    {**feature, "properties": {**feature["properties"], "inspector": "ines"}}
    for feature in crowd.orders("ines", datetime.date.today())]}))
run("office", "task", "import", str(FOLDER / "tasks.geojson"), "--agency", "north", "--data", str(OFFICE))
office_port, field_port = free_port(), free_port()
office = Program("office", "--data", str(OFFICE), "--listen", f"127.0.0.1:{office_port}")
receiver = Receiver(LATITUDE, LONGITUDE)
field = Program("field", "--data", str(DEVICE), "--listen", f"127.0.0.1:{field_port}", "--gnss",
                receiver.program, "--office", f"http://127.0.0.1:{office_port}")
HOME = f"http://127.0.0.1:{field_port}"
complaints = []


def listen(page):
    def console(message):
        # A page that is a refusal, or a program that was stopped, says so in the console, and that is no fault.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            complaints.append(f"console: {message.text}")
    page.on("console", console)
    page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
    return page


def picture(page, name):
    if PICTURES:
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"day-{name}.png")


def accessible(page, name):
    for violation in Axe().run(page, options=RULES).response["violations"]:
        sys.exit(f"{name}: {violation['id']}: {violation['nodes'][0]['target']}: "
                 f"{violation['nodes'][0]['failureSummary']}")


def choose(page, theme):
    page.goto(HOME + "/settings")
    page.locator(f"button[name=theme][value={theme}]").click()
    page.wait_for_load_state()


def set_value(page, name, value):
    page.goto(HOME + "/settings")
    page.locator(f"[name={name}]").fill(value)
    page.locator("form", has=page.locator(f"[name={name}]")).get_by_role("button", name="Save").click()
    page.wait_for_load_state()


def lens(session, azimuth, elevation):
    """The device upright before one's face, its back towards an azimuth: as Chromium's sensors say it."""
    half = math.radians
    # First upright about x, then about the vertical: east, north, up.
    pitch, yaw = half(90 + elevation), half(-azimuth)
    x, y, z, w = (math.sin(pitch / 2) * math.cos(yaw / 2), math.sin(pitch / 2) * math.sin(yaw / 2),
                  math.cos(pitch / 2) * math.sin(yaw / 2), math.cos(pitch / 2) * math.cos(yaw / 2))
    for step in range(12):
        shake = 1e-4 * (step % 2)
        for kind in ("absolute-orientation", "relative-orientation"):
            session.send("Emulation.setSensorOverrideReadings", {
                "type": kind, "reading": {"quaternion": {"x": x + shake, "y": y, "z": z, "w": w}}})
        time.sleep(0.25)


def camera_of(page, name):
    """The button that leads from a task, wherever it is listed, to its camera."""
    return page.get_by_role("link", name=f'Take a photo for "{name}"')


def to_camera(page):
    page.goto(HOME + "/tasks")
    camera_of(page, FIELD).click()
    expect(page.locator("[data-camera-stage]")).to_be_visible()


def ready(page):
    expect(page.locator("[data-camera-shutter]:not([disabled])")).to_be_visible(timeout=60_000)


def in_sight(page, what, *selectors):
    """Each of these is whole in the window, and nothing lies over its middle."""
    for selector in selectors:
        # By the selector each time: a live part's elements are replaced several times a second.
        hidden = page.evaluate("""(selector) => {
          const one = document.querySelector(selector);
          if (!one) return "it is not there";
          const box = one.getBoundingClientRect();
          if (!one.checkVisibility() || box.width < 1) return "it is not shown";
          if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) {
            return `it is at ${Math.round(box.left)} ${Math.round(box.top)} ${Math.round(box.right)} ${Math.round(box.bottom)}`;
          }
          // What lets a finger through to the picture is found at no point.
          if (getComputedStyle(one).pointerEvents === "none") return "";
          const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
          return !over || one.contains(over) || over.contains(one) ? "" : `it is under ${over.className || over.tagName}`;
        }""", selector)
        assert not hidden, f"{what}, {page.viewport_size}: {selector}: {hidden}"


def on_each_screen(page, name, what, *selectors):
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        in_sight(page, what, *selectors)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{what}: {wide} px wide on {width}"
        picture(page, f"{name}-{width}x{height}")
    page.set_viewport_size({"width": WIDTHS["phone"][0], "height": WIDTHS["phone"][1]})


def sign_in(page):
    page.goto(HOME + "/")
    page.get_by_label("Login").fill("ines")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Step 1 of 5")).to_be_visible(timeout=30_000)
    picture(page, "first-start")
    for _ in range(6):
        following = page.get_by_role("link", name="Next", exact=True)
        if not following.count():
            break
        following.click()
        page.wait_for_load_state()
    page.goto(HOME + "/")
    expect(page.locator("main")).to_contain_text("Position")
    seen("signed in, first start, home")


def settings(page):
    set_value(page, "samples", "501")
    expect(page.locator("main")).to_contain_text("Nothing was changed")
    set_value(page, "samples", "10")
    set_value(page, "countdownSeconds", "3")
    seen("settings: 501 samples are refused with words, 10 are kept")


def walk_and_stand(page, session):
    receiver.walk(1.4, 90)
    to_camera(page)
    expect(page.locator(".camera-live")).to_contain_text("Moving", timeout=30_000)
    said = page.locator(".gate").inner_text()
    assert len(re.findall("moving", said, re.IGNORECASE)) == 1, said
    assert page.locator("[data-camera-shutter][disabled]").count() == 1
    on_each_screen(page, "walking", "the camera while walking", ".gate > strong", ".gate-accuracy",
                   "[data-camera-samples]", "[data-camera-there]", "[data-camera-close] button")
    seen(f"walking: the gate says so once, and there is no shutter: {said!r}")
    receiver.stand()
    lens(session, 30, -10)
    ready(page)
    picture(page, "standing")
    accessible(page, "camera")
    on_each_screen(page, "standing", "the camera while standing", ".gate > strong", ".gate-accuracy", "[data-camera-video]",
                   "[data-camera-shutter]", "[data-camera-samples]", "[data-camera-there]",
                   "[data-camera-close] button", "[data-camera-details]")
    expect(page.locator("[data-camera-samples]")).to_have_text("10 of 10")
    assert page.locator("[data-camera-ring]").get_attribute("stroke-dasharray") == "100 100"
    expect(page.locator("[data-camera-horizon]")).to_be_visible()
    page.locator("[data-camera-details]").click()
    expect(page.locator("[data-camera-azimuth]")).to_be_visible()
    expect(page.locator(".camera-more .camera-panels")).to_contain_text("Satellites used")
    accessible(page, "camera with its details")
    picture(page, "details")
    page.keyboard.press("Escape")
    expect(page.locator("[data-camera-azimuth]")).to_be_hidden()
    assert page.evaluate("document.activeElement === document.body"), "the clicker's keys are the shutter's"
    azimuth = page.locator("[data-camera-azimuth]").inner_text()
    angle = page.locator("[data-camera-angle]").inner_text()
    # The declination there is some 5 degrees east.
    assert 33 <= float(re.search(r"[\d.]+", azimuth).group()) <= 38, azimuth
    assert 79 <= float(re.search(r"[\d.]+", angle).group()) <= 81, angle
    seen(f"standing still: the shutter, azimuth {azimuth}, angle {angle}")


def reject(page):
    page.keyboard.press("Enter")
    expect(page.locator("[data-camera-count]")).not_to_be_empty(timeout=10_000)
    picture(page, "countdown")
    receiver.walk(1.4)
    expect(page.get_by_role("alert")).to_contain_text("No photo", timeout=20_000)
    picture(page, "rejected")
    words = page.get_by_role("alert").inner_text()
    receiver.stand()
    seen(f"a step in the countdown: {words!r}")


def capture(page, session, key="Enter"):
    lens(session, 30, -10)
    ready(page)
    page.wait_for_timeout(800)
    page.keyboard.press(key)
    expect(page.locator("[data-camera-review]")).to_be_visible(timeout=30_000)
    page.wait_for_function("() => document.querySelector('.camera-review img').naturalWidth > 100")
    picture(page, "captured")


def choice(page, name):
    return page.locator("[data-camera-choices]").get_by_text(name, exact=True)


def again_and_keep(page, session):
    # The photo is shown, and is kept as it is: only Retake deletes it.
    capture(page, session)
    assert page.evaluate("document.activeElement.matches('[data-camera-review]')"), "the photo has the focus"
    accessible(page, "the photo that was taken")
    buttons = [f"[data-camera-choices] > :nth-child({number})" for number in (1, 2, 3, 4)]
    on_each_screen(page, "captured", "the photo that was taken", ".camera-review > img", ".camera-facts > strong", *buttons)
    choice(page, "Send").click()
    expect(page.locator("[data-camera-ask]")).to_contain_text(f'Send "{FIELD}"?')
    accessible(page, "the question before sending")
    on_each_screen(page, "asked", "the question before sending", ".camera-ask .button.primary", "[data-camera-back]")
    page.locator("[data-camera-back]").click()
    choice(page, "Retake").click()
    expect(page.locator("[data-camera-review]")).to_be_hidden()
    assert not [one for one in told("photo", "list", "--data", str(DEVICE)) if one], "Retake deletes"
    capture(page, session, "AudioVolumeUp")
    choice(page, "Next").click()
    expect(page.locator("[data-camera-shutter]")).to_be_visible()
    photos = [one for one in told("photo", "list", "--data", str(DEVICE))]
    rows = photos[0] if len(photos) == 1 and isinstance(photos[0], list) else photos
    assert len(rows) == 1, rows
    photo = rows[0]
    away = math.hypot((photo["lat"] - receiver.latitude) * 111_195 - receiver.north,
                      (photo["lon"] - receiver.longitude) * 111_195 * math.cos(math.radians(LATITUDE)) - receiver.east)
    assert away < 5 and photo["origin"] == "camera", (away, photo)
    verdict = told("verify", str(DEVICE))[0]["verdict"]
    assert verdict == "intact", verdict
    seen(f"Retake deletes, Next keeps: one photo, {away:.1f} m from where the receiver is, verify says {verdict}")


def two_pages(context, page, session):
    to_camera(page)
    other = listen(context.new_page())
    other.goto(page.url)
    ready(page)
    page.keyboard.press("Enter")
    expect(page.locator("[data-camera-count]")).not_to_be_empty(timeout=10_000)
    expect(other.locator(".camera-live")).to_contain_text(re.compile("nother"), timeout=10_000)
    assert other.locator("[data-camera-shutter][disabled]").count() == 1
    page.get_by_role("button", name="Close").click()
    page.wait_for_load_state()
    other.close()
    assert len(told("photo", "list", "--data", str(DEVICE))) <= 1
    seen("two pages: the second is told, and Close keeps nothing")


def lost(page):
    to_camera(page)
    ready(page)
    page.keyboard.press("Enter")
    expect(page.locator("[data-camera-count]")).not_to_be_empty(timeout=10_000)
    receiver.silence()
    expect(page.get_by_role("alert")).to_be_visible(timeout=30_000)
    words = page.get_by_role("alert").inner_text()
    expect(page.locator(".gate > strong")).to_have_text("No position", timeout=15_000)
    on_each_screen(page, "lost", "the camera without a receiver", ".gate > strong", "[data-camera-samples]", "[role=alert]")
    receiver.silence(False)
    seen(f"the receiver lost in the countdown: {words!r}")


def taps(page, session):
    """From Home to sent: how many taps it takes beside the shutter, as an inspector takes them."""
    number = 0

    def tap(locator):
        nonlocal number
        number += 1
        locator.click()

    receiver.go_to(LATITUDE, LONGITUDE + EAST)
    page.goto(HOME + "/")
    expect(page.locator(".next-tasks > li").first).to_contain_text(NEIGHBOUR, timeout=15_000)
    expect(page.locator(".next-tasks > li").first).to_contain_text("inside", timeout=15_000)
    on_each_screen(page, "home", "Home", ".lights-first > .light", ".next-tasks > li:first-child .to-camera",
                   ".next-tasks > li:first-child strong")
    accessible(page, "Home")
    # A finger stays on a button for longer than the page's parts stay as they are.
    button = camera_of(page, NEIGHBOUR)
    box = button.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(1500)
    page.mouse.up()
    number += 1
    page.wait_for_url("**/camera?task=*")
    capture(page, session)
    tap(choice(page, "Send"))
    tap(page.locator(".camera-ask").get_by_role("button", name="Send", exact=True))
    page.wait_for_url("**/camera/sent?task=*")
    picture(page, "sent")
    expect(page.get_by_text("Delivered: the office holds it")).to_be_visible(timeout=90_000)
    accessible(page, "Sent")
    picture(page, "delivered")
    assert state_at_office(NEIGHBOUR) == "dataProvided"
    assert number <= TAPS, f"{number} taps"
    receiver.go_to(LATITUDE, LONGITUDE)
    seen(f"from Home to sent: {number} taps beyond the shutter, and the task opened by itself")


def ways_to_the_camera(page):
    """One tap from the list, from the map and from the task."""
    page.goto(HOME + "/tasks")
    on_each_screen(page, "tasks", "the list of tasks", ".task-row .to-camera")
    camera_of(page, FIELD).click()
    page.wait_for_url("**/camera?task=*")
    task = page.url.split("task=")[1]
    page.goto(f"{HOME}/tasks/{task}")
    on_each_screen(page, "task", "a task", ".task-actions .button.primary", ".task-actions > :nth-child(2)")
    page.get_by_role("link", name="Take a photo", exact=True).click()
    page.wait_for_url("**/camera?task=*")
    page.goto(f"{HOME}/map?task={task}")
    expect(page.locator("[data-field-map][data-ready=yes]")).to_be_visible()
    page.locator(f'.map-sign[title*="{FIELD}"]').click()
    page.locator(".leaflet-popup").get_by_role("link", name="Take a photo").click()
    page.wait_for_url(f"**/camera?task={task}")
    seen("one tap to the camera: from the list, from the task, and from its parcel on the map")


def record(context, page):
    page.goto(HOME + "/map")
    expect(page.locator("[data-field-map][data-ready=yes]")).to_be_visible()
    page.locator("#record-track summary").click()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("[data-value=points]")).to_contain_text(re.compile(r"[3-9]"), timeout=30_000)
    receiver.walk(1.4, 0)
    picture(page, "recording")
    accessible(page, "map while a track is recorded")
    page.get_by_role("button", name="Corner", exact=True).click()
    page.close()
    time.sleep(4)
    page = listen(context.new_page())
    page.goto(HOME + "/map")
    expect(page.locator("[data-value=points]")).to_contain_text(re.compile(r"\d\d"), timeout=30_000)
    receiver.stand()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Finish").click()
    page.wait_for_url("**/map?track=*")
    picture(page, "track")
    page.goto(HOME + "/tracks")
    expect(page.locator("main")).to_contain_text("m")
    seen("a track goes on while the page is closed, and is finished from another")
    return page


def guided(context, page):
    session = context.new_cdp_session(page)
    for kind in ("absolute-orientation", "relative-orientation"):
        session.send("Emulation.setSensorOverrideEnabled", {"enabled": True, "type": kind})
    guidance.guide(page, HOME, receiver, lambda azimuth: lens(session, azimuth, -40), crowd.ORDERS[0][0], picture,
                   accessible, seen)
    guidance.cross(page, HOME, receiver, LATITUDE, LONGITUDE, SPAN, FIELD, picture, seen)


def offline(page):
    office.stop()
    page.goto(HOME + "/tasks")
    page.get_by_role("link", name=FIELD).first.click()
    page.get_by_role("link", name="Send", exact=True).click()
    page.get_by_role("button", name="Send", exact=True).click()
    page.wait_for_load_state()
    page.goto(HOME + "/outbox")
    page.get_by_role("button", name="Deliver now").click()
    page.wait_for_load_state()
    expect(page.locator("main")).to_contain_text(re.compile("reach|answer"), timeout=30_000)
    picture(page, "outbox-offline")
    office.start()
    assert state_at_office() != "dataProvided"
    page.goto(HOME + "/outbox")
    page.get_by_role("button", name="Deliver now").click()
    expect(page.get_by_text("Nothing is waiting")).to_be_visible(timeout=60_000)
    assert state_at_office() == "dataProvided"
    seen("sent without a network, delivered with one")


def stopped(page):
    page.goto(HOME + "/camera")
    expect(page.locator("[data-camera-stage]")).to_be_visible()
    page.wait_for_timeout(1500)
    field.stop()
    expect(page.locator(".live-lost")).to_be_visible(timeout=15_000)
    picture(page, "not-up-to-date")
    page.goto(HOME + "/tasks")
    expect(page.locator("main")).to_contain_text("not answer", timeout=15_000)
    picture(page, "not-running")
    field.start()
    page.goto(HOME + "/")
    expect(page.locator("main")).to_contain_text("Position", timeout=15_000)
    seen("the program stopped: the page says so, a new one too, and it comes back")


def looks(context, page, session):
    """The camera page with its live picture, in each theme, upright and across."""
    for theme in THEMES:
        choose(page, theme)
        for name, (width, height) in (("upright", WIDTHS["phone"]), ("across", (844, 390)), ("tablet", WIDTHS["tablet"])):
            page.set_viewport_size({"width": width, "height": height})
            if name == "tablet":
                to_camera(page)
            else:
                page.goto(HOME + "/camera")
            expect(page.locator("[data-camera-stage]")).to_be_visible()
            lens(session, 30, -10)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"camera {name}: {wide} px"
            accessible(page, f"camera {name}, {theme}")
            picture(page, f"camera-{name}-{theme}")
    page.set_viewport_size({"width": WIDTHS["phone"][0], "height": WIDTHS["phone"][1]})
    choose(page, "light")
    seen("the camera page in each theme, upright, across and on a tablet")


FILM = FOLDER / "field.y4m"
film.write(FILM)
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium",
        args=["--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
              f"--use-file-for-fake-video-capture={FILM}"])
    width, height = WIDTHS["phone"]
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce",
        permissions=["camera", "accelerometer", "gyroscope", "magnetometer"])
    context.set_default_timeout(15_000)
    page = listen(context.new_page())
    session = context.new_cdp_session(page)
    for kind in ("absolute-orientation", "relative-orientation"):
        session.send("Emulation.setSensorOverrideEnabled", {"enabled": True, "type": kind})
    sign_in(page)
    settings(page)
    walk_and_stand(page, session)
    reject(page)
    again_and_keep(page, session)
    two_pages(context, page, session)
    lost(page)
    taps(page, session)
    ways_to_the_camera(page)
    looks(context, page, session)
    page = record(context, page)
    guided(context, page)
    offline(page)
    stopped(page)
    browser.close()
office.stop()
field.stop()
if complaints:
    sys.exit("\n".join(dict.fromkeys(complaints)))
seen("no complaint of any script")
