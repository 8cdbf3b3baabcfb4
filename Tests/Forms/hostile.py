#!/usr/bin/env python3
"""Makes workbooks that are damaged, hostile, or no workbooks: hostile.py FOLDER."""
import io, sys, zipfile
import openpyxl

SURVEY = [["type", "name", "label"], ["text", "q", "Words"]]


def workbook(rows=SURVEY, change=None):
    book = openpyxl.Workbook()
    book.active.title = "survey"
    for row in rows: book.active.append(row)
    if change: change(book)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def parts(change, rows=SURVEY):
    """A workbook with some of its parts replaced, added, or left out (None)."""
    with zipfile.ZipFile(io.BytesIO(workbook(rows))) as archive:
        every = {name: archive.read(name) for name in archive.namelist()}
    every.update(change(every))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in every.items():
            if data is not None: archive.writestr(name, data)
    return stream.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def sheet(old, new):
    def change(every):
        assert old in every[SHEET], every[SHEET]
        return {SHEET: every[SHEET].replace(old, new, 1)}
    return change


def laughs(every):
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol" * 10}">' for n in range(10))
    return {SHEET: every[SHEET].replace(b"<worksheet", f"<!DOCTYPE worksheet [{entities}]><worksheet".encode(), 1).replace(b"<t>q</t>", b"<t>&l9;</t>", 1)}


def by_hand(rows, strings):
    """A workbook as other programs write it: shared texts, names with a prefix, cells without names."""
    def change(_):
        main = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
        return {
            SHEET: f"<x:worksheet {main}><x:sheetData>{rows}</x:sheetData></x:worksheet>".encode(),
            "xl/sharedStrings.xml": f"<x:sst {main}>{strings}</x:sst>".encode(),
            "xl/workbook.xml": f'<x:workbook {main} xmlns:q="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
                               '<x:sheets><x:sheet name="Survey" sheetId="1" q:id="rId7"/></x:sheets></x:workbook>'.encode(),
            "xl/_rels/workbook.xml.rels": b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                                          b'<Relationship Id="rId7" Target="/xl/worksheets/sheet1.xml" Type="t"/></Relationships>',
        }
    return parts(change)


def row(*cells): return f"<x:row>{''.join(cells)}</x:row>"
def text(number): return f'<x:c t="s"><x:v>{number}</x:v></x:c>'
def number(value): return f"<x:c><x:v>{value}</x:v></x:c>"


WORDS = "".join(f"<x:si><x:t>{word}</x:t></x:si>" for word in ["type", "name", "label", "required", "text", "q1"])
RICH = ('<x:si><x:r><x:t xml:space="preserve">Which </x:t></x:r><x:r><x:rPr><x:b/></x:rPr><x:t>crop?</x:t></x:r>'
        "<x:rPh><x:t>aloud</x:t></x:rPh></x:si>")
HEAD = row(text(0), text(1), text(2), text(3))

FILES = {
    "good": by_hand(HEAD + row(text(4), text(5), text(6), '<x:c t="b"><x:v>1</x:v></x:c>') + row()
                    + '<x:row r="9"><x:c r="A9" t="str"><x:v>text</x:v></x:c><x:c r="B9" t="inlineStr"><x:is><x:t>q2</x:t></x:is></x:c>'
                      '<x:c r="C9"><x:v>12.0</x:v></x:c></x:row>', WORDS + RICH),
    "formula": workbook(SURVEY + [["text", "=B2", "Formula"]]),
    "old": bytes.fromhex("D0CF11E0A1B11AE1") + bytes(4096),
    "cut": workbook()[:2000],
    "bomb": parts(lambda every: {"xl/media/bomb.xml": bytes(300 << 20)}),
    "big": parts(lambda every: {SHEET: every[SHEET].replace(b"<sheetData>", b"<sheetData>" + b" " * (65 << 20), 1)}),
    "laughs": parts(laughs),
    "malformed": parts(sheet(b"</row>", b"</wor>")),
    "deep": parts(sheet(b"<sheetData>", b"<a>" * 5000 + b"<sheetData>")),
    "shared": by_hand(HEAD + row(text(4), text(99)), WORDS),
    "backwards": parts(sheet(b'<row r="2"', b'<row r="1"')),
    "far": parts(sheet(b'<c r="A1"', b'<c r="XFE1"')),
    "error": by_hand(HEAD + row('<x:c t="e"><x:v>#REF!</x:v></x:c>'), WORDS),
    "lost": parts(lambda every: {SHEET: None}),
    "unnamed": parts(lambda every: {"xl/workbook.xml": None}),
    "long": by_hand(HEAD + row(text(6)), WORDS + f"<x:si><x:t>{'x' * 140_000}</x:t></x:si>"),
    "many": workbook(SURVEY + [["text", f"q{n}", "x"] for n in range(70_000)]),
}

if __name__ == "__main__":
    for name, data in FILES.items():
        with open(f"{sys.argv[1]}/{name}.xlsx", "wb") as file: file.write(data)
