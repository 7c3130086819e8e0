"""What displays make of their wires, from their data sheets. Each is fed levels or octets with their time, and keeps the
moments at which a person could read something else in `seen`: (time, text), oldest first."""


class Display:
    def __init__(self):
        self.seen = []
        self.complaints = []

    def now_reads(self, time, text):
        if not self.seen or self.seen[-1][1] != text:
            self.seen.append((time, text))

    @property
    def text(self):
        return self.seen[-1][1] if self.seen else None


SEGMENTS = {0x3f: "0", 0x06: "1", 0x5b: "2", 0x4f: "3", 0x66: "4", 0x6d: "5", 0x7d: "6", 0x07: "7", 0x7f: "8", 0x6f: "9",
            0x40: "-", 0x00: " ", 0x73: "P", 0x39: "C", 0x38: "L", 0x71: "F", 0x77: "A", 0x79: "E", 0x50: "r", 0x7c: "b",
            0x78: "t", 0x5e: "d", 0x5c: "o", 0x54: "n"}


class TM1637(Display):
    """Two lines with pull-ups. `registers`: which register each digit from the left shows."""

    def __init__(self, registers):
        super().__init__()
        self.registers = registers
        self.memory = [0xff] * 6
        self.on = True
        self.clk = self.dio = 1
        self.bits, self.octets, self.in_frame = [], [], False

    def level(self, time, line, high):
        if line == "clk" and high != self.clk:
            self.clk = high
            if high and self.in_frame:
                self.bits.append(self.dio)
                if len(self.bits) == 9:                                 # the ninth clock is the chip's answer
                    self.octets.append(sum(bit << place for place, bit in enumerate(self.bits[:8])))
                    self.bits = []
        elif line == "dio" and high != self.dio:
            self.dio = high
            if self.clk and not high:
                self.in_frame, self.bits, self.octets = True, [], []
            elif self.clk and self.in_frame:
                self.in_frame = False
                if len(self.bits) != 1:
                    self.complaints.append(f"a stop within an octet at {time}")
                self.frame(time)

    def frame(self, time):
        command, *data = self.octets or [0]
        if command & 0xc0 == 0xc0:
            for place, octet in enumerate(data):
                self.memory[((command & 0x0f) + place) % 6] = octet
        elif command & 0xc0 == 0x80:
            self.on = bool(command & 8)
        elif command != 0x40:
            self.complaints.append(f"command {command:#x}")
        shown = [self.memory[register] if self.on else 0 for register in self.registers]
        self.now_reads(time, "".join(SEGMENTS.get(cell & 0x7f, "?") for cell in shown))


class HD44780(Display):
    """Takes nibbles when E falls: `level` for six lines of its own, `octets` behind a PCF8574."""
    columns = 16

    def __init__(self):
        super().__init__()
        self.memory = [ord("*")] * 128
        self.on = True
        self.address, self.four_bits, self.high = 0, False, None
        self.levels = dict.fromkeys(("rs", "e", "d4", "d5", "d6", "d7"), 0)
        self.pins = 0

    def level(self, time, line, high):
        falls = line == "e" and self.levels["e"] and not high
        self.levels[line] = high
        if falls:
            self.nibble(time, self.levels["rs"], sum(self.levels[f"d{4 + bit}"] << bit for bit in range(4)))

    def octets(self, time, octets):
        for octet in octets:
            if self.pins & 4 and not octet & 4:
                self.nibble(time, octet & 1, octet >> 4)
            self.pins = octet

    def nibble(self, time, is_text, nibble):
        if not self.four_bits:
            self.four_bits = nibble == 2
        elif nibble == 3 and not is_text and self.high is None:
            self.four_bits = False                                      # a program that starts wakes it anew
        elif self.high is None:
            self.high = nibble
        else:
            octet, self.high = self.high << 4 | nibble, None
            self.octet(time, is_text, octet)

    def octet(self, time, is_text, octet):
        if is_text:
            self.memory[self.address & 127] = octet
            self.address += 1
        elif octet & 0x80:
            self.address = octet & 0x7f
        elif octet & 0xf8 == 0x08:
            self.on = bool(octet & 4)
        elif octet == 0x01:
            self.memory, self.address = [0x20] * 128, 0
        elif octet not in (0x28, 0x06):
            self.complaints.append(f"command {octet:#x}")
        rows = [bytes(self.memory[first:first + self.columns]).decode("latin-1").rstrip() for first in (0, 0x40)]
        self.now_reads(time, "|".join(rows) if self.on else "")


class SSD1306(Display):
    """128 by 64 dots, page addressing. `seen` has pictures: rows of zeros and ones."""

    def __init__(self):
        super().__init__()
        self.memory = [[0xa5] * 128 for _ in range(8)]
        self.on = True
        self.page = self.column = 0

    def octets(self, time, octets):
        control, *rest = octets
        if control == 0x40:
            for octet in rest:
                self.memory[self.page][self.column % 128] = octet
                self.column += 1
        while control == 0x00 and rest:
            command = rest.pop(0)
            if command < 0x10:
                self.column = self.column & 0xf0 | command
            elif command < 0x20:
                self.column = self.column & 0x0f | (command & 15) << 4
            elif 0xb0 <= command < 0xb8:
                self.page = command & 7
            elif command in (0xae, 0xaf):
                self.on = command == 0xaf
            elif command in (0x20, 0x81, 0x8d, 0xa8, 0xd3, 0xd5, 0xda):
                value = rest.pop(0)
                if command == 0x20 and value != 2:
                    self.complaints.append("not page addressing")
            elif command not in (0x40, 0xa1, 0xc8):
                self.complaints.append(f"command {command:#x}")
        self.now_reads(time, self.picture())

    def picture(self):
        if not self.on:
            return ["0" * 128] * 64
        return ["".join(str(self.memory[y // 8][x] >> y % 8 & 1) for x in range(128)) for y in range(64)]
