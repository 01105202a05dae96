"""A database arranged for searching: poses in blocks, boxes around blocks, groups of blocks and chunks of groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from ..arrays import Array, Flags, Indices, frozen
from ..database import Database
from ..errors import AskedWrongly, UnknownName
from .cost import BIGGEST, HIGH_LEAST, LOW_MOST, SLOTS, SPREAD
from .tables import Tables

LANES = 16
"""Poses of a block, one after the other in time; they are scored side by side."""
SIDES = 16
"""Blocks of a group, and groups of a chunk: their boxes are bounded side by side."""
PIECE = 256
"""Blocks that are boxed at once."""
FOUR = 4
"""Dimensions are worked on four at a time; what is missing to that is filled with nothing."""
NOWHERE = 1e4
"""What the last dimension holds where a frame must not be chosen; a query holds zero there, at full weight."""
PLACES_COUNT = 4.0
"""How much more future places count than other features when blocks are arranged: penalties hang on them alone."""
FIRST = ("positions", "directions")
"""Features that tell poses apart soonest; they stand first."""
Body = Literal["ellipse", "disk"]
BODIES: tuple[Body, ...] = get_args(Body)


@dataclass(frozen=True, eq=False)
class Index:
    """Everything a search reads; frozen."""

    database: Database
    order: Indices
    """Which of the database's query columns stands where. Shape (query dims,)."""
    searchable: Flags
    """Which frames may be chosen. Shape (frames,)."""
    tables: Tables
    far: Array
    """How far from a character what is in the way can matter at the three times, without reach, [m]. Shape (3,)."""

    @classmethod
    def of(
        cls, database: Database, only: Flags | None = None, body: Body = "ellipse", dear: Array | None = None
    ) -> Index:
        """Arrange a database.

        Args:
            database: With future positions, ellipses and heights among its features.
            only: Restricts it to some frames (a tag, some clips); what is left out costs nothing.
            body: Footprints as ellipses, or as the disks around them (EMM 6.5).
            dear: What each frame costs by itself, on top of its score, zero or more. Shape (frames,).

        Raises:
            AskedWrongly: Its features have no ellipses or heights, or nothing remains to be searched.
        """
        if body not in BODIES:
            raise UnknownName.among("body", body, BODIES)
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
        values, real = _in_blocks(database, order, allowed, dear)  # (blocks, 16, dims), (blocks, 16)
        kept = np.flatnonzero(real.any(1))
        inside = np.where(real[kept, :, None], 1.0, np.nan).astype(np.float32)
        middles = np.nanmean(values[kept][..., : len(order)] * inside, axis=1)
        width = columns["positions"].stop - columns["positions"].start
        middles[:, :width] *= PLACES_COUNT
        kept = kept[_arranged(middles)]
        values, real = values[kept], real[kept]
        bodies = _bodies(database, body)
        boxed = [_box(values, real)]
        runs = bodies.reshape(-1, LANES, SLOTS, 8)[kept]
        # In pieces: fresh memory for all at once takes longer than the arithmetic.
        pieces = [slice(start, start + PIECE) for start in range(0, len(kept), PIECE)]
        reaches = [np.concatenate([_reach(runs[piece], real[piece]) for piece in pieces])]
        for _ in range(2):
            boxed.append(_around(*boxed[-1]))
            reaches.append(_reach_around(reaches[-1]))
        block_of = np.full(len(bodies) // LANES, -1, np.int32)
        block_of[kept] = np.arange(len(kept))
        (block_low, block_high), (group_low, group_high), (chunk_low, chunk_high) = boxed
        tables = Tables(
            poses=frozen(values.transpose(0, 2, 1)),
            begins=frozen(kept * LANES, np.int32),
            block_of=frozen(block_of, np.int32),
            block_low=frozen(_side_by_side(block_low)),
            block_high=frozen(_side_by_side(block_high)),
            group_low=frozen(_side_by_side(group_low)),
            group_high=frozen(_side_by_side(group_high)),
            chunk_low=frozen(chunk_low.T),
            chunk_high=frozen(chunk_high.T),
            bodies=frozen(bodies),
            block_reach=frozen(reaches[0]),
            group_reach=frozen(reaches[1]),
            chunk_reach=frozen(reaches[2]),
        )
        chosen = bodies[: len(database)][allowed]
        far = np.linalg.norm(chosen[..., :2], axis=-1) + chosen[..., 4:6].max(-1)
        return cls(database, frozen(order, np.int32), frozen(allowed, np.bool_), tables, frozen(far.max(0), np.float64))


def _telling_first(database: Database) -> Indices:
    """Trajectory columns before the rest."""
    columns, query = database.features.columns(), [feature.name for feature in database.features.query]
    names = sorted(query, key=lambda name: name not in FIRST)
    return np.concatenate([np.arange(columns[name].start, columns[name].stop) for name in names])


def _in_blocks(database: Database, order: Indices, allowed: Flags, dear: Array | None) -> tuple[Array, Flags]:
    """Query features and which of them count, sixteen frames at a time.

    The last dimension holds what a frame costs by itself, as the distance from zero that costs so much, and shuts
    frames out.
    """
    frames, dims = len(database), FOUR * (len(order) // FOUR + 1)
    padded = np.zeros((LANES * -(-frames // LANES), dims), np.float32)
    padded[:frames, : len(order)] = database.values[:, order]
    real = np.zeros(len(padded), np.bool_)
    real[:frames] = allowed
    if dear is not None:
        padded[:frames, -1] = np.sqrt(np.maximum(dear, 0.0))
    padded[~real, -1] = NOWHERE
    return padded.reshape(-1, LANES, dims), real.reshape(-1, LANES)


def _arranged(middles: Array) -> Indices:
    """An order in which neighbours are alike: halved again and again across the widest dimension."""
    order = np.arange(len(middles))
    size = SIDES * SIDES * max(1, 1 << (max(len(middles) // (SIDES * SIDES), 1) - 1).bit_length())
    waiting = [(0, len(order), size)]
    while waiting:
        start, stop, size = waiting.pop()
        # Full runs to the left, so that groups and chunks are whole but for the last ones.
        half = size // 2
        if stop - start <= 1 or half < 1:
            continue
        if stop - start > half:
            part = order[start:stop]
            widest = int(np.argmax(np.ptp(middles[part], axis=0)))
            order[start:stop] = part[np.argsort(middles[part, widest], kind="stable")]
            waiting += [(start, start + half, half), (start + half, stop, half)]
        else:
            waiting.append((start, stop, half))
    return order


def _box(values: Array, real: Flags) -> tuple[Array, Array]:
    """Boxes around what counts of each block. Shapes (blocks, dims)."""
    inside = real[..., None]
    return np.where(inside, values, np.inf).min(1), np.where(inside, values, -np.inf).max(1)


def _around(low: Array, high: Array) -> tuple[Array, Array]:
    """Boxes around each sixteen boxes."""
    starts = np.arange(0, len(low), SIDES)
    return np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)


def _side_by_side(boxes: Array) -> Array:
    """Sixteen boxes of a parent next to each other; what is missing is nowhere. Shape (parents, dims, 16)."""
    filled = np.full((SIDES * -(-len(boxes) // SIDES), boxes.shape[1]), NOWHERE, np.float32)
    filled[: len(boxes)] = boxes
    return filled.reshape(-1, SIDES, boxes.shape[1]).transpose(0, 2, 1)


def _bodies(database: Database, body: Body) -> Array:
    """The three future bodies of every frame, frames filled up to whole blocks. Shape (frames, 3, 8)."""
    places = database.raw("positions").reshape(len(database), SLOTS, 2)
    ellipses = database.raw("ellipses").reshape(len(database), SLOTS, 3)
    heights = database.raw("heights").reshape(len(database), SLOTS, 2)
    major = np.linalg.norm(ellipses[..., :2], axis=-1, keepdims=True)
    axis = ellipses[..., :2] / np.maximum(major, 1e-6)
    sizes = np.maximum(np.concatenate([major, ellipses[..., 2:]], axis=-1), 0.01)
    if body == "disk":
        sizes = np.repeat(sizes.max(-1, keepdims=True), 2, axis=-1)
    bodies = np.zeros((LANES * -(-len(database) // LANES), SLOTS, 8), np.float32)
    bodies[: len(database)] = np.concatenate([places, axis, sizes, heights], axis=-1)
    return bodies


def _reach(bodies: Array, real: Flags) -> Array:
    """Boxes of the bodies of each block (see ``cost``). Shape (blocks, 3, 10)."""
    inside = real[:, :, None]

    def least(values: Array) -> Array:
        return np.where(inside, values, np.inf).min(1)

    def most(values: Array) -> Array:
        return np.where(inside, values, -np.inf).max(1)

    middle = np.stack([(least(bodies[..., k]) + most(bodies[..., k])) / 2 for k in (0, 1)], axis=-1)
    away = np.linalg.norm(bodies[..., :2] - middle[:, None], axis=-1)
    narrowest = np.where(real[:, :, None, None], _supports(bodies), np.inf).min(1)
    rest = [most(bodies[..., 6]), least(bodies[..., 7]), most(away), most(bodies[..., 4:6].max(-1))]
    return np.concatenate([middle, _core(narrowest), np.stack(rest, axis=-1)], axis=-1)


def _reach_around(reach: Array) -> Array:
    """The same around each sixteen of them."""
    padded = np.concatenate([reach, np.repeat(reach[-1:], -len(reach) % SIDES, axis=0)])
    parts = padded.reshape(-1, SIDES, SLOTS, padded.shape[-1])
    # The smallest disk around disks is not needed: the middle of their extents will do.
    low = (parts[..., :2] - parts[..., SPREAD, None]).min(1)
    high = (parts[..., :2] + parts[..., SPREAD, None]).max(1)
    middle = (low + high) / 2
    spread = (np.linalg.norm(parts[..., :2] - middle[:, None], axis=-1) + parts[..., SPREAD]).max(1)
    core = _core(_supports(parts).min(1))
    rest = [parts[..., LOW_MOST].max(1), parts[..., HIGH_LEAST].min(1), spread, parts[..., BIGGEST].max(1)]
    return np.concatenate([middle, core, np.stack(rest, axis=-1)], axis=-1)


def _supports(bodies: Array) -> Array:
    """How far ellipses (columns 2 to 5) reach in each of the ``_WAYS``. Shape (..., ways)."""
    along = bodies[..., 2, None] * _WAYS[:, 0] + bodies[..., 3, None] * _WAYS[:, 1]
    return np.sqrt(bodies[..., 4, None] ** 2 * along**2 + bodies[..., 5, None] ** 2 * (1 - along**2))


def _core(narrowest: Array) -> Array:
    """An ellipse that nowhere reaches further than so far in each of the ways: unit axis and half lengths (..., 4)."""
    first = narrowest.argmax(-1)
    axis = _WAYS[first]
    across = (first + len(_WAYS) // 2) % len(_WAYS)
    sizes = np.stack([np.take_along_axis(narrowest, k[..., None], -1)[..., 0] for k in (first, across)], axis=-1)
    ellipse = np.concatenate([np.zeros_like(axis), axis, sizes], axis=-1)
    # Between the ways, ellipses are rounder than half a hundredth.
    fits = 0.99 * np.minimum((narrowest / np.maximum(_supports(ellipse), 1e-9)).min(-1, keepdims=True), 1.0)
    return np.concatenate([axis, sizes * fits], axis=-1)


_ANGLES = np.arange(32) * np.pi / 32
_WAYS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=-1)
"""Directions over half a turn; ellipses are the same on the other side. Shape (32, 2)."""
