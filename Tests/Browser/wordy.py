"""What a language that is 40 % longer breaks: the pseudo-language `en-x-long`, page by page.

pages.py looks with it at each page of table.py: nothing is wider than its window, no text is cut or
stands outside of its button, and whatever is no data stands in ⟦brackets⟧, since what stands without
them is in no catalogue.
"""
import re

import crowd

# Languages that nobody speaks are offered where this stands in the environment.
SWITCH = {"STANDPOINT_PSEUDO": "1"}
SIZES = ["phone", "tablet"]

# What is the same in every language: data, signs, units and names. Each line is a whole word or phrase.
NAMES = [
    # The program, other programs, formats and services.
    "Standpoint", "Leaflet", "English", "Čeština", "GeoJSON", "GeoPackage", "KML", "KMZ", "GPX", "CSV",
    "PDF", "RINEX", "YUMA", "SGP4", "gpsd", "Bluetooth", "Wi-Fi", "Enter", "standpoint",
    # Units, directions and time.
    "UTC", "dB-Hz", "km²", "km/h", "m/s", "m²", "ha", "km", "m", "s", "min", "h", "px", "MB", "GB", "kB",
    "MiB", "GiB", "KiB", "B", "bytes", "N", "E", "S", "W", "NE", "SE", "SW", "NW",
    # The sky's words and signals.
    "GPS", "Galileo", "GLONASS", "BeiDou", "QZSS", "NavIC", "SBAS", "GNSS", "NMEA", "WGS", "EGNOS",
]
# Shapes of data: identifiers, digests, addresses, times, numbers, file names and coordinates.
SHAPES = [
    # What pages.py has put in, cut off somewhere.
    r"(Landwirtschaftsfläche)+\w*",
    # The shape of a code, as its field shows it.
    r"\bXXXX[ -]XXXX\b",
    # The system's own name.
    r"Debian GNU/Linux.*",
    # What the office's log holds is chained, and stays as it was written.
    r"\d+ records, \d+ files, receipt", r"\d+ points\b", r"version \d+, \d+ items", r"new address\b[^⟦⟧]*",
    r"\btask [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", r"\d+ (new|changed|unchanged)\b",
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", r"\b[0-9a-f]{12,}\b", r"\b(https?|tcp|gpsd|serial|bluetooth)://\S+",
    r"\b[A-Za-z0-9_-]{40,}\b", r"\d{4}-\d\d-\d\d(T[\d:.]+Z?)?", r"\b\d[\d:.,]*\b", r"\S+\.(nmea|json|geojson|sqlite|mbtiles|jpg|pem|txt|log)\b",
]

# What the story is about: its own words, in whatever language somebody has written them.
DATA = {
    "Otto Weiß", "Ines Nováková", "Anna Παππά", "Sugar beet at the lane",
    "Catch crop beside it", "The row direction cannot be seen: one more photo, please.", "Round the parcel",
    # And what phones have sent: scripts/replay-phones.sh.
    "Beet by phone 1", "Beet by phone 2", "Beet by phone 3", "PHONE-", 'řepa & "len"', "edge of the field", "with nulls",
    "hotovo & přesně 100 %", "Untitled", "Nulls",
    "One photo from the middle of the field.", "One photo from the edge.", "Demonstration agency", "DEMO-", "GREEN-", "(ines)", "SHA-256",
    # The items of the story's order, and the answers to them.
    "crop check", "The crop from the middle of the field", "The direction of its rows has to be seen.", "Which crop grows there?",
    "Sugar beet", "Maize", "Another crop", "Which other crop is it?", "Anything that the photo does not show?",
    "Gaps in the rows near the lane",
    # The base maps of stage.py, and who made them.
    "Land map", "Overview of the land", "Office of Land Survey", "Made up for the tests", "XYZ",
}
# The names of the people and fields of a country.
DATA |= {name for _, name in crowd.PEOPLE} | {text for order in crowd.ORDERS for text in (order[0], order[2]) if text}
# Logins and names of agencies, and a type of task: whole texts only, since they are words as well.
WHOLE = {"demonstration", "demo", "crop", "officer", "administrator", "inspector", "terminal", "root", "ines", "anna", "otto", "Edge"}
WHOLE |= {order[1] for order in crowd.ORDERS} | {login for login, _ in crowd.PEOPLE}
SCRIPT = r"""(width) => {
  const found = {cut: [], words: []};
  // What somebody has written or reads letter by letter; and what is English in every language, and says so.
  const data = 'code, pre, textarea, body [lang="en"], .leaflet-control-attribution';
  const named = (one) => {
    const name = one.tagName.toLowerCase() + (one.id ? "#" + one.id : "")
      + [...one.classList].map((part) => "." + part).join("");
    return name + ` '${(one.innerText ?? one.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 50)}'`;
  };
  const isShown = (one) => one.checkVisibility({visibilityProperty: true, opacityProperty: false});
  // For those who listen only: it is a pixel wide on purpose.
  const isUnseen = (one) => {
    if (one.closest("[hidden], script, style, template, noscript")) return true;
    for (let up = one; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.position === "absolute" && style.clipPath !== "none" && up.clientWidth <= 1) return true;
    }
    return false;
  };
  // A map is larger than its window on purpose, and what it draws moves with it.
  const isMap = (one) => one.closest(".leaflet-map-pane") !== null || one.matches(".leaflet-container");
  // What has no words of ours may be shortened, as a name in the bar is.
  const isOurs = (one) => (one.innerText ?? "").includes("⟦");
  const scrolls = (one) => {
    for (let up = one; up; up = up.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(up).overflowX)) return true;
    return false;
  };
  const textBox = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    // Words for those who listen only take no room.
    if (![...one.querySelectorAll("*")].some(isUnseen)) return range.getBoundingClientRect();
    const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    while (walk.nextNode()) {
      if (isUnseen(walk.currentNode.parentElement) || !walk.currentNode.data.trim()) continue;
      range.selectNodeContents(walk.currentNode);
      const box = range.getBoundingClientRect();
      [left, right] = [Math.min(left, box.left), Math.max(right, box.right)];
      [top, bottom] = [Math.min(top, box.top), Math.max(bottom, box.bottom)];
    }
    return { left, right, top, bottom, width: right - left, height: bottom - top };
  };
  for (const one of document.body.querySelectorAll("*")) {
    if (!isShown(one) || isUnseen(one) || isMap(one) || !isOurs(one)) continue;
    const style = getComputedStyle(one);
    const hides = (value) => value === "hidden" || value === "clip";
    if (hides(style.overflowX) && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
      found.cut.push(`${named(one)} is cut: ${one.scrollWidth} px in ${one.clientWidth}`);
    if (hides(style.overflowY) && one.scrollHeight > one.clientHeight + 2 && one.clientHeight > 0)
      found.cut.push(`${named(one)} is cut: ${one.scrollHeight} px high in ${one.clientHeight}`);
    if (one.matches("button, .button, summary, nav a, a.card, .tiles a, .state, .light, label")) {
      const [box, text] = [one.getBoundingClientRect(), textBox(one)];
      if (style.display !== "inline" && (text.left < box.left - 1.5 || text.right > box.right + 1.5
          || text.top < box.top - 3 || text.bottom > box.bottom + 3))
        found.cut.push(`${named(one)} holds more than it has room for: ${Math.round(text.width)} × `
          + `${Math.round(text.height)} in ${Math.round(box.width)} × ${Math.round(box.height)}`);
    }
  }
  // A sentence may have links in it: its brackets are counted from one text to the next of the same block.
  let [depth, block] = [0, null];
  const unbracketed = (node) => {
    let mine = node.parentElement;
    while (mine && getComputedStyle(mine).display.startsWith("inline")) mine = mine.parentElement;
    if (mine !== block) [depth, block] = [0, mine];
    let kept = "";
    for (const sign of node.data) {
      if (sign === "⟦") depth += 1;
      else if (sign === "⟧") depth = Math.max(depth - 1, 0);
      else if (depth === 0) kept += sign;
    }
    return kept;
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const one = node.parentElement;
    if (!node.data.trim() || !isShown(one) || one.closest("script, style, template, noscript")) continue;
    if (one.closest(data)) continue;
    found.words.push([named(one), unbracketed(node)]);
    if (isUnseen(one) || scrolls(one) || isMap(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 0 && (box.left < -1 || box.right > width + 1)) {
        found.cut.push(`${named(one)} stands outside of the window: ${Math.round(box.left)}…${Math.round(box.right)} px`);
        break;
      }
  }
  for (const one of document.body.querySelectorAll("[aria-label], [placeholder], [title], img[alt]"))
    for (const name of ["aria-label", "placeholder", "title", "alt"])
      if (one.getAttribute(name)?.trim()) found.words.push([`${named(one)}, ${name}`, one.getAttribute(name)]);
  return found;
}"""


def rest(text, data):
    """What of a text is neither in brackets nor data."""
    if text.strip() in WHOLE:
        return ""
    while True:
        less = re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
        if less == text:
            break
        text = less
    for phrase in sorted(data, key=len, reverse=True):
        text = text.replace(phrase, " ")
    for shape in SHAPES:
        text = re.sub(shape, " ", text)
    for name in sorted(NAMES, key=len, reverse=True):
        text = re.sub(rf"(?<![^\W\d_]){re.escape(name)}(?![^\W\d_])", " ", text)
    return " ".join(text.split()) if re.search(r"[^\W\d_]{2,}", text) else ""


def look(page, width, data):
    """The faults of the page that is open."""
    found = page.evaluate(SCRIPT, width)
    faults = list(dict.fromkeys(found["cut"]))
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        faults.append(f"it is {wide} px wide")
    for where, text in found["words"]:
        left = rest(text, data)
        if left:
            faults.append(f"'{left[:80]}' is in no catalogue ({where})")
    return list(dict.fromkeys(faults))
