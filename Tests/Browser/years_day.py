"""The map of many years in a real Chromium: the office's slider of years, and the earlier photos that an inspector sees
around their tasks without a network.

    years_day.py PROGRAM FOLDER [PICTURES]

Runs an office with made-up photos of nine years and a field unit of its own in FOLDER. With PICTURES, a folder, the pages
are also saved at a phone's and a desk's size.
"""
import atexit
import contextlib
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import time

from playwright.sync_api import expect, sync_playwright

from receiver import Receiver, free_port

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
PASSWORD = "kestrel over wet barley"
PHOTOS, TASKS, YEARS = 2000, 300, 9
SIZES = {"phone": (390, 664), "desk": (1440, 900)}
complaints = []


def run(*words, text=PASSWORD):
    return subprocess.run([PROGRAM, *words], input=text, text=True, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def start(*words):
    process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    atexit.register(process.kill)
    assert " at http" in process.stdout.readline()
    return process


def window(browser, size):
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    context.set_default_timeout(20_000)
    page = context.new_page()
    page.add_init_script("""addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));""")
    page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
    page.on("console", lambda said: complaints.append(f"console: {said.text} {page.url}") if said.type == "error" else None)
    return page


def sign_in(page, address, login):
    page.goto(address + "/")
    page.get_by_label("Login").fill(login)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()


def save(page, name):
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    wide = page.evaluate("document.scrollingElement.scrollWidth")
    if wide > width:
        complaints.append(f"{name}: {wide} px wide in a window of {width}")
    if PICTURES:
        page.screenshot(path=PICTURES / f"{name}-{width}x{height}.png")


def counted(page):
    """The photos that the map's circles count."""
    titles = page.locator(".map-cluster").evaluate_all("(all) => all.map((one) => one.title)")
    return sum(int(re.match(r"([\d,]+) photos", title).group(1).replace(",", "")) for title in titles
               if re.match(r"[\d,]+ photos", title))


def told(page):
    return page.locator(".map-years summary span").inner_text()


def slider(page, name):
    """The slider by keys, by its button, and by its address."""
    page.goto(OFFICE + "/map")
    expect(page.locator("[data-map][data-ready]")).to_be_visible()
    expect(page.locator(".map-years")).to_be_visible()
    last = time.gmtime().tm_year
    box = page.locator(".map-years")
    # On a phone the slider waits behind its line; the line and the map fit the window.
    if not box.evaluate("(one) => one.open"):
        below = box.evaluate("(one) => one.getBoundingClientRect().bottom")
        assert below <= page.viewport_size["height"], below
        save(page, f"map-closed-{name}")
        box.locator("summary").click()
    ends = page.locator(".map-years input[type=range]")
    expect(page.locator(".map-year-bars span")).to_have_count(YEARS)
    expect(page.locator(".map-years summary span")).to_contain_text(f"{PHOTOS:,} photos here")
    every = counted(page)
    assert every == PHOTOS, every
    below = box.evaluate("(one) => one.getBoundingClientRect().bottom")
    assert below <= page.viewport_size["height"] + 8, (name, below)
    save(page, f"map-{name}")
    ends.nth(0).focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    first = int(ends.nth(0).input_value())
    expect(page).to_have_url(re.compile(f"/{first}-{last}$"))
    page.wait_for_timeout(400)
    some = counted(page)
    assert 0 < some < every and f"{some:,} photos here" in told(page), (some, told(page))
    save(page, f"map-span-{name}")
    # The view can be sent to a colleague: the address opens it again.
    sent = page.url
    page.goto(OFFICE + "/tasks")
    page.goto(sent)
    expect(page.locator("[data-map][data-ready]")).to_be_visible()
    expect(page.locator(".map-years summary span")).to_contain_text(f"{some:,} photos here")
    # One end pushes the other, and all years come back by the button.
    page.locator(".map-years").evaluate("(one) => { one.open = true; }")
    ends.nth(0).focus()
    page.keyboard.press("End")
    expect(ends.nth(1)).to_have_value(str(last))
    ends.nth(1).focus()
    page.keyboard.press("Home")
    expect(page.locator(".map-years summary span")).to_contain_text(re.compile(rf"^{first - 3}: "))
    page.get_by_role("button", name="All years").click()
    expect(page.locator(".map-years summary span")).to_contain_text(f"{PHOTOS:,} photos here")
    expect(page).to_have_url(re.compile(r"#map=[^/]+/[^/]+/[^/]+$"))
    # A finger drags an end.
    place = ends.nth(0).bounding_box()
    page.mouse.move(place["x"] + 10, place["y"] + place["height"] / 2)
    page.mouse.down()
    page.mouse.move(place["x"] + place["width"] * 0.5, place["y"] + place["height"] / 2, steps=8)
    page.mouse.up()
    page.wait_for_timeout(500)
    assert counted(page) < every
    # Nearer and nearer: a circle opens the part of the map where its photos lie, until each is seen.
    page.get_by_role("button", name="All years").click()
    page.wait_for_timeout(400)
    for _ in range(12):
        # A few photos are drawn one by one; Leaflet's own circles, of those that would cover each other, have no title.
        circles, before = page.locator(".map-cluster[title*=photos]"), page.url
        if circles.count() == 0:
            break
        circles.last.dispatch_event("click")
        page.wait_for_timeout(500)
        assert page.url != before, f"a circle leads nearer than {before}"
    expect(page.locator(".map-number, .map-cluster").first).to_be_visible()
    save(page, f"map-near-{name}")
    for key in ["j", "k", "?", "/", "Escape", "Tab", "ArrowDown"]:
        page.keyboard.press(key)
    # A colleague's broken address is no trap.
    for wrong in ("#map=7/50/16/2026-2018", "#map=7/50/16/9999-9999", "#map=7/50/16/x"):
        page.goto(OFFICE + "/tasks")
        page.goto(OFFICE + "/map" + wrong)
        expect(page.locator("[data-map][data-ready]")).to_be_visible()
        page.wait_for_timeout(200)


def singles(page):
    """A photo that is alone in its circle opens by its own card."""
    page.goto(OFFICE + "/map")
    expect(page.locator("[data-map][data-ready]")).to_be_visible()
    view = page.evaluate("""async () => {
      for (let zoom = 8; zoom <= 15; zoom += 1) {
        const answer = await fetch(`/map/view.json?box=12,48,19,51&zoom=${zoom}&years=all`);
        const one = (await answer.json()).clusters.find((found) => found.id && found.photos === 1);
        if (one) return { ...one, zoom };
      }
      return null;
    }""")
    assert view and len(view["box"]) == 4 and view["box"][0] <= view["at"][0] <= view["box"][2], view
    # From afar, so that many things stand in the view and circles are drawn.
    page.set_viewport_size({"width": 1900, "height": 1300})
    page.goto(OFFICE + "/tasks")
    page.goto(OFFICE + f"/map#map={view['zoom']}/{view['at'][1]}/{view['at'][0]}")
    expect(page.locator("[data-map][data-ready]")).to_be_visible()
    page.wait_for_timeout(600)
    page.locator(".map-cluster[title=Photo]").first.dispatch_event("click")
    expect(page.locator(".leaflet-popup img")).to_be_visible()
    expect(page.locator(".leaflet-popup a", has_text="Open it")).to_be_visible()
    page.wait_for_timeout(300)
    save(page, "map-single")


def field_map(page, name):
    page.goto(FIELD + "/map")
    expect(page.locator("[data-field-map][data-ready]")).to_be_visible()
    expect(page.locator("[data-earlier-years] .map-years")).to_be_visible()
    save(page, f"field-map-{name}")
    # The list for people who see no map.
    page.locator(".map-list summary").click()
    heading = page.get_by_role("heading", name="Earlier photos")
    expect(heading).to_be_visible()
    heading.scroll_into_view_if_needed()
    save(page, f"field-list-{name}")
    years = page.locator("[data-earlier-years] .map-years")
    if not years.evaluate("(one) => one.open"):
        years.locator("summary").click()
    before = told(page)
    years.locator("input").nth(1).focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(400)
    assert told(page) != before
    years.scroll_into_view_if_needed()
    save(page, f"field-years-{name}")
    page.get_by_role("button", name="All years").click()
    page.wait_for_timeout(300)
    # One photo, near enough to be seen alone: date and small picture, without a network.
    shown = page.evaluate("async () => (await (await fetch('/map/earlier.json')).json()).clusters.flatMap((one) => one.photos)")
    assert len(shown) > 3 and all(one["hasPicture"] for one in shown), len(shown)
    assert len({one["taken"][:4] for one in shown}) > 2
    # The map no longer follows the inspector, who is far away.
    page.get_by_role("button", name="Show all").click()
    page.wait_for_timeout(400)
    for _ in range(14):
        if page.locator(".map-photo.is-earlier").count():
            break
        page.locator(".map-cluster").first.dispatch_event("click")
        page.wait_for_timeout(400)
    page.locator(".map-photo.is-earlier").first.dispatch_event("click")
    picture = page.locator(".leaflet-popup img.map-picture")
    expect(picture).to_be_visible()
    page.wait_for_timeout(300)
    assert picture.evaluate("(one) => one.complete && one.naturalWidth > 100")
    save(page, f"field-photo-{name}")
    for key in ["j", "k", "?", "Escape", "Tab"]:
        page.keyboard.press(key)


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
if PICTURES:
    PICTURES.mkdir(parents=True, exist_ok=True)
data = ["--data", str(FOLDER / "office-data")]
run("office", "seed", "--photos", str(PHOTOS), "--tasks", str(TASKS), "--years", str(YEARS), "--password-stdin", *data)
# A task in the middle of what was photographed.
with contextlib.closing(sqlite3.connect(FOLDER / "office-data/office/standpoint.sqlite")) as database:
    places = database.execute("SELECT longitude, latitude FROM photo ORDER BY id").fetchall()
crowded = max(places[:200], key=lambda one: sum(abs(one[0] - x) < 0.006 and abs(one[1] - y) < 0.004 for x, y in places))
ring = [[crowded[0] + x * 0.0004, crowded[1] + y * 0.0003] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
(FOLDER / "task.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"name": "Čistá, hedge at the lane", "type": "crop", "inspector": "inspector1",
     "identifier": "P-1"}, "geometry": {"type": "Polygon", "coordinates": [ring]}}]}))
run("office", "task", "import", str(FOLDER / "task.geojson"), "--agency", "seed", *data)
office_port, field_port = free_port(), free_port()
OFFICE, FIELD = f"http://127.0.0.1:{office_port}", f"http://127.0.0.1:{field_port}"
office = start("office", *data, "--listen", f"127.0.0.1:{office_port}")
device = ["--data", str(FOLDER / "device-data")]
run("login", "--office", OFFICE, "--user", "inspector1", "--password-stdin", *device)
run("deliver", *device, text=None)
receiver = Receiver(50.0, 16.0)
start("field", *device, "--listen", f"127.0.0.1:{field_port}", "--gnss", receiver.program)

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    for name, size in SIZES.items():
        page = window(browser, size)
        sign_in(page, OFFICE, "officer")
        slider(page, name)
        if name == "desk":
            singles(page)
        page.context.close()
    # The office is gone: everything that follows is on the device.
    office.terminate()
    office.wait()
    for name, size in SIZES.items():
        page = window(browser, size)
        field_map(page, name)
        page.context.close()
    browser.close()

assert not complaints, "\n".join(complaints)
print("the map of many years: the slider, the circles and the field's earlier photos do what they say")
