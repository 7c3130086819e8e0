"""The published Improv client puts the board into its Wi-Fi: improv.py DIRECTORY, where awared is. Runs on the virtual
board.

Two Bluetooth controllers in software on one link (btvirt): awared uses the first over the kernel, bluetoothd and through
it the client (py-improv-ble-client) the second. Behind awared: wpa_supplicant, and an access point (hostapd).
"""
import asyncio
import logging
import os
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

OURS, CLIENTS = "hci0", "hci1"
WRONG = "a wrong passphrase"
PROGRAM = f"{sys.argv[1]}/awared"
STATE = f"{SCRATCH}/state"


def controllers():
    """Two, known to the kernel. It gives up one that answers late while it gets to know it: then all over again."""
    for module in ("bluetooth", "hci_vhci", "uhid", "ecdh_generic", "cmac", "ecb"):
        subprocess.run(["modprobe", "-q", module])
    for _ in range(4):
        pair = start("btvirt", "btvirt", "-L", "-l2")
        if wait_for(lambda: run("hciconfig").count("BD Address: 00:AA:01:") == 2, 20, 0.5):
            return True
        print("             a controller was given up", flush=True)
        pair.terminate()
        pair.wait()
        wait_for(lambda: not os.listdir("/sys/class/bluetooth"))
    return False


def bluetooth():
    for directory in ("/run/dbus", "/var/lib/bluetooth"):
        os.makedirs(directory, exist_ok=True)
    subprocess.run(["dbus-daemon", "--system", "--fork"], check=True)
    start("bluetoothd", "/usr/libexec/bluetooth/bluetoothd", "-n", "-d")
    return wait_for(client_is_powered, 60, 1)


def client_is_powered():
    return "boolean true" in run(
        "dbus-send", "--system", "--print-reply", "--dest=org.bluez", f"/org/bluez/{CLIENTS}",
        "org.freedesktop.DBus.Properties.Get", "string:org.bluez.Adapter1", "string:Powered")


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
        file.write("""[accessory]
name = My Drone
vendor = Example Inc
model = Example Model
firmware = 4.2
[pairing]
first-start-window = 0
[service _drone-service._udp]
vehicle = simulated
[bluetooth]
use = auto
improv = on
""")
    return start("awared", PROGRAM, "run", "--config", configuration, "--radio", f"air:{SCRATCH}/air", "--state", STATE)


def is_associated():
    return "wpa_state=COMPLETED" in run("wpa_cli", "-p", provisioning.CONTROL, "-i", "wlan0", "status")


class Client:
    """The published client. It fails to connect now and then ("Client is already connected"), by itself."""
    attempts = 4

    async def find(self, seconds=40):
        """Whether an advertisement that it takes for a device to be put into a network is heard."""
        found = asyncio.get_running_loop().create_future()

        def heard(device, advertisement):
            if device_filter(advertisement) and not found.done():
                found.set_result((device, advertisement))
        async with BleakScanner(heard, bluez={"adapter": CLIENTS}):
            try:
                self.client = ImprovBLEClient(*await asyncio.wait_for(found, seconds))
            except asyncio.TimeoutError:
                return False
        return True

    async def connect(self):
        for attempt in range(1, self.attempts + 1):
            try:
                await asyncio.wait_for(self.client.ensure_connected(), 60)
                return True
            except Exception as error:
                print(f"             connecting, attempt {attempt}: {error!r}", flush=True)
                if attempt < self.attempts:
                    # What bluetoothd knows of it goes too.
                    run("bluetoothctl", "remove", self.client.address)
                    await asyncio.sleep(5)
                    await self.find(20)
        return False

    async def provision(self, password):
        """The states that it went through and what it ended with: an error, or None."""
        states = []
        if not await self.connect():
            return states, "not connected"
        try:
            await asyncio.wait_for(self.client.provision(NAME, password, states.append), 80)
            return states, None
        except ProvisioningFailed as failure:
            # The client hangs up on an error.
            await asyncio.sleep(2)
            return states, failure.error
        except Exception as failure:
            return states, repr(failure)


async def played(client):
    if not check("the client finds it by its Improv advertisement", await client.find(), read("awared")):
        return
    if not check("it connects", await client.connect(), read("awared")):
        return
    improv = client.client
    check("it can identify, say what it is, and scan", (improv.can_identify, improv.can_get_device_info,
          improv.can_scan_wifi) == (True, True, True), improv.capabilities)
    await improv.identify()
    check("identify: the panel shows it", await asyncio.to_thread(
        wait_for, lambda: "\nidentify\n" in read("awared"), 10), read("awared"))
    information = await improv.get_device_info()
    check("it says what it is", all(word in str(information) for word in (
        "My Drone", "Example Inc", "Example Model", "4.2")), information)
    check("the owner has to be there", await improv.need_authorization())
    result = await client.provision(PASSWORD)
    check("without the owner it is not authorised", result[1] == Error.NOT_AUTHORIZED, result)
    check("and joins nothing", not is_associated())

    said = run(PROGRAM, "pairing", "open", "--state", STATE)
    check("once the owner opens pairing, it is", await client.connect() and not await improv.need_authorization(), said)
    networks = await asyncio.wait_for(client.client.scan_wifi(), 60)
    check("the networks around are listed", NAME in str(networks), networks)
    result = await client.provision(WRONG)
    check("a wrong password is told", result[1] == Error.UNABLE_TO_CONNECT, result)
    check("and joins nothing", not is_associated())
    result = await client.provision(PASSWORD)
    check("the right one is provisioned", result == ([State.PROVISIONING, State.PROVISIONED], None), result)
    check("the board is in the network", is_associated(), run("iw", "dev", "wlan0", "link"))


async def main():
    logging.basicConfig(filename=f"{RESULTS}/client.log", level=logging.INFO)
    for name in ("improv_ble_client", "bleak", "bleak_retry_connector"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    access_point = provisioning.radios()
    try:
        check("there is an access point", wait_for(lambda: "AP-ENABLED" in read("hostapd")), read("hostapd"))
        check("wpa_supplicant has the board's interface", station())
        check("there are two Bluetooth controllers", controllers(), run("hciconfig"))
        check("bluetoothd has the client's controller", bluetooth(), read("bluetoothd"))
        agent = accessory()
        await played(Client())
        agent.terminate()
        check("awared ends well", agent.wait(20) == 0)
        check("no password is in what it said", not any(word in read("awared") for word in (PASSWORD, WRONG)))
    except Exception as error:
        check("the suite came to its end", False, repr(error) + "\n" + read("awared"))
    access_point.terminate()
    sys.stdout.flush()
    os._exit(tally.sum())


asyncio.run(main())
