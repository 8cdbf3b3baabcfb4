"""A photo point's whole life, by hand in a real Chromium: made in the field, labelled at the office, found by its label,
ordered again, photographed again, compared.

    point_day.py PROGRAM FOLDER [PICTURES]

Runs an office and a field unit of its own in FOLDER. With PICTURES, a folder, each page is also saved at 390 and 1280
pixels.
"""
import atexit
import base64
import json
import pathlib
import shutil
import subprocess
import sys
import time

from playwright.sync_api import expect, sync_playwright

import composites
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


def press(page, name, keys="jkuneaw?/", sizes=((390, 664), (1440, 900)), address=None):
    """Saves the page at a phone's and a desk's size, and presses each key at both."""
    before, address = page.viewport_size, address or page.url
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        if PICTURES:
            page.screenshot(path=PICTURES / f"{name}-{width}x{height}.png")
        wide = page.evaluate("document.scrollingElement.scrollWidth")
        if wide > width:
            complaints.append(f"{name}: {wide} px wide in a window of {width}")
        for key in [*keys, "Tab", "ArrowDown", "ArrowLeft", "Escape"]:
            page.keyboard.press(key)
        page.wait_for_timeout(200)
        page.goto(address)
    page.set_viewport_size(before)


def hostile_sensors(field):
    """Sensors that jump, stand upside down, say nothing new and stop: the frame follows what is known, and no more."""
    target = field.locator("[data-camera-target]")
    for pose in ("azimuth: 210, elevation: 60, roll: 0", "azimuth: 30, elevation: -5, roll: 180",
                 "azimuth: 0, elevation: 90, roll: 0", "azimuth: 359.9, elevation: -90, roll: -179"):
        field.evaluate(f"() => {{ standpointScene.pose = {{{pose}}}; }}")
        field.wait_for_timeout(400)
        expect(target).to_be_visible()
        placed = target.evaluate("(element) => getComputedStyle(element).transform")
        assert "NaN" not in placed and placed != "none", (pose, placed)
    field.evaluate("() => { standpointScene.pose = {azimuth: 190, elevation: 10, roll: 0}; }")
    field.wait_for_timeout(600)
    field.evaluate("() => { standpointScene.isSilent = true; }")
    # An empty event, as a browser without sensors sends one, is no answer.
    field.evaluate("() => dispatchEvent(new DeviceOrientationEvent('deviceorientation', {}))")
    field.wait_for_timeout(3000)
    expect(target).to_be_visible()
    expect(target).to_be_hidden(timeout=10_000)
    expect(field.locator("[data-camera-shutter]")).to_be_enabled()
    field.evaluate("() => { standpointScene.isSilent = false; }")
    expect(target).to_be_visible()


def compose(browser, office, field, point, photo, repeat):
    """Then and now, on both sides."""
    for side, page, base, opening in (
            ("field", field, FIELD, f"{FIELD}/photos/{repeat}"),
            ("office", office, OFFICE, f"{OFFICE}/points/{point}/compare")):
        page.goto(opening)
        page.get_by_role("link", name="Then and now").first.click()
        if side == "field":
            expect(page.get_by_text("Choose the other photo.")).to_be_visible()
            look(page, "compose-choose")
            press(page, "compose-choose")
            page.locator(f".compose-choice a[href*='photo={photo}']").click()
        address = page.url
        composites.ready(page)
        if side == "field":
            drawn = composites.frames(page)
            assert drawn >= composites.LEAST_FRAMES, f"{drawn:.0f} pictures a second follow a finger"
            print(f"composites: {drawn:.0f} pictures a second follow a finger at {page.viewport_size['width']} px")
        taken, file = composites.make(page, base, look, press, f"compose-{side}")
        originals = [page.request.get(f"{base}/photos/{one}/photo.jpg").body() for one in (photo, repeat)]
        composites.verified(PROGRAM, file, FOLDER / f"verify-{side}", originals)
        composites.without_script(browser, page.context.storage_state(), address, base)
        page.goto(taken)
        page.locator("summary", has_text="Remove it").click()
        page.get_by_role("button", name="Remove the composite").click()
        expect(page.get_by_text("No composites yet.")).to_be_visible()
        look(page, f"compose-{side}-empty")
    complaints[:] = [one for one in complaints if "422" not in one]


def crowd(office, field, point):
    """Sixty photo points with the names of real places, at the office and on the device."""
    places = ["Křížová cesta u sv. Jana", "Velké Němčice, mez", "Úvoz pod Mužlovem", "Hustopeče nad Bečvou, remízek",
              "Boží muka Žďárec", "Polní cesta k Šakvicím", "Rybník Nesyt, hráz", "Dolní Věstonice, sad",
              "Am Galgenberg, Feldrain", "Wiesenhain südlich Poysdorf", "Łąka nad Wisłoką", "Sad jabłoniowy Święty Krzyż"]
    office.goto(OFFICE + "/points/new")
    csrf = office.locator("input[name=csrf]").first.input_value()
    picture = field.request.get(f"{FIELD}/points/{point}/reference.jpg").body()
    for number in range(60):
        sent = office.request.post(OFFICE + "/points/picture", headers={"Origin": OFFICE}, multipart={
            "csrf": csrf, "picture": {"name": "old.jpg", "mimeType": "image/jpeg", "buffer": picture}})
        assert "picture=" in sent.url, sent.text()
        kept = sent.url.split("picture=")[1]
        made = office.request.post(OFFICE + "/points/new", headers={"Origin": OFFICE}, form={
            "csrf": csrf, "picture": kept, "name": f"{places[number % 12]} {number + 1}", "taken": "2004-06-17",
            "latitude": str(LATITUDE + (number % 10 - 5) * .0012), "longitude": str(LONGITUDE + (number // 10 - 3) * .0015),
            "uncertainty": "15", "azimuth": str(number * 6), "accuracy": "10", "parcel": f"4501/{number}"})
        assert made.ok and "/points/" in made.url, made.text()
    office.goto(OFFICE + "/points")
    expect(office.locator("tbody tr")).to_have_count(50)
    press(office, "office-points-50")
    office.locator("tbody tr").nth(7).get_by_role("link").first.click()
    press(office, "office-point-archive-sized")
    office.goto(OFFICE + "/points/new")
    press(office, "office-archive-new")
    office.goto(f"{OFFICE}/points/new?picture={kept}")
    press(office, "office-archive-form")
    # The device has asked the office some seconds ago; a changed task makes it ask again.
    (FOLDER / "more.geojson").write_text((FOLDER / "tasks.geojson").read_text().replace('"name": "', '"name": "Later: '))
    run("office", "task", "import", str(FOLDER / "more.geojson"), "--agency", "north", *data)
    for _ in range(20):
        deliver(field)
        field.goto(FIELD + "/nearby?show=all")
        if field.locator(".points .point").count() > 50:
            break
        field.wait_for_timeout(1000)
    expect(field.get_by_text("62 of 62")).to_be_visible()
    assert field.locator(".points .point").count() == 60, field.locator(".points .point").count()
    press(field, "nearby-all-62")
    field.get_by_role("link", name="Next").click()
    expect(field.locator(".points .point")).to_have_count(2)
    field.goto(FIELD + "/nearby")
    assert field.locator(".points .point").count() > 40
    press(field, "nearby-62")
    field.locator(".points .point a").nth(5).click()
    expect(field.locator(".point-way")).to_be_visible()
    press(field, "point-sized")
    field.goto(FIELD + "/map")
    expect(field.locator("[data-field-map][data-ready]")).to_be_visible()
    press(field, "map-62")
    assert "of 2004-06-17" in run("point", "list", "--data", str(FOLDER / "device-data")), "the terminal tells the day"
    for path in ("/nearby/label", "/nearby?show=all"):
        field.goto(FIELD + path)
        press(field, "sized-" + path.strip("/").split("?")[0].replace("/", "-"))


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
    # One flow: the picture, again, keep; the ground; name and pin; the summary.
    field.get_by_role("link", name="New photo point").click()
    expect(field.get_by_role("heading", name="A new photo point")).to_be_attached()
    shoot(field)
    look(field, "new-point-review")
    field.get_by_role("button", name="Retake").click()
    expect(field.locator("[data-camera-review]")).to_have_count(0)
    shoot(field)
    photo = field.locator("[data-camera-review] img").get_attribute("src").split("/")[2]
    # The key of a clicker goes on, as the button does.
    expect(field.get_by_role("button", name="Keep")).to_be_visible()
    field.keyboard.press("AudioVolumeUp")
    expect(field.get_by_role("heading", name="The ground under your feet")).to_be_attached()
    look(field, "new-point-ground")
    field.evaluate("() => { standpointScene.pose = {azimuth: 30, elevation: -80, roll: 0}; }")
    shoot(field)
    field.get_by_role("button", name="Use this photo").click()
    field.wait_for_url(f"**/photos/{photo}/point?footing=*")
    expect(field.locator("input[name=footing]:checked")).not_to_have_value("")
    look(field, "make-a-point")
    # Back to the ground, which is skipped this time: the name and the first photo of it stay.
    field.get_by_label("Name (may stay empty)").fill("Hedge, south corner")
    field.get_by_role("button", name="Take a photo of the ground").click()
    expect(field.get_by_role("heading", name="The ground under your feet")).to_be_attached()
    field.get_by_role("button", name="Skip").click()
    expect(field.get_by_label("Name (may stay empty)")).to_have_value("Hedge, south corner")
    expect(field.locator("input[name=footing]:checked")).not_to_have_value("")
    # Too long a name, and half a place, are refused without a loss.
    field.get_by_label("Latitude of what the photo shows").fill("49.08")
    expect(field.get_by_label("Name (may stay empty)")).to_have_value("Hedge, south corner")
    # Enter goes on, and does not begin with another picture.
    field.get_by_label("Latitude of what the photo shows").press("Enter")
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
    field.locator("button.primary", has_text="Go on").click()
    expect(field.get_by_text("Step 4 of 4")).to_be_visible()
    expect(field.locator("[data-subject-map][data-ready] .subject-pin")).to_be_visible()
    look(field, "new-point-summary")
    press(field, "new-point-summary")
    press(field, "make-a-point", address=f"{FIELD}/photos/{photo}/point")
    field.goto(f"{FIELD}/photos/{photo}/point/summary")
    expect(field.get_by_text("Step 4 of 4")).to_be_visible()
    expect(field.get_by_text("Hedge, south corner")).to_be_visible()
    field.get_by_role("link", name="Back", exact=True).click()
    expect(field.get_by_label("Name (may stay empty)")).to_have_value("Hedge, south corner")
    field.locator("button.primary", has_text="Go on").click()
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
    expect(office.locator("[data-subject-map][data-ready] .subject-pin")).to_be_visible()
    look(office, "office-point")
    # The officer moves the pin, withdraws the point, and brings it back.
    pinned = office.get_by_label("Longitude of what the photo shows").input_value()
    office.locator("[data-subject-map]").click(position={"x": 90, "y": 60})
    expect(office.get_by_label("Longitude of what the photo shows")).not_to_have_value(pinned)
    office.get_by_role("button", name="Save").click()
    expect(office.get_by_text("The photo point is changed.")).to_be_visible()
    office.get_by_role("button", name="Withdraw it").click()
    expect(office.get_by_text("This photo point was withdrawn at")).to_be_visible()
    look(office, "office-withdrawn")
    press(office, "office-withdrawn", address=f"{OFFICE}/points/{point}")
    office.goto(OFFICE + "/points")
    office.get_by_role("link", name="Withdrawn: 1").click()
    expect(office.get_by_role("link", name="Hedge, south corner")).to_be_visible()
    press(office, "office-withdrawn-list")
    office.get_by_role("link", name="Hedge, south corner").first.click()
    office.get_by_role("button", name="Bring it back").click()
    expect(office.get_by_text("The photo point is back.")).to_be_visible()
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
    # The camera page reads the label in its own live picture.
    field.goto(f"{FIELD}/camera?task={second}")
    expect(field.locator("[data-camera-shutter]")).to_be_visible()
    field.evaluate("""async (source) => {
      const picture = new Image();
      picture.src = source;
      await picture.decode();
      const canvas = document.createElement("canvas");
      canvas.width = 1240;
      canvas.height = 1240;
      setInterval(() => canvas.getContext("2d").drawImage(picture, 0, 0), 100);
      document.querySelector("[data-camera-video]").srcObject = canvas.captureStream();
    }""", "data:image/jpeg;base64," + base64.b64encode(label.read_bytes()).decode())
    field.get_by_role("button", name="Details").click()
    field.get_by_role("button", name="Read the QR code").click()
    expect(field).to_have_url(f"{FIELD}/points/{point}")
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
    hostile_sensors(field)
    field.evaluate("() => { standpointScene.pose = {azimuth: 30.6, elevation: -5.2, roll: .4}; }")
    field.wait_for_timeout(2500)
    look(field, "camera-again")
    field.get_by_role("button", name="Details").click()
    field.locator(".camera-footing").click()
    expect(field.locator(".camera-ground img")).to_be_visible()
    look(field, "camera-ground")
    field.locator(".camera-ground").get_by_role("button", name="Close").click()
    expect(field.locator(".camera-ground img")).to_be_hidden()
    field.get_by_role("button", name="Details").click()
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
    compose(browser, office, field, point, photo, repeat)
    crowd(office, field, point)
    browser.close()
complaints = [one for one in complaints if "favicon" not in one]
if complaints:
    sys.exit("\n".join(dict.fromkeys(complaints)))
print("point day: made, labelled, found, ordered, photographed again, compared; and one of an archive picture")
