"""What kernels are handed: the index as arrays, the questions as arrays, and what is in the way."""

from __future__ import annotations

from typing import NamedTuple

from ..arrays import Array, Indices


class Tables(NamedTuple):
    """An index as kernels read it (see ``Index``)."""

    poses: Array
    """Query features of blocks of 16 poses. Shape (blocks, dims, 16)."""
    begins: Indices
    """First frame of each block. Shape (blocks,)."""
    block_of: Indices
    """Which block holds frame ``16 i``, -1 for none. Shape (frames / 16,)."""
    block_low: Array
    """Boxes around blocks, sixteen side by side. Shape (groups, dims, 16)."""
    block_high: Array
    group_low: Array
    """Boxes around groups, sixteen side by side. Shape (chunks, dims, 16)."""
    group_high: Array
    chunk_low: Array
    """Boxes around chunks. Shape (dims, chunks)."""
    chunk_high: Array
    bodies: Array
    """The three future bodies of every frame (see ``cost``), [m]. Shape (frames, 3, 8)."""
    block_reach: Array
    """Boxes of the bodies of each block (see ``cost``). Shape (blocks, 3, 10)."""
    group_reach: Array
    """Shape (groups, 3, 10)."""
    chunk_reach: Array
    """Shape (chunks, 3, 10)."""


class Asked(NamedTuple):
    """Questions, one a character."""

    values: Array
    """Query features in the index's order. Shape (asks, dims)."""
    weights: Array
    """Shape (asks, dims)."""
    environments: Array
    """As ``Environment.packed``. Shape (asks, 8)."""
    going_on: Indices
    """The frame that would simply be played next, -1 if there is none. Shape (asks,)."""
    rewards: Array
    """What is taken off its score. Shape (asks,)."""
    hints: Indices
    """A frame near which the answer may be, -1 if none is known. Shape (asks,)."""


class Around(NamedTuple):
    """What is in the way of each who asks, in their own frames."""

    rows: Array
    """See ``geometry.shapes``. Shape (rows, 12)."""
    corners: Array
    """Shape (corners, 2)."""
    slots: Indices
    """Where the rows of each look-ahead time begin, and where the last one's end. Shape (asks, 4)."""
    costs: Indices
    """Addresses of registered penalties (see ``penalties``). Shape (penalties,)."""
    bounds: Indices
    """Addresses of what each costs at least over a box of bodies, 0 where nothing is known. Shape (penalties,)."""
    given: Array
    """What each is told. Shape (asks, penalties, numbers)."""


class Desk(NamedTuple):
    """Room for one search to write on; made by whoever calls it, who thereby keeps it alive."""

    spots: Array
    """What tells at once that a row is far (see ``cost.spots_of``). Shape (rows, 4)."""
    rows: Indices
    """All rows. Shape (rows,) uint32."""
    slots: Indices
    """Where those of each look-ahead time begin. Shape (4,) uint64."""
    near: Indices
    """Rows that may matter to a chunk, a group, a block. Shape (3, rows) uint32."""
    ends: Indices
    """Where theirs begin. Shape (3, 4) uint64."""
    bounds: Array
    """Of sixteen groups and of sixteen blocks. Shape (2, 16) float32."""
    turns: Indices
    """In which order those are taken. Shape (2, 16) uint32."""
    away: Array
    """Bounds of chunks. Shape (chunks,) float32."""
    distances: Array
    """Of sixteen poses. Shape (16,) float32."""
