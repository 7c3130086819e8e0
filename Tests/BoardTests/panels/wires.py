"""The board's simulated wires: lines (gpio-sim), an I2C bus (i2c-stub), and the kernel's trace of both."""
import fcntl
import glob
import os
import re
import struct
import subprocess
import threading

CONFIGURATION = "/sys/kernel/config/gpio-sim/board"
TRACING = "/sys/kernel/tracing"
LINES = 28


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def make_lines(label):
    """A chip with lines GPIO0 to GPIO27. Gives back its device and the directory of its lines."""
    subprocess.run(["modprobe", "gpio-sim"], check=True)
    if not os.path.isdir(os.path.dirname(CONFIGURATION)):
        subprocess.run(["mount", "-t", "configfs", "none", "/sys/kernel/config"], check=True)
    bank = f"{CONFIGURATION}/bank0"
    os.mkdir(CONFIGURATION)
    os.mkdir(bank)
    write(f"{bank}/num_lines", str(LINES))
    write(f"{bank}/label", label)
    for line in range(LINES):
        os.mkdir(f"{bank}/line{line}")
        write(f"{bank}/line{line}/name", f"GPIO{line}")
    write(f"{CONFIGURATION}/live", "1")
    with open(f"{CONFIGURATION}/dev_name") as device:
        return chip(), f"/sys/devices/platform/{device.read().strip()}/{os.path.basename(chip())}"


def chip():
    """The device of the chip that was made."""
    with open(f"{CONFIGURATION}/bank0/chip_name") as name:
        return "/dev/" + name.read().strip()


def make_bus(*addresses):
    """An I2C bus with memories at the addresses. Gives back its device."""
    listed = ",".join(f"{address:#x}" for address in addresses)
    subprocess.run(["modprobe", "i2c-dev"], check=True)
    subprocess.run(["modprobe", "i2c-stub", f"chip_addr={listed}"], check=True)
    for name in glob.glob("/sys/bus/i2c/devices/i2c-*/name"):
        with open(name) as f:
            if "SMBus stub" in f.read():
                return "/dev/" + os.path.basename(os.path.dirname(name))
    raise LookupError("no bus of i2c-stub")


class Finger:
    """Presses a button between a line and ground."""

    def __init__(self, directory, line):
        self.pull = f"{directory}/sim_gpio{line}/pull"
        self.release()

    def press(self):
        write(self.pull, "pull-down")

    def release(self):
        write(self.pull, "pull-up")


class Holder:
    """Somebody else who has a line."""

    def __init__(self, device, line, name):
        request = struct.pack("=64I32sQ6I240sII5Ii", line, *[0] * 63, name.encode(), 4, *[0] * 6, b"", 1, 0, *[0] * 6)
        with open(device, "rb") as chip:
            answer = fcntl.ioctl(chip, 0xc250b407, request)             # GPIO_V2_GET_LINE_IOCTL
        self.descriptor = struct.unpack_from("=i", answer, 588)[0]

    def let_go(self):
        os.close(self.descriptor)


class Trace:
    """Reads the kernel's trace while it grows, and feeds displays.

    `lines`: (display, its name for the line) by number on the chip; of open-drain lines the direction counts, for gpio-sim
    keeps the value of one that is let go. `devices`: displays by I2C address."""

    def __init__(self, lines, open_drain, devices, copy):
        self.lines, self.open_drain, self.devices, self.copy = lines, open_drain, devices, copy
        self.base = None                                                # the trace's number of line 0, which comes first
        write(f"{TRACING}/trace_clock", "mono")
        write(f"{TRACING}/buffer_size_kb", "8192")
        for event in ("gpio/gpio_value", "gpio/gpio_direction", "smbus/smbus_write"):
            write(f"{TRACING}/events/{event}/enable", "1")
        threading.Thread(target=self.follow, daemon=True).start()
        Holder(chip(), 0, "base").let_go()

    def follow(self):
        with open(f"{TRACING}/trace_pipe", errors="replace") as pipe, open(self.copy, "w") as copy:
            for text in pipe:
                copy.write(text)
                self.take(text)

    def take(self, text):
        found = re.search(r" (\d+\.\d+): (\w+): (.*)", text)
        if not found:
            return
        time, event, rest = float(found[1]), found[2], found[3]
        if event == "smbus_write":
            self.transfer(time, rest)
        elif event == "gpio_value":
            number, what, value = re.match(r"(\d+) (\w+) (\d)", rest).groups()
            if what == "set":
                self.level(time, int(number), int(value), is_direction=False)
        elif event == "gpio_direction":
            number, direction = re.match(r"(\d+)\s+(in|out)", rest).groups()
            self.level(time, int(number), int(direction == "in"), is_direction=True)

    def level(self, time, number, high, is_direction):
        if self.base is None:
            self.base = number
        line = number - self.base
        if line in self.lines and (line in self.open_drain) == is_direction:
            display, name = self.lines[line]
            display.level(time, name, high)

    def transfer(self, time, rest):
        found = re.match(r"i2c-\d+ a=(\w+) f=\w+ c=(\w+) \w+ l=(\d+) \[([\w-]*)\]", rest)
        if not found or int(found[1], 16) not in self.devices:
            return
        octets = [int(octet, 16) for octet in found[4].split("-") if octet]
        # The block's own length comes first.
        self.devices[int(found[1], 16)].octets(time, [int(found[2], 16)] + octets[1:])
