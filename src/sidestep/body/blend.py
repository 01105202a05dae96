"""From the pose that was shown to the one that was chosen, without a jerk: inertialization.

At a transition the difference between the old pose and the new one, and between their speeds, is kept as an offset on
the new one and fades out. Two ways to fade: a damped spring, and the quintic of RMM 3.2.5 (equations 14 to 24), which
reaches zero at a fixed time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..arrays import Array, Indices
from ..errors import AskedWrongly
from ..jit import inlined_kernel, kernel
from ..motion.turns import Arrow, arrow_at, from_vector, inverse, multiply, put_arrow, rotate, to_vector
from .source import Source, hips_of, turn_of


@dataclass(frozen=True, kw_only=True)
class Blend:
    """How a pose goes over into the next."""

    kind: Literal["spring", "quintic", "none"] = "spring"
    halflife_s: float = 0.08
    """Of the spring."""
    duration_s: float = 0.35
    """Of the quintic (RMM t1)."""

    def __post_init__(self) -> None:
        """Refuse what cannot fade."""
        if self.kind not in KINDS:
            raise AskedWrongly(f"blend kind '{self.kind}' is none of {', '.join(KINDS)}")
        if not (self.halflife_s > 0 and self.duration_s > 0):
            raise AskedWrongly("a blend's halflife_s and duration_s are above zero")

    def packed(self) -> tuple[int, float]:
        """As kernels take it: which kind, and its time [s]."""
        kind = KINDS.index(self.kind)
        return kind, self.duration_s if self.kind == "quintic" else self.halflife_s


KINDS = ("spring", "quintic", "none")
SPRING, QUINTIC, NONE = range(3)


@inlined_kernel
def offset_at(kind: int, time_s: float, age: float, x: Arrow, v: Arrow) -> tuple[Arrow, Arrow]:
    """What is left of an offset x with rate v after ``age`` seconds, and its rate then."""
    if kind == SPRING:
        y = 2.0 * np.log(2.0) / time_s
        fade = np.exp(-y * age)
        jx, jy, jz = v[0] + x[0] * y, v[1] + x[1] * y, v[2] + x[2] * y
        return (
            (fade * (x[0] + jx * age), fade * (x[1] + jy * age), fade * (x[2] + jz * age)),
            (fade * (v[0] - jx * y * age), fade * (v[1] - jy * y * age), fade * (v[2] - jz * y * age)),
        )
    length = np.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
    if kind == NONE or length < 1e-7:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    nx, ny, nz = x[0] / length, x[1] / length, x[2] / length
    # Only the part along the offset, and only towards zero (RMM 15).
    v0 = min(v[0] * nx + v[1] * ny + v[2] * nz, 0.0)
    t1 = min(time_s, 5.0 * length / max(-v0, 1e-9))  # RMM (20)
    if age >= t1:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    c2 = min(-(10.0 * length + 4.0 * t1 * v0) / (t1 * t1), 0.0)  # RMM (18), (19)
    c3 = -(3.0 * c2 * t1 * t1 + 6.0 * v0 * t1 + 10.0 * length) / t1**3  # RMM (17)
    c4 = (3.0 * c2 * t1 * t1 + 8.0 * v0 * t1 + 15.0 * length) / t1**4
    c5 = -(c2 * t1 * t1 + 3.0 * v0 * t1 + 6.0 * length) / t1**5
    left = ((((c5 * age + c4) * age + c3) * age + c2) * age + v0) * age + length
    rate = (((5.0 * c5 * age + 4.0 * c4) * age + 3.0 * c3) * age + 2.0 * c2) * age + v0
    return (left * nx, left * ny, left * nz), (rate * nx, rate * ny, rate * nz)


@kernel
def switch(
    source: Source, who: Indices, old: Indices, new: Indices, places: Array, starts: Array, rates: Array, ages: Array,
    kind: int, time_s: float, dt: float,
) -> None:  # fmt: skip
    """Take up the difference between what was shown and what comes.

    Args:
        source: Poses.
        who: Characters that change frames. Shape (changing,).
        old: Frames they have shown. Shape (changing,).
        new: Frames they go on from. Shape (changing,).
        places: x, z and yaw of all characters. Shape (characters, 3).
        starts: Offsets when they began: the hips' place [m], then rotation vectors of the joints from the hips on,
            hips in the world, others in their parents' frames [rad]. Shape (characters, joints, 3).
        rates: Their rates then, per second. Shape (characters, joints, 3).
        ages: How long ago that was, [s]. Shape (characters,).
        kind: As ``Blend.packed``.
        time_s: As ``Blend.packed``.
        dt: Length of a frame, [s].
    """
    joints = starts.shape[1]
    for m in range(len(who)):
        i, f, g = who[m], old[m], new[m]
        yaw = (np.cos(0.5 * places[i, 2]), 0.0, np.sin(0.5 * places[i, 2]), 0.0)
        left, rate = offset_at(kind, time_s, ages[i], arrow_at(starts, i, 0), arrow_at(rates, i, 0))
        ahead_f, ahead_g = hips_ahead(source, f), hips_ahead(source, g)
        at_f, at_g = hips_of(source, f), hips_of(source, g)
        gap = rotate(yaw, (at_f[0] - at_g[0], at_f[1] - at_g[1], at_f[2] - at_g[2]))
        faster = rotate(
            yaw,
            (
                (ahead_f[0] - at_f[0] - ahead_g[0] + at_g[0]) / dt,
                (ahead_f[1] - at_f[1] - ahead_g[1] + at_g[1]) / dt,
                (ahead_f[2] - at_f[2] - ahead_g[2] + at_g[2]) / dt,
            ),
        )
        put_arrow(starts, i, 0, (left[0] + gap[0], left[1] + gap[1], left[2] + gap[2]))
        put_arrow(rates, i, 0, (rate[0] + faster[0], rate[1] + faster[1], rate[2] + faster[2]))
        for joint in range(1, joints):
            left, rate = offset_at(kind, time_s, ages[i], arrow_at(starts, i, joint), arrow_at(rates, i, joint))
            turn_f, turn_g = turn_of(source, f, joint), turn_of(source, g, joint)
            next_f, next_g = turn_of(source, f + 1, joint), turn_of(source, g + 1, joint)
            spin_f = to_vector(multiply(next_f, inverse(turn_f)))
            spin_g = to_vector(multiply(next_g, inverse(turn_g)))
            between = multiply(turn_f, inverse(turn_g))
            faster = ((spin_f[0] - spin_g[0]) / dt, (spin_f[1] - spin_g[1]) / dt, (spin_f[2] - spin_g[2]) / dt)
            if joint == 1:
                between = multiply(multiply(yaw, between), inverse(yaw))
                spun = (source.steps[f, 2] - source.steps[g, 2]) / dt
                faster = rotate(yaw, (faster[0], faster[1] + spun, faster[2]))
            put_arrow(starts, i, joint, to_vector(multiply(from_vector(left), between)))
            put_arrow(rates, i, joint, (rate[0] + faster[0], rate[1] + faster[1], rate[2] + faster[2]))
        ages[i] = 0.0


@inlined_kernel
def hips_ahead(source: Source, frame: int) -> Arrow:
    """The next frame's hips in this frame's character frame, [m]."""
    x, y, z = hips_of(source, frame + 1)
    yaw = source.steps[frame, 2]
    return (
        np.cos(yaw) * x + np.sin(yaw) * z + source.steps[frame, 0],
        y,
        -np.sin(yaw) * x + np.cos(yaw) * z + source.steps[frame, 1],
    )
