"""sidestep doctor: versions, extras, caches, threads, and a self-test in seconds."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numba
import numpy as np
import tyro

from .. import __version__
from ..caches import cache_folder
from ..database import Database
from ..errors import BrokenSetup, SidestepError
from ..files import read, write
from ..jit import kernel_cache
from ..machine import machine
from ..performer import perform
from .talk import console, put_json

CORE = ("numpy", "scipy", "numba", "safetensors", "pillow", "rich", "tyro")
EXTRAS = {
    "physics": ("mujoco-core",),
    "learn": ("torch", "stable-baselines3", "gymnasium", "onnxscript"),
    "cluster": ("ray",),
    "usd": ("usd-core",),
}


@dataclass(frozen=True)
class Doctor:
    """Check the installation: versions, extras, caches, threads, and a self-test.

    Example: sidestep doctor
    """

    json: Annotated[bool, tyro.conf.arg(help="Print JSON.")] = False
    clean: bool = False
    """Throw away compiled kernels of other versions of the sources."""

    def run(self) -> int:
        """Look everything up, then try the main parts on a short clip."""
        if self.clean:
            clean_kernels()
        checks = self_test()
        told: dict[str, object] = {
            "sidestep": __version__,
            "python": platform.python_version(),
            "machine": machine(),
            "packages": {name: version_of(name) for name in CORE},
            "extras": {extra: {name: version_of(name) for name in names} for extra, names in EXTRAS.items()},
            "cache": {"folder": str(cache_folder()), "megabytes": cache_megabytes()},
            "checks": checks,
        }
        if self.json:
            put_json(told, None)
        else:
            self._show(told, checks)
        return 0 if all(check["ok"] for check in checks) else 1

    def _show(self, told: dict[str, object], checks: list[dict[str, object]]) -> None:
        console.print(f"sidestep {told['sidestep']}, Python {told['python']}, {told['machine']}")
        for name in CORE:
            console.print(f"  {name:<14} {version_of(name) or '[red]missing[/]'}")
        for extra, names in EXTRAS.items():
            missing = [name for name in names if version_of(name) is None]
            state = "installed" if not missing else f"not installed: pip install 'sidestep[{extra}]'"
            console.print(f"  extra {extra:<8} {state}", markup=False)
        console.print(f"  cache          {cache_folder()} ({cache_megabytes():.0f} MB)")
        for check in checks:
            mark = "[green]ok[/]    " if check["ok"] else "[red]failed[/]"
            console.print(f"  {mark} {check['what']}: {check['found']}")


def version_of(package: str) -> str | None:
    """The installed version, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def cache_megabytes() -> float:
    """How much the cache folder holds."""
    folder = cache_folder()
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6 if folder.exists() else 0.0


def clean_kernels() -> None:
    """Remove kernels that were compiled from other sources."""
    current = Path(kernel_cache())
    for folder in current.parent.glob("*"):
        if folder != current and folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)


def cache_works() -> str:
    """Without a cache every start performs and compiles anew."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            return f"{folder} can be written"
    except OSError as error:
        raise BrokenSetup(
            f"{folder} cannot be written ({error.strerror}); set SIDESTEP_CACHE to a folder that can"
        ) from error


def threads() -> str:
    """Numba's threading layer: 'workqueue' aborts on concurrent parallel calls and must not be the only one."""
    found = [name for name in ("omp", "tbb") if importlib.util.find_spec(f"numba.np.ufunc.{name}pool")]
    if not found:
        raise BrokenSetup("Numba has neither OpenMP nor TBB here, and its own pool aborts; pip install tbb")
    return f"{' and '.join(found)}, {numba.get_num_threads()} threads"


def self_test() -> list[dict[str, object]]:
    """Try the main parts on a short clip; each check says what it found."""
    checks: list[dict[str, object]] = []

    def check(what: str, work: Callable[[], str]) -> None:
        start = time.perf_counter()
        try:
            found, ok = work(), True
        except (SidestepError, OSError, ImportError, AssertionError) as error:
            found, ok = str(error), False
        checks.append({"what": what, "ok": ok, "found": f"{found} ({time.perf_counter() - start:.1f} s)"})

    clip = perform("walk", 0)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)

        def round_trip() -> str:
            write(place / "walk.bvh", clip)
            back = read(place / "walk.bvh").clip
            same = [back.skeleton.index(name) for name in clip.skeleton.names]
            shift = back.world()[0][:, same] - clip.world()[0][: len(back)]
            # Reading moves the ground to zero: that much is meant.
            off = float(np.abs(shift - shift.mean((0, 1))).max())
            assert off < 1e-4, f"a BVH round trip moves joints by {off * 1000:.2f} mm"
            return f"BVH round trip within {off * 1e6:.0f} micrometres"

        def searchable() -> str:
            database = Database.build([clip])
            database.save(place / "walk.sidestep")
            again = Database.load(place / "walk.sidestep")
            assert len(again) == len(clip), "a saved database comes back with another length"
            return f"{len(again)} poses built, saved, loaded"

        def picture() -> str:
            write(place / "walk.glb", clip)
            return f"GLB of {(place / 'walk.glb').stat().st_size / 1e6:.1f} MB"

        check("cache", cache_works)
        check("threading layer", threads)
        check("files", round_trip)
        check("database", searchable)
        check("mannequin", picture)
    return checks
