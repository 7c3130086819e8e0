#!/usr/bin/python3
"""The phone's half of Wi-Fi Aware: subscribe, bootstrap, pair with a PIN, verify, open a data path.

Drives a NAN-capable phy through nl80211 (Linux >= 7.3) and prints one JSON object per event, so a test script can
assert on what an accessory (the publisher) did.  `--do` lists the steps; the exit code says how far it got.
"""
import argparse
import glob
import json
import os
import re
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "nan"))
import mavlink
import nancrypto as crypto
import nanwire as w
import nl80211

EXIT = dict(ok=0, internal=1, no_match=2, bootstrap_rejected=3, bootstrap_timeout=4, pairing_refused_by_us=5,
            pairing_timeout=6, pairing_rejected=7, nik_failed=8, not_recognised=9, ndp_rejected=10, ndp_timeout=11,
            ndp_bad_mic=12, ping_failed=13, nl80211=14, stalled=15, no_pin=16, closed_by_peer=17, malformed=18, no_vehicle=19)
STEPS = "match bootstrap pair verify ndp ping vehicle hold terminate followup".split()
FREQ = 2437
INSTANCE = 1                                     # our subscribe instance
COMPLEMENT = {1: 1, 2: 32, 4: 64, 8: 128, 16: 256, 32: 2, 64: 4, 128: 8, 256: 16}
START = time.monotonic()


class Stop(Exception):
    """Ends the run with a named exit code and an explanation."""
    def __init__(self, code, why, **info):
        super().__init__(why)
        self.code, self.why, self.info = code, why, info


def emit(event, **info):
    info = {k: (v.hex() if isinstance(v, bytes) else v) for k, v in info.items()}
    print(json.dumps(dict(t=round(time.monotonic() - START, 3), event=event, **info)), flush=True)


class Store:
    """Our NIK and the pairings (peer NIK, NPK) in a JSON file."""
    def __init__(self, path):
        self.path = path
        self.data = dict(nik=os.urandom(16).hex(), peers=[])
        if path and os.path.exists(path):
            with open(path) as f:
                self.data = json.load(f)
        self.nik = bytes.fromhex(self.data["nik"])
        self.save()

    def save(self):
        if self.path:
            with open(self.path + ".new", "w") as f:
                json.dump(self.data, f, indent=1)
            os.replace(self.path + ".new", self.path)

    def add(self, **peer):
        self.data["peers"] = [p for p in self.data["peers"] if p["nik"] != peer["nik"]] + [peer]
        self.save()

    def find(self, nmi, nonce_tag):
        return next((p for p in self.data["peers"] if crypto.nira_matches(bytes.fromhex(p["nik"]), nmi, nonce_tag)), None)


class Phone:
    def __init__(self, args):
        self.args = args
        self.store = Store(args.state)
        self.service = crypto.service_id(args.service)
        self.matches, self.inbox, self.tx = {}, [], {}
        self.subscribing = False
        self.subscribe_cookies, self.announced = set(), 0
        self.peer = None                          # the match we work with
        self.stations = set()
        self.keys = self.npk = None
        self.asked_at = 0
        self.protected = False
        self.ndp = None
        phys = nl80211.list_phys()
        usable = [i for i, (name, caps) in sorted(phys.items()) if caps is not None and
                  (args.phy is None or args.phy in (str(i), name))]
        if not usable:
            raise Stop("nl80211", "no NAN-capable phy", phys={i: n for i, (n, _) in phys.items()})
        self.caps = phys[usable[0]][1]
        nmi = bytes.fromhex(args.nmi.replace(":", "")) if args.nmi else self.random_mac()
        self.dev = nl80211.NanDevice(usable[0], nmi, args.ifname)
        bitmap = bytes.fromhex(args.slots)
        self.avail = w.availability(1, bitmap)
        self.slots = bytes(0 if on else 0xff for on in w.slots_of(bitmap))
        self.nonce_tag = crypto.nira(self.store.nik, nmi)

    @staticmethod
    def random_mac():
        mac = bytearray(os.urandom(6))
        mac[0] = mac[0] & 0xfc | 2
        return bytes(mac)

    # ------------------------------------------------------------ start and event loop
    def start(self):
        self.dev.start(self.args.master_pref)
        end = time.monotonic() + 60
        while not self.dev.cluster and time.monotonic() < end:
            self.pump(0.5)
        if not self.dev.cluster:
            raise Stop("nl80211", "no cluster joined")
        if "ndp" in self.args.do:
            self.dev.add_ndi(self.args.ndi_ifname)
        self.dev.set_local_schedule(FREQ, w.CH6_ENTRY, self.slots, self.avail)
        emit("started", nmi=w.mac_str(self.dev.nmi), cluster=w.mac_str(self.dev.cluster),
             ndi=w.mac_str(self.dev.ndi) if self.dev.ndi else None, service=self.args.service, service_id=self.service)
        self.subscribing = True

    def pump(self, timeout):
        for ev in self.dev.poll(timeout):
            if ev[0] == "dw" and self.subscribing and not self.args.passive and self.dev.cluster:
                self.subscribe_cookies.add(self.dev.send(w.NETWORK_ID, self.subscribe_body()))
            elif ev[0] == "cluster":
                emit("cluster", id=w.mac_str(ev[1]), new=ev[2])
            elif ev[0] == "tx":
                if ev[1] in self.subscribe_cookies:
                    self.subscribe_cookies.discard(ev[1])
                    self.announced += 1
                self.tx[ev[1]] = ev[2]
            elif ev[0] == "frame":
                try:
                    self.received(ev[1])
                except (w.Malformed, IndexError) as e:
                    emit("malformed", sa=w.mac_str(ev[1]["sa"]), why=str(e), body=ev[1]["body"])

    def received(self, f):
        body, sa = f["body"], f["sa"]
        if f["auth"]:
            self.inbox.append(dict(kind="auth", sa=sa, seq=w.le16(body, 2), status=w.le16(body, 4), body=body))
        elif body[5] == 0x13:
            pairs = w.attributes(body[6:])
            for value in [v for k, v in pairs if k == w.SDA]:
                s = w.parse_sda(value)
                if s["service_id"] != self.service.hex():
                    continue
                if s["kind"] == w.PUBLISH and self.subscribing:
                    self.publish_seen(f, pairs, s)
                elif s["kind"] == w.FOLLOW_UP and f["a1"] == self.dev.nmi:
                    self.inbox.append(dict(kind="follow-up", sa=sa, pairs=pairs, protected=body[0] == 9,
                                           instance=s["instance"]))
                    if self.args.verbose:
                        emit("rx-follow-up", sa=w.mac_str(sa), protected=body[0] == 9, attrs=w.describe_attributes(pairs))
        elif body[5] == 0x18:
            item = dict(kind="naf", sa=sa, subtype=body[6], pairs=w.attributes(body[7:]), protected=body[0] == 9, body=body)
            if self.args.verbose:
                emit("rx-naf", sa=w.mac_str(sa), subtype=body[6], body=body)
            if body[6] == w.DP_TERMINATE and self.ndp and self.ndp.get("up"):
                n = w.parse_ndpe(w.first(item["pairs"], w.NDPE, b""))
                if (n["initiator"], n["ndp_id"]) == (self.dev.ndi, self.ndp["id"]):
                    emit("ndp-closed-by-peer", reason=n["reason"])
                    self.remove_ndp()
                    return
            self.inbox.append(item)

    def publish_seen(self, f, pairs, s):
        sa = f["sa"]
        if self.args.peer and w.mac_str(sa) != self.args.peer.lower():
            return
        look = lambda nt: (self.store.find(sa, nt) or {}).get("name")
        desc = w.describe_attributes(pairs, look)
        nonce_tag = w.first(pairs, w.NIRA, b"")[1:17]
        generic = (desc.get("sdea") or {}).get("generic")
        if not generic and s.get("service_info"):
            generic = w.parse_service_info(bytes.fromhex(s["service_info"]))
        txt = (generic or {}).get("txt") or {}
        info = {k: txt[k] for k in ("pairingName", "vendorName", "modelName") if k in txt}
        if not self.args.verbose:
            desc.pop("availability", None)
        old = self.matches.get((sa, s["instance"]))
        self.matches[sa, s["instance"]] = dict(nmi=sa, instance=s["instance"], pairs=pairs, desc=desc, generic=generic or {},
                                               stored=self.store.find(sa, nonce_tag) if len(nonce_tag) == 16 else None,
                                               seen=time.monotonic())
        shown = json.dumps({k: v for k, v in desc.items() if k != "sda"}, sort_keys=True)
        if not old or old["shown"] != shown:
            emit("match", peer=w.mac_str(sa), instance=s["instance"], solicited=s["requestor"] == INSTANCE,
                 protected=f["body"][0] == 9, rssi=f["rssi"], pairing_info=info, **desc)
        self.matches[sa, s["instance"]]["shown"] = shown

    def wait(self, accept, timeout):
        """First inbox item that `accept` likes, or None; items of other kinds stay queued."""
        end = time.monotonic() + timeout
        while True:
            for item in self.inbox:
                if accept(item):
                    self.inbox.remove(item)
                    return item
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.pump(min(left, 0.5))

    def idle(self, seconds, until=lambda: False):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not until():
            self.pump(min(0.2, max(0.01, end - time.monotonic())))
        return until()

    # ------------------------------------------------------------ sending
    def send(self, body, what, tries=5, auth=False, to_ndi=None):
        """Send to the peer until acknowledged; the misbehaviour switches act here."""
        a = self.args
        if what == a.sweep:
            self.send_sweep(body, what, auth)
        if a.truncate and a.truncate_what in (what, "all"):
            body = body[:max(1, len(body) - a.truncate)]
            emit("misbehave", what="truncate", frame=what, length=len(body))
        for _ in range(tries):
            if a.verbose:
                emit("tx-frame", what=what, body=body)
            cookie = self.dev.send(to_ndi or self.peer["nmi"], body, auth, bool(to_ndi))
            self.idle(2.5, lambda: cookie in self.tx)
            if self.tx.pop(cookie, False):
                return True
        emit("not-acknowledged", what=what)
        return False

    def send_sweep(self, body, what, auth):
        """Every prefix of the frame (in steps), before the whole one."""
        sent = refused = 0
        for length in range(6 if auth else 7, len(body), self.args.sweep_step):
            try:
                cookie = self.dev.send(self.peer["nmi"], body[:length], auth)
                self.idle(0.7, lambda: cookie in self.tx)
                sent += 1
            except nl80211.NlError:
                refused += 1
        emit("misbehave", what="sweep", frame=what, sent=sent, refused_by_kernel=refused)
        self.inbox = [i for i in self.inbox if i["kind"] == "naf" and i["subtype"] == w.DP_TERMINATE]

    def capabilities(self):
        c = self.caps
        switch = c.get(5, bytes(2))[:2]
        devcap = w.attribute(w.DEVCAP, bytes.fromhex("00490414") + c.get(3, b"\x17")[:1] + c.get(4, b"\x22")[:1] + switch
                             + bytes([c.get(6, b"\0")[0] | 8]))
        return devcap, self.avail, w.attribute(w.DCEA, b"\0\x03")

    def nira(self):
        return w.nira_attr(self.nonce_tag) if self.store.data["peers"] else b""

    def subscribe_body(self):
        info = bytes.fromhex(self.args.ssi) if self.args.ssi else None
        return w.sdf(w.sda(self.service, INSTANCE, 0, w.SUBSCRIBE) + w.sdea(INSTANCE, 0, info)
                     + b"".join(self.capabilities()) + self.nira())

    def follow_up(self, extra, info=None, nira=None):
        return w.sdf(w.sda(self.service, INSTANCE, self.peer["instance"], w.FOLLOW_UP)
                     + (w.sdea(INSTANCE, 0, info) if info else b"") + b"".join(self.capabilities())
                     + (self.nira() if nira is None else nira) + extra, self.protected)

    def add_station(self, mfp):
        """Peer's NMI station with its schedule, as taken from its last publish."""
        nmi = self.peer["nmi"]
        if nmi not in self.stations:
            self.dev.add_peer(nmi)
            self.stations.add(nmi)
        self.set_peer_schedule(self.peer["pairs"])
        if mfp:
            self.dev.set_flags(nmi, nl80211.STA_MFP, nl80211.STA_MFP)

    def set_peer_schedule(self, pairs):
        dc = w.first(pairs, w.DEVCAP) or w.first(self.peer["pairs"], w.DEVCAP)
        dc = w.parse_devcap(dc) if dc else dict(committed_dw=1, switch_us=0)
        slots = seq = map_id = None
        for value in [v for k, v in pairs if k == w.AVAIL]:
            a = w.parse_availability(value)
            found = w.committed_slots(a, FREQ)
            if found:
                slots, seq, map_id = bytes(0 if s else 0xff for s in found), a["seq"], a["map_id"]
        self.dev.set_peer_schedule(self.peer["nmi"], dc["committed_dw"], dc["switch_us"], seq or 0, FREQ, w.CH6_ENTRY,
                                   slots, map_id or 1)
        return slots

    # ------------------------------------------------------------ steps
    def do_match(self):
        def pick():
            found = sorted(self.matches.values(), key=lambda m: -m["seen"])
            if self.args.known or "verify" in self.args.do and "pair" not in self.args.do:
                found = [m for m in found if m["stored"]]
            self.peer = found[0] if found else None
            return self.peer
        if not self.idle(self.args.match_timeout, pick):
            if self.matches and self.store.data["peers"]:
                raise Stop("not_recognised", "no publisher matches a stored NIK")
            raise Stop("no_match", "service not found")
        emit("selected", peer=w.mac_str(self.peer["nmi"]), instance=self.peer["instance"],
             known=bool(self.peer["stored"]))

    def bootstrap_request(self, token, cookie=None):
        txt = [(k, v) for k, v in (("pairingName", self.args.name), ("vendorName", self.args.vendor),
                                   ("modelName", self.args.model)) if v]
        attr = w.npba(token, 1, 0 if cookie is None else 2, 0, self.args.method, cookie)
        return self.follow_up(attr, w.gsp(txt=txt) if txt else None), attr

    def do_bootstrap(self):
        self.asked_at = time.time()               # the first request of a flood may have the PIN shown
        if self.args.flood_bootstrap:
            self.flood()
        token, cookie = 1, None
        end = time.monotonic() + self.args.bootstrap_timeout
        while time.monotonic() < end:
            frame, self.npba_sent = self.bootstrap_request(token, cookie)
            self.send(frame, "bootstrap")
            answer = self.wait(self.is_bootstrap_answer(token), self.args.bootstrap_retry)
            if not answer:
                continue
            n = w.parse_npba(w.first(answer["pairs"], w.NPBA))
            status = {0: "accepted", 1: "rejected", 2: "comeback"}.get(n["status"], n["status"])
            emit("bootstrap", status=status, reason=n["reason"], methods=n["methods"], comeback_tu=n.get("comeback_tu"),
                 protected=answer["protected"])
            if status == "accepted":
                if n["method"] != COMPLEMENT.get(self.args.method):
                    raise Stop("bootstrap_rejected", "accepted, but with method 0x%x" % n["method"])
                return
            if status != "comeback":
                raise Stop("bootstrap_rejected", "status %s reason %d" % (status, n["reason"]))
            cookie = n["cookie"]
            if self.args.no_comeback:
                raise Stop("bootstrap_rejected", "comeback, and we do not come back")
            self.idle(n["comeback_tu"] * 1024e-6 + 0.02)
            end = max(end, time.monotonic() + 5)
        raise Stop("bootstrap_timeout", "no answer to the bootstrap request")

    def is_bootstrap_answer(self, token):
        def accept(item):
            if item["kind"] != "follow-up" or item["sa"] != self.peer["nmi"]:
                return False
            value = w.first(item["pairs"], w.NPBA)
            return value is not None and len(value) >= 5 and value[1] & 15 == 2 and (token is None or value[0] == token)
        return accept

    def flood(self):
        count, counts = self.args.flood_bootstrap, {}
        for i in range(count):
            try:
                self.dev.send(self.peer["nmi"], self.bootstrap_request(2 + i % 250)[0])
            except nl80211.NlError:
                counts["refused_by_kernel"] = counts.get("refused_by_kernel", 0) + 1
            self.idle(0.01)
        while True:
            answer = self.wait(self.is_bootstrap_answer(None), 2)
            if not answer:
                break
            status = "status%d" % (w.first(answer["pairs"], w.NPBA)[1] >> 4)
            counts[status] = counts.get(status, 0) + 1
        emit("misbehave", what="flood-bootstrap", sent=count, answers=counts)

    # ---- pairing
    def pin(self):
        """The PIN from the command line, or from a file that may appear (or change) only now."""
        found = [self.args.pin] if self.args.pin else []
        def look():
            if not found and self.args.pin_file:
                for path in glob.glob(self.args.pin_file):
                    if self.args.pin_fresh and os.stat(path).st_mtime < self.asked_at:
                        continue
                    with open(path, errors="replace") as f:
                        found.extend(re.findall(self.args.pin_regex, f.read())[-1:])
            return bool(found)
        if not self.idle(self.args.pin_timeout, look):
            raise Stop("no_pin", "no PIN to read")
        pin = found[0]
        if self.args.wrong_pin:
            pin = pin[:-1] + str((int(pin[-1]) + 1) % 10)
            emit("misbehave", what="wrong-pin", pin=pin)
        else:
            emit("pin", pin=pin, source="option" if self.args.pin else "file")
        return pin.encode()

    def do_pair(self):
        self.authenticate(None)
        self.exchange_nik()

    def do_verify(self):
        stored = self.peer["stored"]
        if not stored:
            raise Stop("not_recognised", "the selected publisher is not a stored peer")
        # the publisher must know our capabilities and availability before the first authentication frame
        if self.args.hasty:
            emit("misbehave", what="hasty", announced=self.announced)
        elif self.args.passive or not self.idle(5, lambda: self.announced > 0):
            self.send(self.follow_up(b""), "followup")
        self.authenticate(stored)

    def authenticate(self, stored):
        """PASN: Auth1 -> Auth2 -> Auth3, with SAE and the PIN, or with the cached NPK."""
        own, nmi = self.dev.nmi, self.peer["nmi"]
        began = time.monotonic()
        ecdh, sae, pmkid, wrapped = crypto.Ecdh(), None, b"", b""
        if stored:
            pmkid = crypto.nira(self.store.nik, own)
            nan = w.csia([(7, self.peer["instance"])]) + w.nira_attr(pmkid)
        else:
            sae = crypto.Sae(self.pin(), own, nmi)
            wrapped = w.ext_element(8, w.SAE_COMMIT + sae.commit)
            nan = w.csia([(7, self.peer["instance"])]) + w.attribute(w.DCEA, b"\0\x03") + self.npba_sent
        wrapped_format = 3 if sae else 0
        nan_ie = w.element(221, w.NAN_IE + nan)
        auth1 = w.auth_body(1, w.rsne(w.AKM_SAE, pmkid) + wrapped + w.RSNXE_H2E
                            + w.pasn_parameters(wrapped_format, ecdh.public) + nan_ie)
        self.protected = False
        self.inbox = [i for i in self.inbox if i["kind"] != "auth"]
        self.add_station(mfp=True)
        self.send(auth1, "auth1", auth=True)
        answer = self.wait(lambda i: i["kind"] == "auth" and i["sa"] == nmi and i["seq"] == 2, self.args.auth_timeout)
        if not answer:
            raise Stop("pairing_timeout", "no answer to the first authentication frame")
        if answer["status"]:
            raise Stop("pairing_rejected", "authentication status %d" % answer["status"])
        self.check_auth2(answer["body"], ecdh, sae, stored)
        confirm = w.ext_element(8, w.SAE_CONFIRM + sae.confirm()) if sae else b""
        auth3 = w.auth_body(3, confirm + w.pasn_parameters(wrapped_format) + nan_ie + b"\x8c\x10")
        mic = self.keys.auth3_mic(auth1, auth3 + bytes(16))
        if self.args.no_auth3:
            emit("misbehave", what="no-auth3")
            self.idle(self.args.hold)
            raise Stop("stalled", "stopped before the third authentication frame, as asked")
        if self.args.bad_mic == "auth3":
            mic = bytes([mic[0] ^ 1]) + mic[1:]
            emit("misbehave", what="bad-mic", frame="auth3")
        self.send(auth3 + mic, "auth3", auth=True)
        keying = time.monotonic()
        self.dev.set_key(nmi, self.keys.nm_tk)
        keying = time.monotonic() - keying
        self.protected = True
        if self.args.replay:
            emit("misbehave", what="replay", frame="auth3")
            self.send(auth3 + mic, "auth3-again", auth=True)
        emit("paired", verification=bool(stored), took=round(time.monotonic() - began, 3), peer=w.mac_str(nmi),
             keying=round(keying, 3), **(dict(nd_pmk=self.keys.nd_pmk, npk=self.npk) if self.args.show_keys else {}))

    def check_auth2(self, body, ecdh, sae, stored):
        """Derives the keys from Auth2 and checks everything in it; raises Stop on the first thing wrong."""
        def refuse(why, **info):
            if self.args.force_auth3 and self.keys:
                emit("misbehave", what="force-auth3", despite=why)
                return
            raise Stop("pairing_refused_by_us", why, **info)
        own, nmi = self.dev.nmi, self.peer["nmi"]
        self.keys = None
        try:
            els = {k: (v, raw) for k, v, raw in w.elements(body[6:])}
            rsn = w.parse_rsne(els[0x30][0])
            params = w.parse_pasn_parameters(els[255, 100][0])
            nan = w.attributes(els[221][0][4:])
            if not body.endswith(els[0x8c][1]) or len(els[0x8c][0]) != 16:
                refuse("the MIC element is not the last one with 16 octets")
            if rsn["akm"] != w.AKM_SAE or rsn["pairwise"] != 4 or params.get("group") != 19:
                refuse("AKM %d, cipher %d, group %s" % (rsn["akm"], rsn["pairwise"], params.get("group")))
            confirm_ok = None
            if sae:
                wrapped = els[255, 8][0]
                n = w.le16(wrapped)
                commit, rest = wrapped[2:2 + n], wrapped[2 + n:]
                if commit[:8] != w.SAE_COMMIT or rest[2:8] != w.SAE_CONFIRM or w.le16(rest) != len(rest) - 2:
                    refuse("SAE commit or confirm header")
                sae.finish(commit[8:])
                confirm_ok = sae.check(rest[8:])
                pmk, pmkid_ok = sae.pmk, rsn["pmkids"] == [sae.pmkid]
            else:
                nonce_tag = w.first(nan, w.NIRA, b"")[1:17]
                pmk = bytes.fromhex(stored["npk"])
                pmkid_ok = rsn["pmkids"] == [nonce_tag] and crypto.nira_matches(bytes.fromhex(stored["nik"]), nmi, nonce_tag)
            self.npk = pmk
            self.keys = crypto.PairingKeys(pmk, own, nmi, ecdh.shared_x(params["public"]))
        except (KeyError, IndexError, ValueError) as e:
            refuse("cannot use the second authentication frame: %r" % e, body=body)
        protected = els[0x30][1] + (els[0xf4][1] if 0xf4 in els else b"")
        mic_ok = self.keys.auth2_mic(protected, body[:-16] + bytes(16)) == body[-16:]
        emit("auth2", mic_ok=mic_ok, sae_confirm_ok=confirm_ok, pmkid_ok=pmkid_ok, rsnxe=0xf4 in els,
             nan_attributes=["%02x" % k for k, _ in nan])
        if confirm_ok is False:
            refuse("SAE confirm does not match: wrong PIN")
        if not mic_ok:
            refuse("MIC of the second authentication frame is wrong")
        if not pmkid_ok:
            refuse("PMKID is wrong")

    def exchange_nik(self):
        """Protected follow-ups with NIK, ours first."""
        ios = self.args.nik_layout == "ios"
        delay = self.args.nik_delay if self.args.nik_delay is not None else 2.5 if ios else 0.1
        self.idle(delay)
        plain = bytes.fromhex("dd15506f9a2400") + self.store.nik
        if not ios:
            plain += bytes.fromhex("dd0a506f9a2508000000a8c0")
        mic_len = 16 if ios else 0
        descriptor = w.KeyDescriptor(self.peer["instance"], 0x12c8 if ios else 0x1088, 0 if ios else 16,
                                     mic=bytes(mic_len), data=crypto.wrap(self.keys.nm_kek, plain)).encode()
        body = self.follow_up(descriptor, w.GSP_HEADER if ios else None, w.nira_attr(self.nonce_tag))
        def is_answer(item):
            return (item["kind"] == "follow-up" and item["sa"] == self.peer["nmi"]
                    and w.first(item["pairs"], w.SKD) is not None)
        answer = None
        for _ in range(1 if ios else self.args.nik_tries):
            self.send(body, "nik")
            answer = self.wait(is_answer, 5 if ios else 3)
            if answer:
                break
        if not answer:
            raise Stop("nik_failed", "no NIK from the peer")
        value = w.first(answer["pairs"], w.SKD)
        layouts = {"ios": 16, "hostap": 0}
        seen = None
        for name, length in layouts.items():
            try:
                kd = w.KeyDescriptor.decode(value, length)
                seen = name
                break
            except w.Malformed:
                continue
        if not seen:
            raise Stop("nik_failed", "key descriptor fits no layout", attribute=value)
        content = crypto.unwrap(self.keys.nm_kek, kd.data)
        keys = w.kdes(content or b"")
        nik = keys.get("506f9a24", b"")[1:17]
        lifetime = int.from_bytes(keys["506f9a25"][2:6], "big") if "506f9a25" in keys else None
        nonce_tag = w.first(answer["pairs"], w.NIRA, b"")[1:17]
        nira_ok = crypto.nira_matches(nik, self.peer["nmi"], nonce_tag) if len(nonce_tag) == 16 and len(nik) == 16 else None
        emit("nik", layout=seen, key_info="%04x" % kd.info, protected=answer["protected"], unwrapped=content is not None,
             lifetime=lifetime, nira_ok=nira_ok, sdea=w.first(answer["pairs"], w.SDEA))
        if content is None or len(nik) != 16:
            raise Stop("nik_failed", "NIK missing or not decryptable")
        if not answer["protected"]:
            raise Stop("nik_failed", "NIK came in an unprotected frame")
        if seen != self.args.nik_layout and not self.args.nik_any:
            raise Stop("nik_failed", "peer answered in the %s layout" % seen)
        if ios and not nira_ok:
            raise Stop("nik_failed", "no valid NIRA with the peer's NIK: an iPhone does not keep this pairing")
        info = (self.peer["generic"].get("txt") or {})
        self.store.add(nik=nik.hex(), npk=self.npk.hex(), akm=w.AKM_SAE, csid=7, lifetime=lifetime,
                       service=self.args.service, name=info.get("pairingName") or nik.hex()[:8], last_nmi=w.mac_str(self.peer["nmi"]))
        emit("stored", peers=len(self.store.data["peers"]))

    def do_followup(self):
        """An ordinary (protected, when paired) follow-up with some service info."""
        ok = self.send(self.follow_up(b"", w.GSP_HEADER + b"phone"), "followup")
        emit("follow-up-sent", acknowledged=ok, protected=self.protected)

    # ---- data path
    def do_ndp(self):
        a, nmi = self.args, self.peer["nmi"]
        secure = a.unpaired_ndp != "open"
        if a.unpaired_ndp == "sk":
            nd_pmk = os.urandom(32)
        elif a.passphrase:
            nd_pmk = crypto.nd_pmk_from_passphrase(a.passphrase.encode(), a.csid, self.service, nmi)
        elif secure and not self.keys:
            raise Stop("internal", "ndp needs pair or verify before it")
        else:
            nd_pmk = self.keys.nd_pmk if self.keys else None
        if a.unpaired_ndp:
            emit("misbehave", what="unpaired-ndp", kind=a.unpaired_ndp)
        self.add_station(mfp=self.protected)
        began = time.monotonic()
        n = self.ndp = dict(id=1 + os.urandom(1)[0] % 200, token=1 + os.urandom(1)[0] % 200, inonce=os.urandom(32),
                            secure=secure)
        devcap, avail, dcea = self.capabilities()
        elements = w.ht_vht_elements(nl80211.parse(self.caps.get(7, b"")))
        tlvs = w.tlv(0, w.interface_id(self.dev.ndi))
        security = b""
        if secure:
            pmkid = crypto.nd_pmkid(nd_pmk, self.dev.nmi, nmi, self.service)
            security = w.csia([(a.csid, self.peer["instance"])]) \
                + w.attribute(w.SCIA, b"\x10\0\x01" + bytes([self.peer["instance"]]) + pmkid) \
                + w.KeyDescriptor(self.peer["instance"], 0x0088, 0, 1, n["inonce"], bytes(16)).encode()
        m1 = w.naf(w.DP_REQUEST, devcap + dcea
                   + w.ndpe(n["token"], 0, 0, self.dev.ndi, n["id"], 0x0d if secure else 0x09, self.peer["instance"],
                            tlvs=tlvs)
                   + security + avail + w.ndl_request(n["token"]) + elements, self.protected)
        self.inbox = [i for i in self.inbox if i["kind"] != "naf"]
        reply, end = None, time.monotonic() + a.ndp_timeout
        while not reply and time.monotonic() < end:      # the peer may install the pairing key later than it acknowledges
            self.send(m1, "m1")
            reply = self.wait(self.is_ndp(w.DP_RESPONSE), min(a.ndp_retry, max(0, end - time.monotonic())))
        if not reply:
            raise Stop("ndp_timeout", "no answer to the data path request")
        response = w.parse_ndpe(w.first(reply["pairs"], w.NDPE, b""))
        if reply["subtype"] == w.DP_TERMINATE or response["status"] == 2:
            raise Stop("ndp_rejected", "peer said no", reason=response["reason"], subtype=reply["subtype"])
        ndl = w.first(reply["pairs"], w.NDL)
        if ndl is not None and ndl[1] >> 4 != 1:
            raise Stop("ndp_rejected", "schedule not accepted as proposed (NDL status %d)" % (ndl[1] >> 4))
        if "responder" not in response:
            raise Stop("ndp_rejected", "the response carries no data interface address")
        n["peer_ndi"] = response["responder"]
        self.set_peer_schedule(reply["pairs"])
        if secure:
            self.confirm_secure(reply, nd_pmk, m1)
        elif response["control"] & 1 or response["status"] == 0:
            self.send(w.naf(w.DP_CONFIRM, devcap + dcea + w.ndpe(n["token"], 2, 1, self.dev.ndi, n["id"], 0) + avail,
                            self.protected), "m3")
        self.install_ndp(reply)
        n["up"] = True
        self.report_ndp(response, began, reply)

    def is_ndp(self, subtype):
        def accept(item):
            if item["kind"] != "naf" or item["subtype"] not in (subtype, w.DP_TERMINATE):
                return False
            value = w.first(item["pairs"], w.NDPE)
            return value is not None and len(value) >= 11 and value[3:9] == self.dev.ndi and value[9] == self.ndp["id"]
        return accept

    def confirm_secure(self, reply, nd_pmk, m1):
        n, a = self.ndp, self.args
        value = w.first(reply["pairs"], w.SKD)
        if value is None:
            raise Stop("ndp_bad_mic", "response without key descriptor")
        m2 = w.KeyDescriptor.decode(value, 16)
        csid = w.parse_csia(w.first(reply["pairs"], w.CSIA, b""))
        n["keys"] = keys = crypto.DataKeys(nd_pmk, self.dev.ndi, n["peer_ndi"], n["inonce"], m2.nonce)
        mic_ok = self.naf_mic(reply["body"], keys) == m2.mic
        emit("m2", mic_ok=mic_ok, key_info="%04x" % m2.info, replay=m2.replay, suites=csid["suites"],
             group_keys=csid["group_keys"])
        if not mic_ok:
            raise Stop("ndp_bad_mic", "MIC of the data path response is wrong")
        if m2.replay != 1:
            raise Stop("ndp_bad_mic", "replay counter %d in the response to 1" % m2.replay)
        devcap, avail, dcea = self.capabilities()
        m3 = w.naf(w.DP_CONFIRM, devcap + dcea + w.ndpe(n["token"], 2, 0, self.dev.ndi, n["id"], 4)
                   + w.KeyDescriptor(self.peer["instance"], 0x03c8, 0, 2, n["inonce"], bytes(16)).encode() + avail,
                   self.protected)
        at = w.mic_position(m3)
        mic = keys.mic(m3, crypto.sha256(m1)[:16])
        if a.bad_mic == "m3":
            mic = bytes([mic[0] ^ 1]) + mic[1:]
            emit("misbehave", what="bad-mic", frame="m3")
        self.send(m3[:at] + mic + m3[at + 16:], "m3")
        last = self.wait(self.is_ndp(w.DP_INSTALL), 15)
        if not last:
            raise Stop("ndp_timeout", "no key install message")
        if last["subtype"] == w.DP_TERMINATE:
            raise Stop("ndp_rejected", "terminated instead of key install")
        m4 = w.KeyDescriptor.decode(w.first(last["pairs"], w.SKD, b""), 16)
        mic_ok = self.naf_mic(last["body"], keys) == m4.mic and m4.replay == 2
        group = w.kdes(crypto.unwrap(keys.kek, m4.data) or b"") if m4.data else {}
        emit("m4", mic_ok=mic_ok, key_info="%04x" % m4.info, group_kdes=sorted(group))
        if not mic_ok:
            raise Stop("ndp_bad_mic", "MIC or replay counter of the key install message is wrong")

    @staticmethod
    def naf_mic(body, keys):
        at = w.mic_position(body)
        return keys.mic(body[:at] + bytes(16) + body[at + 16:])

    def install_ndp(self, reply):
        n, nmi = self.ndp, self.peer["nmi"]
        container = w.first(reply["pairs"], w.ELEMENTS, b"\0")
        els = {k: v for k, v, _ in w.elements(container[1:])}
        extra = [nl80211.attr(name, els[k]) for k, name in ((0x2d, "HT_CAPABILITY"), (0xbf, "VHT_CAPABILITY")) if k in els]
        self.dev.set_flags(nmi, nl80211.STA_AUTHORIZED, nl80211.STA_AUTHORIZED, *extra)
        self.dev.add_peer_ndi(n["peer_ndi"], nmi, n["secure"])
        if n["secure"]:
            self.dev.set_key(n["peer_ndi"], n["keys"].tk, ndi=True)
            self.dev.set_flags(n["peer_ndi"], nl80211.STA_AUTHORIZED, nl80211.STA_AUTHORIZED, ndi=True)

    def report_ndp(self, response, began, reply):
        n = self.ndp
        iid = response.get("interface_id")
        address = socket.inet_ntop(socket.AF_INET6, b"\xfe\x80" + bytes(6) + (iid or w.interface_id(n["peer_ndi"])))
        n["address"] = address
        info = w.parse_service_info(response.get("service_info", b"")) or {}
        n["port"] = info.get("port")
        if not self.args.no_static_neighbour:
            subprocess.run(["ip", "-6", "neigh", "replace", address, "lladdr", w.mac_str(n["peer_ndi"]), "dev",
                            self.dev.ndi_name, "nud", "permanent"], check=False)
        carrier = self.idle(5, self.has_address)         # the kernel makes the address when the carrier comes
        emit("ndp-up", peer_ndi=w.mac_str(n["peer_ndi"]), own_ndi=w.mac_str(self.dev.ndi), address=address,
             address_source="ndpe" if iid else "eui64", scope=self.dev.ndi_name, port=info.get("port"),
             protocol=info.get("protocol"), service_info=response.get("service_info"), secure=n["secure"],
             csid=self.args.csid if n["secure"] else None, protected=reply["protected"], carrier=bool(carrier),
             took=round(time.monotonic() - began, 3))

    def has_address(self):
        """A link-local address that is neither tentative nor a duplicate."""
        with open("/proc/net/if_inet6") as f:
            return any(line.split()[5] == self.dev.ndi_name and not int(line.split()[4], 16) & 0x48 for line in f)

    def do_ping(self):
        n, a = self.ndp, self.args
        port = a.ping or n["port"]
        if not port:
            raise Stop("ping_failed", "no port given and none in the NDPE")
        index = socket.if_nametoindex(self.dev.ndi_name)
        got, same, times = 0, 0, []
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as s:
            s.setblocking(False)
            for i in range(a.ping_count):
                payload = b"phone ping %d" % i
                sent = time.monotonic()
                try:
                    s.sendto(payload, (n["address"], port, 0, index))
                except OSError as e:
                    emit("ping-error", error=str(e))
                    self.idle(0.5)
                    continue
                while time.monotonic() < sent + a.ping_timeout:
                    try:
                        data, _ = s.recvfrom(4096)
                    except BlockingIOError:
                        self.pump(0.01)
                        continue
                    except OSError as e:
                        emit("ping-error", error=str(e))
                        break
                    got += 1
                    same += payload in data
                    times.append(round(1000 * (time.monotonic() - sent)))
                    break
        emit("ping", sent=a.ping_count, answers=got, echoes=same, rtt_ms=times, port=port)
        if not got:
            raise Stop("ping_failed", "no answer to any datagram")

    def do_vehicle(self):
        """Speaks MAVLink to the service: hears heartbeats, and asks for the parameters to know that it is heard."""
        n, a = self.ndp, self.args
        port = a.ping or n["port"]
        if not port:
            raise Stop("no_vehicle", "no port given and none in the NDPE")
        index = socket.if_nametoindex(self.dev.ndi_name)
        seen, asked, end = {}, 0, time.monotonic() + a.vehicle_timeout
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as s:
            s.setblocking(False)
            while time.monotonic() < end:
                if time.monotonic() >= asked + 1:
                    asked = time.monotonic()
                    for frame in (mavlink.ground_heartbeat(0), mavlink.parameter_list_request(1)):
                        s.sendto(frame, (n["address"], port, 0, index))
                self.pump(0.05)
                try:
                    while True:
                        for message, system, _ in mavlink.messages(s.recvfrom(4096)[0]):
                            seen[message] = seen.get(message, 0) + 1
                except (BlockingIOError, ConnectionRefusedError):
                    pass
                if seen.get(mavlink.HEARTBEAT, 0) >= 2 and seen.get(mavlink.PARAM_VALUE):
                    emit("vehicle", messages=seen, port=port)
                    return
        raise Stop("no_vehicle", "heartbeats or parameters missing", messages=seen)

    def do_hold(self):
        """Keep everything running; ends early when the peer closes the data path."""
        a = self.args
        is_closed = lambda: "ndp" in a.do and self.ndp is None
        if not self.idle(a.hold, is_closed) and a.hold_until:
            self.idle(90, lambda: is_closed() or os.path.exists(a.hold_until))
        if "ndp" in self.args.do and self.ndp is None:
            raise Stop("closed_by_peer", "the peer terminated the data path")

    def do_terminate(self):
        n = self.ndp
        if not n:
            raise Stop("closed_by_peer", "the peer had already terminated the data path")
        devcap, avail, dcea = self.capabilities()
        via_ndi = n["peer_ndi"] if n["secure"] and not self.protected else None     # keys exist only between the NDIs
        ok = self.send(w.naf(w.DP_TERMINATE, devcap + dcea + w.ndpe(0, 4, 2, self.dev.ndi, n["id"], 0, reason=1) + avail,
                             self.protected or bool(via_ndi)), "terminate", to_ndi=via_ndi)
        self.remove_ndp()
        emit("ndp-terminated", acknowledged=ok)

    def remove_ndp(self):
        n, self.ndp = self.ndp, None
        self.dev.set_flags(n["peer_ndi"], nl80211.STA_AUTHORIZED, 0, ndi=True)
        self.dev.del_station(n["peer_ndi"], ndi=True)

    def run(self):
        self.start()
        for step in self.args.do:
            getattr(self, "do_" + step)()
        if self.args.linger:
            self.idle(self.args.linger)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(64, "%s: %s\n" % (self.prog, message))


def parse_args():
    p = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                epilog="exit codes: " + ", ".join("%d %s" % (v, k) for k, v in EXIT.items()) + ", 64 usage")
    p.add_argument("--do", default="match,bootstrap,pair,ndp,ping,terminate", help="comma separated steps: " + " ".join(STEPS))
    p.add_argument("--service", default="_drone-service._udp")
    g = p.add_argument_group("radio")
    g.add_argument("--phy", help="index or name; default: first NAN-capable phy")
    g.add_argument("--netns")
    g.add_argument("--nmi", help="our management address; default: random")
    g.add_argument("--ifname", default="nan0")
    g.add_argument("--ndi-ifname", default="ndi0")
    g.add_argument("--master-pref", type=int, default=2)
    g.add_argument("--slots", default="feffffff", help="own committed slots on channel 6, 4 octets hex")
    g = p.add_argument_group("discovery and bootstrapping")
    g.add_argument("--passive", action="store_true", help="send no subscribe frames")
    g.add_argument("--ssi", help="service info of the subscribe frames, hex")
    g.add_argument("--peer", help="only this publisher address")
    g.add_argument("--known", action="store_true", help="only publishers that match a stored NIK")
    g.add_argument("--match-timeout", type=float, default=20)
    g.add_argument("--method", type=lambda v: int(v, 0), default=0x20, help="bootstrap method bitmap, default PIN keypad")
    g.add_argument("--bootstrap-timeout", type=float, default=30)
    g.add_argument("--bootstrap-retry", type=float, default=2)
    g.add_argument("--no-comeback", action="store_true")
    g.add_argument("--name", default="Test Phone", help="pairingName in the bootstrap request ('' = none)")
    g.add_argument("--vendor", default="Phone Lab")
    g.add_argument("--model", default="phone.py")
    g = p.add_argument_group("pairing")
    g.add_argument("--pin")
    g.add_argument("--pin-file", help="file (or glob) that shows the PIN, now or later")
    g.add_argument("--pin-fresh", action="store_true", help="only if the file changed after the bootstrap request")
    g.add_argument("--pin-regex", default=r"\b\d{6}\b", help="the last match counts")
    g.add_argument("--pin-timeout", type=float, default=20)
    g.add_argument("--auth-timeout", type=float, default=20)
    g.add_argument("--nik-layout", choices=("hostap", "ios"), default="hostap")
    g.add_argument("--nik-any", action="store_true", help="accept the other layout in the answer")
    g.add_argument("--nik-delay", type=float, help="seconds between keys and NIK follow-up")
    g.add_argument("--nik-tries", type=int, default=3)
    g.add_argument("--state", help="JSON file with our NIK and the pairings")
    g.add_argument("--show-keys", action="store_true")
    g = p.add_argument_group("data path")
    g.add_argument("--csid", type=int, choices=(1, 7), default=7)
    g.add_argument("--passphrase", help="unpaired csid 1 with this passphrase")
    g.add_argument("--ndp-timeout", type=float, default=15)
    g.add_argument("--ndp-retry", type=float, default=4, help="seconds until the request is repeated")
    g.add_argument("--ping", type=int, default=0, metavar="UDPPORT", help="0: port from the NDPE service info")
    g.add_argument("--ping-count", type=int, default=12)
    g.add_argument("--ping-timeout", type=float, default=1.5)
    g.add_argument("--vehicle-timeout", type=float, default=20)
    g.add_argument("--no-static-neighbour", action="store_true", help="rely on neighbour discovery")
    g.add_argument("--hold", type=float, default=10, help="length of the hold step, and of a stall")
    g.add_argument("--hold-until", metavar="FILE", help="the hold step goes on until the file is there, at most 90 s")
    g.add_argument("--linger", type=float, default=0, help="seconds to keep going after the last step")
    g = p.add_argument_group("misbehaviour")
    g.add_argument("--wrong-pin", action="store_true")
    g.add_argument("--force-auth3", action="store_true", help="send the third frame although the second does not verify")
    g.add_argument("--replay", action="store_true", help="send the third authentication frame twice")
    g.add_argument("--bad-mic", nargs="?", const="auth3", choices=("auth3", "m3"))
    g.add_argument("--no-auth3", action="store_true")
    g.add_argument("--hasty", action="store_true", help="verify before any discovery frame of ours went out")
    g.add_argument("--truncate", type=int, metavar="N", help="cut N octets off")
    g.add_argument("--truncate-what", default="all", choices="all bootstrap auth1 auth3 nik m1 m3 terminate followup".split())
    g.add_argument("--sweep", choices="bootstrap auth1 auth3 nik m1 m3 terminate".split(), help="send all prefixes of this frame first")
    g.add_argument("--sweep-step", type=int, default=5)
    g.add_argument("--flood-bootstrap", type=int, metavar="N", help="N requests before the real one")
    g.add_argument("--unpaired-ndp", choices=("open", "sk"), help="steps become match,ndp")
    p.add_argument("--verbose", action="store_true", help="also every frame")
    a = p.parse_args()
    a.do = "match,ndp".split(",") if a.unpaired_ndp else a.do.split(",")
    if not set(a.do) <= set(STEPS):
        p.error("unknown step in --do")
    return a


def main():
    args = parse_args()
    phone = None
    try:
        if args.netns:
            nl80211.enter_netns(args.netns)
        phone = Phone(args)
        phone.run()
        code = "ok"
        emit("done", code=0)
    except Stop as e:
        code = e.code
        emit("stop", code=EXIT[code], name=code, why=e.why, **e.info)
    except nl80211.NlError as e:
        code = "nl80211"
        emit("stop", code=EXIT[code], name=code, why=str(e), where=place(e.__traceback__))
    except w.Malformed as e:
        code = "malformed"
        emit("stop", code=EXIT[code], name=code, why=str(e), where=place(e.__traceback__))
    except Exception as e:                               # a bug of ours, or something very odd from the peer
        code = "internal"
        emit("stop", code=EXIT[code], name=code, why=repr(e), where=place(e.__traceback__))
    if phone:
        try:
            phone.dev.stop()
        except OSError:
            pass
    sys.exit(EXIT[code])


def place(tb):
    names = []
    while tb:
        names.append("%s:%d" % (tb.tb_frame.f_code.co_name, tb.tb_lineno))
        tb = tb.tb_next
    return " > ".join(names)


if __name__ == "__main__":
    main()
