"""What must hold of onboarding over Bluetooth, part by part. Runs on the virtual board; see README.md one directory up."""
import asyncio
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import rig
import stage as st
from rig import Tally
from stage import AWARE, CONTROL, INFORMATION, PROGRESS, RESULT, Program, Stage, output, shown, until
from bumble.core import UUID, AdvertisingData

PROGRAMS = sys.argv[1]
SERVICE = "_drone-service._udp"
TIE = hashlib.sha256(SERVICE.encode()).digest()[:4]
IDENTIFY, OPEN, CANCEL, CLAIM = 1, 2, 3, 4


class Accessory:
    """The agent under test, on the air in software, with a store and a configuration of its own."""

    def __init__(self, name, **bluetooth):
        self.directory = f"{st.SCRATCH}/{name}"
        os.makedirs(self.directory)
        self.name, self.program = name, None
        self.radio = self.phone_radio = f"air:{self.directory}/air"
        # Where the phone's programs run: nothing, or the words that lead there.
        self.phone_place = []
        self.configure(**bluetooth)

    def configure(self, **bluetooth):
        with open(f"{self.directory}/awared.conf", "w") as file:
            file.write(f"""[accessory]
name = My Drone
vendor = Example Inc
model = Example Model
[pairing]
window = 120
[service {SERVICE}]
port = 14550
vehicle = simulated
[bluetooth]
""")
            # On the simulated air Bluetooth has to be asked for.
            for key, value in {"use": "auto", **bluetooth}.items():
                file.write(f"{key.replace('_', '-')} = {value}\n")

    async def start(self, *before):
        self.program = await Program(
            self.name, *before, f"{PROGRAMS}/awared", "run", "--config", f"{self.directory}/awared.conf", "--radio",
            self.radio, "--state", self.state).start()
        return self

    state = property(lambda self: f"{self.directory}/state")

    bonds = property(lambda self: glob.glob(f"{self.state}/records/bond-*"))

    async def end(self, number=signal.SIGTERM):
        return await self.program.end(number)

    async def ask(self, *words):
        status, out, error = await output(f"{PROGRAMS}/awared", *words, "--state", self.state)
        return out if status == 0 else error

    async def status(self):
        text = await self.ask("status", "--json")
        return json.loads(text)["bluetooth"] if text.startswith("{") else {"state": text}

    async def devices(self):
        return json.loads(await self.ask("devices", "--json"))

    async def pair(self):
        """A phone pairs over Wi-Fi Aware by the PIN on the panel. Whether that worked."""
        phone = await Program(
            f"{self.name}-aware", *self.phone_place, f"{PROGRAMS}/aware", "pair", SERVICE, "--radio", self.phone_radio,
            "--state", f"{self.directory}/phone").start()
        pin = await until(lambda: shown(self.program, "PIN"), 90)
        phone.process.stdin.write(f"{pin}\n".encode())
        await phone.process.stdin.drain()
        try:
            return await asyncio.wait_for(phone.process.wait(), 90) == 0 or phone.text
        except asyncio.TimeoutError:
            return "it took too long"


class Board:
    """Everything that the parts share."""

    def __init__(self, tally):
        self.check, self.stage, self.accessory = tally.check, Stage(), None

    async def start(self):
        os.makedirs(st.SCRATCH, exist_ok=True)
        await self.stage.start(lambda: shown(self.accessory and self.accessory.program, "passkey"))
        self.one, self.other = self.stage.phones

    async def begin(self, name, *before, **bluetooth):
        self.accessory = await Accessory(name, **bluetooth).start(*before)
        return self.accessory

    async def bluetoothd(self):
        """Debian's, on the machine's message bus, which goes on. It has the controller."""
        if not os.path.exists("/run/dbus/system_bus_socket"):
            for directory in ("/run/dbus", "/var/lib/bluetooth"):
                os.makedirs(directory, exist_ok=True)
            await output("dbus-daemon", "--system", "--fork")
        daemon = await Program("bluetoothd", "/usr/libexec/bluetooth/bluetoothd", "-n", "-d").start()
        await daemon.says("/org/bluez/hci0 registered", 40)
        return daemon

    async def restart(self, daemon):
        """bluetoothd ends and starts again, within the time for which the accessory stays with it."""
        await daemon.end()
        await self.silent(1)
        daemon = await self.bluetoothd()
        await until(self.stage.advertised, 40)
        return daemon

    def ways(self, which):
        """How often it has gone over to that way."""
        return self.accessory.program.text.count(f"Bluetooth over {'the kernel' if which == 'kernel' else which}")

    async def way(self, which, times=1):
        went = await until(lambda: self.ways(which) >= times, 40)
        return self.check(f"it is over {which}", went, self.accessory.program.text)

    async def silent(self, seconds=30):
        return await until(lambda: self.stage.advertised() == 0, seconds)

    async def readable(self, what, phone=None):
        """A phone finds the accessory, and reads what it is."""
        phone = phone or self.one
        try:
            found = await phone.connect(40)
            if found:
                await phone.discover()
                found = b"My Drone" in await phone.read(INFORMATION)
            return self.check(what, found, self.accessory.program.text)
        except Exception as failure:
            return self.check(what, False, repr(failure) + "\n" + self.accessory.program.text)


async def onboarding(board):
    """Found over Bluetooth, paired over Wi-Fi Aware, one device, advertising stops."""
    check, one, other = board.check, board.one, board.other
    accessory = await board.begin("onboarding")
    found = await one.find(30)
    if not check("a phone finds the accessory", found, accessory.program.text):
        return
    data = found.data.get(AdvertisingData.SERVICE_DATA_16_BIT_UUID)
    check("the advertisement names the Wi-Fi Aware service", data and TIE in bytes(data[1]), data)
    # bumble answers no scan requests: what the controller would answer is looked at.
    check("its name is in the scan response", b"\x09My Drone" in board.stage.scan_response(), board.stage.scan_response())
    check("its address is a random one of the board's own", found.address.is_static, found.address)
    await board.readable("it reads what the accessory is")
    check("in long packets", one.mtu == 247, one.mtu)
    check("it reads how Wi-Fi Aware does", SERVICE.encode() in await one.read(AWARE))
    check("the result is not there without pairing", RESULT not in one.characteristics)
    await one.write(CONTROL, [IDENTIFY])
    check("identify shows on the panel", await accessory.program.says("^identify$"), accessory.program.out)
    await accessory.ask("pairing", "close")
    refusals = [await one.refusal(one.write(CONTROL, [command])) for command in (OPEN, CLAIM, 99)]
    check("it may not open the window without the button, nor claim", refusals == [0x82, 0x83, 0x80], refusals)
    await accessory.ask("pairing", "open", "--for", "300")
    steps = await one.subscribe(PROGRESS)
    await board.readable("a second phone comes as well", other)
    board.stage.link.deaf = other.address
    paired = await accessory.pair()
    check("a phone pairs over Wi-Fi Aware meanwhile", paired is True, paired)
    await until(lambda: any(step[0] == 3 for step in steps), 30)
    states = [step[0] for step in steps]
    check("the phone follows: PIN shown, paired", states[-2:] == [2, 3] or states[-3:-1] == [2, 3], states)
    check("no value holds the PIN", all(len(step) <= 6 for step in steps), steps)
    check("one that takes nothing keeps nobody waiting", b"My Drone" in await one.read(INFORMATION))
    board.stage.link.deaf = None
    check("there is one device", len(await accessory.devices()) == 1)
    check("advertising stops", await board.silent())
    await one.disconnect()
    await other.restart()
    check("and does not come back when the phone goes", await board.silent())
    await accessory.end()


async def passkey(board):
    """Paired by passkey, the result read, the same after both restart; a wrong passkey; a forgotten bond."""
    check, one = board.check, board.one
    one.forget()
    accessory = await board.begin("passkey", pairing="passkey", open_window="bonded", advertise="always")
    await board.readable("a phone reads what needs no pairing")
    refusals = [await one.refusal(one.read(RESULT)), await one.refusal(one.write(CONTROL, [OPEN]))]
    check("what needs pairing is refused", refusals == [0x05, 0x83], refusals)
    check("a wrong passkey fails", await one.pair(error=1))
    check("the panel shows it no more", await until(lambda: not shown(accessory.program, "passkey"), 20))
    await one.disconnect()
    await board.readable("whoever failed connects again")
    failure = await one.pair()
    check("the passkey of the panel pairs", failure is None, failure or accessory.program.text)
    listed = await accessory.devices()
    check("it is listed as one over Bluetooth only", [each["name"] for each in listed] == [None], listed)
    check("the result is nothing yet", (await one.read(RESULT))[:1] == b"\0")
    await accessory.ask("pairing", "close")
    await one.write(CONTROL, [OPEN])
    check("a bonded phone opens the window", await accessory.program.says(r"^open \d+ s"), accessory.program.out)
    await one.write(CONTROL, [CLAIM])
    paired = await accessory.pair()
    check("it pairs over Wi-Fi Aware too", paired is True, paired)
    devices = await accessory.devices()
    check("both are one device", len(devices) == 1 and devices[0]["bluetooth"] is not None, devices)
    result = await one.read(RESULT)
    check("which the result names", result[1:].hex() == devices[0]["id"], result)

    changed = one.characteristics[UUID.from_16_bits(0x2A05)]
    await changed.subscribe()
    await one.disconnect()
    await accessory.end()
    accessory.configure(pairing="passkey", open_window="bonded", advertise="always", improv="on")
    await accessory.start()
    await one.restart()
    await one.connect(30)
    failure = await one.encrypt()
    check("after both restart the link is encrypted with the bond", failure is None, failure or accessory.program.text)
    await one.discover()
    check("and the result is read at once", await one.read(RESULT) == result)
    told = await until(lambda: one.peer.gatt_client.cached_values.get(changed.handle), 20)
    check("it is told that the services are others now", told and told[1] == bytes.fromhex("0100ffff"), told)
    await one.disconnect()

    one.forget()
    await board.readable("a phone that has forgotten its bond connects")
    check("nobody pairs while the owner lets nobody", await one.pair())
    await one.disconnect()
    await accessory.ask("pairing", "open")
    await board.readable("it connects while the owner does")
    failure = await one.pair()
    check("and pairs again", failure is None, failure or accessory.program.text)
    check("and reads the result", await one.read(RESULT) == result)
    await accessory.ask("forget", "--all")
    check("forgetting the device ends the bond", await until(
        lambda: not accessory.bonds, 20), accessory.bonds)
    await one.disconnect()

    one.forget()
    await accessory.ask("pairing", "open")
    await board.readable("it comes back a stranger")
    failure = await one.pair()
    check("and pairs once more", failure is None and await until(lambda: len(accessory.bonds) == 1, 20), failure or accessory.program.text)
    await one.disconnect()
    await accessory.end()
    accessory.configure(use="off")
    await accessory.start()
    await accessory.program.says("radio started")
    listed = await accessory.devices()
    said = await accessory.ask("forget", listed[0]["id"]) if len(listed) == 1 else listed
    check("it is forgotten though Bluetooth is off", len(listed) == 1 and not accessory.bonds, said)
    await accessory.end()


async def both(board):
    """Both onboardings in one run, over the kernel's own radios: found and bonded over Bluetooth, paired over Wi-Fi Aware, one
    device, and then nothing is advertised."""
    check, one = board.check, board.one
    # Bluetooth is in the first network namespace only: the phone's Wi-Fi is in another.
    await asyncio.to_thread(rig.prepare)
    phone = await asyncio.to_thread(rig.Station, "phone")
    status, made, error = await output(rig.PYTHON, f"{rig.HERE}/nan/hwsim.py", "create")
    phy, netdev = made.split()[1], made.split()[3]
    await output("ip", "link", "set", netdev, "down")
    accessory = Accessory("both", pairing="passkey")
    board.accessory = accessory
    accessory.radio, accessory.phone_radio, accessory.phone_place = f"kernel:{phy}", "kernel", phone.command()
    await accessory.start()
    check("Wi-Fi Aware is up over the kernel", await accessory.program.says("joined the cluster", 90), accessory.program.text)
    one.forget()
    await board.readable("a phone finds it over Bluetooth")
    check("it reads that Wi-Fi Aware is up, and where", (await one.read(AWARE))[:8] == bytes([1, 6]) + bytes.fromhex(
        re.findall(r"radio started as (\S+)", accessory.program.text)[-1].replace(":", "")), await one.read(AWARE))
    failure = await one.pair()
    check("and pairs by the passkey", failure is None, failure or accessory.program.text)
    steps = await one.subscribe(PROGRESS)
    await one.write(CONTROL, [CLAIM])
    paired = await accessory.pair()
    check("it pairs over Wi-Fi Aware by the PIN", paired is True, paired)
    check("which it follows over Bluetooth", await until(
        lambda: [step[0] for step in steps if step[0] in (2, 3)] == [2, 3], 30), steps)
    devices = await accessory.devices()
    check("there is one device", len(devices) == 1 and devices[0]["bluetooth"] is not None, devices)
    check("whose the result is", (await one.read(RESULT))[1:].hex() == devices[0]["id"], devices)
    check("advertising stops", await board.silent())
    await one.disconnect()
    check("and does not come back when the phone goes", await board.silent())
    await accessory.end()


async def daemon(board):
    """bluetoothd started after the accessory, restarted, ended, there before it, killed: reachable in each."""
    accessory = await board.begin("daemon", advertise="always")
    await board.way("kernel")
    await board.readable("a phone reads without bluetoothd")
    await board.one.disconnect()
    other = await board.bluetoothd()
    await board.way("bluetoothd")
    await board.readable("and after bluetoothd has started")
    await board.one.disconnect()
    other = await board.restart(other)
    await board.readable("and after it was restarted")
    board.check("over bluetoothd all the time", board.ways("kernel") == 1, accessory.program.text)
    await board.one.disconnect()
    await other.end()
    await board.way("kernel", 2)
    await board.readable("and after it has ended")
    await board.one.disconnect()
    await accessory.end(signal.SIGKILL)
    other = await board.bluetoothd()
    await accessory.start()
    await board.way("bluetoothd")
    await board.readable("and started when it runs already, after a kill")
    await board.one.disconnect()
    await other.end(signal.SIGKILL)
    await board.way("kernel")
    await board.readable("and after bluetoothd was killed")
    await board.one.disconnect()
    await accessory.end()


async def bonds(board):
    """A bond that bluetoothd keeps, over restarts of the accessory and of bluetoothd."""
    other = await board.bluetoothd()
    accessory = await board.begin("bonds", advertise="always", pairing="passkey")
    await board.way("bluetoothd")
    board.one.forget()
    await board.readable("a phone reads over bluetoothd")
    failure = await board.one.pair()
    board.check("and pairs by the passkey of the panel", failure is None, failure or accessory.program.text)
    board.check("and reads the result", await board.one.read(RESULT))
    await board.one.disconnect()

    async def holds(what):
        await board.way("bluetoothd")
        failure = await board.one.encrypt() if await board.one.connect(30) else "not found"
        board.check(what, failure is None, failure)
        await board.one.discover()
        board.check("and reads the result", await board.one.read(RESULT), accessory.program.text)
        await board.one.disconnect()
    await accessory.end()
    await accessory.start()
    await holds("its bond holds after the accessory's restart")
    other = await board.restart(other)
    await holds("and after bluetoothd's")
    await accessory.end()
    await other.end()


async def killed(board):
    """What a killed agent leaves on the air, the next start takes away."""
    accessory = await board.begin("killed", advertise="always")
    board.check("it is on the air", await until(board.stage.advertised, 20))
    await accessory.end(signal.SIGKILL)
    await asyncio.sleep(1)
    board.check("and stays there when it is killed", board.stage.advertised())
    accessory.configure(use="exclusive")
    await accessory.start()
    await accessory.program.says("Bluetooth", 20)
    await accessory.ask("pairing", "close")
    paired = await accessory.pair() if await accessory.ask("pairing", "open") else None
    await accessory.ask("pairing", "close")
    board.check("the next start leaves nothing there that it does not want", paired is True and await board.silent(), paired)
    await accessory.end()


async def switch(board):
    """rfkill and back, the controller pulled out and put back."""
    accessory = await board.begin("switch", advertise="always")
    await board.readable("a phone reads")
    await board.one.disconnect()
    st.block(True)
    told = await accessory.program.says("blocked", 40)
    board.check("a block is told of", told, accessory.program.text)
    st.block(False)
    await asyncio.sleep(1)
    await board.one.restart()
    await board.readable("it is back after the block")
    await board.one.disconnect()
    await board.stage.pull_out()
    told = await accessory.program.says("no Bluetooth controller", 40)
    board.check("a pulled plug is told of", told, accessory.program.text)
    board.check("and is in the status", (await accessory.status())["state"] == "unavailable", await accessory.status())
    await board.one.restart()
    await board.stage.plug_in()
    await board.readable("it is back with the plug")
    await board.one.disconnect()
    await accessory.end()


async def rights(board):
    """uid nobody with CAP_NET_ADMIN alone, and without."""
    nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    os.chmod(st.SCRATCH, 0o777)
    accessory = Accessory("rights", advertise="always")
    os.chown(accessory.directory, 65534, 65534)
    board.accessory = accessory
    await accessory.start(*nobody, "--inh-caps", "+net_admin", "--ambient-caps", "+net_admin")
    await board.readable("nobody with CAP_NET_ADMIN is enough")
    await board.one.disconnect()
    await accessory.end()
    await accessory.start(*nobody)
    told = await accessory.program.says("CAP_NET_ADMIN", 20)
    board.check("without it, it says what is missing", told, accessory.program.text)
    await accessory.end()


async def doctor(board):
    status, out, error = await output(f"{PROGRAMS}/awared", "doctor", "--json", "--state", f"{st.SCRATCH}/doctor", "--radio", "air")
    findings = {each["what"]: each for each in json.loads(out)}
    board.check("the doctor finds the controller good", findings.get("hci0", {}).get("good"), out)
    st.block(True)
    await asyncio.sleep(1)
    status, out, error = await output(f"{PROGRAMS}/awared", "doctor", "--json", "--state", f"{st.SCRATCH}/doctor", "--radio", "air")
    st.block(False)
    await asyncio.sleep(1)
    findings = {each["what"]: each for each in json.loads(out)}
    board.check("and says why it is not", "rfkill" in findings.get("hci0", {}).get("explanation", ""), out)


async def scan(board):
    """aware scan lists what is seen over Bluetooth alone, and one entry for what is seen on both ways."""
    accessory = await board.begin("scan", use="off")
    await output("btmgmt", "--index", "0", "power", "off")
    await asyncio.sleep(3)
    words = (f"{PROGRAMS}/aware", "scan", "--json", "--for", "15", "--state", f"{st.SCRATCH}/scan", "--radio")
    status, out, error = await output(*words, f"air:{accessory.directory}/air")
    board.check("a controller that is off is not searched, which is said",
                "switched off" in error and [e["transports"] for e in json.loads(out)] == [["wifi-aware"]], error + out)
    await output("btmgmt", "--index", "0", "power", "on")
    await asyncio.sleep(2)
    await board.one.advertise(TIE + b"\1\2")
    status, out, error = await output(*words, f"air:{accessory.directory}/air")
    board.check("who says no name over Bluetooth may be another",
                [e["transports"] for e in json.loads(out)] == [["wifi-aware"], ["bluetooth"]], error + out)
    await board.one.device.stop_advertising()
    await board.one.advertise(TIE + b"\1\2", name=b"M")
    status, out, error = await output(*words, f"air:{accessory.directory}/air")
    board.check("who says the accessory's name is the same",
                [e["transports"] for e in json.loads(out)] == [["wifi-aware", "bluetooth"]], error + out)
    status, out, error = await output(*words, f"air:{st.SCRATCH}/elsewhere")
    entries = json.loads(out)
    board.check("seen over Bluetooth alone it is listed", len(entries) == 1 and entries[0]["service"] == SERVICE
                and entries[0]["transports"] == ["bluetooth"], error + out)
    await board.one.device.stop_advertising()
    await accessory.end()


async def idle(board):
    """Wake-ups and memory that Bluetooth adds to an agent that nobody talks to."""
    figures = {}
    for use in ("off", "auto"):
        accessory = await board.begin(f"idle-{use}", use=use, advertise="always")
        await accessory.program.says("joined the cluster", 40)
        await asyncio.sleep(8)
        process = accessory.program.process.pid

        def wakes():
            lines = open(f"/proc/{process}/status").read().splitlines()
            return sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
        before = wakes()
        await asyncio.sleep(15)
        woken = wakes() - before
        rollup = dict(line.split()[:2] for line in open(f"/proc/{process}/smaps_rollup").read().splitlines()[1:])
        figures[use] = woken, int(rollup["Rss:"]), int(rollup["Anonymous:"])
        await accessory.end()
    print(f"     wake-ups in 15 s, resident kB, anonymous kB: {figures}", flush=True)
    board.check("Bluetooth wakes nobody", figures["auto"][0] <= figures["off"][0] + 2, figures)
    board.check("and takes a megabyte at most", figures["auto"][1] - figures["off"][1] <= 1024, figures)


PARTS = {part.__name__: part for part in (onboarding, both, passkey, killed, switch, rights, doctor, scan, idle, daemon, bonds)}


async def main():
    tally = Tally()
    board = Board(tally)
    await board.start()
    for name in sys.argv[2:] or PARTS:
        print(f"{name}:", flush=True)
        try:
            await asyncio.wait_for(PARTS[name](board), 400)
        except Exception as failure:
            tally.check(f"{name} comes to its end", False, repr(failure) + "\n" + (
                board.accessory.program.text if board.accessory and board.accessory.program else ""))
            for phone in board.stage.phones:
                await phone.restart()
        for program in Program.started:
            if getattr(program, "process", None) and program.process.returncode is None:
                await program.end(signal.SIGKILL)
    for path in glob.glob(f"{st.SCRATCH}/*.out") + glob.glob(f"{st.SCRATCH}/*.err"):
        shutil.copy(path, st.RESULTS)
    st.keep_traces()
    return tally.sum()


# Not sys.exit: the controllers' threads do not end by themselves.
os._exit(asyncio.run(main()))
