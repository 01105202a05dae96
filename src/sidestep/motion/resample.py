"""A clip at another frame rate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Array
from ..errors import BadClip
from . import quaternion as quat
from .clip import Clip, Event, Tag


def resample(clip: Clip, fps: float) -> Clip:
    """The same motion at ``fps`` frames a second, by cubics through the frames.

    Cubics, since straight lines between 30 Hz frames give 60 Hz velocities that jump at every second frame. Contacts
    are taken from the nearest frame. The new clip ends at the last whole new frame.
    """
    if not fps > 0:
        raise BadClip(f"clip '{clip.name}': cannot be resampled to {fps} frames a second; it must be above zero")
    if abs(fps - clip.fps) < 1e-6 * fps:
        return replace(clip, fps=fps)
    last = len(clip) - 1
    frames = int(np.floor(last / clip.fps * fps + 1e-6)) + 1
    at = np.minimum(np.arange(frames) * (clip.fps / fps), last)  # (frames,) in old frames
    ratio = fps / clip.fps
    nearest = np.rint(at).astype(int)
    return replace(
        clip,
        fps=fps,
        rotations=quat.normalize(cubic(quat.unrolled(clip.rotations), at)),
        translations=cubic(clip.translations, at),
        contacts=None if clip.contacts is None else clip.contacts[nearest],
        tags=tuple(
            Tag(t.name, int(round(t.start * ratio)), min(int(round(t.stop * ratio)), frames))
            for t in clip.tags
            if round(t.start * ratio) < min(round(t.stop * ratio), frames)
        ),
        events=tuple(Event(e.name, min(int(round(e.frame * ratio)), frames - 1)) for e in clip.events),
    )


def cubic(values: Array, at: Array) -> Array:
    """Catmull-Rom values between frames.

    Args:
        values: Shape (frames, ...).
        at: Places in frames, 0 to frames - 1. Shape (samples,).

    Returns:
        Shape (samples, ...); exactly the frames where ``at`` is whole.
    """
    last = len(values) - 1
    left = np.clip(np.floor(at).astype(int), 0, max(last - 1, 0))
    t = (at - left).astype(np.float32).reshape(-1, *[1] * (values.ndim - 1))
    p1, p2 = values[left], values[np.minimum(left + 1, last)]
    # Beyond the ends the neighbours continue straight.
    p0 = np.where((left == 0).reshape(t.shape), 2 * p1 - p2, values[np.maximum(left - 1, 0)])
    p3 = np.where((left + 2 > last).reshape(t.shape), 2 * p2 - p1, values[np.minimum(left + 2, last)])
    slope1, slope2 = 0.5 * (p2 - p0), 0.5 * (p3 - p1)
    rise = p2 - p1
    result = p1 + t * (slope1 + t * (3 * rise - 2 * slope1 - slope2 + t * (slope1 + slope2 - 2 * rise)))
    return np.asarray(result, values.dtype)
