"""The stage of the browser tests: a demonstration that keeps running, and people who sign in to it."""
import atexit
import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import urllib.parse

import crowd
import tiles

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTHS = {"desk": (1440, 900), "tablet": (1024, 768), "phone": (390, 844)}
THEMES = ["light", "dark", "sunlight"]


class Stage:
    """An office and a field unit with the story's data in them, both running."""

    def __init__(self, program, folder):
        self.program = subprocess.Popen(
            [program, "demo", "--out", folder, "--rate", "100", "--format", "json"],
            stdout=subprocess.PIPE, text=True)
        atexit.register(self.program.kill)
        line = self.program.stdout.readline()
        if not line:
            sys.exit("the demonstration ended before its pages were there")
        told = json.loads(line)
        self.address = {"office": told["office"], "field": told["field"]}
        self.people = {account["role"]: account for account in told["accounts"]}
        # The story has none.
        root = {"role": "super-administrator", "login": "root", "password": "kestrel over wet barley"}
        subprocess.run(
            [program, "office", "user", "add", root["login"], "--role", root["role"], "--password-stdin",
             "--data", f"{folder}/data"], input=root["password"], text=True, check=True,
            stdout=subprocess.DEVNULL)
        self.people[root["role"]] = root
        self.import_register(program, folder)
        crowd.arrive(program, folder, f"{folder}/data", self.people["inspector"]["login"])

    def import_register(self, program, folder):
        """Two parcels some way from the story's field, for the maps: the story has no register."""
        rows = ["identifier,name,crop,wkt"]
        for number, west in ((1, 16.6446), (2, 16.6462)):
            rows.append(f'GREEN-{number},Meadow {number},clover,"POLYGON(({west} 49.0900,{west + .0012:.4f} 49.0900,'
                        f'{west + .0012:.4f} 49.0908,{west} 49.0908))"')
        with open(f"{folder}/register.csv", "w") as file:
            file.write("\n".join(rows) + "\n")
        subprocess.run(
            [program, "office", "parcel", "import", f"{folder}/register.csv", "--agency",
             "demonstration", "--data", f"{folder}/data"], check=True,
            stdout=subprocess.DEVNULL)

    def add_base_maps(self, program, folder):
        """A file of tiles and a map service, both of the tests' own: the story has no base map."""
        service = tiles.serve()
        tiles.write_archive(f"{folder}/overview.mbtiles", "Overview of the land", "map")
        data = ["--agency", "demonstration", "--data", f"{folder}/data"]
        for words in (["import", f"{folder}/overview.mbtiles"],
                      ["add", service + "/{z}/{x}/{y}.png", "--kind", "xyz", "--title", "Land map",
                       "--attribution", "Office of Land Survey", "--zooms", "0-17"]):
            subprocess.run([program, "office", "maps", *words, *data], check=True, stdout=subprocess.DEVNULL)
        return service

    def send_from_phones(self, program, folder):
        """Photos and paths as each of the predecessor's apps sends them, over HTTP: the story has no phone. They are
        an inspector's of their own, so that the story's tasks stay the field unit's."""
        data = ["--data", f"{folder}/data"]
        inspector = {"login": "petra", "name": "Petra Malá", "password": "otter under dry reeds"}
        self.people["inspector with phones"] = inspector
        subprocess.run(
            [program, "office", "user", "add", inspector["login"], "--role", "inspector", "--agency", "demonstration",
             "--name", inspector["name"], "--password-stdin", *data], input=inspector["password"], text=True, check=True,
            stdout=subprocess.DEVNULL)
        features = [{
            "type": "Feature",
            "properties": {"identifier": f"PHONE-{number}", "name": f"Beet by phone {number}",
                           "inspector": inspector["login"]},
            "geometry": {"type": "Polygon", "coordinates": [[
                [16.629, 49.0795], [16.631, 49.0795], [16.631, 49.0807], [16.629, 49.0807], [16.629, 49.0795]]]},
        } for number in (1, 2, 3)]
        with open(f"{folder}/phones.geojson", "w") as file:
            json.dump({"type": "FeatureCollection", "features": features}, file)
        subprocess.run(
            [program, "office", "task", "import", f"{folder}/phones.geojson", "--agency", "demonstration", *data],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        told = subprocess.run(
            [program, "office", "agency", "phones", "demonstration", "--new-address", "--zone", "UTC",
             "--format", "json", *data], check=True, text=True, stdout=subprocess.PIPE).stdout
        address = self.address["office"] + json.loads(told)["address"].removesuffix("/ws/")
        subprocess.run(
            [ROOT / "scripts/replay-phones.sh", address, inspector["login"], "-"], input=inspector["password"] + "\n",
            text=True, check=True, stdout=subprocess.DEVNULL)

    def end(self):
        """Both programs end when they are asked to."""
        self.program.send_signal(signal.SIGTERM)
        status = self.program.wait(timeout=60)
        assert status == 0, f"the demonstration ended with {status}"

    def sign_in(self, page, role, password=None):
        """Signs in to the office; on the field unit the story's inspector is signed in already. One who
        looks at the office is `inspector@office`."""
        role = role.removesuffix("@office")
        page.goto(self.address["office"] + "/sign-in")
        page.get_by_label("Login").fill(self.people[role]["login"])
        page.get_by_label("Password").fill(password or self.people[role]["password"])
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_load_state()


# All that were opened: what a page should not have done fails the test at its end, whichever test it is.
WINDOWS = []


class Window:
    """A browser's window which notes whatever a page should not do."""

    # Violations of the content security policy, also of what is added later.
    NOTICE = """addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));"""

    def __init__(self, browser, stage, size="desk", script=True, **options):
        width, height = WIDTHS[size]
        self.stage = stage
        self.complaints = []
        WINDOWS.append(self)
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=script,
            reduced_motion="reduce", **options)
        self.context.set_default_timeout(15_000)
        self.page = self.context.new_page()
        if script:
            self.page.add_init_script(self.NOTICE)
        hosts = {urllib.parse.urlsplit(one).netloc for one in stage.address.values()}

        def request(asked):
            parts = urllib.parse.urlsplit(asked.url)
            if parts.scheme not in ("data", "blob") and parts.netloc not in hosts:
                self.complaints.append(f"a request to another host: {asked.url}")

        def console(message):
            # A place of which a map has no tile is no fault: a device keeps parts only.
            if "status of 404" in message.text and "/map/tiles/" in message.location.get("url", ""):
                return
            # A page that is a refusal has its status in the console, and that is no fault; nor is a refused
            # decision, whose page is shown in the place of the desk's.
            url = message.location.get("url", "")
            is_refusal = "the server responded with a status of 4" in message.text and (
                url == self.page.url or url.endswith(("/decide", "/tasks/undo")))
            if message.type in ("error", "warning") and not is_refusal:
                self.complaints.append(f"console: {message.text} {url}")

        self.page.on("request", request)
        self.page.on("console", console)
        self.page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))

    def heard(self):
        """What was complained of since the last time."""
        complaints, self.complaints[:] = list(dict.fromkeys(self.complaints)), []
        return complaints

    def choose(self, theme, side):
        """The theme, as somebody chooses it: at the foot of the office's pages, in the field unit's settings."""
        self.page.goto(self.stage.address[side] + ("/sign-in" if side == "office" else "/settings"))
        self.page.locator(f"button[name=theme][value={theme}]").click()
        self.page.wait_for_load_state()
        assert self.page.locator(f"html[data-theme={theme}]").count() == 1, f"{theme} was not kept"


@contextlib.contextmanager
def chromium(playwright):
    """Debian's Chromium."""
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        yield browser
        complaints = [complaint for window in WINDOWS for complaint in window.heard()]
        assert not complaints, complaints
    finally:
        browser.close()


def seen(words):
    print("seen:", words, flush=True)
