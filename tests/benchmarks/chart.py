"""Draws figures as SVG: panels side by side, with the same points to the right, both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

WIDTH: Final = 360
HEIGHT: Final = 260
LEFT, TOP, BELOW, RIGHT = 62, 54, 46, 18
"""The room around the drawing of a panel, for its numbers and words."""


@dataclass(frozen=True)
class Panel:
    """One figure over all points; every number is positive."""

    title: str
    xs: Sequence[float]
    ys: Sequence[float]


@dataclass(frozen=True)
class _Axis:
    """Whole powers of ten from `low` to `high`, on `length` pixels."""

    low: int
    high: int
    length: float

    @classmethod
    def of(cls, numbers: Sequence[float], length: float) -> _Axis:
        """The axis on which all numbers have a place."""
        logs = [math.log10(number) for number in numbers]
        low = math.floor(min(logs))
        return cls(low, max(low + 1, math.ceil(max(logs))), length)

    def at(self, number: float) -> float:
        """How far along the axis a number stands."""
        return (math.log10(number) - self.low) / (self.high - self.low) * self.length

    def ticks(self) -> list[float]:
        """The powers of ten; where they are few, twice and five times those as well."""
        steps = (1, 2, 5) if self.high - self.low < 2 else (1,)
        numbers = [step * 10.0**power for power in range(self.low, self.high + 1) for step in steps]
        return [number for number in numbers if number <= 10.0**self.high]


def chart(title: str, below: str, panels: Sequence[Panel]) -> str:
    """The text of an SVG file; `below` says what the points are measured by."""
    width = WIDTH * len(panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" height="{HEIGHT}"'
        f' font-family="sans-serif" font-size="11" fill="#333" role="img" aria-label="{escape(title)}">',
        f'<rect width="{width}" height="{HEIGHT}" fill="#fff"/>',
        _text(width / 2, 18, title, "middle", 13),
    ]
    for number, panel in enumerate(panels):
        parts += [f'<g transform="translate({number * WIDTH},0)">', *_drawn(panel, below), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _drawn(panel: Panel, below: str) -> Iterator[str]:
    across = _Axis.of(panel.xs, WIDTH - LEFT - RIGHT)
    up = _Axis.of(panel.ys, HEIGHT - TOP - BELOW)
    bottom = HEIGHT - BELOW
    yield _text(LEFT, TOP - 12, panel.title)
    yield _text(LEFT + across.length / 2, HEIGHT - 10, below, "middle")
    for number in across.ticks():
        x = LEFT + across.at(number)
        yield _line(x, TOP, x, bottom)
        yield _text(x, bottom + 16, f"{number:,g}" if number < 1e6 else f"{number / 1e6:g} million", "middle")
    for number in up.ticks():
        y = bottom - up.at(number)
        yield _line(LEFT, y, LEFT + across.length, y)
        yield _text(LEFT - 6, y + 4, f"{number:,g}", "end")
    points = [(LEFT + across.at(x), bottom - up.at(y)) for x, y in zip(panel.xs, panel.ys)]
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline points="{joined}" fill="none" stroke="#2563eb" stroke-width="2"/>'
    for (x, y), number in zip(points, panel.ys):
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#2563eb"/>'
        yield _text(x, y - 8, f"{number:,.1f}" if number < 10 else f"{number:,.0f}", "middle")


def _line(x: float, y: float, to_x: float, to_y: float) -> str:
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="#ddd"/>'


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 11) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
