"""The OLED's golden pictures, and pictures as PNG files."""
import functools
import os
import struct
import zlib

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Vectors", "panels")
# Where the digits of a PIN stand: their left edges, and their rows.
EDGES, WIDTH, ROWS = (8, 26, 44, 69, 87, 105), 15, slice(16, 51)


@functools.cache
def golden(name):
    """Rows of zeros and ones."""
    with open(f"{VECTORS}/{name}.pbm") as f:
        return tuple(f.read().split("\n")[2:-1])


def cell(picture, place):
    edge = EDGES[place]
    return tuple(row[edge:edge + WIDTH] for row in picture[ROWS])


@functools.cache
def shapes():
    """Each digit by its dots, as it stands in the golden pictures, which have all ten."""
    found = {}
    for name, digits in (("pin-64", "482913"), ("passkey-64", "104756")):
        for place, digit in enumerate(digits):
            found[cell(golden(name), place)] = digit
    return found


def with_digits(digits):
    """The golden picture of a PIN with other digits."""
    picture, dots_of = list(golden("pin-64")), {digit: dots for dots, digit in shapes().items()}
    for place, digit in enumerate(digits):
        for offset, dots in enumerate(dots_of[digit]):
            row = picture[ROWS.start + offset]
            picture[ROWS.start + offset] = row[:EDGES[place]] + dots + row[EDGES[place] + WIDTH:]
    return picture


def read_pin(picture):
    """The digits, or None where the picture is not exactly that of a PIN."""
    digits = [shapes().get(cell(picture, place)) for place in range(6)]
    return "".join(digits) if all(digits) and picture == with_digits(digits) else None


def write_png(path, picture, scale=4):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = []
    for row in picture:
        line = b"\0" + b"".join(bytes([255 if dot == "1" else 0]) * scale for dot in row)
        rows += [line] * scale
    head = struct.pack(">IIBBBBB", 128 * scale, len(picture) * scale, 8, 0, 0, 0, 0)
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(rows)))
                + chunk(b"IEND", b""))
