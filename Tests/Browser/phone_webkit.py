"""A phone whose browser is WebKit: paired, the camera's page with a live gate, a photo with WebKit's own made-up camera.

    phone_webkit.py PROGRAM FOLDER [PICTURES]

Debian's webkit2gtk-driver and xvfb. WebKit is driven by W3C WebDriver, without a library.
"""
import argparse
import atexit
import base64
import json
import os
import pathlib
import subprocess
import time
import urllib.request

from phone_site import PhoneSite
from receiver import free_port

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("pictures", type=pathlib.Path, nargs="?")
options = parser.parse_args()
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
BROWSER = next(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))


class WebKit:
    def __init__(self):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        driver = subprocess.Popen(["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24", "WebKitWebDriver", f"--port={port}"],
                                  env=dict(os.environ, WEBKIT_DISABLE_COMPOSITING_MODE="1"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  start_new_session=True)
        atexit.register(lambda: os.killpg(driver.pid, 15))
        end = time.monotonic() + 30
        while True:
            try:
                urllib.request.urlopen(f"{self.address}/status", timeout=1).read()
                break
            except OSError:
                assert time.monotonic() < end, "WebKitWebDriver does not come"
                time.sleep(0.2)
        told = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "acceptInsecureCerts": True,
            "webkitgtk:browserOptions": {"binary": str(BROWSER), "args": [
                "--automation", "--enable-media-stream=true", "--enable-mock-capture-devices=true"]}}}})
        self.session = f"/session/{told['sessionId']}"
        self.version = told["capabilities"].get("browserVersion")
        self.ask("POST", f"{self.session}/window/rect", {"width": 390, "height": 844})

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.address + path, json.dumps(body or {}).encode() if method == "POST" else None,
                                         {"Content-Type": "application/json"}, method=method)
        try:
            return json.loads(urllib.request.urlopen(request, timeout=90).read())["value"]
        except urllib.error.HTTPError as refusal:
            raise AssertionError(refusal.read().decode()[:500]) from None

    def open(self, address):
        self.ask("POST", f"{self.session}/url", {"url": address})

    def run(self, script, *words):
        return self.ask("POST", f"{self.session}/execute/sync", {"script": script, "args": list(words)})

    def find(self, selector):
        return self.ask("POST", f"{self.session}/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask("POST", f"{self.session}/element/{self.find(selector)}/click")

    def type(self, selector, text):
        element = self.find(selector)
        self.ask("POST", f"{self.session}/element/{element}/clear")
        self.ask("POST", f"{self.session}/element/{element}/value", {"text": text})

    def wait(self, script, seconds=60):
        end = time.monotonic() + seconds
        while not (found := self.run(script)):
            assert time.monotonic() < end, (script, self.run("return document.querySelector('main').innerText"))
            time.sleep(0.2)
        return found

    def look(self, name):
        assert self.run("return document.documentElement.scrollWidth <= innerWidth"), f"{name}: wider than the window"
        if options.pictures:
            options.pictures.mkdir(parents=True, exist_ok=True)
            picture = self.ask("GET", f"{self.session}/screenshot")
            (options.pictures / f"{name}.png").write_bytes(base64.b64decode(picture))


site = PhoneSite(os.path.abspath(options.program), options.folder.resolve(), None, ("samples=1", "windowSeconds=4", "countdownSeconds=0"))
phone = WebKit()
code = site.code()
phone.open(f"{site.address}/pair")
phone.look("pair")
phone.type("input[name=code]", code)
phone.type("input[name=name]", "Ines")
phone.click("main form button")
phone.wait("return document.body.innerText.includes('This phone is paired with the field unit.')")
phone.look("home")
assert phone.run("return isSecureContext")
phone.open(f"{site.address}/camera")
# The gate lives: its words change without a new page.
phone.wait("return document.querySelector('.gate-still') !== null")
phone.look("camera")
said = phone.run("return document.querySelector('[data-camera-note]').innerText")
print(f"WebKit {phone.version}: paired, the gate is live; the camera: {said or 'live picture'}")
phone.wait("const one = document.querySelector('[data-camera-shutter]'); return one && !one.hidden && !one.disabled")
phone.click("[data-camera-shutter]")
phone.wait("return document.querySelector('[data-camera-review]') !== null || document.querySelector('.camera-news .notice-error, .camera-note.notice-error') !== null")
phone.look("photo")
assert phone.run("return document.querySelector('[data-camera-review]') !== null"), phone.run("return document.querySelector('main').innerText")
record, _ = site.sealed(site.photos()[0])
print(f"a photo in WebKit: {record['photo']['taken']}, {record['photo']['widthPixels']} x {record['photo']['heightPixels']}, "
      f"{record['shutter']['delaySeconds']} s (± {record['shutter']['delayUncertaintySeconds']} s) behind its fix; {record['phone']}")
