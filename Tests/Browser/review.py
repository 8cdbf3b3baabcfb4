"""Sign-in, review and Return in a real Chromium, against a demonstration that keeps running.

    review.py PROGRAM FOLDER [PICTURES]

Starts PROGRAM's demonstration in FOLDER, prints one line for each thing seen, and ends with another
status than 0 at the first that is not as it must be. With PICTURES it keeps screenshots there.
"""
import atexit
import json
import signal
import subprocess
import sys
from playwright.sync_api import expect, sync_playwright

program = subprocess.Popen(
    [sys.argv[1], "demo", "--out", sys.argv[2], "--rate", "100", "--format", "json"],
    stdout=subprocess.PIPE, text=True)
atexit.register(program.kill)
line = program.stdout.readline()
if not line:
    sys.exit("the demonstration ended before its pages were there")
demo = json.loads(line)
people = {account["role"]: account for account in demo["accounts"]}
shots = sys.argv[3] if len(sys.argv) > 3 else None
messages = []


def sign_in(page, role, password=None):
    page.goto(demo["office"] + "/")
    page.get_by_label("Login").fill(people[role]["login"])
    page.get_by_label("Password").fill(password or people[role]["password"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()


def seen(words):
    print("seen:", words, flush=True)


def picture(page, name):
    if shots:
        page.wait_for_timeout(500)
        page.screenshot(path=f"{shots}/{name}.png")


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox"])

    def window(width, height):
        page = browser.new_context(viewport={"width": width, "height": height}).new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: messages.append(str(error)))
        return page

    officer = window(1280, 900)
    sign_in(officer, "officer", password="not the password")
    expect(officer.get_by_role("alert")).to_contain_text("login or password is wrong")
    seen("a wrong password is refused in words")
    sign_in(officer, "officer")
    expect(officer.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    expect(officer.get_by_role("row")).to_have_count(3)
    seen("two tasks in the list")

    # The story has accepted the task; an administrator opens it again.
    administrator = window(1280, 900)
    sign_in(administrator, "administrator")
    administrator.get_by_role("link", name="Sugar beet at the lane").click()
    administrator.get_by_label("Reason").fill("The claim was changed.")
    administrator.get_by_role("button", name="Reopen").click()
    expect(administrator.get_by_text("decide on the task again")).to_be_visible()
    seen("an administrator reopened the decision")

    officer.get_by_role("link", name="Sugar beet at the lane").click()
    expect(officer.locator(".photo-card")).to_have_count(2)
    expect(officer.get_by_text("authentic").first).to_be_visible()
    expect(officer.locator("[data-map][data-ready=yes] .map-number")).to_have_count(2)
    loaded = officer.locator("article img").first.evaluate("image => image.naturalWidth")
    assert loaded > 300, f"the photo is {loaded} pixels wide"
    seen("two photos with their verdicts, checks and a map")
    picture(officer, "office-task")
    officer.get_by_role("button", name="Return").click()
    assert officer.evaluate("document.activeElement.name") == "reason"
    seen("Return leads to the reason")
    reason = "The corner <b>cannot</b> be seen & the row neither."
    # Each item that the order asks for has a field for a reason of its own.
    officer.locator("textarea[name=reason]").fill(reason)
    officer.get_by_role("button", name="Return").click()
    # No other task waits for a decision: the list comes, and says what was done.
    expect(officer.get_by_text("went back to its inspector")).to_be_visible()
    # The inspector's device hears of it when it can no longer be undone.
    expect(officer.get_by_role("button", name="Undo")).to_be_visible()
    expect(officer.get_by_role("button", name="Undo")).to_have_count(0, timeout=15_000)
    officer.get_by_role("link", name="Sugar beet at the lane").click()
    expect(officer.get_by_text(reason).first).to_be_visible()
    seen("the task was returned, and the reason stands as it was written")

    inspector = window(400, 850)
    inspector.goto(demo["field"] + "/outbox")
    inspector.get_by_role("button", name="Deliver now").click()
    inspector.wait_for_load_state()
    inspector.get_by_role("link", name="Tasks", exact=True).click()
    inspector.locator("a.task", has_text="Sugar beet at the lane").click()
    expect(inspector.get_by_text(reason).first).to_be_visible()
    expect(inspector.get_by_role("link", name="Send")).to_be_visible()
    seen("the inspector reads the reason on a phone's screen")
    width = inspector.evaluate("document.documentElement.scrollWidth")
    assert width <= 400, f"the page is {width} px wide on a screen of 400"
    inspector.get_by_role("link", name="Take a photo").click()
    gate = inspector.locator(".gate strong")
    expect(gate).to_be_visible()
    # All the numbers, not one of them: once a second a fix of the same age is shown for ever.
    numbers = ".camera-panels"
    expect(inspector.locator(numbers)).to_contain_text("Age of the fix")
    inspector.wait_for_function(
        "([numbers, first]) => document.querySelector(numbers).textContent !== first",
        arg=[numbers, inspector.locator(numbers).text_content()])
    seen("the camera page lives")
    expect(gate).to_have_text("Standing still", timeout=90_000)
    picture(inspector, "field-gate")
    seen("the gate stands still")

    inspector.goto(demo["field"] + "/settings/receiver")
    # A machine that is busy may hear nothing for the few seconds of a test: it is made again then.
    for attempt in range(10):
        # The page of the try before looks the same: this one's answer is waited for.
        with inspector.expect_navigation(timeout=60_000):
            inspector.get_by_role("button", name="Test it").click()
        expect(inspector.get_by_role("heading", name="Test", exact=True)).to_be_visible(timeout=60_000)
        if inspector.get_by_text("GNGGA").is_visible():
            break
    expect(inspector.get_by_text("GNGGA")).to_be_visible()
    inspector.get_by_role("button", name="Find receivers").click()
    # This machine may have Bluetooth or not: it says so in words.
    expect(inspector.get_by_role("heading", name="Receiver", exact=True)).to_be_visible()
    width = inspector.evaluate("document.documentElement.scrollWidth")
    assert width <= 400, f"the settings are {width} px wide on a screen of 400"
    inspector.get_by_label("Receiver", exact=True).fill("serial://nothing")
    inspector.once("dialog", lambda dialog: dialog.accept())
    inspector.get_by_role("button", name="Use this receiver").click()
    expect(inspector.get_by_role("alert")).to_contain_text("a tty is named by its whole path")
    picture(inspector, "field-settings")
    inspector.goto(demo["field"] + "/settings/receiver")
    inspector.get_by_role("button", name="Test it").click()
    expect(inspector.get_by_role("heading", name="Test", exact=True)).to_be_visible()
    picture(inspector, "field-settings-test")
    seen("the settings test a receiver, and say what is wrong with another")

    # Without script the same pages do the same work.
    plain = browser.new_context(java_script_enabled=False).new_page()
    sign_in(plain, "officer")
    plain.get_by_role("link", name="Sugar beet at the lane").click()
    expect(plain.get_by_role("heading", name="Sugar beet at the lane")).to_be_visible()
    seen("sign-in and review without script")
    assert not messages, messages
    browser.close()

program.send_signal(signal.SIGTERM)
status = program.wait(timeout=30)
assert status == 0, f"the demonstration ended with {status}"
seen("both programs end when they are asked to")
