#!/usr/bin/env python3
"""Writes Sources/MAVLink/ChecksumSeeds.swift from the message definitions that pymavlink holds.

checksum_seeds.py            prints the file
checksum_seeds.py --check    compares the file in the repository, status 1 if a seed is missing or wrong
"""
import os
import pathlib
import re
import sys

os.environ["MAVLINK20"] = "1"
from pymavlink.dialects.v20 import ardupilotmega  # noqa: E402  (contains common.xml's messages)

FILE = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "MAVLink" / "ChecksumSeeds.swift"
HEAD = """\
/// The seed that closes the check value of each message, by which both ends know that they mean the same fields.
///
/// The messages of MAVLink's common and ArduPilot dialects. Written by Tests/ClientTests/checksum_seeds.py.
///
/// - Spec: MAVLink guide, "Packet Serialization", "CRC_EXTRA Calculation".
enum ChecksumSeeds {
    /// Nil where the message is unknown.
    static func seed(of message: MessageID) -> UInt8? {
        var low = 0
        var high = table.count
        while low < high {
            let middle = (low + high) / 2
            let entry = table[middle]
            if entry >> 8 == message.rawValue { return UInt8(truncatingIfNeeded: entry) }
            if entry >> 8 < message.rawValue { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Message number in the upper 24 bits, seed in the lower 8; in ascending order.
    // swift-format-ignore
    private static let table: [UInt32] = [
"""


def entries():
    return [number << 8 | kind.crc_extra for number, kind in sorted(ardupilotmega.mavlink_map.items())]


def main():
    known = entries()
    if "--check" in sys.argv[1:]:
        body = FILE.read_text().split("[UInt32] = [")[1]
        ours = [int(number, 16) for number in re.findall(r"0x[0-9a-f_]+", body)]
        wrong = sorted(set(known) - set(ours))
        print(f"{len(ours)} seeds, {len(wrong)} missing or wrong")
        sys.exit(1 if wrong or ours != sorted(ours) else 0)
    print(HEAD, end="")
    for start in range(0, len(known), 10):
        print("        " + " ".join(f"{entry:#08x}," for entry in known[start : start + 10]))
    print("    ]\n}")


if __name__ == "__main__":
    main()
