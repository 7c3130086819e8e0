#!/usr/bin/python3
"""hwsim.py create | destroy ID: a radio of mac80211_hwsim that can NAN; create prints its id, phy, index, netdev."""
import os
import sys
import time

from nl80211 import Socket, attr, resolve_family, u32

CREATE, DESTROY, CHANNELS, RADIO_ID, NAN_SUPPORT = 4, 5, 9, 10, 30
sock = Socket()
family, _ = resolve_family(sock, "MAC80211_HWSIM")
if sys.argv[1] == "create":
    radio = int.from_bytes(sock.call(family, CREATE, attr(CHANNELS, u32(3)) + attr(NAN_SUPPORT))[0][:4], "little")
    net = "/sys/class/mac80211_hwsim/hwsim%d/net" % radio
    while not os.path.isdir(net) or not os.listdir(net):
        time.sleep(0.1)
    dev = os.listdir(net)[0]
    phy = os.path.basename(os.readlink("/sys/class/net/%s/phy80211" % dev))
    print(radio, phy, open("/sys/class/ieee80211/%s/index" % phy).read().strip(), dev)
else:
    sock.call(family, DESTROY, attr(RADIO_ID, u32(int(sys.argv[2]))))
