"""Penalties beyond the barrier: how a user adds one, and the heights of EMM 6.1.4, which come in by the same door.

A penalty is a compiled function of one fixed signature, so that searches take any without being compiled again:

    @penalty()
    def near_the_fire(frame, slot, bodies, rows, corners, near, first, last, environment, given):
        x, z = bodies[frame, slot, 0] - given[3], bodies[frame, slot, 1] - given[4]
        return max(0.0, 2.0 - np.sqrt(x * x + z * z))

``bodies[frame, slot]`` is the body at a look-ahead time in the character's frame (columns in ``cost``), ``near[first]``
to ``near[last - 1]`` are the rows of what is near then, ``given`` begins with the character's place x, z and yaw in the
world and goes on with the user's own numbers. It returns what that body costs, zero or more, before the weights of
``Environment``.
A bound takes the same arguments with boxes of bodies instead of bodies; it returns what any body of the box costs at
least, and saves work. Without one it is zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from ..errors import AskedWrongly
from ..geometry.shapes import BOTTOM, FULL, TOP, A, B, X, Z, body_distance
from ..jit import callback
from .cost import (
    AX,
    AZ,
    CORE_A,
    CORE_B,
    CORE_X,
    CORE_Z,
    HIGH,
    HIGH_LEAST,
    LOW,
    LOW_MOST,
    MAJOR,
    MIDDLE_X,
    MIDDLE_Z,
    MINOR,
    PX,
    PZ,
    REACH,
    SIGNATURE,
    SLACK_M,
    SPREAD,
    barrier,
)

NUMBERS = 12
"""Numbers a penalty is told: place and yaw, and up to nine of the user's."""


@dataclass(frozen=True, eq=False)
class Penalty:
    """A registered penalty."""

    name: str
    cost: Any
    """Compiled."""
    bound: Any
    """Compiled; what any body of a box costs at least. None if nothing is known."""


@dataclass(frozen=True)
class Charge:
    """A penalty in use: which one, and the numbers it is told."""

    penalty: Penalty
    numbers: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Refuse more numbers than a penalty is told."""
        if len(self.numbers) > NUMBERS - 3 or not np.isfinite(self.numbers).all():
            raise AskedWrongly(
                f"penalty '{self.penalty.name}': at most {NUMBERS - 3} finite numbers, not {self.numbers}"
            )


PENALTIES: dict[str, Penalty] = {}


def penalty(
    bound: Callable[..., float] | None = None, name: str | None = None
) -> Callable[[Callable[..., float]], Penalty]:
    """Register a function as a penalty under its name (see the top of this file)."""

    def register(function: Callable[..., float]) -> Penalty:
        made = Penalty(
            name or function.__name__,
            _compiled(function),
            None if bound is None else _compiled(bound),
        )
        PENALTIES[made.name] = made
        return made

    return register


def _compiled(function: Callable[..., float]) -> Any:
    expected = len(SIGNATURE.args)
    if function.__code__.co_argcount != expected:
        raise AskedWrongly(
            f"penalty '{function.__name__}' takes {function.__code__.co_argcount} arguments; it must take the "
            f"{expected} that search/penalties.py names"
        )
    try:
        return callback(function, SIGNATURE)
    except numba.core.errors.NumbaError as error:
        reason = str(error).strip().splitlines()[-1]
        raise AskedWrongly(f"penalty '{function.__name__}' cannot be compiled: {reason}") from error


def _heights_at_least(box, slot, boxes, rows, corners, near, first, last, environment, given):  # type: ignore[no-untyped-def]
    total, over = 0.0, given[3]
    x, z, spread = boxes[box, slot, MIDDLE_X], boxes[box, slot, MIDDLE_Z], boxes[box, slot, SPREAD] + SLACK_M
    a, b = boxes[box, slot, CORE_A], boxes[box, slot, CORE_B]
    for n in range(first, last):
        i = near[n]
        if rows[i, FULL] != 0.0 or boxes[box, slot, LOW_MOST] >= rows[i, TOP] + over:
            continue
        if boxes[box, slot, HIGH_LEAST] <= rows[i, BOTTOM] - over:
            continue
        ux, uz = boxes[box, slot, CORE_X], boxes[box, slot, CORE_Z]
        total += barrier(body_distance(i, rows, corners, x, z, ux, uz, a, b) + spread, environment)
    return total


@penalty(bound=_heights_at_least)
def heights(frame, slot, bodies, rows, corners, near, first, last, environment, given):  # type: ignore[no-untyped-def]
    """EMM 6.1.4: what is not of full height costs a body that overlaps it upwards; ``given[3]`` is kept free [m]."""
    total, over = 0.0, given[3]
    x, z = bodies[frame, slot, PX], bodies[frame, slot, PZ]
    a, b = bodies[frame, slot, MAJOR], bodies[frame, slot, MINOR]
    for n in range(first, last):
        i = near[n]
        if rows[i, FULL] != 0.0 or bodies[frame, slot, LOW] >= rows[i, TOP] + over:
            continue
        if bodies[frame, slot, HIGH] <= rows[i, BOTTOM] - over:
            continue
        dx, dz, far = rows[i, X] - x, rows[i, Z] - z, environment[REACH] + max(a, b) + max(rows[i, A], rows[i, B])
        if dx * dx + dz * dz < far * far:
            ux, uz = bodies[frame, slot, AX], bodies[frame, slot, AZ]
            distance = body_distance(i, rows, corners, x, z, ux, uz, a, b)
            total += barrier(distance, environment)
    return total
