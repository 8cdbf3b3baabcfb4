"""A set of seventy-two pictures, from the command to the pages of both sides in a real Chromium: turned by dragging, by the
keys and by the slider, and looked at without a script.

    set_day.py PROGRAM FOLDER [PICTURES]

Walks round a heap with a recorded receiver and a recorded hand, delivers the set, and shows it on the field unit and at the
office. With PICTURES, a folder, the pages are also saved at a phone's and a desk's size.
"""
import atexit
import base64
import json
import math
import pathlib
import random
import shutil
import subprocess
import sys
import urllib.parse
import zipfile

from playwright.sync_api import expect, sync_playwright

from receiver import free_port

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
PASSWORD = "kestrel over wet barley"
LATITUDE, LONGITUDE, RADIUS = 50.1, 14.4, 9.0
SIZES = {"phone": (390, 664), "tablet": (1024, 768), "desk": (1440, 900)}
# The most milliseconds until a set of 72 pictures can be turned, and the fewest pictures a second while it is dragged.
OPEN_AT_MOST, RATE_AT_LEAST = 300, 30
complaints = []


def run(*words, text=PASSWORD):
    return subprocess.run([PROGRAM, *words], input=text, text=True, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def start(*words):
    process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    atexit.register(process.kill)
    assert " at http" in process.stdout.readline()


def sentence(body):
    value = 0
    for sign in body:
        value ^= ord(sign)
    return f"${body}*{value:02X}\r\n"


def degrees(value, width, signs):
    whole = int(abs(value))
    return f"{whole:0{width}d}{(abs(value) - whole) * 60:09.6f},{signs[value < 0]}"


def log(path):
    """Stands for 45 s, walks round in 50 s, and stands for 90 s."""
    noise = random.Random(4)
    lines = []
    for second in range(185):
        turn = min(1, max(0, (second - 45) / 50)) * 2 * math.pi
        east = -math.sin(turn) * RADIUS + noise.gauss(0, .03)
        north = (1 - math.cos(turn)) * RADIUS + noise.gauss(0, .03)
        latitude = LATITUDE + north / 111_320
        longitude = LONGITUDE + east / (111_320 * math.cos(math.radians(LATITUDE)))
        speed = 2 * math.pi * RADIUS / 50 * 1.94384 if 45 < second < 95 else .01
        time = f"{9 + second // 3600:02d}{second // 60 % 60:02d}{second % 60:02d}.00"
        place = f"{degrees(latitude, 2, 'NS')},{degrees(longitude, 3, 'EW')}"
        lines.append(sentence(f"GPRMC,{time},A,{place},{speed:.2f},0.0,260526,,,A"))
        lines.append(sentence(f"GPGGA,{time},{place},1,12,0.7,210.0,M,45.0,M,,"))
        lines.append(sentence("GPGSA,A,3,02,05,07,09,12,15,18,21,24,27,29,31,1.3,0.7,1.1"))
        lines.append(sentence(f"GPGST,{time},0.6,0.6,0.6,0.0,0.6,0.6,1.2"))
    path.write_text("".join(lines))


def quaternion(azimuth, elevation, roll):
    """The rotation of a device that is held upright, to east, north and up."""
    def times(a, b):
        return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])
    def about(axis, angle):
        half = math.radians(angle) / 2
        return (math.cos(half), *(math.sin(half) if place == axis else 0 for place in range(3)))
    return times(times(about(2, -azimuth), about(0, 90 + elevation)), about(2, -roll))


def pictures(page, folder):
    """Draws the heap from all sides, 1280 x 720, as a camera would see it."""
    page.goto("about:blank")
    for number in range(0, 360, 5):
        data = page.evaluate("""(angle) => {
          const canvas = Object.assign(document.createElement("canvas"), { width: 1280, height: 720 });
          const pen = canvas.getContext("2d");
          pen.fillStyle = "#9db8d2"; pen.fillRect(0, 0, 1280, 360);
          pen.fillStyle = "#6d7f3f"; pen.fillRect(0, 360, 1280, 360);
          for (let one = 0; one < 2500; one++) {
            const random = Math.abs(Math.sin(one * 12.9898) * 43758.5453) % 1;
            const other = Math.abs(Math.sin(one * 78.233) * 12543.123) % 1;
            const turn = (random * 360 + angle) * Math.PI / 180;
            const x = 640 + Math.sin(turn) * 330 * (1 - other * .8);
            pen.fillStyle = `hsl(${20 + other * 25} ${30 + random * 30}% ${18 + Math.cos(turn) * 10 + other * 20}%)`;
            pen.beginPath(); pen.arc(x, 560 - other * 330, 18, 0, 7); pen.fill();
          }
          pen.fillStyle = "#fff"; pen.font = "48px sans-serif"; pen.fillText(`${angle}°`, 40, 80);
          return canvas.toDataURL("image/jpeg", .85).split(",")[1];
        }""", number)
        (folder / f"{number}.jpg").write_bytes(base64.b64decode(data))


def walk(path):
    """The hand's words fifty times a second, and fifteen frames a second: 18 s before the walk, then round in 54 s."""
    noise = random.Random(5)
    lines = []
    for step in range(int(72.5 * 50)):
        time = step / 50
        angle = 360 * min(1, max(0, (time - 18) / 54))
        w, x, y, z = quaternion(20 + angle + noise.gauss(0, .2), -8 + noise.gauss(0, .8), noise.gauss(0, .8))
        lines.append(json.dumps({"milliseconds": time * 1000, "w": w, "x": x, "y": y, "z": z,
                                 "acceleration": abs(noise.gauss(0, .2))}))
        if step % 3 == 0:
            lines.append(json.dumps({"milliseconds": time * 1000 + 9, "image": f"{round(angle / 5) * 5 % 360}.jpg"}))
    path.write_text("\n".join(lines))


def window(browser, size, script=True):
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", java_script_enabled=script)
    context.set_default_timeout(20_000)
    page = context.new_page()
    if script:
        page.add_init_script("""addEventListener("securitypolicyviolation", (event) =>
          console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
          new MutationObserver(() => {
            if (globalThis.turnable || !document.querySelector("[data-set-stage]:not([hidden])")) return;
            globalThis.turnable = performance.now() - performance.getEntriesByType("navigation")[0].responseEnd;
          }).observe(document, { subtree: true, attributes: true, attributeFilter: ["hidden"] });""")
    page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
    page.on("console", lambda said: complaints.append(f"console: {said.text} {page.url}") if said.type == "error" else None)
    return page


def sign_in(page, address, login):
    page.goto(address + "/")
    page.get_by_label("Login").fill(login)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()


def look(page, address, name, path):
    """Opens a set and turns it in every way."""
    page.goto(address + path)
    stage, told = page.locator("[data-set-stage]"), page.locator("[data-set-angle]")
    expect(stage).to_be_visible()
    # From the answer of the page until a picture can be turned.
    opened = page.evaluate("() => globalThis.turnable")
    expect(told).to_have_text("0°")
    assert page.locator(".set-ring path.is-held").count() == 72, "the ring is full"
    stage.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(told).to_have_text("15°")
    page.keyboard.press("ArrowLeft")
    expect(told).to_have_text("10°")
    page.keyboard.press("PageUp")
    expect(told).to_have_text("100°")
    page.keyboard.press("Home")
    expect(told).to_have_text("0°")
    page.get_by_label("Angle").fill("17")
    expect(told).to_contain_text("17°, nearest 15°")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    middle = box["y"] + box["height"] / 2
    before = told.text_content()
    page.mouse.move(box["x"] + 20, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * .6, middle, steps=12)
    page.mouse.up()
    page.wait_for_timeout(50)
    assert told.text_content() != before, "dragging turns"
    sheet = page.locator(".set-sheet")
    assert sheet.get_attribute("open") is None, "the script shows one picture, not all of them"
    page.get_by_text("All pictures").click()
    expect(sheet.locator("li")).to_have_count(72)
    if PICTURES:
        page.screenshot(path=str(PICTURES / f"{name}.png"), full_page=name.endswith("desk"))
    return opened


def order(browser):
    """An officer orders a task that asks for sets, mends the order, and reads it: at a desk and at a phone."""
    for size in ("desk", "phone"):
        page = window(browser, SIZES[size])
        sign_in(page, OFFICE, "otto")
        page.get_by_role("link", name="New task").first.click()
        page.get_by_label("Name", exact=True).fill(f"Heap of rubble behind the northern silage clamp, {size}")
        page.get_by_label("Pictures round the thing").fill("3")
        assert not page.evaluate("() => document.querySelector('[name=around]').checkValidity()"), "a ring has 4 sectors or more"
        page.get_by_label("Pictures round the thing").fill("36")
        page.get_by_label("Turn on the spot").select_option(label="8 views")
        shoot(page, f"order-{size}")
        page.get_by_role("button", name="Order the task").click()
        expect(page.get_by_text("a walk round a thing with 36 pictures, a turn on the spot with 8 views")).to_be_visible()
        shoot(page, f"ordered-{size}")
        page.get_by_role("link", name="Change the order").click()
        assert page.get_by_label("Pictures round the thing").input_value() == "36"
        assert page.get_by_label("Turn on the spot").input_value() == "8"
        page.get_by_label("Pictures round the thing").fill("72")
        page.get_by_label("Turn on the spot").select_option(label="not asked for")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("a walk round a thing with 72 pictures", exact=True)).to_be_visible()
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"the page is {wide} px too wide"
        page.context.close()


def work(browser, take):
    """The inspector finds what the order asks for, cannot send without it, and can with it."""
    lines = run("task", "list", "--data", device_data, "--format", "json").splitlines()
    task = next(one for one in map(json.loads, lines) if one["name"].endswith("desk"))
    shown = json.loads(run("task", "show", task["id"], "--data", device_data, "--format", "json"))
    assert shown["around"] == 72 and "turn" not in shown, shown
    page = window(browser, SIZES["phone"])
    page.goto(f"{FIELD}/tasks/{task['id']}")
    page.get_by_role("button", name="Open").first.click()
    need = page.locator(".needs li", has_text="a walk round a thing with 72 pictures")
    expect(need).to_contain_text("missing")
    shoot(page, "needed-phone")
    run("capture", "--task", task["id"], "--camera", f"cp {FOLDER}/heap/0.jpg {{file}}", "--gnss",
        f"file://{FOLDER}/heap.nmea?rate=max", "--data", device_data)
    page.goto(f"{FIELD}/tasks/{task['id']}/send")
    expect(page.get_by_text("It cannot be sent yet")).to_be_visible()
    assert page.get_by_role("button", name="Send").count() == 0, "nothing to press that would be refused"
    shoot(page, "refused-phone")
    page.get_by_role("link", name="Back to the task").click()
    need.get_by_role("link").click()
    expect(page.get_by_text("For the task Heap of rubble")).to_be_visible()
    assert page.get_by_label("Pictures round the thing").input_value() == "72", "the order's number is filled in"
    take(task["id"])
    page.goto(f"{FIELD}/tasks/{task['id']}")
    expect(need).to_contain_text("✓")
    page.goto(f"{FIELD}/tasks/{task['id']}/send")
    page.get_by_role("button", name="Send").click()
    page.goto(f"{FIELD}/tasks/{task['id']}")
    expect(page.get_by_text("Submitted").first).to_be_visible()
    page.context.close()


def shoot(page, name):
    if PICTURES:
        page.screenshot(path=str(PICTURES / f"{name}.png"), full_page=True)


def rate(page):
    """Pictures a second while the set is dragged round: each frame turns it by 4 degrees."""
    return page.evaluate("""() => new Promise((done) => {
      const stage = document.querySelector("[data-set-stage]");
      const box = stage.getBoundingClientRect();
      const point = (x) => ({ clientX: box.x + x, clientY: box.y + box.height / 2, pointerId: 1, bubbles: true });
      stage.setPointerCapture = () => {};
      stage.dispatchEvent(new PointerEvent("pointerdown", point(0)));
      let [frames, shown, last] = [0, 0, ""];
      const began = performance.now();
      const next = () => {
        frames++;
        stage.dispatchEvent(new PointerEvent("pointermove", point(frames * 5 * stage.clientWidth / 180)));
        if (stage.dataset.shown !== last) { shown++; last = stage.dataset.shown; }
        if (performance.now() - began < 3000) return requestAnimationFrame(next);
        stage.dispatchEvent(new PointerEvent("pointerup", point(0)));
        done(shown / (performance.now() - began) * 1000);
      };
      requestAnimationFrame(next);
    })""")


shutil.rmtree(FOLDER, ignore_errors=True)
(FOLDER / "heap").mkdir(parents=True)
if PICTURES:
    PICTURES.mkdir(parents=True, exist_ok=True)
office_data, device_data = str(FOLDER / "office-data"), str(FOLDER / "device-data")
run("office", "agency", "add", "north", "--data", office_data)
for login, role in (("ines", "inspector"), ("otto", "officer")):
    run("office", "user", "add", login, "--role", role, "--agency", "north", "--name", login.title(), "--password-stdin", "--data", office_data)
office_port, field_port = free_port(), free_port()
OFFICE, FIELD = f"http://127.0.0.1:{office_port}", f"http://127.0.0.1:{field_port}"
start("office", "--data", office_data, "--listen", f"127.0.0.1:{office_port}")
log(FOLDER / "heap.nmea")
walk(FOLDER / "heap" / "walk.jsonl")

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    pictures(window(browser, SIZES["desk"]), FOLDER / "heap")
    run("login", "--data", device_data, "--office", OFFICE, "--user", "ines", "--password-stdin")
    order(browser)

    def take(*of):
        return json.loads(run(
            "around", "capture", "--walk", str(FOLDER / "heap" / "walk.jsonl"), "--gnss", f"file://{FOLDER}/heap.nmea?rate=max",
            *of, "--data", device_data, "--format", "json"))

    taken = take()
    assert (taken["frames"], taken["isComplete"]) == (72, True), taken
    one = taken["id"]
    shown = json.loads(run("around", "show", one[:20], "--data", device_data, "--format", "json"))
    assert shown["isRound"] and shown["isClosed"], shown
    run("around", "export", one, "-o", str(FOLDER / "heap.zip"), "--data", device_data)
    run("around", "send", "--all", "--data", device_data)
    run("deliver", "--data", device_data)
    start("field", "--data", device_data, "--listen", f"127.0.0.1:{field_port}", "--office", OFFICE)
    for name, address, login in (("field", FIELD, None), ("office", OFFICE, "otto")):
        for size, pixels in SIZES.items():
            page = window(browser, pixels)
            if login:
                sign_in(page, address, login)
            page.goto(address + ("/sets" if login else "/photos"))
            page.get_by_role("link", name="Sets of pictures").first.click()
            expect(page.get_by_role("heading", name="Sets of pictures")).to_be_visible()
            if PICTURES:
                page.screenshot(path=str(PICTURES / f"{name}-list-{size}.png"))
            page.get_by_role("link", name="Walk round a thing").click()
            opened = look(page, address, f"{name}-{size}", urllib.parse.urlparse(page.url).path)
            page.reload()
            expect(page.locator("[data-set-angle]")).to_have_text("0°")
            with page.expect_download() as download:
                page.get_by_role("link", name="Download around.zip").click()
            with zipfile.ZipFile(download.value.path()) as archive:
                assert archive.testzip() is None and len(archive.namelist()) == 73, archive.namelist()
            with page.expect_download() as download:
                page.get_by_role("link", name="PDF").click()
            paper = subprocess.run(["pdftotext", download.value.path(), "-"], check=True, text=True, stdout=subprocess.PIPE).stdout
            assert "72 of 72 sectors" in paper and one in paper, paper
            speed = rate(page)
            print(f"{name} {size}: turns {opened:.0f} ms after the page, {speed:.0f} pictures a second", flush=True)
            if size == "tablet":
                assert opened <= OPEN_AT_MOST, f"{opened:.0f} ms"
                assert speed >= RATE_AT_LEAST, f"{speed:.0f} pictures a second"
            page.context.close()
        page = window(browser, SIZES["phone"], script=False)
        if login:
            sign_in(page, address, login)
        page.goto(f"{address}/sets/{one}")
        expect(page.locator(".set-sheet li")).to_have_count(72)
        expect(page.locator(".set-sheet li").first).to_be_visible()
        expect(page.locator("[data-set-stage]")).to_be_hidden()
        page.context.close()
    work(browser, lambda task: take("--task", task))
    browser.close()
assert not complaints, complaints
print("a set was taken, delivered and turned on both sides")
