"""Lines of means with 95 % bands, the look of every figure here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pathprior.experiments.interval import mean_interval
from pathprior.report import style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PURPLE = "#CC79A7"
SKY = "#56B4E9"

MARKS = {
    "stated": ("s", style.NEITHER),
    "paper": ("o", style.BELIEFS),
    "ours": ("x", style.DATA),
    "soft": ("^", style.BOTH),
}
"""Marker and colour of each kind of dot."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a picture: which rows it shows, its name in the legend and its look."""

    key: str
    label: str
    colour: str
    dashes: str = "-"


def draw_bands(
    ax: "Axes", rows: "pd.DataFrame", x: str, y: str, by: str, lines: Sequence[Line]
) -> None:
    """Draw the mean of ``y`` against ``x`` for each line's rows, with its 95 % band."""
    for line in lines:
        chosen = rows[rows[by] == line.key]
        if chosen.empty:
            continue
        bands = chosen.groupby(x)[y].apply(lambda values: mean_interval(values.to_numpy()))
        means = [interval.mean for interval in bands]
        widths = [interval.half_width for interval in bands]
        ax.plot(bands.index, means, line.dashes, color=line.colour, label=line.label, lw=1.6)
        if all(width < float("inf") for width in widths):
            ax.fill_between(
                bands.index,
                [mean - width for mean, width in zip(means, widths, strict=True)],
                [mean + width for mean, width in zip(means, widths, strict=True)],
                color=line.colour,
                alpha=0.2,
                lw=0,
            )


def draw_dots(ax: "Axes", labels: Sequence[str], series: Mapping[str, Sequence[float]]) -> None:
    """Draw one row of dots per label, one kind of dot per series."""
    for name, values in series.items():
        marker, colour = MARKS[name]
        ax.plot(values, range(len(labels)), marker, color=colour, label=name, ms=6, mew=1.6)
    ax.set_yticks(range(len(labels)), labels)
    ax.invert_yaxis()
    ax.grid(axis="x", alpha=0.3)


def make_figure(
    num_rows: int, num_columns: int, width: float = 3.6, height: float = 2.9
) -> "Figure":
    """An empty figure with constrained layout, its axes in ``figure.axes``."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width * num_columns, height * num_rows), layout="constrained")
    figure.subplots(num_rows, num_columns)
    for ax in figure.axes:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
    return figure
