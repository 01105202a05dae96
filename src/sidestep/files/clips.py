"""Many clips of one skeleton in one checked file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BadClip
from ..motion.clip import Clip, Event, Prop, Tag
from ..motion.skeleton import Skeleton
from .pack import read_pack, write_pack

KIND, VERSION = "clips", "1"


def skeleton_to_plain(skeleton: Skeleton) -> dict[str, Any]:
    """A skeleton as JSON knows it."""
    return {
        "names": list(skeleton.names),
        "parents": skeleton.parents.tolist(),
        "offsets": np.asarray(skeleton.offsets, np.float64).round(7).tolist(),
        "moving": list(skeleton.moving),
        "ends": {str(j): np.asarray(tip, np.float64).round(7).tolist() for j, tip in skeleton.ends.items()},
    }


def skeleton_from_plain(plain: dict[str, Any]) -> Skeleton:
    """The skeleton that ``skeleton_to_plain`` told."""
    ends = {int(j): np.array(tip, np.float32) for j, tip in plain["ends"].items()}
    offsets = np.array(plain["offsets"], np.float32)
    return Skeleton(tuple(plain["names"]), np.array(plain["parents"]), offsets, tuple(plain["moving"]), ends)


def known_to_plain(clip: Clip) -> dict[str, Any]:
    """All that is known about a clip beside its arrays."""
    return {
        "name": clip.name,
        "frames": len(clip),
        "fps": clip.fps,
        "tags": tuple((t.name, t.start, t.stop) for t in clip.tags),
        "events": tuple((e.name, e.frame) for e in clip.events),
        "props": tuple(asdict(p) for p in clip.props),
    }


def frozen_plain(plain: dict[str, Any]) -> dict[str, Any]:
    """What JSON gave back of ``known_to_plain``, with tuples for lists again."""

    def tuples(value: Any) -> Any:
        return tuple(tuples(v) for v in value) if isinstance(value, list) else value

    return {
        **{key: tuples(value) for key, value in plain.items()},
        "props": tuple({key: tuples(value) for key, value in prop.items()} for prop in plain["props"]),
    }


def known_from_plain(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments for ``Clip`` from ``known_to_plain``."""
    return {
        "name": plain["name"],
        "fps": plain["fps"],
        "tags": tuple(Tag(*t) for t in plain["tags"]),
        "events": tuple(Event(*e) for e in plain["events"]),
        "props": tuple(prop_from_plain(p) for p in plain["props"]),
    }


def prop_from_plain(plain: Mapping[str, Any]) -> Prop:
    """A prop that ``asdict`` told."""
    size, position, rotation = (tuple(plain[key]) for key in ("size", "position", "rotation"))
    return Prop(plain["name"], plain["joint"], plain["shape"], size, position, rotation)


def write_clips(path: Path, clips: Sequence[Clip], description: dict[str, Any]) -> None:
    """Write clips that share a skeleton, and anything else worth telling."""
    skeleton = clips[0].skeleton
    for clip in clips:
        if not clip.skeleton.same_bones(skeleton):
            raise BadClip(f"clip '{clip.name}' has another skeleton than '{clips[0].name}'; retarget it first")
    arrays = {
        "rotations": np.concatenate([clip.rotations for clip in clips]),
        "translations": np.concatenate([clip.translations for clip in clips]),
        "contacts": np.concatenate([_contacts(clip) for clip in clips]),
    }
    told = {**description, "skeleton": skeleton_to_plain(skeleton), "clips": [known_to_plain(clip) for clip in clips]}
    write_pack(path, KIND, VERSION, arrays, told)


def read_clips(path: Path) -> tuple[list[Clip], dict[str, Any]]:
    """Read what ``write_clips`` wrote: the clips and the rest of the description."""
    arrays, told = read_pack(path, KIND, VERSION)
    skeleton = skeleton_from_plain(told.pop("skeleton"))
    clips, start = [], 0
    contacts = arrays["contacts"]
    for plain in told.pop("clips"):
        span = slice(start, start + plain["frames"])
        start = span.stop
        stood = contacts[span]
        clips.append(
            Clip(
                skeleton=skeleton,
                rotations=arrays["rotations"][span],
                translations=arrays["translations"][span],
                contacts=None if (stood == _UNKNOWN).any() else stood.view(np.bool_),
                **known_from_plain(plain),
            )
        )
    return clips, told


_UNKNOWN = 2


def _contacts(clip: Clip) -> Any:
    if clip.contacts is None:
        return np.full((len(clip), 4), _UNKNOWN, np.uint8)
    return clip.contacts.astype(np.uint8)
