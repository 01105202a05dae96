"""Decimal numbers from text at the speed of memory: motion blocks are a hundred megabytes of them."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Indices
from ..jit import kernel

_TENS = 10.0 ** np.arange(23)


def decimals(data: bytes, start: int, expected: int) -> tuple[Array, int, int]:
    """Read numbers separated by white space.

    Args:
        data: ASCII text.
        start: Byte at which the numbers begin.
        expected: How many there should be; more are counted but not kept.

    Returns:
        The numbers (up to ``expected``), how many there are, and the byte at which a word is no plain decimal number
        (-1 if all are).
    """
    values = np.empty(expected, np.float64)
    count, bad = decimal_kernel(np.frombuffer(data, np.uint8), start, _TENS, values)
    return values[: min(count, expected)], int(count), int(bad)


@kernel
def decimal_kernel(text: Indices, start: int, tens: Array, values: Array) -> tuple[int, int]:
    """Fill ``values``; returns how many numbers there are and where a bad word begins (-1 if nowhere)."""
    at, size, count = start, len(text), 0
    while True:
        while at < size and text[at] <= 32:
            at += 1
        if at >= size:
            return count, -1
        word = at
        negative = text[at] == 45
        if negative or text[at] == 43:
            at += 1
        mantissa, digits, places, exponent = np.int64(0), 0, 0, 0
        point = False
        while at < size:
            c = text[at]
            if 48 <= c <= 57:
                # Beyond 18 digits nothing changes in a double.
                if mantissa < 10**17:
                    mantissa = mantissa * 10 + (c - 48)
                    places += 1 if point else 0
                elif not point:
                    exponent += 1
                digits += 1
            elif c == 46 and not point:
                point = True
            else:
                break
            at += 1
        if digits == 0:
            return count, word
        if at < size and (text[at] == 101 or text[at] == 69):
            at += 1
            minus = at < size and text[at] == 45
            if at < size and (text[at] == 45 or text[at] == 43):
                at += 1
            power, found = 0, 0
            while at < size and 48 <= text[at] <= 57:
                power = min(power * 10 + (text[at] - 48), 9999)
                found += 1
                at += 1
            if found == 0:
                return count, word
            exponent += -power if minus else power
        if at < size and text[at] > 32:
            return count, word
        exponent -= places
        value = float(mantissa)
        # One exact power of ten, one rounding: the nearest double for all numbers of up to 15 digits.
        if exponent < 0:
            value = value / tens[-exponent] if exponent >= -22 else value * 10.0**exponent
        elif exponent > 0:
            value = value * tens[exponent] if exponent <= 22 else value * 10.0**exponent
        if count < len(values):
            values[count] = -value if negative else value
        count += 1
