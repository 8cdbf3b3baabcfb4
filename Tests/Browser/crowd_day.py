#!/usr/bin/env python3
"""An officer's and an inspector's way through fifty tasks with real names, at desk and phone size: what can be
clicked is clicked, what can be pressed is pressed, and any script error of any page fails it.

    crowd_day.py PROGRAM FOLDER [PICTURES]
"""
import pathlib
import re
import sys
import urllib.parse

from playwright.sync_api import expect, sync_playwright

import crowd
from crowd import MANY, NEXT
from stage import Stage, Window, chromium, seen

ROWS = 18
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
stage = Stage(sys.argv[1], sys.argv[2])
crowd.photograph(sys.argv[1], sys.argv[2], stage.address["office"], f"{sys.argv[2]}/data")
IDENTIFIER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# What takes this window out of the test: signing out is clicked at the end of other days.
NOT_CLICKED = re.compile(r"sign-out|^mailto:|\.(kml|kmz|gpx|geojson|gpkg|csv|pdf|zip|pem|jpg)(\?|$)")


def picture(page, name):
    if PICTURES:
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(400)
        page.screenshot(path=PICTURES / f"crowd-{name}-{page.viewport_size['width']}.png")


def fits(page, what):
    """Nothing of a page lies beside its screen, and no word is cut in two that has room in its line."""
    page.wait_for_timeout(200)
    wide, screen = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= screen, f"{what}: {wide} px wide on a screen of {screen}"


def same(address):
    """An address without what tells one thing of a kind from another: one of each kind is clicked."""
    parts = urllib.parse.urlsplit(address)
    names = ",".join(sorted(urllib.parse.parse_qs(parts.query)))
    return IDENTIFIER.sub("{id}", parts.path) + "?" + names + "#" + parts.fragment


def click_all(window, address, clicked):
    """Each thing of a page that leads somewhere or opens something, one after the other, always from the page anew."""
    page = window.page
    page.goto(address)
    page.wait_for_load_state()
    links = page.locator("a[href]:visible").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    for href in dict.fromkeys(links):
        kind = same(href)
        if kind in clicked or NOT_CLICKED.search(href) or href.startswith("http"):
            continue
        clicked.add(kind)
        link = page.locator(f'a[href="{href}"]:visible').first
        if not link.count():
            continue
        if href == "#":
            # A map's buttons; one that leads no further is not pressed.
            page.locator('a[href="#"]:visible').evaluate_all(
                "all => all.forEach((one) => one.ariaDisabled === 'true' || one.click())")
            continue
        if href.startswith("#"):
            # A place of the same page: by key, as whoever skips the menu goes there.
            assert page.locator(f'[id="{href[1:]}"]').count() == 1, f"{address}: there is no {href}"
            link.focus()
            page.keyboard.press("Enter")
            continue
        with page.expect_response(lambda answer: answer.request.is_navigation_request()) as told:
            link.click()
        page.wait_for_load_state()
        assert told.value.status < 400, f"{address}: {href} answers {told.value.status}"
        fits(page, f"{address}: {href}")
        page.goto(address)
    # What opens and closes on the page itself.
    for number in range(page.locator("summary:visible").count()):
        page.locator("summary:visible").nth(number).click()
        fits(page, f"{address}, opened {number}")
    return len(clicked)


def legible(page, cells, least):
    """No name stands in a column of a few letters, and no login is cut in two."""
    boxes = page.locator(cells).evaluate_all("all => all.map((one) => one.getBoundingClientRect().width)")
    assert boxes and min(boxes) >= least, f"{cells} is {min(boxes):.0f} px wide"


def rows_in_view(page):
    return page.locator("tbody tr").evaluate_all(
        "all => all.filter((one) => { const box = one.getBoundingClientRect();"
        " return box.top >= 0 && box.bottom <= innerHeight }).length")


def tick(page):
    """Shift ticks a range, the box in the head all of the page."""
    boxes = page.locator("tbody input[type=checkbox]")
    ticked = page.locator("tbody input[type=checkbox]:checked")
    boxes.nth(2).click()
    boxes.nth(7).click(modifiers=["Shift"])
    expect(ticked).to_have_count(6)
    boxes.nth(4).click(modifiers=["Shift"])
    expect(ticked).to_have_count(2)
    page.get_by_label("Select all on this page").click()
    expect(ticked).to_have_count(50)
    page.get_by_label("Select all on this page").click()
    expect(ticked).to_have_count(0)


def office_list(window, where):
    page = window.page
    page.goto(stage.address["office"] + "/tasks")
    expect(page.locator("tbody tr")).to_have_count(50)
    fits(page, "the list")
    picture(page, "office-list")
    if where == "desk":
        legible(page, "td[data-label=Task]", 180)
        assert rows_in_view(page) >= ROWS, f"{rows_in_view(page)} rows are in view"
        tick(page)
    else:
        assert rows_in_view(page) >= 1, "the first task is not in view"
    headers = page.locator("thead th a").count()
    if where == "desk":
        for number in range(headers):
            for _ in range(2):
                page.locator("thead th a").nth(number).click()
                page.wait_for_load_state()
            expect(page.locator("tbody tr")).to_have_count(50)
            expect(page.locator("th[aria-sort]:not([aria-sort=none])")).to_have_count(1)
        seen(f"{where}: each of {headers} columns sorts both ways, 18 rows and more in view, ticked by range")
    # Every choice of every filter: as many rows as it says.
    page.goto(stage.address["office"] + "/tasks")
    selects = page.locator("form[role=search] select, .filter select").evaluate_all(
        "all => all.map((one) => [one.name, [...one.options].map((option) => option.value)])")
    assert selects, "the list has no filter"
    tried = 0
    for name, values in selects:
        for value in values:
            answer = page.goto(stage.address["office"] + "/tasks?" + urllib.parse.urlencode({name: value}))
            assert answer.status == 200, (name, value, answer.status)
            tried += 1
    page.goto(stage.address["office"] + "/tasks")
    page.get_by_label("Search").fill("Žďár")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    seen(f"{where}: {tried} choices of the filters, and words with accents")


def columns(window):
    """Columns are chosen, kept by the browser, and brought back."""
    page = window.page
    heads = page.locator("thead th")

    def choose(*names, ticked):
        page.locator("summary", has_text="Columns").click()
        for name in names:
            page.locator(".columns").get_by_label(name, exact=True).set_checked(ticked)
        page.locator(".columns").get_by_role("button").click()
        page.wait_for_load_state()
    page.goto(stage.address["office"] + "/tasks?state=new")
    count = heads.count()
    choose("Type", "Instructions", ticked=True)
    expect(heads).to_have_count(count + 2)
    assert "state=new" in page.url
    picture(page, "office-columns")
    page.goto(stage.address["office"] + "/tasks?" + urllib.parse.urlencode({"text": "Hrušovany"}))
    expect(page.get_by_text("Fotografujte proti svahu.").first).to_be_visible()
    choose("Inspector", "Photos", "Due", "Ordered", "Type", "Instructions", ticked=False)
    expect(heads).to_have_count(count - 4)
    choose("Inspector", "Photos", "Due", "Ordered", ticked=True)
    expect(heads).to_have_count(count)
    seen("columns are chosen, kept, and chosen back")


def states_on_map(window):
    """Each state has a sign and a line in the legend; a click on a sign opens the task's card."""
    page = window.page
    page.goto(stage.address["office"] + "/map#map=14/49.108/16.63")
    expect(page.locator(".map-legend li").first).to_be_visible()
    shown = page.locator(".map-legend li").all_inner_texts()
    assert any("New" in one for one in shown), shown
    expect(page.locator(".leaflet-marker-icon.map-state.state-new").first).to_be_visible()
    picture(page, "office-map-states")
    page.locator(".leaflet-marker-icon.map-state.state-new").first.click()
    expect(page.locator(".leaflet-popup a[href^='/tasks/']")).to_be_visible()
    expect(page.locator(".leaflet-popup")).to_contain_text("New")
    seen(f"states on the map, with a legend: {', '.join(one.strip() for one in shown)}")


def without_a_task(window, where):
    """Photos without a task: ticked on the map and by range, given to the nearest task at once, and taken back."""
    page = window.page
    page.goto(stage.address["office"] + "/photos")
    boxes = page.locator(".gallery input[type=checkbox]")
    ticked = page.locator(".gallery input[type=checkbox]:checked")
    expect(page.locator("[data-map][data-ready=yes] .map-number")).to_have_count(boxes.count())
    assert boxes.count() >= 4, boxes.count()
    fits(page, "the photos without a task")
    picture(page, "office-photos-map")
    # By the newest first: the one that no task is near, then three within a parcel.
    inside = page.locator(".gallery li", has_text="Inside the parcel of").count()
    assert inside >= 3, inside
    page.locator(".map-number").nth(3).dispatch_event("click")
    expect(ticked).to_have_count(1)
    expect(page.locator(".map-number.is-chosen")).to_have_count(1)
    boxes.nth(1).click(modifiers=["Shift"])
    expect(ticked).to_have_count(3)
    page.get_by_role("button", name="Select the photos in this view").click()
    expect(ticked).to_have_count(boxes.count())
    page.get_by_role("button", name="Assign each to its nearest task").click()
    # The story has left a photo without a task, too.
    expect(page.get_by_text("4 photos assigned.")).to_be_visible()
    expect(page.get_by_text("no task of its inspector is near: select one").first).to_be_visible()
    picture(page, "office-photos-assigned")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("4 photos have no task again.")).to_be_visible()
    page.get_by_role("link", name="Back to the list").click()
    expect(page.locator(".gallery li", has_text="Inside the parcel of")).to_have_count(inside)
    page.get_by_role("button", name="Assign all to this task").click()
    expect(page.get_by_text("Select photos in the list first.")).to_be_visible()
    seen(f"{where}: four photos given to the nearest task at once, one without any left, all taken back")


def office_walk(window, where):
    """From the first to the last by one key, and back."""
    page = window.page
    page.goto(stage.address["office"] + "/tasks")
    page.get_by_role("link", name="Start review").click()
    names = []
    while True:
        page.wait_for_load_state()
        names.append(page.locator("h1").inner_text())
        if not page.locator("[data-key=j]").count():
            break
        before = page.url
        page.wait_for_timeout(750)
        page.keyboard.press("j")
        page.wait_for_url(lambda url, before=before: url != before)
    assert len(names) == len(set(names)) >= 54, f"{len(names)} tasks, {len(set(names))} names"
    page.wait_for_timeout(750)
    page.keyboard.press("k")
    expect(page.locator("h1")).to_have_text(names[-2])
    page.wait_for_timeout(750)
    page.keyboard.press("u")
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    seen(f"{where}: j through {len(names)} tasks, k back, u to the list")


def open_many(page):
    page.goto(stage.address["office"] + "/tasks?" + urllib.parse.urlencode({"text": "Lanžhot"}))
    page.get_by_role("link", name=MANY, exact=True).click()
    expect(page.get_by_role("heading", name=MANY, exact=True)).to_be_visible()


def office_task(window, where):
    """A task with nine photos: each is loaded, named and opened; keys that are none of the page's do nothing."""
    page = window.page
    open_many(page)
    articles = page.locator(".photo-card")
    expect(articles).to_have_count(9)
    fits(page, MANY)
    picture(page, "office-task")
    for number in range(9):
        page.locator(".desk-strip li a").nth(number).click()
        image = articles.nth(number).locator("img").first
        expect(image).to_be_visible()
        page.wait_for_function("one => one.complete && one.naturalWidth > 100", arg=image.element_handle())
    address = page.url
    for key in "abcdefghilmnopqstvxyz":
        if page.locator(f"[data-key={key}]").count():
            continue
        page.keyboard.press(key)
    assert page.url == address, page.url
    for key in ("Tab", "Shift+Tab", "Escape", "Home", "End", "PageDown", "Space"):
        page.keyboard.press(key)
    assert page.url.split("#")[0] == address.split("#")[0], page.url
    keys = page.locator("[data-key]").evaluate_all("all => all.map((one) => one.dataset.key)")
    for key in ("r", "d"):
        assert key in keys, keys
        page.locator("h1").click()
        page.wait_for_timeout(750)
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.name") == "reason", key
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur()")
    seen(f"{where}: nine photos in one task, its keys {' '.join(sorted(set(keys)))}")


def office_pages(window, where, role):
    clicked = set()
    open_many(window.page)
    many = window.page.url.split("?")[0]
    for path in ("/tasks", "/map", "/tracks", "/photos", "/inspectors", "/statistics", "/templates", "/log",
                 "/account"):
        click_all(window, stage.address["office"] + path, clicked)
    click_all(window, many, clicked)
    if role == "administrator":
        for path in ("/people", "/policy", "/phones"):
            click_all(window, stage.address["office"] + path, clicked)
            picture(window.page, "office" + path.replace("/", "-"))
    seen(f"{where}: {role}: {len(clicked)} kinds of links clicked, each summary opened")


def decide(window):
    """A decision by key leads to the next task that waits, and names what was decided."""
    page = window.page
    page.goto(stage.address["office"] + "/tasks?state=dataProvided&sort=name")
    page.get_by_role("link", name=MANY, exact=True).click()
    # A key that is still on its way when the page comes decides nothing.
    page.keyboard.press("a")
    page.wait_for_timeout(800)
    expect(page.get_by_role("heading", name=MANY, exact=True)).to_be_visible()
    late = window.context.new_page()
    late.goto(page.url)
    page.once("dialog", lambda dialog: dialog.accept())
    page.evaluate("globalThis.isSame = true")
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name=NEXT, exact=True)).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=MANY)).to_be_visible()
    # Without loading anew; the map of the task before is gone, the keys and the count of the undo work.
    assert page.evaluate("globalThis.isSame") is True and NEXT in page.title()
    expect(page.locator(".desk-map .map-number.is-chosen")).to_have_count(1)
    expect(page.locator(".leaflet-container")).to_have_count(1)
    expect(page.locator("[data-left]")).not_to_have_text("10")
    picture(page, "office-next")
    seen("accepted by key: the next task that waits comes, and says which was decided")
    # Somebody else has looked at the same task meanwhile.
    late.locator("textarea[name=reason]").fill("The far corner is missing.")
    late.get_by_role("button", name="Return", exact=True).click()
    expect(late.get_by_role("alert").first).to_contain_text("after you opened this page")
    expect(late.get_by_text("The far corner is missing.").first).to_be_visible()
    late.close()
    page.go_back()
    expect(page.get_by_role("heading", name=MANY, exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Accept", exact=True)).to_have_count(0)
    page.go_forward()
    expect(page.get_by_role("heading", name=NEXT, exact=True)).to_be_visible()
    seen("a second decision on the same task is refused with its words kept; Back shows the task as it is now")


def field_list(window, where):
    page = window.page
    home = stage.address["field"]
    page.goto(home + "/outbox")
    page.get_by_role("button", name="Deliver now").click()
    expect(page.get_by_text("Nothing is waiting")).to_be_visible(timeout=60_000)
    page.goto(home + "/tasks")
    rows = page.locator("main a[href^='/tasks/']")
    assert rows.count() >= 41, rows.count()
    fits(page, "the field unit's tasks")
    picture(page, "field-list")
    selects = page.locator("main form[method=get] select, main form:not([method]) select").evaluate_all(
        "all => all.map((one) => [one.name, [...one.options].map((option) => option.value)])")
    tried = 0
    for name, values in selects:
        for value in values:
            answer = page.goto(home + "/tasks?" + urllib.parse.urlencode({name: value}))
            assert answer.status == 200, (name, value, answer.status)
            fits(page, f"tasks by {name} {value}")
            tried += 1
    page.goto(home + "/tasks?" + urllib.parse.urlencode({"text": "Žatec"}))
    assert page.locator("main a[href^='/tasks/']").count() == 1
    page.locator("main a[href^='/tasks/']").first.click()
    expect(page.locator("h1")).to_contain_text("Žatec")
    picture(page, "field-task")
    seen(f"{where}: the inspector's list of {tried} choices, and one task by its words")


def field_pages(window, where):
    clicked = set()
    home = stage.address["field"]
    for path in ("/", "/tasks", "/photos", "/map", "/tracks", "/outbox", "/outbox/receipts", "/settings",
                 "/settings/receiver", "/settings/defaults", "/sky", "/about", "/start"):
        click_all(window, home + path, clicked)
    picture(window.page, "field-start")
    seen(f"{where}: the field unit: {len(clicked)} kinds of links clicked, each summary opened")


def field_rows(browser):
    """Fifty photos and tracks: on a small phone the first row is in view, and in the outbox an entry is one line."""
    crowd.fill(f"{sys.argv[2]}/data/field/standpoint.sqlite", 52)
    window = Window(browser, stage, "phone")
    page = window.page
    home = stage.address["field"]

    def first_in_view(path, row, least):
        assert page.locator(row).count() >= least, f"{path}: {page.locator(row).count()} rows"
        box = page.locator(row).first.bounding_box()
        bar = page.locator(".bar nav").bounding_box()["y"]
        assert box["y"] + box["height"] <= bar, f"{path} at {page.viewport_size}: {box}, the bar at {bar}"
        fits(page, path)
        picture(page, "field" + path.replace("/", "-"))

    for width, height in ((390, 664), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        for path, row, least in (("/photos", ".photo-row", 52), ("/tracks", "main a.task", 20),
                                 ("/tasks", "main a.task", 39)):
            page.goto(home + path)
            first_in_view(path, row, least)
    page.goto(home + "/photos")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Send all").click()
    page.wait_for_load_state()
    for width, height in ((360, 640), (390, 664), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(home + "/outbox")
        expect(page.locator(".entry").first).to_be_visible()
        lines = page.locator(".entry summary").evaluate_all(
            "all => all.slice(0, 20).map((one) => one.getBoundingClientRect().height)")
        assert lines and max(lines) <= 50, f"an entry is {max(lines)} px high"
        if width < 500:
            first_in_view("/outbox", ".entry", 30)
        else:
            picture(page, "field-outbox")
    # One opens to all that is known of it, and stays open when the list comes anew.
    page.locator(".entry summary").first.click()
    expect(page.locator(".entry details[open]").first).to_contain_text("Next try")
    seen("52 photos and tracks: the first row in view on small phones, an entry of the outbox on a line")


with sync_playwright() as playwright, chromium(playwright) as browser:
    for where in ("desk", "phone"):
        officer = Window(browser, stage, where)
        stage.sign_in(officer.page, "officer")
        office_list(officer, where)
        office_task(officer, where)
        office_pages(officer, where, "officer")
        administrator = Window(browser, stage, where)
        stage.sign_in(administrator.page, "administrator")
        office_pages(administrator, where, "administrator")
        inspector = Window(browser, stage, where)
        field_list(inspector, where)
        field_pages(inspector, where)
        without_a_task(officer, where)
        if where == "desk":
            columns(officer)
            states_on_map(officer)
            office_walk(officer, where)
        for window in (officer, administrator, inspector):
            complaints = window.heard()
            assert not complaints, complaints
    decide(officer)
    field_rows(browser)
stage.end()
seen("both programs end when they are asked to")
