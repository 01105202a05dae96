"""Contacts, slide, capsules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sidestep.motion import Clip
from sidestep.motion.capsules import body_capsules, body_height
from sidestep.motion.feet import detect_contacts, foot_places, foot_slide
from sidestep.motion.roles import find_roles
from sidestep.performer import SKELETON, perform


def test_detected_contacts_agree_with_what_the_performer_did(walk: Clip) -> None:
    assert walk.contacts is not None
    detected = detect_contacts(walk)
    planted = np.stack([walk.contacts[:, :2].any(1), walk.contacts[:, 2:].any(1)])
    found = np.stack([detected[:, :2].any(1), detected[:, 2:].any(1)])
    # A heel comes down and toes roll off over some frames: away from these changes both must say the same.
    changing = np.zeros_like(planted)
    for shift in range(-5, 6):
        changing[:, 6:-6] |= np.roll(planted, shift, axis=1)[:, 6:-6] != planted[:, 6:-6]
    assert (planted == found)[~changing].mean() > 0.985


def test_a_body_carried_along_slides_by_exactly_that(walk: Clip) -> None:
    still = walk.cut(0, 1)
    frames = 60
    carried = Clip(
        name="carried",
        skeleton=walk.skeleton,
        rotations=np.repeat(still.rotations, frames, axis=0),
        translations=np.repeat(still.translations, frames, axis=0)
        + np.arange(frames)[:, None, None] / 60 * np.array([0.3, 0, 0]),
    )
    assert foot_slide(carried) == pytest.approx(0.3, abs=1e-3)


def test_feet_in_the_air_do_not_slide(walk: Clip) -> None:
    up = replace(walk, translations=walk.translations + np.array([0, 0.5, 0], np.float32))
    assert len(foot_slide(up)) == 0
    assert foot_places(up)[..., 1].min() > 0.4


def test_capsules_wrap_the_body() -> None:
    roles = find_roles(SKELETON)
    capsules = body_capsules(SKELETON, roles)
    assert body_height(SKELETON, roles) == pytest.approx(1.75, abs=0.02)
    clip = perform("idle", 0).cut(0, 1)
    starts, stops = capsules.world(*clip.world())
    ends = np.stack([starts, stops])[:, 0]
    low, high = (ends - capsules.radii[:, None]).min((0, 1)), (ends + capsules.radii[:, None]).max((0, 1))
    assert low[1] == pytest.approx(0.0, abs=0.06)
    assert high[1] == pytest.approx(1.72, abs=0.07)
    shoulders = [capsules.names.index(f"{side}_upper_arm") for side in ("left", "right")]
    width = np.linalg.norm(starts[0, shoulders[0]] - starts[0, shoulders[1]]) + 2 * capsules.radii[shoulders[0]]
    assert width == pytest.approx(0.46, abs=0.02)  # GAIT.md: shoulders with arms
