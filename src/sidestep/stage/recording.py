"""What was shown, tick by tick; saved whole, or written as motion other programs open."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import Array, Indices
from ..errors import AskedWrongly, DamagedFile
from ..files import write
from ..files.clips import skeleton_from_plain, skeleton_to_plain
from ..files.pack import read_pack, write_pack
from ..motion.clip import Clip
from ..motion.skeleton import Skeleton

if TYPE_CHECKING:
    from .stage import Stage

KIND, FORMAT = "recording", "1"
SUFFIX = ".record"


@dataclass(eq=False)
class Part:
    """Characters that share a controller."""

    members: Indices
    """Which of all characters. Shape (members,)."""
    skeleton: Skeleton
    database: str
    """Hash of what they were played from."""
    rotations: Array
    """Joint to parent. Shape (ticks, members, joints, 4)."""


@dataclass(eq=False)
class Recording:
    """Arrays begin with ticks and characters."""

    names: tuple[str, ...]
    first_tick: int
    frames: Indices
    """Of each character's database. Shape (ticks, characters)."""
    places: Array
    """x, z [m] and yaw [rad]. Shape (ticks, characters, 3)."""
    now: Array
    """Footprints, in the world (see ``search.cost``). Shape (ticks, characters, 8)."""
    hips: Array
    """In the world, [m]. Shape (ticks, characters, 3)."""
    parts: list[Part]
    told: dict[str, Any] = field(default_factory=dict)
    """What it takes to play it again: scene, seed, settings and inputs."""

    @classmethod
    def begin(cls, stage: Stage, ticks: int) -> Recording:
        """Room for so many ticks."""
        count = len(stage.characters)
        return cls(
            tuple(character.name for character in stage.characters),
            stage.tick,
            np.zeros((ticks, count), np.int64),
            np.zeros((ticks, count, 3)),
            np.zeros((ticks, count, 8)),
            np.zeros((ticks, count, 3), np.float32),
            [
                Part(
                    members,
                    crew.database.skeleton,
                    crew.database.hash,
                    np.zeros((ticks, *crew.bodies.turned.shape), np.float32),
                )
                for members, crew in stage.crews
            ],
        )

    @property
    def ticks(self) -> int:
        """How many there are."""
        return len(self.frames)

    def keep(self, row: int, stage: Stage) -> None:
        """Keep what a stage shows now."""
        self.places[row], self.now[row] = stage.published.places, stage.published.now
        for part, (members, crew) in zip(self.parts, stage.crews, strict=True):
            self.frames[row, members] = crew.frames
            self.hips[row, members] = crew.bodies.positions[:, 1]
            part.rotations[row] = crew.bodies.rotations()

    def clip(self, character: int) -> Clip:
        """One character's motion, as a clip in the world."""
        if not 0 <= character < len(self.names):
            raise AskedWrongly(f"character {character}: there are {len(self.names)}, counted from zero")
        part = next(part for part in self.parts if character in part.members)
        row = int(np.flatnonzero(part.members == character)[0])
        places = self.places[:, character]
        root = np.stack([places[:, 0], np.zeros(self.ticks), places[:, 1]], axis=-1)
        away = self.hips[:, character] - root
        cosine, sine = np.cos(places[:, 2]), np.sin(places[:, 2])
        local = np.stack(
            [cosine * away[:, 0] - sine * away[:, 2], away[:, 1], sine * away[:, 0] + cosine * away[:, 2]], axis=-1
        )
        return Clip(
            name=self.names[character],
            skeleton=part.skeleton,
            rotations=part.rotations[:, row],
            translations=np.stack([root, local], axis=1).astype(np.float32),
        )

    def save(self, path: Path | str) -> list[Path]:
        """Write it: all of it as ``.record``, or the motion as GLB, BVH, npz ..., a file for each character.

        Returns:
            The files written.
        """
        path = Path(path)
        if path.suffix.lower() == SUFFIX:
            self._save_whole(path)
            return [path]
        if len(self.names) == 1:
            write(path, self.clip(0))
            return [path]
        files = []
        for character, name in enumerate(self.names):
            safe = "".join(letter if letter.isalnum() else "-" for letter in name)
            files.append(path.with_name(f"{path.stem}-{character}-{safe}{path.suffix}"))
            write(files[-1], self.clip(character))
        return files

    def _save_whole(self, path: Path) -> None:
        arrays: dict[str, Any] = {
            "frames": self.frames.astype(np.int32),
            "places": self.places,
            "now": self.now.astype(np.float32),
            "hips": self.hips,
        }
        for number, part in enumerate(self.parts):
            arrays[f"members {number}"] = part.members.astype(np.int32)
            arrays[f"rotations {number}"] = part.rotations
        described = {
            "names": list(self.names),
            "first_tick": self.first_tick,
            "parts": [[skeleton_to_plain(part.skeleton), part.database] for part in self.parts],
            "told": self.told,
        }
        write_pack(path, KIND, FORMAT, arrays, described)

    @classmethod
    def load(cls, path: Path | str) -> Recording:
        """Open a ``.record`` file.

        Raises:
            DamagedFile: Another version, truncated, altered.
        """
        arrays, told = read_pack(Path(path), KIND, FORMAT)
        parts = [
            Part(arrays[f"members {n}"], skeleton_from_plain(skeleton), database, arrays[f"rotations {n}"])
            for n, (skeleton, database) in enumerate(told["parts"])
        ]
        return cls(
            tuple(told["names"]),
            told["first_tick"],
            arrays["frames"],
            arrays["places"],
            arrays["now"],
            arrays["hips"],
            parts,
            told["told"],
        )

    def replay(self) -> Recording:
        """Play the same again, from its scene, seed and inputs.

        Raises:
            AskedWrongly: It was not recorded from a scene.
            DamagedFile: What it was played from has changed since.
        """
        from .scene import scene_from

        if "scene" not in self.told:
            raise AskedWrongly("only what was recorded from a scene can be played again; this stage was set by hand")
        told = self.told
        stage = scene_from(told["scene"], told["name"], Path(told["folder"])).stage(told["seed"], **told["changes"])
        for part, (_, crew) in zip(self.parts, stage.crews, strict=True):
            if crew.database.hash != part.database:
                raise DamagedFile(
                    f"recorded from database {part.database}; it is {crew.database.hash} now, so frames would differ"
                )
        return stage.run(self.ticks / 60, inputs=told["inputs"])

    def same_as(self, other: Recording) -> bool:
        """Whether both chose the same frames and stood at the same places in all ticks."""
        return np.array_equal(self.frames, other.frames) and np.array_equal(self.places, other.places)
