"""sidestep lab blind: contact sheets of real and performed motion without labels, for a fresh pair of eyes.

The command prints nothing that gives a sheet away; which is which stands in ``key.json``, to be opened after judging.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..errors import AskedWrongly
from ..files.safely import write_whole
from ..motion.clip import Clip
from ..performer import perform
from ..pictures import contact_sheet
from .coverage import kinds_of
from .mocap import mocap_folder, real_clips

KINDS: tuple[tuple[tuple[str, ...], float, str, tuple[str, ...]], ...] = (
    (("walk",), 1.6, "side", ("walk", "curve", "start_stop")),
    (("run",), 0.9, "side", ("run", "curve")),
    (("turn_on_spot_left", "turn_on_spot_right"), 1.0, "three_quarter", ("turn_on_spot",)),
    (("idle",), 2.4, "three_quarter", ("idle", "start_stop")),
    (("sidestep_left", "sidestep_right"), 1.4, "three_quarter", ("sidestep",)),
    (("backward",), 1.4, "side", ("backward",)),
)
"""Kinds of movement, seconds shown, from where, and the tasks that perform them."""
EACH, FRAMES, TAKES, SHARE = 2, 24, 6, 0.75
"""Sheets of a kind and origin; pictures on a sheet; takes to choose from; how much of a stretch is of the kind."""


def run_blind(
    seed: int = 0, mocap: Path | None = None, quick: bool = False, sheets: Path | None = None
) -> dict[str, Any]:
    """Draw the sheets in an order that chance decides."""
    folder = mocap_folder(mocap)
    if folder is None:
        raise AskedWrongly("real clips are half of it: name a folder with --mocap or SIDESTEP_MOCAP")
    target = sheets or Path("blind")
    target.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([seed, 3])
    real = [found.clip for found in real_clips(folder)]
    chosen: list[tuple[str, Clip, int, float, str]] = []
    for kinds, seconds, view, tasks in KINDS[:1] if quick else KINDS:
        own = [perform(task, seed, take) for task in tasks for take in range(TAKES)]
        for origin, clips in (("real", real), ("performed", own)):
            chosen += [(origin, clip, at, seconds, view) for clip, at in _stretches(clips, kinds, seconds, rng)]
    key = {}
    for number, index in enumerate(rng.permutation(len(chosen))):
        origin, clip, at, seconds, view = chosen[index]
        frames = np.linspace(at, at + seconds * clip.fps, FRAMES).astype(int)
        contact_sheet(
            clip, target / f"{number:02d}.png", view=view, columns=12, label=False, frames=list(frames), cell=(130, 190)
        )
        key[f"{number:02d}"] = [origin, clip.name]
    write_whole(target / "key.json", lambda part: _put(part, key))
    return {"experiment": "blind", "version": __version__, "seed": seed, "sheets": len(key), "folder": str(target)}


def _put(part: Path, key: dict[str, list[str]]) -> None:
    part.write_text(json.dumps(key, indent=1), encoding="utf-8")


def _stretches(
    clips: list[Clip], kinds: tuple[str, ...], seconds: float, rng: np.random.Generator
) -> list[tuple[Clip, int]]:
    """Where chance finds a kind of movement: (clip, first frame)."""
    found = []
    for index in rng.permutation(len(clips)):
        clip = clips[index]
        length = int(seconds * clip.fps)
        if len(clip) < length + 20:
            continue
        masks = kinds_of(clip)
        is_kind = np.any([masks[kind] for kind in kinds], axis=0)
        share = np.convolve(is_kind[:-1], np.ones(length), "valid") / length
        if (share > SHARE).any():
            found.append((clip, int(rng.choice(np.flatnonzero(share > SHARE)))))
        if len(found) == EACH:
            break
    return found


def describe_blind(result: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """Where they are, and what to do with them."""
    rows = [[f"{result['sheets']} sheets in {result['folder']}"], ["judge each: real or performed; then open key.json"]]
    return [("sheets without labels", [""], rows)]
