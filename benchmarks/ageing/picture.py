"""The same area as a PNG, written by hand: a palette, a grid of numbers, and a font of 3 by 5 dots."""

from __future__ import annotations

import struct
import zlib
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.ageing.year import TIERS, Year

WIDTH, HEIGHT = 800, 400  # pixels
SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LEFT, _RIGHT, _TOP, _BOTTOM = 90, 20, 60, 50  # margins of the area
_DOT = 2  # pixels to a dot of the font
_MONTH = 30  # days between two marks
_PAPER, _INK, _LINE, _FIRST = 0, 1, 2, 3
# Dark to pale, so that it reads in grey as well.
_COLOURS = (
    (255, 255, 255),
    (40, 40, 40),
    (225, 225, 225),
    (27, 94, 72),
    (78, 154, 103),
    (222, 168, 82),
    (205, 205, 198),
)
# Five rows of three dots, each row an octal digit.
_FONT = {
    letter: [int(row) for row in rows]
    for letter, rows in (
        word.split(":")
        for word in (
            "0:75557 1:26227 2:71747 3:71317 4:55711 5:74717 6:74757 7:71122 8:75757 9:75717 "
            "a:25755 b:65656 c:34443 d:65556 e:74647 f:74644 g:34553 h:55755 i:72227 j:11152 k:55655 l:44447 "
            "m:57755 n:65555 o:25552 p:65644 q:25563 r:65655 s:34216 t:72222 u:55557 v:55552 w:55775 x:55255 "
            "y:55222 z:71247 -:00700 ,:00024"
        ).split()
    )
}

Grid: TypeAlias = NDArray[np.uint8]


def png(year: Year) -> bytes:
    """A picture of the year."""
    grid = np.full((HEIGHT, WIDTH), _PAPER, np.uint8)
    _area(grid, year)
    _axes(grid, year)
    _legend(grid, year)
    return encoded(grid)


def _area(grid: Grid, year: Year) -> None:
    days = [sample.day for sample in year.samples]
    columns = np.linspace(days[0], days[-1], WIDTH - _LEFT - _RIGHT)
    scale = (HEIGHT - _TOP - _BOTTOM) / _most(year)
    floor = np.zeros(len(columns))
    heights = np.arange(HEIGHT - _TOP - _BOTTOM, 0, -1)[:, None]
    area = grid[_TOP : HEIGHT - _BOTTOM, _LEFT : WIDTH - _RIGHT]
    for colour, tier in enumerate(TIERS[year.policy], _colour(year)):
        roof = floor + np.interp(columns, days, [sample.sizes[tier] for sample in year.samples]) * scale
        area[(heights > floor) & (heights <= roof + 0.5)] = colour
        floor = roof


def _axes(grid: Grid, year: Year) -> None:
    bottom, most = HEIGHT - _BOTTOM, _most(year)
    grid[_TOP : bottom + 1, _LEFT - 1] = grid[bottom, _LEFT - 1 : WIDTH - _RIGHT] = _INK
    for quarter in range(5):
        y = bottom - quarter * (bottom - _TOP) // 4
        paper = grid[y, _LEFT : WIDTH - _RIGHT]
        paper[paper == _PAPER] = _LINE
        text = f"{quarter * most // 4:,}"
        write(grid, _LEFT - 8 - _wide(text), y - 5, text)
    first, last = year.samples[0].day, year.samples[-1].day
    for day in range(-(-first // _MONTH) * _MONTH, last + 1, 2 * _MONTH):
        x = _LEFT + (day - first) * (WIDTH - _LEFT - _RIGHT - 1) // max(1, last - first)
        grid[bottom : bottom + 5, x] = _INK
        text = f"day {day}"
        write(grid, min(x - _wide(text) // 2, WIDTH - _wide(text)), bottom + 12, text)


def _legend(grid: Grid, year: Year) -> None:
    write(grid, _LEFT, 12, f"policy {year.policy} - memories in each tier")
    x = _LEFT
    for colour, tier in enumerate(TIERS[year.policy], _colour(year)):
        grid[36:46, x : x + 10] = colour
        text = f"{tier} {year.samples[-1].sizes[tier]:,}"
        write(grid, x + 16, 36, text)
        x += 16 + _wide(text) + 20


def write(grid: Grid, x: int, y: int, text: str) -> None:
    """A text with its upper left corner at a place."""
    for letter in text:
        rows = _FONT.get(letter, [0] * 5)
        dots = np.array([[row >> bit & 1 for bit in (2, 1, 0)] for row in rows], np.uint8)
        large = np.kron(dots, np.ones((_DOT, _DOT), np.uint8))
        grid[y : y + 5 * _DOT, x : x + 3 * _DOT][large == 1] = _INK
        x += 4 * _DOT


def _wide(text: str) -> int:
    return 4 * _DOT * len(text)


def _most(year: Year) -> int:
    return max(1, max(sum(sample.sizes.values()) for sample in year.samples))


def _colour(year: Year) -> int:
    """Of the tier at hand. What is forgotten is grey everywhere, and what is archived is sand."""
    return _FIRST + (len(_COLOURS) - _FIRST - len(TIERS[year.policy]) if year.policy == "age" else 0)


def encoded(grid: Grid) -> bytes:
    lines = np.hstack([np.zeros((HEIGHT, 1), np.uint8), grid])  # each line begins with its filter: none
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    palette = bytes(part for colour in _COLOURS for part in colour)
    chunks = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
