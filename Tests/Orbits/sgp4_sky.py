"""Where satellites stand, by SGP4 and the sidereal time of 1982: nothing of it is shared with ours.

Standard input: {"satellites": [{axis, eccentricity, inclination, node, perigee, anomaly, epoch}, ...],
"times": [...], "observer": [latitude, longitude]}, metres, radians, Unix seconds and degrees; the node
is counted from Greenwich at the epoch. Standard output: for each satellite its place and velocity in
the turning frame at the epoch, metres, and its elevation and azimuth at each time, degrees.
"""

import json
import sys
from math import asin, atan2, cos, degrees, pi, radians, sin, sqrt

from sgp4.api import WGS84, Satrec

EARTH_RATE = 7.292115e-5


def julian(unix):
    return unix / 86400 + 2440587.5


def sidereal(unix):
    centuries = (julian(unix) - 2451545.0) / 36525
    seconds = (
        67310.54841
        + (876600 * 3600 + 8640184.812866) * centuries
        + 0.093104 * centuries**2
        - 6.2e-6 * centuries**3
    )
    return radians(seconds / 240) % (2 * pi)


def turned(vector, angle):
    x, y, z = vector
    return (x * cos(angle) + y * sin(angle), -x * sin(angle) + y * cos(angle), z)


def satellite(told):
    record = Satrec()
    record.sgp4init(
        WGS84,
        "i",
        1,
        julian(told["epoch"]) - 2433281.5,
        0,
        0,
        0,
        told["eccentricity"],
        told["perigee"],
        told["inclination"],
        told["anomaly"],
        sqrt(3.986005e14 / told["axis"] ** 3) * 60,
        (told["node"] + sidereal(told["epoch"])) % (2 * pi),
    )
    return record


def state(record, unix):
    whole = julian(unix) // 1
    error, place, velocity = record.sgp4(whole, (unix / 86400 + 2440587.5) - whole)
    assert error == 0, error
    angle = sidereal(unix)
    place, velocity = turned(place, angle), turned(velocity, angle)
    return (
        [1000 * value for value in place],
        [
            1000 * (velocity[0] + EARTH_RATE * place[1]),
            1000 * (velocity[1] - EARTH_RATE * place[0]),
            1000 * velocity[2],
        ],
    )


def direction(place, observer):
    latitude, longitude = map(radians, observer)
    normal = 6378137 / sqrt(1 - 6.69437999014e-3 * sin(latitude) ** 2)
    here = (
        normal * cos(latitude) * cos(longitude),
        normal * cos(latitude) * sin(longitude),
        normal * (1 - 6.69437999014e-3) * sin(latitude),
    )
    x, y, z = (there - place for there, place in zip(place, here))
    up = cos(latitude) * (cos(longitude) * x + sin(longitude) * y) + sin(latitude) * z
    east = cos(longitude) * y - sin(longitude) * x
    north = cos(latitude) * z - sin(latitude) * (cos(longitude) * x + sin(longitude) * y)
    return degrees(asin(up / sqrt(x * x + y * y + z * z))), degrees(atan2(east, north)) % 360


asked = json.load(sys.stdin)
answers = []
for told in asked["satellites"]:
    record = satellite(told)
    place, velocity = state(record, told["epoch"])
    answers.append(
        {
            "place": place,
            "velocity": velocity,
            "directions": [
                direction(state(record, time)[0], asked["observer"]) for time in asked["times"]
            ],
        }
    )
json.dump(answers, sys.stdout)
