"""The stage for Bluetooth: the kernel's controller and two phones in software, all in this process on one link (bumble).

Runs on Debian's Python, whose sockets know Bluetooth. A phone scans, connects, discovers, reads, writes, is notified,
pairs by the passkey that a person reads off the accessory's panel, and keeps its bonds over a restart.
"""
import asyncio
import glob
import os
import re
import shutil
import signal
import struct
import subprocess

from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Device, Peer
from bumble.hci import Address
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.link import LocalLink
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink

SCRATCH = "/dev/shm/bluetooth"
RESULTS = "/mnt"
# What passes between the kernel and its controllers, one file for each.
TRACES = "/dev/shm/controller-{instance}.pcap"
os.environ["BUMBLE_SNOOPER"] = f"pcapsnoop:file:{TRACES}"


def service(number):
    """The onboarding service (0) and its characteristics."""
    return UUID(f"832eb559-5af9-4d93-8623-bdefd811a{0x033 + number:03x}")


SERVICE, INFORMATION, AWARE, PROGRESS, CONTROL, RESULT = (service(n) for n in range(6))


class Link(LocalLink):
    """bumble 0.0.236 labels every packet with its sender's random address, so that a peripheral at another one is not
    recognised: the connection's own address is the right label."""

    deaf = None

    def send_acl_data(self, sender, destination, transport, data):
        if destination == self.deaf:
            return None
        connection = sender.le_connections.get(destination)
        receiver = self.find_le_controller(destination)
        if connection is None or receiver is None:
            return super().send_acl_data(sender, destination, transport, data)
        asyncio.get_running_loop().call_soon(
            receiver.on_link_acl_data, connection.self_address, transport, data)


class Person(PairingDelegate):
    """Reads the passkey off the panel and types it."""

    def __init__(self, panel):
        super().__init__(PairingDelegate.KEYBOARD_INPUT_ONLY)
        self.panel, self.error = panel, 0

    async def get_number(self):
        passkey = await until(self.panel, 25)
        return None if passkey is None else (int(passkey) + self.error) % 1_000_000


async def until(holds, seconds=20):
    """The first true value of `holds`, or the last false one when the time is over."""
    end = asyncio.get_running_loop().time() + seconds
    while True:
        value = holds()
        if value or asyncio.get_running_loop().time() > end:
            return value
        await asyncio.sleep(0.05)


class Phone:
    """A phone of one address. `panel` gives the passkey that is shown, or None."""

    def __init__(self, link, number, panel):
        self.link, self.number = link, number
        self.person = Person(panel)
        self.forget()
        self.make()

    def make(self):
        self.address = Address(f"F{self.number}:F1:F2:F3:F4:F5")
        number = self.number
        self.controller = Controller(f"phone {number}", link=self.link, public_address=f"AA:BB:CC:00:01:{number:02}")
        self.device = Device(
            name=f"phone {number}", address=self.address, host=Host(self.controller, AsyncPipeSink(self.controller)))
        self.device.keystore = self.bonds
        self.device.pairing_config_factory = lambda connection: PairingConfig(
            sc=True, mitm=True, bonding=True, delegate=self.person)
        self.connection, self.is_connected = None, False
        self.heard = {}

    def forget(self):
        self.bonds = MemoryKeyStore()
        if hasattr(self, "device"):
            self.device.keystore = self.bonds

    async def restart(self):
        """Switched off and on again: it keeps its bonds, and nothing else."""
        self.link.remove_controller(self.controller)
        self.make()
        await self.start()

    async def start(self):
        await self.device.power_on()
        self.device.on("advertisement", self.hear)

    def hear(self, advertisement):
        self.heard[advertisement.address] = advertisement

    async def find(self, seconds=20):
        """The accessory's advertisement, or None."""
        self.heard = {}
        await self.device.start_scanning(active=True, filter_duplicates=False)

        def found():
            for advertisement in self.heard.values():
                services = advertisement.data.get(AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS) \
                    or advertisement.data.get(AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS) or []
                if SERVICE in services and advertisement.is_connectable:
                    return advertisement
            return None
        result = await until(found, seconds)
        await self.device.stop_scanning()
        return result

    async def connect(self, seconds=20):
        """Finds it, connects, discovers. Whether that worked."""
        advertisement = await self.find(seconds)
        if advertisement is None:
            return False
        self.connection = await asyncio.wait_for(self.device.connect(advertisement.address), 20)
        self.is_connected = True
        self.connection.on("disconnection", lambda *_: self.hung_up())
        self.peer = Peer(self.connection)
        return True

    def hung_up(self):
        self.is_connected = False

    async def discover(self):
        self.mtu = await self.peer.request_mtu(247)
        await self.peer.discover_services()
        self.characteristics = {}
        for found in self.peer.services:
            for characteristic in await found.discover_characteristics():
                self.characteristics[characteristic.uuid] = characteristic

    async def read(self, uuid):
        return bytes(await asyncio.wait_for(self.characteristics[uuid].read_value(), 20))

    async def write(self, uuid, value):
        await asyncio.wait_for(self.characteristics[uuid].write_value(bytes(value), with_response=True), 20)

    async def refusal(self, action):
        """The error code of the attribute protocol that it ends with; 0 for none."""
        try:
            await action
            return 0
        except Exception as error:
            return getattr(error, "error_code", None) or str(error)

    async def subscribe(self, uuid):
        """The list that notifications will be in."""
        values = []
        await self.characteristics[uuid].subscribe(lambda value: values.append(bytes(value)))
        return values

    async def pair(self, error=0):
        """None when that worked, else why not."""
        self.person.error = error
        try:
            await asyncio.wait_for(self.connection.pair(), 40)
            return None
        except Exception as failure:
            # Who fails is hung up on. bumble does not get over both hanging up at the same time.
            await until(lambda: not self.is_connected, 10)
            return repr(failure)

    async def encrypt(self):
        try:
            await asyncio.wait_for(self.connection.encrypt(), 15)
            return None
        except Exception as failure:
            return repr(failure)

    async def advertise(self, tie, name=b""):
        """As an accessory does. Its name would be in the scan response, which bumble does not send: so much of it as
        there is room for, one octet, can be given."""
        data = AdvertisingData([
            (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(SERVICE)),
            (AdvertisingData.SERVICE_DATA_16_BIT_UUID, struct.pack("<H", 0xB559) + tie)]
            + ([(AdvertisingData.SHORTENED_LOCAL_NAME, name)] if name else []))
        await self.device.start_advertising(advertising_data=bytes(data))

    async def disconnect(self):
        if self.connection is not None and self.is_connected:
            try:
                await asyncio.wait_for(self.connection.disconnect(), 5)
            except Exception:
                # A link that the other side has dropped at the same time, which bumble does not get over.
                await self.restart()
        self.connection = None
        await asyncio.sleep(0.5)


class KernelController(Controller):
    """The kernel's. It gives up one that answers late while it gets to know it."""
    last = None

    def on_packet(self, packet):
        self.last = asyncio.get_running_loop().time()
        super().on_packet(packet)

    def is_quiet(self):
        """Whether it knows it. Two seconds later it switches it off for the time being, without a word; whoever switches it on
        in that moment fails."""
        return self.last is not None and asyncio.get_running_loop().time() - self.last > 4


class Stage:
    """The kernel's controller, hci0, and the link that it shares with the phones."""

    async def start(self, panel):
        for module in ("bluetooth", "hci_vhci"):
            await asyncio.to_thread(subprocess.run, ["modprobe", module], check=True)
        self.link = Link()
        await self.plug_in()
        self.phones = [Phone(self.link, number, panel) for number in (1, 2)]
        for phone in self.phones:
            await phone.start()

    async def plug_in(self):
        self.transport = await open_transport("vhci")
        self.kernel = KernelController(
            "kernel", host_source=self.transport.source, host_sink=self.transport.sink, link=self.link,
            public_address="AA:BB:CC:00:00:01")
        await until(lambda: os.path.exists("/sys/class/bluetooth/hci0") and self.kernel.is_quiet(), 60)

    async def pull_out(self):
        # What bumble advertises for a controller goes on without it.
        for each in [*self.kernel.advertising_sets.values(), self.kernel.le_legacy_advertiser]:
            each.stop()
        self.link.remove_controller(self.kernel)
        await self.transport.close()
        await until(lambda: not glob.glob("/sys/class/bluetooth/hci*"))

    def advertised(self):
        """How many advertisements are on the air."""
        sets = sum(1 for each in self.kernel.advertising_sets.values() if each.enabled)
        return sets + (1 if getattr(self.kernel, "le_legacy_advertiser", None)
                       and self.kernel.le_legacy_advertiser.enabled else 0)

    def scan_response(self):
        return b"".join(bytes(each.scan_response_data) for each in self.kernel.advertising_sets.values())


def block(soft):
    """As `rfkill block bluetooth` does."""
    with open("/dev/rfkill", "wb", buffering=0) as switch:
        switch.write(struct.pack("IBBBB", 0, 2, 3, int(soft), 0))  # All (operation 3) of Bluetooth (type 2).


def keep_traces():
    for path in glob.glob(TRACES.format(instance="*")):
        shutil.copy(path, RESULTS)


class Program:
    """A program whose output goes to a file. Nothing here waits for it without letting the controllers work."""
    started = []

    def __init__(self, name, *words, **options):
        self.name, self.words, self.options = name, [str(word) for word in words], options
        self.path = f"{SCRATCH}/{len(Program.started):02}-{name}"
        Program.started.append(self)

    async def start(self):
        with open(self.path + ".out", "w") as out, open(self.path + ".err", "w") as error:
            self.process = await asyncio.create_subprocess_exec(
                *self.words, stdin=asyncio.subprocess.PIPE, stdout=out, stderr=error, **self.options)
        return self

    out = property(lambda self: open(self.path + ".out", errors="replace").read())
    text = property(lambda self: self.out + open(self.path + ".err", errors="replace").read())

    async def says(self, pattern, seconds=20):
        return await until(lambda: re.search(pattern, self.text, re.M), seconds)

    async def end(self, number=signal.SIGTERM):
        if self.process.returncode is None:
            self.process.send_signal(number)
        try:
            return await asyncio.wait_for(self.process.wait(), 10)
        except asyncio.TimeoutError:
            self.process.kill()
            return "did not end"


async def output(*words):
    """Status and output of a program that ends soon."""
    process = await asyncio.create_subprocess_exec(
        *[str(word) for word in words], stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE)
    out, error = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode, out.decode(), error.decode()


def shown(program, what):
    """The digits that a program's panel shows now, where it shows that."""
    lines = program.out.splitlines() if program else []
    found = re.fullmatch(what + r" (\d{6})", lines[-1]) if lines else None
    return found and found.group(1)
