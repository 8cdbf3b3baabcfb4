"""Run in a virtual machine with ten Wi-Fi radios by `make test-hotspot`: a real NetworkManager, wpa_supplicant, dnsmasq and Avahi.
wlan0 is the field unit's, wlan1 that of another access point, the others are phones', each in a network namespace of its own. Each
line of output is a thing that was seen; exit 1 where one was not."""
import html
import http.client
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import time
import urllib.parse

PROGRAM = sys.argv[1]
HERE = pathlib.Path(__file__).parent
WORK = pathlib.Path("/tmp/hotspot")
PASSWORD, OTHER = "kestrel over wet barley", ("Barley", "dry-oats-2026")
DATA, OFFICE = ["--data", str(WORK / "device")], ["--data", str(WORK / "office")]
PHONES = range(2, 10)
failures, begun = [], time.time()


def see(what, is_so, detail=""):
    print(f"{'ok ' if is_so else 'NOT'} {time.time() - begun:5.1f} s  {what}{'' if is_so else f'  {detail}'}", flush=True)
    if not is_so:
        failures.append(what)


def run(*words, text=None, seconds=90, prefix=()):
    done = subprocess.run([*prefix, PROGRAM, *words], input=text or "", capture_output=True, text=True, timeout=seconds, check=False)
    return done.returncode, done.stdout, done.stderr


def shell(line, seconds=60):
    done = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=seconds, check=False)
    return done.stdout + done.stderr


def until(seconds, question, pause=0.3):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = question()
        if answer:
            return answer
        time.sleep(pause)
    return question()


def service(*words):
    log = open(WORK / (pathlib.Path(words[0]).name + ".log"), "a")
    return subprocess.Popen(words, stdout=log, stderr=subprocess.STDOUT)


def program(*words):
    process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=open(WORK / "program.log", "a"), text=True)
    assert " at http" in process.stdout.readline(), (WORK / "program.log").read_text()[-2000:]
    return process


def inside(number, *words, seconds=60):
    """Runs a command on a phone's side."""
    return subprocess.run(["ip", "netns", "exec", f"phone{number}", *words], capture_output=True, text=True, timeout=seconds, check=False)


def join(number, name, password):
    """A phone's Wi-Fi looks for the network and asks for an address, for as long as it runs."""
    path = WORK / f"phone{number}.conf"
    path.write_text(f'ctrl_interface=/run/phone{number}\nnetwork={{\n ssid="{name}"\n psk="{password}"\n key_mgmt=WPA-PSK\n scan_ssid=0\n}}\n')
    there = ["ip", "netns", "exec", f"phone{number}"]
    subprocess.run([*there, "wpa_supplicant", "-B", "-i", f"wlan{number}", "-c", str(path)], check=True, stdout=subprocess.DEVNULL)
    return ask_for_address(number)


def ask_for_address(number):
    """What a phone does each time when its Wi-Fi is there again."""
    there = ["ip", "netns", "exec", f"phone{number}"]
    return subprocess.Popen([*there, "busybox", "udhcpc", "-f", "-i", f"wlan{number}", "-s", str(WORK / "leased"), "-t", "200", "-T", "1", "-A", "1"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def address(number):
    found = re.search(r"inet (10\.42\.\d+\.\d+)", inside(number, "ip", "-4", "address", "show", f"wlan{number}").stdout)
    return found and found[1]


# What a phone's browser does, on the phone's side.
BROWSE = r"""
import http.client, json, re, socket, ssl, sys, urllib.parse
unit, port, trusted, name, code, cookie = sys.argv[1:7]
context = ssl.create_default_context(cafile=trusted)
def ask(method, path, body=None, cookies=""):
    connection = http.client.HTTPSConnection(name, int(port), timeout=20, context=context)
    raw = socket.create_connection((unit, int(port)), 20)
    connection.sock = context.wrap_socket(raw, server_hostname=name)
    headers = {"Cookie": cookies, "Accept": "text/html", "Origin": f"https://{name}:{port}"}
    if body: headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode("utf-8", "replace")
    set_cookies = [one.split(";")[0] for key, one in answer.getheaders() if key.lower() == "set-cookie"]
    return answer.status, text, set_cookies
if not cookie:
    status, text, cookies = ask("GET", "/pair")
    token = re.search(r'name="csrf" value="([^"]+)"', text)[1]
    fields = urllib.parse.urlencode({"csrf": token, "name": "Phone of Jiří", "code": code})
    status, text, more = ask("POST", "/pair", fields, "; ".join(cookies))
    cookie = "; ".join(cookies + more)
who = json.loads(ask("GET", "/device.json")[1])["fingerprint"]
status, text, _ = ask("GET", "/", cookies=cookie)
print(json.dumps({"status": status, "cookie": cookie, "isIn": "Ines" in text, "print": who}))
"""


def browse(number, unit, name, trusted, code="", cookie=""):
    done = inside(number, "/usr/bin/python3", "-c", BROWSE, unit, "8471", str(trusted), name, code, cookie)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"status": 0, "said": done.stderr[-400:]}


# Asks the network for a name as phones do, by multicast DNS.
FIND = """
import socket, sys, time, zeroconf
from zeroconf import const
name = sys.argv[1] + "."
finder = zeroconf.Zeroconf(interfaces=[sys.argv[2]], ip_version=zeroconf.IPVersion.V4Only)
for _ in range(10):
    question = zeroconf.DNSOutgoing(const._FLAGS_QR_QUERY)
    question.add_question(zeroconf.DNSQuestion(name, const._TYPE_A, const._CLASS_IN))
    finder.send(question)
    time.sleep(0.3)
    found = [socket.inet_ntoa(one.address) for one in finder.cache.entries_with_name(name) if len(getattr(one, "address", b"")) == 4]
    if found:
        print(found[0])
        break
finder.close()
"""


def find(number, name="standpoint.local"):
    return inside(number, "/usr/bin/python3", "-c", FIND, name, address(number) or "").stdout.strip()


def page(path):
    connection = http.client.HTTPConnection("127.0.0.1", 8470, timeout=60)
    connection.request("GET", path, headers={"Accept": "text/html"})
    return html.unescape(connection.getresponse().read().decode())


def press(path, form_path="/phones"):
    """Presses a button of the device's own page."""
    connection = http.client.HTTPConnection("127.0.0.1", 8470, timeout=60)
    connection.request("GET", form_path, headers={"Accept": "text/html"})
    answer = connection.getresponse()
    cookies = "; ".join(one.split(";")[0] for key, one in answer.getheaders() if key.lower() == "set-cookie")
    shown = answer.read().decode()
    token = re.search(r'name="csrf" value="([^"]+)"', shown)[1]
    # The form of the page that asks says what the page has told.
    fields = {"csrf": token} | {name: html.unescape(value) for name, value in re.findall(r'name="(radio|ends)" value="([^"]*)"', shown)}
    connection.request("POST", path, urllib.parse.urlencode(fields), {
        "Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded", "Origin": "http://127.0.0.1:8470", "Accept": "text/html"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def typed(answer, *words):
    """Runs a command at a terminal, and types an answer."""
    process, terminal = pty.fork()
    if process == 0:
        os.execv(PROGRAM, [PROGRAM, *words])
    shown = b""
    while b"[y/N]" not in shown:
        try:
            shown += os.read(terminal, 1000)
        except OSError:
            break
    os.write(terminal, answer.encode() + b"\n")
    try:
        while part := os.read(terminal, 1000):
            shown += part
    except OSError:
        pass
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), shown.decode()


def connection_of_unit():
    return shell("nmcli -g GENERAL.CONNECTION device show wlan0").strip()


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir()
    (WORK / "leased").write_text(
        '#!/bin/sh\n[ "$1" = bound ] || [ "$1" = renew ] || exit 0\nip address flush dev $interface\nip address add $ip/$mask dev $interface\n')
    (WORK / "leased").chmod(0o755)
    for number in (1, *PHONES):
        name = "other" if number == 1 else f"phone{number}"
        phy = (pathlib.Path(f"/sys/class/net/wlan{number}/phy80211/name")).read_text().strip()
        shell(f"ip netns add {name}; iw phy {phy} set netns name {name}; ip netns exec {name} ip link set lo up")
    (WORK / "other.conf").write_text(f"interface=wlan1\nssid={OTHER[0]}\nchannel=6\nhw_mode=g\nwpa=2\nwpa_key_mgmt=WPA-PSK\n"
                                     f"rsn_pairwise=CCMP\nwpa_passphrase={OTHER[1]}\n")
    service("ip", "netns", "exec", "other", "hostapd", str(WORK / "other.conf"))
    run("office", "agency", "add", "north", *OFFICE)
    run("office", "user", "add", "ines", "--role", "inspector", "--agency", "north", "--name", "Ines Nováková", "--password-stdin", *OFFICE,
        text=PASSWORD)
    program("office", *OFFICE, "--listen", "127.0.0.1:8400")
    status, _, said = run("login", "--office", "http://127.0.0.1:8400", "--user", "ines", "--password-stdin", *DATA, text=PASSWORD)
    assert status == 0, said


def main():
    prepare()
    status, _, said = run("field", "hotspot", "--yes", *DATA)
    see("without NetworkManager the command says so and what to do", status == 3 and "use a Wi-Fi that is there" in said, (status, said))

    service("wpa_supplicant", "-u", "-s", "-O", "/run/wpa_supplicant")
    # Nobody's daemon may write into this machine's own folders.
    service("NetworkManager", "--debug", "--log-level=INFO")
    service("avahi-daemon", "--no-drop-root", "--no-chroot")
    until(40, lambda: "wlan0:disconnected" in shell("nmcli -t -f DEVICE,STATE device"))
    until(40, lambda: OTHER[0] in shell("nmcli -t -f SSID device wifi list --rescan yes"), 2)
    shell(f"nmcli connection add type wifi ifname wlan0 con-name {OTHER[0]} ssid {OTHER[0]} wifi-sec.key-mgmt wpa-psk"
          f" wifi-sec.psk {OTHER[1]} ipv4.method manual ipv4.addresses 192.168.7.2/24 ipv6.method ignore")
    shell(f"nmcli connection up {OTHER[0]}")
    see("the device is in a Wi-Fi", connection_of_unit() == OTHER[0], connection_of_unit() + (WORK / "NetworkManager.log").read_text()[-1500:])
    program("field", *DATA, "--listen", "127.0.0.1:8470")

    status, _, said = run("field", "hotspot", *DATA)
    see("without a terminal it is not made, and the Wi-Fi that would end is named", status == 1 and OTHER[0] in said, (status, said))
    status, shown = typed("n", "field", "hotspot", *DATA)
    see("No changes nothing", status == 1 and OTHER[0] in shown and connection_of_unit() == OTHER[0], (status, shown))
    os.chmod(WORK, 0o755)
    status, _, said = run("field", "hotspot", "--yes", "--data", "/tmp/nobody", prefix=("setpriv", "--reuid=65534", "--clear-groups"))
    see("a user who may not make one is told", status == 3 and "may not make a hotspot" in said, (status, said))
    shell(f"cp -r {WORK}/device {WORK}/others; chown -R 65534 {WORK}/others")
    status, _, said = run("field", "hotspot", "--yes", "--data", str(WORK / "others"))
    see("root makes none in somebody else's data", status == 1 and "belongs to nobody" in said
        and not list((WORK / "others").rglob("hotspot.json")), (status, said))
    see("the page asks, too, and names that Wi-Fi", f"leaves the Wi-Fi {OTHER[0]}" in page("/hotspot"), page("/hotspot")[-1500:])

    status, shown = typed("y", "field", "hotspot", *DATA)
    see("Yes makes it", status == 0 and "password" in shown, (status, shown, (WORK / "NetworkManager.log").read_text()[-3000:]))
    status, said, _ = run("field", "hotspot", "--format", "json", *DATA)
    told = json.loads(said or "{}")
    see("once more it is the same, without a question", status == 0 and told.get("state") == "up" and told["password"] in shown, said)
    see("the page shows it", until(20, lambda: told["password"] in page("/phones")))
    kept = shell("grep -l '%s' -r /etc/NetworkManager /run/NetworkManager /var/lib/NetworkManager 2>/dev/null" % told["password"]).splitlines()
    see("NetworkManager has the password in /run alone, for root alone",
        all(one.startswith("/run/") and not os.stat(one).st_mode & 0o077 for one in kept), kept)
    status, _, said = run("field", "hotspot", "--yes", "--radio", "wlan1", *DATA)
    see("on another Wi-Fi it is not made twice", status == 3 and "wlan0" in said, (status, said))
    name, password = re.match(r"WIFI:T:WPA;S:(.*);P:(.*);;$", told["code"]).groups()

    clients = [join(number, name, password if number != 9 else "wrong-password") for number in PHONES]
    joined = until(60, lambda: all(address(number) for number in PHONES if number != 9))
    see("seven phones join by the code", joined, [address(number) for number in PHONES])
    see("a phone with another password does not", not address(9))
    shell("pkill -f phone9.conf; pkill -f 'udhcpc.*wlan9'")
    clients.append(join(9, name, password))
    see("the eighth joins, too", until(40, lambda: address(9)))
    unit = shell("nmcli -g IP4.ADDRESS device show wlan0").split("/")[0].strip()
    pings = lambda whom: inside(2, "busybox", "ping", "-c", "2", "-W", "2", whom).returncode == 0
    see("phones reach the field unit, and not each other", pings(unit) and address(3) and not pings(address(3)), (unit, address(3)))
    inside(2, "ip", "route", "add", f"{address(3)}/32", "via", unit)
    print("    round about, through the field unit, phones", "reach" if pings(address(3)) else "do not reach", "each other", flush=True)
    inside(2, "ip", "route", "del", f"{address(3)}/32")

    status, said, errors = run("field", "pair", "--format", "json", *DATA)
    pair = json.loads(said or "{}")
    see("the code to pair names the hotspot's address", pair.get("url", "").startswith(f"http://{unit}:8472/"), (said, errors, unit))
    trusted = WORK / "trusted.pem"

    got = until(30, lambda: inside(2, "/usr/bin/python3", "-c", "import ssl,sys,urllib.request as u; open(sys.argv[2],'w').write("
                "ssl.DER_cert_to_PEM_cert(u.urlopen(sys.argv[1], timeout=5).read()))", f"http://{unit}:8472/field-unit.crt", str(trusted)).returncode == 0)
    see("a phone fetches the certificate", got)
    code = pair["code"].replace("-", "")
    by_name = until(60, lambda: find(2), 1)
    see("phones find the device by its name", by_name == unit, (by_name, shell("cat /tmp/hotspot/avahi-daemon.log")[-800:]))
    phone = browse(2, unit, "standpoint.local", trusted, code=code)
    see("a phone pairs by the name, over a certificate that it trusts", phone.get("isIn"), phone)

    see("by the name the phone asks whose it is", phone.get("print") == pair["fingerprint"], phone)
    status, said, _ = run("field", "hotspot", "--off", *DATA)
    see("it is taken down", status == 0 and "is down" in said, said)
    see("nothing of it is left", told["password"] not in shell(
        "cat /run/NetworkManager/system-connections/* 2>/dev/null; nmcli -s connection show 2>/dev/null") and told["name"] not in shell("nmcli connection"))
    see("the device goes back to its Wi-Fi by itself", until(40, lambda: connection_of_unit() == OTHER[0]), connection_of_unit())
    see("the page knows", until(20, lambda: told["password"] not in page("/phones")))

    # The second day: by a tap on the device; the phone does what it does by itself.
    for client in clients:
        client.kill()
    for number in PHONES:
        shell(f"ip netns exec phone{number} ip address flush dev wlan{number}")
    began = time.monotonic()
    press("/hotspot/start", "/hotspot")
    until(60, lambda: "wpa_state=COMPLETED" in shell("wpa_cli -p /run/phone2 -i wlan2 status"))
    clients = [ask_for_address(2)]
    see("a tap brings it up again", until(40, lambda: told["password"] in page("/phones")), page("/phones")[-1500:])
    again = until(60, lambda: find(2) and browse(2, find(2), "standpoint.local", trusted, cookie=phone["cookie"]), 0.2)
    took = time.monotonic() - began
    see(f"on the second day the phone is in without a code, {took:.1f} s after the tap", again and again.get("isIn"), again)

    press("/hotspot/stop")
    until(30, lambda: connection_of_unit() == OTHER[0])
    # The machine's files are a layer in memory here.
    os.rename("/usr/sbin/dnsmasq", "/usr/sbin/dnsmasq.away")
    status, _, said = run("field", "hotspot", "--yes", *DATA)
    see("without dnsmasq the command names the package", status == 3 and "dnsmasq-base" in said, (status, said, (WORK / "NetworkManager.log").read_text()[-1500:]))
    os.rename("/usr/sbin/dnsmasq.away", "/usr/sbin/dnsmasq")
    see("and the device is back in its Wi-Fi", until(40, lambda: connection_of_unit() == OTHER[0]), connection_of_unit())
    status, said, errors = run("field", "hotspot", "--yes", *DATA)
    see("off and at once on again", status == 0 and run("field", "hotspot", "--off", *DATA)[0] == 0
        and run("field", "hotspot", "--yes", *DATA)[0] == 0, (status, errors))
    until(20, lambda: told["password"] in page("/phones"))
    (WORK / "device/field/keys/hotspot.json").rename(WORK / "away.json")
    press("/hotspot/stop")
    see("End ends it, even if its file has gone", until(20, lambda: connection_of_unit() != told["name"]), connection_of_unit())
    (WORK / "away.json").rename(WORK / "device/field/keys/hotspot.json")
    until(40, lambda: connection_of_unit() == OTHER[0])
    # Somebody at the desktop ends it.
    run("field", "hotspot", "--yes", *DATA)
    until(20, lambda: told["password"] in page("/phones"))
    shell(f"nmcli connection down '{told['name']}'")
    see("a hotspot that ended by itself is told", until(20, lambda: "ended by itself" in page("/phones")), page("/phones")[-1500:])
    shell("nmcli radio wifi off")
    status, _, said = run("field", "hotspot", "--yes", *DATA)
    see("a Wi-Fi that is switched off is told", status == 3 and "switched off" in said, (status, said))
    status, _, said = run("field", "hotspot", "--yes", "--radio", "wlan77", *DATA)
    see("a Wi-Fi that is not there is told", status == 3 and "wlan77" in said, (status, said))
    for client in clients:
        client.kill()
    return 1 if failures else 0


sys.exit(main())
