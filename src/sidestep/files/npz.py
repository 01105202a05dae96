"""npz files: AMASS and SMPL poses in, sidestep's own clips in and out."""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict
from pathlib import Path

import numpy as np

from ..errors import BadFile, DamagedFile, SidestepError
from ..motion.clip import Clip, Event, Tag
from ..motion.skeleton import Skeleton
from .amass import read_amass
from .clips import prop_from_plain
from .repair import Raw
from .safely import write_whole

OWN = "sidestep clip 1"


def read_npz(path: Path) -> Raw | Clip:
    """Read either kind; sidestep's own clips come back as they were, AMASS as raw motion to be repaired."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as data:
            if "format" in data and str(data["format"]) == OWN:
                return _own(data)
            if "poses" in data and "trans" in data:
                return read_amass(path, data)
            held = ", ".join(sorted(data.files)[:6])
    except SidestepError as error:
        raise type(error)(f"{path.name}: {str(error).removeprefix(f'{path.name}: ')}") from error
    except (OSError, ValueError, TypeError, zipfile.BadZipFile, EOFError, KeyError) as error:
        raise DamagedFile(f"{path.name}: not a readable npz file; fetch or export it again") from error
    raise BadFile(f"{path.name}: no motion known here (it holds {held}); AMASS files hold 'poses' and 'trans'")


def write_npz(path: Path, clip: Clip) -> None:
    """Write a clip with all that is known about it."""
    skeleton = clip.skeleton
    known = {
        "name": clip.name,
        "tags": [asdict(tag) for tag in clip.tags],
        "events": [asdict(event) for event in clip.events],
        "props": [asdict(prop) for prop in clip.props],
    }
    arrays = {
        "format": np.array(OWN),
        "names": np.array(skeleton.names),
        "parents": skeleton.parents,
        "offsets": skeleton.offsets,
        "moving": np.array(skeleton.moving),
        "end_joints": np.array(list(skeleton.ends), np.int32),
        "end_tips": np.array(list(skeleton.ends.values()), np.float32).reshape(-1, 3),
        "rotations": clip.rotations,
        "translations": clip.translations,
        "fps": np.array(clip.fps),
        "positions": clip.world()[0],
        "known": np.array(json.dumps(known)),
    }
    if clip.contacts is not None:
        arrays["contacts"] = clip.contacts

    def fill(part: Path) -> None:
        with part.open("wb") as stream:
            np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]

    write_whole(path, fill)


def _own(data: np.lib.npyio.NpzFile) -> Clip:
    known = json.loads(str(data["known"]))
    ends = {int(j): tip for j, tip in zip(data["end_joints"], data["end_tips"], strict=True)}
    moving = tuple(int(j) for j in data["moving"])
    skeleton = Skeleton(tuple(str(n) for n in data["names"]), data["parents"], data["offsets"], moving, ends)
    for name in ("rotations", "translations", "offsets"):
        if not np.isfinite(data[name]).all():
            raise DamagedFile(f"'{name}' holds values that are not finite")
    return Clip(
        name=known["name"],
        skeleton=skeleton,
        rotations=data["rotations"],
        translations=data["translations"],
        fps=float(data["fps"]),
        contacts=data.get("contacts"),
        tags=tuple(Tag(**tag) for tag in known["tags"]),
        events=tuple(Event(**event) for event in known["events"]),
        props=tuple(prop_from_plain(prop) for prop in known["props"]),
    )
