#!/usr/bin/python3
"""What must hold on the virtual board: scenarios.py DIRECTORY [PART]...

DIRECTORY is where awared and aware are. Without parts, all of them. Prints a line for each thing that must hold.
"""
import os
import re
import signal
import subprocess
import sys
import threading
import time

from rig import (HERE, PROJECT, PYTHON, SCRATCH, SERVICE, Awared, OtherAccessory, Phone, Program, Station, Tally, end_programs,
                 keep_results, prepare, read, run, wait_for)
import air
import wired as wires_and_radio
from rows import AGAIN, ORDINARY, PAIR, ROWS, SHORT

WINDOW = 0.524288                                  # seconds from one discovery window to the next


class Stage:
    """Two boards and two phones, each with a radio of its own, on one air."""

    def __init__(self, programs, tally):
        self.programs, self.tally = programs, tally
        self.boards = [Station("board1"), Station("board2")]
        self.phones = [Station("phone1"), Station("phone2")]
        self.states = 0

    def awared(self, number=0, state=None):
        self.states += 1
        return Awared(self.boards[number], self.programs, state or f"{SCRATCH}/state{self.states}")

    def aware(self, station, *words, name="aware", **options):
        return Program(station, f"{self.programs}/aware", *words, "--radio", "kernel", "--state",
                       f"{SCRATCH}/aware-{station.name}", name=name, **options)


class Recording:
    """The air between two moments."""

    def __init__(self, name):
        self.path = f"{SCRATCH}/{name}.pcap"

    def __enter__(self):
        self.tcpdump = subprocess.Popen(["tcpdump", "-i", "hwsim0", "-U", "-s", "0", "-w", self.path, "-Z", "root"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: read(self.path), 30)
        return self

    def __exit__(self, *_):
        time.sleep(1)
        self.tcpdump.send_signal(signal.SIGINT)
        self.tcpdump.wait()


def check_air(tally, what, recording):
    protected, readable = air.summary(recording.path)
    tally.check(f"{what}: no data frame in clear on the air, {protected} protected", protected and not readable,
                "\n".join(readable[:5]))


# ---------------------------------------------------------------- the stage itself

def rig(stage):
    """The independent phone and accessory get along: the stage is right without Awared."""
    tally = stage.tally
    with Recording("rig") as recording:
        other = OtherAccessory(stage.boards[0])
        tally.check("the independent accessory publishes", other.ready, other.last_words())
        for layout in ("hostap", "ios"):
            phone = Phone(stage.phones[0], layout)
            tally.check(f"both independent sides, {layout}: paired, data path, datagrams", not (
                wrong := phone.passes(other, "--do", "match,bootstrap,pair,ndp,ping,terminate")), wrong)
        tally.check("both independent sides: verification", not (
            wrong := phone.passes(other, "--do", "match,verify,ndp,ping,terminate", "--csid", "1")), wrong)
    check_air(tally, "both independent sides", recording)
    tally.check("the stage sees the accessory's interfaces", stage.boards[0].interfaces())
    other.stop()
    # The kernel clears away after a program in its own time.
    left = wait_for(lambda: not stage.boards[0].interfaces(), 20)
    tally.check("and that none are left", left, stage.boards[0].interfaces())


# ---------------------------------------------------------------- the main job

def story(stage):
    """Found, paired by the PIN of the panel, connected, heard, ended, recognised at another address."""
    tally = stage.tally
    board = stage.awared()
    tally.check("awared publishes on the kernel's radio", board.ready, board.last_words())
    with Recording("story") as recording:
        for layout in ("hostap", "ios"):
            phone = Phone(stage.phones[0], layout)
            board.open_pairing()
            tally.check(f"{layout}: paired by the panel's PIN, heartbeat and parameters over a data path of suite 7", not (
                wrong := phone.passes(board, *ORDINARY)), wrong or board.last_words())
            tally.check(f"{layout}: the pairing is kept", len(board.devices()) == (1 if layout == "hostap" else 2),
                        board.devices())
            tally.check(f"{layout}: recognised at a new address, suite 1", not (
                wrong := phone.passes(board, *AGAIN, "--csid", "1")), wrong or board.last_words())
    check_air(tally, "phone and awared", recording)
    board.open_pairing()
    phone = Phone(stage.phones[0], "hostap", name="guesser")
    before = sum(r.get("count", 0) for r in board.status().get("refusals", []))
    status, said = phone.run(board, "--do", PAIR, "--wrong-pin")
    wait_for(lambda: "refused" in board.out, 40)
    counted = sum(r.get("count", 0) for r in board.status().get("refusals", []))
    tally.check("a wrong PIN pairs nothing and is counted", status == 5 and counted > before and "refused" in board.out,
                f"status {status}, {said[-1]}, refusals {before} to {counted}\n{board.last_words()}")
    board.settle()
    tally.check("the right PIN pairs after that", not (wrong := phone.passes(board, *SHORT)), wrong)
    tally.check("awared ends cleanly", board.stop() == 0, board.last_words())
    tally.check("nothing is left on the radio", not stage.boards[0].interfaces(), stage.boards[0].interfaces())


# ---------------------------------------------------------------- phones that misbehave

def misbehaviour(stage):
    """Every row against an accessory of its own, in both layouts at once."""
    threads = [threading.Thread(target=misbehave, args=(stage, i, layout)) for i, layout in enumerate(("hostap", "ios"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def misbehave(stage, number, layout, accessory=None):
    tally = stage.tally
    board = accessory or stage.awared(number)
    phone = Phone(stage.phones[number], layout, name="rows")
    if not tally.check(f"{layout}: accessory ready", board.ready, board.last_words()):
        return
    board.open_pairing()
    tally.check(f"{layout}: an ordinary run first", not (wrong := phone.passes(board, *SHORT)), wrong)
    for row in ROWS:
        board.open_pairing()
        status, said = phone.run(board, *row.words)
        good = status in row.want and (not row.check or row.check(said))
        tally.check(f"{layout}: {row.name}: {status}", good, f"want {row.want}, {said[-1]}\n{board.last_words(3)}")
        if row.patient:
            tally.check(f"{layout}: {row.name}: free again by itself", board.settle() is not False, board.last_words(3))
        elif accessory is None:
            board.reset_pairing()
        tally.check(f"{layout}: {row.name}: an ordinary run next", not (wrong := phone.passes(board, *SHORT)),
                    f"{wrong}\n{board.last_words(3)}")
    tally.check(f"{layout}: and a whole one at the end", board.running and (
        board.open_pairing(), not (wrong := phone.passes(board, *(SHORT if accessory else ORDINARY))))[1], board.last_words())
    board.stop()


def other_misbehaviour(stage):
    """The rows against the independent accessory; not part of the whole: it has no policies."""
    misbehave(stage, 0, "hostap", OtherAccessory(stage.boards[0]))


# ---------------------------------------------------------------- aware, in the phone's place

def aware(stage):
    tally = stage.tally
    board = stage.awared()
    tally.check("awared publishes for aware", board.ready, board.last_words())
    with Recording("aware") as recording:
        connect_aware(stage, board, stage.phones[0], "awared", "My Drone")
    check_air(tally, "aware and awared", recording)
    board.stop()
    other = OtherAccessory(stage.boards[0])
    tally.check("the independent accessory publishes for aware", other.ready, other.last_words())
    connect_aware(stage, other, stage.phones[1], "the independent accessory", "Other Drone", "echo")
    other.stop()


def connect_aware(stage, accessory, station, who, name, *how):
    """Scan, pair, connect, datagrams both ways, again without a PIN."""
    tally = stage.tally
    scan = stage.aware(station, "scan", "--json", "--for", "12")
    scan.wait(60)
    tally.check(f"aware finds {who} by name", name in scan.out, scan.last_words())
    accessory.open_pairing()
    pair = stage.aware(station, "pair", SERVICE, stdin=subprocess.PIPE)
    pin = wait_for(lambda: read(accessory.pin_file).strip() or not pair.running, 90)
    try:
        pair.process.communicate(f"{pin}\n", timeout=90)
    except subprocess.TimeoutExpired:
        pass
    tally.check(f"aware pairs with {who}", pair.wait(5) == 0, f"{pair.last_words()}\n{accessory.last_words()}")
    for again in ("", " again, without a PIN"):
        began = time.monotonic()
        connection = stage.aware(station, "connect", SERVICE, "--listen", "127.0.0.1:0", name="aware-connect")
        connected = connection.says(r"^connected .*:(\d+)$", 90)
        if tally.check(f"aware connects to {who}{again}", connected, f"{connection.last_words()}\n{accessory.last_words()}"):
            took = time.monotonic() - began
            ground = station.run(PYTHON, f"{HERE}/phone/ground.py", connected.group(1), *how)
            tally.check(f"datagrams both ways through aware with {who}{again}", ground.returncode == 0,
                        f"{ground.stdout}{ground.stderr}{connection.last_words()}")
            first = re.search(r"after (\d+) ms", ground.stdout)
            if first:
                total = took + int(first.group(1)) / 1000
                figure = f"connect to first datagram on the kernel radio: {total * 1000:.0f} ms ({total / WINDOW:.1f} windows)"
                print(f"             {figure}", flush=True)
                if who == "awared":
                    with open(f"{SCRATCH}/first-datagram", "w") as f:
                        f.write(figure + "\n")
        tally.check(f"aware ends cleanly{again}", connection.stop() == 0, connection.last_words())


# ---------------------------------------------------------------- misfortune

def killed(stage):
    """At any point nothing is left behind, and the next start works at once."""
    tally = stage.tally
    state = f"{SCRATCH}/killed"
    phone = Phone(stage.phones[0], "hostap", name="killed")
    board = stage.awared(state=state)

    def die(moment):
        board.kill()
        gone = wait_for(lambda: not stage.boards[0].interfaces(), 20)
        tally.check(f"killed while {moment}: no interface is left", gone, stage.boards[0].interfaces())
        began = time.monotonic()
        next_board = stage.awared(state=state)
        tally.check(f"killed while {moment}: publishes again, {time.monotonic() - began:.1f} s", next_board.ready,
                    next_board.last_words())
        return next_board

    board = die("publishing")
    board.open_pairing()
    tally.check("pairs with the one after", not (wrong := phone.passes(board, *SHORT)), wrong)
    board.open_pairing()
    stranger = Phone(stage.phones[1], "ios", name="stranger").start(board, "--do", PAIR, "--pin-timeout", "60")
    tally.check("a stranger has a PIN shown", wait_for(lambda: os.path.exists(board.pin_file), 60), stranger.last_words())
    board = die("showing a PIN")
    stranger.kill()
    run_on = phone.start(board, "--do", "match,verify,ndp,hold", "--hold", "60")
    tally.check("the paired phone connects", run_on.says('"ndp-up"', 90), run_on.last_words())
    board = die("connected")
    run_on.kill(signal.SIGTERM)
    tally.check("the paired phone is recognised after all that", not (
        wrong := phone.passes(board, *AGAIN)), f"{wrong}\n{board.last_words()}")
    board.stop()


def crowd(stage):
    """Two accessories and two phones, all connected at a time."""
    tally = stage.tally
    boards = [stage.awared(0), stage.awared(1)]
    phones = [Phone(stage.phones[0], "hostap", name="crowd"), Phone(stage.phones[1], "ios", name="crowd")]
    for i, phone in enumerate(phones):
        boards[0].open_pairing()
        tally.check(f"crowd: phone {i + 1} pairs with the first accessory", not (
            wrong := phone.passes(boards[0], "--do", PAIR)), wrong)
    runs = [phone.start(boards[0], "--do", "match,verify,ndp,vehicle,hold,vehicle,terminate", "--hold", "15",
                        "--hold-until", f"{SCRATCH}/both-connected") for phone in phones]
    both = wait_for(lambda: boards[0].status().get("connected") == 2, 90, 0.5)
    open(f"{SCRATCH}/both-connected", "w").close()
    tally.check("crowd: two phones connected to one accessory at a time", both, boards[0].status())
    ends = [program.wait(300) for program in runs]
    tally.check("crowd: both heard the vehicle, before and after a while", ends == [0, 0],
                f"{ends}\n" + "\n".join(p.last_words(2) for p in runs))
    boards[1].open_pairing()
    second = phones[1].start(boards[1], *ORDINARY)
    first = phones[0].start(boards[0], *AGAIN)
    ends = [first.wait(300), second.wait(300)]
    tally.check("crowd: each accessory has its own phone at the same time", ends == [0, 0],
                f"{ends}\n{first.last_words(2)}\n{second.last_words(2)}")
    for board in boards:
        tally.check("crowd: ends cleanly", board.stop() == 0, board.last_words())


def radio_lost(stage):
    """The radio is blocked, unblocked, taken away and given back."""
    tally = stage.tally
    station = stage.boards[0]
    state = f"{SCRATCH}/lost"
    board = stage.awared(state=state)
    phone = Phone(stage.phones[0], "hostap", name="lost")
    board.open_pairing()
    tally.check("before the radio is lost all is well", not (wrong := phone.passes(board, *SHORT)), wrong)
    joined = joins(board)
    station.block(True)
    tally.check("blocked by rfkill: says so", board.says("rfkill|blocked|lost the radio", 60), board.last_words())
    station.block(False)
    board = back(stage, tally, board, state, "unblocked", joined)
    tally.check("unblocked: the phone is recognised", not (wrong := phone.passes(board, *AGAIN)), wrong)
    joined, losses = joins(board), lambda: len(re.findall("lost the radio|gone|no such", board.error))
    before = losses()
    station.remove_radio()
    tally.check("radio taken away: says so", wait_for(lambda: losses() > before, 60), board.last_words())
    station.add_radio()
    station.adopt_radio()
    board = back(stage, tally, board, state, "another radio", joined)
    tally.check("another radio: the phone is recognised", not (wrong := phone.passes(board, *AGAIN)), wrong)
    board.stop()


def joins(board):
    """How often it has come onto the air."""
    return board.error.count("joined the cluster")


def back(stage, tally, board, state, why, joined):
    """It publishes again by itself: in the same process, or in the one that the service manager starts after it. `joined`:
    how often the process had come onto the air before it lost the radio."""
    wait_for(lambda: not board.running or joins(board) > joined, 60)
    if not board.running:
        tally.check(f"{why}: ended with a status, not by a signal", board.process.returncode > 0, board.process.returncode)
        board, joined = stage.awared(state=state), 0
    tally.check(f"{why}: publishes again", joins(board) > joined and stage.boards[0].nan_address(), board.last_words())
    return board


def doctor(stage):
    """Says the right thing on the board, without a radio, and without the capability."""
    tally = stage.tally
    ask = [f"{stage.programs}/awared", "doctor", "--radio", "kernel", "--state", f"{SCRATCH}/doctor"]
    good = stage.boards[0].run(*ask)
    tally.check("doctor: a radio that will do", good.returncode == 0 and re.search(r"^ok +radio", good.stdout, re.M),
                good.stdout + good.stderr)
    run("ip", "netns", "add", "nothing")
    none = run("ip", "netns", "exec", "nothing", *ask)
    tally.check("doctor: no radio", none.returncode == 1 and re.search(r"^no +radio.*(no|none)", none.stdout, re.M),
                none.stdout + none.stderr)
    bare = stage.boards[0].run("setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin", *ask)
    tally.check("doctor: without CAP_NET_ADMIN", bare.returncode == 1 and "CAP_NET_ADMIN" in bare.stdout,
                bare.stdout + bare.stderr)


def coexistence(stage):
    """The radio is shared with an interface that is connected to an access point, and nothing of that is disturbed."""
    tally = stage.tally
    home, shared = Station("home"), stage.boards[0]
    with open(f"{SCRATCH}/hostapd.conf", "w") as f:
        f.write(f"interface={home.netdev}\ndriver=nl80211\nssid=home\nhw_mode=g\nchannel=6\n")
    point = Program(home, "hostapd", f"{SCRATCH}/hostapd.conf")
    tally.check("coexistence: the access point is there", point.says("AP-ENABLED", 60), point.last_words())
    home.run("ip", "address", "add", "10.9.0.1/24", "dev", home.netdev)
    shared.run("ip", "link", "set", shared.netdev, "up")
    shared.run("iw", "dev", shared.netdev, "connect", "home")
    link = lambda: "Connected" in shared.run("iw", "dev", shared.netdev, "link").stdout
    tally.check("coexistence: connected to it", wait_for(link, 60), point.last_words())
    shared.run("ip", "address", "add", "10.9.0.2/24", "dev", shared.netdev)
    ping = Program(shared, "ping", "-i", "0.2", "10.9.0.1")
    tally.check("coexistence: traffic before", ping.says(r"icmp_seq=5 ", 60), ping.last_words())
    board = stage.awared()
    time.sleep(3)
    answered = lambda: [int(number) for number in re.findall(r"icmp_seq=(\d+) ", ping.out)]
    started = answered()
    phone = Phone(stage.phones[0], "ios", name="coexistence")
    board.open_pairing()
    tally.check("coexistence: paired and heartbeat over a data path", not (wrong := phone.passes(board, *ORDINARY)),
                wrong or board.last_words())
    board.stop()
    time.sleep(1)
    ping.kill(signal.SIGINT)
    # While it starts, the device looks for a cluster on its own channel, for some seconds.
    tally.check(f"coexistence: {len(started)} of {started[-1]} pings answered by the time it runs",
                len(started) >= started[-1] - 30, ping.last_words())
    later, sent = len(answered()) - len(started), answered()[-1] - started[-1]
    tally.check(f"coexistence: {later} of {sent} pings answered while it runs", sent > 20 and later >= sent - 3,
                ping.last_words())
    tally.check("coexistence: still connected", link() and "deauthenticated" not in point.out, point.last_words())
    shared.run("iw", "dev", shared.netdev, "disconnect")
    shared.run("ip", "link", "set", shared.netdev, "down")
    point.stop()


def idle(stage):
    """Asleep but for the discovery windows."""
    tally = stage.tally
    board = stage.awared()
    time.sleep(10)
    pid = run("pgrep", "-P", board.process.pid).stdout.split()
    pid = pid[0] if pid else board.process.pid
    wakes = lambda: int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", read(f"/proc/{pid}/status"), re.M).group(1))
    before, began = wakes(), time.monotonic()
    time.sleep(30)
    count, windows = wakes() - before, (time.monotonic() - began) / WINDOW
    tally.check(f"idle: {count} wake-ups in {windows:.0f} discovery windows", 0 < count <= windows * 1.05 + 2)
    board.stop()


def address(stage):
    """Another address while nobody counts on the old one; not part of the whole: it takes two minutes."""
    tally = stage.tally
    config = f"{SCRATCH}/address.conf"
    with open(config, "w") as f:
        f.write(read(f"{PROJECT}/config/drone.conf") + "\n[radio]\naddress-interval = 60\n")
    board = Awared(stage.boards[0], stage.programs, f"{SCRATCH}/address", config)
    phone = Phone(stage.phones[0], "ios", name="address")
    board.open_pairing()
    tally.check("address: paired", not (wrong := phone.passes(board, *SHORT)), wrong or board.last_words())
    board.ask("pairing", "close")
    before = stage.boards[0].nan_address()
    changed = lambda: stage.boards[0].nan_address() not in (None, before)
    tally.check("address: another one", wait_for(changed, 200, 1), board.last_words())
    tally.check("address: one NAN device, one data interface", len(stage.boards[0].interfaces()) == 2,
                stage.boards[0].interfaces())
    time.sleep(3)
    tally.check("address: recognised at the new one", not (wrong := phone.passes(board, *AGAIN)), wrong or board.last_words())
    board.stop()


def wired(stage):
    """The button, the digits on the wire, the independent phone; a suite of its own."""
    wires_and_radio.part(stage, PAIR, SHORT)


PARTS = [rig, story, misbehaviour, aware, killed, crowd, radio_lost, doctor, coexistence, idle]
EXTRA = [wired, other_misbehaviour, address]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    programs, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    parts = {part.__name__: part for part in PARTS + EXTRA}
    if not set(wanted) <= set(parts):
        sys.exit("parts: " + " ".join(parts))
    os.chdir(PROJECT)
    prepare()
    tally = Tally()
    stage = Stage(programs, tally)
    for name in wanted or [part.__name__ for part in PARTS]:
        print(f"-- {name}", flush=True)
        try:
            parts[name](stage)
        except Exception as error:                 # one part's accident is not the next one's
            tally.check(f"{name} came to its end", False, repr(error))
        end_programs()
    # It takes an emulator that got no processor for a while for a lock-up.
    complaints = [line for line in run("dmesg").stdout.splitlines() if re.search(r"BUG:(?!.*lockup)|WARNING:|Oops", line)]
    tally.check("the kernel has nothing to complain about", not complaints, "\n".join(complaints[:5]))
    keep_results()
    sys.exit(tally.sum())


if __name__ == "__main__":
    main()
