"""What a performer is told to do: a timeline of channels, written segment by segment, smoothed into what a body can do.

A score knows nothing of steps. It says how fast the body shall travel in its own frame, how it turns, how low it goes,
how the torso is turned against the hips, and how the arms are held; ``walker.py`` finds the steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..arrays import Array
from ..errors import AskedWrongly, UnknownName
from ..motion.smooth import gaussian

FPS = 60.0

CHANNELS: dict[str, tuple[float, float]] = {
    # name: (resting value, smoothing sigma [s])
    "ahead_mps": (0.0, 0.26),  # travel along the facing
    "left_mps": (0.0, 0.24),  # travel to the facing's left
    "turn_rps": (0.0, 0.20),  # change of facing, positive to the left
    "speed_mps": (0.0, 0.26),  # travel along the course, whichever way the body faces
    "course_rps": (0.0, 0.20),  # change of the course, positive to the left
    "face_rad": (0.0, 0.22),  # facing against the course, positive to the left
    "twist_rad": (0.0, 0.22),  # shoulder line against hips, positive to the left
    "drop_m": (0.0, 0.22),  # how far the pelvis goes down
    "lean_rad": (0.0, 0.22),  # trunk forward
    "tilt_rad": (0.0, 0.22),  # trunk to the left
    "look_rad": (0.0, 0.16),  # head against where it would look anyway, positive to the left
    "nod_rad": (0.0, 0.18),  # head down
    "shift_m": (0.0, 0.30),  # weight over the left (+) or right (-) foot while standing
    "cross": (0.0, 0.10),  # 1: sidesteps cross instead of closing
    "width_m": (0.0, 0.20),  # added to the distance between the feet
    "lift_m": (0.0, 0.15),  # added to the height of the swinging foot
    "splay_rad": (0.0, 0.20),  # feet and knees turned out beyond the usual
    "pitch": (1.0, 0.20),  # how lively the arms swing
}
STRENGTH_MPS2 = 3.2
"""How fast legs can change the body's speed, [m/s2]; changes asked for at once are spread around their moment."""


@dataclass
class Score:
    """A timeline under construction; ``go`` appends to it."""

    seed: int
    segments: list[tuple[float, dict[str, float]]] = field(default_factory=list)
    tags: list[tuple[str, float, float]] = field(default_factory=list)
    holds: list[tuple[str, float, float, float]] = field(default_factory=list)
    """Arm holds: (name, start, stop, strength), seconds."""
    acts: list[tuple[str, float, float]] = field(default_factory=list)
    """Short whole-body acts: (name, time, size): "jump", "leap", "push_left", "punch_right" ..."""
    quick: float = 1.0
    """Above one: changes take less time than usual (a dodge), below: more."""

    @property
    def seconds(self) -> float:
        """How long it is so far."""
        return float(sum(seconds for seconds, _ in self.segments))

    def go(self, seconds: float, tag: str | None = None, **channels: float) -> Score:
        """Append a stretch in which the named channels hold these values and all others rest."""
        if not 0 < seconds < 3600:
            raise AskedWrongly(f"a stretch of {seconds:g} s cannot be acted; it takes above zero and below an hour")
        for name, value in channels.items():
            if name not in CHANNELS:
                raise UnknownName.among("channel", name, CHANNELS)
            if not np.isfinite(value):
                raise AskedWrongly(f"channel '{name}' is {value}; it needs a number")
        if tag:
            self.tags.append((tag, self.seconds, self.seconds + seconds))
        self.segments.append((seconds, channels))
        return self

    def turn(self, angle_rad: float, seconds: float, tag: str | None = None, **channels: float) -> Score:
        """Append a stretch that changes the facing by ``angle_rad``."""
        return self.go(seconds, tag, turn_rps=angle_rad / seconds, **channels)

    def hold(self, name: str, start: float, stop: float, strength: float = 1.0) -> Score:
        """Hold the arms in a named way between two times [s]."""
        self.holds.append((name, start, stop, strength))
        return self

    def act(self, name: str, time: float, size: float = 1.0) -> Score:
        """Place a short act at a time [s]."""
        self.acts.append((name, time, size))
        return self

    def channels(self) -> dict[str, Array]:
        """All channels at 60 Hz, smoothed. Each (frames,)."""
        frames = int(round(self.seconds * FPS))
        raw = {name: np.full(frames, rest) for name, (rest, _) in CHANNELS.items()}
        at = 0.0
        for seconds, values in self.segments:
            a, b = int(round(at * FPS)), int(round((at + seconds) * FPS))
            for name, value in values.items():
                raw[name][a:b] = value
            at += seconds
        for name in ("ahead_mps", "left_mps", "speed_mps"):
            raw[name] = _within_strength(raw[name], STRENGTH_MPS2 * self.quick)
        smooth = {
            name: values if np.ptp(values) == 0 else gaussian(values, CHANNELS[name][1] / self.quick, FPS)
            for name, values in raw.items()
        }
        # A course is told in the world; the body's own frame is what steps are made of.
        face = smooth["face_rad"]
        smooth["ahead_mps"] = smooth["ahead_mps"] + smooth["speed_mps"] * np.cos(face)
        smooth["left_mps"] = smooth["left_mps"] - smooth["speed_mps"] * np.sin(face)
        turning = np.gradient(face, 1 / FPS) if frames > 1 else 0.0
        smooth["turn_rps"] = smooth["turn_rps"] + smooth["course_rps"] + turning
        return smooth

    def path(self, channels: dict[str, Array]) -> tuple[Array, Array]:
        """Place on the ground (frames, 2) [m], x and z, and facing yaw (frames,) [rad]."""
        turning = channels["turn_rps"]
        facing = np.concatenate([[0.0], np.cumsum(0.5 * (turning[1:] + turning[:-1]))]) / FPS
        ahead, left = channels["ahead_mps"], channels["left_mps"]
        velocity = np.stack(
            [
                np.sin(facing) * ahead + np.cos(facing) * left,
                np.cos(facing) * ahead - np.sin(facing) * left,
            ],
            axis=-1,
        )
        place = np.concatenate([np.zeros((1, 2)), np.cumsum(0.5 * (velocity[1:] + velocity[:-1]), axis=0)]) / FPS
        return place, facing


def _within_strength(speed: Array, strength_mps2: float) -> Array:
    """Speed [m/s] whose changes take their time, half of it before the moment they were asked for. Shape (frames,)."""
    if np.ptp(speed) == 0:
        return speed
    # Two limiters, one looking back and one ahead, each twice as quick: their mean is centred on the change.
    late, early = speed.copy(), speed.copy()
    most = 2 * strength_mps2 / FPS
    for i in range(1, len(speed)):
        late[i] = late[i - 1] + np.clip(speed[i] - late[i - 1], -most, most)
    for i in range(len(speed) - 2, -1, -1):
        early[i] = early[i + 1] + np.clip(speed[i] - early[i + 1], -most, most)
    return np.asarray(0.5 * (late + early))
