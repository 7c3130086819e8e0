"""The published Improv client puts the board into its Wi-Fi: improv.py DIRECTORY PYTHON USE, where awared is, the Python
that has bumble, and how awared uses Bluetooth: exclusive or shared. Runs on the virtual board.

Two Bluetooth controllers in software on one link: awared uses the first over the kernel or over bluetoothd, the client
(py-improv-ble-client) the second over bluetoothd. Behind awared: wpa_supplicant, and an access point (hostapd).
"""
import asyncio
import glob
import logging
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import provisioning
from provisioning import NAME, PASSWORD, RESULTS, SCRATCH, check, read, run, start, tally
from rig import wait_for
from bleak import BleakScanner
from improv_ble_client import ImprovBLEClient
from improv_ble_client.client import device_filter
from improv_ble_client.errors import ProvisioningFailed
from improv_ble_client.protocol import Error, State

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENTS = "/org/bluez/hci1"
WRONG = "a wrong passphrase"
PROGRAM = f"{sys.argv[1]}/awared"
BUMBLE, USE = sys.argv[2:]
STATE = f"{SCRATCH}/state"


def controllers():
    """Two, known to the kernel. They have a Python of their own, and are not kept waiting by what goes on here."""
    start("controllers", BUMBLE, f"{HERE}/../bluetooth/pair.py")
    return wait_for(lambda: "ready" in read("controllers"), 150)


def bluetooth():
    for directory in ("/run/dbus", "/var/lib/bluetooth"):
        os.makedirs(directory, exist_ok=True)
    subprocess.run(["dbus-daemon", "--system", "--fork"], check=True)
    settings = f"{SCRATCH}/bluetoothd.conf"
    with open(settings, "w") as file:
        # At both ends of a link, it takes answers on its further channels for those of the other end.
        file.write("[GATT]\nChannels = 1\n" if USE == "shared" else "")
    start("bluetoothd", "/usr/libexec/bluetooth/bluetoothd", "-n", "-d", "-f", settings)
    return wait_for(lambda: holds(CLIENTS, "Adapter1", "Powered"), 90, 1)


def holds(path, interface, name):
    """Whether a property of one of bluetoothd's objects is true."""
    return "boolean true" in run(
        "dbus-send", "--system", "--print-reply", "--dest=org.bluez", path, "org.freedesktop.DBus.Properties.Get",
        f"string:org.bluez.{interface}", f"string:{name}")


def station():
    """wpa_supplicant, which knows no network yet."""
    settings = f"{SCRATCH}/supplicant.conf"
    with open(settings, "w") as file:
        file.write(f"ctrl_interface={provisioning.CONTROL}\nupdate_config=1\n")
    start("supplicant", "wpa_supplicant", "-dd", "-i", "wlan0", "-c", settings)
    return wait_for(lambda: os.path.exists(f"{provisioning.CONTROL}/wlan0"))


def accessory():
    configuration = f"{SCRATCH}/awared.conf"
    with open(configuration, "w") as file:
        file.write(f"""[accessory]
name = My Drone
vendor = Example Inc
model = Example Model
firmware = 4.2
[pairing]
first-start-window = 0
[service _drone-service._udp]
vehicle = simulated
[bluetooth]
use = {USE}
improv = on
""")
    return start("awared", PROGRAM, "run", "--config", configuration, "--radio", f"air:{SCRATCH}/air", "--state", STATE)


def is_associated():
    return "wpa_state=COMPLETED" in run("wpa_cli", "-p", provisioning.CONTROL, "-i", "wlan0", "status")


async def found(seconds=90):
    """The client of what is heard to be put into a network, or None."""
    first = asyncio.get_running_loop().create_future()

    def heard(device, advertisement):
        if device_filter(advertisement) and not first.done():
            first.set_result((device, advertisement))
    async with BleakScanner(heard, bluez={"adapter": os.path.basename(CLIENTS)}):
        try:
            return ImprovBLEClient(*await asyncio.wait_for(first, seconds))
        except asyncio.TimeoutError:
            return None


async def provision(client, password):
    """The states that it went through, and the error that it ended with, or None. On an error the client hangs up."""
    states = []
    try:
        await asyncio.wait_for(client.provision(NAME, password, states.append), 100)
        return states, None
    except ProvisioningFailed as failure:
        device = f"{CLIENTS}/dev_{client.address.replace(':', '_')}"
        await asyncio.to_thread(wait_for, lambda: not holds(device, "Device1", "Connected"), 40)
        await asyncio.sleep(1)
        return states, failure.error


async def played():
    client = await found()
    if not check("the client finds it by its Improv advertisement", client, read("awared")):
        return
    await asyncio.wait_for(client.ensure_connected(), 60)
    check("it can identify, say what it is, and scan", (client.can_identify, client.can_get_device_info,
          client.can_scan_wifi) == (True, True, True), client.capabilities)
    await client.identify()
    check("identify: the panel shows it", await asyncio.to_thread(
        wait_for, lambda: "\nidentify\n" in read("awared"), 30), read("awared"))
    information = await client.get_device_info()
    check("it says what it is", all(word in str(information) for word in (
        "My Drone", "Example Inc", "Example Model", "4.2")), information)
    check("the owner has to be there", await client.need_authorization())
    result = await provision(client, PASSWORD)
    check("without the owner it is not authorised", result == ([], Error.NOT_AUTHORIZED), result)
    check("and joins nothing", not is_associated())

    said = run(PROGRAM, "pairing", "open", "--state", STATE)
    check("once the owner opens pairing, it is", not await client.need_authorization(), said)
    # A radio that listens to each channel for a moment hears an access point on a busy machine, or does not.
    for _ in range(5):
        networks = await asyncio.wait_for(client.scan_wifi(), 60)
        if NAME in str(networks):
            break
    check("the networks around are listed", NAME in str(networks), networks)
    result = await provision(client, WRONG)
    check("a wrong password is told", result[1] == Error.UNABLE_TO_CONNECT, result)
    check("and joins nothing", not is_associated())
    result = await provision(client, PASSWORD)
    check("the right one is provisioned", result == ([State.PROVISIONING, State.PROVISIONED], None), result)
    check("the board is in the network", is_associated(), run("iw", "dev", "wlan0", "link"))
    connections = read("awared").count("connected over Bluetooth")
    check("it has connected no more often than it has hung up", connections == 3, connections)


async def main():
    os.makedirs(SCRATCH)
    logging.basicConfig(filename=f"{SCRATCH}/client.log", level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    for name in ("improv_ble_client", "bleak", "bleak_retry_connector"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    access_point = provisioning.radios()
    try:
        check("there is an access point", wait_for(lambda: "AP-ENABLED" in read("hostapd")), read("hostapd"))
        check("wpa_supplicant has the board's interface", station())
        check("there are two Bluetooth controllers", controllers(), run("hciconfig"))
        check("bluetoothd has the client's controller", bluetooth(), read("bluetoothd"))
        agent = accessory()
        await played()
        agent.terminate()
        check("awared ends well", agent.wait(40) == 0)
        check("no password is in what it said", not any(word in read("awared") for word in (PASSWORD, WRONG)))
    except Exception as error:
        check("the suite came to its end", False, repr(error) + "\n" + read("awared"))
    access_point.terminate()
    provisioning.keep_logs()
    for trace in glob.glob("/dev/shm/controller-*.pcap"):
        shutil.copy(trace, RESULTS)
    sys.stdout.flush()
    os._exit(tally.sum())


asyncio.run(main())
