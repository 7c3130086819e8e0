#!/usr/bin/env python3
"""Flies the vehicle behind a local UDP port with MAVProxy, typing at it as a pilot does: fly_mavproxy.py PORT

Connects, reads and changes parameters, arms, takes off, holds, lands. One line a step; status 1 at the first that
fails.
"""
import pathlib
import sys
import tempfile
import time

import pexpect

HEIGHT = 5.0  # metres


def step(name):
    print(f"mavproxy: {name}", flush=True)


class Pilot:
    def __init__(self, port, folder):
        program = pathlib.Path(sys.executable).with_name("mavproxy.py")
        self.terminal = pexpect.spawn(
            sys.executable,
            [
                str(program),
                f"--master=udpout:127.0.0.1:{port}",
                "--mav20",
                f"--state-basedir={folder}",
                "--default-modules=cmdlong,param,mode,arm,link,misc",
            ],
            encoding="utf-8",
            timeout=60,
            cwd=folder,
        )

    def type(self, line):
        self.terminal.sendline(line)

    def expect(self, what, seconds=60):
        try:
            self.terminal.expect(what, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            raise TimeoutError(f"not within {seconds} s: {what}; the last it said: {self.terminal.before[-500:]!r}")
        return self.terminal.match

    def read(self, message, field):
        """The field of the last message of a kind."""
        self.type(f"status {message}")
        return float(self.expect(rf"{message} \{{[^}}]*\b{field} : (-?[0-9.]+)").group(1))

    def wait(self, what, condition, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.5)
        raise TimeoutError(f"not within {seconds} s: {what}")

    def height(self):
        return self.read("GLOBAL_POSITION_INT", "relative_alt") / 1000

    def is_armed(self):
        return int(self.read("HEARTBEAT", "base_mode")) & 0x80 != 0


def fly(pilot):
    pilot.expect("online system 1", 90)
    step("connected to system 1")
    count = pilot.expect(r"Received (\d+) parameters", 90).group(1)
    pilot.type("param set WPNAV_SPEED_UP 280")
    pilot.wait("parameter", lambda: parameter(pilot, "WPNAV_SPEED_UP") == 280, 60)
    step(f"{count} parameters, one changed")

    pilot.type("mode GUIDED")
    pilot.expect("Mode GUIDED|GUIDED>")
    pilot.type("arm throttle")
    pilot.expect("COMPONENT_ARM_DISARM: ACCEPTED")
    pilot.wait("armed", pilot.is_armed, 30)
    step("armed")
    pilot.type(f"takeoff {HEIGHT}")
    pilot.expect("NAV_TAKEOFF: ACCEPTED|TAKEOFF: ACCEPTED")
    pilot.wait("height", lambda: abs(pilot.height() - HEIGHT) < 0.3, 90)
    step(f"at altitude, {pilot.height():.1f} m")

    pilot.type("mode LOITER")
    pilot.expect("Mode LOITER|LOITER>")
    time.sleep(3)
    assert abs(pilot.height() - HEIGHT) < 0.3, pilot.height()
    step("held")

    pilot.type("mode LAND")
    pilot.expect("Mode LAND|LAND>")
    pilot.wait("on the ground", lambda: pilot.height() == 0, 120)
    pilot.wait("disarmed", lambda: not pilot.is_armed(), 60)
    step("landed, 0.0 m")
    pilot.type("link")
    pilot.expect("link 1 OK")


def parameter(pilot, name):
    pilot.type(f"param show {name}")
    return float(pilot.expect(rf"{name}\s+(-?[0-9.]+)").group(1))


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        pilot = Pilot(int(sys.argv[1]), folder)
        try:
            fly(pilot)
        except Exception as error:  # a step that failed, whatever its kind
            print(f"mavproxy: FAILED {type(error).__name__}: {error}", flush=True)
            return 1
        finally:
            pilot.terminal.close(force=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
