"""An officer's day in a real Chromium, with script and without, against a demonstration.

    officer_day.py PROGRAM FOLDER

Prints one line for each thing seen, and ends with another status than 0 at the first that is not as it
must be.
"""
import datetime
import json
import re
import sys
import urllib.parse
import zoneinfo

from playwright.sync_api import expect, sync_playwright

from stage import Stage, Window, chromium, seen

INSPECTOR = "Ines Nováková"
STORY = "Sugar beet at the lane"
stage = Stage(sys.argv[1], sys.argv[2])


def to_task(page, name=STORY):
    page.goto(stage.address["office"] + "/tasks?" + urllib.parse.urlencode({"sort": "name", "text": name}))
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def press(page, key):
    """A key counts only once the page has stood for a moment."""
    page.wait_for_timeout(800)
    page.keyboard.press(key)


def decided(page, words):
    # Where no other task waits for a decision the list comes, and says what was done.
    expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()


def reopen(page):
    to_task(page)
    page.locator("textarea[name=reason]").fill("The claim was changed.")
    page.get_by_role("button", name="Reopen").click()
    decided(page, "decide on the task again")


def desk(page):
    """One photo at a time: the strip, the arrow keys, the map and the address choose it."""
    shown = page.locator(".photo-card:visible .photo-words h2")
    expect(page.locator(".photo-card")).to_have_count(2)
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("Photo 1")
    press(page, "ArrowRight")
    expect(shown).to_contain_text("Photo 2")
    assert "#photo-" in page.url, page.url
    page.keyboard.press("ArrowRight")
    expect(shown).to_contain_text("Photo 2")
    page.locator(".desk-strip li a").first.click()
    expect(shown).to_contain_text("Photo 1")
    mark = page.locator(".live-map .map-number")
    expect(mark).to_have_count(2)
    expect(mark.first).to_have_class(re.compile("is-chosen"))
    mark.nth(1).dispatch_event("click")
    expect(shown).to_contain_text("Photo 2")
    expect(mark.nth(1)).to_have_class(re.compile("is-chosen"))
    page.reload()
    expect(shown).to_contain_text("Photo 2")
    page.locator(".verdict-line a").first.click()
    expect(shown).to_contain_text("Photo 1")
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    viewer = page.get_by_role("dialog", name="Photo")
    expect(viewer).to_be_visible()
    page.keyboard.press("+")
    assert viewer.locator("img").evaluate("one => one.style.width") == "200%"
    page.keyboard.press("-")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.viewer img').naturalWidth > 300")
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    expect(shown).to_contain_text("Photo 2")
    # At a desk the photo, its checks, the map and the decision stand in the window.
    height = page.viewport_size["height"]
    page.evaluate("scrollTo(0, 0)")
    for part in (".photo-large:visible", ".desk-map", ".desk-decision", ".desk-strip"):
        box = page.locator(part).first.bounding_box()
        assert box["height"] > 40 and box["y"] + box["height"] <= height + 1, (part, box, height)
    press(page, "c")
    expect(page.get_by_role("heading", name=STORY)).to_be_visible()
    expect(page.locator(".compare .photo-card")).to_have_count(2)
    pair = page.locator("[data-pair]")
    expect(page.get_by_role("button", name="Side by side", exact=True)).to_be_visible()
    for key, name in (("2", "wipe"), ("3", "over"), ("1", "side")):
        press(page, key)
        expect(pair).to_have_attribute("data-shown", name)
    press(page, "2")
    page.get_by_label("Share of the later photo").fill("30")
    page.get_by_label("Zoom").fill("3")
    # Both pictures are as large as each other, moved together, and come whole.
    frames = page.locator(".pair-frame")
    frames.last.evaluate("(frame) => { frame.scrollLeft = 120; }")
    page.wait_for_function("""() => {
      const [one, other] = document.querySelectorAll(".pair-frame");
      return one.scrollLeft === 120 && one.scrollWidth === other.scrollWidth
        && [...document.querySelectorAll(".pair img")].every((picture) => picture.src.endsWith("photo.jpg"));
    }""")
    expect(page.locator("main")).to_contain_text("Picture displaced by")
    expect(page.locator("main")).to_contain_text(re.compile("features agree|cannot be compared \\("))
    page.get_by_label("Zoom").fill("1")
    page.screenshot(path=f"out/screenshots/compare-{page.viewport_size['width']}.png", full_page=True)
    press(page, "u")
    # The next key counts only once this page has come.
    expect(page.locator("[data-desk].is-live")).to_be_visible()
    seen("the desk: photos by keys, strip, map and verdict, zoomed, compared, all in one window")


def usual_reasons(page, administrator):
    """A decision is undone, and made again with a reason from the agency's list."""
    press(page, "z")
    expect(page.get_by_text("No device has heard of the decision.")).to_be_visible()
    expect(page.locator("textarea[name=reason]")).to_have_value(re.compile("cannot</b> be seen"))
    administrator.get_by_role("link", name="Policy").click()
    administrator.get_by_label("Reasons to return").fill("Blurred\nThe corner is missing")
    administrator.get_by_role("button", name="Save the reasons").click()
    expect(administrator.get_by_text("Officers see the reasons at once.")).to_be_visible()
    to_task(page)
    page.locator("textarea[name=reason]").fill("")
    page.get_by_label("Usual reasons").select_option("Blurred")
    expect(page.locator("textarea[name=reason]")).to_have_value("Blurred")
    page.locator("textarea[name=reason]").fill("")
    page.locator("h1").click()
    press(page, "r")
    page.keyboard.press("ArrowUp")
    expect(page.locator("textarea[name=reason]")).to_have_value("The corner is missing")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("textarea[name=reason]")).to_have_value("Blurred")
    page.keyboard.press("Control+Enter")
    decided(page, "went back to its inspector")
    # A device hears of it when it can no longer be undone.
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0, timeout=15_000)


def send_again(page):
    """The inspector hears of the return, and sends the task as it is."""
    page.goto(stage.address["field"] + "/outbox")
    page.get_by_role("button", name="Deliver now").click()
    page.goto(stage.address["field"] + "/tasks")
    page.locator("a.task", has_text=STORY).click()
    page.get_by_role("link", name="Send", exact=True).click()
    page.get_by_role("button", name="Send", exact=True).click()
    page.goto(stage.address["field"] + "/outbox")
    page.get_by_role("button", name="Deliver now").click()
    expect(page.get_by_text("Nothing is waiting")).to_be_visible(timeout=60_000)


def filter_and_sort(page):
    page.goto(stage.address["office"] + "/tasks")
    expect(page.locator("tbody tr")).to_have_count(50)
    page.get_by_label("Search").fill("beet")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.get_by_text("1 task", exact=True)).to_be_visible()
    assert "text=beet" in page.url, page.url
    page.get_by_role("link", name="Show all").click()
    page.locator(".more-filters summary").first.click()
    page.get_by_label("State").select_option(label="✗ Declined")
    page.get_by_role("button", name="Show these").click()
    expect(page.locator(".more-filters summary").first).to_have_text("Filter (1)")
    expect(page.get_by_text("No task matches this filter.")).to_be_visible()
    page.get_by_role("link", name="Show all").first.click()
    for direction in ("ascending", "descending"):
        page.get_by_role("columnheader", name="Task", exact=True).get_by_role("link").click()
        expect(page.locator(f"th[aria-sort={direction}]")).to_have_text("Task")
    names = page.locator("td[data-label=Task]").all_text_contents()
    # The database knows the order of letters without accents alone; the others come behind them.
    plain = [name for name in names if name.isascii()]
    assert plain == sorted(plain, key=str.lower, reverse=True), names


def order(page, name):
    page.goto(stage.address["office"] + "/tasks")
    page.get_by_role("link", name="New task").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("checkbox", name=INSPECTOR).check()
    page.get_by_label("Instructions").fill("From the gate <i>eastward</i> & back.")
    page.get_by_label("Due").fill("2027-05-31")
    page.get_by_label("Parcel identifier").fill("DAY-1")
    page.get_by_label("Parcel outline").fill("[[16.6386, 49.0837]")
    page.get_by_role("button", name="Order").click()
    expect(page.get_by_role("alert")).to_contain_text("parcel outline")
    # What was written is still there.
    expect(page.get_by_label("Name", exact=True)).to_have_value(name)
    page.get_by_label("Parcel outline").fill(
        "[[16.6386, 49.0837], [16.6395, 49.0838], [16.6394, 49.0832]]")
    page.get_by_role("button", name="Order").click()
    expect(page.get_by_text("The task is ordered.")).to_be_visible()
    expect(page.get_by_text("From the gate <i>eastward</i> & back.")).to_be_visible()
    expect(page.get_by_text("2027-05-31")).to_be_visible()


def pick(page, has_script):
    """A parcel of the register goes into the form from the map, or by its identifier."""
    page.goto(stage.address["office"] + "/tasks/new")
    page.get_by_label("Name", exact=True).fill("A meadow")
    page.get_by_role("checkbox", name=INSPECTOR).check()
    page.get_by_label("Parcel identifier").fill("GREEN-99")
    page.get_by_role("button", name="Order").click()
    expect(page.get_by_role("alert")).to_contain_text("has no parcel GREEN-99")
    if has_script:
        shapes = page.locator(".leaflet-parcels-pane path.leaflet-interactive")
        expect(shapes).to_have_count(2)
        shapes.first.click()
        expect(page.get_by_role("status").filter(has_text="Selected: GREEN-")).to_be_visible()
        # Written, it is shown: the map goes there.
        page.get_by_label("Parcel identifier").fill("GREEN-99")
        page.get_by_label("Parcel identifier").press("Tab")
        expect(page.get_by_text("There is no parcel with this identifier in the register.")).to_be_visible()
        shapes.last.click()
        assert re.fullmatch(r"GREEN-[12]", page.get_by_label("Parcel identifier").input_value())
    else:
        page.get_by_label("Parcel identifier").fill("GREEN-2")
    page.get_by_role("button", name="Order").click()
    expect(page.get_by_text("The task is ordered.")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("GREEN-[12]"))).to_be_visible()
    page.get_by_role("button", name="Withdraw").click()
    page.wait_for_load_state()


def draw(page):
    """An outline is drawn by mouse and by keyboard, changed, cleared, and read from what is pasted."""
    page.goto(stage.address["office"] + "/tasks/new")
    page.get_by_label("Name", exact=True).fill("Drawn by hand")
    page.get_by_role("checkbox", name=INSPECTOR).check()
    field = page.get_by_label("Parcel outline")
    area = page.get_by_role("region", name="Map")
    count = lambda: len(json.loads(field.input_value() or "[]"))
    expect(page.get_by_role("button", name="Clear")).to_be_disabled()
    page.get_by_role("button", name="Draw the outline").click()
    expect(page.get_by_text("Click the corners one after the other.")).to_be_visible()
    box = area.bounding_box()
    for across, down in ((.3, .3), (.6, .3), (.6, .6)):
        page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * down)
        page.wait_for_timeout(300)
    assert count() == 3, field.input_value()
    area.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(500)
    page.keyboard.press("Enter")
    assert count() == 4, field.input_value()
    page.keyboard.press("Backspace")
    assert count() == 3, field.input_value()
    page.get_by_role("button", name="Close the outline").click()
    expect(page.get_by_text("3 corners, about")).to_be_visible()
    page.get_by_role("button", name="Undo the last corner").click()
    assert count() == 2, field.input_value()
    page.get_by_role("button", name="Clear").click()
    expect(field).to_have_value("")
    field.fill('{"type": "Polygon", "coordinates": [[[16.6386, 49.0837], [16.6395, 49.0838], [16.6394, 49.0832],'
               ' [16.6386, 49.0837]]]}')
    field.press("Tab")
    expect(page.locator(".map-corner")).to_have_count(3)
    expect(page.get_by_text("3 corners, about 0.22 ha.")).to_be_visible()
    whole = field.input_value()
    # A hole would be lost with the first corner that is moved: nothing is drawn, and the text stays.
    for other in (whole.replace("]]]}", "]], [[16.6390, 49.0836], [16.6392, 49.0836], [16.6391, 49.0834]]]}"), "[[16.6"):
        field.fill(other)
        field.press("Tab")
        expect(page.get_by_text("This outline cannot be drawn here")).to_be_visible()
        expect(page.locator(".map-corner")).to_have_count(0)
        page.get_by_role("button", name="Draw the outline").click()
        page.keyboard.press("Escape")
        expect(field).to_have_value(other)
    field.fill(whole)
    field.press("Tab")
    expect(page.locator(".map-corner")).to_have_count(3)
    page.get_by_role("button", name="Order").click()
    expect(page.get_by_text("The task is ordered.")).to_be_visible()
    page.get_by_role("button", name="Withdraw").click()
    page.wait_for_load_state()


def local_times():
    """Times are those of the browser's zone, and say UTC when they are pointed at."""
    window = Window(browser, stage, timezone_id="Asia/Kathmandu")
    stage.sign_in(window.page, "officer")
    window.page.get_by_role("button", name="Čeština").click()
    window.page.wait_for_load_state()
    window.page.goto(stage.address["office"] + "/log")
    time = window.page.locator("td time").first
    shown, utc = time.inner_text(), time.get_attribute("title")
    moment = datetime.datetime.fromisoformat(time.get_attribute("datetime").replace("Z", "+00:00"))
    here = moment.astimezone(zoneinfo.ZoneInfo("Asia/Kathmandu"))
    assert " ".join(shown.split()) == f"{here.day}. {here.month}. {here.year} {here:%H:%M:%S}", shown
    assert utc == f"{moment.day}. {moment.month}. {moment.year} {moment:%H:%M:%S} UTC", utc
    expect(window.page.get_by_text("Asia/Katmandu").or_(window.page.get_by_text("Asia/Kathmandu"))).to_be_visible()
    complaints = window.heard()
    assert not complaints, complaints


def parcels_on_map(page):
    """The register on the map: drawn, named when it is pressed, put away in the layers' list."""
    page.goto(stage.address["office"] + "/map#map=16/49.09040/16.64600")
    shapes = page.locator(".leaflet-parcels-pane path.leaflet-interactive")
    expect(shapes).to_have_count(2)
    # Tasks were ordered for both by now, and a task's own parcel lies above the register's.
    shapes.first.dispatch_event("click", {"bubbles": True})
    expect(page.locator(".leaflet-popup").get_by_text(re.compile("GREEN-[12]"))).to_be_visible()
    expect(page.get_by_role("link", name="Order a task here")).to_be_visible()
    page.get_by_label("Parcels of the register").uncheck()
    expect(shapes).to_have_count(0)


def change_and_withdraw(page, name):
    page.get_by_role("link", name="Change the order").click()
    page.get_by_label("Instructions").fill("From the gate westward.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The earlier order is kept.")).to_be_visible()
    page.get_by_text("Earlier orders").click()
    expect(page.get_by_text("eastward")).to_be_visible()
    page.get_by_role("button", name="Withdraw").click()
    page.wait_for_load_state()
    to_task(page, name)
    expect(page.get_by_text("Nothing to decide: the task is Withdrawn.")).to_be_visible()


def exports(page):
    to_task(page)
    for name, beginning in (("PDF", b"%PDF-"), ("KML", b"<?xml"), ("Bundle of evidence", b"PK")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name, exact=True).click()
        with open(download.value.path(), "rb") as file:
            assert file.read(len(beginning)) == beginning, name
    # One that takes long says so, and is stopped.
    page.route("**/task.pdf", lambda route: None)
    page.get_by_role("link", name="PDF", exact=True).click()
    dialog = page.get_by_role("dialog", name="A file")
    expect(dialog.get_by_text("Preparing the file.")).to_be_visible()
    with page.expect_event("requestfailed"):
        dialog.get_by_role("button", name="Stop").click()
    expect(dialog).to_be_hidden()
    page.unroute("**/task.pdf")


def sign_out(page):
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in to the office")).to_be_visible()
    page.goto(stage.address["office"] + "/log")
    assert "/sign-in?to=" in page.url, page.url


with sync_playwright() as playwright, chromium(playwright) as browser:
    officer = Window(browser, stage)
    administrator = Window(browser, stage)
    inspector = Window(browser, stage, "phone")
    page = officer.page
    stage.sign_in(page, "officer", password="not the password")
    expect(page.get_by_role("alert")).to_contain_text("login or password is wrong")
    expect(page.get_by_label("Login")).to_have_value(stage.people["officer"]["login"])
    stage.sign_in(page, "officer")
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    seen("signed in, after one wrong password")
    filter_and_sort(page)
    seen("the list by words, by state, and in the order of a column")

    stage.sign_in(administrator.page, "administrator")
    reopen(administrator.page)
    page.goto(stage.address["office"] + "/tasks")
    press(page, "/")
    assert page.evaluate("document.activeElement.name") == "text"
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    press(page, "j")
    page.wait_for_url("**/tasks/*list=*")
    first = page.locator("h1").inner_text()
    press(page, "j")
    expect(page.locator("h1")).not_to_have_text(first)
    press(page, "k")
    expect(page.locator("h1")).to_have_text(first)
    press(page, "u")
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    seen("from task to task and back to the list by keys")

    to_task(page)
    desk(page)
    # Its key leads to the reason; what is typed there, an "a" among it, does nothing else.
    press(page, "r")
    assert page.evaluate("document.activeElement.name") == "reason"
    # The button without a reason leads there, too.
    page.evaluate("document.activeElement.blur()")
    page.get_by_role("button", name="Return", exact=True).click()
    assert page.evaluate("document.activeElement.name") == "reason"
    # Sent without one: the page that says so has no keys, and the reason has the focus.
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("without a reason")
    assert page.evaluate("document.activeElement.name") == "reason"
    page.locator("h1").click()
    for key in "Please, a r d w o j k":
        page.keyboard.press("Space" if key == " " else key)
    expect(page.get_by_role("alert")).to_contain_text("without a reason")
    page.locator("textarea[name=reason]").click()
    page.keyboard.type("Please: the corner <b>cannot</b> be seen & the row neither.")
    page.keyboard.press("Control+Enter")
    decided(page, "went back to its inspector")
    seen("returned with a reason, by keys")
    usual_reasons(page, administrator.page)
    seen("undone by z with its words kept, and returned with a reason from the list, by three keys")
    send_again(inspector.page)
    to_task(page)
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    press(page, "a")
    page.wait_for_timeout(300)
    assert "a simulated receiver" in asked[0] and "Accept anyway?" in asked[0], asked
    page.once("dialog", lambda dialog: dialog.accept())
    press(page, "a")
    decided(page, "The task is accepted.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("No device has heard of the decision.")).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    press(page, "a")
    decided(page, "The task is accepted.")
    seen("sent again, and accepted by key after the question what speaks against it")

    # The same without script: a decision, an order, a change, a search.
    plain = Window(browser, stage, script=False)
    reopen(administrator.page)
    stage.sign_in(plain.page, "officer")
    filter_and_sort(plain.page)
    to_task(plain.page)
    plain.page.get_by_role("button", name="Decline").click()
    expect(plain.page.get_by_role("alert")).to_contain_text("without a reason")
    plain.page.locator("textarea[name=reason]").fill("Another crop stands there.")
    plain.page.get_by_role("button", name="Decline").click()
    decided(plain.page, "The task is declined.")
    seen("searched and declined without script")
    for one, name in ((page, "The headland"), (plain.page, "The headland again")):
        order(one, name)
        change_and_withdraw(one, name)
    seen("ordered, changed and withdrawn, with script and without")
    pick(page, True)
    draw(page)
    seen("an outline drawn, and pasted")
    local_times()
    seen("times of the browser's zone")
    pick(plain.page, False)
    parcels_on_map(page)
    seen("a parcel of the register from the map, by its identifier, and on the map of everything")
    exports(page)
    seen("PDF, KML and bundle")
    page.get_by_role("link", name="Photos without a task").click()
    page.locator(".gallery a").first.click()
    expect(page.get_by_role("article").first).to_be_visible()
    image = page.get_by_role("article").first.locator("img")
    image.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('article img').naturalWidth > 300")
    seen("photos without a task")
    page.get_by_role("link", name="Log", exact=True).click()
    for action in ("task-declined", "task-accepted", "task-decision-undone", "task-returned", "task-withdrawn", "task-ordered"):
        expect(page.get_by_text(action, exact=True).first).to_be_visible()
    seen("each of it in the log")
    answer = page.goto(stage.address["office"] + "/people")
    assert answer.status == 403, answer.status
    expect(page.get_by_text("you need the role administrator")).to_be_visible()
    seen("an officer does not see people")

    page = administrator.page
    page.get_by_role("link", name="People").click()
    form = page.locator("form[action='/people']")
    form.get_by_label("Login").fill("olga")
    form.get_by_label("Full name").fill("Olga Nováková-Kim")
    form.get_by_label("Role").select_option("officer")
    form.get_by_label("Password").fill("a password for olga")
    form.get_by_role("button", name="Add").click()
    expect(page.get_by_role("row").filter(has_text="olga")).to_be_visible()
    # It asks first.
    page.get_by_role("row").filter(has_text="olga").locator("summary", has_text="Disable").click()
    page.get_by_role("row").filter(has_text="olga").get_by_role("button", name="Disable").click()
    expect(page.get_by_role("row").filter(has_text="olga")).to_contain_text("no, since")
    stage.people["olga"] = {"login": "olga", "password": "a password for olga"}
    stage.sign_in(plain.page, "olga")
    expect(plain.page.get_by_role("alert")).to_be_visible()
    page.get_by_role("row").filter(has_text="olga").get_by_role("button", name="Enable").click()
    expect(page.get_by_role("row").filter(has_text="olga")).to_contain_text("yes")
    stage.sign_in(plain.page, "olga")
    expect(plain.page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    seen("somebody is added, shut out, and let in again")
    page.get_by_role("link", name="Policy").click()
    page.get_by_label("Deliver photos of a task as soon as they are taken").select_option("on")
    page.get_by_label("Remove delivered photos from the field unit after this many days").fill("90")
    page.get_by_role("button", name="Save the policy").click()
    expect(page.get_by_text("Field units get it at their next contact.")).to_be_visible()
    expect(page.get_by_label("Remove delivered photos from the field unit after this many days")).to_have_value("90")
    seen("the policy")
    page.get_by_role("link", name="People").click()
    device = page.get_by_role("row").filter(has_text="ines").locator("details").first
    device.locator("summary").click()
    device.get_by_label("Reason").fill("lost in a ditch")
    device.get_by_role("button", name="Revoke").click()
    device = page.get_by_role("row").filter(has_text="ines").locator("details").first
    device.locator("summary").click()
    expect(device).to_contain_text("revoked: lost in a ditch")
    inspector.page.goto(stage.address["field"] + "/outbox")
    inspector.page.get_by_role("button", name="Deliver now").click()
    expect(inspector.page.get_by_text(re.compile("revoked")).first).to_be_visible(timeout=30_000)
    seen("a device is revoked, and its inspector reads it")
    sign_out(page)
    officer.page.goto(stage.address["office"] + "/tasks")
    sign_out(officer.page)
    sign_out(plain.page)
    seen("signed out")
stage.end()
seen("both programs end when they are asked to")
