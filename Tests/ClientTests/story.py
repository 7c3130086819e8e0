#!/usr/bin/env python3
"""The main job as its users see it: two programs, the simulated air between them, real ground stations.

story.py DIRECTORY      where awared and aware are

Runs from the project's top. Prints a line for each thing that must hold, and at the end how many did.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

SERVICE = "_drone-service._udp"
PYTHON = sys.executable


class Story:
    """Both programs with their states and their air in a directory of their own."""

    def __init__(self, programs, place):
        self.programs, self.place = programs, place
        self.air = f"air:{place}/air"
        self.passed = self.failed = 0
        self.agent = self.connection = None
        self.runs = 0

    # --- what must hold

    def check(self, what, holds, detail=""):
        if holds:
            self.passed += 1
            print(f"ok    {what}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL  {what} {detail}", flush=True)
        return holds

    # --- the board

    def start_agent(self):
        self.runs += 1
        self.panel, self.journal = f"{self.place}/panel{self.runs}", f"{self.place}/journal{self.runs}"
        self.agent = subprocess.Popen(
            [f"{self.programs}/awared", "run", "--config", "config/drone.conf", "--radio", self.air,
             "--state", f"{self.place}/board"],
            stdout=open(self.panel, "w"), stderr=open(self.journal, "w"))
        return self.wait_for(lambda: "joined the cluster" in self.read(self.journal))

    def awared(self, *words):
        return self.run("awared", *words, "--state", f"{self.place}/board")

    def pin(self):
        """The PIN that the panel shows now."""
        line = self.read(self.panel).splitlines()[-1:]
        return line[0][4:] if line and line[0].startswith("PIN ") else None

    # --- the laptop

    def aware(self, *words, state="laptop", **options):
        return self.run("aware", *words, "--radio", self.air, "--state", f"{self.place}/{state}", **options)

    def pair(self, type_pin, state="laptop"):
        """Starts pairing and types what `type_pin` makes of the PIN on the panel."""
        program = subprocess.Popen(
            [f"{self.programs}/aware", "pair", SERVICE, "--radio", self.air, "--state", f"{self.place}/{state}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.wait_for(lambda: self.pin() or program.poll() is not None)
        output, _ = program.communicate(type_pin(self.pin() or "") + "\n", timeout=120)
        return program.returncode, output

    def connect(self):
        self.log = f"{self.place}/connect{self.runs}"
        self.connection = subprocess.Popen(
            [f"{self.programs}/aware", "connect", SERVICE, "--listen", "127.0.0.1:0", "--radio", self.air,
             "--state", f"{self.place}/laptop"],
            stdout=open(self.log, "w"), stderr=subprocess.STDOUT)
        self.wait_for(lambda: "connected" in self.read(self.log) or self.connection.poll() is not None)
        lines = [line for line in self.read(self.log).splitlines() if line.startswith("connected ")]
        return int(lines[-1].rpartition(":")[2]) if lines else None

    def fly(self, script, port):
        return subprocess.run([PYTHON, "-u", f"Tests/ClientTests/{script}", str(port)], timeout=600).returncode == 0

    # --- machinery

    def run(self, program, *words, **options):
        return subprocess.run(
            [f"{self.programs}/{program}", *words], capture_output=True, text=True, timeout=240, **options)

    def read(self, path):
        try:
            with open(path) as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def wait_for(self, holds, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if holds():
                return True
            time.sleep(0.05)
        return False

    def stop(self, process):
        """Ends a program as systemd would; gives its status."""
        if process is None or process.poll() is not None:
            return process and process.returncode
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            return "did not end"


def wrong(pin):
    return f"{(int(pin) + 1) % 1000000:06}" if pin else "000000"


def tell(story):
    story.check("the accessory is published", story.start_agent(), story.read(story.journal))

    scan = story.aware("scan", "--json", "--for", "8")
    entries = json.loads(scan.stdout)
    entry = entries[0] if entries else {}
    story.check(
        "scan lists the service with vendor, model and pairing name",
        [entry.get(key) for key in ("service", "vendor", "model", "name", "paired")]
        == [SERVICE, "Example Inc", "Example Model", "My Drone", False], scan.stdout)
    scan = story.aware("scan", "--json", "--for", "2", "--vendor", "Another Inc")
    story.check("scan for another vendor finds nothing", json.loads(scan.stdout) == [], scan.stdout)

    unpaired = story.aware("connect", SERVICE)
    story.check("an unpaired aware gets no data path", unpaired.returncode == 1, unpaired.stdout + unpaired.stderr)

    status, output = story.pair(wrong)
    story.check("pairing with a wrong PIN exits 1", status == 1, f"{status} {output}")
    story.check("and pairs nothing on the accessory", json.loads(story.awared("devices", "--json").stdout) == [])
    story.check("nor on the laptop", json.loads(story.aware("devices", "--json").stdout) == [])
    # The accessory learns of the wrong PIN by silence alone.
    story.check("the panel says that the wrong PIN was refused", story.wait_for(lambda: "refused" in story.read(story.panel)))
    story.check("its PIN is gone", story.pin() is None)

    status, output = story.pair(lambda pin: pin)
    story.check("pairing with the right PIN exits 0", status == 0, f"{status} {output}")
    devices = lambda: json.loads(story.awared("devices", "--json").stdout or "[]")
    story.check("the accessory knows the laptop", story.wait_for(lambda: len(devices()) == 1), devices())
    story.check("the laptop knows the accessory", len(json.loads(story.aware("devices", "--json").stdout)) == 1)
    story.check("the PIN is gone", story.wait_for(lambda: story.pin() is None))
    pins = [line for line in story.read(story.panel).splitlines() if line.startswith("PIN ")]
    story.check("each attempt had a PIN of its own", len(pins) == 2 and pins[0] != pins[1], pins)

    port = story.connect()
    story.check("connect connects", port is not None, story.read(story.log))
    story.check("MAVSDK arms, takes off, holds and lands", port and story.fly("fly_mavsdk.py", port))
    story.check("MAVProxy arms, takes off, holds and lands", port and story.fly("fly_mavproxy.py", port))
    story.check(
        "the accessory says that it is connected",
        [device["connected"] for device in json.loads(story.awared("devices", "--json").stdout)] == [True])

    story.check("connect ends cleanly", story.stop(story.connection) == 0)
    story.check("the accessory ends cleanly", story.stop(story.agent) == 0)
    story.check("the accessory starts again", story.start_agent(), story.read(story.journal))
    story.check("a paired accessory does not open pairing by itself", "open" not in story.read(story.panel))
    port = story.connect()
    story.check("after both restart connect works without a PIN", port is not None, story.read(story.log))
    story.check("and no PIN was shown", "PIN" not in story.read(story.panel))

    # Killed without a word, as by a power cut.
    story.agent.kill()
    story.agent.wait()
    story.check("a killed accessory starts again", story.start_agent(), story.read(story.journal))
    story.check(
        "and the connection comes back by itself",
        story.wait_for(lambda: story.read(story.log).count("connected " + SERVICE) > 1, 120), story.read(story.log))

    device = json.loads(story.awared("devices", "--json").stdout)[0]["id"]
    story.check("forget succeeds", story.awared("forget", device).returncode == 0)
    story.check(
        "a forgotten laptop's connect is refused with status 1",
        story.wait_for(lambda: story.connection.poll() is not None, 120) and story.connection.returncode == 1,
        story.read(story.log))
    again = story.aware("connect", SERVICE)
    story.check("and stays refused", again.returncode == 1, again.stdout + again.stderr)
    story.check("forgetting somebody unknown fails", story.awared("forget", "00000000").returncode == 1)

    story.check("pairing opens", story.awared("pairing", "open", "--for", "60").returncode == 0)
    status, output = story.pair(lambda pin: pin, state="another")
    story.check("another laptop pairs", status == 0, output)
    journal = "".join(story.read(f"{story.place}/journal{run + 1}") for run in range(story.runs))
    shown = "".join(story.read(f"{story.place}/panel{run + 1}") for run in range(story.runs))
    digits = [line[4:] for line in shown.splitlines() if line.startswith("PIN ")]
    story.check("no PIN is in the journal", not any(pin in journal for pin in digits), digits)


def main():
    with tempfile.TemporaryDirectory() as place:
        story = Story(os.path.abspath(sys.argv[1]), place)
        try:
            tell(story)
        finally:
            story.stop(story.connection)
            story.stop(story.agent)
        print(f"{story.passed} passed, {story.failed} failed")
        if story.failed:
            sys.exit(1)


if __name__ == "__main__":
    main()
