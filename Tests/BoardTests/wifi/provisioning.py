#!/usr/bin/python3
"""The board's ordinary Wi-Fi, joined as Improv has it joined: provisioning.py DIRECTORY, where wifi-join is. Runs on the
virtual board.

An access point (hostapd) on one radio in software, wpa_supplicant and then NetworkManager on the other.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from rig import Tally, wait_for

RESULTS = "/mnt"
SCRATCH = "/dev/shm/wifi"
CONTROL = "/run/wpa_supplicant"
NAME = "Joe's \"net\" \\ ü"
PASSWORD = "right \"password\" \\"
SETTINGS = f"{SCRATCH}/supplicant.conf"
tally = Tally()
check = tally.check


def run(*words):
    return subprocess.run(words, capture_output=True, text=True).stdout


def start(name, *words):
    # In memory: the results' file system keeps daemons that say much waiting, and now and then has "no data" where
    # something is being written.
    log = open(f"{SCRATCH}/{name}.log", "w")
    return subprocess.Popen(words, stdout=log, stderr=log)


def listeners(what):
    """The names of those that were "attached" to wpa_supplicant's control socket, or "detached"."""
    return set(re.findall(rf"CTRL_IFACE monitor {what} (\S+)", read("supplicant")))


def radios():
    for module in ("ccm", "ctr", "cmac"):
        subprocess.run(["modprobe", "-q", module])
    subprocess.run(["modprobe", "mac80211_hwsim", "radios=2"], check=True)
    os.makedirs(SCRATCH, exist_ok=True)
    with open(f"{SCRATCH}/hostapd.conf", "w") as file:
        file.write(f"interface=wlan1\ndriver=nl80211\nhw_mode=g\nchannel=6\nssid2={NAME.encode().hex()}\nwpa=2\n"
                   f"wpa_key_mgmt=WPA-PSK\nrsn_pairwise=CCMP\nwpa_passphrase={PASSWORD}\n")
    return start("hostapd", "hostapd", f"{SCRATCH}/hostapd.conf")


def played(program, daemon):
    # A radio that listens to each channel for a moment hears an access point on a busy machine, or does not.
    check(f"{daemon}: the network is found", wait_for(lambda: f"found {NAME} " in run(program), 90), read("hostapd"))
    wrong = run(program, NAME, "wrong password")
    check(f"{daemon}: a wrong password is told so", "failed: the password is wrong" in wrong, wrong)
    check(f"{daemon}: no network takes a short password", "failed: no network has" in run(program, NAME, "short"))
    right = run(program, NAME, PASSWORD)
    check(f"{daemon}: the right one joins", right == "joined\n", right)
    again = run(program, NAME, PASSWORD)
    check(f"{daemon}: and again", again == "joined\n", again)


def with_supplicant(program):
    with open(SETTINGS, "w") as file:
        file.write(f"ctrl_interface={CONTROL}\nupdate_config=1\nnetwork={{\n ssid=\"elsewhere\"\n key_mgmt=NONE\n}}\n")
    daemon = start("supplicant", "wpa_supplicant", "-dd", "-i", "wlan0", "-c", SETTINGS)
    wait_for(lambda: os.path.exists(f"{CONTROL}/wlan0"))
    # The network that it knows is out of reach, as is one that is asked for.
    killed = subprocess.Popen([program, "nowhere", PASSWORD])
    trying = wait_for(lambda: "nowhere" in run("wpa_cli", "-i", "wlan0", "list_networks"), 40)
    time.sleep(2)
    killed.kill()
    killed.wait()
    # The daemon notices that this listener is dead after eleven messages that it could not send, which may be never.
    dead = listeners("attached")
    listed = run("wpa_cli", "-i", "wlan0", "list_networks")
    check("wpa_supplicant: kill -9 while joining leaves no network switched off",
          trying and "elsewhere" in listed and "DISABLED]" not in listed.replace("TEMP-DISABLED", ""), listed)
    played(program, "wpa_supplicant")
    with open(SETTINGS) as file:
        saved = file.read()
    check("wpa_supplicant: it keeps the network, once, beside the one that it knew",
          saved.count("network={") == 2 and 'ssid="elsewhere"' in saved, saved)
    check("wpa_supplicant: no other network is switched off", "disabled=1" not in saved, saved)
    attached = listeners("attached") - dead
    check("no listener is left at its control socket",
          attached and wait_for(lambda: attached <= listeners("detached")), (attached, listeners("detached")))
    daemon.terminate()
    daemon.wait()
    check("with no daemon it says so", "failed: neither" in run(program, NAME, PASSWORD))


def with_manager(program):
    # It may have been unpacked by anybody, and loads what is root's alone.
    run("sh", "-c", "chown root: /usr/lib/*/NetworkManager/*/*.so")
    os.makedirs("/run/dbus", exist_ok=True)
    subprocess.run(["dbus-daemon", "--system", "--fork"], check=True)
    start("udev", "/lib/systemd/systemd-udevd")
    # What it is asked to look at before it listens, it never looks at.
    wait_for(lambda: subprocess.run(["udevadm", "control", "--ping"], capture_output=True).returncode == 0, 60)
    run("udevadm", "trigger", "--settle")
    supplicant = start("manager-supplicant", "wpa_supplicant", "-u")
    with open(f"{SCRATCH}/manager.conf", "w") as file:
        file.write("[main]\ndhcp=internal\nplugins=keyfile\n[keyfile]\nunmanaged-devices=interface-name:wlan1\n"
                   "[device]\nwifi.scan-rand-mac-address=no\n")
    manager = start("manager", "NetworkManager", "-n", "--config", f"{SCRATCH}/manager.conf", "--log-level=DEBUG")
    check("NetworkManager has the interface", wait_for(lambda: "disconnected" in run("nmcli", "-t", "device"), 90),
          run("nmcli", "-t", "device"))
    played(program, "NetworkManager")
    manager.terminate()
    supplicant.terminate()


def read(name):
    with open(f"{SCRATCH}/{name}.log", errors="replace") as log:
        return log.read()


def keep_logs():
    for path in glob.glob(f"{SCRATCH}/*.log"):
        shutil.copy(path, RESULTS)


def main():
    program = f"{sys.argv[1]}/wifi-join"
    access_point = radios()
    wait_for(lambda: "AP-ENABLED" in read("hostapd"))
    try:
        with_supplicant(program)
        with_manager(program)
    except Exception as error:
        check("the suite came to its end", False, repr(error))
    access_point.terminate()
    keep_logs()
    sys.exit(tally.sum())


if __name__ == "__main__":
    main()
