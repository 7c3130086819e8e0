#!/usr/bin/python3
"""An accessory that shares nothing with Awared's Swift: publishes, pairs by a PIN, verifies, serves data paths.

It answers in whichever layout of the identity key it is asked in.

Drives a NAN-capable phy through nl80211 and prints one JSON object per event. It is the other side of `aware` in the
board's tests, and shows that the phone in ../phone and the board itself are right without Awared.
"""
import argparse
import json
import os
import secrets
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "nan"))
import nancrypto as crypto
import nanwire as w
import nl80211

FREQUENCY = 2437
INSTANCE = 1
COMMITTED = bytes.fromhex("feffffff")             # every slot but the discovery window, on channel 6
COMPLEMENT = {0x20: 0x02}                         # a PIN on our display, typed on theirs
SUITES = (7, 1)
START = time.monotonic()


def emit(event, **info):
    info = {k: (v.hex() if isinstance(v, bytes) else v) for k, v in info.items()}
    print(json.dumps(dict(t=round(time.monotonic() - START, 3), event=event, **info)), flush=True)


class Refused(Exception):
    """Something in a frame is not as it has to be; the frame is dropped."""


class Peer:
    """What is known of one phone, by its management address."""

    def __init__(self):
        self.attempt = None                       # a Handshake between Auth1 and Auth3
        self.keys = self.npk = None               # of a finished pairing or verification
        self.path = None                          # a data path
        self.publish = None                       # its attributes, from its last discovery frame
        self.requestor = 0                        # its subscribe instance


class Handshake:
    """A PASN run that waits for the third frame."""

    def __init__(self, auth1, keys, sae, npk):
        self.auth1, self.keys, self.sae, self.npk = auth1, keys, sae, npk


class Accessory:
    def __init__(self, args):
        self.args = args
        self.service = crypto.service_id(args.service)
        self.nik = os.urandom(16)
        self.paired, self.peers = {}, {}          # NIK: NPK; management address: Peer
        self.stations = set()
        phys = nl80211.list_phys()
        usable = [i for i, (name, caps) in sorted(phys.items())
                  if caps is not None and args.phy in (None, str(i), name)]
        if not usable:
            sys.exit("accessory: no phy with NAN")
        self.caps = phys[usable[0]][1]
        nmi = bytearray(os.urandom(6))
        nmi[0] = nmi[0] & 0xfc | 2
        self.dev = nl80211.NanDevice(usable[0], bytes(nmi), "nan0")
        self.avail = w.availability(1, COMMITTED)
        self.nonce_tag = crypto.nira(self.nik, self.dev.nmi)

    # ------------------------------------------------------------ running

    def run(self):
        self.dev.start(10)
        while not self.dev.cluster:
            self.handle(self.dev.poll(0.5))
        self.dev.add_ndi("ndi0")
        self.dev.set_local_schedule(FREQUENCY, w.CH6_ENTRY, bytes(0 if on else 0xff for on in w.slots_of(COMMITTED)),
                                    self.avail)
        emit("publishing", nmi=w.mac_str(self.dev.nmi), ndi=w.mac_str(self.dev.ndi), service=self.args.service)
        echo = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        echo.bind(("::", self.args.port))
        echo.setblocking(False)
        while True:
            self.handle(self.dev.poll(0.05 if any(p.path for p in self.peers.values()) else 1))
            self.echo(echo)

    def echo(self, sock):
        """Sends back whatever came to the service's port."""
        while True:
            try:
                data, sender = sock.recvfrom(4096)
                sock.sendto(b"echo:" + data, sender)
            except BlockingIOError:
                return
            except OSError as e:
                emit("echo", error=str(e))
                return

    def handle(self, events):
        for event in events:
            if event[0] == "dw" and self.dev.cluster:
                self.send(w.NETWORK_ID, self.publication(0, False))
            elif event[0] == "cluster":
                emit("cluster", id=w.mac_str(event[1]), new=event[2])
            elif event[0] == "frame":
                try:
                    self.received(event[1])
                except Refused as e:
                    emit("refused", peer=w.mac_str(event[1]["sa"]), why=str(e))
                except (w.Malformed, IndexError, KeyError, ValueError) as e:
                    emit("malformed", peer=w.mac_str(event[1]["sa"]), why=repr(e))
                except nl80211.NlError as e:
                    emit("kernel", peer=w.mac_str(event[1]["sa"]), why=str(e))

    def received(self, frame):
        body, sa = frame["body"], frame["sa"]
        if frame["auth"]:
            sequence = w.le16(body, 2)
            if sequence == 1:
                self.auth1(sa, body)
            elif sequence == 3:
                self.auth3(sa, body)
        elif body[5] == 0x13:
            pairs = w.attributes(body[6:])
            for value in [v for k, v in pairs if k == w.SDA]:
                found = w.parse_sda(value)
                if found["service_id"] == self.service.hex():
                    self.discovered(sa, body, pairs, found, frame["a1"] == self.dev.nmi)
        elif body[5] == 0x18:
            self.data_path_frame(sa, body)

    def send(self, to, body, auth=False):
        try:
            self.dev.send(to, body, auth)
        except nl80211.NlError as e:
            emit("not-sent", to=w.mac_str(to), why=str(e))

    # ------------------------------------------------------------ discovery and bootstrapping

    def capabilities(self):
        c = self.caps
        devcap = bytes.fromhex("00490414") + c.get(3, b"\x17")[:1] + c.get(4, b"\x22")[:1] + c.get(5, bytes(2))[:2] \
            + bytes([c.get(6, b"\0")[0] | 8])
        return w.attribute(w.DEVCAP, devcap) + self.avail + w.attribute(w.DCEA, b"\0\x03")

    def publication(self, requestor, protected):
        names = [("pairingName", self.args.name), ("vendorName", self.args.vendor), ("modelName", self.args.model)]
        return w.sdf(w.sda(self.service, INSTANCE, requestor, w.PUBLISH)
                     + w.sdea(INSTANCE, 0x44, w.gsp(self.args.port, 17, names))
                     + w.npba(0, 0, method=0x02) + w.csia([(suite, INSTANCE) for suite in SUITES])
                     + w.nira_attr(self.nonce_tag) + self.capabilities(), protected)

    def discovered(self, sa, body, pairs, found, to_us):
        peer = self.peers.setdefault(sa, Peer())
        peer.publish, peer.requestor = pairs, found["instance"]
        if found["kind"] == w.SUBSCRIBE:
            self.send(sa, self.publication(found["instance"], peer.keys is not None))
        elif found["kind"] == w.FOLLOW_UP and to_us:
            npba, descriptor = w.first(pairs, w.NPBA), w.first(pairs, w.SKD)
            if npba is not None:
                self.bootstrap(sa, peer, w.parse_npba(npba))
            if descriptor is not None:
                self.identity_key(sa, peer, descriptor, body[0] == 9)

    def follow_up(self, sa, peer, extra):
        self.send(sa, w.sdf(w.sda(self.service, INSTANCE, peer.requestor, w.FOLLOW_UP) + self.capabilities()
                            + w.nira_attr(self.nonce_tag) + extra, peer.keys is not None))

    def bootstrap(self, sa, peer, request):
        if request["type"] != 1:
            return
        method = COMPLEMENT.get(request["method"])
        emit("bootstrap", peer=w.mac_str(sa), methods=request["methods"], accepted=method is not None)
        self.follow_up(sa, peer, w.npba(request["token"], 2, method=method) if method
                       else w.npba(request["token"], 2, 1, 13))
        if method:
            self.show_pin()

    def show_pin(self):
        self.pin = self.args.pin or "%06d" % secrets.randbelow(1000000)
        if self.args.pin_file:
            with open(self.args.pin_file, "w") as f:
                f.write(self.pin + "\n")
        emit("pin", pin=self.pin)

    # ------------------------------------------------------------ pairing and verification

    def station(self, sa):
        if sa not in self.stations:
            self.dev.add_peer(sa)
            self.stations.add(sa)
            self.peer_schedule(sa, self.peers[sa].publish or [])

    def peer_schedule(self, sa, pairs):
        """Tells the kernel when the peer listens; every slot of ours where it did not say."""
        dc = w.first(pairs, w.DEVCAP)
        dc = w.parse_devcap(dc) if dc else dict(committed_dw=1, switch_us=0)
        slots, sequence, map_id = None, 0, 1
        for value in [v for k, v in pairs if k == w.AVAIL]:
            offer = w.parse_availability(value)
            committed = w.committed_slots(offer, FREQUENCY)
            if committed:
                slots = bytes(0 if on else 0xff for on in committed)
                sequence, map_id = offer["seq"], offer["map_id"]
        self.dev.set_peer_schedule(sa, dc["committed_dw"], dc["switch_us"], sequence, FREQUENCY, w.CH6_ENTRY, slots,
                                   map_id)

    def auth1(self, sa, body):
        peer = self.peers.setdefault(sa, Peer())
        els = {k: v for k, v, _ in w.elements(body[6:])}
        rsn = w.parse_rsne(els[0x30])
        params = w.parse_pasn_parameters(els[255, 100])
        nan = w.attributes(els[221][4:])
        if rsn["akm"] != w.AKM_SAE or rsn["pairwise"] != 4 or params.get("group") != 19:
            raise Refused("AKM %d, cipher %d, group %s" % (rsn["akm"], rsn["pairwise"], params.get("group")))
        if rsn["pmkids"]:
            sae, npk, pmkid = None, self.recognise(sa, nan), crypto.nira(self.nik, self.dev.nmi)
            wrapped, own = b"", w.nira_attr(pmkid)
        else:
            sae, commit = self.commit(sa, els[255, 8])
            npk, pmkid = sae.pmk, sae.pmkid
            confirm = w.SAE_CONFIRM + sae.confirm()
            wrapped = w.ext_element(8, len(commit).to_bytes(2, "little") + commit
                                    + len(confirm).to_bytes(2, "little") + confirm)
            own = w.attribute(w.DCEA, b"\0\x03") + b"".join(w.attribute(k, v) for k, v in nan if k == w.NPBA)
        ecdh = crypto.Ecdh()
        keys = crypto.PairingKeys(npk, sa, self.dev.nmi, ecdh.shared_x(params["public"]))
        # Everything in the frame holds; now it may change something.
        self.station(sa)
        self.dev.set_flags(sa, nl80211.STA_MFP, nl80211.STA_MFP)
        peer.keys, peer.attempt = None, Handshake(body, keys, sae, npk)
        rsne = w.rsne(w.AKM_SAE, pmkid)
        answer = w.auth_body(2, rsne + wrapped + w.RSNXE_H2E + w.pasn_parameters(params["format"], ecdh.public)
                             + w.element(221, w.NAN_IE + w.csia([(7, INSTANCE)]) + own)
                             + w.ext_element(161, b"\x13\0") + b"\x8c\x10")
        self.send(sa, answer + keys.auth2_mic(rsne + w.RSNXE_H2E, answer + bytes(16)), auth=True)
        # Before the third frame can come: the identity key follows it at once, protected with this.
        self.dev.set_key(sa, keys.nm_tk)
        emit("auth1", peer=w.mac_str(sa), verification=sae is None)

    def commit(self, sa, wrapped):
        if wrapped[:8] != w.SAE_COMMIT:
            raise Refused("SAE commit header")
        if not getattr(self, "pin", None):
            raise Refused("no PIN is shown")
        sae = crypto.Sae(self.pin.encode(), self.dev.nmi, sa)
        sae.finish(wrapped[8:])
        return sae, w.SAE_COMMIT + sae.commit

    def recognise(self, sa, nan):
        nonce_tag = w.first(nan, w.NIRA, b"")[1:17]
        for nik, npk in self.paired.items():
            if len(nonce_tag) == 16 and crypto.nira_matches(nik, sa, nonce_tag):
                return npk
        raise Refused("an identity that matches no paired device")

    def auth3(self, sa, body):
        peer = self.peers.get(sa)
        if not peer or not peer.attempt:
            raise Refused("a third authentication frame without a first")
        attempt = peer.attempt
        if len(body) < 24 or body[-18:-16] != b"\x8c\x10":
            raise Refused("the MIC element is not the last one with 16 octets")
        if attempt.keys.auth3_mic(attempt.auth1, body[:-16] + bytes(16)) != body[-16:]:
            raise Refused("MIC of the third authentication frame")
        if attempt.sae:
            els = {k: v for k, v, _ in w.elements(body[6:])}
            if els[255, 8][:6] != w.SAE_CONFIRM or not attempt.sae.check(els[255, 8][6:]):
                raise Refused("SAE confirm")
        peer.attempt, peer.keys, peer.npk = None, attempt.keys, attempt.npk
        emit("paired", peer=w.mac_str(sa), verification=attempt.sae is None)

    def identity_key(self, sa, peer, value, protected):
        if not peer.keys or not protected:
            raise Refused("an identity key without a pairing, or unprotected")
        descriptor, ios = self.either_layout(value)
        nik = w.kdes(crypto.unwrap(peer.keys.nm_kek, descriptor.data) or b"").get("506f9a24", b"")[1:17]
        if len(nik) != 16:
            raise Refused("identity key missing or not decryptable")
        self.paired[nik] = peer.npk
        self.pin = None                           # one pairing a PIN
        plain = bytes.fromhex("dd15506f9a2400") + self.nik + bytes.fromhex("dd0a506f9a2508000000a8c0")
        self.follow_up(sa, peer, w.KeyDescriptor(
            INSTANCE, 0x12c8 if ios else 0x1088, 0 if ios else 16, mic=bytes(16 if ios else 0),
            data=crypto.wrap(peer.keys.nm_kek, plain)).encode())
        emit("nik", peer=w.mac_str(sa), nik=nik)

    @staticmethod
    def either_layout(value):
        """The key descriptor, and whether it has a MIC field as phones send it."""
        try:
            return w.KeyDescriptor.decode(value, 16), True
        except w.Malformed:
            return w.KeyDescriptor.decode(value, 0), False

    # ------------------------------------------------------------ data paths

    def data_path_frame(self, sa, body):
        pairs = w.attributes(body[7:])
        ndpe = w.parse_ndpe(w.first(pairs, w.NDPE, b""))
        peer = self.peers.setdefault(sa, Peer())
        path = peer.path
        if body[6] == w.DP_REQUEST:
            self.request(sa, peer, body, pairs, ndpe)
        elif path and (path["initiator"], path["id"]) == (ndpe["initiator"], ndpe["ndp_id"]):
            if body[6] == w.DP_CONFIRM:
                self.confirm(sa, peer, body, pairs)
            elif body[6] == w.DP_TERMINATE:
                self.close(peer)
                emit("ndp-terminated", peer=w.mac_str(sa), reason=ndpe["reason"])

    def reject(self, sa, peer, ndpe, why):
        self.send(sa, w.naf(w.DP_RESPONSE, self.capabilities() + w.ndpe(
            ndpe["token"], 1, 2, ndpe["initiator"], ndpe["ndp_id"], 0, reason=3), peer.keys is not None))
        raise Refused(why)

    def request(self, sa, peer, body, pairs, ndpe):
        descriptor, csia = w.first(pairs, w.SKD), w.first(pairs, w.CSIA)
        if not ndpe["control"] & 4 or descriptor is None or csia is None:
            self.reject(sa, peer, ndpe, "an open data path")
        if not peer.keys or body[0] != 9:
            self.reject(sa, peer, ndpe, "a data path of a device that is not paired")
        suite = w.parse_csia(csia)["suites"][0][0]
        m1 = w.KeyDescriptor.decode(descriptor, 16)
        pmkid = crypto.nd_pmkid(peer.keys.nd_pmk, sa, self.dev.nmi, self.service)
        if suite not in SUITES or w.first(pairs, w.SCIA, b"")[4:20] != pmkid:
            self.reject(sa, peer, ndpe, "cipher suite %d or its key identifier" % suite)
        elements = {k: v for k, v, _ in w.elements(w.first(pairs, w.ELEMENTS, b"\0")[1:])}
        token = w.first(pairs, w.NDL, b"\0")[0]
        if peer.path:
            self.close(peer)
        nonce = os.urandom(32)
        path = peer.path = dict(
            initiator=ndpe["initiator"], id=ndpe["ndp_id"], token=ndpe["token"], nonce=nonce, elements=elements, up=False,
            keys=crypto.DataKeys(peer.keys.nd_pmk, ndpe["initiator"], self.dev.ndi, m1.nonce, nonce),
            authentication=crypto.sha256(body)[:16], address=ndpe.get("interface_id"))
        self.station(sa)
        self.peer_schedule(sa, pairs)
        tlvs = w.tlv(0, w.interface_id(self.dev.ndi)) + w.tlv(1, w.gsp(self.args.port, 17))
        m2 = w.naf(w.DP_RESPONSE, self.capabilities()
                   + w.ndpe(path["token"], 1, 0, path["initiator"], path["id"], 0x34, responder=self.dev.ndi, tlvs=tlvs)
                   + w.csia([(suite, INSTANCE)]) + w.attribute(w.SCIA, b"\x10\0\x01" + bytes([INSTANCE]) + pmkid)
                   + w.KeyDescriptor(INSTANCE, 0x0108, 0, m1.replay, nonce, bytes(16)).encode()
                   + w.attribute(w.NDC, os.urandom(6) + bytes.fromhex("010118000402000000"))
                   + w.attribute(w.NDL, bytes([token, 0x11, 0, 0x04]))
                   + w.ht_vht_elements(nl80211.parse(self.caps.get(7, b""))), True)
        self.send(sa, self.sealed(m2, path["keys"]))
        emit("ndp-request", peer=w.mac_str(sa), suite=suite)

    @staticmethod
    def sealed(body, keys, token=b""):
        at = w.mic_position(body)
        return body[:at] + keys.mic(body, token) + body[at + 16:]

    def confirm(self, sa, peer, body, pairs):
        path = peer.path
        m3 = w.KeyDescriptor.decode(w.first(pairs, w.SKD, b""), 16)
        at = w.mic_position(body)
        mic = path["keys"].mic(body[:at] + bytes(16) + body[at + 16:], path["authentication"])
        if mic != m3.mic or m3.replay != 2:
            self.terminate(sa, peer)
            raise Refused("MIC or replay counter of the data path's confirmation")
        m4 = w.naf(w.DP_INSTALL, self.capabilities()
                   + w.ndpe(path["token"], 3, 1, path["initiator"], path["id"], 0x04)
                   + w.KeyDescriptor(INSTANCE, 0x0348, 0, m3.replay, path["nonce"], bytes(16)).encode(), True)
        self.send(sa, self.sealed(m4, path["keys"]))
        if not path["up"]:
            self.open(sa, path)

    def open(self, sa, path):
        """Station, key, authorisation, neighbour; nothing flows before the key is in."""
        els = path["elements"]
        extra = [nl80211.attr(name, els[k]) for k, name in ((0x2d, "HT_CAPABILITY"), (0xbf, "VHT_CAPABILITY"))
                 if k in els]
        authorized = nl80211.STA_AUTHORIZED
        self.dev.set_flags(sa, authorized, authorized, *extra)
        self.dev.add_peer_ndi(path["initiator"], sa, True)
        self.dev.set_key(path["initiator"], path["keys"].tk, ndi=True)
        self.dev.set_flags(path["initiator"], authorized, authorized, ndi=True)
        identifier = path["address"] or w.interface_id(path["initiator"])
        address = socket.inet_ntop(socket.AF_INET6, b"\xfe\x80" + bytes(6) + identifier)
        subprocess.run(["ip", "-6", "neigh", "replace", address, "lladdr", w.mac_str(path["initiator"]), "dev",
                        self.dev.ndi_name, "nud", "permanent"], check=False)
        path["up"] = True
        emit("ndp-up", peer=w.mac_str(sa), address=address)

    def terminate(self, sa, peer):
        path = peer.path
        self.send(sa, w.naf(w.DP_TERMINATE, self.capabilities() + w.ndpe(
            path["token"], 4, 2, path["initiator"], path["id"], 0, reason=3), True))
        self.close(peer)

    def close(self, peer):
        path, peer.path = peer.path, None
        if path and path["up"]:
            self.dev.set_flags(path["initiator"], nl80211.STA_AUTHORIZED, 0, ndi=True)
            self.dev.del_station(path["initiator"], ndi=True)


def parse_args():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--phy", help="index or name; default: first with NAN")
    p.add_argument("--service", default="_drone-service._udp")
    p.add_argument("--port", type=int, default=14550, help="UDP port of the service; whatever comes is sent back")
    p.add_argument("--name", default="Other Drone")
    p.add_argument("--vendor", default="Other Inc")
    p.add_argument("--model", default="accessory.py")
    p.add_argument("--pin", help="always this PIN; default: a new one for each attempt")
    p.add_argument("--pin-file", help="writes the PIN there")
    return p.parse_args()


if __name__ == "__main__":
    try:
        Accessory(parse_args()).run()
    except KeyboardInterrupt:
        pass
