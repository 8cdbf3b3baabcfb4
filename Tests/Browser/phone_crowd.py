"""Four phones look at the camera's page of one field unit and one of them takes photos, over a network with 50 ms one way.

    phone_crowd.py PROGRAM FOLDER [--seconds N]

Measures the field unit's memory and processor time, and the time from the receiver's sentence to the page that shows it. Needs root.
"""
import argparse
import os
import pathlib
import statistics
import time

from playwright.sync_api import expect, sync_playwright

from phone_site import PhoneSite
from slow_network import SlowNetwork

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--seconds", type=int, default=60)
options = parser.parse_args()
PHONES = 4
# Notes when the live part of the page was drawn anew.
WATCH = """() => {
    globalThis.drawn = [];
    new MutationObserver(() => requestAnimationFrame(() => drawn.push(performance.timeOrigin + performance.now())))
      .observe(document.querySelector(".camera-live"), { childList: true, subtree: true, characterData: true });
}"""


def used(process):
    """Seconds of the processor, and MB of memory."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    memory = next(int(line.split()[1]) / 1000 for line in open(f"/proc/{process.pid}/status") if line.startswith("VmRSS"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), memory


with SlowNetwork("standpoint", delay=0.05) as network:
    # One fix a second, as receivers give it.
    site = PhoneSite(os.path.abspath(options.program), options.folder.resolve(), network,
                     ("samples=1", "windowSeconds=4", "countdownSeconds=0"), rate=1)
    complaints, pages = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=site.browser(), ignore_default_args=["--headless", "--headless=old"],
            args=["--headless=new", "--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                  # All of them are in view, each on its own phone.
                  "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows"])
        for number in range(PHONES):
            context = browser.new_context(viewport={"width": 390, "height": 844}, ignore_https_errors=True, permissions=["camera"],
                                          reduced_motion="reduce")
            context.set_default_timeout(60_000)
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            site.pair(page, f"Phone {number}")
            page.goto(f"{site.address}/camera")
            expect(page.locator("video")).to_be_visible()
            page.evaluate(WATCH)
            pages.append(page)
        time.sleep(5)
        for page in pages:
            page.evaluate("drawn.length = 0")
        site.said.clear()
        before, began, most, taken = used(site.unit)[0], time.monotonic(), 0.0, 0
        while time.monotonic() - began < options.seconds:
            page = pages[0]
            shutter = page.locator("[data-camera-shutter]")
            if page.locator("[data-camera-review]").count():
                taken += 1
                page.locator("[data-camera-onward], form[action='/camera/keep'] button").first.click()
            elif shutter.is_visible() and shutter.is_enabled():
                shutter.click()
            page.wait_for_timeout(500)
            most = max(most, used(site.unit)[1])
        share = (used(site.unit)[0] - before) / (time.monotonic() - began)
        # A page may be drawn for another reason than a new fix: of each fix the first drawing counts.
        first = {}
        for page in pages[1:]:
            for drawn in page.evaluate("drawn"):
                said = [moment for moment in site.said if moment * 1000 <= drawn]
                if said:
                    key = (id(page), said[-1])
                    first[key] = min(first.get(key, 1e9), drawn - said[-1] * 1000)
        times = sorted(first.values())
        browser.close()
    p99 = times[max(0, -(-len(times) * 99 // 100) - 1)]
    print(f"{PHONES} phones, one of them takes {taken} photos in {options.seconds} s, 50 ms one way: field unit {most:.0f} MB, {share:.1%} of a core; "
          f"from the receiver to the page {statistics.median(times):.0f} ms (median), p99 {p99:.0f} ms of {len(times)}")
    assert not complaints, complaints
    assert taken > 0 and most < 80 and share < 0.05 and p99 < 200
print("four phones on one field unit: no script error")
