"""A photo point's whole life, by hand in a real Chromium: made in the field, labelled at the office, found by its label,
ordered again, photographed again, compared.

    point_day.py PROGRAM FOLDER [PICTURES]

Runs an office and a field unit of its own in FOLDER. With PICTURES, a folder, each page is also saved at 390 and 1280
pixels.
"""
import atexit
import json
import pathlib
import shutil
import subprocess
import sys
import time

from playwright.sync_api import expect, sync_playwright

from receiver import Receiver, free_port

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
PASSWORD = "kestrel over wet barley"
LATITUDE, LONGITUDE, SPAN = 49.0840, 16.6390, 0.0006
PEOPLE = [("ines", "inspector", "Inès Dvořáková"), ("otto", "officer", "Otto Šimek")]
TASKS = ["Hedge at the lane", "Fallow behind the barn"]


def run(*words, text=None):
    return subprocess.run([PROGRAM, *words], input=text, text=True, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def start(*words):
    process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    atexit.register(process.kill)
    assert " at http" in process.stdout.readline()


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
if PICTURES:
    PICTURES.mkdir(parents=True, exist_ok=True)
data = ["--data", str(FOLDER / "office-data")]
run("office", "agency", "add", "north", *data)
for login, role, name in PEOPLE:
    run("office", "user", "add", login, "--role", role, "--agency", "north", "--name", name, "--password-stdin", *data,
        text=PASSWORD)
ring = [[LONGITUDE + x * SPAN, LATITUDE + y * SPAN] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
(FOLDER / "tasks.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"name": name, "type": "crop", "inspector": "ines", "identifier": f"P-{number}"},
     "geometry": {"type": "Polygon", "coordinates": [ring]}} for number, name in enumerate(TASKS)]}))
run("office", "task", "import", str(FOLDER / "tasks.geojson"), "--agency", "north", *data)
office_port, field_port = free_port(), free_port()
start("office", *data, "--listen", f"127.0.0.1:{office_port}")
receiver = Receiver(LATITUDE, LONGITUDE)
start("field", "--data", str(FOLDER / "device-data"), "--listen", f"127.0.0.1:{field_port}", "--gnss", receiver.program,
      "--office", f"http://127.0.0.1:{office_port}")
FIELD, OFFICE = f"http://127.0.0.1:{field_port}", f"http://127.0.0.1:{office_port}"
complaints = []


def window(browser, size, **options):
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options)
    context.set_default_timeout(20_000)
    page = context.new_page()
    page.add_init_script("""addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));""")
    page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
    page.on("console", lambda said: complaints.append(f"console: {said.text} {page.url}") if said.type == "error" else None)
    return page


def look(page, name):
    """Nothing is wider than the window; with PICTURES, the page is saved at two widths."""
    before = page.viewport_size
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(250)
        wide = page.evaluate("document.scrollingElement.scrollWidth")
        if wide > width:
            complaints.append(f"{name}: {wide} px wide in a window of {width}")
        if PICTURES:
            page.screenshot(path=PICTURES / f"{name}-{width}.png", full_page="camera" not in name)
    page.set_viewport_size(before)


def shoot(page):
    page.locator("[data-camera-shutter]:not([disabled])").click(timeout=90_000)
    expect(page.locator("[data-camera-review]")).to_be_visible(timeout=60_000)


def deliver(page):
    page.goto(FIELD + "/tasks")
    page.get_by_role("button", name="Check for tasks").click()
    page.wait_for_load_state()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium",
        args=["--no-sandbox", "--use-fake-ui-for-media-stream", "--enable-unsafe-swiftshader"])
    field = window(browser, (390, 844), permissions=["camera"])
    field.context.add_init_script(path=pathlib.Path(__file__).parent / "scene.js")
    field.goto(FIELD + "/")
    field.get_by_label("Login").fill("ines")
    field.get_by_label("Password").fill(PASSWORD)
    field.get_by_role("button", name="Sign in").click()
    expect(field.get_by_text("Step 1 of 5")).to_be_visible()

    # In the field: nothing is nearby yet; a photo becomes a photo point.
    field.goto(FIELD + "/nearby")
    expect(field.get_by_text("No photo points on this device yet.")).to_be_visible()
    look(field, "nearby-empty")
    field.goto(FIELD + "/tasks")
    field.get_by_role("link", name=TASKS[0]).first.click()
    first = field.url.split("/tasks/")[1].split("?")[0]
    field.goto(f"{FIELD}/camera?task={first}")
    shoot(field)
    photo = field.locator("[data-camera-review] img").get_attribute("src").split("/")[2]
    field.get_by_role("button", name="Done").click()
    field.goto(f"{FIELD}/photos/{photo}")
    field.get_by_role("link", name="Make a photo point").click()
    look(field, "make-a-point")
    field.get_by_label("Name (may stay empty)").fill("Hedge, south corner")
    field.get_by_role("button", name="Take a photo of the ground").click()
    expect(field.get_by_role("heading", name="The ground under your feet")).to_be_attached()
    field.evaluate("() => { standpointScene.pose = {azimuth: 30, elevation: -80, roll: 0}; }")
    shoot(field)
    field.get_by_role("button", name="Use this photo").click()
    assert f"/photos/{photo}/point?footing=" in field.url, field.url
    expect(field.locator("input[name=footing]:checked")).not_to_have_value("")
    # Too long a name, and half a place, are refused without a loss.
    field.get_by_label("Latitude of what the photo shows").fill("49.08")
    expect(field.get_by_label("Name (may stay empty)")).to_have_value("Hedge, south corner")
    field.get_by_role("button", name="Make the photo point").click()
    expect(field.get_by_text("Give both latitude and longitude in degrees, or neither.")).to_be_visible()
    expect(field.get_by_label("Name (may stay empty)")).to_have_value("Hedge, south corner")
    expect(field.locator("input[name=footing]:checked")).not_to_have_value("")
    complaints[:] = [one for one in complaints if "422" not in one]
    # The map sets the pin.
    field.get_by_label("Latitude of what the photo shows").fill("")
    field.locator("[data-subject-map]").scroll_into_view_if_needed()
    field.locator("[data-subject-map]").click(position={"x": 180, "y": 90})
    expect(field.get_by_label("Longitude of what the photo shows")).not_to_have_value("")
    look(field, "make-a-point-full")
    field.get_by_role("button", name="Make the photo point").click()
    expect(field.get_by_text("The photo point is made.")).to_be_visible()
    expect(field.get_by_role("heading", name="Hedge, south corner")).to_be_visible()
    point = field.url.split("/points/")[1].split("?")[0]
    field.goto(f"{FIELD}/tasks/{first}/send")
    field.get_by_role("button", name="Send").click()
    field.wait_for_load_state()

    # The office has it, with a code.
    office = window(browser, (1280, 800), accept_downloads=True)
    office.goto(OFFICE + "/sign-in")
    office.get_by_label("Login").fill("otto")
    office.get_by_label("Password").fill(PASSWORD)
    office.get_by_role("button", name="Sign in").click()
    office.wait_for_load_state()
    end = time.monotonic() + 90
    while True:
        deliver(field)
        office.goto(OFFICE + "/points")
        if office.get_by_role("link", name="Hedge, south corner").count():
            break
        assert time.monotonic() < end, "the photo point never came to the office"
        time.sleep(2)
    look(office, "office-points")
    office.get_by_role("link", name="Hedge, south corner").first.click()
    code = office.locator(".point-code").first.inner_text()
    look(office, "office-point")
    with office.expect_download() as downloading:
        office.get_by_role("button", name="Print the label").click()
        dialog = office.get_by_role("link", name="photo-points.pdf")
        if dialog.count():
            dialog.click()
    downloading.value.save_as(FOLDER / "label.pdf")
    subprocess.run(["pdftoppm", "-jpeg", "-r", "150", str(FOLDER / "label.pdf"), str(FOLDER / "label")], check=True)
    label = next(FOLDER.glob("label-*.jpg"))
    if PICTURES:
        shutil.copy(label, PICTURES / "label.jpg")

    # A repeat is ordered.
    office.goto(f"{OFFICE}/points/{point}")
    office.get_by_role("link", name="Order a repeat").click()
    expect(office.get_by_label("Photo points to photograph again")).to_have_value(code)
    look(office, "office-order")
    office.get_by_role("button", name="Order the task").click()
    office.wait_for_load_state()
    assert "/tasks/" in office.url, office.url
    second = office.url.split("/tasks/")[1].split("?")[0]
    expect(office.get_by_text("no repeat yet")).to_be_visible()

    # In the field the task leads back, the label opens the point.
    end = time.monotonic() + 60
    while True:
        deliver(field)
        if field.get_by_role("link", name="Again: Hedge, south corner").count():
            break
        assert time.monotonic() < end, "the order never came"
        time.sleep(1)
    field.goto(FIELD + "/nearby")
    expect(field.get_by_role("link", name="Hedge, south corner")).to_be_visible()
    look(field, "nearby")
    field.get_by_label("Code on the label").fill("ABCD EFGH")
    field.get_by_role("button", name="Open it").click()
    expect(field.get_by_text("This is no code of a photo point")).to_be_visible()
    field.get_by_label("Code on the label").fill(code.lower())
    field.get_by_role("button", name="Open it").click()
    expect(field).to_have_url(f"{FIELD}/points/{point}")
    field.goto(FIELD + "/nearby/label")
    look(field, "label-page")
    field.get_by_text("From a picture").click()
    field.get_by_label("Picture of the QR code").set_input_files(str(label))
    field.get_by_role("button", name="Read the picture").click()
    expect(field).to_have_url(f"{FIELD}/points/{point}")
    complaints[:] = [one for one in complaints if "422" not in one]
    expect(field.get_by_text("to the place of the earlier photo")).to_be_visible()
    look(field, "point")
    field.get_by_role("link", name="Show on map").click()
    expect(field.locator("[data-field-map][data-ready]")).to_be_visible()
    expect(field.locator(".leaflet-popup").get_by_text("Hedge, south corner")).to_be_visible()
    look(field, "map-point")
    field.goto(f"{FIELD}/tasks/{second}")
    expect(field.get_by_text("to be photographed again").first).to_be_visible()
    look(field, "task-with-point")
    field.get_by_role("link", name="Take this view again").click()
    expect(field.locator("[data-camera-ghost]")).to_be_visible()
    field.evaluate("() => { standpointScene.pose = {azimuth: 30.6, elevation: -5.2, roll: .4}; }")
    field.wait_for_timeout(2500)
    look(field, "camera-again")
    shoot(field)
    expect(field.locator("[data-camera-review]").get_by_text("picture displaced by")).to_be_visible()
    look(field, "camera-review")
    repeat = field.locator("[data-camera-review] img").get_attribute("src").split("/")[2]
    field.get_by_role("button", name="Done").click()
    expect(field.get_by_text("✓ photographed again")).to_be_visible()
    field.goto(f"{FIELD}/photos/{repeat}")
    field.get_by_role("link", name="Compare").click()
    field.get_by_role("button", name="Wipe").click()
    field.get_by_role("button", name="One over the other").click()
    look(field, "field-compare")
    field.goto(f"{FIELD}/tasks/{second}/send")
    field.get_by_role("button", name="Send").click()
    field.wait_for_load_state()

    # The office compares by itself, and shows the series.
    end = time.monotonic() + 120
    while True:
        deliver(field)
        office.goto(f"{OFFICE}/points/{point}")
        text = office.locator("main").inner_text()
        if "%" in text and "being compared" not in text:
            break
        assert time.monotonic() < end, text
        time.sleep(2)
    look(office, "office-series")
    office.get_by_role("link", name="Compare").last.click()
    expect(office.locator("[data-pair]")).to_be_visible()
    for name in ("Wipe", "One over the other", "Side by side"):
        office.get_by_role("button", name=name, exact=True).click()
    look(office, "office-compare")
    office.goto(f"{OFFICE}/tasks/{second}")
    expect(office.get_by_text("1 repeat")).to_be_visible()
    look(office, "office-task")
    # An archive picture becomes a photo point: what is no picture is refused, two clicks on the map say the rest.
    office.goto(OFFICE + "/points")
    office.get_by_role("link", name="Make one of an archive picture").click()
    office.get_by_label("JPEG picture").set_input_files(str(FOLDER / "tasks.geojson"))
    office.get_by_role("button", name="Upload").click()
    expect(office.get_by_text("the picture cannot be used")).to_be_visible()
    office.get_by_label("JPEG picture").set_input_files(str(label))
    office.get_by_role("button", name="Upload").click()
    expect(office.locator("[data-pin-map][data-ready]")).to_be_visible()
    complaints[:] = [one for one in complaints if "400" not in one]
    office.get_by_label("Taken on").fill("1998-05-30")
    office.locator("[data-pin-map]").click(position={"x": 200, "y": 220})
    expect(office.get_by_label("Latitude of the camera")).not_to_have_value("")
    office.locator("[data-pin-map]").click(position={"x": 300, "y": 220})
    azimuth = float(office.get_by_label("Direction of the camera").input_value())
    assert abs(azimuth - 90) <= 2, azimuth
    office.get_by_label("Name (may stay empty)").fill("Old mill")
    look(office, "office-archive")
    office.get_by_role("button", name="Make the photo point").click()
    expect(office.get_by_text("imported, not sealed")).to_be_visible()
    look(office, "office-archive-point")
    browser.close()
complaints = [one for one in complaints if "favicon" not in one]
if complaints:
    sys.exit("\n".join(dict.fromkeys(complaints)))
print("point day: made, labelled, found, ordered, photographed again, compared; and one of an archive picture")
