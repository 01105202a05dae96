"""A clip seen in a mirror: left becomes right. It doubles any database."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Array, Indices
from . import quaternion as quat
from .clip import Clip, Event, Prop, Tag
from .limbs import Roles
from .rest import reference_world
from .roles import find_roles
from .skeleton import Skeleton
from .tree import is_below

_FLIP = np.array([-1, 1, 1], np.float32)
_CONTACT_ORDER = [2, 3, 0, 1]
_SIDES = (("Left", "Right"), ("left", "right"), ("L_", "R_"), ("_L", "_R"), ("_l", "_r"), (".L", ".R"), ("L", "R"))


def mirror(clip: Clip) -> Clip:
    """The same motion mirrored across the plane x = 0, on the same skeleton.

    What is mirrored is how each joint is turned away from the T-pose, so the joints' own frames need not be
    symmetric. Fingers and the like change sides where their names tell the partner; without one they keep their local
    turn. "left" and "right" change places in tags and events.
    """
    skeleton = clip.skeleton
    roles = find_roles(skeleton)
    partner, local_only = _partners(skeleton, roles)
    _, rest = reference_world(skeleton, roles, clip.rotations)
    positions, turned = clip.world()
    away = quat.multiply(turned, quat.inverse(rest))
    wanted = quat.multiply(quat.mirrored(away[:, partner]), rest)
    world, rotations = wanted.copy(), wanted.copy()
    for joint, parent in enumerate(skeleton.parents):
        if joint in local_only:
            rotations[:, joint] = clip.rotations[:, joint]
            world[:, joint] = quat.multiply(world[:, parent], rotations[:, joint])
        elif parent >= 0:
            rotations[:, joint] = quat.multiply(quat.inverse(world[:, parent]), world[:, joint])
    return replace(
        clip,
        name=f"{clip.name} mirrored",
        rotations=quat.normalize(rotations),
        translations=_mirrored_places(skeleton, partner, positions, world),
        contacts=None if clip.contacts is None else clip.contacts[:, _CONTACT_ORDER],
        tags=tuple(Tag(_swapped(t.name), t.start, t.stop) for t in clip.tags),
        events=tuple(Event(_swapped(e.name), e.frame) for e in clip.events),
        props=tuple(_mirrored_prop(prop, skeleton, partner, rest) for prop in clip.props),
    )


def _partners(skeleton: Skeleton, roles: Roles) -> tuple[Indices, set[int]]:
    """For each joint the one across the body (itself in the middle), and those that only keep their local turn."""
    partner = np.arange(len(skeleton))
    for left, right in roles.pairs():
        partner[left], partner[right] = right, left
    known = set(roles.named().values())
    sided = [limb.girdle if limb.girdle is not None else limb.upper for limb in (*roles.arms, *roles.legs)]
    local_only = set()
    for joint in range(len(skeleton)):
        if joint in known:
            continue
        across = _across(skeleton.names[joint], skeleton.names)
        if across is not None:
            partner[joint] = across
        elif any(is_below(skeleton, joint, top) for top in sided):
            local_only.add(joint)
    return partner, local_only


def _across(name: str, names: tuple[str, ...]) -> int | None:
    """The joint whose name is the same with the sides exchanged."""
    for left, right in _SIDES:
        for here, there in ((left, right), (right, left)):
            if here in name and (swapped := name.replace(here, there, 1)) in names and swapped != name:
                return names.index(swapped)
    return None


def _mirrored_places(skeleton: Skeleton, partner: Indices, positions: Array, world: Array) -> Array:
    """Places of the moving joints in their parents' new frames. Shape (frames, moving, 3)."""
    places = []
    for joint in skeleton.moving:
        parent, other = int(skeleton.parents[joint]), int(partner[joint])
        above = int(skeleton.parents[other])
        away = positions[:, other] - (positions[:, above] if above >= 0 else 0.0)
        away = away * _FLIP
        places.append(away if parent < 0 else quat.rotate(quat.inverse(world[:, parent]), away))
    return np.stack(places, axis=1).astype(np.float32)


def _swapped(name: str) -> str:
    return name.replace("left", "\0").replace("right", "left").replace("\0", "right")


def _mirrored_prop(prop: Prop, skeleton: Skeleton, partner: Indices, rest: Array) -> Prop:
    joint = skeleton.index(prop.joint)
    other = int(partner[joint])
    back = quat.inverse(rest[other])
    position = quat.rotate(back, quat.rotate(rest[joint], np.array(prop.position, np.float32)) * _FLIP)
    turn = quat.multiply(back, quat.mirrored(quat.multiply(rest[joint], np.array(prop.rotation, np.float32))))
    x, y, z = (float(v) for v in position)
    w, i, j, k = (float(v) for v in turn)
    return replace(prop, joint=skeleton.names[other], position=(x, y, z), rotation=(w, i, j, k))
