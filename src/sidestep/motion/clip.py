"""A clip: a skeleton in motion, and what is known about it frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..arrays import Array, Flags, frozen
from ..errors import BadClip
from .kinematics import forward
from .skeleton import Skeleton

CONTACTS = ("left heel", "left toe", "right heel", "right toe")
"""The columns of ``Clip.contacts``."""


@dataclass(frozen=True)
class Tag:
    """Something that holds for the frames ``start`` to ``stop`` (exclusive): "walk", "crouch", "box" ..."""

    name: str
    start: int
    stop: int


@dataclass(frozen=True)
class Event:
    """Something that happens in one frame: "takeoff", "landing", "push" ..."""

    name: str
    frame: int


@dataclass(frozen=True, eq=False)
class Prop:
    """A thing rigidly held by a joint; it counts as part of the body."""

    name: str
    joint: str
    shape: Literal["box", "rod"]
    size: tuple[float, float, float]
    """Full extents in the prop's own frame, [m]. A rod is one that is far longer than thick."""
    position: tuple[float, float, float]
    """Place of the prop's centre in the joint's frame, [m]."""
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    """Prop to joint."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Clip:
    """A take: local rotations and the places of the moving joints, frame by frame."""

    name: str
    skeleton: Skeleton
    rotations: Array
    """Joint to parent, unit quaternions, w first. Shape (frames, joints, 4)."""
    translations: Array
    """Places of ``skeleton.moving`` in their parents' frames, [m]. Shape (frames, moving, 3)."""
    fps: float = 60.0
    contacts: Flags | None = None
    """Which of ``CONTACTS`` stands on the ground; None where nobody has looked yet. Shape (frames, 4)."""
    tags: tuple[Tag, ...] = ()
    events: tuple[Event, ...] = ()
    props: tuple[Prop, ...] = ()

    def __post_init__(self) -> None:
        """Freeze the arrays and refuse shapes that do not fit together."""
        object.__setattr__(self, "rotations", frozen(self.rotations))
        object.__setattr__(self, "translations", frozen(self.translations))
        if self.contacts is not None:
            object.__setattr__(self, "contacts", frozen(self.contacts, np.bool_))
        frames, joints, moving = len(self.rotations), len(self.skeleton), len(self.skeleton.moving)
        found: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
            "rotations": (self.rotations.shape, (frames, joints, 4)),
            "translations": (self.translations.shape, (frames, moving, 3)),
        }
        if self.contacts is not None:
            found["contacts"] = (self.contacts.shape, (frames, len(CONTACTS)))
        for what, (shape, expected) in found.items():
            if shape != expected:
                raise BadClip(f"clip '{self.name}': {what} have shape {shape}, the skeleton asks for {expected}")
        if frames == 0:
            raise BadClip(f"clip '{self.name}' has no frames")
        if not self.fps > 0:
            raise BadClip(f"clip '{self.name}': {self.fps} frames a second; it must be above zero")

    def __repr__(self) -> str:
        """One line: name, length, rate, body."""
        return f"<Clip '{self.name}': {len(self)} frames at {self.fps:g} a second, {len(self.skeleton)} joints>"

    def __len__(self) -> int:
        """How many frames there are."""
        return len(self.rotations)

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self) / self.fps

    def cut(self, start: int, stop: int, name: str | None = None) -> Clip:
        """The frames ``start`` to ``stop`` (exclusive) with the tags and events that fall into them."""
        start, stop, _ = slice(start, stop).indices(len(self))
        if stop <= start:
            raise BadClip(f"clip '{self.name}': frames {start} to {stop} of {len(self)} are none")
        tags = (Tag(t.name, max(t.start, start) - start, min(t.stop, stop) - start) for t in self.tags)
        return replace(
            self,
            name=name or self.name,
            rotations=self.rotations[start:stop],
            translations=self.translations[start:stop],
            contacts=None if self.contacts is None else self.contacts[start:stop],
            tags=tuple(t for t in tags if t.stop > t.start),
            events=tuple(Event(e.name, e.frame - start) for e in self.events if start <= e.frame < stop),
        )

    def world(self) -> tuple[Array, Array]:
        """Positions (frames, joints, 3) [m] and rotations joint-to-world (frames, joints, 4)."""
        return forward(self.skeleton, self.rotations, self.translations)
