"""The parts of a human body as joints of a skeleton."""

from __future__ import annotations

from dataclasses import dataclass

SIDES = ("left", "right")


@dataclass(frozen=True)
class Limb:
    """An arm or a leg, from the trunk outwards. Joints by index; None where the skeleton has none."""

    girdle: int | None
    """Clavicle; for legs always None."""
    upper: int
    """Upper arm or thigh."""
    lower: int
    """Forearm or shank."""
    end: int
    """Hand or foot."""
    tip: int | None
    """Toe (or the first finger joint)."""


@dataclass(frozen=True)
class Roles:
    """The joints of a human body by what they do."""

    hips: int
    spine: tuple[int, ...]
    """Trunk joints above the hips, upwards; the last one carries the arms."""
    neck: int | None
    head: int
    left_arm: Limb
    right_arm: Limb
    left_leg: Limb
    right_leg: Limb
    found_by: str = "names"
    """ "names" or "shape"."""

    @property
    def chest(self) -> int:
        """The joint that carries the arms."""
        return self.spine[-1] if self.spine else self.hips

    @property
    def arms(self) -> tuple[Limb, Limb]:
        """Left and right arm."""
        return self.left_arm, self.right_arm

    @property
    def legs(self) -> tuple[Limb, Limb]:
        """Left and right leg."""
        return self.left_leg, self.right_leg

    def named(self) -> dict[str, int]:
        """Every found joint under the name of its role ("left_thigh", "spine_0" ...), parents first."""
        result: dict[str, int | None] = {"hips": self.hips}
        result |= {f"spine_{i}": joint for i, joint in enumerate(self.spine)}
        result |= {"neck": self.neck, "head": self.head}
        for side, arm, leg in zip(SIDES, self.arms, self.legs, strict=True):
            result |= {f"{side}_clavicle": arm.girdle, f"{side}_upper_arm": arm.upper, f"{side}_forearm": arm.lower}
            result |= {f"{side}_hand": arm.end, f"{side}_thigh": leg.upper, f"{side}_shank": leg.lower}
            result |= {f"{side}_foot": leg.end, f"{side}_toe": leg.tip}
        return {name: joint for name, joint in result.items() if joint is not None}

    def pairs(self) -> list[tuple[int, int]]:
        """The joints that a mirror exchanges, left with right."""
        named = self.named()
        return [
            (joint, named["right" + name[4:]])
            for name, joint in named.items()
            if name.startswith("left") and "right" + name[4:] in named
        ]
