#!/usr/bin/python3
"""A ground station of twenty lines: ground.py PORT [echo] hears the vehicle at 127.0.0.1:PORT, or has words sent back.

Prints the milliseconds until the first datagram came. Status 0 when heartbeats and parameters came, or the echo did.
"""
import socket
import sys
import time

import mavlink

port, echo = int(sys.argv[1]), sys.argv[2:] == ["echo"]
start, first, asked, seen, end = time.monotonic(), None, 0, {}, time.monotonic() + 40
station = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
station.settimeout(0.2)
while time.monotonic() < end:
    if time.monotonic() >= asked + 1:
        asked = time.monotonic()
        for frame in [b"words"] if echo else [mavlink.ground_heartbeat(0), mavlink.parameter_list_request(1)]:
            station.sendto(frame, ("127.0.0.1", port))
    try:
        data = station.recv(4096)
    except (TimeoutError, ConnectionRefusedError):
        continue
    if first is None:
        first = round(1000 * (time.monotonic() - start))
        print("first datagram after %d ms" % first, flush=True)
    for message, _, _ in mavlink.messages(data):
        seen[message] = seen.get(message, 0) + 1
    if data == b"echo:words" if echo else seen.get(mavlink.HEARTBEAT, 0) >= 2 and seen.get(mavlink.PARAM_VALUE):
        sys.exit(0)
print("heard", seen, flush=True)
sys.exit(1)
