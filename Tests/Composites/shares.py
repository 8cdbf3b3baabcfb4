"""The share of the picture above at points of the one below, computed again with numpy.

    shares.py < ROWS

Reads rows of 18 float64 from standard input: width and height of the picture above; centre x, y, scale and angle of its
place; shape (0 rectangle, 1 ellipse), centre x, y, half width, half height and angle of the window; softness; transparency;
the point x, y; the share that the program found; 0. Prints the worst difference and how many points lie where.
"""
import json
import sys

import numpy

rows = numpy.frombuffer(sys.stdin.buffer.read(), dtype="<f8").reshape(-1, 18).T
(width, height, px, py, scale, angle, shape, wx, wy, wa, wb, turn, softness, transparency, x, y, found, _) = rows


def own(x, y, cx, cy, degrees):
    """The point in the frame of something that is turned clockwise about its centre, with y downwards."""
    z = (x - cx + 1j * (y - cy)) * numpy.exp(-1j * numpy.deg2rad(degrees))
    return z.real, z.imag


def mask(place, softness):
    with numpy.errstate(divide="ignore", invalid="ignore"):
        soft = numpy.clip((1 - place) / softness, 0, 1)
    return numpy.where(softness > 0, soft, (place <= 1).astype(float))


u, v = own(x, y, px, py, angle)
edge = numpy.maximum(numpy.abs(u / scale) / (width / 2), numpy.abs(v / scale) / (height / 2))
u, v = own(x, y, wx, wy, turn)
rectangle = numpy.maximum(numpy.abs(u) / wa, numpy.abs(v) / wb)
place = numpy.where(shape == 0, rectangle, numpy.hypot(u / wa, v / wb))
share = (1 - transparency) * mask(edge, softness) * mask(place, softness)
# On a hard edge the last bit of a number decides: such points are left out, and counted.
hard = (softness == 0) & ((numpy.abs(edge - 1) < 1e-9) | (numpy.abs(place - 1) < 1e-9))
print(json.dumps({
    "count": len(share), "worst": float(numpy.abs(share - found)[~hard].max()), "onHardEdge": int(hard.sum()),
    "outside": int((share == 0).sum()), "whole": int((share == 1 - transparency).sum()),
    "between": int(((share > 0) & (share < 1 - transparency)).sum())}))
