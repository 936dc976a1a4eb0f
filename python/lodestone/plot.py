"""Plots as SVG, without another library."""
import math
import pathlib
from xml.sax.saxutils import escape

import numpy as np

from .errors import Error

_COLOURS = ("#1f6fb2", "#c8501e", "#3a8f3a", "#8a4fb0", "#b08a00", "#5a6570")
_WIDTH, _HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 86, 18, 40, 58


def _ticks(low, high, count=6):
    """Round numbers from low to high."""
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = min((f * power for f in (1, 2, 5, 10)), key=lambda s: abs(s - rough))
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _label(value, largest):
    return "0" if abs(value) < 1e-12 * largest else f"{value:.6g}"


class Plot:
    """Lines and points over two axes.

        plot = Plot(title="Tip", x="t (s)", y="z (mm)")
        plot.line(t, z, "simulated").points(t0, z0, "measured")
        plot.save("tip.svg")

    equal: one scale for both axes, so that circles are round.
    """

    def __init__(self, title="", x="", y="", equal=False):
        self.title, self.x, self.y, self.equal = title, x, y, equal
        self._series = []

    def _add(self, kind, x, y, name):
        x, y = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
        if x.shape != y.shape:
            raise Error(f"found {x.size} values of x and {y.size} of y, expected as many")
        self._series.append((kind, x, y, name))
        return self

    def line(self, x, y, name=""):
        """Joins points; a gap where one is no number."""
        return self._add("line", x, y, name)

    def points(self, x, y, name=""):
        """Marks points."""
        return self._add("points", x, y, name)

    def _range(self, which):
        values = np.concatenate([s[which] for s in self._series]) if self._series else np.array([])
        values = values[np.isfinite(values)]
        if values.size == 0:
            raise Error("there is nothing to plot: no point is a finite number")
        low, high = float(values.min()), float(values.max())
        if low == high:
            low, high = low - (abs(low) or 1.0), high + (abs(high) or 1.0)
        margin = 0.04 * (high - low)
        return low - margin, high + margin

    def svg(self):
        """The picture, as a text."""
        (x0, x1), (y0, y1) = self._range(1), self._range(2)
        right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        if self.equal:
            scale = max((x1 - x0) / (right - _LEFT), (y1 - y0) / (bottom - _TOP))
            x0, x1 = (x0 + x1 - scale * (right - _LEFT)) / 2, (x0 + x1 + scale * (right - _LEFT)) / 2
            y0, y1 = (y0 + y1 - scale * (bottom - _TOP)) / 2, (y0 + y1 + scale * (bottom - _TOP)) / 2

        def across(x):
            return _LEFT + (x - x0) / (x1 - x0) * (right - _LEFT)

        def down(y):
            return bottom - (y - y0) / (y1 - y0) * (bottom - _TOP)

        out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
               f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="13" fill="#222">',
               f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>']
        for x in _ticks(x0, x1):
            out.append(f'<path d="M{across(x):.1f} {_TOP}V{bottom}" stroke="#e4e4e4"/>'
                       f'<text x="{across(x):.1f}" y="{bottom + 18}" text-anchor="middle">'
                       f"{_label(x, max(abs(x0), abs(x1)))}</text>")
        for y in _ticks(y0, y1):
            out.append(f'<path d="M{_LEFT} {down(y):.1f}H{right}" stroke="#e4e4e4"/>'
                       f'<text x="{_LEFT - 8}" y="{down(y) + 4:.1f}" text-anchor="end">'
                       f"{_label(y, max(abs(y0), abs(y1)))}</text>")
        out.append(f'<rect x="{_LEFT}" y="{_TOP}" width="{right - _LEFT}" height="{bottom - _TOP}" fill="none" '
                   'stroke="#888"/>')
        everything = []
        for k, (kind, x, y, _) in enumerate(self._series):
            draw = self._line if kind == "line" else self._points
            places = [(across(a), down(b)) if math.isfinite(a) and math.isfinite(b) else None for a, b in zip(x, y)]
            out.append(draw(places, _COLOURS[k % len(_COLOURS)]))
            everything += filter(None, places)
        out += self._words(right, bottom) + self._legend(right, bottom, everything)
        return "\n".join(out) + "\n</svg>\n"

    @staticmethod
    def _line(places, colour):
        path, joined = "", False
        for place in places:
            if place:
                path += f'{"L" if joined else "M"}{place[0]:.2f} {place[1]:.2f}'
            joined = place is not None
        return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.8" stroke-linejoin="round"/>'

    @staticmethod
    def _points(places, colour):
        return "".join(f'<circle cx="{p[0]:.2f}" cy="{p[1]:.2f}" r="3.4" fill="{colour}"/>' for p in places if p)

    def _words(self, right, bottom):
        middle, centre = (_LEFT + right) / 2, (_TOP + bottom) / 2
        out = [f'<text x="{middle}" y="24" text-anchor="middle" font-size="15">{escape(self.title)}</text>',
               f'<text x="{middle}" y="{_HEIGHT - 14}" text-anchor="middle">{escape(self.x)}</text>',
               f'<text transform="translate(20 {centre}) rotate(-90)" text-anchor="middle">{escape(self.y)}</text>']
        return out

    def _legend(self, right, bottom, places):
        """In the corner where it hides the fewest points."""
        named = [(k, s[3]) for k, s in enumerate(self._series) if s[3]]
        if not named:
            return []
        wide, tall = 46 + 7.2 * max(len(name) for _, name in named), 18 * len(named) + 8
        corners = [(x, y) for x in (_LEFT + 6, right - wide - 6) for y in (_TOP + 6, bottom - tall - 6)]

        def hidden(corner):
            x, y = corner
            return sum(x - 6 <= a <= x + wide + 6 and y - 6 <= b <= y + tall + 6 for a, b in places)

        x, y = min(corners, key=hidden)
        out = [f'<rect x="{x}" y="{y}" width="{wide:.0f}" height="{tall}" fill="#fff" fill-opacity="0.8"/>']
        for row, (k, name) in enumerate(named):
            middle = y + 13 + 18 * row
            out.append(f'<rect x="{x + 6}" y="{middle - 2}" width="18" height="4" fill="{_COLOURS[k % len(_COLOURS)]}"/>'
                       f'<text x="{x + 30}" y="{middle + 4}">{escape(name)}</text>')
        return out

    def save(self, path):
        """Writes the picture to a file."""
        pathlib.Path(path).write_text(self.svg(), encoding="utf-8")
        return self

    def _repr_svg_(self):
        return self.svg()
