#!/usr/bin/python3
"""What must hold of panels and the button on the virtual board: checks.py DIRECTORY, where awared and aware are."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from rig import PROJECT, RESULTS, SCRATCH, Program, Tally, end_programs, keep_results, read, run, wait_for
import pictures
import wires
from decoders import HD44780, SSD1306, TM1637

LABEL = "pinctrl-bcm2711"
DARK = ["0" * 128] * 64                             # the OLED's picture
BOARD = """
[board]
gpio-chip = {label}
lines = GPIO0-GPIO27

[bus {bus}]
lines = GPIO2 GPIO3

[button pairing]
line = GPIO17

[panel tm1637]
clk = GPIO23
dio = GPIO24
digits = 6

[panel tm1637 with four digits]
clk = GPIO20
dio = GPIO21

[panel hd44780]
rs = GPIO5
e = GPIO6
d4 = GPIO12
d5 = GPIO13
d6 = GPIO16
d7 = GPIO19

[panel hd44780 behind a PCF8574]
bus = {bus}
address = 0x27

[panel ssd1306]
bus = {bus}
"""


class Here:
    """The one station of this board, for Program."""
    name = "board"

    def command(self, *words):
        return [str(word) for word in words]


class Stage:
    def __init__(self, programs):
        self.programs = programs
        self.device, directory = wires.make_lines(LABEL)
        self.bus = wires.make_bus(0x27, 0x3c)
        self.button = wires.Finger(directory, 17)
        self.six, self.four = TM1637([2, 1, 0, 5, 4, 3]), TM1637([0, 1, 2, 3])
        self.letters, self.letters_behind = HD44780(), HD44780()
        self.oled = SSD1306()
        lines = {23: (self.six, "clk"), 24: (self.six, "dio"), 20: (self.four, "clk"), 21: (self.four, "dio")}
        for line, name in ((5, "rs"), (6, "e"), (12, "d4"), (13, "d5"), (16, "d6"), (19, "d7")):
            lines[line] = (self.letters, name)
        self.displays = {"tm1637": self.six, "tm1637 with four digits": self.four, "hd44780": self.letters,
                         "hd44780 behind a PCF8574": self.letters_behind, "ssd1306": self.oled}
        self.trace = wires.Trace(lines, {23, 24, 20, 21}, {0x27: self.letters_behind, 0x3c: self.oled},
                                 f"{SCRATCH}/wires.trace")
        self.board = f"{SCRATCH}/board.conf"
        with open(self.board, "w") as f:
            f.write(BOARD.format(label=LABEL, bus=self.bus))

    def awared(self):
        agent = Program(Here(), f"{self.programs}/awared", "run", "--config", f"{PROJECT}/config/drone.conf", "--radio",
                        f"air:{SCRATCH}/air", "--state", f"{SCRATCH}/state", "--board", self.board, name="awared")
        agent.says("joined the cluster", 60)
        # Without paired devices an accessory starts with pairing open.
        self.ask("pairing", "close")
        return agent

    def ask(self, *words):
        return run(f"{self.programs}/awared", *words, "--state", f"{SCRATCH}/state")

    def phone(self, *words, **options):
        return Program(Here(), f"{self.programs}/aware", *words, "--radio", f"air:{SCRATCH}/air", "--state",
                       f"{SCRATCH}/phone", name="aware", **options)

    def pins(self):
        """By panel, the PIN that it shows now: of four digits both halves in turn."""
        found = {}
        halves = [text for _, text in self.four.seen[-3:] if text.strip()][-2:]
        first = next((half[:3] for half in halves if half.endswith("-") and half[:3].isdigit()), "")
        second = next((half[1:] for half in halves if half.startswith("-") and half[1:].isdigit()), "")
        found["tm1637 with four digits"] = first + second
        found["tm1637"] = self.six.text or ""
        for name, display in (("hd44780", self.letters), ("hd44780 behind a PCF8574", self.letters_behind)):
            match = re.fullmatch(r"My Drone\|PIN (\d{6})", display.text or "")
            found[name] = match[1] if match else ""
        found["ssd1306"] = pictures.read_pin(self.oled.text) or "" if self.oled.text else ""
        return found

    def show_pin(self):
        """A phone that has come as far as to be asked for the PIN, and what the panels show."""
        phone = self.phone("pair", "_drone-service._udp", stdin=subprocess.PIPE)

        def whole():
            pins = self.pins()
            return pins if all(re.fullmatch(r"\d{6}", pin) for pin in pins.values()) else None
        return phone, wait_for(whole, 60) or self.pins()

    def dark(self):
        """Panels that show something."""
        return [name for name, display in self.displays.items()
                if (display.text != DARK if display is self.oled else (display.text or "").strip())]

    def parts(self):
        return json.loads(self.ask("status", "--json").stdout or "{}").get("parts", [])


def fault(stage, name):
    """What status says of the panel whose name begins so."""
    return next((part.get("fault") or "" for part in stage.parts() if part["name"].startswith(name)), None)


def without_pin_since(display, pin, moment):
    """Seconds from the moment until the display showed something without the PIN, for good; None while it shows it."""
    gone = None
    for time_, text in display.seen:
        shown = pictures.read_pin(text) if isinstance(text, list) else text.replace("-", "")
        has = bool(shown) and (pin in shown or pin[:3] == shown or pin[3:] == shown)
        gone = None if has else (time_ if gone is None else gone)
    return None if gone is None else max(0.0, gone - moment)


def story(stage, tally):
    stage.button.press()
    time.sleep(0.3)
    stage.button.release()
    opened = wait_for(lambda: re.fullmatch(r"P +1[012]\d", stage.six.text or ""), 20)
    tally.check("a short press opens pairing, and the time left is on the 7-segment", opened, stage.six.text)
    phone, pins = stage.show_pin()
    tally.check(f"every panel shows the same six digits, read off its wires: {len(pins)} panels",
                len(set(pins.values())) == 1, pins)
    if stage.oled.text:
        pictures.write_png(f"{RESULTS}/oled-pin.png", stage.oled.text)
    pin = pins["tm1637"]
    phone.process.stdin.write(pin + "\n")
    phone.process.stdin.flush()
    paired = phone.says(r"^paired My Drone", 60)
    moment = time.monotonic()
    tally.check("a phone pairs with the digits decoded from the wire", paired, phone.last_words())
    phone.wait()

    def measure():
        return {name: without_pin_since(display, pin, moment) for name, display in stage.displays.items()}
    # By the clock of the trace, which comes after what it tells of.
    wait_for(lambda: None not in measure().values(), 20)
    delays = measure()
    slowest = max((delay for delay in delays.values() if delay is not None), default=0)
    tally.check(f"the PIN is off every panel within a second: {slowest:.2f} s",
                all(delay is not None and delay < 1 for delay in delays.values()), delays)
    wait_for(lambda: (stage.six.text or "") == "donE  " and (stage.letters.text or "").startswith("paired|"), 4)
    pictures.write_png(f"{RESULTS}/oled-paired.png", stage.oled.text)
    said = [text for display in (stage.six, stage.letters) for time_, text in display.seen[-6:]]
    tally.check("panels say that it is done", {"donE  "} < set(said) and any("paired|" in text for text in said), said)


def killed(stage, tally, agent):
    stage.ask("pairing", "open", "--for", "300")
    phone, pins = stage.show_pin()
    pin = pins["tm1637"]
    phone.kill()
    agent.kill()
    moment = time.monotonic()
    agent = stage.awared()
    since = lambda: {name: [text for time_, text in display.seen if time_ > moment] for name, display in stage.displays.items()}
    wait_for(lambda: all(since().values()) and not any(stage.pins().values()), 20)
    for display in stage.displays.values():
        display.complaints.clear()                  # a killed program leaves an octet half written
    after = since()
    again = [name for name, texts in after.items() for text in texts
             if pin in (pictures.read_pin(text) or "" if isinstance(text, list) else text.replace("-", ""))]
    tally.check("after kill -9 with a PIN shown, a restart shows it nowhere again", not again and all(after.values()), again)
    return agent


def forgets(stage, tally):
    listed = lambda: json.loads(stage.ask("devices", "--json").stdout or "[]")
    before = len(listed())
    stage.button.press()
    counting = wait_for(lambda: re.fullmatch(r"CL +\d+", stage.six.text or ""), 9)
    tally.check("holding the button counts down", counting, stage.six.text)
    stage.button.release()
    tally.check("releasing it early keeps the devices", before == 1 and len(listed()) == before, listed())
    began = time.monotonic()
    stage.button.press()
    gone = wait_for(lambda: not listed(), 20)
    held = time.monotonic() - began
    stage.button.release()
    tally.check(f"holding it for ten seconds forgets them, {held:.1f} s", gone and held > 9.9, listed())


def faults(stage, tally, agent):
    agent.stop()
    tally.check("at the agent's end every panel is dark", wait_for(lambda: not stage.dark(), 20), stage.dark())
    holder = wires.Holder(stage.device, 6, "heater")
    agent = stage.awared()
    named = wait_for(lambda: "line GPIO6 is held by heater" in (fault(stage, "hd44780 on GPIO") or ""), 30)
    tally.check("a line that another holds is named in status", named, stage.parts())
    tally.check("other panels show meanwhile", wait_for(lambda: (stage.six.text or "").strip() == "-", 20), stage.six.text)
    holder.let_go()
    tally.check("it is tried again, and drawn",
                wait_for(lambda: stage.letters.text == "My Drone|ready" and fault(stage, "hd44780 on GPIO") == "", 40),
                (stage.letters.text, stage.parts()))
    silent(stage, tally, agent)
    agent.stop()
    without_library(stage, tally)


def silent(stage, tally, agent):
    """No bus of the kernel's simulations stops answering: the system's answer to every SMBus call is made the one that
    a silent address gets."""
    silence = f"nothing answers at 0x3c on {stage.bus}"
    # Counts the seconds down, so that what is drawn next is drawn on the bus as it is open. After rest, and after a fault,
    # a display is opened anew, which is refused here too, in other words.
    stage.ask("pairing", "open", "--for", "300")
    wait_for(lambda: (stage.six.text or "").startswith("P"), 20)
    strace = subprocess.Popen(["strace", "-f", "-o", "/dev/null", "-e", "trace=ioctl", "-e",
                               "inject=ioctl:error=EREMOTEIO", "-p", str(agent.process.pid)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    tally.check("a bus that stops answering is named in the journal", agent.says(silence, 60), agent.last_words())
    told = wait_for(lambda: fault(stage, "ssd1306"), 20)
    tally.check("and in status", told and (silence in told or f"open {stage.bus}: Remote I/O error" in told), stage.parts())
    strace.send_signal(signal.SIGINT)
    strace.wait()
    moment = time.monotonic()
    back = wait_for(lambda: all(not part.get("fault") for part in stage.parts()), 90)
    tally.check(f"it answers again, and every panel is well after {time.monotonic() - moment:.0f} s", back, stage.parts())
    tally.check("it is drawn", wait_for(lambda: stage.oled.seen[-1][0] > moment
                                        and stage.oled.picture()[16:48] != ["0" * 128] * 32, 20))
    pictures.write_png(f"{RESULTS}/oled-open.png", stage.oled.picture())


def without_library(stage, tally):
    """The board's files are this machine's under a layer of memory: what is moved is moved on the board alone."""
    library = glob.glob("/usr/lib/*/libgpiod.so.3")[0]
    os.rename(library, library + ".away")
    agent = stage.awared()
    named = wait_for(lambda: "libgpiod.so.3" in (fault(stage, "tm1637 on GPIO23") or ""), 40)
    tally.check("without libgpiod the agent runs, and says what to install", named, stage.parts())
    tally.check("a panel that needs none shows", wait_for(lambda: stage.oled.text != DARK, 20))
    os.rename(library + ".away", library)
    # A try that took long, as reading a library does here, is not soon repeated.
    well = wait_for(lambda: all(not part.get("fault") for part in stage.parts()), 90)
    tally.check("once it is there, every panel is well", well, stage.parts())
    agent.stop()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.chdir(PROJECT)
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    tally = Tally()
    try:
        stage = Stage(os.path.abspath(sys.argv[1]))
        agent = stage.awared()
        started = wait_for(lambda: stage.letters.text == "My Drone|ready", 30)
        tally.check("panels say that it is ready", started, {n: d.text for n, d in stage.displays.items() if n != "ssd1306"})
        tally.check("the OLED started dark", stage.oled.seen[0][1] == DARK)
        story(stage, tally)
        agent = killed(stage, tally, agent)
        forgets(stage, tally)
        faults(stage, tally, agent)
        complaints = [complaint for display in stage.displays.values() for complaint in display.complaints]
        tally.check("no display has anything to complain about", not complaints, complaints[:5])
    except Exception as error:
        tally.check("the checks came to their end", False, repr(error))
    end_programs()
    keep_results()
    sys.exit(tally.sum())


if __name__ == "__main__":
    main()
