"""The virtual board's stage: radios in network namespaces of their own, programs in them, and what they said."""
import glob
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "nan"))
PYTHON = "/usr/bin/python3"
SERVICE = "_drone-service._udp"
SCRATCH = "/dev/shm/board"
RESULTS = "/mnt"


def run(*words, **options):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **options)


def wait_for(holds, seconds=30, step=0.1):
    """The first true value of `holds`, or the last false one when the time is over."""
    end = time.monotonic() + seconds
    while True:
        value = holds()
        if value or time.monotonic() > end:
            return value
        time.sleep(step)


def read(path):
    try:
        with open(path, errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def prepare():
    """Once a board: no radios yet, the air recorded on demand, state in memory."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    subprocess.run(["modprobe", "mac80211_hwsim", "radios=0"], check=True)
    # Loading them takes seconds here: the first key of all would come later than anybody waits for it.
    for module in ("ccm", "ctr", "gcm", "cmac", "sch_ingress", "cls_u32", "act_gact"):
        subprocess.run(["modprobe", "-q", module], check=False)
    subprocess.run(["iw", "reg", "set", "US"], check=True)
    subprocess.run(["ip", "link", "set", "hwsim0", "up"], check=True)


class Station:
    """A radio alone in a network namespace."""

    def __init__(self, name):
        self.name = name
        self.add_radio()
        subprocess.run(["ip", "netns", "add", name], check=True)
        self.adopt_radio()
        run("ip", "-n", name, "link", "set", "lo", "up")

    def add_radio(self):
        made = run(PYTHON, f"{HERE}/nan/hwsim.py", "create")
        self.radio, self.phy, self.index, self.netdev = made.stdout.split()

    def adopt_radio(self):
        run("ip", "link", "set", self.netdev, "down")
        subprocess.run(["iw", "phy", self.phy, "set", "netns", "name", self.name], check=True)

    def remove_radio(self):
        return run("ip", "netns", "exec", self.name, PYTHON, f"{HERE}/nan/hwsim.py", "destroy", self.radio)

    def block(self, soft):
        """As rfkill does, which cannot name a radio that is in another namespace."""
        switch = next(p for p in glob.glob("/sys/class/rfkill/rfkill*") if f"/{self.phy}/" in os.path.realpath(p))
        number = int(os.path.basename(switch)[len("rfkill"):])
        with open("/dev/rfkill", "wb", buffering=0) as f:
            f.write(struct.pack("IBBBB", number, 0, 2, int(soft), 0))      # one switch (operation 2) of any type

    def command(self, *words):
        return ["ip", "netns", "exec", self.name, *[str(w) for w in words]]

    def run(self, *words, **options):
        return run(*self.command(*words), **options)

    def interfaces(self):
        """What programs have made on the radio: all but the managed interface that comes with it."""
        listed = self.run("iw", "dev").stdout
        return [name for name in re.findall(r"Interface (\S+)|(Unnamed\S*)", listed) if name[0] != self.netdev]

    def nan_address(self):
        """Of the NAN device, which has no net device."""
        found = re.search(r"Unnamed\S* interface\n(?:\t\t.*\n)*?\t\taddr (\S+)", self.run("iw", "dev").stdout)
        return found and found.group(1)


class Program:
    """A program with its two outputs in files."""
    started = []

    def __init__(self, station, *words, name=None, stdin=subprocess.DEVNULL):
        Program.started.append(self)
        stem = f"{SCRATCH}/{len(Program.started):03}-{name or os.path.basename(str(words[0]))}"
        self.out_path, self.error_path = stem + ".out", stem + ".err"
        self.process = subprocess.Popen(
            station.command(*words), stdin=stdin, stdout=open(self.out_path, "w"), stderr=open(self.error_path, "w"),
            text=True, start_new_session=True, cwd=PROJECT)

    out = property(lambda self: read(self.out_path))
    error = property(lambda self: read(self.error_path))

    @property
    def running(self):
        return self.process.poll() is None

    def says(self, pattern, seconds=30):
        """Whether a line of either output matches, soon."""
        found = lambda: re.search(pattern, self.out, re.M) or re.search(pattern, self.error, re.M)
        wait_for(lambda: found() or not self.running, seconds)
        return found()

    def kill(self, number=signal.SIGKILL):
        if self.running:
            os.kill(self.process.pid, number)
        return self.wait()

    def wait(self, seconds=30):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            return "did not end"

    def stop(self):
        """Ends it as systemd would; its status."""
        return self.kill(signal.SIGTERM)

    def last_words(self, lines=6):
        return "\n".join((self.out + self.error).splitlines()[-lines:])


def end_programs():
    for program in Program.started:
        program.kill()


class Awared(Program):
    """The agent under test. What its panel shows as a PIN lies in `pin_file` for as long as it is shown."""

    def __init__(self, station, programs, state, config=f"{PROJECT}/config/drone.conf", words=()):
        self.programs, self.state, self.station = programs, state, station
        self.pin_file = f"{SCRATCH}/{station.name}.pin"
        remove(self.pin_file)
        super().__init__(station, f"{programs}/awared", "run", "--config", config, "--radio", "kernel", "--state", state,
                         *words, name=f"awared-{station.name}")
        self.ready = self.says("joined the cluster", 90)
        threading.Thread(target=self.bridge, daemon=True).start()

    def bridge(self):
        """The person who looks at the panel: writes down the PIN that is shown, forgets it when it goes."""
        position = 0
        while True:
            alive = self.running
            lines = self.out[position:]
            lines = lines[:lines.rfind("\n") + 1]
            position += len(lines)
            for line in lines.splitlines():
                if line.startswith("PIN "):
                    with open(self.pin_file + ".new", "w") as f:
                        f.write(line[4:] + "\n")
                    os.replace(self.pin_file + ".new", self.pin_file)
                else:
                    remove(self.pin_file)
            if not alive:
                return
            time.sleep(0.05)

    def ask(self, *words):
        return self.station.run(f"{self.programs}/awared", *words, "--state", self.state)

    def open_pairing(self):
        """For the next phone; also ends a lock-out."""
        return self.ask("pairing", "open", "--for", "300")

    def settle(self, seconds=150):
        """Waits until a stranger could pair: no PIN shown, no lock-out. Whether that came without the owner's help."""
        def is_free():
            shown = self.out.splitlines()[-1:]
            return bool(shown) and not shown[0].startswith(("PIN", "locked", "refused"))
        return wait_for(is_free, seconds, 0.25)

    def reset_pairing(self):
        """As an owner does who wants it done with: whatever is under way ends."""
        self.ask("pairing", "close")
        return self.open_pairing()

    def devices(self):
        return json.loads(self.ask("devices", "--json").stdout or "[]")

    def status(self):
        return json.loads(self.ask("status", "--json").stdout or "{}")


class OtherAccessory(Program):
    """The independent one."""

    def __init__(self, station):
        self.station = station
        self.pin_file = f"{SCRATCH}/{station.name}.pin"
        remove(self.pin_file)
        super().__init__(station, PYTHON, f"{HERE}/accessory/accessory.py", "--pin-file", self.pin_file,
                         name=f"accessory-{station.name}")
        self.ready = self.says('"publishing"', 90)

    def open_pairing(self):
        pass

    def settle(self):
        pass


class Phone:
    """Runs of the independent phone on one station. Its identity and pairings last from run to run."""

    def __init__(self, station, layout, name="phone"):
        self.station, self.layout = station, layout
        self.state = f"{SCRATCH}/{name}-{layout}.json"

    def start(self, accessory, *words):
        return Program(self.station, PYTHON, f"{HERE}/phone/phone.py", "--phy", self.station.index, "--state", self.state,
                       "--nik-layout", self.layout, "--pin-file", accessory.pin_file, "--pin-fresh",
                       "--match-timeout", "60", "--pin-timeout", "40", "--ndp-timeout", "30", "--vehicle-timeout", "60",
                       *self.only(accessory), *words, name=f"phone-{self.layout}")

    def only(self, accessory):
        """That accessory, of those that are on the air."""
        address = accessory.station.nan_address()
        return ("--peer", address) if address else ()

    def run(self, accessory, *words, seconds=300):
        """Exit status and events."""
        program = self.start(accessory, *words)
        status = program.wait(seconds)
        return status, events(program) or [program.error[-500:]]

    def passes(self, accessory, *words):
        """Nothing when the run ended well, else what went wrong."""
        status, said = self.run(accessory, *words)
        return None if status == 0 else f"status {status}, {said[-1]}"


def events(program):
    out = []
    for line in program.out.splitlines():
        try:
            out.append(json.loads(line))
        except ValueError:
            pass
    return out


def find(events, kind):
    return next((e for e in reversed(events) if e["event"] == kind), None)


def remove(path):
    try:
        os.remove(path)
    except FileNotFoundError:
        pass


def keep_results():
    for path in glob.glob(f"{SCRATCH}/*"):
        if os.path.isfile(path):
            shutil.copy(path, RESULTS)


class Tally:
    """Says what holds, one line each, and how much."""

    def __init__(self, only=None):
        self.only, self.passed, self.failed = only, 0, 0
        self.start = time.monotonic()

    def check(self, what, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
        print(f"{'ok  ' if holds else 'FAIL'} {time.monotonic() - self.start:6.0f} s  {what}", flush=True)
        if not holds and detail:
            print("        " + str(detail)[-2000:].replace("\n", "\n        "), flush=True)
        return bool(holds)

    def sum(self):
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 1 if self.failed or not self.passed else 0
