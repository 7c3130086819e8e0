"""AES and its key wrap (RFC 3394), in Python alone: a library's start costs seconds on an emulated board.

Table-free and slow; its timing tells the key. A test tool, not something to ship.
"""
import hmac


def _double(a):
    return (a << 1 ^ 0x11b) & 0xff if a & 0x80 else a << 1


def _times(a, b):
    out = 0
    while b:
        if b & 1:
            out ^= a
        a, b = _double(a), b >> 1
    return out


def _substitution():
    """FIPS 197, section 5.1.1: the inverse in GF(2^8), then an affine map."""
    box, p, q = [0x63] * 256, 1, 1
    while True:
        p ^= _double(p)                            # times 3, a generator
        q ^= q << 1                                # divided by 3
        q ^= q << 2
        q ^= q << 4
        q &= 0xff
        if q & 0x80:
            q ^= 0x09
        x = q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^ (q << 4 | q >> 4)
        box[p] = x & 0xff ^ 0x63
        if p == 1:
            return bytes(box)


BOX = _substitution()
UNBOX = bytes(BOX.index(i) for i in range(256))
SHIFT = [(i + 4 * (i % 4)) % 16 for i in range(16)]          # state in columns: octet i comes from here
UNSHIFT = [(i - 4 * (i % 4)) % 16 for i in range(16)]
MULTIPLES = {n: bytes(_times(i, n) for i in range(256)) for n in (2, 3, 9, 11, 13, 14)}


class AES:
    def __init__(self, key):
        words, count, constant = [key[i:i + 4] for i in range(0, len(key), 4)], len(key) // 4, 1
        rounds = count + 6
        for i in range(count, 4 * (rounds + 1)):
            word = words[-1]
            if i % count == 0:
                word = bytes(BOX[b] for b in word[1:] + word[:1])
                word = bytes([word[0] ^ constant]) + word[1:]
                constant = _double(constant)
            elif count > 6 and i % count == 4:
                word = bytes(BOX[b] for b in word)
            words.append(bytes(a ^ b for a, b in zip(words[i - count], word)))
        self.keys = [b"".join(words[i:i + 4]) for i in range(0, len(words), 4)]

    @staticmethod
    def _mix(state, a, b, c, d):
        out = bytearray()
        for i in range(0, 16, 4):
            column = state[i:i + 4]
            for k in range(4):
                w, x, y, z = (column[(k + n) % 4] for n in range(4))
                out.append(a(w) ^ b(x) ^ c(y) ^ d(z))
        return out

    def encrypt(self, block):
        two, three, one = MULTIPLES[2].__getitem__, MULTIPLES[3].__getitem__, lambda v: v
        state = [a ^ b for a, b in zip(block, self.keys[0])]
        for key in self.keys[1:]:
            state = [BOX[state[i]] for i in SHIFT]
            if key is not self.keys[-1]:
                state = self._mix(state, two, three, one, one)
            state = [a ^ b for a, b in zip(state, key)]
        return bytes(state)

    def decrypt(self, block):
        factors = [MULTIPLES[n].__getitem__ for n in (14, 11, 13, 9)]
        state = list(block)
        for key in reversed(self.keys[1:]):
            state = [a ^ b for a, b in zip(state, key)]
            if key is not self.keys[-1]:
                state = self._mix(state, *factors)
            state = [UNBOX[state[i]] for i in UNSHIFT]
        return bytes(a ^ b for a, b in zip(state, self.keys[0]))


MARK = bytes.fromhex("a6a6a6a6a6a6a6a6")


def wrap(key, data):
    aes, a, parts = AES(key), MARK, [data[i:i + 8] for i in range(0, len(data), 8)]
    for step in range(6 * len(parts)):
        i = step % len(parts)
        block = aes.encrypt(a + parts[i])
        a, parts[i] = bytes(x ^ y for x, y in zip(block, (step + 1).to_bytes(8, "big"))), block[8:]
    return a + b"".join(parts)


def unwrap(key, data):
    """Plain data, or None when it was not wrapped with this key."""
    if len(data) < 24 or len(data) % 8:
        return None
    aes, a, parts = AES(key), data[:8], [data[i:i + 8] for i in range(8, len(data), 8)]
    for step in reversed(range(6 * len(parts))):
        i = step % len(parts)
        block = aes.decrypt(bytes(x ^ y for x, y in zip(a, (step + 1).to_bytes(8, "big"))) + parts[i])
        a, parts[i] = block[:8], block[8:]
    return b"".join(parts) if hmac.compare_digest(a, MARK) else None
