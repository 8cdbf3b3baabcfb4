"""Acts on many tasks in a real Chromium, with script and without, among fifty tasks with real names: given to another
inspector, moved, withdrawn, undone, and a whole list at once.

    bulk_day.py PROGRAM FOLDER [PICTURES]
"""
import pathlib
import re
import sys

from playwright.sync_api import expect, sync_playwright

from stage import Stage, Window, chromium, seen

PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
stage = Stage(sys.argv[1], sys.argv[2])


def picture(page, name):
    page.wait_for_timeout(300)
    wide, screen = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= screen, f"{name}: {wide} px wide on a screen of {screen}"
    if PICTURES:
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"bulk-{name}-{screen}.png", full_page=True)


def tick(page, count, **filters):
    """Ticks the first tasks of a list of those that can still be changed."""
    query = "&".join(f"{name}={value}" for name, value in {"state": "new", "sort": "name", **filters}.items())
    page.goto(f"{stage.address['office']}/tasks?{query}")
    boxes = page.locator("td.choose input")
    names = page.locator("td.name a").all_text_contents()[:count]
    for number in range(count):
        boxes.nth(number).check()
    return names


def choose(page, button, count):
    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_url("**/bulk/*")
    expect(page.locator(".choices input")).to_have_count(count)


def undo(page, count):
    page.get_by_role("button", name="Undo", exact=True).click()
    page.wait_for_load_state()
    expect(page.get_by_text(f"{count} tasks are as they were before.")).to_be_visible()


def day(page, name):
    office = stage.address["office"]
    # Nothing ticked: the list says so.
    page.goto(f"{office}/tasks")
    page.get_by_role("button", name="Withdraw", exact=True).click()
    expect(page.get_by_text("Select tasks in the list first.")).to_be_visible()

    names = tick(page, 5)
    picture(page, f"{name}-list")
    choose(page, "Withdraw", 5)
    for one in names:
        expect(page.locator(".choices").get_by_text(one, exact=True).first).to_be_visible()
    picture(page, f"{name}-plan")
    page.locator(".choices input").first.uncheck()
    page.get_by_label("Reason (optional)").fill("The subsidy <b>ended</b>")
    page.get_by_role("button", name="Withdraw these tasks").click()
    expect(page.get_by_text("4 tasks withdrawn.")).to_be_visible()
    expect(page.get_by_role("heading", name="Left out (1)")).to_be_visible()
    picture(page, f"{name}-done")
    page.get_by_role("link", name=names[1]).first.click()
    expect(page.get_by_text("The subsidy <b>ended</b>").first).to_be_visible()
    page.go_back()
    undo(page, 4)
    expect(page.get_by_role("button", name="Undo", exact=True)).to_have_count(0)
    picture(page, f"{name}-undone")
    seen(f"{name}: four of five withdrawn with a reason, and back")

    names = tick(page, 3)
    choose(page, "Give to another inspector", 3)
    # The browser itself asks for the inspector.
    page.get_by_role("button", name="Hand these tasks over").click()
    assert page.evaluate("document.querySelector('select:invalid') !== null")
    owners = page.locator(".choices .muted").all_text_contents()
    others = page.get_by_label("Inspector").locator("option").evaluate_all("all => all.map((one) => one.textContent)")
    other = next(one for one in others[1:] if not any(owner.startswith(one) for owner in owners))
    page.get_by_label("Inspector").select_option(label=other)
    page.get_by_role("button", name="Hand these tasks over").click()
    expect(page.get_by_text(re.compile("3 tasks given to"))).to_be_visible()
    picture(page, f"{name}-given")
    page.get_by_role("link", name="the new order").first.click()
    expect(page.get_by_text("open theirs to see what was done")).to_be_visible()
    page.go_back()
    undo(page, 3)
    seen(f"{name}: given to another inspector, and back")

    tick(page, 4)
    choose(page, "Change the due date", 4)
    page.get_by_label("Due").fill("2027-06-30")
    page.get_by_role("button", name="Change their due date").click()
    expect(page.get_by_text("4 tasks have a new due date.")).to_be_visible()
    undo(page, 4)
    seen(f"{name}: four dates moved, and back")


def whole(page):
    """The whole list, of which a page shows fifty."""
    office = stage.address["office"]
    page.goto(f"{office}/tasks")
    count = int(re.search(r"(\d+) tasks", page.locator(".list-head p.muted").inner_text()).group(1))
    every = page.get_by_role("checkbox", name=re.compile(f"All {count} tasks of this list"))
    every.check()
    # It is none of the rows: the box in the head stays as it is.
    expect(page.locator("[data-all]")).not_to_be_checked()
    page.get_by_role("button", name="Accept", exact=True).click()
    page.wait_for_url("**/bulk/*")
    expect(page.get_by_role("heading", name=re.compile(r"Not included \(\d+\)"))).to_be_visible()
    picture(page, "whole")
    page.get_by_role("link", name="Cancel").or_(page.get_by_role("link", name="Back to the list")).first.click()
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    seen(f"all {count} tasks of a list in one act, and not done")


with sync_playwright() as playwright, chromium(playwright) as browser:
    windows = [Window(browser, stage), Window(browser, stage, "phone"), Window(browser, stage, script=False)]
    for window, name in zip(windows, ("desk", "phone", "no-script")):
        stage.sign_in(window.page, "officer")
        if name != "no-script":
            day(window.page, name)
        else:
            window.page.goto(stage.address["office"] + "/tasks?state=new")
            window.page.locator("td.choose input").first.check()
            window.page.get_by_role("button", name="Withdraw", exact=True).click()
            window.page.get_by_role("button", name="Withdraw these tasks").click()
            expect(window.page.get_by_text("1 task withdrawn.")).to_be_visible()
            window.page.get_by_role("button", name="Undo", exact=True).click()
            expect(window.page.get_by_text("1 task is as it was before.")).to_be_visible()
            seen("no-script: one withdrawn, and back")
    whole(windows[0].page)
    for window in windows:
        complaints = window.heard()
        assert not complaints, complaints
stage.end()
