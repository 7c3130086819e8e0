#!/usr/bin/python3
"""Parsers of nanwire against recorded frames, and against every prefix of them."""
import os
import sys

import nanwire as w

ROOT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Vectors", "nan")
sdfs = nafs = cuts = 0
for case in ("unsolicited", "solicited", "pin_sae_ccmp128", "full_pin_ndp_pk_pasn128", "full_pin_ndp_pk_pasn128", "verify_npk"):
    for line in open("%s/%s.frames" % (ROOT, case)):
        raw = line.split()[-1]
        if not raw.startswith("d0"):
            continue
        body = bytes.fromhex(raw)[24:]
        if body[5] not in (0x13, 0x18):
            continue
        skip = 6 if body[5] == 0x13 else 7
        pairs = w.attributes(body[skip:])
        desc = w.describe_attributes(pairs)
        assert "malformed" not in desc, (case, desc)
        assert b"".join(w.attribute(k, v) for k, v in pairs) == body[skip:]
        sdfs, nafs = sdfs + (skip == 6), nafs + (skip == 7)
        for kind, value in pairs:
            if kind == w.NDPE:
                w.parse_ndpe(value)
            if kind == w.SKD:
                for n in (0, 16, 24):
                    try:
                        d = w.KeyDescriptor.decode(value, n)
                        assert d.encode()[3:] == value or any(value[46:78])
                        break
                    except w.Malformed:
                        continue
                else:
                    raise AssertionError("no layout fits")
            for cut in range(len(value)):
                for parse in {w.SDA: [w.parse_sda], w.SDEA: [w.parse_sdea], w.NPBA: [w.parse_npba], w.CSIA: [w.parse_csia],
                              w.AVAIL: [w.parse_availability], w.NDPE: [w.parse_ndpe], w.DEVCAP: [w.parse_devcap],
                              w.DCEA: [w.parse_dcea]}.get(kind, []):
                    try:
                        parse(value[:cut])
                    except (w.Malformed, IndexError):
                        pass
                    cuts += 1
assert w.parse_service_info(w.gsp(5004, 17, [("pairingName", "My Drone")])) == dict(
    port=5004, protocol="udp", txt=dict(pairingName="My Drone"))
assert w.gsp(3333, 17, [("pairingName", "My Drone"), ("vendorName", "Example Inc"), ("modelName", "Example Model")]).hex() == (
    "506f9a02000200050d010100110444001470616972696e674e616d653d4d792044726f6e651676656e646f724e616d653d4578616d706c6520496e63"
    "176d6f64656c4e616d653d4578616d706c65204d6f64656c")
assert w.npba(1, 1, 0, 0, 0x20).hex() == "2c05000101002000"
assert w.npba(1, 1, 2, 0, 0x20, bytes.fromhex("e40ad312")).hex() == "2c0a0001210004e40ad3122000"
assert w.availability(1, bytes.fromhex("feffffff")).hex() == "1213000131000e00e112180004feffffff1151200000"
a = w.parse_availability(w.availability(1, bytes.fromhex("0e000000"))[3:])
assert w.committed_slots(a, 2437) == [1 <= i <= 3 for i in range(32)]
assert w.expand_bitmap(0x0020, b"\x02\0\0\0\x02\0\0\0")[1] and not w.expand_bitmap(0x0020, b"\x02\0\0\0\0\0\0\0")[1]   # 1024 TU
assert w.expand_bitmap(0x0018 | 1 << 6, b"\x01") == [i == 1 for i in range(32)]                                        # offset 16 TU
assert w.expand_bitmap(0x0008, b"\x02") == [i % 8 == 1 for i in range(32)]                                              # 128 TU
print("OK", sdfs, "SDFs", nafs, "NAFs", cuts, "cuts")
