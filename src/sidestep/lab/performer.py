"""sidestep lab performer: is the performed data human by measurement? Beside it the same figures of real clips."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..machine import machine
from ..motion.clip import Clip
from ..motion.feet import foot_slide
from ..performer.dataset import dataset_hash, minutes, perform_all
from ..pictures import contact_sheet
from .coverage import coverage
from .likeness import likeness
from .mocap import RealClip, mocap_folder, real_clips
from .soundness import soundness
from .strides import Stride, figures, strides_of

WALKS = (0.5, 0.7, 0.9, 1.1, 1.3, 1.5, 1.7)
RUNS = (2.3, 2.8, 3.3, 3.8)
FEWEST = 6
"""Strides a speed needs on both sides to be compared."""


def run_performer(
    seed: int = 0, mocap: Path | None = None, quick: bool = False, sheets: Path | None = None
) -> dict[str, Any]:
    """Perform the data set, measure it, measure the real clips where there are any."""
    start = time.perf_counter()
    clips = perform_all(seed, share=0.25 if quick else 1.0)
    seconds = time.perf_counter() - start
    slides = np.concatenate([foot_slide(clip) for clip in clips]) * 100
    result: dict[str, Any] = {
        "experiment": "performer",
        "version": __version__,
        "machine": machine(),
        "seed": seed,
        "minutes": minutes(clips),
        "poses": sum(len(clip) for clip in clips),
        "hash": dataset_hash(clips),
        "seconds_to_make": seconds,
        "slide_cms": {"median": float(np.median(slides)), "p95": float(np.percentile(slides, 95))},
        "coverage_s": coverage(clips),
        **soundness(clips),
    }
    folder = mocap_folder(mocap)
    real = real_clips(folder) if folder is not None else []
    own = [stride for clip in clips for stride in strides_of(clip)]
    others = [stride for found in real for stride in strides_of(found.clip)]
    result["gait"] = [gait_row(own, others, speed, 0.10) for speed in WALKS]
    result["gait"] += [gait_row(own, others, speed, 0.25) for speed in RUNS]
    rows = [row for row in result["gait"] if row["within"] is not None]
    known = [flag for row in rows for flag in row["within"].values()]
    result["gait_within_human_range"] = float(np.mean(known)) if known else None
    if real:
        result["real"] = real_figures(real)
        walks, runs = np.arange(0.6, 1.71, 0.1), np.arange(2.2, 3.9, 0.2)
        result["likeness"] = {"walk": likeness(clips, real, list(walks)), "run": likeness(clips, real, list(runs))}
        result["distance_ratio"] = {kind: found["ratio"] for kind, found in result["likeness"].items()}
    if sheets is not None:
        draw_sheets(clips, sheets)
    return result


def gait_row(own: Sequence[Stride], real: Sequence[Stride], speed: float, band: float) -> dict[str, Any]:
    """Medians of straight strides at one speed, the real 5th to 95th percentile, and which medians lie within it."""
    mine, theirs = _straight(own, speed, band), _straight(real, speed, band)
    row: dict[str, Any] = {"speed_mps": speed, "strides": len(mine), "real_strides": len(theirs)}
    within: dict[str, bool] = {}
    ranges: dict[str, list[float]] = {}
    for name in figures():
        if name in {"speed_mps", "direction_rad", "turn_rps"}:
            continue
        values = np.array([getattr(stride, name) for stride in mine])
        row[name] = float(np.median(values)) if len(values) else None
        if len(theirs) >= FEWEST:
            low, middle, high = np.percentile([getattr(stride, name) for stride in theirs], [5, 50, 95])
            ranges[name] = [float(low), float(middle), float(high)]
            if len(mine) >= FEWEST:
                within[name] = bool(low <= row[name] <= high)
    row["real_p5_p50_p95"] = ranges or None
    row["within"] = within or None
    return row


def _straight(strides: Sequence[Stride], speed: float, band: float) -> list[Stride]:
    return [s for s in strides if abs(s.speed_mps - speed) < band and abs(s.direction_rad) < 0.35 and s.turn_rps < 0.4]


def real_figures(real: Sequence[RealClip]) -> dict[str, Any]:
    """Slide, soundness and coverage of the real clips."""
    clips = [found.clip for found in real]
    slides = np.concatenate([foot_slide(clip) for clip in clips]) * 100
    return {
        "minutes": minutes(clips),
        "subjects": len({found.subject for found in real}),
        "slide_cms": {"median": float(np.median(slides)), "p95": float(np.percentile(slides, 95))},
        "coverage_s": coverage(clips),
        **soundness(clips),
    }


def draw_sheets(clips: Sequence[Clip], folder: Path) -> None:
    """One contact sheet a task: its first take."""
    folder.mkdir(parents=True, exist_ok=True)
    seen = set()
    for clip in clips:
        task = clip.name.split(" ")[0]
        if task not in seen:
            seen.add(task)
            contact_sheet(clip, folder / f"{task}.png", columns=12, rows=2, cell=(120, 170))


def describe(result: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """Tables of a result for people: (title, columns, rows)."""
    real = result.get("real")
    tables = [
        (
            "the data set",
            ["figure", "performed", "real"],
            [
                ["minutes", f"{result['minutes']:.1f}", f"{real['minutes']:.1f}" if real else ""],
                ["poses", f"{result['poses']:,}", ""],
                ["hash", result["hash"], ""],
                ["seconds to make", f"{result['seconds_to_make']:.1f}", ""],
                *_pair_rows(result, real),
            ],
        )
    ]
    rows = []
    for row in result["gait"]:
        ranges, within = row["real_p5_p50_p95"] or {}, row["within"] or {}
        for name in (
            "step_m",
            "cadence_hz",
            "double_support",
            "flight",
            "hips_rise_m",
            "hips_sway_m",
            "trunk_yaw_rad",
            "arm_swing_rad",
            "knee_max_rad",
        ):
            if row[name] is None:
                continue
            span = ranges.get(name)
            rows.append(
                [
                    f"{row['speed_mps']:.1f}",
                    name,
                    f"{row[name]:.3f}",
                    "" if span is None else f"{span[0]:.3f} .. {span[1]:.3f} .. {span[2]:.3f}",
                    "" if name not in within else ("yes" if within[name] else "NO"),
                ]
            )
    tables.append(("gait against speed", ["m/s", "figure", "performed", "real 5 .. 50 .. 95 %", "within"], rows))
    theirs = real["coverage_s"] if real else {}
    rows = [
        [name, f"{s:.0f}", f"{theirs.get(name, 0):.0f}" if real else ""] for name, s in result["coverage_s"].items()
    ]
    tables.append(("coverage, seconds", ["kind", "performed", "real"], rows))
    return tables


def _pair_rows(result: dict[str, Any], real: dict[str, Any] | None) -> list[list[str]]:
    rows = []
    for name, part in (("slide median, cm/s", "median"), ("slide 95 %, cm/s", "p95")):
        rows.append([name, f"{result['slide_cms'][part]:.2f}", f"{real['slide_cms'][part]:.2f}" if real else ""])
    for key in ("p50", "p99"):
        rows.append(
            [f"jerk {key}, m/s3", f"{result['jerk_mps3'][key]:.0f}", f"{real['jerk_mps3'][key]:.0f}" if real else ""]
        )
    mine, theirs = result["limbs_through_body"], real["limbs_through_body"] if real else None
    rows.append(
        [
            "limbs over 2 cm in the body",
            f"{mine['share_over_2cm']:.2%}",
            f"{theirs['share_over_2cm']:.2%}" if theirs else "",
        ]
    )
    for joint, span in result["joint_ranges_deg"].items():
        other = real["joint_ranges_deg"][joint] if real else None
        rows.append(
            [
                f"{joint} 1 .. 99 %, degrees",
                f"{span[0]:.0f} .. {span[2]:.0f}",
                f"{other[0]:.0f} .. {other[2]:.0f}" if other else "",
            ]
        )
    for kind, ratio in result.get("distance_ratio", {}).items():
        rows.append([f"nearest-pose distance ratio, {kind}", f"{ratio:.2f}", "1"])
    if result["gait_within_human_range"] is not None:
        rows.append(["gait figures within the human range", f"{result['gait_within_human_range']:.0%}", "90%"])
    return rows
