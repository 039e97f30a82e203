"""The same curve as a PNG, with the palette and the font of the year's pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.ageing.picture import HEIGHT, WIDTH, Grid, encoded, write
from benchmarks.evolution.arms import Life
from benchmarks.evolution.plot import curve, edges

_LEFT, _RIGHT, _TOP, _BOTTOM = 90, 20, 60, 50  # margins of the area, in pixels
_INK, _LINE = 1, 2
_COLOURS = (3, 5, 1)  # of the palette, for the arms: green, sand, ink
_THICK = 2  # pixels to each side of a curve
_LETTER = 8  # pixels that a letter is wide
_MARKS = 50  # sessions between two marks
_TITLES = {
    "reciprocal": "held-out questions - reciprocal rank of the first right answer, in percent",
    "helpful": "held-out questions - right ones among those shown, in percent",
    "harmful": "held-out questions - wrong and poisoned ones among those shown, in percent",
}


def png(lives: Sequence[Life], measure: str) -> bytes:
    """A picture of one measure in all arms."""
    grid = np.zeros((HEIGHT, WIDTH), np.uint8)
    curves = [curve(life, measure) for life in lives]
    low, high = edges(curves)
    sessions = [sample.session for sample in lives[0].samples]
    _axes(grid, low, high, sessions)
    for colour, points in reversed([*zip(_COLOURS, curves, strict=False)]):
        _draw(grid, sessions, [(point - low) / (high - low) for point in points], colour)
    _legend(grid, lives, measure)
    return encoded(grid)


def _draw(grid: Grid, sessions: Sequence[int], shares: Sequence[float], colour: int) -> None:
    bottom = HEIGHT - _BOTTOM
    columns = np.arange(_LEFT, WIDTH - _RIGHT)
    heights = np.interp(np.linspace(sessions[0], sessions[-1], len(columns)), sessions, shares) * (bottom - _TOP)
    before = np.concatenate([heights[:1], heights[:-1]])
    for x, one, other in zip(columns, heights, before, strict=True):
        top, floor = bottom - round(max(one, other)) - _THICK, bottom - round(min(one, other)) + _THICK
        grid[max(0, top) : floor, x] = colour


def _axes(grid: Grid, low: float, high: float, sessions: Sequence[int]) -> None:
    bottom = HEIGHT - _BOTTOM
    grid[_TOP : bottom + 1, _LEFT - 1] = grid[bottom, _LEFT - 1 : WIDTH - _RIGHT] = _INK
    for quarter in range(5):
        y = bottom - quarter * (bottom - _TOP) // 4
        grid[y, _LEFT : WIDTH - _RIGHT] = _LINE
        text = f"{100 * (low + quarter * (high - low) / 4):.0f}"
        write(grid, _LEFT - 8 - _LETTER * len(text), y - 5, text)
    first, last = sessions[0], sessions[-1]
    for mark in range(-(-first // _MARKS) * _MARKS, last + 1, _MARKS):
        x = _LEFT + (mark - first) * (WIDTH - _LEFT - _RIGHT - 1) // max(1, last - first)
        grid[bottom : bottom + 5, x] = _INK
        text = f"session {mark}"
        write(grid, min(x - _LETTER * len(text) // 2, WIDTH - _LETTER * len(text)), bottom + 12, text)


def _legend(grid: Grid, lives: Sequence[Life], measure: str) -> None:
    write(grid, _LEFT, 12, _TITLES[measure])
    x = _LEFT
    for colour, life in zip(_COLOURS, lives, strict=False):
        grid[36:46, x : x + 10] = colour
        write(grid, x + 16, 36, life.arm)
        x += 36 + _LETTER * len(life.arm)
