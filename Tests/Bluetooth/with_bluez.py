"""Runs a program beside a BlueZ that needs no radio: python3-dbusmock on a system bus of its own.

    with_bluez.py SCENARIO PROGRAM ARGUMENT...

Scenarios: plain; pin=NUMBER (the device wants that PIN); error=NAME (pairing fails with BlueZ's error
of that name); off (the adapter has no power); none (there is no adapter); absent (there is no BlueZ).
There are three devices: a receiver with a serial port, a phone without, and one that has not told its
services. The program's output and exit status are this one's.
"""

import signal
import subprocess
import sys

import dbus
import dbusmock

RECEIVER, PHONE, SILENT = "00:11:22:33:44:55", "66:77:88:99:AA:BB", "00:00:00:00:00:01"
SERIAL_PORT = "00001101-0000-1000-8000-00805f9b34fb"
DEVICE, MOCK = "org.bluez.Device1", "org.freedesktop.DBus.Mock"

ASK = """
agent = str(objects['/org/bluez'].agent_paths[-1])
newest = max((int(name[3:]), str(name)) for name in self.connection.list_names() if name[:3] == ':1.')
proxy = self.connection.get_object(newest[1], agent, introspect=False)
try:
    said = proxy.RequestPinCode(dbus.ObjectPath(self.path), dbus_interface='org.bluez.Agent1', timeout=5)
except dbus.exceptions.DBusException as error:
    raise dbus.exceptions.DBusException('broken off', name='org.bluez.Error.AuthenticationCanceled')
if str(said) != '{pin}':
    raise dbus.exceptions.DBusException('wrong', name='org.bluez.Error.AuthenticationFailed')
self.props['org.bluez.Device1']['Paired'] = dbus.Boolean(True, variant_level=1)
"""

FAIL = "raise dbus.exceptions.DBusException('no', name='org.bluez.Error.{name}')"


class Bus(dbusmock.DBusTestCase):
    pass


def device(connection, path, properties):
    proxy = connection.get_object("org.bluez", path)
    dbus.Interface(proxy, MOCK).UpdateProperties(DEVICE, properties)
    return dbus.Interface(proxy, MOCK)


def main(scenario, command):
    Bus.start_system_bus()
    server = None
    try:
        if scenario != "absent":
            connection = Bus.get_dbus(True)
            server, root = Bus.spawn_server_template("bluez5", {}, stdout=subprocess.DEVNULL)
            mock = dbus.Interface(root, "org.bluez.Mock")
            if scenario != "none":
                prepare(connection, mock, scenario)
        return subprocess.run(command, timeout=60, check=False).returncode
    finally:
        if server:
            server.terminate()
            server.wait()
        Bus.tearDownClass()


def prepare(connection, mock, scenario):
    adapter = mock.AddAdapter("hci0", "test")
    if scenario == "off":
        proxy = connection.get_object("org.bluez", adapter)
        dbus.Interface(proxy, MOCK).UpdateProperties(
            "org.bluez.Adapter1", {"Powered": dbus.Boolean(False)}
        )
    receiver = device(
        connection,
        mock.AddDevice("hci0", RECEIVER, "GNSS 7"),
        {
            "Name": "GNSS 7",
            "Class": dbus.UInt32(0x1F00),
            "RSSI": dbus.Int16(-51),
            "UUIDs": dbus.Array([SERIAL_PORT], signature="s"),
        },
    )
    device(
        connection,
        mock.AddDevice("hci0", PHONE, "Phone"),
        {
            "Name": "Phone",
            "Class": dbus.UInt32(0x5A020C),
            "RSSI": dbus.Int16(-80),
            "Paired": dbus.Boolean(True),
            "UUIDs": dbus.Array(["0000110a-0000-1000-8000-00805f9b34fb"], signature="s"),
        },
    )
    mock.AddDevice("hci0", SILENT, "Silent")
    if scenario.startswith("pin="):
        receiver.AddMethod(DEVICE, "Pair", "", "", ASK.format(pin=scenario[4:]))
    if scenario.startswith("error="):
        receiver.AddMethod(DEVICE, "Pair", "", "", FAIL.format(name=scenario[6:]))


# A test runner's threads block signals, and what they start inherits that: nothing could be ended.
signal.pthread_sigmask(signal.SIG_SETMASK, [])
sys.exit(main(sys.argv[1], sys.argv[2:]))
