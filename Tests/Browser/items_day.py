"""An order with items, by hand in a real Chromium: worked through on a phone among fifty tasks, photographed item by item with the
browser's camera, one item returned by the officer, done again alone, accepted.

    items_day.py PROGRAM FOLDER [PICTURES]

Runs an office and a field unit of its own in FOLDER. With PICTURES, a folder, its pages are saved there.
"""
import atexit
import json
import math
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

from playwright.sync_api import expect, sync_playwright

from receiver import METRES_PER_DEGREE, Receiver, free_port

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
PASSWORD = "kestrel over wet barley"
LATITUDE, LONGITUDE = 50.102, 14.1025
NAMES = ["Dolní Břežany", "Háj u Třebíče", "Mühlbach am Inn", "St. Aegyd am Neuwalde", "Llanfair-pwll"]
REASON = "The roof is behind the tree: go further <b>left</b>"


def run(*words, text=None, check=True):
    done = subprocess.run([PROGRAM, *words], input=text, text=True, check=check, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    return done.stdout if done.returncode == 0 else done.stderr


def start(*words):
    process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    atexit.register(process.kill)
    assert " at http" in process.stdout.readline()


def place(north, east):
    across = METRES_PER_DEGREE * math.cos(math.radians(LATITUDE))
    return LATITUDE + north / METRES_PER_DEGREE, LONGITUDE + east / across


def shot(name, wording, north, east, bearing, **more):
    latitude, longitude = place(north, east)
    return {"id": name, "kind": "shot", "wording": wording, "shot": {
        "least": 1, "station": {"point": [longitude, latitude], "radiusMetres": 12},
        "bearing": {"degreesTrue": bearing, "toleranceDegrees": 20}, **more}}


def yes_or_no(name, wording, **more):
    return {"id": name, "kind": "question", "wording": wording, "question": {"form": "yesOrNo"}, **more}


ROOF = [
    yes_or_no("new", "Is the roof new?"),
    yes_or_no("leaks", "Does it <script>leak?", when={"equals": ["new", False]}),
    shot("south", "The roof from the south, with the scale at the gutter", 0, 0, 0, least=2, scale=True),
    shot("gate", "The roof from the field gate", 140, 60, 220),
    shot("east", "The roof from the east", 20, 60, 270, strict=True),
    {"id": "rest", "kind": "note", "wording": "Anything else?", "required": False},
]
LONG = [yes_or_no(f"q{number}", f"Is the strip between post {number} and post {number + 1} mown?") for number in range(200)]

shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
if PICTURES:
    PICTURES.mkdir(parents=True, exist_ok=True)
office_data, device = ["--data", str(FOLDER / "office-data")], ["--data", str(FOLDER / "device-data")]
run("office", "agency", "add", "north", *office_data)
for login, role, name in (("ines", "inspector", "Ines Nováková"), ("otto", "officer", "Otto Šimek")):
    run("office", "user", "add", login, "--role", role, "--agency", "north", "--name", name, "--password-stdin", *office_data,
        text=PASSWORD)
for kind, items in (("roof", ROOF), ("long", LONG)):
    (FOLDER / f"{kind}.json").write_text(json.dumps(items))
    run("office", "template", "import", str(FOLDER / f"{kind}.json"), "--agency", "north", "--type", kind, *office_data)
rows = ["identifier,name,type,inspector,wkt"]
for number in range(50):
    west = 14.10 + number / 100
    ring = f"{west:.3f} 50.1, {west + .005:.3f} 50.1, {west + .005:.3f} 50.104, {west:.3f} 50.104, {west:.3f} 50.1"
    rows.append(f'P-{number},"{NAMES[number % 5]}, parcel {number}",{"long" if number == 1 else "roof"},ines,"POLYGON(({ring}))"')
(FOLDER / "tasks.csv").write_text("\n".join(rows) + "\n")
run("office", "task", "import", str(FOLDER / "tasks.csv"), "--agency", "north", *office_data)
office_port, field_port = free_port(), free_port()
FIELD, OFFICE = f"http://127.0.0.1:{field_port}", f"http://127.0.0.1:{office_port}"
start("office", *office_data, "--listen", f"127.0.0.1:{office_port}")
run("login", "--office", OFFICE, "--user", "ines", "--password-stdin", *device, text=PASSWORD)
tasks = {one["name"]: one["id"] for one in map(json.loads, run("task", "list", "--format", "json", *device).splitlines())}
assert len(tasks) == 50
roof, long = tasks["Dolní Břežany, parcel 0"], tasks["Háj u Třebíče, parcel 1"]
receiver = Receiver(LATITUDE, LONGITUDE)
start("field", *device, "--listen", f"127.0.0.1:{field_port}", "--gnss", receiver.program)
complaints = []
expect.set_options(timeout=20_000)


def window(browser, size, **options):
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options)
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
    # A refusal is an answer with a status of its own, of which the browser tells.
    page.on("console", lambda said: complaints.append(f"console: {said.text} {page.url}")
            # A picture alone in the window is a page of the browser's own, with a style of its own.
            if said.type == "error" and "/files/" not in page.url
            and not any(code in said.text for code in ("400", "422")) else None)
    return page


def look(page, name, whole=True):
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}: wider than the window"
    assert not page.evaluate("document.querySelector('main script')"), f"{name}: a script from the order"
    if PICTURES:
        page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)


def item(page, name):
    return page.locator(f"#item-{name}")


def turn(page, heading):
    page.evaluate("""(heading) => dispatchEvent(new DeviceOrientationEvent("deviceorientationabsolute",
      { absolute: true, alpha: (360 - heading) % 360, beta: 90, gamma: 0 }))""", heading)


def wait(page, heading, is_there):
    """Holds the device in a direction until something is there: sensors speak all the time."""
    end = time.monotonic() + 60
    while not is_there():
        assert time.monotonic() < end, page.locator("main").inner_text()
        turn(page, heading)
        page.wait_for_timeout(100)


def photograph(page, heading):
    shutter = page.locator("[data-camera-shutter]")
    wait(page, heading, shutter.is_enabled)
    turn(page, heading)
    shutter.click()
    news = page.locator(".camera-news .notice-error")
    wait(page, heading, lambda: page.locator("[data-camera-review]").count() or news.count())


def open_task(page, task):
    page.goto(f"{FIELD}/tasks/{task}")
    page.get_by_role("button", name="Open the task").click()
    expect(page.locator("#items")).to_be_visible()


def long_list(page):
    """A list of 200 items, each answer sent by the script: milliseconds from the press to the next item on the screen."""
    page.goto(f"{FIELD}/tasks/{long}")
    open_task(page, long)
    for number in range(10):
        item(page, f"q{number}").get_by_label("yes").check()
        item(page, f"q{number}").get_by_role("button", name="Save and go on").click()
        expect(item(page, f"q{number + 1}").locator(".open-item")).to_be_visible()
    # The page measures by itself: a script from outside that looks for the next item takes its time, too.
    took = page.evaluate("""async () => {
      const painted = (item, pressed) => new Promise((tell) => {
        new MutationObserver((_, watch) => {
          if (!document.querySelector(`#item-${item} .open-item`)) return;
          watch.disconnect();
          requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => tell(performance.now() - pressed);
            channel.port2.postMessage(0);
          });
        }).observe(document.querySelector("main"), { childList: true, subtree: true });
      });
      const took = [];
      for (let number = 10; number < 40; number += 1) {
        await new Promise((rest) => setTimeout(rest, 250));
        const form = document.querySelector(`#item-q${number} form`);
        form.querySelector("input[type=radio]").checked = true;
        const next = painted(`q${number + 1}`, performance.now());
        form.querySelector("button").click();
        took.push(await next);
      }
      return took;
    }""")
    expect(page.locator("#items > p > strong")).to_have_text("40 of 200 done")
    assert page.evaluate("document.activeElement.id") == "item-q40"
    expect(item(page, "q40").get_by_role("button", name="Save and go on")).to_be_in_viewport()
    assert page.locator("#items li").count() == 200 and page.locator("#items .open-item").count() == 1
    opened = []
    for _ in range(5):
        page.reload(wait_until="load")
        # A page may be loaded before it is painted. Playwright's own waiting evaluates a string, which these pages forbid.
        while not (paints := page.evaluate("performance.getEntriesByName('first-contentful-paint').map((one) => one.startTime)")):
            page.wait_for_timeout(20)
        opened.append(paints[0])
    print(f"the task of 200 items opens in {statistics.median(opened):.0f} ms, longest {max(opened):.0f}")
    assert statistics.median(opened) < 1000, opened
    print(f"from an answer to the next of 200 items: median {statistics.median(took):.0f} ms, longest {max(took):.0f}")


def work_through(page):
    """The inspector's first round: answers by keys and taps, photos for three items, the last one at its station only."""
    open_task(page, roof)
    look(page, "list")
    assert page.locator("#items details ol li").all_inner_texts()[0].startswith("The roof from the south")
    item(page, "new").get_by_label("no").check()
    item(page, "new").get_by_role("button", name="Save and go on").click()
    expect(item(page, "leaks")).to_contain_text("Does it <script>leak?")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(item(page, "leaks").locator(".given")).to_have_text("yes")
    # A change of mind closes the question that depends on it.
    item(page, "new").get_by_role("link", name="Change the answer").click()
    item(page, "new").get_by_label("yes").check()
    item(page, "new").get_by_role("button", name="Save and go on").click()
    expect(page.locator("#items .is-not-asked")).to_contain_text("Does it <script>leak?")
    page.get_by_role("link", name="Send").click()
    expect(page.locator("main")).to_contain_text("It cannot be sent yet")
    page.get_by_role("link", name="Back to the task").click()
    # From the list to the second shot: the camera, and Next.
    item(page, "south").locator(".open-item a.primary").click()
    bearing = page.locator("[data-camera-bearing-words]")
    # The declination is added to what a sensor says.
    wait(page, 60, lambda: bearing.inner_text().startswith("Turn left 6"))
    wait(page, 5, lambda: bearing.inner_text() == "The direction fits")
    look(page, "camera", whole=False)
    photograph(page, 5)
    expect(page.locator(".camera-facts .is-outside")).to_have_count(0)
    page.get_by_role("button", name="Next", exact=True).click()
    photograph(page, 100)
    expect(page.locator(".camera-facts .is-outside")).to_contain_text("past the wanted direction")
    look(page, "review", whole=False)
    page.get_by_role("button", name="Next shot").click()
    # The walk leads to the nearer station, whose place is a condition.
    page.wait_for_url("**item=east")
    wait(page, 270, lambda: "that way" in page.locator("[data-camera-there-words]").inner_text())
    photograph(page, 270)
    expect(page.locator(".camera-news .notice-error")).to_contain_text("from the station, and the order allows 12 m")
    receiver.go_to(*place(20, 60))
    time.sleep(3)
    photograph(page, 270)
    page.get_by_role("button", name="Next shot").click()
    page.wait_for_url("**item=gate")
    receiver.go_to(*place(140, 60))
    time.sleep(3)
    photograph(page, 220)
    page.get_by_role("button", name="Back to the list").click()
    expect(page.locator("#items > p > strong")).to_have_text("4 of 5 done")
    look(page, "done")
    send(page)


def send(page):
    page.goto(f"{FIELD}/tasks/{roof}/send")
    page.locator("main").get_by_role("button", name="Send").click()
    expect(page.locator("main")).to_contain_text("Submitted")
    run("deliver", *device)


def checked(page):
    """The officer's page of the task, when all photos are checked."""
    for _ in range(60):
        page.goto(f"{OFFICE}/tasks/{roof}")
        if "still being checked" not in page.content():
            return
        time.sleep(1)
    raise AssertionError("the photos are not checked")


def draw(page):
    """The officer draws over the photo of the gate, takes a line back, and puts a ring round a part."""
    gate = item(page, "gate")
    box = gate.locator("[data-mark]").first
    expect(box).to_be_hidden()
    gate.locator("summary", has_text="Mark photo").first.click()
    lines = gate.locator("[name=mark-gate]").first
    picture = box.locator("img")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("(one) => one.complete && one.naturalWidth > 0", arg=picture.element_handle())
    for _ in range(2):
        sides = picture.bounding_box()
        page.mouse.move(sides["x"] + sides["width"] * 0.25, sides["y"] + sides["height"] * 0.5)
        page.mouse.down()
        page.mouse.move(sides["x"] + sides["width"] * 0.5, sides["y"] + sides["height"] * 0.75, steps=8)
        page.mouse.up()
    # The cursor need not end in the picture.
    assert lines.input_value().count(";") == 1, lines.input_value()
    gate.get_by_role("button", name="Take back the last line").first.click()
    drawn = lines.input_value().split(" ")[1:]
    first = [int(number) for number in drawn[0].split(",")]
    assert len(drawn) > 3 and abs(first[0] - 250) < 5 and abs(first[1] - 500) < 5, drawn
    gate.get_by_label("Or put a ring round a part").first.select_option(label="top right")
    assert lines.input_value().count(";") == 1
    assert box.locator("path").first.get_attribute("d").count("M") == 2


def return_one(page):
    page.goto(f"{OFFICE}/sign-in")
    page.fill("[name=login]", "otto")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "sign-in" not in url)
    checked(page)
    mark = item(page, "gate").locator("input[name=return]")
    expect(page.locator("[name=why-gate]")).to_be_hidden()
    mark.check()
    page.fill("[name=why-gate]", REASON)
    draw(page)
    look(page, "marked")
    page.get_by_role("button", name="Accept").click()
    expect(page.locator(".notice-error")).to_contain_text("you have ticked 1 item to return")
    expect(mark).to_be_checked()
    # What was drawn is still there.
    assert page.locator("[name=mark-gate]").first.input_value().count(";") == 1
    page.get_by_role("button", name="Return", exact=True).click()
    page.wait_for_url("**done=returned**")
    # Ten seconds later the decision can no longer be undone, and devices are told.
    time.sleep(11)
    run("sync", *device, check=False)
    run("deliver", *device)


def do_again(page):
    page.goto(f"{FIELD}/tasks/{roof}")
    expect(item(page, "gate").locator(".notice-warning")).to_contain_text(REASON)
    for name in ("new", "south", "east"):
        expect(item(page, name)).to_contain_text("accepted by the office")
        expect(item(page, name).locator("form, a.button")).to_have_count(0)
    assert "stays as it is" in run("task", "answer", roof, "new", "no", *device, check=False)
    marked = item(page, "gate").locator("figure.marked")
    expect(marked).to_have_count(1)
    assert marked.locator("path").first.get_attribute("d").count("M") == 2
    picture = marked.locator("img")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("(one) => one.complete && one.naturalWidth > 0", arg=picture.element_handle())
    sides, lines = picture.bounding_box(), marked.locator("svg").bounding_box()
    assert all(abs(sides[side] - lines[side]) < 1 for side in sides), (sides, lines)
    look(page, "returned")
    page.get_by_role("link", name="Take a photo").first.click()
    page.wait_for_url("**item=gate")
    photograph(page, 225)
    page.get_by_role("button", name="Back to the list").click()
    expect(item(page, "gate")).to_contain_text("It was returned:")
    send(page)


def accept(page):
    checked(page)
    expect(item(page, "gate")).to_contain_text("It was returned:")
    look(page, "again")
    page.get_by_role("button", name="Accept").click()
    page.wait_for_url("**done=accepted**")
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto(f"{OFFICE}/tasks/{roof}")
    look(page, "accepted-phone")


def build(page):
    """An officer builds a template on its page: each kind, each button, a refusal, and the version that orders then get."""
    page.goto(f"{OFFICE}/templates")
    page.get_by_label("Type of tasks").fill("hedge")
    page.get_by_role("button", name="New template").click()
    page.wait_for_url("**type=hedge")
    kinds = page.locator("#add option").evaluate_all("all => all.map((one) => one.value)")
    assert len(kinds) == 11
    for number, kind in enumerate(kinds):
        page.select_option("#add select", kind)
        page.get_by_role("button", name="Add", exact=True).click()
        page.fill("[name=wording]", f"Živý plot <b>{number}</b>, {kind}")
        page.fill("[name=name]", f"hedge_{kind}")
        if kind in ("choice", "several"):
            page.fill("[name=choices]", "hawthorn | Hloh\nTrnka")
        if kind == "number":
            page.fill("[name=least]", "1,5")
            page.select_option("[name=if-item]", "hedge_choice")
            page.fill("[name=if-value]", "Trnka")
        if kind == "shot":
            page.set_input_files("[name=picture]", {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"MZ"})
            page.get_by_role("button", name="Take into the list").click()
            expect(page.locator(".notice-error")).to_contain_text("the example picture cannot be used")
            expect(page.locator("[name=name]")).to_have_value("hedge_shot")
            page.set_input_files("[name=picture]", str(picture(page)))
            look(page, "template-shot")
        page.get_by_role("button", name="Take into the list").click()
        expect(page.locator(".template-items li")).to_have_count(number + 1)
    expect(page.locator(".phone-preview li")).to_have_count(11)
    # The number hangs on the choice, so that the choice stays above it.
    place = page.locator(".template-items li").nth(kinds.index("number"))
    expect(place).to_contain_text("on a condition")
    page.get_by_role("button", name="Move down: Živý plot <b>0</b>, choice").click()
    page.get_by_role("button", name="Move up: Živý plot <b>0</b>, choice").click()
    expect(page.locator(".template-items li").first).to_contain_text("Živý plot <b>0</b>, choice")
    page.get_by_role("button", name="Take out: Živý plot <b>0</b>, choice").click()
    expect(page.locator(".notice-error")).to_contain_text("hedge_number")
    page.locator(".template-items li").first.get_by_role("button", name="Change").click()
    expect(page.locator("[name=choices]")).to_have_value("hawthorn | Hloh\ntrnka | Trnka")
    page.get_by_role("button", name="Cancel").click()
    look(page, "template")
    page.get_by_label("Title").fill("Ploty a meze")
    page.get_by_role("button", name="Keep as a new version").click()
    page.wait_for_url("**done=template")
    expect(page.get_by_role("link", name="Ploty a meze")).to_be_visible()
    kept = json.loads(run("office", "template", "show", "hedge", "--agency", "north", "--format", "json", *office_data))
    assert kept["version"] == 1 and [one["id"] for one in kept["items"]] == [f"hedge_{kind}" for kind in kinds]
    # By file: one that is none, and the one that the command writes.
    run("office", "template", "export", "hedge", "--agency", "north", *office_data, "-o", str(FOLDER / "hedge.json"))
    for name, words in ((FOLDER / "tasks.csv", "neither an XLSX workbook nor JSON"), (FOLDER / "hedge.json", "The file has 11 items")):
        page.goto(f"{OFFICE}/templates")
        page.set_input_files("[name=file]", str(name))
        page.get_by_role("button", name="Look at the file").click()
        expect(page.locator("main")).to_contain_text(words)
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".template-items li")).to_have_count(11)
    page.set_viewport_size({"width": 390, "height": 844})
    look(page, "template-phone")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1440, "height": 900})


def picture(page):
    """A JPEG picture for the tests: what the window shows."""
    path = FOLDER / "sketch.jpg"
    page.screenshot(path=path, type="jpeg", full_page=False)
    return path


def loaded(locator):
    """Waits until a picture is there."""
    locator.scroll_into_view_if_needed()
    locator.page.wait_for_function("(one) => one.complete && one.naturalWidth > 0", arg=locator.element_handle())


def attach(page, field):
    """The officer attaches a PDF and a picture; the device has both, and the example picture of the template's shot."""
    task = tasks["St. Aegyd am Neuwalde, parcel 3"]
    page.goto(f"{OFFICE}/tasks/{task}/order")
    page.get_by_label("Type", exact=True).fill("hedge")
    page.get_by_role("button", name="Save").click()
    page.goto(f"{OFFICE}/tasks/{task}")
    loaded(item(page, "hedge_shot").locator(".item-example img"))
    page.get_by_role("link", name="Attachments", exact=True).click()
    expect(page.locator("main")).to_contain_text("None yet.")
    (FOLDER / "plán pozemku č. 3.pdf").write_bytes(page.pdf())
    (FOLDER / "setup.pdf").write_bytes(b"MZ\x90\x00")
    for name, words in (("setup.pdf", "is neither a PDF nor a JPEG picture"), ("plán pozemku č. 3.pdf", None), ("sketch.jpg", None),
                        ("sketch.jpg", "an attachment is named sketch.jpg already")):
        page.set_input_files("[name=file]", str(FOLDER / name))
        page.get_by_role("button", name="Attach", exact=True).click()
        if words:
            expect(page.locator(".notice-error")).to_contain_text(words)
        else:
            expect(page.get_by_role("link", name=name)).to_be_visible()
    look(page, "attachments")
    page.set_viewport_size({"width": 390, "height": 844})
    look(page, "attachments-phone")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{OFFICE}/tasks/{task}/attachments")
    page.get_by_role("link", name="sketch.jpg").click()
    loaded(page.locator("img"))
    page.go_back()
    # A device that was told of them and has not fetched them yet says so.
    field.goto(f"{FIELD}/tasks/{task}")
    run("deliver", *device)
    field.goto(f"{FIELD}/tasks/{task}")
    expect(field.get_by_role("link", name="plán pozemku č. 3.pdf")).to_be_visible()
    field.get_by_role("link", name="sketch.jpg").click()
    loaded(field.locator("img"))
    field.go_back()
    field.get_by_role("button", name="Open the task").click()
    loaded(item(field, "hedge_shot").locator(".item-example img"))
    look(field, "example-in-list")
    field.goto(f"{FIELD}/camera?task={task}&item=hedge_shot")
    small = field.locator(".camera-example")
    wait(field, 0, small.is_visible)
    loaded(small.locator("img"))
    look(field, "camera-example", whole=False)
    small.click()
    large = field.locator("#example-picture")
    expect(large.locator("img")).to_be_in_viewport()
    look(field, "camera-example-large", whole=False)
    large.get_by_role("button", name="Close").click()
    expect(large).to_be_hidden()
    page.get_by_role("button", name="Remove sketch.jpg").click()
    expect(page.get_by_role("link", name="sketch.jpg")).to_have_count(0)
    run("deliver", *device)
    field.goto(f"{FIELD}/tasks/{task}")
    expect(field.get_by_role("link", name="plán pozemku č. 3.pdf")).to_be_visible()
    expect(field.get_by_role("link", name="sketch.jpg")).to_have_count(0)


def draw_land(page, field):
    """The officer draws a section with the mouse, divides the parcel by a line, and adds a parcel; the device shows all of it."""
    task = tasks["Mühlbach am Inn, parcel 2"]
    page.goto(f"{OFFICE}/tasks/{task}")
    page.get_by_role("link", name="Sections and further parcels").click()
    expect(page.locator("main")).to_contain_text("None yet.")
    outline = page.get_by_label("Outline, or line over the parcel")

    def draw(*places):
        page.get_by_role("button", name="Draw the outline").click()
        sides = page.locator(".live-map").bounding_box()
        for across, down in places:
            page.mouse.click(sides["x"] + sides["width"] * across, sides["y"] + sides["height"] * down)
        page.keyboard.press("Escape")

    expect(page.locator(".live-map .leaflet-overlay-pane path")).not_to_have_count(0)
    draw((0.45, 0.45), (0.55, 0.45), (0.55, 0.55), (0.45, 0.55))
    assert len(json.loads(outline.input_value())) == 4, outline.input_value()
    look(page, "section-drawn", whole=False)
    page.get_by_label("Name of the section").fill("Mokřad č. 1")
    page.get_by_role("button", name="Add the section").click()
    expect(page.locator(".place-row")).to_have_count(1)
    # A line that ends in the parcel divides nothing; what was written stays.
    outline.fill("[[14.119, 50.102], [14.122, 50.102]]")
    page.get_by_label("Name of the section").fill("Half")
    page.get_by_role("button", name="Divide the parcel along the line").click()
    expect(page.locator(".notice-error")).to_contain_text("does not divide it")
    expect(page.get_by_label("Name of the section")).to_have_value("Half")
    draw((0.02, 0.6), (0.98, 0.6))
    page.get_by_role("button", name="Divide the parcel along the line").click()
    expect(page.locator(".place-row")).to_have_count(3)
    names = page.locator(".live-map .map-land")
    expect(names).to_have_text(["Mokřad č. 1", "Half 1", "Half 2"])
    sides = page.locator(".live-map").bounding_box()
    for number in range(3):
        box = names.nth(number).locator("span").bounding_box()
        assert sides["x"] < box["x"] < sides["x"] + sides["width"] and sides["y"] < box["y"] < sides["y"] + sides["height"], box
    page.get_by_label("Parcel identifier").fill("P-none")
    page.get_by_role("button", name="Add the parcel").click()
    expect(page.locator(".notice-error")).to_contain_text("has no parcel P-none")
    page.get_by_role("button", name="Remove Half 2").click()
    expect(page.locator(".place-row")).to_have_count(2)
    look(page, "sections")
    page.set_viewport_size({"width": 390, "height": 844})
    look(page, "sections-phone")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1440, "height": 900})
    run("deliver", *device)
    field.goto(f"{FIELD}/tasks/{task}")
    expect(field.locator("main")).to_contain_text("section Mokřad č. 1, ")
    field.goto(f"{FIELD}/map?task={task}")
    expect(field.locator(".map-land span", has_text="Half 1")).to_be_in_viewport()
    look(field, "map-sections", whole=False)


def count(page):
    """The answers are counted, lead to their tasks, and come as a table."""
    page.goto(f"{OFFICE}/statistics?type=roof")
    expect(page.locator("#new tbody tr").first).to_contain_text("1")
    look(page, "statistics")
    page.get_by_role("link", name="By inspector and week").first.click()
    expect(page.locator("main")).to_contain_text("Ines Nováková")
    page.goto(f"{OFFICE}/statistics?type=roof")
    with page.expect_download() as told:
        page.get_by_role("link", name="All answers as CSV").click()
    table = pathlib.Path(told.value.path()).read_text().splitlines()
    assert len(table) == 49 and "answer_new" in table[0] and sum(",true," in line for line in table) == 1
    page.locator("#new tbody a").first.click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("items")
    page.goto(f"{OFFICE}/tasks?items=missing")
    expect(page.locator("tbody tr")).to_have_count(49)
    page.goto(f"{OFFICE}/tasks")
    page.locator("summary", has_text="Filter").click()
    page.select_option("[name=answer]", "new=true")
    page.get_by_role("button", name="Show these").first.click()
    expect(page.locator("tbody tr")).to_have_count(1)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium",
        args=["--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"])
    field = window(browser, (390, 664), permissions=["camera"])
    office = window(browser, (1440, 900))
    long_list(field)
    work_through(field)
    return_one(office)
    draw_land(office, field)
    build(office)
    attach(office, field)
    do_again(field)
    accept(office)
    office.set_viewport_size({"width": 1440, "height": 900})
    count(office)
    browser.close()
assert not complaints, complaints
assert run("verify", str(FOLDER / "device-data")).startswith("intact")
shown = json.loads(run("task", "show", roof, "--format", "json", *device))
assert shown["missing"] == [] and {one["item"]: one.get("returned") for one in shown["verdicts"]}["gate"] == REASON
print("a template built, worked through, returned one item, done again alone, accepted: no script error")
