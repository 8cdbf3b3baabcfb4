"""Where SGP4 of somebody else has satellites: nothing of it is shared with ours.

Without arguments: standard input is JSON, {"satellites": [[line 1, line 2], ...], "minutes": [...]}; standard
output for each satellite a list of [error, x, y, z, vx, vy, vz] at each time, kilometres and seconds, in
TEME. With the argument `published` instead: the verification set of Vallado et al. (2006) as the package
brings it, [[line 1, line 2, [[minutes, x, y, z, vx, vy, vz], ...]], ...].

Debian's python3-sgp4 and PyPI's sgp4 will do alike.
"""

import json
import pathlib
import sys

import sgp4
from sgp4.api import WGS72, Satrec


def published():
    folder = pathlib.Path(sgp4.__file__).parent
    states, current = {}, None
    # A satellite that comes twice goes on.
    for line in (folder / "tcppver.out").read_text().splitlines():
        fields = line.split()
        if len(fields) == 2 and fields[1] == "xx":
            current = states.setdefault(int(fields[0]), [])
        elif len(fields) >= 7 and current is not None:
            current.append([float(field) for field in fields[:7]])
    lines = (folder / "SGP4-VER.TLE").read_text().splitlines()
    found, seen = [], set()
    for first, second in zip(lines, lines[1:]):
        if first.startswith("1 ") and second.startswith("2 "):
            number = int(second[2:7])
            if number not in seen:
                found.append([first[:69], second[:69], states.get(number, [])])
                seen.add(number)
    return found


def asked():
    question = json.load(sys.stdin)
    answers = []
    for first, second in question["satellites"]:
        record = Satrec.twoline2rv(first, second, WGS72)
        states = []
        for minutes in question["minutes"]:
            error, place, velocity = record.sgp4_tsince(minutes)
            numbers = [0.0] * 6 if error else [*place, *velocity]
            states.append([error, *numbers])
        answers.append(states)
    return answers


json.dump(published() if sys.argv[1:] == ["published"] else asked(), sys.stdout)
