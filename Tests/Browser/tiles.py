"""A map service of the tests' own: tiles in two looks, as XYZ and as WMS, and a file of tiles."""
import http.server
import math
import sqlite3
import struct
import threading
import urllib.parse
import zlib

CAPABILITIES = """<?xml version="1.0"?><WMS_Capabilities version="1.3.0"><Service><Title>Survey</Title></Service>
<Capability><Request><GetMap><Format>image/png</Format></GetMap></Request><Layer><Title>All</Title><CRS>EPSG:3857</CRS>
<Layer><Name>ortho</Name><Title>Aerial photo 2025</Title><Attribution><Title>Office of Land Survey</Title></Attribution></Layer>
<Layer><Name>relief</Name><Title>Relief of the ground, shaded from the north-west</Title></Layer></Layer></Capability></WMS_Capabilities>"""


def picture(look, x, y):
    """A PNG of 256 by 256 pixels: a field of one colour with an edge, so that tiles are told apart."""
    light = 20 * ((x + y) % 2)
    base = {"map": (232 - light, 236 - light, 222 - light), "ortho": (96 + light, 124 + light, 74 + light)}[look]
    row = b"\0" + bytes(base) * 256
    edge = b"\0" + bytes(max(0, one - 40) for one in base) * 256
    rows = edge + row * 127 + edge + row * 127

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 256, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        query = {name.upper(): value for name, value in urllib.parse.parse_qsl(parts.query)}
        if query.get("REQUEST") == "GetCapabilities":
            return self.say(CAPABILITIES.encode(), "text/xml")
        if parts.path == "/wms":
            return self.say(picture("ortho", 0, 0), "image/png")
        if parts.path == "/gone":
            return self.say(b"<html>Sign in</html>", "text/html")
        _, x, y = (int(one) for one in parts.path.strip("/").removesuffix(".png").split("/"))
        return self.say(picture("map", x, y), "image/png")

    def say(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve():
    """Begins to serve, and returns the address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def write_archive(path, title, look, around=None):
    """An MBTiles file with the coarse tiles of the world, and, around a latitude and longitude, those down to zoom 19."""
    with sqlite3.connect(path) as archive:
        archive.executescript("""CREATE TABLE metadata (name TEXT, value TEXT);
          CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);""")
        archive.executemany("INSERT INTO metadata VALUES (?, ?)", [
            ("name", title), ("format", "png"), ("attribution", "Made up for the tests")])
        for zoom in range(6):
            archive.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", [
                (zoom, x, y, picture(look, x, y)) for x in range(1 << zoom) for y in range(1 << zoom)])
        for zoom in range(6, 20) if around else ():
            count = 1 << zoom
            middle = (around[1] + 180) / 360, (1 - math.asinh(math.tan(math.radians(around[0]))) / math.pi) / 2
            column, row = (int(share * count) for share in middle)
            # Rows of MBTiles are counted from the south.
            archive.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", [
                (zoom, x, count - 1 - y, picture(look, x, y)) for x in range(column - 3, column + 4) for y in range(row - 3, row + 4)])
