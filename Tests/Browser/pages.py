"""Every page of the office and the field unit in a real Chromium: themes, accessibility, behaviour.

    pages.py PROGRAM FOLDER [--quick] [--pictures FOLDER] [--language en-x-long]

Starts PROGRAM's demonstration in FOLDER and opens each page of table.py as each role, in each theme.
A page fails where axe finds that it breaks WCAG 2.2 AA; where something comes from another host, a
script complains or the content security policy is broken; where it is wider than its screen; where it
says nothing without script; where the focus cannot be seen or is hidden; where its title is another
page's; and, on the field unit, where a finger in a glove would miss something. It fails as well when
the table lacks a page that a route or a link has. `--quick` looks at each page once, in one theme.
With `--language en-x-long` only what a language breaks that is 40 % longer is looked at (wordy.py), at
390 and 1024 px.
"""
import argparse
import collections
import html.parser
import os
import pathlib
import re
import sys
import urllib.parse

import wordy
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from stage import THEMES, WIDTHS, Stage, Window, chromium, seen
from table import FILES, MAY_BE_EMPTY, OWN, PAGES

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = {"runOnly": {"type": "tag", "values": [
    "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
IDENTIFIER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
faults = []


def fault(page, what):
    if (page, what) not in faults:
        faults.append((page, what))
        print(f"FAULT: {page}: {what}", flush=True)


# MARK: what there is

def pattern_of(side, address):
    """The pattern of a path: identifiers become {id} and digests {digest}, the rest is written as it is."""
    path = urllib.parse.urlsplit(address).path
    path = re.sub(r"^/map/tiles/[^/]+/\d+/\d+/\d+$", "/map/tiles/{name}/{zoom}/{x}/{y}", path)
    path = re.sub(r"^/base-maps/[^/]+$", "/base-maps/{name}", path)
    path = re.sub(r"/[0-9a-f]{64}$", "/{digest}", path)
    return IDENTIFIER.sub("{id}", path)


def routes():
    """The patterns of all GET routes in the sources, those of machines and of other people's apps excepted."""
    found = set()
    for side, folder in (("office", "OfficePages"), ("office", "BulkActs"), ("office", "OrderFiles"), ("field", "FieldPages"),
                         ("field", "PairedPhones")):
        for file in (ROOT / "Sources" / folder).rglob("*.swift"):
            for pattern in re.findall(r'routes\.get\(\s*"([^"\\]+)"', file.read_text()):
                if not pattern.startswith("/api/"):
                    found.add((side, pattern))
    for pattern in re.findall(r"^\| GET \| `([^`]+)`", (ROOT / "docs/routes.md").read_text(), re.M):
        if not pattern.startswith("/api/") and not pattern.endswith(("/{script}", ".php")):
            found.add(("office", pattern))
    return found


class Links(html.parser.HTMLParser):
    """The addresses that a page leads to."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        # The boxes that are open in a preview: it is inert, and nobody can follow its links.
        self.inert = 0
        self.feed(text)

    def handle_endtag(self, tag):
        if tag == "div" and self.inert:
            self.inert -= 1

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "div" and (self.inert or "inert" in values):
            self.inert += 1
        if self.inert:
            return
        if tag == "a" and values.get("href"):
            self.found.append(values["href"])
        if tag == "img" and values.get("src"):
            self.found.append(values["src"])
        if tag == "form" and values.get("method", "get").lower() == "get":
            self.found.append(values.get("action") or "")
        if values.get("data-live"):
            self.found.append("live:" + values["data-live"])


def crawl(stage, window, side, role, found):
    """Follows links until none is new; keeps some addresses of each pattern in `found`."""
    base = stage.address[side]
    starts = {page.pattern for page in PAGES
              if page.side == side and role in page.roles and page.pattern.startswith("/")
              and "{" not in page.pattern}
    waiting = collections.deque(sorted(starts))
    known = set(waiting)
    visits = collections.Counter()
    while waiting:
        path = waiting.popleft()
        pattern = pattern_of(side, path)
        visits[pattern] += 1
        # Lists that differ in their order only lead to the same pages; of things, a few have all that there is.
        if visits[pattern] > (100 if "{id}" in pattern else 12):
            continue
        answer = window.context.request.get(base + path, max_redirects=0)
        kind = answer.headers.get("content-type", "")
        key = (side, pattern)
        if key == ("office", "/photos/{id}/preview.jpg"):
            # The list shows photos whole; only other pages' checks lead to one alone.
            waiting.append(path.removesuffix("/preview.jpg"))
        if key in FILES:
            if FILES[key] is not None and not kind.startswith(FILES[key]):
                fault(f"{side} {path}", f"it is {kind or answer.status}, and not {FILES[key]}")
            continue
        if answer.status in (302, 303):
            continue
        if not any((page.side, page.pattern) == key for page in PAGES):
            fault(f"{side} {path}", f"the table has no line for {pattern}: add it to table.py")
            known.add(path)
            continue
        if answer.status != 200:
            fault(f"{side} {path}", f"a link of {role} leads to a refusal, {answer.status}")
            continue
        addresses = found.setdefault((side, role, pattern), [])
        if path.split("?")[0] not in [one.split("?")[0] for one in addresses]:
            addresses.append(path)
        for link in Links(answer.text()).found:
            if link.startswith("live:"):
                if (side, pattern_of(side, link[5:])) not in FILES:
                    fault(f"{side} {path}", f"the table has no line for the stream {link[5:]}")
                continue
            target = urllib.parse.urljoin(base + path, link)
            if not target.startswith(base + "/"):
                fault(f"{side} {path}", f"it leads to another host: {target}")
                continue
            local = target[len(base):].split("#")[0]
            if local.startswith("/assets/") or local in known:
                continue
            known.add(local)
            waiting.append(local)


# MARK: what is looked at on each page

def look(window, name, title, size, with_axe=True, theme="light"):
    page = window.page
    for complaint in window.heard():
        fault(name, complaint)
    if page.locator("main h1").count() != 1:
        fault(name, f"it has {page.locator('main h1').count()} headings of the first rank")
    words = page.title()
    if not words.endswith(" – Standpoint"):
        fault(name, f"its title is '{words}'")
    title.setdefault(words, set()).add(name.split(" as ")[0])
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > WIDTHS[size][0]:
        wide = page.evaluate("""(width) => [...document.querySelectorAll("main *")].filter(
          (one) => one.getBoundingClientRect().right > width + 1).slice(0, 3).map(
          (one) => one.tagName.toLowerCase() + "." + one.className)""", WIDTHS[size][0])
        fault(f"{name} at {WIDTHS[size][0]} px", f"it is {width} px wide: {', '.join(wide)}")
    if with_axe:
        for violation in Axe().run(page, options=RULES).response["violations"]:
            for node in violation["nodes"][:3]:
                how = node["failureSummary"].replace("\n", " ").replace("  ", " ")
                fault(f"{name}, {theme}, {WIDTHS[size][0]} px",
                      f"{violation['id']}: {' '.join(map(str, node['target']))}: {how}"
                      f" ({violation['helpUrl']})")


def gloves(page, name):
    """What a finger presses on the field unit is 48 px high and wide."""
    small = page.evaluate("""() => [...document.querySelectorAll(
        ".button, button, input:not([type=hidden]), select, textarea, summary, nav a, a.card")]
      .filter((one) => one.checkVisibility() && !one.matches("[type=checkbox], [type=radio]"))
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([one, box]) => box.height < 47.5 || box.width < 47.5)
      .map(([one, box]) => `${one.tagName.toLowerCase()} '${one.textContent.trim().slice(0, 30)}' `
        + `${Math.round(box.width)} × ${Math.round(box.height)}`)""")
    for one in small[:5]:
        fault(name, f"too small for a glove: {one}")


def walk(page, name):
    """Tab by tab: the focus is seen, and nothing lies over it."""
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    for step in range(40):
        page.keyboard.press("Tab")
        state = page.evaluate("""() => {
          const one = document.activeElement;
          if (!one || one === document.body) return null;
          const style = getComputedStyle(one);
          const box = one.getClientRects()[0] ?? one.getBoundingClientRect();
          // WCAG 2.2, 2.4.11: some of it has to be seen. Its middle, and near its corners.
          const inside = (x, y) => x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;
          const places = [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]]
            .map(([x, y]) => [box.left + box.width * x, box.top + box.height * y]);
          const isIts = (over) => !over || one.contains(over) || over.contains(one)
            || [...(one.labels ?? [])].some((label) => label.contains(over));
          const over = document.elementFromPoint(...places[0]);
          return {
            name: `${one.tagName.toLowerCase()} '${(one.textContent || one.name || "").trim().slice(0, 30)}'`,
            outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
            isSeen: places.some(([x, y]) => inside(x, y) && isIts(document.elementFromPoint(x, y))),
            over: over ? over.tagName.toLowerCase() + "." + over.className : "",
          };
        }""")
        if state is None:
            return
        if not state["outline"]:
            fault(name, f"the focus on {state['name']} is not seen")
        if not state["isSeen"]:
            fault(name, f"the focus on {state['name']} is out of sight or under {state['over']}")


def without_script(window, address, name, status):
    answer = window.page.goto(address)
    if answer.status != status:
        fault(name, f"without script its status is {answer.status}")
    said = window.page.evaluate("""() => ({
      words: document.querySelector("main")?.innerText.trim().length ?? 0,
      dead: [...document.querySelectorAll("button")]
        .filter((one) => !one.form && one.checkVisibility()).length,
      // A preview is inert: its forms are looked at, and never sent.
      bare: [...document.querySelectorAll("form[method=post]:not([inert] *)")]
        .filter((one) => !one.querySelector("[name=csrf]")).length,
      mute: [...document.querySelectorAll("form")]
        .filter((one) => one.querySelector("input:not([type=hidden]), select, textarea")
          && ![...one.elements].some((part) => part.matches("button"))).length,
      links: [...document.querySelectorAll("a:not([href])")].length,
    })""")
    if said["words"] < 20:
        fault(name, "without script it says nothing")
    for key, words in (("dead", "a button without a form"), ("bare", "a form without its token"),
                       ("mute", "a form without a button"), ("links", "a link without address")):
        if said[key]:
            fault(name, f"without script: {words}")
    for complaint in window.heard():
        fault(name, f"without script: {complaint}")


def shown_once(window, stage, titles):
    """The page of the phones' service as it stands where nothing links to: an address that was drawn just now, and
    no phone let in."""
    for size, theme in (("desk", "light"), ("phone", "dark")):
        opened = window("administrator", size)
        opened.choose(theme, "office")
        page = opened.page

        def press(summary, button, address):
            page.goto(stage.address["office"] + "/phones")
            page.locator("summary", has_text=summary).click()
            page.locator(f"form[action='{address}']").get_by_role("button", name=button).click()
            page.wait_for_load_state()

        press("Generate new address", "Generate new address", "/phones/address")
        if page.locator("svg.qr").count() != 2 or page.locator(".secret code", has_text="/ws/").count() != 1:
            fault("office /phones", "a new address is not shown as text and as a code")
        look(opened, "office /phones, a new address", titles, size, theme=theme)
        press("New credentials", "Save the credentials", "/phones/credentials")
        fields = page.locator("form[action='/phones/credentials']")
        # The browser itself asks for the name.
        fields.get_by_label("Name").fill("fleet")
        fields.get_by_role("button", name="Save the credentials").click()
        page.wait_for_load_state()
        look(opened, "office /phones, new credentials", titles, size, theme=theme)
        press("Turn off", "Disable phones", "/phones/off")
        look(opened, "office /phones, off", titles, size, theme=theme)
        page.get_by_role("button", name="Generate address and enable phones").click()
        page.wait_for_load_state()
        if page.locator("svg.qr").count() != 2:
            fault("office /phones", "the first address is not shown")
        opened.context.close()
    seen("what the page of the phones' service shows once")


# MARK: in another language

def in_language(tag, stage, window, views, roles, pictures):
    """Each page once at each size, in a language that is longer than any that people speak."""
    data = {account[key] for account in stage.people.values() for key in ("login", "name") if account.get(key)}
    looked = 0

    def look_at(opened, side, role, path, size):
        width = WIDTHS[size][0]
        opened.page.goto(stage.address[side] + path)
        name = f"{side} {path} as {role} at {width} px"
        if opened.page.locator(f"html[lang={tag}]").count() != 1:
            fault(name, f"it is not in {tag}")
        # What scripts write comes a moment later.
        opened.page.wait_for_timeout(300)
        for what in wordy.look(opened.page, width, data | wordy.DATA):
            fault(name, what)
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            opened.page.screenshot(
                path=pictures / f"{side}-{named(path)}-{role}-{width}-{tag}.png", full_page=True)

    for size in wordy.SIZES:
        for side, role in roles:
            opened = window(role, size)
            # Whoever signs in does so in English; from here on the browser asks for the language.
            opened.context.set_extra_http_headers({"Accept-Language": tag})
            for page, its_role, path in views:
                if (page.side, its_role) != (side, role):
                    continue
                look_at(opened, side, role, path, size)
                looked += 1
            opened.context.close()
    # Last, since the story's inspector is signed out by it.
    for size in wordy.SIZES:
        opened = window("nobody", size)
        opened.context.set_extra_http_headers({"Accept-Language": tag})
        opened.page.goto(stage.address["field"] + "/sign-out")
        if size == wordy.SIZES[0]:
            opened.page.locator("form[action='/sign-out'] button").click()
            opened.page.wait_for_url("**/sign-in")
        for path in ("/sign-in", "/sign-in/server"):
            look_at(opened, "field", "nobody", path, size)
            looked += 1
        opened.context.close()
    seen(f"{looked} times a page in {tag}")


# MARK: all of it

def named(path):
    plain = re.sub(r"[^a-z0-9]+", "-", IDENTIFIER.sub("one", path).lower()).strip("-")
    return plain or "home"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--language", choices=["en-x-long"])
    arguments = parser.parse_args()
    if arguments.language:
        os.environ.update(wordy.SWITCH)
    table = {(page.side, page.pattern) for page in PAGES} | set(FILES)
    for side, pattern in sorted(routes() - table):
        fault(f"{side} {pattern}", "the table has no line for this route: add it to table.py")
    stage = Stage(arguments.program, arguments.folder)
    stage.add_base_maps(arguments.program, arguments.folder)
    titles = {"office": {}, "field": {}}
    looked = 0
    long = "Landwirtschaftsfläche" * 9

    with sync_playwright() as playwright, chromium(playwright) as browser:
        def window(role, size="desk", **options):
            opened = Window(browser, stage, size, **options)
            if role in ("officer", "administrator", "super-administrator", OWN):
                stage.sign_in(opened.page, role)
            return opened

        # Names and words that do not fit: they are broken, and not the page.
        officer = window("officer").page
        officer.goto(stage.address["office"] + "/tasks/new")
        officer.get_by_label("Name", exact=True).fill(long)
        officer.get_by_role("checkbox", name="Ines Nováková").check()
        officer.get_by_label("Type").fill(long[:100])
        officer.get_by_label("Instructions").fill(f"{long} {long}\n" * 5)
        officer.get_by_label("Due").fill("2020-01-31")
        officer.get_by_label("Parcel identifier").fill(long)
        officer.get_by_label("Parcel outline").fill(
            "[[16.6386, 49.0837], [16.6395, 49.0838], [16.6394, 49.0832]]")
        officer.get_by_role("button", name="Order").click()
        officer.wait_for_url("**/tasks/*-*")
        administrator = window("administrator").page
        administrator.goto(stage.address["office"] + "/people")
        form = administrator.locator("form[action='/people']")
        form.get_by_label("Login").fill("w" * 64)
        form.get_by_label("Full name").fill(long)
        form.get_by_label("Password").fill("a password that is long")
        form.get_by_role("button", name="Add").click()
        inspector = window("inspector").page
        inspector.goto(stage.address["field"] + "/outbox")
        inspector.get_by_role("button", name="Deliver now").click()
        inspector.wait_for_load_state()
        # A plan for many tasks is reached by a form.
        officer.goto(stage.address["office"] + "/tasks?state=new")
        for box in officer.locator("td.choose input").all()[:5]:
            box.check()
        officer.get_by_role("button", name="Withdraw", exact=True).click()
        officer.wait_for_url("**/bulk/*")
        plan = urllib.parse.urlsplit(officer.url).path
        for opened in (officer, administrator, inspector):
            opened.context.close()
        stage.send_from_phones(arguments.program, arguments.folder)

        roles = [("office", "nobody"), ("office", "officer"), ("office", "administrator"),
                 ("office", "super-administrator"), ("office", OWN), ("field", "inspector")]
        found = {}
        for side, role in roles:
            opened = window(role)
            crawl(stage, opened, side, role, found)
            opened.context.close()
        found["office", "officer", "/bulk/{id}"] = [plan]
        for role in ("officer", "administrator"):
            if not found.get(("office", role, "/photos/{id}")):
                fault("office /photos/{id}", f"no link leads {role} to the photo that a phone has sent")
        views = []
        for page in PAGES:
            for role in page.roles:
                # In a hurry: each page once, whoever opens it.
                if arguments.quick and role != page.roles[0]:
                    continue
                addresses = found.get((page.side, role, page.pattern), [])
                addresses = addresses[:1 if arguments.quick else page.most]
                if not addresses and not page.also and (page.side, page.pattern) not in MAY_BE_EMPTY:
                    fault(f"{page.side} {page.pattern}", f"no link leads {role} to it")
                views += [(page, role, path) for path in [*addresses, *page.also]]
        print(f"{len(views)} views of {len(PAGES)} pages", flush=True)

        if arguments.language:
            in_language(arguments.language, stage, window, views, roles, arguments.pictures)
            finish(stage)
            return
        # Each size in one theme, then each other theme in the size that the side is made for.
        rounds = [("desk", "light"), ("tablet", "light"), ("phone", "light")]
        rounds += [(None, theme) for theme in THEMES if theme != "light"]
        if arguments.quick:
            rounds = [(None, "light")]
        for size_of_round, theme in rounds:
            for side, role in roles:
                size = size_of_round or {"office": "desk", "field": "phone"}[side]
                opened = window(role, size)
                opened.choose(theme, side)
                for page, its_role, path in views:
                    if (page.side, its_role) != (side, role):
                        continue
                    name = f"{side} {path} as {role}"
                    answer = opened.page.goto(stage.address[side] + path)
                    if answer.status != page.status:
                        fault(name, f"its status is {answer.status}, and not {page.status}")
                    look(opened, name, titles[side], size, theme=theme, with_axe=size != "tablet")
                    if side == "field":
                        gloves(opened.page, name)
                    if theme == "light" and size != "tablet" and not arguments.quick:
                        walk(opened.page, name)
                    if arguments.pictures:
                        arguments.pictures.mkdir(parents=True, exist_ok=True)
                        width = WIDTHS[size][0]
                        opened.page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
                        opened.page.screenshot(
                            path=arguments.pictures / f"{side}-{named(path)}-{role}-{width}-{theme}.png",
                            full_page=True)
                    looked += 1
                opened.context.close()
        seen(f"{looked} times a page, with nothing to remark" if not faults else f"{looked} pages")
        # The same address may be opened by several roles; two patterns never share a title.
        for side, by_title in titles.items():
            for words, names in by_title.items():
                patterns = {pattern_of(side, name.split(" ", 1)[1]) for name in names}
                if len(patterns) > 1:
                    fault(side, f"'{words}' is the title of {' and '.join(sorted(patterns))}")
        shown_once(window, stage, titles["office"])
        for side, role in roles:
            opened = window(role, "phone", script=False)
            for page, its_role, path in views:
                if (page.side, its_role) == (side, role):
                    without_script(opened, stage.address[side] + path, f"{side} {path} as {role}",
                                   page.status)
            opened.context.close()
        seen("every page without script")
        # What the system asks for looks as what is chosen.
        for asked, theme in (({"color_scheme": "dark"}, "dark"), ({"contrast": "more"}, "sunlight")):
            chosen = window("nobody")
            chosen.choose(theme, "office")
            system = window("nobody", **asked)
            system.page.goto(stage.address["office"] + "/sign-in")
            colours = "getComputedStyle(document.body).cssText"
            if chosen.page.evaluate(colours) != system.page.evaluate(colours):
                fault("office /sign-in", f"a system that asks for {asked} does not get {theme}")
        seen("the system's wish and the choice look alike")
    finish(stage)


def finish(stage):
    stage.end()
    if faults:
        sys.exit(f"{len(faults)} faults:\n" + "\n".join(f"{page}: {what}" for page, what in faults))
    seen("no fault on any page")


main()
