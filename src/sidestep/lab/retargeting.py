"""sidestep lab retargeting: real clips of several skeletons in one database, judged by foot slide and hip height."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..arrays import Array
from ..database import Database
from ..errors import AskedWrongly
from ..files import read
from ..jobs import Pool
from ..machine import machine
from ..motion.clip import Clip
from ..motion.feet import foot_slide
from ..motion.limbs import Roles
from ..motion.resample import resample
from ..motion.rest import ankle_height, leg_length, reference_world
from ..motion.retarget import retarget
from ..motion.roles import find_roles
from ..performer.skeleton import SKELETON
from .mocap import mocap_folder, unpacked

QUICK_FILES = 6


@dataclass(frozen=True, eq=False)
class Carried:
    """One file on its own and on our skeleton."""

    group: str
    clips: list[Clip]
    slide_before: Array
    """On its own skeleton, lengths scaled to our legs, [m/s]. Shape (samples,)."""
    slide_after: Array
    hips_before: Array
    """Hip joints above the height of standing ankles, over leg length: 1 with straight legs. Shape (frames,)."""
    hips_after: Array
    ankles_off: Array
    """From where the scaled source has them, [m]. Shape (frames * 2,)."""


def carry(path: Path) -> Carried:
    """Read one file and bring it over (runs in a worker)."""
    before, after, hips_before, hips_after, ankles_off, clips = [], [], [], [], [], []
    for part in read(path).parts:
        clip = resample(part, 60.0)
        roles = find_roles(clip.skeleton)
        moved = retarget(clip, SKELETON, roles)
        ours = find_roles(SKELETON)
        scale = leg_length(SKELETON, ours) / leg_length(clip.skeleton, roles)
        before.append(foot_slide(clip, roles) * scale)
        after.append(foot_slide(moved))
        hips_before.append(_hip_share(clip, roles))
        hips_after.append(_hip_share(moved, ours))
        ankles_off.append(np.linalg.norm(_from_hips(moved, ours) - scale * _from_hips(clip, roles), axis=-1).ravel())
        clips.append(moved)
    return Carried(
        path.parent.name,
        clips,
        np.concatenate(before),
        np.concatenate(after),
        np.concatenate(hips_before),
        np.concatenate(hips_after),
        np.concatenate(ankles_off),
    )


def _hip_share(clip: Clip, roles: Roles) -> Array:
    positions, _ = clip.world()
    hips = 0.5 * (positions[:, roles.left_leg.upper, 1] + positions[:, roles.right_leg.upper, 1])
    rest, turned = reference_world(clip.skeleton, roles, clip.rotations)
    return np.asarray((hips - ankle_height(clip.skeleton, roles, rest, turned)) / leg_length(clip.skeleton, roles))


def _from_hips(clip: Clip, roles: Roles) -> Array:
    """Ankles from between the hip joints, [m]. Shape (frames, 2, 3)."""
    positions, _ = clip.world()
    hips = 0.5 * (positions[:, roles.left_leg.upper] + positions[:, roles.right_leg.upper])
    return np.stack([positions[:, leg.end] - hips for leg in roles.legs], axis=1)


def run_retargeting(
    seed: int = 0, mocap: Path | None = None, quick: bool = False, sheets: Path | None = None
) -> dict[str, Any]:
    """Carry every real file over, build one database of them all."""
    folder = mocap_folder(mocap)
    if folder is None:
        raise AskedWrongly("retargeting is measured on real clips: name a folder with --mocap or SIDESTEP_MOCAP")
    files = sorted(unpacked(folder).rglob("*.bvh"))
    if quick:
        by_folder: dict[str, list[Path]] = {}
        for file in files:
            by_folder.setdefault(file.parent.name, []).append(file)
        files = [file for group in by_folder.values() for file in group[:QUICK_FILES]]
    outcomes = Pool(label="carrying over").outcomes(carry, files)
    carried = [outcome.result for outcome in outcomes if outcome.result is not None]
    groups = []
    for name in dict.fromkeys(one.group for one in carried):
        own = [one for one in carried if one.group == name]
        groups.append({"group": name, "files": len(own), **_figures(own)})
    clips = [clip for one in carried for clip in one.clips if clip.seconds >= 0.2]
    database = Database.build(clips, note="mixed")
    return {
        "experiment": "retargeting",
        "version": __version__,
        "machine": machine(),
        "seed": seed,
        "refused": [f"{f.name}: {o.error}" for f, o in zip(files, outcomes, strict=True) if o.error is not None],
        "groups": groups,
        "database": {"poses": len(database), "minutes": len(database) / 3600, "clips": len(database.clips)},
    }


def _figures(own: list[Carried]) -> dict[str, Any]:
    before, after = (np.concatenate([getattr(o, name) for o in own]) for name in ("slide_before", "slide_after"))
    off = np.concatenate([o.hips_after - o.hips_before for o in own])
    return {
        "minutes": sum(c.seconds for o in own for c in o.clips) / 60,
        "slide_cms": {
            "before": [float(v) for v in 100 * np.percentile(before, [50, 95])],
            "after": [float(v) for v in 100 * np.percentile(after, [50, 95])],
        },
        "ankles_off_mm": [
            float(v) for v in 1000 * np.percentile(np.concatenate([o.ankles_off for o in own]), [50, 95])
        ],
        "hips_off_share": {"median": float(np.median(off)), "p95": float(np.percentile(np.abs(off), 95))},
    }


def describe_retargeting(result: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """One table, a row an archive."""
    rows = []
    for group in result["groups"]:
        (before50, before95), (after50, after95) = group["slide_cms"]["before"], group["slide_cms"]["after"]
        off = group["hips_off_share"]
        rows.append(
            [
                group["group"],
                str(group["files"]),
                f"{group['minutes']:.1f}",
                f"{before50:.1f} / {before95:.1f}",
                f"{after50:.1f} / {after95:.1f}",
                f"{100 * off['median']:+.2f} / {100 * off['p95']:.2f}",
                "{:.1f} / {:.1f}".format(*group["ankles_off_mm"]),
            ]
        )
    columns = ["from", "files", "min", "slide before, 50 / 95 %, cm/s", "after", "hips off, % of leg", "ankles off, mm"]
    data = result["database"]
    title = (
        f"{data['minutes']:.1f} min of {data['clips']} clips in one database, {len(result['refused'])} files refused"
    )
    return [(title, columns, rows)]
