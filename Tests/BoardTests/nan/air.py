#!/usr/bin/python3
"""air.py FILE.pcap: the data frames that a capture of hwsim0 (radiotap) holds, and which of them anyone could read."""
import struct
import sys


def frames(path):
    """802.11 frames without their radiotap headers."""
    with open(path, "rb") as f:
        head = f.read(24)
        if len(head) < 24 or struct.unpack_from("<I", head)[0] not in (0xa1b2c3d4, 0xa1b23c4d):
            raise ValueError(path + " is no pcap")
        if struct.unpack_from("<I", head, 20)[0] != 127:
            raise ValueError(path + " has no radiotap headers")
        while len(record := f.read(16)) == 16:
            data = f.read(struct.unpack_from("<I", record, 8)[0])
            if len(data) >= 4:
                yield data[struct.unpack_from("<H", data, 2)[0]:]


def data_frames(path):
    """(transmitter, receiver, protected, ether type or None) of data frames that carry something."""
    for frame in frames(path):
        if len(frame) < 26 or frame[0] & 0x0c != 0x08 or frame[0] & 0x40:       # not data, or a null function
            continue
        protected = bool(frame[1] & 0x40)
        header = 26 if frame[0] & 0x80 else 24
        kind = None if protected or len(frame) < header + 8 else frame[header + 6:header + 8].hex()
        yield frame[10:16].hex(":"), frame[4:10].hex(":"), protected, kind


def summary(path):
    """(protected, [readable ones])"""
    protected, readable = 0, []
    for transmitter, receiver, is_protected, kind in data_frames(path):
        if is_protected:
            protected += 1
        else:
            readable.append("%s to %s, type %s" % (transmitter, receiver, kind))
    return protected, readable


if __name__ == "__main__":
    count, readable = summary(sys.argv[1])
    print("%d protected, %d readable" % (count, len(readable)))
    for line in readable[:20]:
        print(line)
    sys.exit(1 if readable or not count else 0)
