#!/usr/bin/env python3
"""The documents' pictures, taken of the pages as they are, with fifty tasks of real names; and pictures of the pages in
Czech, to look at.

    pictures.py PROGRAM FOLDER DOCUMENTS CZECH
"""
import pathlib
import sys

from playwright.sync_api import expect, sync_playwright

import crowd
from crowd import MANY
from stage import Stage, Window

PROGRAM, FOLDER, DOCUMENTS, CZECH = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
stage = Stage(PROGRAM, FOLDER)
crowd.photograph(PROGRAM, FOLDER, stage.address["office"], f"{FOLDER}/data")
stage.add_base_maps(PROGRAM, FOLDER)


def take(page, folder, name, height=None, width=None):
    """A picture of what is in view."""
    folder.mkdir(parents=True, exist_ok=True)
    if height:
        page.set_viewport_size({"width": width or page.viewport_size["width"], "height": height})
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    page.screenshot(path=folder / f"{name}.png")


def to_task(page):
    page.goto(stage.address["office"] + "/tasks?state=dataProvided&sort=name")
    page.get_by_role("link", name=MANY, exact=True).click()
    expect(page.locator(".photo-card.is-current .photo-large")).to_be_visible()


def office(browser):
    officer = Window(browser, stage, "desk")
    page = officer.page
    stage.sign_in(page, "officer")
    home = stage.address["office"]
    page.goto(home + "/tasks")
    take(page, DOCUMENTS, "office-tasks", 720, 1280)
    to_task(page)
    take(page, DOCUMENTS, "office-task", 900, 1440)
    page.goto(home + "/photos")
    take(page, DOCUMENTS, "office-photos", 760, 1280)
    officer.choose("dark", "office")
    page.goto(home + "/log")
    take(page, DOCUMENTS, "office-log-dark", 560, 1280)
    officer.choose("sunlight", "office")
    phone = Window(browser, stage, "phone")
    stage.sign_in(phone.page, "officer")
    phone.page.goto(home + "/tasks")
    take(phone.page, DOCUMENTS, "office-tasks-phone", 844)
    phone.choose("sunlight", "office")
    to_task(phone.page)
    take(phone.page, DOCUMENTS, "office-task-sunlight-phone", 844)
    administrator = Window(browser, stage, "desk")
    stage.sign_in(administrator.page, "administrator")
    administrator.page.goto(home + "/people")
    take(administrator.page, DOCUMENTS, "office-people", 640, 1280)


def field(browser):
    page = Window(browser, stage, "phone").page
    home = stage.address["field"]
    page.goto(home + "/map")
    take(page, DOCUMENTS, "field-map", 844)
    page.goto(home + "/photos")
    page.locator(".photo-row a").first.click()
    take(page, DOCUMENTS, "field-photo", 844)
    page.goto(home + "/sky")
    take(page, DOCUMENTS, "field-sky", 1400)


def czech(browser):
    """The pages of both sides as a Czech sees them, at a desk and on a phone."""
    for where in ("desk", "phone"):
        for role, paths in (
            ("officer", ("/tasks", "/map", "/photos", "/tracks", "/inspectors", "/log", "/account", "/tasks/new")),
            ("administrator", ("/people", "/policy", "/base-maps", "/parcels", "/invitations", "/import")),
        ):
            page = Window(browser, stage, where).page
            stage.sign_in(page, role)
            page.goto(stage.address["office"] + "/account")
            page.locator("button[name=language][value=cs]").first.click()
            page.wait_for_load_state()
            for path in paths:
                page.goto(stage.address["office"] + path)
                take(page, CZECH, f"office{path.replace('/', '-')}-{where}")
            if role == "officer":
                to_task(page)
                take(page, CZECH, f"office-task-{where}")
        page = Window(browser, stage, where).page
        page.goto(stage.address["field"] + "/settings")
        page.locator("button[name=language][value=cs]").first.click()
        page.wait_for_load_state()
        for path in ("/", "/tasks", "/camera", "/map", "/outbox", "/photos", "/settings", "/sky", "/help/inspector"):
            page.goto(stage.address["field"] + path)
            take(page, CZECH, f"field{path.replace('/', '-')}-{where}")


with sync_playwright() as playwright:
    launched = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    office(launched)
    field(launched)
    czech(launched)
    launched.close()
stage.end()
