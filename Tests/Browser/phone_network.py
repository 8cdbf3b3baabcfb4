"""A phone's camera over a network with delay and loss: two network namespaces, the field unit in one, a real Chromium in the other.

    phone_network.py PROGRAM FOLDER [--losses N] [--photos N]

The picture that Chromium's camera sees is drawn here and shows the machine's time as bars: what the sealed record says of the time
between fix and frame is compared with the time that the sealed picture itself shows. The phone's own clock is a day ahead. Needs root.
"""
import argparse
import base64
import datetime
import os
import pathlib
import random
import statistics
import subprocess
import threading
import time

from playwright.sync_api import expect, sync_playwright

from phone_site import PhoneSite
from slow_network import SlowNetwork

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--photos", type=int, default=8, help="photos over each network")
parser.add_argument("--losses", type=int, default=0, help="losses of the network in the middle of a capture")
options = parser.parse_args()
PROGRAM, FOLDER = os.path.abspath(options.program), options.folder.resolve()
NETWORKS = ((0.005, 0.0), (0.05, 0.0), (0.2, 0.02))
DAY_MILLISECONDS = 86_400_000
# The picture: 44 bars of the time in ms, the highest bit first, between a white and a black one.
BITS, WIDTH, HEIGHT = 44, 1280, 960

CAMERA = """
    // A phone whose clock is a day ahead: all of its clocks.
    const ahead = AHEAD;
    const origin = performance.timeOrigin;
    const trueNow = () => origin + performance.now();
    Object.defineProperty(performance, "timeOrigin", { get: () => origin + ahead });
    Date.now = () => Math.round(trueNow() + ahead);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = location.search.includes("large") ? [3264, 2448] : [WIDTH, HEIGHT];
    const brush = canvas.getContext("2d", { alpha: false });
    const noise = new Uint8ClampedArray(4 * 256 * 256).map(() => Math.random() * 256);
    const draw = () => {
      const wide = canvas.width / (BITS + 2);
      let time = Math.round(trueNow());
      brush.fillStyle = "#777"; brush.fillRect(0, 0, canvas.width, canvas.height);
      if (location.search.includes("large")) {
        const grain = new ImageData(noise, 256, 256);
        for (let x = 0; x < canvas.width; x += 256) for (let y = canvas.height / 2; y < canvas.height; y += 256) brush.putImageData(grain, x, y);
      }
      brush.fillStyle = "#fff"; brush.fillRect(0, 0, wide, canvas.height / 3);
      for (let bit = 0; bit < BITS; bit += 1) {
        const isSet = Math.floor(time / 2 ** (BITS - 1 - bit)) % 2 === 1;
        brush.fillStyle = isSet ? "#fff" : "#000";
        brush.fillRect((bit + 1) * wide, 0, wide, canvas.height / 3);
      }
      brush.fillStyle = "#000"; brush.fillRect((BITS + 1) * wide, 0, wide, canvas.height / 3);
    };
    // A large picture takes this machine long to draw.
    setInterval(draw, location.search.includes("large") ? 400 : 10);
    draw();
    globalThis.ImageCapture = undefined;
    // A camera whose stills take long, for a page that asks for it.
    if (location.search.includes("slow")) {
      globalThis.ImageCapture = class {
        getPhotoCapabilities() { return Promise.resolve({}); }
        async takePhoto() {
          await new Promise((done) => setTimeout(done, 1200));
          return new Promise((done) => canvas.toBlob(done, "image/jpeg", .9));
        }
      };
    }
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(60);
""".replace("AHEAD", str(DAY_MILLISECONDS)).replace("BITS", str(BITS)).replace("WIDTH", str(WIDTH)).replace("HEIGHT", str(HEIGHT))


def shown_milliseconds(page, jpeg):
    """The time that a picture shows."""
    bars = page.evaluate("""async ([text, bars]) => {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        const brush = canvas.getContext("2d");
        brush.drawImage(picture, 0, 0);
        return Array.from({ length: bars }, (_, bar) =>
          brush.getImageData((bar + .5) * picture.width / bars, picture.height / 6, 1, 1).data[0] > 127);
    }""", [base64.b64encode(jpeg).decode(), BITS + 2])
    assert bars[0] and not bars[-1], "no bars"
    return int("".join("1" if bar else "0" for bar in bars[1:-1]), 2)


def ready(page, seconds=30):
    button, end = page.locator("[data-camera-shutter]"), time.monotonic() + seconds
    while not button.is_enabled():
        assert time.monotonic() < end, (page.locator("[data-camera-note]").inner_text(), page.locator("main").inner_text(), complaints)
        page.wait_for_timeout(50)
    return button


def press(page):
    """Presses the shutter as soon as it can be pressed; what was said of the capture before is gone then."""
    ready(page).click()
    end = time.monotonic() + 5
    while page.locator(".camera-news .notice-error, .camera-note.notice-error:visible").count() and time.monotonic() < end:
        page.wait_for_timeout(20)


def outcome(page, seconds=60):
    """What became of a capture: "kept", or the words that the page says. It must say something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if page.locator("[data-camera-review]").count():
            return "kept"
        said = page.locator(".camera-news .notice-error, .camera-note.notice-error:visible").all_inner_texts()
        if said and said[0].strip():
            return said[0].strip()
        page.wait_for_timeout(50)
    raise AssertionError(f"neither kept nor ended: {page.locator('main').inner_text()}")


def onward(page):
    """From a photo that was kept to the next one."""
    page.locator("[data-camera-onward], form[action='/camera/keep'] button").first.click()
    expect(page.locator("[data-camera-review]")).to_have_count(0, timeout=30_000)


with SlowNetwork("standpoint", megabits=20) as network:
    # As quick as the rules allow: the network is what is looked at.
    site = PhoneSite(PROGRAM, FOLDER, network, ("samples=1", "windowSeconds=4", "countdownSeconds=0"))
    complaints = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=site.browser(), ignore_default_args=["--headless", "--headless=old"],
                                             args=["--headless=new", "--no-sandbox"])
        context = browser.new_context(viewport={"width": 390, "height": 844}, ignore_https_errors=True, reduced_motion="reduce")
        context.set_default_timeout(60_000)
        context.add_init_script(CAMERA)
        phone = context.new_page()
        reader = browser.new_page()
        phone.on("pageerror", lambda error: complaints.append(str(error)))
        session = site.pair(phone, "Ines", "--lens", "1.5", "--lens-uncertainty", "0.25")
        for delay, loss in NETWORKS:
            network.delay, network.loss = delay, loss
            phone.goto(f"{site.address}/camera")
            # The clocks are compared a few times before anybody presses.
            phone.wait_for_timeout(4000)
            errors, delays, late = [], [], 0
            for _ in range(options.photos):
                known = {one["id"] for one in site.photos()}
                press(phone)
                end = outcome(phone)
                new = [one for one in site.photos() if one["id"] not in known]
                if end != "kept":
                    assert not new and "s after its position" in end, end
                    late += 1
                    phone.wait_for_timeout(500)
                    continue
                record, picture = site.sealed(new[0])
                shutter, when = record["shutter"], record["time"]
                device_time = datetime.datetime.fromisoformat(when["device"].replace("Z", "+00:00")).timestamp()
                truth = shown_milliseconds(reader, picture) / 1000 - (device_time - float(when["fixAgeSeconds"]))
                error = float(shutter["delaySeconds"]) - truth
                errors.append(error * 1000)
                delays.append(truth)
                assert abs(error) <= float(shutter["delayUncertaintySeconds"]) + 0.03, (error, shutter)
                assert abs(float(shutter["clockOffsetSeconds"]) - DAY_MILLISECONDS / 1000) < 0.3, shutter
                assert record["phone"]["session"] == session and "Chrome" in record["phone"]["browser"], record["phone"]
                assert record["lens"] == {"offsetMetres": "1.500", "offsetUncertaintyMetres": "0.250"}, record["lens"]
                onward(phone)
            worst = max(map(abs, errors or [0]))
            print(f"{delay * 1000:.0f} ms one way, {loss:.0%} lost: {len(errors)} photos, {late} refused as late; "
                  f"from fix to frame {statistics.median(delays or [0]):.3f} s; measured within {worst:.0f} ms "
                  f"(median {statistics.median(errors or [0]):+.0f})", flush=True)
            assert len(errors) > (options.photos // 2 if loss == 0 else options.photos // 4 - 1), f"{late} refused as late"
            assert worst <= 30, errors
        # A camera whose still comes too late: refused with the number, and from then on frames of the live picture.
        network.delay, network.loss = 0.005, 0.0
        phone.goto(f"{site.address}/camera?slow")
        phone.wait_for_timeout(3000)
        press(phone)
        said = outcome(phone)
        assert "s after its position" in said, said
        phone.wait_for_timeout(500)
        expect(phone.locator("[data-camera-note]")).to_contain_text("too long for a still")
        press(phone)
        assert outcome(phone) == "kept"
        assert site.sealed(site.photos()[-1])[0]["photo"]["taken"] == "live-frame"
        # Five megabytes: from the press to the photo in view, and what the way alone takes.
        network.delay = 0.01
        phone.goto(f"{site.address}/camera?large")
        phone.wait_for_timeout(3000)
        made = []
        phone.on("request", lambda request: made.append(time.time()) if "/frame/made" in request.url else None)
        for _ in range(3):
            ready(phone)
            press(phone)
            assert outcome(phone) == "kept"
            _, picture = site.sealed(site.photos()[-1])
            seal = max((FOLDER / "device-data/field/photos").rglob("*.seal"), key=lambda one: one.stat().st_mtime)
            way = len(picture) * 8 / network.megabits / 1e6
            took = seal.stat().st_mtime - shown_milliseconds(reader, picture) / 1000
            print(f"{len(picture) / 1e6:.1f} MB at {network.megabits} Mbit/s: {took:.2f} s from the glass to the seal, {seal.stat().st_mtime - made[-1]:.2f} s of "
                  f"them behind the browser's making of the JPEG; the way alone takes {way:.2f} s", flush=True)
            assert seal.stat().st_mtime - made[-1] < way + 0.6
            onward(phone)
        # The network goes away in the middle of a capture, for a moment or for long.
        network.delay, network.loss = 0.02, 0.0
        chance = random.Random(7)
        kept = ended = 0
        for number in range(options.losses):
            phone.goto(f"{site.address}/camera")
            known = {one["id"] for one in site.photos()}
            button = ready(phone)
            cut, back = chance.uniform(0, 0.6), chance.choice([0.3, 1, 3, 20])
            threading.Timer(cut, lambda: setattr(network, "is_cut", True)).start()
            threading.Timer(cut + back, lambda: setattr(network, "is_cut", False)).start()
            button.click()
            end = outcome(phone, seconds=150)
            while network.is_cut:
                phone.wait_for_timeout(100)
            phone.wait_for_timeout(300)
            new = [one for one in site.photos() if one["id"] not in known]
            if end == "kept":
                assert len(new) == 1, new
                site.sealed(new[0])
                kept += 1
            else:
                # What the page said while the network was away may be only that: it then says what became of it.
                kept, ended = (kept + 1, ended) if new else (kept, ended + 1)
                if new:
                    expect(phone.locator("[data-camera-review]")).to_be_visible(timeout=60_000)
        if options.losses:
            print(f"{options.losses} losses of the network in the middle of a capture: {kept} kept whole, {ended} told ended")
        browser.close()
    checked = subprocess.run([PROGRAM, "verify", str(FOLDER / "device-data" / "field")], capture_output=True, text=True)
    assert "altered" not in checked.stdout and "doubtful" not in checked.stdout, checked.stdout[-2000:]
    assert not complaints, complaints
print("over three networks: each time between fix and frame as the picture shows it, the phone and its lens sealed; no script error")
