"""A clip on another skeleton: turns are carried over from T-pose to T-pose, the path is scaled by leg length.

Feet are put where the scaled feet of the source were (two-bone inverse kinematics), so that a planted foot stays
planted although thighs and shanks have other proportions.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Array
from ..errors import BadClip
from . import quaternion as quat
from .clip import Clip, Prop
from .ik import bend_limb
from .kinematics import to_local
from .limbs import Roles
from .rest import AHEAD, ankle_height, bone, leg_length, reference_pose, reference_world
from .roles import find_roles
from .skeleton import Skeleton


def retarget(clip: Clip, target: Skeleton, roles: Roles | None = None) -> Clip:
    """The motion of ``clip`` on the ``target`` skeleton.

    Args:
        clip: Any humanoid motion, y up, ground at y = 0.
        target: Humanoid skeleton whose first joint (or the hips) moves.
        roles: The source's body, where it is known already.

    Returns:
        A clip on ``target`` with the same frames, contacts, tags, events and props.
    """
    source_roles = roles or find_roles(clip.skeleton)
    target_roles = find_roles(target)
    if target.moving != (0,) or target_roles.hips != 0:
        raise BadClip("retargeting needs a target skeleton that begins with the hips, and moves no other joint")
    source_rest_positions, source_rest = reference_world(clip.skeleton, source_roles, clip.rotations)
    rest_positions, rest = reference_world(target, target_roles)
    positions, turned = clip.world()

    turns = _turns(source_roles, target_roles, turned, source_rest)  # target joint -> (frames, 4) from the T-pose
    local_rest = reference_pose(target, target_roles)
    frames = len(clip)
    world = np.empty((frames, len(target), 4), np.float32)
    for joint, parent in enumerate(target.parents):
        if joint in turns:
            world[:, joint] = quat.multiply(turns[joint], rest[joint])
        elif parent >= 0:
            world[:, joint] = quat.multiply(world[:, parent], local_rest[joint])
        else:
            world[:, joint] = rest[joint]

    scale = leg_length(target, target_roles) / leg_length(clip.skeleton, source_roles)
    source_ankle = ankle_height(clip.skeleton, source_roles, source_rest_positions, source_rest)
    target_ankle = ankle_height(target, target_roles, rest_positions, rest)
    lift = np.array([0.0, target_ankle - scale * source_ankle, 0.0], np.float32)
    # Between the hip joints, not at the hips joint: skeletons put that one anywhere in the pelvis.
    pelvis = 0.5 * (positions[:, source_roles.left_leg.upper] + positions[:, source_roles.right_leg.upper])
    thighs = [bone(target, target_roles.hips, leg.upper) for leg in target_roles.legs]
    middle = quat.rotate(world[:, target_roles.hips], 0.5 * (thighs[0] + thighs[1]))
    hips = pelvis * scale + lift - middle
    for source_leg, leg in zip(source_roles.legs, target_roles.legs, strict=True):
        ankle = positions[:, source_leg.end] * scale + lift
        # Straight knees point where the thigh's own frame does in the T-pose: ahead.
        ahead = quat.rotate(world[:, leg.upper], quat.rotate(quat.inverse(rest[leg.upper]), AHEAD))
        bend_limb(target, world, hips, target_roles.hips, (leg.upper, leg.lower, leg.end), ankle, ahead)
    local = to_local(target, world)
    translations = hips[:, None]
    props = tuple(
        _carried_prop(prop, clip.skeleton, (source_roles, target_roles), target, (source_rest, rest), scale)
        for prop in clip.props
    )
    return replace(clip, skeleton=target, rotations=quat.normalize(local), translations=translations, props=props)


def _carried_prop(
    prop: Prop, source: Skeleton, roles: tuple[Roles, Roles], target: Skeleton, rests: tuple[Array, Array], scale: float
) -> Prop:
    """The same thing in the same hand: its pose is told from T-pose to T-pose."""
    joint = source.index(prop.joint)
    names = {number: name for name, number in roles[0].named().items()}
    if joint not in names or names[joint] not in roles[1].named():
        raise BadClip(f"prop '{prop.name}' hangs on '{prop.joint}', which the target skeleton has no joint for")
    other = roles[1].named()[names[joint]]
    across = quat.multiply(quat.inverse(rests[1][other]), rests[0][joint])
    position = scale * quat.rotate(across, np.array(prop.position, np.float32))
    turn = quat.multiply(across, np.array(prop.rotation, np.float32))
    x, y, z = (float(v) for v in position)
    w, i, j, k = (float(v) for v in turn)
    return replace(prop, joint=target.names[other], position=(x, y, z), rotation=(w, i, j, k))


def _turns(source: Roles, target: Roles, turned: Array, source_rest: Array) -> dict[int, Array]:
    """How each target joint is turned away from its T-pose, in the world. Each (frames, 4)."""
    own, other = target.named(), source.named()

    def away(joint: int) -> Array:
        return quat.multiply(turned[:, joint], quat.inverse(source_rest[joint]))

    turns = {joint: away(other[name]) for name, joint in own.items() if name in other and not name.startswith("spine")}
    # Trunks have one to five joints: take the turn at the same height along the chain.
    chain = [source.hips, *source.spine]
    trunk = np.stack([away(joint) for joint in chain])  # (source joints, frames, 4)
    for i, joint in enumerate(target.spine):
        at = (i + 1) / len(target.spine) * (len(chain) - 1)
        low = min(int(at), len(chain) - 1)
        high = min(low + 1, len(chain) - 1)
        turns[joint] = quat.slerp(trunk[low], trunk[high], at - low)
    if target.neck is not None and target.neck not in turns:
        turns[target.neck] = quat.slerp(away(source.chest), away(source.head), 0.5)
    for arm in target.arms:
        if arm.girdle is not None and arm.girdle not in turns:
            turns[arm.girdle] = turns[target.chest]
    for leg in target.legs:
        if leg.tip is not None and leg.tip not in turns:
            turns[leg.tip] = turns[leg.end]
    return turns
