"""What the arms do: swing against the legs, or hold, carry, guard and reach.

Swinging arms come from joint angles, held ones from places of the hands in the chest's frame; both end as wrists and
elbow directions, so that one fades into the other without a seam.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..arrays import Array
from ..errors import UnknownName
from ..motion import quaternion as quat
from ..motion.smooth import gaussian
from .body import FOREARM_M, UPPER_ARM_M, Attitude, chest_place, shoulder_place, thigh_ends
from .ease import ease
from .noise import slow_noise
from .pendulum import trailing
from .score import FPS, Score
from .walker import Walk

Direction = tuple[float, float, float]


@dataclass(frozen=True)
class Hold:
    """Where both hands are held, in the chest's frame (x to the left, y up, z ahead; origin at the chest joint)."""

    left: tuple[float, float, float]
    right: tuple[float, float, float]
    left_elbow: tuple[float, float, float] = (0.6, -0.6, -0.5)
    right_elbow: tuple[float, float, float] = (-0.6, -0.6, -0.5)
    twist: tuple[float, float] = (0.0, 0.0)
    fade_s: float = 0.32
    frame: str = "chest"
    """ "chest", or "heading": upright and turned as the body faces, for things that are carried level."""
    palms: tuple[tuple[Direction, Direction], tuple[Direction, Direction]] | None = None
    """For hands that hold something: where fingers and palm point, left and right, in the frame."""


HOLDS: dict[str, Hold] = {
    # hands close to the belly, elbows in: to squeeze through
    "tucked": Hold((0.11, -0.16, 0.150), (-0.09, -0.26, 0.145), (0.45, -0.9, -0.3), (-0.45, -0.9, -0.3), (0.4, 0.4)),
    # hanging straight down beside the body, nothing before or behind it: through a slot
    "flat": Hold((0.30, -0.44, 0.0), (-0.30, -0.44, 0.0), (0.9, 0.0, -0.4), (-0.9, 0.0, -0.4), (0.2, 0.2), fade_s=0.4),
    # hands on the hips, elbows wide
    "elbows_out": Hold(
        (0.205, -0.175, 0.05), (-0.205, -0.175, 0.05), (1.0, -0.1, -0.55), (-1.0, -0.1, -0.55), (0.9, 0.9)
    ),
    # the same person drawing the elbows in: forearms upright before the chest
    "elbows_in": Hold((0.115, 0.04, 0.17), (-0.115, 0.02, 0.18), (0.25, -1.0, 0.0), (-0.25, -1.0, 0.0), (0.3, 0.3)),
    "guard": Hold((0.10, 0.10, 0.27), (-0.11, 0.08, 0.20), (0.5, -0.9, -0.1), (-0.5, -0.9, -0.1), (0.2, 0.2)),
    "raised": Hold((0.30, 0.52, 0.08), (-0.30, 0.52, 0.08), (0.9, 0.0, -0.4), (-0.9, 0.0, -0.4), fade_s=0.8),
    "wide": Hold((0.62, 0.10, 0.10), (-0.62, 0.10, 0.10), (0.2, -0.8, -0.6), (-0.2, -0.8, -0.6), fade_s=0.6),
    "forward": Hold((0.17, 0.05, 0.48), (-0.17, 0.05, 0.48), (0.5, -0.9, 0.0), (-0.5, -0.9, 0.0)),
    # balance after a push
    "flail": Hold((0.48, 0.05, 0.16), (-0.46, 0.12, 0.20), (0.4, -0.7, -0.6), (-0.4, -0.7, -0.6), fade_s=0.26),
    # protecting the head while ducking
    "cover": Hold((0.10, 0.22, 0.22), (-0.10, 0.24, 0.22), (0.6, -0.6, 0.3), (-0.6, -0.6, 0.3)),
    # resting on the thighs in a low crouch
    "knees": Hold((0.17, -0.36, 0.25), (-0.17, -0.36, 0.25), (0.8, -0.3, -0.5), (-0.8, -0.3, -0.5)),
    # a hand that somebody pulls at
    "pulled_left": Hold((0.60, 0.02, 0.22), (-0.28, -0.22, 0.12), (0.2, -0.9, -0.4), (-0.6, -0.6, -0.5), fade_s=0.24),
    "pulled_right": Hold((0.28, -0.22, 0.12), (-0.60, 0.02, 0.22), (0.6, -0.6, -0.5), (-0.2, -0.9, -0.4), fade_s=0.24),
    "pulled_ahead": Hold((0.16, 0.0, 0.56), (-0.24, -0.24, 0.12), (0.2, -0.9, -0.2), (-0.6, -0.6, -0.5), fade_s=0.24),
    # carrying: a large box at the left side, and over the head
    "box_side": Hold(
        (0.42, -0.34, 0.30), (0.13, -0.30, 0.42), (0.9, -0.4, -0.4), (-0.7, -0.6, 0.2), frame="heading",
        palms=(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)), ((0.7, 0.0, 0.7), (0.0, 1.0, 0.0))), fade_s=0.55,
    ),
    "box_over": Hold(
        (0.25, 0.56, 0.12), (-0.25, 0.56, 0.12), (0.9, 0.1, 0.5), (-0.9, 0.1, 0.5), frame="heading",
        palms=(((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)), ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0))), fade_s=0.75,
    ),
    # a long prop: across the body, and lowered along the way
    "rod_across": Hold(
        (0.24, -0.12, 0.30), (-0.24, -0.12, 0.30), (0.6, -0.8, -0.1), (-0.6, -0.8, -0.1), frame="heading",
        palms=(((0.0, 0.0, 1.0), (0.0, -1.0, 0.0)), ((0.0, 0.0, 1.0), (0.0, -1.0, 0.0))), fade_s=0.4,
    ),
    "rod_low": Hold(
        (-0.04, -0.24, 0.30), (-0.269, -0.107, -0.061), (0.5, -0.8, 0.0), (-0.7, -0.3, -0.8), frame="heading",
        palms=(((-0.979, 0.0, 0.206), (-0.046, -0.975, -0.216)), ((0.242, -0.933, -0.267), (0.949, 0.285, -0.134))),
        fade_s=0.6,
    ),
}  # fmt: skip


def swing_arms(walk: Walk, score: Score, attitude: Attitude) -> None:
    """Fill in wrists, elbows and hands."""
    rng = np.random.default_rng([score.seed, 11])
    chest = chest_place(attitude)
    time = walk.time
    weights = {name: _envelope(time, score, name) for name in HOLDS}
    held = {name: w for name, w in weights.items() if w.any()}
    raised = sum((held[name] for name in ("box_over", "raised", "cover") if name in held), np.zeros(len(time)))
    attitude.shrug[:] = 0.30 * np.clip(raised, 0, 1)[:, None]
    upright = quat.about("y", walk.facing + walk.channels["twist_rad"])
    for side, sign in ((0, 1.0), (1, -1.0)):
        wrist, pole, twist = _swinging(walk, attitude, chest, side, rng)
        fixed = np.zeros(len(time))
        hand = np.zeros((len(time), 4))
        for name, weight in held.items():
            hold = HOLDS[name]
            frame = upright if hold.frame == "heading" else attitude.chest_turn
            place = np.array(hold.left if side == 0 else hold.right)
            elbow = np.array(hold.left_elbow if side == 0 else hold.right_elbow)
            w = weight[:, None]
            wander = gaussian(rng.normal(0, 1, (len(time), 3)), 0.35, FPS) * 0.06 * (hold.palms is None)
            wrist = wrist * (1 - w) + (chest + quat.rotate(frame, place + wander)) * w
            pole = pole * (1 - w) + quat.rotate(frame, elbow) * w
            twist = twist * (1 - weight) + hold.twist[side] * weight
            if hold.palms is not None:
                grip = palm(*hold.palms[side], side)
                turned = quat.multiply(frame, grip)
                # From one grip to another the shorter way round, as much of each as each holds.
                same = np.where((hand * turned).sum(-1, keepdims=True) < 0, -1.0, 1.0)
                hand = hand + same * turned * w
                fixed = np.maximum(fixed, weight)
        wrist = _punches(score, walk, chest, attitude, side, wrist)
        wrist = _past_shoulder(wrist, shoulder_place(attitude, chest, side), attitude.chest_turn)
        attitude.wrists[:, side] = _off_thighs(_outside(wrist, chest, attitude, sign), attitude, sign)
        attitude.elbow_pole[:, side] = pole
        attitude.palm_twist[:, side] = twist
        held_hand = np.linalg.norm(hand, axis=-1, keepdims=True)
        attitude.hand_turn[:, side] = np.where(held_hand > 1e-6, hand / np.maximum(held_hand, 1e-6), [1.0, 0, 0, 0])
        attitude.hand_fixed[:, side] = np.clip(fixed, 0, 1)
        attitude.wrist_bend[:, side] = 0.12 * (1 - attitude.hand_fixed[:, side])


def palm(fingers: tuple[float, float, float], palm: tuple[float, float, float], side: int) -> Array:
    """How a hand is turned whose fingers and palm point in the given (perpendicular) directions. Shape (4,)."""
    x, y = np.array(fingers, float) * (1.0 if side == 0 else -1.0), -np.array(palm, float)
    return quat.from_axes(x, y, np.cross(x, y))


def _envelope(time: Array, score: Score, name: str) -> Array:
    """How strongly a hold holds, 0 to 1. Shape (frames,)."""
    total = np.zeros(len(time))
    fade = HOLDS[name].fade_s / score.quick
    for held, start, stop, strength in score.holds:
        if held not in HOLDS:
            raise UnknownName.among("arm hold", held, HOLDS)
        if held == name:
            on, off = ease((time - start) / fade + 0.5), ease((time - stop) / fade + 0.5)
            total = np.maximum(total, strength * on * (1 - off))
    return total


def _swinging(
    walk: Walk, attitude: Attitude, chest: Array, side: int, rng: np.random.Generator
) -> tuple[Array, Array, Array]:
    """Wrist (frames, 3), elbow direction (frames, 3) and forearm twist (frames,) of a swinging arm."""
    sign = 1.0 if side == 0 else -1.0
    run, speed = walk.run, walk.speed
    liveliness = walk.channels["pitch"] * (1 + 0.13 * rng.normal())
    shoulder = shoulder_place(attitude, chest, side)
    frame = attitude.chest_turn
    trail_ahead, trail_left = trailing(shoulder, quat.yaw_of(quat.rotate(frame, np.array([0.0, 0.0, 1.0]))))
    # The left arm goes with the right foot, a moment later.
    lag = int(0.04 * FPS)
    drive = np.concatenate([np.full(lag, walk.stride[0]), walk.stride])[: len(walk.stride)] * sign
    forward_share = np.clip(np.abs(walk.channels["ahead_mps"]) / np.maximum(speed, 0.15), 0, 1)
    gain = (0.52 * (1 - run) + 0.62 * run) * liveliness * forward_share * np.clip(speed / 0.7, 0.35, 1)
    swing = gain * (1 + 0.10 * slow_noise(rng, len(speed), 0.7)) * 0.8 * np.tanh(drive / 0.8)
    # Nobody holds both arms alike, or either still.
    habit = rng.normal(0, 1, 3)
    wander = [slow_noise(rng, len(speed), 0.9) for _ in range(3)]
    free = (1 - 0.75 * forward_share * np.clip(speed / 0.7, 0, 1)) * (1 - run)
    # Hanging arms stay plumb when the trunk bends.
    bent = walk.channels["lean_rad"] + 0.75 * walk.channels["drop_m"]
    flex = -0.06 + swing - 0.22 * run + 0.5 * walk.channels["drop_m"] + 0.85 * bent + _jump_swing(walk)
    flex += 0.05 * habit[0] * (1 - run) + 0.035 * wander[0] + trail_ahead * free
    abduct = 0.125 + 0.045 * max(habit[1], -1.3) + 0.05 * run + 0.025 * wander[1]
    abduct += 0.10 * np.abs(walk.channels["twist_rad"]) + 1.5 * sign * trail_left * (1 - 0.7 * run)
    # The elbow opens behind and closes in front, a moment after the upper arm.
    late = np.concatenate([np.full(3, swing[0]), swing])[: len(swing)]
    elbow = 0.44 + 0.13 * habit[2] * (1 - run) + 0.12 * np.clip(speed, 0, 1.5) + 1.05 * run
    elbow += (0.55 * np.maximum(swing, 0) + 0.06 * wander[2]) * (1 - run) + 0.80 * late * run
    elbow = np.clip(elbow + 0.5 * np.abs(trail_ahead) * free, 0.12, 2.2)
    inward = 0.10 + 0.24 * run
    down = np.zeros((len(speed), 3))
    down[:, 1] = -1.0
    lift = quat.multiply(quat.about("x", -flex), quat.about("z", sign * abduct))
    upper = quat.rotate(lift, down)
    bend = quat.multiply(lift, quat.about("y", -sign * inward))
    fore = quat.rotate(quat.multiply(bend, quat.about("x", -elbow)), down)
    wrist = shoulder + quat.rotate(frame, UPPER_ARM_M * upper + FOREARM_M * fore)
    pole = quat.rotate(frame, quat.rotate(bend, np.broadcast_to([0.0, -0.2, -1.0], down.shape)))
    return wrist, pole, 0.25 + 0.12 * habit[1] + 0.35 * run


def _jump_swing(walk: Walk) -> Array:
    """Arms go back while the body crouches for a jump, shoot forward at take-off and sink after landing."""
    total = np.zeros(len(walk.time))
    for flight in walk.flights:
        size = 1.0 if flight.both else 0.55
        air = flight.landing - flight.takeoff
        known = [-0.55, -0.22, 0.0, 0.5 * air, air, air + 0.45]
        total += size * np.interp(walk.time - flight.takeoff, known, [0.0, -0.75, 0.75, 1.15, 0.65, 0.0])
    return gaussian(total, 0.05, FPS) if walk.flights else total


FOLDED_M = 0.28
"""As near to its shoulder as a hand comes on its way."""


def _past_shoulder(wrist: Array, shoulder: Array, frame: Array) -> Array:
    """Lead hands that go up or come down in front of the shoulder, not through it. Shape (frames, 3)."""
    local = quat.rotate(quat.inverse(frame), wrist - shoulder)
    ball = np.sqrt(np.maximum(FOLDED_M**2 - local[:, 0] ** 2 - local[:, 1] ** 2, 0.0))
    push = np.zeros_like(local)
    push[:, 2] = gaussian(np.where(ball > 0, np.maximum(ball - local[:, 2], 0.0), 0.0), 0.06, FPS)
    return wrist + quat.rotate(frame, push)


def _outside(wrist: Array, chest: Array, attitude: Attitude, sign: float) -> Array:
    """Keep hanging hands outside of hips and thighs: push them sideways in the pelvis' frame."""
    local = quat.rotate(quat.inverse(attitude.pelvis_turn), wrist - attitude.pelvis)
    beside = sign * local[:, 0]
    deep = np.clip(1 - np.abs(local[:, 2]) / 0.17, 0, 1) * np.clip((0.16 - local[:, 1]) / 0.10, 0, 1)
    needed = np.maximum(0.240 * np.sqrt(deep) - beside, 0.0) * (deep > 0)
    needed = gaussian(needed, 0.05, FPS)
    push = np.zeros_like(local)
    push[:, 0] = sign * needed
    return wrist + quat.rotate(attitude.pelvis_turn, push)


PUNCH: Callable[[Array], Array] = lambda t: np.exp(-0.5 * ((t - 0.0) / 0.055) ** 2)  # noqa: E731


HAND_CLEARANCE_M = 0.140
"""From the thigh's axis to the middle of the hand."""


def _off_thighs(wrist: Array, attitude: Attitude, sign: float) -> Array:
    """Keep hands off the thighs wherever those go: raised in a run, bent in a crouch, spread in a sidestep."""
    aside = quat.rotate(attitude.pelvis_turn, np.array([sign, 0.15, 0.25]))
    for _ in range(2):
        push = np.zeros_like(wrist)
        for leg in (0, 1):
            hip, knee = thigh_ends(attitude, leg)
            bone = knee - hip
            # The hand's middle hangs a little below the wrist.
            away = wrist - np.array([0.0, 0.06, 0.0]) - hip
            along = np.clip((away * bone).sum(-1) / (bone * bone).sum(-1), 0, 1)
            off = away - along[:, None] * bone
            distance = np.linalg.norm(off, axis=-1)
            way = off / np.maximum(distance, 1e-6)[:, None] + 0.7 * aside
            way /= np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), 1e-6)
            push += np.maximum(HAND_CLEARANCE_M - distance, 0.0)[:, None] * way
        wrist = wrist + 1.15 * gaussian(push, 0.045, FPS)
    return wrist


def _punches(score: Score, walk: Walk, chest: Array, attitude: Attitude, side: int, wrist: Array) -> Array:
    """A straight punch: the fist shoots forward and comes back."""
    name = "punch_left" if side == 0 else "punch_right"
    for act, time, size in score.acts:
        if act == name:
            w = (PUNCH(walk.time - time) * size)[:, None]
            sign = 1.0 if side == 0 else -1.0
            upright = quat.about("y", walk.facing)
            goal = chest + quat.rotate(upright, np.array([sign * 0.03, 0.17, 0.62]))
            wrist = wrist * (1 - w) + goal * w
    return wrist
