"""Computes relative attitudes and projected frames with scipy's rotation matrices, and compares.

Reads rows of doubles from standard input, each: the earlier quaternion (w x y z), the present one,
then what the program computed: the whole angle, roll, pitch and yaw in degrees, the frame's middle
(x, y), and 1 if it is in view, else 0. The arguments are the width and height of the picture in
pixels and its horizontal field of view in degrees. Prints the largest differences as JSON.
"""
import json
import sys

import numpy as np
from scipy.spatial.transform import Rotation

width, height, across = (float(argument) for argument in sys.argv[1:])
rows = np.frombuffer(sys.stdin.buffer.read(), dtype="<f8").reshape(-1, 15)


def matrices(quaternions):
    return Rotation.from_quat(quaternions[:, [1, 2, 3, 0]]).as_matrix()


earlier, present = matrices(rows[:, 0:4]), matrices(rows[:, 4:8])
between = np.einsum("nji,njk->nik", earlier, present)
skew = np.stack([between[:, 2, 1] - between[:, 1, 2], between[:, 0, 2] - between[:, 2, 0],
                 between[:, 1, 0] - between[:, 0, 1]], axis=1)
angle = np.arctan2(np.linalg.norm(skew, axis=1) / 2, (np.trace(between, axis1=1, axis2=2) - 1) / 2)

# Lower case: turns about the fixed axes, first y, then x, then z.
roll, pitch, yaw = Rotation.from_matrix(between).as_euler("yxz").T
is_steep = np.abs(np.abs(pitch) - np.pi / 2) < 1e-3


def apart(degrees, radians):
    return np.abs((np.radians(degrees) - radians + np.pi) % (2 * np.pi) - np.pi)


# A thing a kilometre away in the middle of the earlier picture, in the present camera's axes.
thing = np.einsum("nij,j->ni", earlier, np.array([0.0, 0.0, -1000.0]))
seen = np.einsum("nji,nj->ni", present, thing)
focal = width / 2 / np.tan(np.radians(across) / 2)
with np.errstate(divide="ignore", invalid="ignore"):
    x = width / 2 + focal * seen[:, 0] / -seen[:, 2]
    y = height / 2 - focal * seen[:, 1] / -seen[:, 2]
# A thousandth of a pixel at the edge is either.
margin = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y))
is_seen = (seen[:, 2] < 0) & (margin >= 0)
is_told = rows[:, 14] == 1
is_clear = np.abs(margin) > 1e-3
both = is_seen & is_told
print(json.dumps({
    "count": len(rows),
    "inView": int(both.sum()),
    "steep": int(is_steep.sum()),
    "angleRadians": float(np.abs(np.radians(rows[:, 8]) - angle).max()),
    "partsRadians": float(max(apart(rows[:, 9], roll)[~is_steep].max(),
                              apart(rows[:, 11], yaw)[~is_steep].max(),
                              apart(rows[:, 10], pitch)[~is_steep].max())),
    "pixels": float(np.hypot(rows[:, 12] - x, rows[:, 13] - y)[both].max()),
    "wrongSide": int(((is_seen != is_told) & is_clear).sum()),
}))
