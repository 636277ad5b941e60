"""Axes made to measure, and axes with one row of probability per belief."""

from typing import TYPE_CHECKING

from pathprior.beliefs.event import Event
from pathprior.report.picture import cut

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

LETTER_INCHES = 0.09
"""Room for one letter of matplotlib's labels."""


def new_axes(width: float, height: float) -> "Axes":
    """Axes that fill a figure of their own, of so many inches."""
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, height), layout="constrained").add_subplot()


def belief_size(table: "pd.DataFrame") -> tuple[float, float]:
    """Inches that `belief_axes` needs: the phrases, and right of them four of probability."""
    room = LETTER_INCHES * max(map(len, _phrases(table)), default=0)
    return 4 + room, 1.2 + 0.28 * max(1, len(table))


def belief_axes(table: "pd.DataFrame", ax: "Axes | None") -> "Axes":
    """Give each row of ``table`` a line from 0 to 1, the first on top, and say what it is about."""
    if ax is None:
        ax = new_axes(*belief_size(table))
    ax.hlines(range(len(table)), 0, 1, color="#EEEEEE", linewidth=1, zorder=0)
    ax.set_yticks(range(len(table)), _phrases(table), parse_math=False)
    ax.set_ylim(max(1, len(table)) - 0.5, -0.5)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("probability")
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    return ax


def legend_above(ax: "Axes") -> None:
    """Explain the marks in one line above the axes."""
    ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, frameon=False, fontsize=8)


def _phrases(table: "pd.DataFrame") -> list[str]:
    return [
        Event.parse(str(row.event)).phrase(cut(str(row.x)), cut(str(row.y)))
        for row in table.itertuples(index=False)
    ]
