#!/usr/bin/env python3
"""Clicks each kind of thing on each map of both programs, at desk and phone size: a popup opens, names it, and its link
leads somewhere. Tests/Browser/maps.py PROGRAM FOLDER"""
import pathlib
import re
import sys

from playwright.sync_api import expect, sync_playwright

from stage import Stage, Window, chromium, seen

stage = Stage(sys.argv[1], sys.argv[2])
pathlib.Path("out/screenshots").mkdir(parents=True, exist_ok=True)


def popup(page, what, numbers=None):
    """What a click has opened."""
    box = page.locator(".leaflet-popup-content")
    expect(box).to_be_visible()
    expect(box.locator("strong")).not_to_be_empty()
    if numbers:
        expect(box).to_contain_text(re.compile(numbers))
    href = box.locator("a").first.get_attribute("href")
    answer = page.request.get(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + href.split("#")[0])
    assert answer.status == 200, f"{what}: {href} answers {answer.status}"
    name = re.sub("[^a-z]+", "-", what)
    page.screenshot(path=f"out/screenshots/maps-{name}-{page.viewport_size['width']}.png")


PLACE = r"-?\d+\.\d{7}°, -?\d+\.\d{7}°"


def office(window, where):
    page = window.page
    page.goto(stage.address["office"] + "/tasks?text=beet")
    page.get_by_role("link", name="Sugar beet at the lane", exact=True).click()
    page.wait_for_load_state()
    task = page.url
    for address, what in ((task, "a task's map"), (stage.address["office"] + "/map", "the map of everything")):
        page.goto(address)
        shapes = page.locator(".live-map .leaflet-overlay-pane path.leaflet-interactive")
        expect(shapes.first).to_be_attached()
        if "/map" in address:
            # Photos at one place stand in a group until one is near enough.
            for _ in range(6):
                if page.locator(".live-map .map-number").count():
                    break
                page.locator(".live-map .map-cluster").first.click()
                page.wait_for_timeout(600)
        photo = page.locator(".live-map .map-number").first
        photo.scroll_into_view_if_needed()
        photo.click(force=True)
        if "/map" in address:
            popup(page, f"{what}, a photo", PLACE)
        else:
            # The photo itself stands beside the map of a desk, and is chosen.
            expect(photo).to_have_class(re.compile("is-chosen"))
            expect(page.locator(".leaflet-popup-content")).to_have_count(0)
        page.goto(address)
        expect(shapes.first).to_be_attached()
        shapes.first.dispatch_event("click", {"bubbles": True})
        popup(page, f"{what}, a parcel")
        seen(f"{where}: {what}: a photo and a parcel do what they should when they are clicked")


def field(window, where):
    page = window.page
    page.goto(stage.address["field"] + "/map")
    page.get_by_text("As a list").click()
    links = page.locator(".map-rows a[href^='/map?']")
    names = links.evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    kinds = {re.match(r"/map\?(\w+)=", name)[1]: name for name in reversed(names)}
    assert set(kinds) == {"task", "photo", "track"}, kinds
    for kind, name in sorted(kinds.items()):
        page.goto(stage.address["field"] + "/map")
        page.get_by_text("As a list").click()
        page.locator(f".map-rows a[href='{name}']").first.click()
        page.wait_for_load_state()
        if kind == "photo":
            popup(page, "field map, a photo", PLACE)
        elif kind == "task":
            page.locator(".field-map .map-sign").first.click(force=True)
            popup(page, "field map, a parcel")
        else:
            page.wait_for_timeout(800)
            size = page.locator(".field-map").bounding_box()
            # The track runs through the middle of its own box, or near it: canvas is clicked from the middle outwards.
            for step in range(0, 160, 6):
                page.mouse.click(size["x"] + size["width"] / 2 + step, size["y"] + size["height"] / 2)
                if page.locator(".leaflet-popup-content").count():
                    break
            popup(page, "field map, a track or one of its points")
    seen(f"{where}: the field unit's map: each name of the list moves it, and each thing opens its popup")


with sync_playwright() as playwright, chromium(playwright) as browser:
    for where in ("desk", "phone"):
        officer = Window(browser, stage, where)
        stage.sign_in(officer.page, "officer")
        office(officer, where)
        field(Window(browser, stage, where), where)
stage.end()
