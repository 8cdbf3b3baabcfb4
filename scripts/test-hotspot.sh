#!/bin/bash
# By hand, called by `make test-hotspot`: Tests/Hotspot/suite.py with a real NetworkManager, wpa_supplicant and
# Avahi, in a virtual machine with ten virtual Wi-Fi radios: one of the field unit, one of somebody else's
# access point, eight of phones, each phone in a network namespace of its own. See virtual-machine.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD suite=hotspot
program=${1:-$here/.build-release/release/standpoint}
seconds=480
# In the virtual machine /tmp and /run are empty.
program=$(realpath "$program")
case $program in /tmp/* | /run/*)
  echo "test-hotspot: $program: put the program elsewhere, the virtual machine has its own /tmp" >&2
  exit 2
  ;;
esac
source scripts/virtual-machine.sh
machine_packages network-manager wpasupplicant dnsmasq-base nftables iw iproute2 udev avahi-daemon hostapd \
  python3-zeroconf zbar-tools python3-dbus
machine_kernel net/wireless net/mac80211 drivers/net/wireless/virtual net/netfilter net/ipv4 net/ipv6 net/bridge net/core

inside=$(mktemp "$keep/inside.XXXXXX")
cat >"$inside" <<EOF
modprobe mac80211_hwsim radios=10 || over 'no Wi-Fi in the kernel'
modprobe -a nf_tables nft_masq nft_chain_nat ccm ctr gcm cmac 2>/dev/null
/lib/systemd/systemd-udevd --daemon
udevadm trigger && udevadm settle --timeout=30
timeout -k 5 $seconds /usr/bin/python3 Tests/Hotspot/suite.py $program </dev/null
over \$?
EOF
machine_run "$seconds" "$inside"
