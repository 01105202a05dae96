"""A database arranged for searching: poses in blocks of sixteen, and boxes around blocks and around groups of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Flags, Indices, frozen
from ..database import Database
from ..errors import AskedWrongly
from .cost import SLOTS

LANES = 16
"""Poses of a block; they are scored side by side."""
FOUR = 4
"""Dimensions are worked on four at a time; what is missing to that is filled with nothing."""
GROUP = 4
"""Blocks of a group: bounding all groups of 64 poses costs less than looking into larger ones in vain."""
NOWHERE = 1e4
"""Where frames are put that must not be chosen: no query comes near, and its square is still a number."""
FIRST = ("positions", "directions")
"""Features that tell poses apart soonest; they stand first."""


@dataclass(frozen=True, eq=False)
class Index:
    """Everything a search reads; frozen."""

    database: Database
    order: Indices
    """Which of the database's query columns stands where. Shape (query dims,)."""
    poses: Array
    """Query features, in that order, dims a multiple of four. Shape (blocks, dims, 16)."""
    block_low: Array
    """Boxes around blocks. Shape (groups, dims, 16 blocks)."""
    block_high: Array
    group_low: Array
    """Boxes around groups. Shape (dims, groups)."""
    group_high: Array
    bodies: Array
    """The three future bodies of every frame (see ``cost``), [m]. Shape (frames, 3, 8)."""
    block_reach: Array
    """Of each block: where its bodies are and how small the smallest is (see ``_reach``). Shape (blocks, 3, 6)."""
    group_reach: Array
    """Of each group. Shape (groups, 3, 6)."""
    searchable: Flags
    """Shape (frames,)."""

    @classmethod
    def of(cls, database: Database, only: Flags | None = None) -> Index:
        """Arrange a database; ``only`` restricts it to some frames (a tag, some clips).

        Raises:
            AskedWrongly: Its features have no ellipses or heights, or nothing remains to be searched.
        """
        columns = database.features.columns()
        missing = [name for name in ("positions", "ellipses", "heights") if name not in columns]
        if missing:
            raise AskedWrongly(f"feature set '{database.features.name}' has no '{missing[0]}'; obstacles need it")
        allowed = database.searchable if only is None else database.searchable & only
        if not allowed.any():
            raise AskedWrongly(
                "no frame may be chosen: clips are shorter than the look-ahead, or the restriction is empty"
            )
        order = _telling_first(database)
        frames, dims = len(database), FOUR * -(-len(order) // FOUR)
        groups = -(-frames // (LANES * GROUP))
        padded = np.full((groups * GROUP * LANES, dims), NOWHERE, np.float32)
        padded[:, len(order) :] = 0.0
        padded[:frames, : len(order)][allowed] = database.values[:, order][allowed]
        real = np.zeros(len(padded), np.bool_)
        real[:frames] = allowed
        blocks = padded.reshape(-1, LANES, dims)
        inside = real.reshape(-1, LANES, 1)
        low = np.where(inside, blocks, np.inf).min(1)
        high = np.where(inside, blocks, -np.inf).max(1)
        # An empty box is nowhere.
        empty = ~real.reshape(-1, LANES).any(axis=1)
        low[empty] = high[empty] = NOWHERE
        by_group = (groups, GROUP, dims)
        full = ~empty.reshape(groups, GROUP, 1)
        group_low = np.where(full, low.reshape(by_group), np.inf).min(1)
        group_high = np.where(full, high.reshape(by_group), -np.inf).max(1)
        hollow = empty.reshape(groups, GROUP).all(axis=1)
        group_low[hollow] = group_high[hollow] = NOWHERE
        bodies = _bodies(database)
        return cls(
            database=database,
            order=frozen(order, np.int32),
            poses=frozen(blocks.transpose(0, 2, 1)),
            block_low=frozen(low.reshape(by_group).transpose(0, 2, 1)),
            block_high=frozen(high.reshape(by_group).transpose(0, 2, 1)),
            group_low=frozen(group_low.T),
            group_high=frozen(group_high.T),
            bodies=frozen(bodies),
            block_reach=frozen(_reach(bodies, real, LANES)),
            group_reach=frozen(_reach(bodies, real, LANES * GROUP)),
            searchable=frozen(allowed, np.bool_),
        )


def _telling_first(database: Database) -> Indices:
    """Trajectory columns before the rest."""
    columns, query = database.features.columns(), [feature.name for feature in database.features.query]
    names = sorted(query, key=lambda name: name not in FIRST)
    return np.concatenate([np.arange(columns[name].start, columns[name].stop) for name in names])


def _bodies(database: Database) -> Array:
    places = database.raw("positions").reshape(len(database), SLOTS, 2)
    ellipses = database.raw("ellipses").reshape(len(database), SLOTS, 3)
    heights = database.raw("heights").reshape(len(database), SLOTS, 2)
    major = np.linalg.norm(ellipses[..., :2], axis=-1, keepdims=True)
    axis = ellipses[..., :2] / np.maximum(major, 1e-6)
    sizes = np.maximum(np.concatenate([major, ellipses[..., 2:]], axis=-1), 0.01)
    return np.concatenate([places, axis, sizes, heights], axis=-1).astype(np.float32)


def _reach(bodies: Array, real: Flags, size: int) -> Array:
    """What bounds the penalties of many poses: where they are at most, how small they are at least.

    Of each run of ``size`` frames and each look-ahead time: the middle of all places (x, z), the furthest from it, the
    smallest half length, the highest low point and the lowest high point, [m]. An empty run has no size at all.
    """
    padded = np.zeros((len(real), *bodies.shape[1:]), np.float32)
    padded[: len(bodies)] = bodies
    runs, inside = padded.reshape(-1, size, *bodies.shape[1:]), real.reshape(-1, size, 1)

    def over(values: Array, best: str) -> Array:
        filled = np.where(inside, values, np.inf if best == "min" else -np.inf)
        found = filled.min(1) if best == "min" else filled.max(1)
        return np.where(np.isfinite(found), found, 0.0)

    middle = np.stack([(over(runs[..., k], "min") + over(runs[..., k], "max")) / 2 for k in (0, 1)], axis=-1)
    away = np.linalg.norm(runs[..., :2] - middle[:, None], axis=-1)
    rows = [
        over(away, "max"),
        over(runs[..., 4:6].min(-1), "min"),
        over(runs[..., 6], "max"),
        over(runs[..., 7], "min"),
    ]
    return np.concatenate([middle, np.stack(rows, axis=-1)], axis=-1)
