"""Composites by hand in a real Chromium, for point_day.py: made by mouse, fingers and keys, by numbers without a script,
changed, downloaded, removed; and how many pictures a second follow a finger.
"""
import json
import subprocess

from playwright.sync_api import expect

# The pictures a second that follow a finger.
LEAST_FRAMES = 30


def number(page, name):
    return float(page.locator(f"form[data-compose] [name={name}]").input_value())


def ready(page):
    expect(page.locator("[data-compose-canvas][data-ready]")).to_be_visible()


def drag(page, dx, dy, steps=8):
    box = page.locator("[data-compose-canvas]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=steps)
    page.mouse.up()


def pinch(page, scale, turn):
    """Two fingers on the canvas: they move apart by `scale` and turn by `turn` degrees."""
    page.evaluate("""([scale, turn]) => {
      const canvas = document.querySelector("[data-compose-canvas]");
      canvas.setPointerCapture = () => {};
      const box = canvas.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const send = (kind, pointerId, clientX, clientY) => canvas.dispatchEvent(
        new PointerEvent(kind, { pointerId, clientX, clientY, pointerType: "touch", bubbles: true, cancelable: true }));
      const far = 40;
      send("pointerdown", 11, x - far, y);
      send("pointerdown", 12, x + far, y);
      for (let step = 1; step <= 10; step += 1) {
        const angle = turn * Math.PI / 180 * step / 10;
        const reach = far * (1 + (scale - 1) * step / 10);
        send("pointermove", 11, x - reach * Math.cos(angle), y - reach * Math.sin(angle));
        send("pointermove", 12, x + reach * Math.cos(angle), y + reach * Math.sin(angle));
      }
      send("pointerup", 11, x, y);
      send("pointerup", 12, x, y);
    }""", [scale, turn])


def frames(page):
    """Moves the photo with each frame of the screen for two seconds: how many pictures a second were drawn."""
    return page.evaluate("""async () => {
      const canvas = document.querySelector("[data-compose-canvas]");
      canvas.setPointerCapture = () => {};
      const box = canvas.getBoundingClientRect();
      const send = (kind, x) => canvas.dispatchEvent(new PointerEvent(kind,
        { pointerId: 21, clientX: box.left + x, clientY: box.top + box.height / 2, bubbles: true, cancelable: true }));
      send("pointerdown", box.width / 2);
      const began = performance.now();
      const before = Number(canvas.dataset.drawn ?? 0);
      let count = 0;
      while (performance.now() - began < 2000) {
        send("pointermove", box.width / 2 + 60 * Math.sin(count += 1));
        await new Promise((next) => requestAnimationFrame(next));
      }
      send("pointerup", box.width / 2);
      return (Number(canvas.dataset.drawn) - before) * 1000 / (performance.now() - began);
    }""")


def make(page, base, look, press, name):
    """On a page with two photos: every way to change the picture, then the composite itself."""
    ready(page)
    if not page.locator("[name=projection]").input_value():
        page.get_by_role("button", name="Place it by comparing both").click()
        ready(page)
    expect(page.get_by_text("Placed by comparing both pictures.")).to_be_visible()
    look(page, f"{name}-page")
    x, y, scale, turn = (number(page, one) for one in ("placeX", "placeY", "placeScale", "placeAngle"))
    drag(page, 40, 20)
    assert number(page, "placeX") > x + 5 and number(page, "placeY") > y + 2, "the mouse moves the photo"
    page.get_by_role("button", name="Undo").click()
    assert (number(page, "placeX"), number(page, "placeY")) == (x, y), "one drag is undone at once"
    canvas = page.locator("[data-compose-canvas]")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert number(page, "placeX") > x and number(page, "placeY") > y + 5
    page.keyboard.press("+")
    assert number(page, "placeScale") > scale
    page.keyboard.press(".")
    assert abs(number(page, "placeAngle") - turn - .5) < .01
    for key in ("-", ",", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.press("Control+z")
    for key in "123jkuneaw?/":
        page.keyboard.press(key)
    page.keyboard.press("1")
    scale, turn = number(page, "placeScale"), number(page, "placeAngle")
    pinch(page, 1.5, 20)
    assert abs(number(page, "placeScale") / scale - 1.5) < .1, number(page, "placeScale") / scale
    assert abs(number(page, "placeAngle") - turn - 20) < 2, number(page, "placeAngle")
    page.get_by_role("button", name="Undo").click()
    canvas.hover()
    before = number(page, "placeScale")
    page.mouse.wheel(0, -120)
    page.wait_for_timeout(100)
    assert number(page, "placeScale") > before
    for words in ("Smaller", "Larger", "Turn to the left", "Turn to the right"):
        page.get_by_role("button", name=words, exact=True).click()
    page.get_by_role("button", name="Move the window").click()
    wide = number(page, "windowWidth")
    page.get_by_role("button", name="Larger", exact=True).click()
    assert number(page, "windowWidth") > wide
    drag(page, 15, 10)
    look(page, f"{name}-window")
    page.get_by_role("button", name="Crop the picture").click()
    drag(page, 60, 45)
    assert number(page, "cropWidth") > 10
    look(page, f"{name}-crop")
    page.get_by_role("button", name="Undo").click()
    assert page.locator("[name=cropWidth]").input_value() == ""
    page.get_by_role("button", name="Move the photo above").click()
    page.get_by_label("Shape of the window").select_option("rectangle")
    page.get_by_label("Softness of the edges, %").fill("60")
    page.get_by_label("Transparency, %").fill("20")
    page.locator("summary", has_text="Numbers").click()
    look(page, f"{name}-numbers")
    # What cannot be is said, with all that was set.
    page.locator("[name=windowWidth]").fill("0")
    page.get_by_role("button", name="Make the composite").click()
    expect(page.get_by_text("The window needs a width and a height above 0")).to_be_visible()
    assert page.get_by_label("Softness of the edges, %").input_value() == "60"
    ready(page)
    page.locator("summary", has_text="Numbers").click()
    page.locator("[name=windowWidth]").fill(str(wide))
    page.get_by_role("button", name="Make the composite").click()
    expect(page.get_by_text("The composite is made.")).to_be_visible()
    look(page, f"{name}-made")
    press(page, f"{name}-made")
    address = page.url.split("?")[0]
    file = page.request.get(address + "/composite.jpg").body()
    page.get_by_role("link", name="Change it").click()
    ready(page)
    assert page.get_by_label("Softness of the edges, %").input_value() == "60"
    page.get_by_role("link", name="Swap the photos").click()
    ready(page)
    page.go_back()
    ready(page)
    page.get_by_role("button", name="Save the change").click()
    expect(page.get_by_text("The composite is made.")).to_be_visible()
    page.goto(base + "/composites")
    expect(page.locator(".compose-choice li")).to_have_count(1)
    look(page, f"{name}-list")
    press(page, f"{name}-list")
    return address, file


def without_script(browser, state, address, base):
    """The same form without a script: numbers, a preview, the composite."""
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    page.goto(address)
    picture = page.locator("[data-compose-preview]")
    expect(picture).to_be_visible()
    first = picture.get_attribute("src")
    page.get_by_label("Softness of the edges, %").fill("5")
    page.get_by_role("button", name="Show the preview").click()
    assert page.locator("[data-compose-preview]").get_attribute("src") != first
    response = page.request.get(base + page.locator("[data-compose-preview]").get_attribute("src"))
    assert response.ok and response.body()[:2] == b"\xff\xd8"
    page.get_by_role("button", name="Make the composite").click()
    expect(page.get_by_text("The composite is made.")).to_be_visible()
    path = page.url.split("?")[0]
    page.locator("summary", has_text="Remove it").click()
    page.get_by_role("button", name="Remove the composite").click()
    expect(page.get_by_text("The composite is removed.")).to_be_visible()
    assert page.request.get(path).status == 404
    context.close()


def verified(program, file, folder, originals):
    """What `verify` says of the composite beside its photos."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "composite.jpg").write_bytes(file)
    for index, one in enumerate(originals):
        (folder / f"photo-{index}.jpg").write_bytes(one)
    answer = subprocess.run([program, "verify", str(folder / "composite.jpg"), "--format", "json"], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    told = json.loads(answer.stdout)
    assert told["composites"] == 1 and told["verdict"] == "intact", told
    assert any("the same picture" in one["message"] for one in told["findings"]), told


