#!/bin/bash
# By hand, called by `make test-bluetooth`: Tests/Bluetooth/suite.py against a real BlueZ, in a virtual
# machine with two virtual controllers (about four minutes, the first time one more for packages and
# kernel). See virtual-machine.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD suite=bluetooth
program=$here/.build/debug/standpoint
seconds=300
source scripts/virtual-machine.sh
machine_packages bluez bluez-test-tools
machine_kernel net/bluetooth drivers/bluetooth

inside=$(mktemp "$keep/inside.XXXXXX")
cat >"$inside" <<EOF
modprobe -a hci_vhci rfcomm bnep || over 'no Bluetooth in the kernel'
rm -rf /var/lib/bluetooth/*
for try in 1 2 3 4; do
  btvirt -l2 >/dev/null 2>&1 &
  for wait in {1..60}; do
    [[ \$(hciconfig 2>/dev/null | grep -c 'BD Address: 00:AA:') == 2 ]] && break 2
    sleep 0.1
  done
  kill \$!
done
printf '[General]\nJustWorksRepairing=always\nTemporaryTimeout=0\nDiscoverableTimeout=0\n[Policy]\nAutoEnable=true\n' >/run/bluetooth.conf
/usr/libexec/bluetooth/bluetoothd --compat --nodetach --configfile=/run/bluetooth.conf >/run/bluetoothd.log 2>&1 &
ask() { dbus-send --system --print-reply --dest=org.bluez "\$@" >/dev/null 2>&1; }
for adapter in hci0 hci1; do
  for property in Powered Pairable Discoverable; do
    for wait in {1..300}; do
      ask /org/bluez/\$adapter org.freedesktop.DBus.Properties.Set string:org.bluez.Adapter1 \
        string:\$property variant:boolean:true && break
      sleep 0.1
    done
  done
done
timeout -k 5 $seconds /usr/bin/python3 Tests/Bluetooth/suite.py $program </dev/null
over \$?
EOF
machine_run "$seconds" "$inside"
