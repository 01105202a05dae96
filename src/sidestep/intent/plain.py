"""Intents as tables of text and numbers, as scenes and recordings hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from ..errors import AskedWrongly, UnknownName
from .kinds import Crowd, Goal, Script, Stick
from .path import Path

INTENTS: dict[str, Callable[..., Any]] = {
    "stick": Stick, "goal": Goal, "path": Path, "script": Script, "crowd": Crowd,
}  # fmt: skip


def intent_to_plain(intent: Any) -> dict[str, Any]:
    """An intent as a table: its kind and what was given."""
    kind = next((name for name, made in INTENTS.items() if made is type(intent)), None)
    if kind is None:
        raise AskedWrongly(f"a {type(intent).__name__} is no intent; give one of {', '.join(INTENTS)}")
    return {"kind": kind, **{f.name: getattr(intent, f.name) for f in fields(intent)}}


def intent_from_plain(table: Mapping[str, Any]) -> Any:
    """An intent from a table.

    Raises:
        UnknownName: A kind or a key that does not exist.
        AskedWrongly: Values that make no sense.
    """
    kind = table.get("kind")
    if kind not in INTENTS:
        raise UnknownName.among("kind of intent", str(kind), INTENTS)
    made = INTENTS[kind]
    known = [f.name for f in fields(made)]  # type: ignore[arg-type]
    given = {}
    for key, value in table.items():
        if key == "kind":
            continue
        if key not in known:
            raise UnknownName.among("key", key, known, f"intent '{kind}'")
        given[key] = _tupled(value)
    try:
        return made(**given)
    except (TypeError, ValueError) as error:
        raise AskedWrongly(f"intent '{kind}': {error}") from error


def _tupled(value: Any) -> Any:
    return tuple(_tupled(item) for item in value) if isinstance(value, (list, tuple)) else value
