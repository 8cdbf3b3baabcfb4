"""Runs a program beside a ModemManager and a NetworkManager that need no radio: python3-dbusmock on a
system bus of its own.

    with_radio.py SCENARIO PROGRAM ARGUMENT...

Scenarios: plain (one modem in a city, one Wi-Fi with four access points); old (a ModemManager before
1.20, which tells of the serving cell only); nothing (both run, with neither modem nor Wi-Fi); absent
(neither runs); off (Wi-Fi is switched off); forbidden (the modem's cells may not be read); hostile
(values that no radio gives). The program's output and exit status are this one's.
"""

import signal
import subprocess
import sys
import time

import dbus
import dbusmock

MM, MODEM = "org.freedesktop.ModemManager1", "org.freedesktop.ModemManager1.Modem"
MM_PATH, MOCK = "/org/freedesktop/ModemManager1", "org.freedesktop.DBus.Mock"
INTERFACE = "org.freedesktop.NetworkManager"
ACCESS_POINT = "org.freedesktop.NetworkManager.AccessPoint"


class Bus(dbusmock.DBusTestCase):
    pass


def cell(kind, serving, **values):
    entries = {"cell-type": dbus.UInt32(kind), "serving": dbus.Boolean(serving)}
    for name, value in values.items():
        entries[name.replace("_", "-")] = value
    return dbus.Dictionary(entries, signature="sv")


CITY = [
    cell(5, False, physical_ci="1A0", earfcn=dbus.UInt32(6300), rsrp=-101.5, rsrq=-12.0),
    cell(
        5, True, operator_id="26201", tac="6FFE", ci="D30156", physical_ci="3F",
        earfcn=dbus.UInt32(6300), rsrp=-97.0,
    ),
    cell(6, False, physical_ci="7", nrarfcn=dbus.UInt32(627_264), rsrp=-88.0),
    cell(2, False, operator_id="310260", lac="84CD", ci="2BAF", arfcn=dbus.UInt32(62), rx_level=dbus.UInt32(20)),
    cell(3, False, operator_id="26202", lac="CE00", ci="1CEAD8F0", psc=dbus.UInt32(33), rscp=-80.25),
    cell(1, False, nid="12345"),
]
HOSTILE = [
    cell(5, True, operator_id="not a number", tac="XYZ", ci="-1", physical_ci="", rsrp=float("nan")),
    cell(5, True, operator_id="26201" * 100, ci="FFFFFFFF", rsrp=-32768.0, earfcn="text"),
    cell(99, True),
    dbus.Dictionary({"serving": "yes"}, signature="sv"),
] + [cell(2, False, ci=f"{index:X}", rx_level=dbus.UInt32(99)) for index in range(1, 200)]


def modem_manager(connection, scenario):
    server = Bus.spawn_server(MM, MM_PATH, MM, system_bus=True, stdout=subprocess.DEVNULL)
    Bus.wait_for_bus_object(MM, MM_PATH, system_bus=True)
    root = dbus.Interface(connection.get_object(MM, MM_PATH), MOCK)
    path = MM_PATH + "/Modem/0"
    if scenario != "nothing":
        root.AddObject(path, MODEM, {"AccessTechnologies": dbus.UInt32(1 << 14)}, [])
        modem = dbus.Interface(connection.get_object(MM, path), MOCK)
        modem.AddProperties(
            MODEM + ".Signal", {"Lte": dbus.Dictionary({"rsrp": -93.0}, signature="sv")}
        )
        modem.AddMethod(
            MODEM + ".Location", "GetLocation", "", "a{uv}",
            "ret = dbus.Dictionary({1: '262,01,0,D30156,6FFE'}, signature='uv')",
        )
        if scenario == "forbidden":
            modem.AddMethod(
                MODEM, "GetCellInfo", "", "aa{sv}",
                "raise dbus.exceptions.DBusException('not for you', "
                "name='org.freedesktop.ModemManager1.Error.Core.Unauthorized')",
            )
        elif scenario != "old":
            cells = HOSTILE if scenario == "hostile" else CITY
            text = repr([dict(one) for one in cells]).replace("nan", "float('nan')")
            modem.AddMethod(
                MODEM, "GetCellInfo", "", "aa{sv}",
                "ret = dbus.Array([dbus.Dictionary(one, signature='sv') for one in "
                + text + "], signature='a{sv}')",
            )
    # The mock's own object manager does not tell of what a test adds.
    objects = "{}" if scenario == "nothing" else "{'%s': {'%s': %s, '%s.Signal': %s}}" % (
        path, MODEM, "dbus.Dictionary({'AccessTechnologies': dbus.UInt32(1 << 14)}, signature='sv')",
        MODEM, "dbus.Dictionary({'Lte': dbus.Dictionary({'rsrp': -93.0}, signature='sv')}, signature='sv')",
    )
    root.AddMethod(
        "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", "", "a{oa{sa{sv}}}",
        f"ret = dbus.Dictionary({objects}, signature='oa{{sa{{sv}}}}')",
    )
    return server


def network_manager(connection, scenario):
    server, root = Bus.spawn_server_template("networkmanager", {}, stdout=subprocess.DEVNULL)
    if scenario == "nothing":
        return server
    mock = dbus.Interface(root, MOCK)
    if scenario == "off":
        manager = connection.get_object(INTERFACE, "/org/freedesktop/NetworkManager")
        dbus.Interface(manager, MOCK).UpdateProperties(
            INTERFACE, {"WirelessEnabled": dbus.Boolean(False)}
        )
    device = mock.AddWiFiDevice("wifi0", "wlan0", 30)
    now = time.clock_gettime(time.CLOCK_BOOTTIME)
    points = [
        ("strong", "02:00:5E:10:00:01", 2437, 80, now - 4),
        ("weak", "02:00:5E:10:00:02", 5180, 20, now - 20),
        ("owner_nomap", "02:00:5E:10:00:03", 2412, 90, now),
        ("long ago", "02:00:5E:10:00:04", 5955, 70, now - 3600),
    ]
    if scenario == "hostile":
        points += [
            ("x", "no address", 2412, 50, now), ("y", "02:00:5E:10:00:05", 77, 255, now + 1e6),
            ("never", "02:00:5E:10:00:06", 2412, 50, -1),
        ]
    for index, (name, address, frequency, strength, seen) in enumerate(points):
        path = mock.AddAccessPoint(device, f"ap{index}", name, address, 2, frequency, 54000, strength, 0)
        dbus.Interface(connection.get_object(INTERFACE, path), MOCK).UpdateProperties(
            ACCESS_POINT, {"LastSeen": dbus.Int32(int(seen))}
        )
    return server


def main(scenario, command):
    Bus.start_system_bus()
    servers = []
    try:
        if scenario != "absent":
            connection = Bus.get_dbus(True)
            servers = [modem_manager(connection, scenario), network_manager(connection, scenario)]
        return subprocess.run(command, timeout=60, check=False).returncode
    finally:
        for server in servers:
            server.terminate()
            server.wait()
        Bus.tearDownClass()


# A test runner's threads block signals, and what they start inherits that: nothing could be ended.
signal.pthread_sigmask(signal.SIG_SETMASK, [])
sys.exit(main(sys.argv[1], sys.argv[2:]))
