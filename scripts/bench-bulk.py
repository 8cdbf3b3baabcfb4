#!/usr/bin/env python3
"""Acts on many tasks at once, those of one type and state: seconds from the officer's press to the page that follows, for the plan,
the doing and the undoing of each act. The office is one that `office seed` has made with at most 2,000 such tasks, as
scripts/bench-office.py does (`--data DIR`). By hand: scripts/bench-bulk.py [PROGRAM] --data DIR.
"""
import argparse
import http.cookiejar
import importlib.util
import pathlib
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = importlib.util.spec_from_file_location("bench_office", ROOT / "scripts/bench-office.py")
bench_office = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(bench_office)


class Officer:
    """A browser that is signed in."""

    def __init__(self, port):
        self.base = f"http://127.0.0.1:{port}"
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.page = self.browser.open(f"{self.base}/sign-in").read().decode()
        self.press("/sign-in", login="officer", password=bench_office.PASSWORD)

    def press(self, path, **fields):
        """The address and the page that follow a form, and the seconds until they are there."""
        fields["csrf"] = re.search('name="csrf" value="([^"]+)"', self.page).group(1)
        form = urllib.parse.urlencode(fields).encode()
        began = time.monotonic()
        try:
            answer = self.browser.open(urllib.request.Request(f"{self.base}{path}", form, {"Origin": self.base}))
        except urllib.error.HTTPError as refusal:
            sys.exit(f"{path}: {re.search('<main.*', refusal.read().decode(), re.S).group(0)[:600]}")
        self.page = answer.read().decode()
        return urllib.parse.urlsplit(answer.url).path, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", default=str(ROOT / ".build-release/release/standpoint"))
    parser.add_argument("--data", required=True)
    options = parser.parse_args()
    office = bench_office.Office(options.program, options.data, bench_office.free_port())
    try:
        officer = Officer(office.port)
        for act, state, value in (("accept", "dataProvided&due=undated", ""), ("return", "dataProvided&due=undated", "blurred"),
                                  ("withdraw", "open", "ended"), ("reassign", "open", "inspector40"),
                                  ("due", "open", "2030-01-31")):
            plan, planned = officer.press("/tasks/selection", all="1", do=act, list=f"state={state}&type=grassland")
            assert plan.startswith("/bulk/"), officer.page[:2000]
            _, done = officer.press(plan, do="now", value=value)
            tasks = re.search(r"<h2>Done \((\d+)\)", officer.page)
            _, undone = officer.press(plan, do="undo")
            back = re.search(r"<h2>Undone \((\d+)\)", officer.page)
            print(f"{act}: {tasks.group(1) if tasks else 0} done, {back.group(1) if back else 0} undone:"
                  f" plan {planned:.2f} s, do {done:.2f} s, undo {undone:.2f} s", flush=True)
    finally:
        office.stop()


if __name__ == "__main__":
    sys.exit(main())
