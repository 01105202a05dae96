"""Bodies found in skeletons: by the names of many conventions, by shape, and animals refused."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.errors import BadSkeleton
from sidestep.motion import Skeleton
from sidestep.motion.roles import find_roles
from sidestep.motion.skeleton import from_tree
from sidestep.performer import SKELETON

# The performer's joints under the names of others: hips, three spine joints, neck, head, then per side
# clavicle, upper arm, forearm, hand, thigh, shank, foot, toe.
CONVENTIONS = {
    "mixamo": (
        "mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2 mixamorig:Neck mixamorig:Head",
        "mixamorig:{S}Shoulder mixamorig:{S}Arm mixamorig:{S}ForeArm mixamorig:{S}Hand "
        "mixamorig:{S}UpLeg mixamorig:{S}Leg mixamorig:{S}Foot mixamorig:{S}ToeBase",
    ),
    "xsens": (
        "Pelvis L5 L3 T12 Neck Head",
        "{S}Shoulder {S}UpperArm {S}ForeArm {S}Hand {S}UpperLeg {S}LowerLeg {S}Foot {S}Toe",
    ),
    "100style": (
        "Hips Chest Chest2 Chest4 Neck Head",
        "{S}Collar {S}Shoulder {S}Elbow {S}Wrist {S}Hip {S}Knee {S}Ankle {S}Toe",
    ),
    "bandai": (
        "Hips Spine Chest UpperChest Neck Head",
        "Shoulder_{L} UpperArm_{L} LowerArm_{L} Hand_{L} UpperLeg_{L} LowerLeg_{L} Foot_{L} Toes_{L}",
    ),
    "smpl": (
        "Pelvis Spine1 Spine2 Spine3 Neck Head",
        "{L}_Collar {L}_Shoulder {L}_Elbow {L}_Wrist {L}_Hip {L}_Knee {L}_Ankle {L}_Foot",
    ),
    "smpl small": (
        "pelvis spine1 spine2 spine3 neck head",
        "{s}_collar {s}_shoulder {s}_elbow {s}_wrist {s}_hip {s}_knee {s}_ankle {s}_foot",
    ),
    "unreal": (
        "pelvis spine_01 spine_02 spine_03 neck_01 head",
        "clavicle_{l} upperarm_{l} lowerarm_{l} hand_{l} thigh_{l} calf_{l} foot_{l} ball_{l}",
    ),
    "rigify": (
        "hips spine spine.001 spine.002 neck head",
        "shoulder.{L} upper_arm.{L} forearm.{L} hand.{L} thigh.{L} shin.{L} foot.{L} toe.{L}",
    ),
    "spaces": (
        "Root Hips|Low Back|Mid Back|Chest|Neck|Head",
        "{S} Clavicle|{S} Upper Arm|{S} Fore Arm|{S} Hand|{S} Thigh|{S} Shin|{S} Foot|{S} Toe",
    ),
}  # fmt: skip
PARTS = ("Shoulder", "Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "Toe")


def renamed(trunk: str, side: str) -> Skeleton:
    split = "|" if "|" in trunk else " "
    names = dict(zip(("Hips", "Spine", "Spine1", "Spine2", "Neck", "Head"), trunk.split(split), strict=True))
    for word in ("Left", "Right"):
        filled = (
            side.replace("{S}", word)
            .replace("{L}", word[0])
            .replace("{l}", word[0].lower())
            .replace("{s}", word.lower())
        )
        names |= {word + part: name for part, name in zip(PARTS, filled.split(split), strict=True)}
    return Skeleton(
        tuple(names[n] for n in SKELETON.names), SKELETON.parents, SKELETON.offsets, SKELETON.moving, SKELETON.ends
    )


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_names_of_many_conventions(convention: str) -> None:
    roles = find_roles(renamed(*CONVENTIONS[convention]))
    expected = find_roles(SKELETON)
    assert roles.found_by == "names"
    assert roles.named() == expected.named()


def test_unknown_names_are_found_by_shape_and_sides_by_the_toes() -> None:
    names = tuple(f"joint{i}" for i in range(len(SKELETON)))
    unknown = Skeleton(names, SKELETON.parents, SKELETON.offsets, SKELETON.moving, SKELETON.ends)
    found, expected = find_roles(unknown), find_roles(SKELETON)
    assert found.found_by == "shape"
    assert found.named() == expected.named()


def test_shape_needs_no_standing_pose(walk: object) -> None:
    # Every bone drawn along x, as LAFAN1 has it: only lengths and the pose given tell.
    lengths = np.linalg.norm(SKELETON.offsets, axis=-1)
    along_x = np.stack([lengths, 0 * lengths, 0 * lengths], axis=-1)
    names = tuple(f"j{i}" for i in range(len(SKELETON)))
    found = find_roles(Skeleton(names, SKELETON.parents, along_x), SKELETON.resting_positions())
    assert found.named() == find_roles(SKELETON).named()


def test_real_skeletons(mocap: object) -> None:
    from pathlib import Path

    from sidestep.files import read_raw

    if mocap is None:
        pytest.skip("no real clips")
    assert isinstance(mocap, Path)
    for name, spine in (
        ("cmu_60fps/69_01.bvh", 3),
        ("lafan1/walk4_subject1.bvh", 3),
        ("snu_woody2/wd2_PushBack01.bvh", 2),
    ):
        skeleton = read_raw(mocap / name).skeleton
        roles = find_roles(skeleton)
        assert len(roles.spine) == spine
        assert skeleton.names[roles.left_leg.upper] == "LeftUpLeg"
        assert skeleton.names[roles.right_arm.lower] == "RightForeArm"
        assert roles.left_leg.tip is not None
        shape = Skeleton(
            tuple(f"j{i}" for i in range(len(skeleton))), skeleton.parents, skeleton.offsets, skeleton.moving
        )
        raw = read_raw(mocap / name)
        from sidestep.motion.kinematics import forward

        positions = forward(skeleton, raw.rotations[50:51], raw.translations[50:51])[0][0]
        assert find_roles(shape, positions).left_leg.upper == roles.left_leg.upper


def test_animals_and_fragments_are_refused() -> None:
    horse = [("Hips", None, (0, 1, 0)), ("Tail", "Hips", (0, 0, -0.3)), ("Spine", "Hips", (0, 0, 0.5))]
    with pytest.raises(BadSkeleton, match="animal"):
        find_roles(from_tree(horse))  # type: ignore[arg-type]
    table: list = [
        ("a", None, (0.0, 0.7, 0.0)),
        ("b", "a", (0.0, 0.0, 0.7)),
        ("h", "b", (0.0, 0.2, 0.2)),
        ("h2", "h", (0, 0, 0.15)),
    ]
    for k, (parent, x) in enumerate((("a", 0.15), ("a", -0.15), ("b", 0.15), ("b", -0.15))):
        length = 0.36 if parent == "a" else 0.34
        table += [
            (f"u{k}", parent, (x, 0.0, 0.0)),
            (f"l{k}", f"u{k}", (0.0, -length, 0.0)),
            (f"e{k}", f"l{k}", (0.0, -length, 0.0)),
        ]
    with pytest.raises(BadSkeleton, match="four legs"):
        find_roles(from_tree(table))
    with pytest.raises(BadSkeleton, match="two are needed"):
        find_roles(from_tree([("a", None, (0, 1, 0)), ("b", "a", (0, 1, 0)), ("c", "b", (0, 1, 0))]))
