#!/usr/bin/env python3
"""A PDF of many drawn photos of 12 megapixels beside PyPI's reportlab with Pillow, from the same files.

Theirs makes each picture small with `Image.open().thumbnail((1600, 1600))`, quality 80, and sets a page for
each photo with the same picture, some forty lines of claims and checks, and a map of a few lines: fewer things
than ours, which also draws a code and lays out tables. Either is run in a process of its own.
Exit 1 where ours is not 3 times as fast, or needs 300 MB or more.

reportlab and Pillow are not among the tests' tools: `pip install reportlab pillow`, and name that Python with
--python.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST = 3.0
MOST_BYTES = 300e6

PEER = """
import io, json, pathlib, resource, sys, time
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas
folder = pathlib.Path(sys.argv[1])
pictures = sorted(folder.glob("*.jpg"))
began = time.perf_counter()
fonts = "/usr/share/fonts/truetype/dejavu/"
pdfmetrics.registerFont(TTFont("Sans", fonts + "DejaVuSans.ttf"))
pdfmetrics.registerFont(TTFont("Bold", fonts + "DejaVuSans-Bold.ttf"))
page = canvas.Canvas(str(folder / "peer.pdf"), pagesize=A4)
for number, path in enumerate(pictures, 1):
    image = Image.open(path)
    image.thumbnail((1600, 1600))
    small = io.BytesIO()
    image.save(small, "JPEG", quality=80)
    small.seek(0)
    page.bookmarkPage(str(number))
    page.addOutlineEntry(f"Photo {number}", str(number))
    page.setFont("Bold", 14)
    page.drawString(57, 770, f"Photo {number} of {len(pictures)}")
    page.drawImage(ImageReader(small), 57, 520, 322, 241)
    page.rect(387, 601, 152, 160)
    for line in range(6):
        page.line(387, 620 + 20 * line, 539, 620 + 20 * line)
    page.circle(460, 680, 6)
    for line in range(40):
        page.setFont("Sans", 8)
        page.drawString(57, 500 - 11 * line, f"Claim {line}")
        page.drawString(165, 500 - 11 * line, f"49.08{number:05d} degrees, plus or minus 1.{line} m")
    page.setFont("Sans", 7)
    page.drawString(57, 40, f"Page {number} of {len(pictures)}")
    page.showPage()
page.save()
print(json.dumps({
    "seconds": time.perf_counter() - began,
    "residentBytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
"""


def answer(words):
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(ROOT / ".build-release/release/standpoint"))
    parser.add_argument("--python", default=sys.executable, help="one that has reportlab and Pillow")
    parser.add_argument("--photos", type=int, default=500)
    given = parser.parse_args()
    looked = subprocess.run([given.python, "-c", "import reportlab, PIL"], stderr=subprocess.DEVNULL)
    if looked.returncode:
        sys.exit(f"{given.python} has no reportlab or no Pillow: pip install reportlab pillow, see --python")
    with tempfile.TemporaryDirectory() as place:
        # Drawing takes a process of its own, whose memory does not count.
        folder = answer(
            [given.program, "measure", "--thumbnails", str(given.photos), "--folder", place, "--keep",
             "--format", "json"])["folder"]
        ours = answer([given.program, "measure", "--pdf", folder, "--format", "json"])
        theirs = answer([given.python, "-c", PEER, folder])
    ratio = theirs["seconds"] / ours["seconds"]
    print(json.dumps({
        "photos": ours["pictures"], "standpointSeconds": ours["seconds"],
        "standpointResidentBytes": ours["residentBytes"], "standpointBytes": ours["bytes"],
        "reportlabSeconds": round(theirs["seconds"], 3), "reportlabResidentBytes": theirs["residentBytes"],
        "timesAsFast": round(ratio, 3)}))
    return 0 if ratio >= LEAST and ours["residentBytes"] < MOST_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
