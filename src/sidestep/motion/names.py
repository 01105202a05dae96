"""Joints recognized by their names: CMU, LAFAN1, Mixamo, Xsens, 100STYLE, Bandai-Namco, SMPL, Unreal, Rigify ...

A name is split into words, a side is found among them, and the rest is looked up. Words that mean different joints in
different conventions ("shoulder" is the clavicle for Mixamo and the upper arm for Xsens, "foot" the toe for SMPL) are
settled by what else there is on that side.
"""

from __future__ import annotations

import re

from ..errors import BadSkeleton
from .limbs import Limb, Roles
from .skeleton import Skeleton
from .tree import ancestors, common_ancestor, is_below, path_down

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LEFT, _RIGHT = {"left", "l", "lft"}, {"right", "r", "rgt"}

# For each role the words that may name it, best first; a later list is used when no joint bears an earlier word.
_LEG = {
    "upper": ("upleg", "upperleg", "thigh", "femur", "hip", "hipjoint"),
    "lower": ("leg", "lowerleg", "lowleg", "shin", "calf", "shank", "tibia", "knee"),
    "end": ("ankle", "foot", "talus"),
    "tip": ("toebase", "toe", "toes", "ball", "toejoint", "foot"),
}
_ARM = {
    "girdle": ("clavicle", "collar", "collarbone", "thorax", "shoulder"),
    "upper": ("upperarm", "uparm", "arm", "humerus", "shoulder", "shoulderjoint"),
    "lower": ("forearm", "lowerarm", "lowarm", "elbow", "radius"),
    "end": ("wrist", "hand"),
}
_HEAD = ("head", "skull")
_NECK = ("neck", "lowerneck")
_ANIMAL = {"tail", "paw", "hoof", "hind", "hindleg", "foreleg", "frontleg", "rearleg", "wing", "fetlock", "pastern"}


def words_of(name: str) -> tuple[str | None, str]:
    """Split a joint's name into its side ("left", "right" or None) and the rest in lower case, without digits."""
    bare = name.rsplit(":", 1)[-1]
    words = [w.lower() for w in _WORDS.findall(bare)]
    words = [
        w
        for w in words
        if w not in {"bip", "mixamorig", "joint", "def", "jnt", "bn", "m", "f", "avg"} or w == bare.lower()
    ]
    side: str | None = None
    rest = []
    for word in words:
        if word.isdigit():
            continue
        if side is None and word in _LEFT | _RIGHT:
            side = "left" if word in _LEFT else "right"
        else:
            rest.append(word)
    joined = "".join(rest)
    for long, found in (("left", "left"), ("right", "right")):
        if side is None and joined.startswith(long):
            side, joined = found, joined[len(long) :]
    # CMU writes "LHipJoint", "LThumb"; SMPL "lhip": one letter before a known word.
    known = {word for table in (_LEG, _ARM) for options in table.values() for word in options}
    if side is None and joined[:1] in {"l", "r"} and joined[1:] in known and joined not in known:
        side, joined = ("left" if joined[0] == "l" else "right"), joined[1:]
    return side, joined


def _limb(found: dict[str, list[int]], table: dict[str, tuple[str, ...]], skeleton: Skeleton) -> dict[str, int | None]:
    """Give each role of one limb a joint: no joint twice, and every one below the one before."""
    result: dict[str, int | None] = dict.fromkeys(table)
    taken: set[int] = set()
    # From outside inwards, but the tip last: a "foot" is the foot unless there is an ankle.
    order = [role for role in ("end", "lower", "upper", "girdle", "tip") if role in table]
    for role in order:
        for word in table[role]:
            options = [j for j in found.get(word, []) if j not in taken and _fits(j, role, result, skeleton)]
            if options:
                result[role] = options[0]
                taken.add(options[0])
                break
    return result


def _fits(joint: int, role: str, found: dict[str, int | None], skeleton: Skeleton) -> bool:
    """Whether the joint lies where the role must: inside of the found outer joints, the tip below the end."""
    if role == "end":
        return True
    outer = {"lower": "end", "upper": "lower", "girdle": "upper", "tip": "end"}[role]
    anchor = found[outer]
    if anchor is None:
        return False
    return is_below(skeleton, joint, anchor) if role == "tip" else is_below(skeleton, anchor, joint)


def roles_by_name(skeleton: Skeleton) -> Roles | None:
    """Find the body by names, or None where the names say too little.

    Raises:
        BadSkeleton: The names are those of an animal.
    """
    found: dict[str | None, dict[str, list[int]]] = {"left": {}, "right": {}, None: {}}
    for joint, name in enumerate(skeleton.names):
        side, word = words_of(name)
        found[side].setdefault(word, []).append(joint)
    animal = [w for table in found.values() for w in table if w in _ANIMAL]
    if animal:
        joint = next(j for table in found.values() for w, js in table.items() if w in _ANIMAL for j in js)
        raise BadSkeleton(
            f"joint '{skeleton.names[joint]}' belongs to an animal; sidestep moves people: two legs, two arms, a head"
        )
    legs = [_limb(found[side], _LEG, skeleton) for side in ("left", "right")]
    arms = [_limb(found[side], _ARM, skeleton) for side in ("left", "right")]
    if any(limb[role] is None for limb in legs + arms for role in ("upper", "lower", "end")):
        return None
    return assembled(skeleton, [_as_limb(a) for a in arms], [_as_limb(g) for g in legs], found[None])


def _as_limb(found: dict[str, int | None]) -> Limb:
    upper, lower, end = found["upper"], found["lower"], found["end"]
    assert upper is not None
    assert lower is not None
    assert end is not None
    return Limb(found.get("girdle"), upper, lower, end, found.get("tip"))


def assembled(
    skeleton: Skeleton,
    arms: list[Limb],
    legs: list[Limb],
    middle: dict[str, list[int]],
    found_by: str = "names",
) -> Roles | None:
    """Complete the trunk between found limbs; None if there is no head."""
    hips = common_ancestor(skeleton, legs[0].upper, legs[1].upper)
    chest = common_ancestor(skeleton, arms[0].upper, arms[1].upper)
    if not is_below(skeleton, chest, hips):
        return None
    # A spine that is a sibling of the hips (Biovision's "Hips" and "Chest") still hangs on their common joint.
    # A root on the floor that carries both legs and the trunk would not do; a named hip joint below it would.
    spine = tuple(path_down(skeleton, hips, chest))
    head = next((j for w in _HEAD for j in middle.get(w, []) if is_below(skeleton, j, chest)), None)
    if head is None:
        limbs = {limb.girdle if limb.girdle is not None else limb.upper for limb in arms}
        tops = [
            j
            for j in range(chest + 1, len(skeleton))
            if is_below(skeleton, j, chest)
            and not any(is_below(skeleton, j, _first(skeleton, chest, t)) for t in limbs)
        ]
        if not tops:
            return None
        head = max(tops, key=lambda j: (len(ancestors(skeleton, j)), -j))
    between = path_down(skeleton, chest, head)[:-1]
    neck = next((j for j in between if words_of(skeleton.names[j])[1] in _NECK), between[0] if between else None)
    arms = [_with_girdle(skeleton, chest, arm) for arm in arms]
    return Roles(hips, spine, neck, head, arms[0], arms[1], legs[0], legs[1], found_by)


def _first(skeleton: Skeleton, top: int, joint: int) -> int:
    """The child of ``top`` through which ``joint`` hangs."""
    path = path_down(skeleton, top, joint)
    return path[0] if path else joint


def _with_girdle(skeleton: Skeleton, chest: int, arm: Limb) -> Limb:
    """Take the first joint between chest and upper arm for the clavicle where no name says so."""
    path = path_down(skeleton, chest, arm.upper)[:-1]
    girdle = arm.girdle if arm.girdle in path else (path[0] if path else None)
    return Limb(girdle, arm.upper, arm.lower, arm.end, arm.tip)
