"""As much MAVLink 2 as a phone needs to see that a vehicle is alive and listens: heartbeats and the parameter list."""
import struct

HEARTBEAT, PARAM_REQUEST_LIST, PARAM_VALUE = 0, 21, 22
SEEDS = {HEARTBEAT: 50, PARAM_REQUEST_LIST: 159, PARAM_VALUE: 220}     # CRC_EXTRA of each message
GROUND_SYSTEM, GROUND_COMPONENT = 255, 190


def checksum(data):
    """CRC-16/MCRF4XX."""
    crc = 0xffff
    for octet in data:
        x = octet ^ crc & 0xff
        x = (x ^ x << 4) & 0xff
        crc = crc >> 8 ^ x << 8 ^ x << 3 ^ x >> 4
    return crc


def frame(sequence, message, payload):
    payload = payload.rstrip(b"\0") or b"\0"
    body = bytes([len(payload), 0, 0, sequence & 0xff, GROUND_SYSTEM, GROUND_COMPONENT]) \
        + message.to_bytes(3, "little") + payload
    return b"\xfd" + body + struct.pack("<H", checksum(body + bytes([SEEDS[message]])))


def ground_heartbeat(sequence):
    """A ground station (type 6) without an autopilot (8), active (4)."""
    return frame(sequence, HEARTBEAT, struct.pack("<IBBBBB", 0, 6, 8, 0, 4, 3))


def parameter_list_request(sequence, system=1, component=1):
    return frame(sequence, PARAM_REQUEST_LIST, bytes([system, component]))


def messages(datagram):
    """[(message, system, payload)] of the well-formed MAVLink 2 frames; unknown messages go unchecked."""
    out = []
    while len(datagram) >= 12 and datagram[0] == 0xfd:
        end = 10 + datagram[1]
        if len(datagram) < end + 2:
            break
        message = int.from_bytes(datagram[7:10], "little")
        seed = SEEDS.get(message)
        good = seed is None or checksum(datagram[1:end] + bytes([seed])) == struct.unpack_from("<H", datagram, end)[0]
        if good:
            out.append((message, datagram[5], datagram[10:end]))
        datagram = datagram[end + 2 + (13 if datagram[2] & 1 else 0):]
    return out
