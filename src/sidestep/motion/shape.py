"""Joints recognized by the shape of the tree alone, for skeletons whose names say nothing.

Two twin chains (same bone lengths) hang on one joint: the pair with the longer bones are the legs, the other pair the
arms. Along a chain the two neighbouring bones of which the shorter is longest are thigh and shank. Only bone lengths
are used, since the offsets' own pose may be anything; left and right are told by the pose: toes point forward.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..arrays import Array
from ..errors import BadSkeleton
from .limbs import Limb, Roles
from .names import assembled
from .skeleton import Skeleton
from .tree import is_below, path_down

TWIN_TOLERANCE = 0.15
"""By how much the bones of twins may differ, as a share."""


def roles_by_shape(skeleton: Skeleton, positions: Array) -> Roles:
    """Find the body by topology and bone lengths; ``positions`` (joints, 3) [m] tell left from right."""
    lengths = np.linalg.norm(skeleton.offsets, axis=-1)
    twins = _twin_chains(skeleton, lengths)
    if len(twins) < 2:
        raise BadSkeleton(
            f"no human body in these {len(skeleton)} joints: {len(twins)} pair(s) of equal limbs found, two are needed "
            "(legs and arms); name the joints as Mixamo or CMU do"
        )
    legs_at, *legs = twins[0]
    # Arms: the next pair on another joint.
    rest = [t for t in twins[1:] if t[0] != legs_at and not any(is_below(skeleton, t[0], leg[0]) for leg in legs)]
    if not rest:
        raise BadSkeleton("no human body: both pairs of limbs hang on the same joint; a trunk is needed between them")
    _, *arms = rest[0]
    leg_limbs = [_limb_of(skeleton, chain, lengths) for chain in legs]
    arm_limbs = [_limb_of(skeleton, chain, lengths) for chain in arms]
    draft = assembled(skeleton, arm_limbs, leg_limbs, {}, "shape")
    if draft is None:
        raise BadSkeleton("no human body: arms do not hang above the legs, or there is no head; name the joints")
    left = _left_of(draft, positions)
    if (positions[leg_limbs[0].upper] - positions[leg_limbs[1].upper]) @ left < 0:
        leg_limbs.reverse()
    if (positions[arm_limbs[0].upper] - positions[arm_limbs[1].upper]) @ left < 0:
        arm_limbs.reverse()
    result = assembled(skeleton, arm_limbs, leg_limbs, {}, "shape")
    assert result is not None
    return result


def _left_of(roles: Roles, positions: Array) -> Array:
    """The body's left in the world: up (hips to head) crossed with forward (foot to toe)."""
    up = positions[roles.head] - positions[roles.hips]
    toes = [positions[leg.tip] - positions[leg.end] for leg in roles.legs if leg.tip is not None]
    ahead = np.sum(toes, axis=0) if toes else np.array([0.0, 0.0, 1.0])
    return np.cross(up, ahead)


def _chains(skeleton: Skeleton) -> list[tuple[int, list[int]]]:
    """For each joint with several children: (that joint, the longest chain below each child)."""
    result = []
    for joint in range(len(skeleton)):
        children = skeleton.children(joint)
        if len(children) >= 2:
            result += [(joint, _longest_below(skeleton, child)) for child in children]
    return result


def _longest_below(skeleton: Skeleton, top: int) -> list[int]:
    leaves = [j for j in range(top, len(skeleton)) if is_below(skeleton, j, top) and not skeleton.children(j)]
    paths = [[top, *path_down(skeleton, top, leaf)] for leaf in leaves]
    return max(
        paths,
        key=lambda path: float(np.linalg.norm(skeleton.offsets[path[1:]], axis=-1).sum()) if len(path) > 1 else 0.0,
    )


def _bones(chain: list[int], lengths: Array) -> list[int]:
    """The joints of a chain that end a bone of some length (zero-length helpers left out), the first one included."""
    return [chain[0], *[j for j in chain[1:] if lengths[j] > 1e-4]]


def _knee(chain: list[int], lengths: Array) -> tuple[int, float] | None:
    """Where the chain's two long neighbouring bones meet: (index of the joint in ``_bones``, the shorter length)."""
    bones = _bones(chain, lengths)
    if len(bones) < 3:
        return None
    shorter = [min(lengths[bones[i]], lengths[bones[i + 1]]) for i in range(1, len(bones) - 1)]
    best = int(np.argmax(shorter))
    return best + 1, float(shorter[best])


def _twin_chains(skeleton: Skeleton, lengths: Array) -> list[tuple[int, list[int], list[int]]]:
    """Pairs of chains with the same long bones on one joint, longest first: (joint, chain, chain)."""
    found: list[tuple[float, int, list[int], list[int]]] = []
    by_joint: dict[int, list[list[int]]] = {}
    for joint, chain in _chains(skeleton):
        by_joint.setdefault(joint, []).append(chain)
    for joint, chains in by_joint.items():
        for a, b in combinations(chains, 2):
            knee_a, knee_b = _knee(a, lengths), _knee(b, lengths)
            if knee_a is None or knee_b is None:
                continue
            if abs(knee_a[1] - knee_b[1]) <= TWIN_TOLERANCE * max(knee_a[1], knee_b[1]):
                found.append((min(knee_a[1], knee_b[1]), joint, a, b))
    # Fingers are twins of each other, too: far shorter than the longest pair.
    longest = max((f[0] for f in found), default=0.0)
    found = [f for f in found if f[0] > 0.35 * longest]
    return [(joint, a, b) for _, joint, a, b in sorted(found, key=lambda f: -f[0])]


def _limb_of(skeleton: Skeleton, chain: list[int], lengths: Array) -> Limb:
    bones = _bones(chain, lengths)
    knee = _knee(chain, lengths)
    assert knee is not None
    at = knee[0]
    end = bones[at + 1]
    tip = next((j for j in skeleton.children(end) if lengths[j] > 1e-4), None)
    return Limb(None, bones[at - 1], bones[at], end, tip)


def refuse_quadruped(skeleton: Skeleton) -> None:
    """Refuse a body that rests on four limbs: trunk level, all four limbs reaching down equally far."""
    positions = skeleton.resting_positions()
    try:
        roles = roles_by_shape(skeleton, positions)
    except BadSkeleton:
        return
    trunk = positions[roles.chest] - positions[roles.hips]
    level = abs(trunk[1]) < 0.5 * np.linalg.norm(trunk)
    drop = [positions[limb.upper][1] - positions[limb.end][1] for limb in (*roles.arms, *roles.legs)]
    reach = [
        np.linalg.norm(skeleton.offsets[limb.lower]) + np.linalg.norm(skeleton.offsets[limb.end])
        for limb in (*roles.arms, *roles.legs)
    ]
    if level and all(d > 0.6 * r for d, r in zip(drop, reach, strict=True)):
        raise BadSkeleton("this body stands on four legs; sidestep moves people: two legs, two arms, a head")
