"""The mannequin: a closed, light mesh whose skin follows the bones, on any skeleton."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sidestep.errors import BadSkeleton
from sidestep.files import read
from sidestep.mannequin import Mannequin, grow, prop_mesh
from sidestep.motion import Clip
from sidestep.motion.clip import Prop
from sidestep.motion.skeleton import Skeleton, from_tree
from sidestep.performer import perform
from sidestep.performer.skeleton import SKELETON


def skeletons(mocap: Path | None) -> dict[str, Skeleton]:
    found = {"own": SKELETON}
    if mocap is not None:
        for name, file in {
            "cmu": "cmu_60fps/69_01.bvh",
            "lafan1": "lafan1/walk4_subject1.bvh",
            "snu": "snu_woody2/wd2_PushBack01.bvh",
        }.items():
            found[name] = read(mocap / file).clip.skeleton
    return found


def test_what_is_no_body_gets_none() -> None:
    with pytest.raises(BadSkeleton):
        grow(from_tree([("a", None, (0.0, 1.0, 0.0)), ("b", "a", (0.0, 1.0, 0.0))]))


def closed(body: Mannequin) -> bool:
    edges = np.concatenate([body.triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    forward = Counter(map(tuple, edges.tolist()))
    # Every edge as often one way as the other: no holes, no triangle turned over (two sheets may touch in an edge).
    return all(forward[b, a] == times for (a, b), times in forward.items()) and max(forward.values()) <= 2


def volume(vertices: np.ndarray, triangles: np.ndarray) -> float:
    a, b, c = (vertices[triangles[:, k]].astype(np.float64) for k in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


@pytest.mark.mocap
def test_bodies_are_light_closed_and_weighted(mocap: Path | None) -> None:
    for name, skeleton in skeletons(mocap).items():
        body = grow(skeleton)
        assert len(body.triangles) < 15_000, name
        assert closed(body), name
        assert body.weights.sum(1) == pytest.approx(1, abs=1e-5)
        assert np.linalg.norm(body.normals, axis=-1) == pytest.approx(1, abs=1e-4)
        # Litres of a slim adult: 45 to 75 kg at about a kilogram a litre.
        assert 0.040 < volume(body.vertices, body.triangles) < 0.085, name
        outward = body.vertices + 0.01 * body.normals
        assert volume(outward, body.triangles) > volume(body.vertices, body.triangles), name


def test_the_reference_pose_is_the_mesh_itself() -> None:
    body = grow(SKELETON)
    vertices, normals = body.posed(body.rest_positions, body.rest_turned)
    assert vertices == pytest.approx(body.vertices, abs=1e-5)
    assert (normals * body.normals).sum(-1).min() > 0.999


def test_left_and_right_are_alike() -> None:
    body = grow(SKELETON)
    for axis, other in ((np.array([1, 0.3, 0.2]), np.array([-1, 0.3, 0.2])), (np.array([0.2, -1, 1]), None)):
        other = axis * [-1, 1, 1] if other is None else other
        assert (body.vertices @ axis).max() == pytest.approx((body.vertices @ other).max(), abs=0.004)


@pytest.mark.parametrize("task", ["walk", "duck", "crawl", "box"])
def test_skin_stays_whole_in_motion(task: str) -> None:
    """No vertex flies off, no volume collapses: walk, crouch, crawl, overhead."""
    clip = perform(task, 0)
    body = grow(clip.skeleton)
    rest = volume(body.vertices, body.triangles)
    positions, turned = clip.world()
    for frame in np.linspace(0, len(clip) - 1, 12).astype(int):
        vertices, _ = body.posed(positions[frame], turned[frame])
        nearest = np.linalg.norm(vertices[:, None] - positions[frame][None], axis=-1).min(1)
        assert nearest.max() < 0.30
        assert vertices[:, 1].min() > -0.06
        assert volume(vertices, body.triangles) > 0.72 * rest


def test_equal_skeletons_share_one_body(walk: Clip) -> None:
    twin = Skeleton(SKELETON.names, SKELETON.parents, SKELETON.offsets, SKELETON.moving, SKELETON.ends)
    assert twin is not SKELETON
    assert twin == SKELETON
    assert hash(twin) == hash(SKELETON)
    assert grow(twin) is grow(SKELETON)
    assert grow(SKELETON.scaled(1.1)) is not grow(SKELETON)
    assert walk.skeleton != SKELETON.scaled(1.1)


def test_props_are_closed_boxes_of_their_size() -> None:
    vertices, normals, triangles = prop_mesh(Prop("box", "LeftHand", "box", (0.4, 0.3, 0.2), (0.0, 0.0, 0.0)))
    assert np.ptp(vertices, axis=0) == pytest.approx([0.4, 0.3, 0.2])
    assert volume(vertices, triangles) == pytest.approx(0.4 * 0.3 * 0.2)
    assert ((vertices * normals).sum(-1) > 0).all()
