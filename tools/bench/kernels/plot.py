"""Bars, as a picture in SVG that needs nothing from outside."""

from __future__ import annotations

import html
import itertools
import math
from dataclasses import dataclass, field

from cases import BANDWIDTH, COMPUTE
from results import Results, Row

# Lengths in the picture's own unit, a pixel where it is not scaled.
LABEL_WIDTH, PLOT_WIDTH, VALUE_WIDTH, MARGIN = 300, 560, 90, 16
BAR_HEIGHT, GROUP_GAP, TEXT_HEIGHT, TITLE_HEIGHT, AXIS_HEIGHT = 14, 8, 18, 30, 26

# Colours that differ for the colour-blind too (Okabe and Ito, 2008).
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999")


@dataclass
class Bar:
    """From 0 to `value`, with a line from `low` to `high` over its end where they differ. `series` decides the colour."""
    series: str
    value: float
    low: float = 0
    high: float = 0


@dataclass
class Panel:
    """Groups of bars with one scale; each stands under a label."""
    title: str
    groups: list[tuple[str, list[Bar]]] = field(default_factory=list)

    @property
    def most(self) -> float:
        return max((max(bar.value, bar.high) for _, bars in self.groups for bar in bars), default=0)


def _round_up(value: float) -> float:
    """The round number of 1, 2 or 5 and zeros that is not below `value`."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if value <= step * power)


def _number_text(value: float) -> str:
    return f"{value:.0f}" if value >= 100 or value == math.floor(value) else f"{value:.3g}"


class _Picture:
    def __init__(self, panels: list[Panel]):
        names = dict.fromkeys(bar.series for panel in panels for _, bars in panel.groups for bar in bars)
        self.colours = dict(zip(names, itertools.cycle(COLOURS)))
        self.body: list[str] = []
        self.y = 0.0

    def write(self, x: float, baseline: float, text: str, style: str = "") -> None:
        self.body.append(f'<text x="{x:.1f}" y="{baseline:.1f}" {style}>{html.escape(text, quote=False)}</text>')

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        self.body.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>')

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str) -> None:
        self.body.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}"/>')

    def title(self, text: str) -> None:
        self.y += MARGIN + TEXT_HEIGHT
        self.write(MARGIN, self.y, text, 'font-size="15" font-weight="bold"')
        self.y += 8

    def legend(self) -> None:
        if len(self.colours) < 2:
            return
        x = LABEL_WIDTH
        for name, colour in self.colours.items():
            self.box(x, self.y, 12, 12, colour)
            self.write(x + 17, self.y + 11, name)
            x += 34 + 8 * len(name)
        self.y += TEXT_HEIGHT

    def panel(self, panel: Panel) -> None:
        self.y += TITLE_HEIGHT
        self.write(MARGIN, self.y - 8, panel.title, 'font-weight="bold"')
        step = _round_up(panel.most / 5) if panel.most > 0 else 1
        scale = PLOT_WIDTH / max(panel.most, step)
        height = sum(BAR_HEIGHT * len(bars) + GROUP_GAP for _, bars in panel.groups)
        for mark in range(math.floor(max(panel.most, step) / step * 1.0001) + 1):  # below the bars
            x = LABEL_WIDTH + mark * step * scale
            self.line(x, self.y, x, self.y + height, "#ddd")
            self.write(x, self.y + height + 14, _number_text(mark * step), 'text-anchor="middle" fill="#555"')
        for label, bars in panel.groups:
            self.group(label, bars, scale)
        self.y += AXIS_HEIGHT

    def group(self, label: str, bars: list[Bar], scale: float) -> None:
        self.write(LABEL_WIDTH - 8, self.y + BAR_HEIGHT * len(bars) / 2 + 4, label, 'text-anchor="end"')
        for bar in bars:
            self.box(LABEL_WIDTH, self.y + 1, bar.value * scale, BAR_HEIGHT - 2, self.colours[bar.series])
            if bar.low < bar.high:
                middle = self.y + BAR_HEIGHT / 2
                self.line(LABEL_WIDTH + bar.low * scale, middle, LABEL_WIDTH + bar.high * scale, middle, "black")
            self.write(LABEL_WIDTH + max(bar.value, bar.high) * scale + 5, self.y + BAR_HEIGHT - 3, _number_text(bar.value),
                       'font-size="10"')
            self.y += BAR_HEIGHT
        self.y += GROUP_GAP

    def svg(self) -> str:
        width, height = LABEL_WIDTH + PLOT_WIDTH + VALUE_WIDTH, math.ceil(self.y + MARGIN)
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                          f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
                          '<rect width="100%" height="100%" fill="white"/>', *self.body, "</svg>\n"])


def svg_of(title: str, panels: list[Panel]) -> str:
    """A panel below the other; the legend names each series once."""
    picture = _Picture(panels)
    picture.title(title)
    picture.legend()
    for panel in panels:
        picture.panel(panel)
    return picture.svg()


def _rate_bars(row: Row) -> list[Bar]:
    """A long time is a low rate."""
    return [Bar(side.name, row.rate(side), row.case.rate(side.times.high), row.case.rate(side.times.low)) for side in row.sides]


def panels_of(results: Results) -> list[Panel]:
    """Rates of all sides, a panel for each unit; on the emulator instructions and sectors."""
    if not results.is_counted:
        panels = [Panel(unit, [(row.case.label, _rate_bars(row)) for row in results.rows_of(unit)])
                  for unit in (BANDWIDTH, COMPUTE)]
        return [panel for panel in panels if panel.groups]
    instructions, sectors = Panel("instructions of warps"), Panel("sectors of 32 bytes, loaded and stored")
    for row in results.rows:
        counts = row.counts
        instructions.groups.append((row.case.label, [Bar("Tegula", counts["warp_instructions"])]))
        sectors.groups.append((row.case.label, [
            Bar("Tegula", counts["load_sectors"] + counts["store_sectors"]),
            Bar("least possible", counts["load_sectors_least"] + counts["store_sectors_least"])]))
    return [instructions, sectors]
