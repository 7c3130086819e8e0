#!/usr/bin/env python3
"""Flies the vehicle behind a local UDP port with MAVSDK 4: fly_mavsdk.py PORT

Connects, reads and changes parameters, arms, takes off, holds, lands. One line a step; status 1 at the first that
fails.
"""
import os
import sys
import time

from mavsdk import ComponentType, Configuration, Mavsdk, log_subscribe
from mavsdk.plugins.action import Action
from mavsdk.plugins.param import Param
from mavsdk.plugins.telemetry import LandedState, Telemetry

HEIGHT = 5.0  # metres


def step(name):
    print(f"mavsdk: {name}", flush=True)


def wait(what, condition, seconds):
    """Looks every 50 ms, and gives up after so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise TimeoutError(f"not within {seconds} s: {what}")


def autopilot(connection):
    for system in connection.get_systems():
        if system.is_connected() and system.has_autopilot():
            return system
    return None


def fly(port):
    connection = Mavsdk(Configuration.create_with_component_type(ComponentType.GROUND_STATION))
    connection.add_any_connection(f"udpout://127.0.0.1:{port}")
    vehicle = wait("a vehicle", lambda: autopilot(connection), 90)
    step(f"connected to system {vehicle.get_system_id()}")

    telemetry = Telemetry(vehicle)
    wait("a position", lambda: telemetry.health().is_global_position_ok, 60)
    wait("all checks", telemetry.health_all_ok, 60)
    step(f"healthy, battery {telemetry.battery().remaining_percent:.0f} %")

    parameters = Param(vehicle)
    listed = parameters.get_all_params()
    names = [one.name for one in listed.float_params + listed.int_params]
    assert "FS_GCS_TIMEOUT" in names, names
    parameters.set_param_float("WPNAV_SPEED_UP", 300.0)
    assert parameters.get_param_float("WPNAV_SPEED_UP") == 300.0
    step(f"{len(names)} parameters, one changed")

    action = Action(vehicle)
    action.set_takeoff_altitude(HEIGHT)
    action.arm()
    wait("armed", telemetry.armed, 30)
    step("armed")
    action.takeoff()
    wait("height", lambda: abs(telemetry.position().relative_altitude_m - HEIGHT) < 0.3, 90)
    wait("in the air", lambda: telemetry.landed_state() == LandedState.IN_AIR, 30)
    step(f"at altitude, {telemetry.position().relative_altitude_m:.1f} m")

    action.hold()
    time.sleep(3)
    height = telemetry.position().relative_altitude_m
    assert abs(height - HEIGHT) < 0.3, height
    assert telemetry.in_air()
    step(f"held, mode {telemetry.flight_mode()}")

    action.land()
    wait("on the ground", lambda: telemetry.landed_state() == LandedState.ON_GROUND, 120)
    wait("disarmed", lambda: not telemetry.armed(), 60)
    step(f"landed, {telemetry.position().relative_altitude_m:.1f} m")


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    said = []
    log_subscribe(lambda level, message, file, line: said.append(message) or True)
    try:
        fly(int(sys.argv[1]))
    except Exception as error:  # a step that failed, whatever its kind
        print(f"mavsdk: FAILED {type(error).__name__}: {error}", *said[-20:], sep="\n    ", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # its threads would keep the process alive
