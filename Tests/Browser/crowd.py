"""What an office of a country has: people and fields with the names that such have, and tasks with several photos. Two
tasks with short names hide what fifty show.
"""
import datetime
import json
import os
import random
import sqlite3
import subprocess

from receiver import sentence

PASSWORD = "heron above still ponds"

# Login and full name. Logins are as long as such are where they are made of names.
PEOPLE = [
    ("katerina.dvorackova-simunkova", "Ing. Kateřina Dvořáčková-Šimůnková, Ph.D."),
    ("vitezslav.nezbeda", "Bc. Vítězslav Nezbeda"),
    ("papadopoulos.georgios", "Γεώργιος Παπαδόπουλος"),
    ("stefan.muresanu", "Ștefan Mureșanu"),
    ("maria.camilleri", "Marija Camilleri Għarb"),
    ("oreilly", "Niamh Ní Raghallaigh O’Reilly"),
]

# Name, type, instructions, parcel. The first three quarters are the device's inspector's, the others those of PEOPLE.
ORDERS = [
    ("Ozimá pšenice, Žďár nad Sázavou, díl půdního bloku 4102/7", "crop", "Fotografujte porost z jihovýchodního rohu."),
    ("Zachování trvalých travních porostů – Horní Bečva, pod Kněhyní", "grassland", "Celek a detail drnu."),
    ("Řepka olejka u Dolních Heršpic", "crop", ""),
    ("Nektarodárný biopás podél potoka Říčky, k. ú. Šlapanice u Brna", "strip", "Oba konce biopásu a jeho střed."),
    ("Úhor s porostem, Křižanov", "fallow", ""),
    ("Chmelnice Žatec-Bezděkov, konstrukce a výsadba", "hops", "Jednu fotografii z každého rohu konstrukce."),
    ("Vinice Pavlov, trať Děvín", "vineyard", ""),
    ("Kukuřice na siláž, Čáslav, blok 6601", "crop", ""),
    ("Ječmen jarní – Hrušovany nad Jevišovkou", "crop", "Fotografujte proti svahu."),
    ("Ovocný sad Střížovice (jabloně, integrovaná produkce)", "orchard", "Celek řady a štítek odrůdy."),
    ("Zatravnění orné půdy, Ústí nad Orlicí – Černovír", "grassland", ""),
    ("Krajinný prvek: solitérní dub u Ždírce nad Doubravou", "feature", "Strom celý, s korunou."),
    ("Krajinný prvek: mez s keři, Velké Meziříčí", "feature", ""),
    ("Bob obecný, Přibyslav", "crop", ""),
    ("Mák setý, Moravské Budějovice, 12,41 ha", "crop", "Stav porostu."),
    ("Slunečnice Břeclav-Poštorná", "crop", ""),
    ("Winterweizen, Schlag „Großer Anger“ bei Weißenburg", "crop", "Bitte vom Feldweg aus."),
    ("Dauergrünland Oberösterreich, Gemeinde Sankt Ägidi", "grassland", ""),
    ("Blühstreifen am Ährenbach, Flurstück 1204/3", "strip", ""),
    ("Streuobstwiese Überlingen-Lippertsreute, Teilfläche B", "orchard", "Jeder Baum der ersten Reihe."),
    ("Porumb, tarla 47, comuna Săcălaz, județul Timiș", "crop", ""),
    ("Pajiște permanentă, Câmpulung Moldovenesc", "grassland", "Fotografiați panta întreagă."),
    ("Floarea-soarelui, Țăndărei", "crop", ""),
    ("Ελαιώνας Καλαμάτα, τεμάχιο 18", "orchard", "Από τη νοτιοδυτική γωνία."),
    ("Αμπελώνας Νεμέα – Κούτσι", "vineyard", ""),
    ("Raba’ tal-patata, Għajn Riħana, l-Imġarr", "crop", ""),
    ("Żebbuġ, limiti ta’ Had-Dingli", "orchard", ""),
    ("Páirc an Átha, Béal an Mhuirthead, Co. Mhaigh Eo", "grassland", "The hedge on the western side, too."),
    ("Traditional hay meadow, Glenbeigh, LPIS 1-2-0044517", "grassland", ""),
    ("Pšenica letná f. ozimná, Dunajská Streda", "crop", ""),
    ("Tritikale, Nové Město na Moravě, pod Harusákem", "crop", ""),
    ("Hrách setý na zrno, Kněževes", "crop", ""),
    ("Vojtěška, Židlochovice, blok 8203/1", "crop", "Fotografujte porost před druhou sečí."),
    ("Brambory sadbové, Havlíčkův Brod-Suchá", "crop", ""),
    ("Trvalé kultury: rychle rostoucí dřeviny, Dačice", "trees", ""),
    ("Cukrovka, Němčice nad Hanou", "crop", ""),
    ("Oves nahý, Bystřice nad Pernštejnem", "crop", ""),
    ("Len olejný, Telč", "crop", ""),
    ("Ochranné pásmo vodního zdroje, Vír I, východní břeh", "buffer", "Tři fotografie podél břehové čáry."),
    ("Vysázený větrolam Dambořice", "trees", ""),
    ("Meziplodina: hořčice bílá, Šakvice", "catch-crop", ""),
    ("Meziplodina: svazenka vratičolistá, Ivančice", "catch-crop", ""),
    ("Pastvina pro masný skot, Frymburk nad Vltavou", "grassland", ""),
    ("Podmáčená louka s upolínem, Žďárské vrchy", "grassland", "Upolín z blízka, není-li odkvetlý."),
    ("Protierozní pás mezi bloky 7702/4 a 7702/5, Kyjov", "strip", ""),
    ("Zaplocenka č. 3, Hostýnské vrchy", "trees", ""),
    ("Cizrna, Lednice", "crop", ""),
    ("Sója luštinatá, Hodonín, pronájem od roku 2025", "crop", ""),
    ("Porost bez pesticidů, Sloup v Moravském krasu", "crop", ""),
    ("Rozorání travního porostu (podezření), Jeseník", "check", "Hranice rozorání s krajním stromem."),
    ("Skládka hnoje u vodoteče, Kojetín", "check", "Vzdálenost od břehu musí být vidět."),
    ("Závlaha kapková, Valtice, šachta Š2", "utility", ""),
]

# One photo in three is taken upright.
PORTRAIT = " --width 1200 --height 1600"

# On these there are photos, by the device of the first of PEOPLE: how many.
PHOTOGRAPHED = {
    "Ozimá pšenice, Lanžhot – obnovená kontrola po odvolání žadatele": 9,
    "Travní směs, Pohořelice, levý břeh Jihlavy": 2,
}
MANY, NEXT = PHOTOGRAPHED


def ring(number):
    """A field of its own for each, in rows beside each other."""
    west, south = 16.60 + number % 10 * 0.006, 49.10 + number // 10 * 0.004
    return [[west, south], [west + 0.004, south + 0.0004], [west + 0.0043, south + 0.0026], [west + 0.0003, south + 0.0022],
            [west, south]]


def orders(inspector, due):
    """The features of all: three quarters for `inspector`."""
    features = []
    for number, (name, kind, instructions) in enumerate(ORDERS):
        login = PEOPLE[number % len(PEOPLE)][0] if number % 4 == 3 else inspector
        features.append({
            "type": "Feature",
            "properties": {"identifier": f"{690 + number}-{1040 + number * 7}-4102/{number % 9 + 1}", "name": name, "type": kind,
                           "inspector": login, "instructions": instructions,
                           "due": str(due + datetime.timedelta(days=number * 3))},
            "geometry": {"type": "Polygon", "coordinates": [ring(number)]}})
    return features


def run(program, *words, data, given=None):
    """What a command prints; what it complains of, where it fails."""
    done = subprocess.run(
        [program, *map(str, words), "--data", str(data)], input=given, text=True, capture_output=True,
        env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
    assert done.returncode == 0, f"{' '.join(map(str, words))}: {done.returncode}: {done.stderr}"
    return done.stdout


def tell(program, *words, data):
    """The same as JSON Lines."""
    return [json.loads(line) for line in run(program, *words, "--format", "json", data=data).splitlines()]


def order(program, data, features, folder, agency):
    """Orders tasks, by a file as an office gets it."""
    path = f"{folder}/orders.geojson"
    with open(path, "w") as file:
        json.dump({"type": "FeatureCollection", "features": features}, file)
    return tell(program, "office", "task", "import", path, "--agency", agency, data=data)


def arrive(program, folder, data, inspector, agency="demonstration"):
    """People and orders arrive at an office."""
    for login, name in PEOPLE:
        run(program, "office", "user", "add", login, "--role", "inspector", "--agency", agency, "--name", name,
            "--password-stdin", data=data, given=PASSWORD)
    due = datetime.date.today() + datetime.timedelta(days=-9)
    order(program, data, orders(inspector, due), folder, agency)


def standing(began, seed, longitude, latitude, seconds=16):
    """A receiver that stands still there, second by second."""
    noise = random.Random(seed)

    def angle(degrees, width):
        return f"{int(degrees):0{width}d}{(degrees % 1) * 60 + noise.gauss(0, 5e-6):010.7f}"
    lines = []
    for second in range(seconds):
        at = began + datetime.timedelta(seconds=second)
        place = f"{angle(latitude, 2)},N,{angle(longitude, 3)},E"
        lines.append(f"GPGGA,{at:%H%M%S}.00,{place},1,10,0.9,231.0,M,44.6,M,,")
        lines.append(f"GPRMC,{at:%H%M%S}.00,A,{place},0.02,,{at:%d%m%y},,,A")
    return "".join(map(sentence, lines))


def fill(database, count):
    """A device whose inspector has worked for weeks: copies of one photo and one track, in a list of their own. Their
    files are missing, as on a damaged disk."""
    base = sqlite3.connect(database, timeout=20)

    def copy(table, key, source, changes):
        columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
        chosen = ", ".join(changes.get(column, column) for column in columns)
        base.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {chosen} FROM {table} WHERE {key} = ?", (source,))

    def first(query):
        return base.execute(query).fetchone()[0]
    photo = first("SELECT id FROM photo WHERE deleted IS NULL AND removed IS NULL ORDER BY device_time")
    track = first("SELECT id FROM track WHERE deleted IS NULL AND ended IS NOT NULL ORDER BY started")
    last = first("SELECT max(sequence) FROM link")
    for number in range(1, count + 1):
        new = f"'0190a5c0-7d2e-7cc3-98c4-{number:012x}'"
        copy("link", "id", photo, {"id": new, "sequence": str(last + number)})
        copy("photo", "id", photo, {"id": new, "task": "NULL", "device_time": f"device_time - {3_700_000 * number}",
                                    "sent": "NULL", "delivered": "NULL", "confirmed": "NULL"})
        new = f"'0190a5c0-7d2e-7cc3-98c5-{number:012x}'"
        name = ORDERS[number % len(ORDERS)][0].replace("'", "''")
        copy("track", "id", track, {"id": new, "task": "NULL", "name": f"'{name}'", "sent": "NULL", "delivered": "NULL",
                                    "confirmed": "NULL", "started": f"started - {3_700_000 * number}",
                                    "ended": f"ended - {3_700_000 * number}"})
        copy("track_point", "track", track, {"track": new})
    base.commit()
    base.close()


def photograph(program, folder, office, data, agency="demonstration"):
    """The first of PEOPLE goes out with a device of their own, and sends tasks with several photos."""
    program, folder = os.path.abspath(program), os.path.abspath(folder)
    login, device = PEOPLE[0][0], f"{folder}/second-device"
    features = []
    for number, name in enumerate(PHOTOGRAPHED):
        features.append({
            "type": "Feature", "geometry": {"type": "Polygon", "coordinates": [ring(60 + number)]},
            "properties": {"identifier": f"LAN-{number}", "name": name, "type": "crop", "inspector": login,
                           "instructions": "Porost z každé strany, s obzorem."}})
    tasks = {task["name"]: task["id"] for task in order(program, data, features, folder, agency)}
    run(program, "login", "--office", office, "--user", login, "--password-stdin", data=device, given=PASSWORD)
    run(program, "deliver", data=device)
    for number, (name, count) in enumerate(PHOTOGRAPHED.items()):
        run(program, "task", "open", tasks[name], data=device)
        west, south = ring(60 + number)[0]
        for photo in range(count):
            log = f"{folder}/standing.nmea"
            with open(log, "w") as file:
                file.write(standing(
                    datetime.datetime.now(datetime.timezone.utc), number * 100 + photo, west + 0.0008 + photo * 0.0003,
                    south + 0.0012))
            run(program, "capture", "--task", tasks[name], "--gnss", f"file://{log}?rate=max", "--samples", 5,
                "--countdown", 0, "--heading", photo * 40 % 360,
                "--camera", f"{program} demo-picture {{file}} --seed {number * 100 + photo}" + (PORTRAIT if photo % 3 == 1 else ""),
                data=device)
        run(program, "task", "provide", tasks[name], data=device)
    without_a_task(program, folder, device)
    run(program, "deliver", data=device)


def without_a_task(program, folder, device):
    """Photos without a task: three within the parcel of the first of PHOTOGRAPHED, one where no task is near."""
    west, south = ring(60)[0]
    for number, (longitude, latitude) in enumerate(
            [(west + 0.001 + place * 0.0006, south + 0.0015) for place in range(3)] + [(west - 0.2, south)]):
        log = f"{folder}/standing.nmea"
        with open(log, "w") as file:
            file.write(standing(datetime.datetime.now(datetime.timezone.utc), 900 + number, longitude, latitude))
        photo = json.loads(run(
            program, "capture", "--gnss", f"file://{log}?rate=max", "--samples", 5, "--countdown", 0, "--heading",
            number * 60, "--camera", f"{program} demo-picture {{file}} --seed {900 + number}", "--format", "json",
            data=device).splitlines()[-1])
        run(program, "photo", "send", photo["id"], data=device)
