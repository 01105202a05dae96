"""Scenes: what is in the way and who plays, as TOML, read with a clear word for everything that is wrong.

title = "Corridor"
seconds = 20

[[obstacles]]
kind = "wall"                  # disk, ellipse, wall, box, polygon
from = [-1.0, 0.0]
to = [-0.2, 5.0]

[[characters]]
at = [0.0, -3.0]               # x and z, metres; +z is ahead, +x to the left
facing_degrees = 0
controller = { route = true }  # fields of controllers.Matching
intent = { kind = "stick", forward = 1.3 }
arrives = { z = 12.0 }         # what counts as having got through
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import Array
from ..body import Blend
from ..controllers import Matching, MotionMatching
from ..database import Database
from ..errors import AskedWrongly, BadFile, SidestepError, UnknownName
from ..geometry.shapes import Disk, Ellipse, Polygon, Shape, Shapes, Wall, box, point_distance
from ..intent import Stick, intent_from_plain
from ..search import PENALTIES, Charge, Environment, Paper
from ..world import Obstacle, Obstacles, Router, Track
from .field import APART_M, cones_around, path_through
from .stage import Stage

FOLDER = Path(__file__).parent / "scenes"
TOP_LEVEL = {"title", "about", "figure", "seconds", "obstacles", "characters", "vary", "penalties", "field"}


@dataclass(frozen=True)
class Arrives:
    """What counts as having got there: a line across x or z that is passed, or a place that is reached."""

    x: float | None = None
    z: float | None = None
    within_m: float = 0.6
    """Of the place, where both are given."""

    def __post_init__(self) -> None:
        """Refuse a line that is none."""
        given = [value for value in (self.x, self.z) if value is not None]
        if not given or not all(isinstance(value, (int, float)) and np.isfinite(value) for value in given):
            raise AskedWrongly(f"arrives: a finite x, z or both are wanted, not {self.x} and {self.z}")

    def passed(self, places: Array, start: Array) -> Array:
        """In which ticks it holds. Shape (ticks,)."""
        if self.x is not None and self.z is not None:
            return np.hypot(places[:, 0] - self.x, places[:, 1] - self.z) < self.within_m
        axis = 0 if self.z is None else 1
        line = float((self.x if self.z is None else self.z) or 0.0)
        sign = 1.0 if line >= start[axis] else -1.0
        return np.asarray(sign * (places[:, axis] - line) > 0.0)


@dataclass(frozen=True, kw_only=True)
class Role:
    """A character of a scene."""

    name: str
    at: tuple[float, float] = (0.0, 0.0)
    facing: float = 0.0
    """[rad]"""
    database: str = "default"
    """ "default", or a file beside the scene."""
    controller: Mapping[str, Any] = field(default_factory=dict)
    intent: Any = field(default_factory=Stick)
    arrives: Arrives | None = None


@dataclass(frozen=True, kw_only=True)
class Vary:
    """How starts differ from seed to seed, evenly to both sides."""

    at_m: float = 0.0
    facing_degrees: float = 0.0
    obstacles_m: float = 0.0
    """How far standing things are moved."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of cones with a path through it, another one for each seed (see ``field``)."""

    speed: float = 1.3
    """Of the target that runs along the path, [m/s]."""
    apart_m: float = APART_M
    """Between the middles of two cones at least."""


@dataclass(frozen=True)
class Scene:
    """What is in the way, and who plays."""

    name: str
    title: str
    about: str
    figure: str
    seconds: float
    obstacles: tuple[Obstacle, ...]
    roles: tuple[Role, ...]
    vary: Vary
    field: Field | None
    text: str
    """As it was written."""
    folder: Path

    def stage(self, seed: int = 0, database: Database | None = None, **changes: Any) -> Stage:
        """Set the stage: seed 0 as written, others varied as the scene says.

        Args:
            seed: Which variation.
            database: Instead of the default one.
            changes: Settings of all characters, over those of the scene.
        """
        rng = np.random.default_rng([seed, 71])

        def either_way(size: float, count: int) -> Array:
            return np.asarray(rng.uniform(-size, size, count) if seed else np.zeros(count))

        obstacles = [_moved(o, either_way(self.vary.obstacles_m, 2)) for o in self.obstacles]
        path = None
        if self.field is not None:
            path = path_through(seed, self.seconds, self.field.speed)
            obstacles += cones_around(seed, path, self.field.apart_m)
        stage = Stage(obstacles, seed)
        if database is None and _is_plain(changes):
            stage.told = {
                "scene": self.text, "name": self.name, "folder": str(self.folder), "seed": seed, "changes": changes,
            }  # fmt: skip
        controllers: dict[str, MotionMatching] = {}
        for role in self.roles:
            settings = settings_from({**role.controller, **changes}, f"{self.name}: character '{role.name}'")
            key = f"{role.database} {settings}"
            if key not in controllers:
                chosen = database if role.database == "default" and database is not None else None
                controllers[key] = MotionMatching(chosen or _database(role.database, self.folder), settings)
            turn = np.radians(either_way(self.vary.facing_degrees, 1)[0])
            x, z = np.array(role.at) + either_way(self.vary.at_m, 2)
            stage.add(controllers[key], (float(x), float(z)), role.facing + float(turn), role.intent or path, role.name)
        return stage

    def warnings(self) -> list[str]:
        """What will not go well: it is played all the same."""
        shapes = Obstacles(self.obstacles).at(0)
        found = []
        for role in self.roles:
            for i in range(len(shapes)):
                if point_distance(i, shapes.rows, shapes.corners, *role.at) < 0.05:
                    found.append(
                        f"{self.name}: character '{role.name}' begins inside obstacle {i}; it will be pushed out"
                    )
        return found


def _is_plain(changes: dict[str, Any]) -> bool:
    """Whether changes can be written down, so that a recording can be played again."""
    try:
        json.dumps(changes)
    except TypeError:
        return False
    return True


def scene_names() -> list[str]:
    """Scenes that ship with sidestep."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def scene(name: str | Path) -> Scene:
    """A scene by its name, or from a file.

    Raises:
        UnknownName: No such scene.
        BadFile: A file that cannot be read, or says what no scene can.
    """
    path = Path(name)
    if path.suffix.lower() != ".toml":
        if str(name) not in scene_names():
            raise UnknownName.among("scene", str(name), scene_names())
        path = FOLDER / f"{name}.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path}: no scene can be read there ({error})") from error
    return scene_from(text, path.stem, path.parent)


def scene_from(text: str, name: str, folder: Path = FOLDER) -> Scene:
    """A scene from its text."""
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadFile(f"{name}: this is no TOML: {error}") from error
    try:
        return _scene(told, text, name, folder)
    except (AskedWrongly, UnknownName) as error:
        raise BadFile(str(error) if str(error).startswith(name) else f"{name}: {error}") from error


def _scene(told: dict[str, Any], text: str, name: str, folder: Path) -> Scene:
    _only(told, TOP_LEVEL, name)
    for file in told.get("penalties", []):
        _load_penalties(folder / file, name)
    obstacles = tuple(
        _obstacle(table, f"{name}: obstacle {number}") for number, table in enumerate(told.get("obstacles", []))
    )
    Shapes.of([obstacle.shape for obstacle in obstacles])  # refuses sizes and corners that make no sense
    roles = tuple(_role(table, number, name) for number, table in enumerate(told.get("characters", [])))
    seconds = _number(told, "seconds", name, 20.0)
    if seconds <= 0:
        raise AskedWrongly(f"{name}: seconds are {seconds}; they must be above zero")
    return Scene(
        name,
        str(told.get("title", name)),
        str(told.get("about", "")),
        str(told.get("figure", "")),
        seconds,
        obstacles,
        roles,
        _made(Vary, told.get("vary", {}), f"{name}: vary"),
        _made(Field, told["field"], f"{name}: field") if "field" in told else None,
        text,
        folder,
    )


def _only(table: Any, known: set[str], where: str) -> None:
    if not isinstance(table, dict):
        raise AskedWrongly(f"{where}: a table is wanted, not {table!r}")
    for key in table:
        if key not in known:
            raise UnknownName.among("key", key, sorted(known), where)


def _number(table: dict[str, Any], key: str, where: str, default: float | None = None) -> float:
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not np.isfinite(value):
        raise AskedWrongly(f"{where}: '{key}' is {value!r}; it must be a finite number")
    return float(value)


def _pair(table: dict[str, Any], key: str, where: str) -> tuple[float, float]:
    value = table.get(key)
    if not isinstance(value, list) or len(value) != 2:
        raise AskedWrongly(f"{where}: '{key}' is {value!r}; it must be two numbers, x and z")
    return _number({key: value[0]}, key, where), _number({key: value[1]}, key, where)


def _pairs(table: dict[str, Any], key: str, where: str) -> tuple[tuple[float, float], ...]:
    value = table.get(key)
    if not isinstance(value, list):
        raise AskedWrongly(f"{where}: '{key}' is {value!r}; it must be a list of places [x, z]")
    return tuple(_pair({key: place}, key, where) for place in value)


def _made(kind: Callable[..., Any], table: Any, where: str) -> Any:
    """A dataclass from a table, nothing more and nothing less than it has."""
    known = {f.name for f in fields(kind)}  # type: ignore[arg-type]
    _only(table, known, where)
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    try:
        return kind(**given)
    except TypeError as error:
        raise AskedWrongly(f"{where}: a value of the wrong kind in {dict(table)} ({error})") from error


SHAPES: dict[str, set[str]] = {
    "disk": {"at", "radius"},
    "ellipse": {"at", "axis", "across"},
    "wall": {"from", "to"},
    "box": {"at", "width", "depth", "yaw_degrees"},
    "polygon": {"corners"},
}
COMMON = {"kind", "name", "bottom", "top", "path", "speed", "start_s", "loop", "count", "step"}


def _obstacle(table: Any, where: str) -> Obstacle:
    if not isinstance(table, dict) or table.get("kind") not in SHAPES:
        kind = table.get("kind") if isinstance(table, dict) else table
        raise UnknownName.among("kind of obstacle", str(kind), SHAPES, where)
    kind = table["kind"]
    _only(table, SHAPES[kind] | COMMON, where)
    heights = {key: _number(table, key, where) for key in ("bottom", "top") if key in table}
    shape: Shape
    if kind == "disk":
        shape = Disk(*_pair(table, "at", where), _number(table, "radius", where), **heights)
    elif kind == "ellipse":
        axis, across = _pair(table, "axis", where), _number(table, "across", where)
        shape = Ellipse(*_pair(table, "at", where), axis, across, **heights)
    elif kind == "wall":
        shape = Wall(_pair(table, "from", where), _pair(table, "to", where), **heights)
    elif kind == "box":
        size = (_number(table, "width", where), _number(table, "depth", where))
        yaw = np.radians(_number(table, "yaw_degrees", where, 0.0))
        shape = box(*_pair(table, "at", where), *size, yaw, **heights)
    else:
        shape = Polygon(_pairs(table, "corners", where), **heights)
    track = None
    if "path" in table:
        points, speed = _pairs(table, "path", where), _number(table, "speed", where, 1.0)
        track = Track.along(points, speed, _number(table, "start_s", where, 0.0), bool(table.get("loop", False)))
    return Obstacle(shape, track, str(table.get("name", "")))


def _moved(obstacle: Obstacle, way: Array) -> Obstacle:

    shape = obstacle.shape
    if obstacle.track is not None or not way.any() or not isinstance(shape, Disk):
        return obstacle
    return replace(obstacle, shape=replace(shape, x=shape.x + float(way[0]), z=shape.z + float(way[1])))


ROLE = {"name", "at", "facing_degrees", "database", "controller", "intent", "arrives"}


def _role(table: Any, number: int, scene_name: str) -> Role:
    name = str(table.get("name", f"character {number}")) if isinstance(table, dict) else str(table)
    where = f"{scene_name}: character '{name}'"
    _only(table, ROLE, where)
    settings_from(table.get("controller", {}), where)
    return Role(
        name=name,
        at=_pair(table, "at", where) if "at" in table else (0.0, 0.0),
        facing=float(np.radians(_number(table, "facing_degrees", where, 0.0))),
        database=str(table.get("database", "default")),
        controller=dict(table.get("controller", {})),
        intent=intent_from(table.get("intent", {"kind": "stick"}), where),
        arrives=_made(Arrives, table["arrives"], f"{where}, arrives") if "arrives" in table else None,
    )


def intent_from(table: Any, where: str) -> Any:
    """An intent from a table; None stands for the path of the scene's field."""
    if not isinstance(table, dict):
        raise AskedWrongly(f"{where}: an intent is a table with a kind, not {table!r}")
    if table == {"kind": "field"}:
        return None
    given = dict(table)
    if "facing_degrees" in given:
        given["facing"] = float(np.radians(_number(given, "facing_degrees", where)))
        del given["facing_degrees"]
    try:
        return intent_from_plain(given)
    except (AskedWrongly, UnknownName) as error:
        raise AskedWrongly(f"{where}: {error}") from error


NESTED: dict[str, Callable[..., Any]] = {
    "environment": Environment, "paper": Paper, "blend": Blend, "router": Router,
}  # fmt: skip


def settings_from(table: Mapping[str, Any], where: str) -> Matching:
    """Settings from a table; penalties are named with their numbers."""
    where = f"{where}, controller"
    given = {
        key: _made(NESTED[key], value, f"{where}, {key}") if key in NESTED and isinstance(value, dict) else value
        for key, value in table.items()
    }
    if "charges" in given:
        given["charges"] = tuple(
            charge if isinstance(charge, Charge) else _charge(charge, where) for charge in given["charges"]
        )
    made: Matching = _made(Matching, given, where)
    return made


def _charge(table: Any, where: str) -> Charge:
    _only(table, {"name", "numbers"}, f"{where}, charges")
    if table.get("name") not in PENALTIES:
        raise UnknownName.among("penalty", str(table.get("name")), PENALTIES, where)
    return Charge(PENALTIES[table["name"]], tuple(table.get("numbers", ())))


def _load_penalties(path: Path, name: str) -> None:
    """Run a Python file that registers penalties; it stands beside the scene."""
    spec = importlib.util.spec_from_file_location(f"sidestep_penalties_{path.stem}", path)
    if not path.exists() or spec is None or spec.loader is None:
        raise AskedWrongly(f"{name}: no file of penalties '{path.name}' beside the scene")
    module = importlib.util.module_from_spec(spec)
    # Compiled functions are kept on disk and found again by their module's name: it must be known by then.
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except SidestepError:
        raise
    except Exception as error:
        raise AskedWrongly(f"{name}: {path.name} could not be run: {type(error).__name__}: {error}") from error


def _database(name: str, folder: Path) -> Database:
    if name == "default":
        return Database.default()
    path = Path(name) if Path(name).is_absolute() else folder / name
    return Database.load(path)
