"""Runs a program beside a NetworkManager without a radio, on a system bus of its own: one Wi-Fi, in a network, that can make hotspots.

    with_hotspot.py STATE PROGRAM ARGUMENT...

STATE is a file with one word that may change while the program runs: good; gives-up (the hotspot never comes up);
ends (a hotspot that is up ends); absent (no Wi-Fi). `make test-hotspot` tries the same with a real NetworkManager.
"""

import os
import pathlib
import signal
import subprocess
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

MANAGER = "org.freedesktop.NetworkManager"
ROOT = "/org/freedesktop/NetworkManager"
WIFI, CAFE, OWN = ROOT + "/Devices/1", ROOT + "/ActiveConnection/1", ROOT + "/ActiveConnection/2"
RISING_MILLISECONDS = 1500


class Manager(dbus.service.Object):
    """The methods that the field unit calls; its objects are told by `Objects`."""

    def __init__(self, bus, state):
        super().__init__(bus, ROOT)
        self.state, self.own, self.step = state, None, 0

    def word(self):
        return self.state.read_text().strip()

    def objects(self):
        """Every object with its properties, as they are now."""
        if self.word() == "ends" and self.step == 2:
            self.own, self.step = None, 0
        found = {ROOT: {MANAGER: {"WirelessEnabled": True, "WirelessHardwareEnabled": True}}}
        if self.word() == "absent":
            return found
        found[WIFI] = {
            MANAGER + ".Device": {"Interface": "wlan0", "State": dbus.UInt32(100),
                                  "ActiveConnection": dbus.ObjectPath(OWN if self.own else CAFE)},
            MANAGER + ".Device.Wireless": {"WirelessCapabilities": dbus.UInt32(0x40)},
        }
        active = MANAGER + ".Connection.Active"
        if self.own:
            found[OWN] = {active: {"Uuid": self.own, "Id": "own", "State": dbus.UInt32(self.step)}}
        else:
            found[CAFE] = {active: {"Uuid": "6fd5b7c0", "Id": "Kavárna U Nádraží 5 GHz", "State": dbus.UInt32(2)}}
        return found

    @dbus.service.method(MANAGER, "a{sa{sv}}ooa{sv}", "ooa{sv}")
    def AddAndActivateConnection2(self, settings, device, _, options):
        self.own, self.step = str(settings["connection"]["uuid"]), 1
        GLib.timeout_add(RISING_MILLISECONDS, self.rise)
        return ROOT + "/Settings/9", OWN, dbus.Dictionary({}, signature="sv")

    def rise(self):
        if self.own:
            if self.word() == "gives-up":
                self.own, self.step = None, 0
            else:
                self.step = 2

    @dbus.service.method(MANAGER, "o", "")
    def DeactivateConnection(self, path):
        self.own, self.step = None, 0


class Objects(dbus.service.Object):
    def __init__(self, bus, manager):
        super().__init__(bus, "/org/freedesktop")
        self.manager = manager

    @dbus.service.method("org.freedesktop.DBus.ObjectManager", "", "a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        return dbus.Dictionary(self.manager.objects(), signature="oa{sa{sv}}")


def main(state, command):
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    daemon = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True)
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = daemon.stdout.readline().strip()
    bus = dbus.SystemBus()
    name = dbus.service.BusName(MANAGER, bus)
    Objects(bus, Manager(bus, pathlib.Path(state)))
    child = subprocess.Popen(command)
    loop = GLib.MainLoop()
    for number in (signal.SIGTERM, signal.SIGINT):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, child.terminate)
    GLib.timeout_add(100, lambda: child.poll() is None or loop.quit())
    loop.run()
    del name
    daemon.terminate()
    daemon.wait()
    return child.wait()


sys.exit(main(sys.argv[1], sys.argv[2:]))
