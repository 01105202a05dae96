"""A skeleton: named joints in a tree, each with a resting place in its parent's frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..arrays import Array, Indices, frozen
from ..errors import BadSkeleton, UnknownName


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints in an order in which every parent stands before its children."""

    names: tuple[str, ...]
    parents: Indices
    """Index of each joint's parent, -1 for the one root. Shape (joints,)."""
    offsets: Array
    """Resting place of each joint in its parent's frame, [m]. Shape (joints, 3)."""
    moving: tuple[int, ...] = (0,)
    """Joints whose place in their parent's frame is animated and replaces the offset."""
    ends: dict[int, Array] = field(default_factory=dict)
    """Tips of end joints in their frame, [m]: joint -> (3,). Toe tips, top of the head, fingertips."""

    def __post_init__(self) -> None:
        """Freeze the arrays and refuse a tree that is none."""
        object.__setattr__(self, "parents", frozen(self.parents, np.int32))
        object.__setattr__(self, "offsets", frozen(self.offsets))
        object.__setattr__(self, "ends", {j: frozen(tip) for j, tip in self.ends.items()})
        if self.offsets.shape != (len(self.names), 3) or self.parents.shape != (len(self.names),):
            raise BadSkeleton(
                f"{len(self.names)} names need parents of shape ({len(self.names)},) and offsets of shape "
                f"({len(self.names)}, 3), not {self.parents.shape} and {self.offsets.shape}"
            )
        if len(self.names) == 0 or self.parents[0] != -1 or (self.parents[1:] < 0).any():
            raise BadSkeleton("a skeleton needs exactly one root, and it must be the first joint")
        late = np.flatnonzero(self.parents >= np.arange(len(self.names)))
        if late.size:
            raise BadSkeleton(f"joint '{self.names[late[0]]}' stands before its parent; list parents first")

    @cached_property
    def _content(self) -> tuple[object, ...]:
        ends = tuple((joint, self.ends[joint].tobytes()) for joint in sorted(self.ends))
        return self.names, self.parents.tobytes(), self.offsets.tobytes(), self.moving, ends

    def __eq__(self, other: object) -> bool:
        """Skeletons are equal when everything about them is."""
        return isinstance(other, Skeleton) and self._content == other._content

    def __hash__(self) -> int:
        """By content: what is grown around one skeleton (a mesh, capsules) serves every equal one."""
        return hash(self._content)

    def __len__(self) -> int:
        """How many joints there are."""
        return len(self.names)

    def index(self, name: str) -> int:
        """The index of a joint by its name."""
        try:
            return self.names.index(name)
        except ValueError:
            raise UnknownName.among("joint", name, self.names) from None

    def children(self, joint: int) -> list[int]:
        """The joints that hang on this one."""
        return [int(child) for child in np.flatnonzero(self.parents == joint)]

    def resting_positions(self) -> Array:
        """Joint positions with all rotations zero, [m]. Shape (joints, 3)."""
        positions = np.array(self.offsets)
        for joint, parent in enumerate(self.parents[1:], start=1):
            positions[joint] += positions[parent]
        return positions

    def scaled(self, factor: float) -> Skeleton:
        """The same skeleton, larger or smaller."""
        return Skeleton(
            self.names, self.parents, self.offsets * factor, self.moving, {j: t * factor for j, t in self.ends.items()}
        )

    @cached_property
    def moving_column(self) -> Indices:
        """For each joint its column in ``Clip.translations``, or -1 where the offset holds. Shape (joints,)."""
        column = np.full(len(self.names), -1, np.int32)
        column[list(self.moving)] = np.arange(len(self.moving))
        column.flags.writeable = False
        return column

    def same_tree(self, other: Skeleton) -> bool:
        """Whether names, parents and animated joints agree (bone lengths may differ)."""
        return self.names == other.names and np.array_equal(self.parents, other.parents) and self.moving == other.moving

    def same_bones(self, other: Skeleton, tolerance_m: float = 1e-3) -> bool:
        """Whether the trees agree and, up to a tolerance, the bone lengths too."""
        # Where a joint is animated, its offset is never used.
        used = self.moving_column < 0
        return self.same_tree(other) and np.allclose(self.offsets[used], other.offsets[used], rtol=0, atol=tolerance_m)


def from_tree(
    rows: Sequence[tuple[str, str | None, tuple[float, float, float]]],
    ends: dict[str, tuple[float, float, float]] | None = None,
) -> Skeleton:
    """Build a skeleton from rows of (name, parent's name, offset [m]) and tips by joint name."""
    names = tuple(row[0] for row in rows)
    parents = np.array([-1 if parent is None else names.index(parent) for _, parent, _ in rows])
    tips = {names.index(name): np.array(tip) for name, tip in (ends or {}).items()}
    return Skeleton(names, parents, np.array([offset for *_, offset in rows]), (0,), tips)
