"""Guide me there, in a real Chromium: the arrow turns with the inspector, both stay in view, and no track hides an outline.
A part of the inspector's day.
"""
import math
import re

from playwright.sync_api import expect

SIZES = ((390, 664), (360, 640), (412, 915), (800, 360), (1440, 900))


def arrow(page):
    """The direction in which the arrow points on the screen, degrees from its top."""
    return page.evaluate("""() => {
      const {a, b} = new DOMMatrix(getComputedStyle(document.querySelector("[data-guide-arrow]")).transform);
      return (Math.atan2(b, a) * 180 / Math.PI + 360) % 360;
    }""")


def bearing(page):
    return float(re.search(r"(\d+)°", page.locator("[data-guide-turn]").inner_text().split("·")[-1])[1])


def points(page, where, least=0, most=12):
    """The arrow points there, degrees from the top of the screen."""
    away = abs((arrow(page) - where + 180) % 360 - 180)
    assert least <= away <= most, f"the arrow points to {arrow(page):.0f}°, and not to {where % 360:.0f}°"


def to_task(page, home, name):
    page.goto(home + "/tasks")
    href = page.get_by_role("link", name=name).first.get_attribute("href")
    return href.rsplit("/", 1)[-1]


def in_view(page):
    """The inspector and the parcel's sign are on the map, and not under its edge."""
    frame = page.locator(".field-map").bounding_box()
    for mark in (".map-me", ".map-sign"):
        boxes = page.locator(mark).evaluate_all("""all => all.map((one) => {
          const {x, y, width, height} = one.getBoundingClientRect();
          return [x + width / 2, y + height / 2];
        })""")
        assert any(frame["x"] <= x <= frame["x"] + frame["width"] and frame["y"] <= y <= frame["y"] + frame["height"]
                   for x, y in boxes), f"{mark} is not on the map: {boxes} {frame}"


def guide(page, home, receiver, lens, name, picture, accessible, seen):
    task = to_task(page, home, name)
    receiver.stand()
    page.goto(f"{home}/map?task={task}")
    page.get_by_role("link", name="Guide me there").click()
    card = page.locator("[data-guide]")
    how = page.locator("[data-guide-how]")
    expect(page.locator("[data-field-map][data-ready=yes]")).to_be_visible()
    expect(page.locator("[data-guide-far]")).to_have_text(re.compile(r"\d (m|km)$"), timeout=30_000)
    # The declination there is some 5 degrees east.
    for azimuth in (30, 120, 300):
        lens(azimuth)
        expect(how).to_contain_text("compass")
        page.wait_for_timeout(400)
        points(page, bearing(page) - azimuth - 5)
    in_view(page)
    picture(page, "guide-compass")
    receiver.walk(1.4, 200)
    expect(how).to_contain_text("course", timeout=20_000)
    page.wait_for_timeout(1500)
    points(page, bearing(page) - 200, most=15)
    picture(page, "guide-walking")
    receiver.stand()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(600)
        in_view(page)
        bar = page.locator(".bar nav").bounding_box()
        far = page.locator("[data-guide-far]").bounding_box()
        frame = page.locator(".field-map").bounding_box()
        foot = bar["y"] if width < 1024 else height
        assert far["y"] + far["height"] <= foot and frame["y"] + 120 <= foot, (width, height, far, frame)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"guide: {wide} px at {width}"
        picture(page, f"guide-{width}x{height}")
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    accessible(page, "Guide me there")
    # Somebody who moves the map looks at something: it stays there until they ask for both again.
    both = page.get_by_role("button", name="Both in view")
    page.locator(".leaflet-control-zoom-in").click()
    expect(both).to_have_attribute("aria-pressed", "false")
    page.wait_for_timeout(1500)
    both.click()
    page.wait_for_timeout(600)
    in_view(page)
    receiver.silence()
    expect(card).to_have_attribute("data-state", "unknown", timeout=30_000)
    expect(card).to_contain_text("No position for")
    picture(page, "guide-silent")
    receiver.silence(False)
    expect(card).not_to_have_attribute("data-state", "unknown", timeout=30_000)
    seen("Guide me there: the arrow turns with the compass and with the course, both in view at five sizes")


def drawn(page):
    """What the two canvases hold: outlines above, everything else below."""
    return page.evaluate("""() => {
      const read = (name) => {
        const canvas = document.querySelector(`.leaflet-${name}-pane canvas`);
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        return copy.getImageData(0, 0, canvas.width, canvas.height).data;
      };
      const height = (name) => Number(getComputedStyle(document.querySelector(`.leaflet-${name}-pane`)).zIndex);
      const [above, below] = [read("outlines"), read("overlay")];
      const found = {above: 0, below: 0, both: 0, isAbove: height("outlines") > height("overlay")};
      for (let at = 3; at < above.length; at += 4) {
        if (above[at] > 200) found.above += 1;
        if (below[at] > 100) found.below += 1;
        if (above[at] > 200 && below[at] > 100) found.both += 1;
      }
      return found;
    }""")


def cross(page, home, receiver, latitude, longitude, span, name, picture, seen):
    """A track that crosses an outline, and goes along it, lies below it: both are seen."""
    task = to_task(page, home, name)
    receiver.stand()
    receiver.go_to(latitude - span * .5, longitude + span * .85)
    page.goto(home + "/map")
    expect(page.locator("[data-field-map][data-ready=yes]")).to_be_visible()
    page.wait_for_timeout(2000)
    page.locator("#record-track summary").click()
    page.get_by_role("button", name="Start").click()
    for course, speed, seconds in ((90, 2.2, 3), (0, 5, 8), (90, 4, 3)):
        receiver.walk(speed, course)
        page.wait_for_timeout(1000 * seconds)
    receiver.stand()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Finish").click()
    page.wait_for_url("**/map?track=*")
    page.goto(f"{home}/map?task={task}")
    expect(page.locator("[data-field-map][data-ready=yes]")).to_be_visible()
    page.wait_for_timeout(1200)
    with_track = drawn(page)
    picture(page, "outline-and-track")
    assert with_track["isAbove"] and with_track["above"] > 500, with_track
    assert with_track["both"] > 50, f"the track does not reach the outline: {with_track}"
    page.locator(".leaflet-control-layers").hover()
    page.get_by_label("Tracks").uncheck()
    page.wait_for_timeout(600)
    without = drawn(page)
    assert without["above"] == with_track["above"], (with_track, without)
    assert without["below"] < with_track["below"] - 200, (with_track, without)
    seen("a track along an outline is seen, and hides nothing of it")
