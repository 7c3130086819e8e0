"""Awared on the kernel's radio and on the board's wires: a person presses the button, the independent phone pairs with the
digits that a decoder reads off the wires of a 7-segment display, lights and a program tell what is going on."""
import os
import re
import sys
import time

from rig import HERE, SCRATCH, Awared, Phone, read, remove, wait_for

sys.path.insert(0, os.path.join(HERE, "panels"))
import wires
from decoders import TM1637

LABEL = "pinctrl-bcm2711"
SHOW = f"{SCRATCH}/shown"                           # what the program of the exec panel was told
BOARD = f"""
[board]
gpio-chip = {LABEL}
lines = GPIO0-GPIO27

[button pairing]
line = GPIO17

[light status]
red = GPIO22
green = GPIO27
blue = GPIO25

[panel tm1637]
clk = GPIO23
dio = GPIO24
digits = 6

[panel led]
line = GPIO18

[panel exec]
program = {SCRATCH}/show
"""


class Light:
    """A light: when it went on and off."""

    def __init__(self):
        self.changes = []

    def level(self, time_, line, high):
        if not self.changes or self.changes[-1][1:] != (line, high):
            self.changes.append((time_, line, high))

    def colour(self):
        """The lit parts, by their letters."""
        lit = {}
        for _, line, high in self.changes:
            lit[line] = high
        return "".join(line for line in "rgb" if lit.get(line))

    def since(self, moment):
        """(seconds on, seconds off) in turn, of a light with one line."""
        changes = [(time_, high) for time_, _, high in self.changes if time_ >= moment]
        while changes and not changes[0][1]:
            changes.pop(0)
        spans = [after[0] - before[0] for before, after in zip(changes, changes[1:])]
        return list(zip(spans[::2], spans[1::2]))


def read_blinks(spans):
    """The digits of a blink code, as a person reads it who knows the rules of board/README.md."""
    digits, blinks, has_begun = "", 0, False
    for on, off in spans:
        if on < 0.15:                               # the flicker, whose last one a long pause follows
            if has_begun and digits:
                break
            has_begun = off > 1.7
        elif has_begun and on > 1:
            digits += "0"
        elif has_begun:
            blinks += 1
            if off > 1:
                digits, blinks = digits + str(blinks), 0
    return digits


class Wired(Awared):
    """The agent with its board file. Its person reads the digits off the wires."""
    shown = None

    def __init__(self, station, programs, state, display):
        self.display, self.looks = display, True
        super().__init__(station, programs, state, words=("--board", f"{SCRATCH}/board.conf"))

    def bridge(self):
        while self.running:
            text = self.display.text or ""
            if self.looks and re.fullmatch(r"\d{6}", text):
                if self.shown != text:
                    with open(self.pin_file + ".new", "w") as f:
                        f.write(text + "\n")
                    os.replace(self.pin_file + ".new", self.pin_file)
            else:
                remove(self.pin_file)
                text = None
            self.shown = text
            time.sleep(0.05)


def part(stage, pair, short):
    """`pair` and `short`: the steps of a phone that pairs, and of a whole short run."""
    tally, station = stage.tally, stage.boards[0]
    device, directory = wires.make_lines(LABEL)
    finger = wires.Finger(directory, 17)
    digits, led, light = TM1637([2, 1, 0, 5, 4, 3]), Light(), Light()
    lines = {23: (digits, "clk"), 24: (digits, "dio"), 18: (led, "led"), 22: (light, "r"), 27: (light, "g"), 25: (light, "b")}
    wires.Trace(lines, {23, 24}, {}, f"{SCRATCH}/wired.trace")
    with open(f"{SCRATCH}/board.conf", "w") as f:
        f.write(BOARD)
    with open(f"{SCRATCH}/show", "w") as f:
        f.write(f"#!/bin/sh\nexec cat >>{SHOW}\n")
    os.chmod(f"{SCRATCH}/show", 0o755)

    def doctor(*words):
        return station.run(f"{stage.programs}/awared", "doctor", "--board", f"{SCRATCH}/board.conf", "--radio", "kernel",
                           "--state", f"{SCRATCH}/wired", *words)

    examine(tally, doctor, device, digits)
    board = Wired(station, stage.programs, f"{SCRATCH}/wired", digits)
    tally.check("wired: awared publishes, with its board file", board.ready, board.last_words())
    refused = doctor("--panel")
    tally.check("wired: no test pattern while the agent runs", refused.returncode == 1 and "another agent runs" in refused.stdout,
                refused.stdout + refused.stderr)
    parts = board.status().get("parts", [])
    tally.check("wired: status lists five parts, all well", len(parts) == 5 and not any(p["fault"] for p in parts), parts)
    for layout in ("hostap", "ios"):
        board.ask("pairing", "close")
        wait_for(lambda: digits.text == "     -" or (digits.text or "").startswith("on"), 30)
        press(finger)
        opened = wait_for(lambda: re.fullmatch(r"P +1[012]\d", digits.text or ""), 20)
        tally.check(f"wired, {layout}: a short press opens pairing", opened, digits.text)
        blue = wait_for(lambda: light.colour() == "b", 20)
        tally.check(f"wired, {layout}: the light is blue", blue, light.colour())
        phone = Phone(stage.phones[0], layout, name="wired")
        tally.check(f"wired, {layout}: the independent phone pairs with the digits read off the wire", not (
            wrong := phone.passes(board, *short)), f"{wrong}\n{board.last_words()}")
        # Two seconds by the clock of the trace, which comes after what it tells of.
        moment = time.monotonic() + 2
        wait_for(lambda: not re.search(r"\d{6}", digits.text or ""), 20)
        shown = [text for time_, text in digits.seen if time_ < moment]
        tally.check(f"wired, {layout}: the digits are gone", shown and not re.search(r"\d{6}", shown[-1] or ""), digits.seen[-3:])
    told = [line for line in read(SHOW).splitlines() if line != "PIN 123456"]     # the test pattern
    tally.check("wired: the program was told the same", len([line for line in told if re.fullmatch(r"PIN \d{6}", line)]) == 2
                and len([line for line in told if line.startswith("paired ")]) == 2, told)
    blinks(stage, board, finger, digits, led, pair)
    forget(tally, board, finger, digits, light)
    tally.check("wired: ends cleanly", board.stop() == 0, board.last_words())
    dark = wait_for(lambda: not (digits.text or "").strip() and not light.colour() and not led.changes[-1][2], 20)
    tally.check("wired: everything is dark at the end", dark, (digits.text, light.colour()))


def press(finger, seconds=0.3):
    finger.press()
    time.sleep(seconds)
    finger.release()


def examine(tally, doctor, device, digits):
    found = doctor()
    tally.check("wired: doctor finds every part", found.returncode == 0 and len(re.findall(r"is there", found.stdout)) == 5,
                found.stdout + found.stderr)
    holder = wires.Holder(device, 23, "heater")
    held = doctor()
    tally.check("wired: doctor says who has a line", "line GPIO23 is held by heater" in held.stdout, held.stdout)
    held = doctor("--panel")
    tally.check("wired: so does the test pattern, and fails", held.returncode == 1 and "held by heater" in held.stdout,
                held.stdout)
    holder.let_go()
    moment = time.monotonic()
    shown = doctor("--panel")
    # The trace comes after what it tells of.
    wait_for(lambda: "123456" in [text for time_, text in digits.seen if time_ > moment] and not digits.text.strip(), 20)
    seen = [text for time_, text in digits.seen if time_ > moment]
    tally.check(f"wired: the test pattern lights everything, then 123456, then nothing, {time.monotonic() - moment:.0f} s",
                shown.returncode == 0 and "888888" in seen and "123456" in seen and not seen[-1].strip(),
                f"{seen}\n{shown.stdout}{shown.stderr}")


def blinks(stage, board, finger, digits, led, pair):
    """Nobody types the PIN: there is time to read it off the LED."""
    board.looks = False
    board.ask("pairing", "close")
    press(finger)
    stranger = Phone(stage.phones[1], "ios", name="slow").start(board, "--do", pair, "--pin-timeout", "70")
    pin = wait_for(lambda: (digits.text or "") if re.fullmatch(r"\d{6}", digits.text or "") else "", 60)
    began = next((time_ for time_, text in reversed(digits.seen) if text == pin), 0) - 0.5
    read_off = wait_for(lambda: len(read_blinks(led.since(began))) == 6, 58, 0.5)
    code = read_blinks(led.since(began))
    stage.tally.check(f"wired: the LED blinks the same digits, {time.monotonic() - began:.0f} s", pin and read_off and code == pin,
                      f"LED {code}, 7-segment {pin}\n{led.since(began)[:40]}")
    stranger.kill()
    board.looks = True


def forget(tally, board, finger, digits, light):
    count = len(board.devices())
    finger.press()
    counting = wait_for(lambda: re.fullmatch(r"CL +\d", digits.text or ""), 8)
    tally.check("wired: a held button counts down on the display", counting, digits.text)
    finger.release()
    wait_for(lambda: not (digits.text or "").startswith("CL"), 20)
    tally.check("wired: released in time, nobody is forgotten", count == 2 and len(board.devices()) == 2, board.devices())
    began = time.monotonic()
    finger.press()
    gone = wait_for(lambda: not board.devices(), 14)
    took = time.monotonic() - began
    finger.release()
    tally.check(f"wired: held for {took:.1f} s, everybody is", gone and took > 9.9, board.devices())
    red = [time_ for time_, line, high in light.changes if line == "r" and high and time_ > began]
    tally.check("wired: the light flickered meanwhile", len(red) > 30, len(red))
