"""The accessory on bluetoothd: shared.py DIRECTORY, where shared-accessory is. Runs on the virtual board.

The phone and the kernel's controller are in this process; bluetoothd and the message bus are the machine's own.
"""
import asyncio
import glob
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import stage
from rig import Tally
from bumble.core import AdvertisingData

tally = Tally()
check = tally.check


class Accessory:
    """The program, and what it says line by line."""

    def __init__(self, program):
        self.path = f"{stage.SCRATCH}/accessory.log"
        self.process = subprocess.Popen([program], stdout=open(self.path, "w"), stderr=subprocess.STDOUT)

    def lines(self):
        with open(self.path) as log:
            return log.read().splitlines()

    def passkey(self):
        shown = None
        for line in self.lines():
            if line.startswith("passkey "):
                shown = line.split()[1]
            elif line.startswith("passkeyOver"):
                shown = None
        return shown

    def standing(self):
        """Whether the last that was said of it is that it can be found."""
        told = [line for line in self.lines() if line.startswith(("ready", "unavailable"))]
        return bool(told) and told[-1].startswith("ready")

    def said(self, words):
        return any(words in line for line in self.lines())

    def resident(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(line.split()[1] for line in status if line.startswith("VmRSS"))


def start_bluetoothd(name):
    log = open(f"{stage.SCRATCH}/bluetoothd-{name}.log", "w")
    return subprocess.Popen(["/usr/libexec/bluetooth/bluetoothd", "-n", "-d"], stdout=log, stderr=log)


async def main():
    for module in ("bluetooth", "hci_vhci"):
        subprocess.run(["modprobe", module], check=True)
    for directory in ("/run/dbus", "/var/lib/bluetooth", stage.SCRATCH):
        os.makedirs(directory, exist_ok=True)
    subprocess.run(["dbus-daemon", "--system", "--fork"], check=True)
    link = stage.Link()
    transport = await stage.open_transport("vhci")
    kernel = stage.Controller(
        "kernel", host_source=transport.source, host_sink=transport.sink, link=link,
        public_address="AA:BB:CC:00:00:01")
    accessory = Accessory(f"{sys.argv[1]}/shared-accessory")
    phone = stage.Phone(link, 1, accessory.passkey)
    await phone.start()

    check("without bluetoothd it says so", await stage.until(lambda: accessory.said("bluetoothd does not run")))
    daemon = start_bluetoothd("first")
    check("it registers once bluetoothd runs", await stage.until(accessory.standing, 60), accessory.lines())

    advertisement = await phone.find()
    check("a phone finds it", advertisement)
    # The controller in software answers scans with the advertisement itself.
    answers = [bytes(each.scan_response_data) for each in kernel.advertising_sets.values()]
    check("its name is in the scan response", answers == [b"\x06\x09board"], answers)
    data = advertisement.data.get(AdvertisingData.SERVICE_DATA_16_BIT_UUID)
    check("with its service data", data and bytes(data[1]) == b"\1\2", str(advertisement.data))

    await phone.connect()
    await phone.discover()
    check("it reads the state", await phone.read(stage.PROGRESS) == b"\1")
    news = []
    await phone.characteristics[stage.PROGRESS].subscribe(lambda value: news.append(bytes(value)))
    await phone.write(stage.CONTROL, [7])
    check("a command changes the state, of which it is notified", await stage.until(lambda: news) == [b"\2"], news)
    refusal = await phone.refusal(phone.write(stage.CONTROL, [8]))
    check("another is refused with the accessory's own error", refusal == 0x81, refusal)
    refusal = await phone.refusal(phone.write(stage.CONTROL, [7, 7]))
    check("a malformed one as well", refusal == 0x0d, refusal)

    refusal = await phone.refusal(phone.read(stage.RESULT))
    check("the result is refused before pairing", refusal == 5, refusal)
    try:
        await asyncio.wait_for(phone.connection.pair(), 30)
    except Exception as error:
        print(repr(error))
    check("it pairs by the passkey on the panel", phone.connection.authenticated)
    check("the passkey was shown", accessory.said("passkey "), accessory.lines())
    check("and is no longer", await stage.until(lambda: accessory.passkey() is None), accessory.lines())
    check("a bond is told", await stage.until(lambda: accessory.said("bonded")), accessory.lines())
    check("then it reads the result", b"longer than one" in await phone.read(stage.RESULT))
    print(f"resident: {accessory.resident()} kB")

    daemon.send_signal(signal.SIGTERM)
    # Not wait: its last words to the kernel need the controller, which is in this process.
    await stage.until(lambda: daemon.poll() is not None)
    check("bluetoothd ends, and it says so", await stage.until(lambda: not accessory.standing()), accessory.lines())
    check("its client is gone", await stage.until(lambda: accessory.said("disconnected")), accessory.lines())
    await asyncio.sleep(1)
    daemon = start_bluetoothd("second")
    check("bluetoothd starts again, and it can be found again", await stage.until(accessory.standing, 60), accessory.lines())
    check("the phone connects again", await phone.connect())
    await asyncio.wait_for(phone.connection.encrypt(), 15)
    await phone.discover()
    check("its bond still holds", b"longer than one" in await phone.read(stage.RESULT))
    await phone.connection.disconnect()

    accessory.process.terminate()
    check("it ends when asked to", await stage.until(lambda: accessory.process.poll() == 0), accessory.process.poll())
    # bluetoothd notices in its own time.
    silent = await stage.until(lambda: not any(each.enabled for each in kernel.advertising_sets.values()))
    check("and is advertised no more", silent and await phone.find(4) is None)
    daemon.terminate()


async def play():
    try:
        await asyncio.wait_for(main(), 400)
    except Exception as error:
        check("the suite came to its end", False, repr(error))
    stage.keep_traces()
    for path in glob.glob(f"{stage.SCRATCH}/*.log"):
        shutil.copy(path, stage.RESULTS)
    # Not sys.exit: the controllers' threads do not end by themselves.
    os._exit(tally.sum())


asyncio.run(play())
