"""sidestep play: until the studio exists, a medley of the performer as GLB and contact sheet."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ..errors import CannotWrite
from ..files import write
from ..performer import medley
from ..pictures import contact_sheet
from .talk import console


@dataclass(frozen=True)
class Play:
    """Act out a medley of the performer and write it as GLB and contact sheet (the studio will open here).

    Example: sidestep play --out play
    """

    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = Path("play")
    """Folder to write into."""
    seed: int = 0
    """Another seed, another medley."""

    def run(self) -> int:
        """Perform, render, tell where it is."""
        start = time.perf_counter()
        try:
            self.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotWrite(f"{self.out}: no folder can be made there ({error.strerror}); name another") from error
        clip = medley(self.seed)
        console.print(f"performed {clip.seconds:.0f} s in {time.perf_counter() - start:.1f} s; drawing ...")
        write(self.out / "medley.glb", clip)
        contact_sheet(clip, self.out / "medley.png", columns=12, rows=4)
        console.print(f"{self.out / 'medley.glb'}: open it in Blender or any glTF viewer", soft_wrap=True)
        console.print(f"{self.out / 'medley.png'}: the same as a contact sheet", soft_wrap=True)
        return 0
