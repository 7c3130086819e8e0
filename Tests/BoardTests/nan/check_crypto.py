#!/usr/bin/python3
"""Checks nancrypto against the recorded vectors."""
import json
import os
import sys

import aes
import nancrypto as c

H = bytes.fromhex
ROOT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Vectors", "keys")
checks = 0


def eq(name, got, want):
    global checks
    checks += 1
    if got != want:
        sys.exit("FAIL %s: %s != %s" % (name, got.hex(), want.hex()))


# RFC 3394, section 4.1, and FIPS 197, appendices C.1 and C.3.
eq("key wrap", aes.wrap(bytes(range(16)), H("00112233445566778899aabbccddeeff")),
   H("1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"))
for n, block in ((16, "69c4e0d86a7b0430d8cdb78070b4c55a"), (32, "8ea2b7ca516745bfeafc49904b496089")):
    cipher = aes.AES(bytes(range(n)))
    eq("AES-%d" % (8 * n), cipher.encrypt(H("00112233445566778899aabbccddeeff")), H(block))
    eq("AES-%d back" % (8 * n), cipher.decrypt(H(block)), H("00112233445566778899aabbccddeeff"))
for v in json.load(open(ROOT + "/synthetic_pairing.json")):
    if v["group"] != 19 or v["csid"] != 7:
        continue
    i, r = H(v["initiator_nmi"]), H(v["responder_nmi"])
    pw = v["password_ascii"].encode()
    eq("PT", c.point_bytes(c.sae_pt(pw)), H(v["PT"]))
    a = c.Sae(pw, i, r, int(v["initiator"]["rand"], 16), int(v["initiator"]["mask"], 16))
    b = c.Sae(pw, r, i, int(v["responder"]["rand"], 16), int(v["responder"]["mask"], 16))
    eq("PWE", c.point_bytes(a.pwe), H(v["PWE"]))
    a.finish(b.commit)
    b.finish(a.commit)
    for s, n in ((a, "initiator"), (b, "responder")):
        eq("commit", s.commit, H(v[n]["scalar"] + v[n]["element"]))
        eq("confirm", s.confirm()[2:], H(v[n]["confirm"]))
        eq("pmk", s.pmk, H(v["pmk"]))
        eq("pmkid", s.pmkid, H(v["pmkid"]))
    assert a.check(b.confirm()) and b.check(a.confirm())
    k = c.PairingKeys(a.pmk, i, r, H(v["dhss"]))
    for n in ("kck", "nm_tk", "nd_pmk", "nm_kek"):
        eq(n, getattr(k, n), H(v[n]))
    eq("wrap", c.wrap(k.nm_kek, H(v["nik_kdes_padded"])), H(v["nik_kdes_wrapped"]))
    eq("unwrap", c.unwrap(k.nm_kek, H(v["nik_kdes_wrapped"])), H(v["nik_kdes_padded"]))
    assert c.unwrap(k.nm_kek, H(v["nik_kdes_wrapped"])[:-1] + b"\0") is None
vec = json.load(open(ROOT + "/vectors.json"))
for case in ("pin_sae_ccmp128", "verify_npk", "full_pin_ndp_pk_pasn128", "full_pin_ndp_sk_ccm128"):
    for v in vec[case]["pairings"]:
        i, r = H(v["initiator_nmi"]), H(v["responder_nmi"])
        k = c.PairingKeys(H(v["pasn_pmk"]) if v.get("pasn_pmk") else H(v["sae_pmk"]), i, r, H(v["dhss"]))
        eq("ptk kck", k.kck, H(v["kck"]))
        eq("auth2 mic", k.auth2_mic(H(v["auth2_mic_input_data"]), H(v["auth2_mic_input_frame_body_mic0"])),
           H(v["auth2_mic"]))
        eq("auth3 mic", c.hmac256(k.kck, i, r, H(v["auth3_mic_input_hash_of_auth1_body"]),
                                  H(v["auth3_mic_input_frame_body_mic0"]))[:16], H(v["auth3_mic"]))
        eq("nd_pmk", k.nd_pmk, H(v["kdf_NDP_PMK_Derivation"]))
assert c.Curve.mul(c.Curve.n - 1, c.Curve.g) == c.Curve.neg(c.Curve.g)
assert c.Curve.mul(7, c.Curve.g) == c.Curve.add(c.Curve.mul(3, c.Curve.g), c.Curve.mul(4, c.Curve.g))
x, y = c.Ecdh(), c.Ecdh()
eq("ecdh", x.shared_x(y.public), y.shared_x(x.public))
eq("service id", c.service_id("_Ground._tcp"), H("8292f9a71acc"))
v = vec["full_pin_ndp_pk_pasn128"]["ndp"]
dk = c.DataKeys(*(H(v[n]) for n in ("nd_pmk", "initiator_ndi", "responder_ndi", "initiator_nonce", "responder_nonce")))
eq("nd tk", dk.tk, H(v["nd_tk"]))
eq("nd pmkid", c.nd_pmkid(H(v["nd_pmk"]), H("02aabbccdd02"), H("021122334401"), H("8292f9a71acc")), H(v["nd_pmkid"]))
for m in v["mics"]:
    eq("nd mic", dk.mic(H(m["data"])), H(m["mic"]))
print("OK", checks, "checks")
