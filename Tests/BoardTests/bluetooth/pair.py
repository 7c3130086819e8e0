"""Two of the kernel's controllers, hci0 and hci1, on one link, for as long as this runs: pair.py. Says "ready"."""
import asyncio
import os
import subprocess

import stage
from bumble.hci import HCI_LE_Advertising_Report_Event, HCI_LE_Read_Remote_Features_Complete_Event, LeFeatureMask


class Controller(stage.KernelController):
    """Of Bluetooth 4.1, because newer ones of bumble answer the kernel's connections with an event that it does not await.

    In two things as slow as a real one, so that bluetoothd keeps up in an emulator.
    """
    le_features = LeFeatureMask.LE_ENCRYPTION | LeFeatureMask.PERIPHERAL_INITIATED_FEATURE_EXCHANGE
    # Some connection intervals pass before one side knows what the other can do. Only then has the kernel a channel for
    # attributes, and bluetoothd 5.66 tells its clients nothing of a connection whose channel it finds before it has
    # read that there is a connection: they hang up.
    exchange = 0.5
    # So many seconds it knows what it has reported: a kernel that was not ready for a report gets another.
    memory = 3

    def on_hci_le_set_scan_enable_command(self, command):
        self.reported = {}
        return super().on_hci_le_set_scan_enable_command(command)

    def send_hci_packet(self, packet):
        if isinstance(packet, HCI_LE_Read_Remote_Features_Complete_Event):
            asyncio.get_running_loop().call_later(self.exchange, super().send_hci_packet, packet)
        elif not self.is_duplicate(packet):
            super().send_hci_packet(packet)

    def is_duplicate(self, packet):
        """Whether it reports what has been reported, to a host that does not want that."""
        if not self.filter_duplicates or not isinstance(packet, HCI_LE_Advertising_Report_Event):
            return False
        now, report = asyncio.get_running_loop().time(), bytes(packet)
        if now - self.reported.get(report, -self.memory) < self.memory:
            return True
        self.reported[report] = now
        return False


async def main():
    for module in ("bluetooth", "hci_vhci"):
        subprocess.run(["modprobe", module], check=True)
    link = stage.Link()
    # What nobody holds any more closes its trace.
    transports = []
    for number in range(2):
        transport = await stage.open_transport("vhci")
        transports.append(transport)
        controller = Controller(
            f"hci{number}", host_source=transport.source, host_sink=transport.sink, link=link,
            public_address=f"AA:BB:CC:00:00:0{number + 1}")
        await stage.until(lambda: os.path.exists(f"/sys/class/bluetooth/hci{number}") and controller.is_quiet(), 60)
    print("ready", flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
