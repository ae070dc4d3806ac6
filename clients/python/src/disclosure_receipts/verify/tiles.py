"""Tiles of a log in a folder, as C2SP tlog-tiles names them."""

import os
import re
from collections.abc import Iterator

TILE_WIDTH = 256


def tiles_under(size: int) -> Iterator[tuple[int, int]]:
    """Index and width of each tile that holds the leaves of a tree of this size."""
    for index in range((size + TILE_WIDTH - 1) // TILE_WIDTH):
        yield index, min(TILE_WIDTH, size - index * TILE_WIDTH)


def tile_file(folder: str, index: int, width: int) -> str:
    """A tile as C2SP tlog-tiles names it: x001/067, or x001/067.p/12 with its first 12 leaves."""
    digits = str(index).zfill(-(-len(str(index)) // 3) * 3)
    groups = [digits[i : i + 3] for i in range(0, len(digits), 3)]
    file = os.path.join(folder, *(f"x{group}" for group in groups[:-1]), groups[-1])
    return file if width == TILE_WIDTH else os.path.join(f"{file}.p", str(width))


def held_width(folder: str, index: int, width: int) -> int:
    """The width of the tile that has as many leaves, or more: the full one where it is there."""
    full = tile_file(folder, index, TILE_WIDTH)
    if width == TILE_WIDTH or os.path.isfile(full):
        return TILE_WIDTH
    names = os.listdir(f"{full}.p") if os.path.isdir(f"{full}.p") else []
    widths = [int(name) for name in names if re.fullmatch(r"[1-9]\d{0,2}", name, re.ASCII)]
    return min((held for held in widths if held >= width), default=width)
