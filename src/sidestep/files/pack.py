"""Checked containers: typed arrays and a description in one safetensors file, written whole or not at all.

The container's kind and version and a checksum over arrays and description stand beside them, so that an old, foreign
or damaged file is refused with words instead of being misread.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import save_file

from ..errors import DamagedFile
from .safely import write_whole

Arrays = dict[str, Any]


def checksum(arrays: Arrays, description: str) -> str:
    """CRC-32 over the description and over all arrays (names, types, shapes, contents) in the order of their names."""
    value = zlib.crc32(description.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        value = zlib.crc32(f"{name} {array.dtype} {array.shape}".encode(), value)
        value = zlib.crc32(array.reshape(-1).view(np.uint8).data, value)
    return f"{value:08x}"


def write_pack(path: Path, kind: str, version: str, arrays: Arrays, description: dict[str, Any]) -> None:
    """Write arrays and a description (anything JSON knows).

    Raises:
        CannotWrite: No such folder, disk full ...; what stood at ``path`` still stands.
    """
    ready = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    text = json.dumps(description, separators=(",", ":"))
    told = {"kind": kind, "version": version, "checksum": checksum(ready, text), "description": text}

    def fill(part: Path) -> None:
        try:
            save_file(ready, part, metadata=told)
        except SafetensorError as error:
            # The library wraps the system's own error (a full disk) in text.
            raise OSError(str(error)) from error

    write_whole(path, fill)


def read_pack(path: Path, kind: str, version: str) -> tuple[Arrays, dict[str, Any]]:
    """Read what ``write_pack`` wrote; arrays are read-only views of one block.

    Raises:
        DamagedFile: Not such a file, another version, truncated or altered.
    """
    again = f"make it again{'' if kind == 'clips' else ' with `sidestep import`'}"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DamagedFile(f"{path}: cannot be read ({error.strerror}); check the path") from error
    try:
        return _opened(data, path, kind, version, again)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, MemoryError) as error:
        raise DamagedFile(f"{path.name}: the header is damaged; {again}") from error


def _opened(data: bytes, path: Path, kind: str, version: str, again: str) -> tuple[Arrays, dict[str, Any]]:
    header, start = _header(data, path, again)
    told = header.pop("__metadata__", {})
    if told.get("kind") != kind:
        raise DamagedFile(f"{path.name}: this file holds {told.get('kind') or 'something else'}, not a {kind}; {again}")
    if told.get("version") != version:
        raise DamagedFile(
            f"{path.name}: written in format {told.get('version')}, this sidestep reads format {version}; {again}"
        )
    arrays: Arrays = {}
    types = {"F32": np.float32, "F64": np.float64, "I16": np.int16, "U8": np.uint8, "I32": np.int32, "I64": np.int64}
    for name, entry in header.items():
        low, high = entry["data_offsets"]
        if start + high > len(data):
            raise DamagedFile(f"{path.name}: the file was cut off; {again}")
        block = np.frombuffer(data, types[entry["dtype"]], offset=start + low, count=int(np.prod(entry["shape"])))
        arrays[name] = block.reshape(entry["shape"])
    if checksum(arrays, told["description"]) != told.get("checksum"):
        raise DamagedFile(f"{path.name}: the checksum does not fit, the file is damaged; {again}")
    return arrays, json.loads(told["description"])


def _header(data: bytes, path: Path, again: str) -> tuple[dict[str, Any], int]:
    size = int.from_bytes(data[:8], "little") if len(data) >= 8 else 0
    if not 2 <= size <= min(len(data) - 8, 200_000_000):
        raise DamagedFile(f"{path.name}: not a sidestep file, or cut off; {again}")
    try:
        header = json.loads(data[8 : 8 + size])
    except ValueError as error:
        raise DamagedFile(f"{path.name}: the header is damaged; {again}") from error
    return header, 8 + size
