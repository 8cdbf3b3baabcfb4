"""Convex layers by Qhull, for sets of points in general position.

Reads lines of JSON, each a list of [east, north]; answers each with its layers, outermost first, as
lists of the points' numbers.
"""
import json
import sys

import numpy
from scipy.spatial import ConvexHull

for line in sys.stdin:
    points = numpy.array(json.loads(line))
    left = numpy.arange(len(points))
    layers = []
    while len(left) > 2:
        hull = left[ConvexHull(points[left]).vertices]
        layers.append(sorted(int(index) for index in hull))
        left = numpy.setdiff1d(left, hull)
    if len(left):
        layers.append([int(index) for index in left])
    print(json.dumps(layers))
