"""A clip seen in a mirror: left becomes right. It doubles any database."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from . import quaternion as quat
from .clip import Clip, Event, Prop, Tag
from .kinematics import forward, to_local
from .rest import reference_world
from .roles import find_roles

_FLIP = np.array([-1, 1, 1], np.float32)
_CONTACT_ORDER = [2, 3, 0, 1]


def mirror(clip: Clip) -> Clip:
    """The same motion mirrored across the plane x = 0, on the same skeleton.

    What is mirrored is how each joint is turned away from the T-pose, so the joints' own frames need not be
    symmetric. Joints between hips and root (a ground root) are mirrored as they are. "left" and "right" change
    places in tags and events.
    """
    skeleton = clip.skeleton
    roles = find_roles(skeleton)
    partner = np.arange(len(skeleton))
    for left, right in roles.pairs():
        partner[left], partner[right] = right, left
    _, rest = reference_world(skeleton, roles, clip.rotations)
    _, turned = forward(skeleton, clip.rotations, clip.translations)
    away = quat.multiply(turned, quat.inverse(rest))
    world = quat.multiply(quat.mirrored(away[:, partner]), rest)
    unknown = _without_role(clip, set(roles.named().values()))
    local = to_local(skeleton, world)
    # Fingers, twist bones and the like have no partner: they keep their local turn.
    local[:, unknown] = clip.rotations[:, unknown]
    return replace(
        clip,
        name=f"{clip.name} mirrored",
        rotations=quat.normalize(local),
        translations=clip.translations * _FLIP,
        contacts=None if clip.contacts is None else clip.contacts[:, _CONTACT_ORDER],
        tags=tuple(Tag(_swapped(t.name), t.start, t.stop) for t in clip.tags),
        events=tuple(Event(_swapped(e.name), e.frame) for e in clip.events),
        props=tuple(_mirrored_prop(p, clip, partner) for p in clip.props),
    )


def _without_role(clip: Clip, known: set[int]) -> list[int]:
    """Joints beyond the hips that bear no role and are not the trunk's own."""
    hips = min(known)
    return [j for j in range(hips + 1, len(clip.skeleton)) if j not in known]


def _swapped(name: str) -> str:
    return name.replace("left", "\0").replace("right", "left").replace("\0", "right")


def _mirrored_prop(prop: Prop, clip: Clip, partner: np.ndarray) -> Prop:
    names = clip.skeleton.names
    joint = clip.skeleton.index(prop.joint)
    x, y, z = prop.position
    turned = quat.mirrored(np.array(prop.rotation))
    return replace(
        prop,
        joint=names[int(partner[joint])],
        position=(-x, y, z),
        rotation=(float(turned[0]), float(turned[1]), float(turned[2]), float(turned[3])),
    )
