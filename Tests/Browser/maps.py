#!/usr/bin/env python3
"""Clicks each kind of thing on each map of both programs, at desk and phone size: a popup opens, names it, and its link
leads somewhere. Tests/Browser/maps.py PROGRAM FOLDER"""
import pathlib
import re
import sys

from playwright.sync_api import expect, sync_playwright

from stage import Stage, Window, chromium, seen

stage = Stage(sys.argv[1], sys.argv[2])
# A tile is drawn when both programs have answered, which may take longer than the usual five seconds.
expect.set_options(timeout=20_000)
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


def without(officer, administrator):
    """No base map: the map says so, and leads whoever may add one."""
    for window, may in ((officer, False), (administrator, True)):
        window.page.goto(stage.address["office"] + "/map")
        note = window.page.locator(".map-bases .map-note")
        expect(note).to_contain_text("No base map yet")
        expect(note.locator("a")).to_have_count(1 if may else 0)
    administrator.page.locator(".map-bases a").click()
    expect(administrator.page.locator("h1")).to_have_text("Base maps")
    expect(administrator.page.locator(".empty")).to_be_visible()
    seen("without a base map: the map says so, and leads an administrator to the page for it")


def managed(window, where, service):
    """An administrator adds a WMS on the page, chooses its layer, and sees a tile of it."""
    page = window.page
    page.goto(stage.address["office"] + "/base-maps")
    expect(page.locator(".base-map")).to_have_count(2)
    page.locator("[name=kind]").select_option("wms")
    page.get_by_label("Address", exact=True).fill("ftp://nowhere")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".notice-error")).to_contain_text("https://")
    page.get_by_label("Address", exact=True).fill(service + "/wms?SERVICE=WMS&REQUEST=GetCapabilities")
    page.get_by_label("Title", exact=True).fill("Aerial photo")
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("[name=layer]").select_option("ortho")
    page.screenshot(path=f"out/screenshots/maps-layer-{page.viewport_size['width']}.png", full_page=True)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice-success")).to_contain_text("The service works.")
    assert page.locator(".base-map-settings img").evaluate("async (one) => { await one.decode(); return one.naturalWidth }") == 256
    page.screenshot(path=f"out/screenshots/maps-settings-{page.viewport_size['width']}.png", full_page=True)
    page.goto(stage.address["office"] + "/base-maps")
    expect(page.locator(".base-map")).to_have_count(3)
    page.screenshot(path=f"out/screenshots/maps-base-maps-{page.viewport_size['width']}.png", full_page=True)
    card = page.locator(".base-map", has_text="Map").filter(has_text="XYZ")
    if card.get_by_role("button", name="Show first").count():
        card.get_by_role("button", name="Show first").click()
    expect(page.locator(".base-map").first).to_contain_text("Shown first")
    seen(f"{where}: a WMS is added by its address and layer; a wrong address is said")


def switched(page, where, side):
    """The base maps of a map: switched, credited, and remembered for the next map."""
    page.goto(stage.address[side] + "/map")
    select = page.locator(".map-bases select")
    expect(select).to_be_visible()
    names = select.locator("option").all_inner_texts()
    assert names[-1] == "Without a base map" and len(names) >= 3, names
    select.select_option(label="Aerial photo")
    expect(page.locator(".leaflet-tile-loaded").first).to_be_attached()
    expect(page.locator(".leaflet-control-attribution")).to_contain_text("Office of Land Survey")
    page.screenshot(path=f"out/screenshots/maps-{side}-bases-{page.viewport_size['width']}.png")
    page.reload()
    expect(select.locator("option:checked")).to_have_text("Aerial photo")
    select.select_option(label="Without a base map")
    expect(page.locator(".leaflet-tile")).to_have_count(0)
    select.select_option(label="Aerial photo")
    seen(f"{where}: {side}: the base map is switched, credited and remembered")


def offline(page, where):
    """An area is kept on the device: its size first, then its progress, and gone again."""
    page.goto(stage.address["field"] + "/map")
    expect(page.locator(".map-bases select")).to_be_visible()
    page.get_by_role("link", name="Offline maps").click()
    choices = page.locator("[name=finest]")
    expect(choices).to_have_count(3)
    expect(page.locator("form.fields")).to_contain_text(re.compile("at most about|is here already"))
    page.screenshot(path=f"out/screenshots/maps-offline-choice-{page.viewport_size['width']}.png", full_page=True)
    page.get_by_label("Name", exact=True).fill("Hills beyond the lane")
    page.get_by_role("button", name="Keep this area").click()
    area = page.locator(".offline-areas > li")
    expect(area).to_contain_text("Hills beyond the lane")
    expect(area).to_contain_text("every tile that the office has", timeout=60_000)
    page.screenshot(path=f"out/screenshots/maps-offline-{page.viewport_size['width']}.png", full_page=True)
    area.get_by_role("button", name="Delete").click()
    expect(page.locator(".offline-areas")).to_have_count(0)
    seen(f"{where}: an area is kept for the time without a network, and deleted")


def fetched(page):
    """The device has the office's maps after a delivery."""
    page.goto(stage.address["field"] + "/map")
    if not page.locator(".map-bases select").count():
        expect(page.locator(".map-bases .map-note")).to_contain_text("No base map here")
        page.screenshot(path="out/screenshots/maps-field-none.png")
    for _ in range(60):
        page.goto(stage.address["field"] + "/map")
        if page.locator(".map-bases option", has_text="Aerial photo").count():
            page.locator(".map-bases select").select_option(label="Aerial photo")
            page.wait_for_timeout(1500)
            # The list is there with the first cell, the tiles in view with the last.
            if page.locator(".leaflet-tile-loaded").count():
                return
        page.wait_for_timeout(2000)
    raise AssertionError("the office's maps did not come to the device")


with sync_playwright() as playwright, chromium(playwright) as browser:
    officer, administrator = Window(browser, stage, "desk"), Window(browser, stage, "desk")
    stage.sign_in(officer.page, "officer")
    stage.sign_in(administrator.page, "administrator")
    without(officer, administrator)
    service = stage.add_base_maps(sys.argv[1], sys.argv[2])
    managed(administrator, "desk", service)
    for where in ("desk", "phone"):
        window = Window(browser, stage, where)
        stage.sign_in(window.page, "administrator")
        window.page.goto(stage.address["office"] + "/base-maps")
        window.page.screenshot(path=f"out/screenshots/maps-list-{where}.png", full_page=True)
        switched(window.page, where, "office")
        inspector = Window(browser, stage, where)
        fetched(inspector.page)
        switched(inspector.page, where, "field")
        offline(inspector.page, where)
    for where in ("desk", "phone"):
        officer = Window(browser, stage, where)
        stage.sign_in(officer.page, "officer")
        office(officer, where)
        field(Window(browser, stage, where), where)
stage.end()
