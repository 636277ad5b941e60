"""The plots of a posterior, each on the caller's axes or on axes made to measure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.evidence import NOT_SETTLED
from pathprior.report import style
from pathprior.report.axes import LETTER_INCHES, belief_axes, legend_above, new_axes
from pathprior.report.path_matrix import MAX_NUMBERED, map_order, path_matrix
from pathprior.report.picture import cut
from pathprior.report.settled import settled_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pathprior.posterior.posterior import Posterior

NUMBERED_CELL, PLAIN_CELL = 0.45, 0.2
"""Inches of a cell with and without its number."""
LARGEST = 24.0
"""Inches of the largest map; with more variables cells and letters are smaller."""
POINTS = 72
"""In one inch."""
LETTER_PER_CELL = 0.7
MAX_LETTERS = 10.0
"""Points of the largest letters."""


def plot_paths(posterior: "Posterior", ax: "Axes | None" = None) -> "Axes":
    """Heat map of the probability that x causes y, rows x, columns y.

    In the order of the data, that of `causal_order` where there are more than `MAX_NAMED`.
    """
    from matplotlib.colors import LinearSegmentedColormap, ListedColormap

    matrix = path_matrix(posterior)
    order = map_order(matrix)
    matrix, names = matrix[np.ix_(order, order)], [cut(posterior.variables[v]) for v in order]
    if ax is None:
        cell = _cell(len(names))
        ax = new_axes(*map_size(posterior.variables))
    else:
        extent = ax.get_window_extent()
        cell = min(extent.width, extent.height) / ax.figure.dpi / len(names)
    scale = LinearSegmentedColormap.from_list("probability", style.SEQUENTIAL)
    colours = scale.with_extremes(bad=style.NOTHING)
    image = ax.imshow(np.ma.masked_invalid(matrix), cmap=colours, vmin=0, vmax=1)
    settled = settled_matrix(posterior.relations_settled, len(names))[np.ix_(order, order)]
    label = "probability"
    if not settled.all():
        grey = ListedColormap([style.UNSETTLED])
        ax.imshow(np.ma.masked_where(settled, ~settled), cmap=grey)
        label = f"probability; grey: {NOT_SETTLED}"
    _name_cells(ax, names, _letters(cell))
    if len(names) <= MAX_NUMBERED:
        _number_cells(ax, matrix, settled, _letters(cell))
    ax.figure.colorbar(image, ax=ax, label=label, aspect=max(10, len(names)), pad=0.02)
    return ax


def plot_beliefs(posterior: "Posterior", ax: "Axes | None" = None) -> "Axes":
    """Dot plot of each belief: its baseline, as stated, and after the data with its error."""
    table = posterior.beliefs()
    ax = belief_axes(table, ax)
    rows = np.arange(len(table))
    courses = table[["baseline", "stated", "after"]].to_numpy(float)
    baseline, stated, after = courses.T
    ax.hlines(rows, courses.min(axis=1), courses.max(axis=1), color=style.NEITHER, zorder=1)
    ax.plot(baseline, rows, "|", color=style.INK, markersize=9, label="baseline", zorder=2)
    ax.plot(stated, rows, "o", mfc=style.PAPER, mec=style.INK, ms=7, label="stated", zorder=2)
    error, settled = table["error"].to_numpy(float), table["is_settled"].to_numpy(bool)
    label = "after the data" if posterior.is_exact else "after the data, ± error"
    marks = ((settled, style.DATA, label), (~settled, style.NEITHER, NOT_SETTLED))
    for these, colour, words in marks:
        if not these.any():
            continue
        found = after[these]
        ax.errorbar(
            found,
            rows[these],
            # no bar leaves the probabilities
            xerr=None if posterior.is_exact else np.minimum(error[these], [found, 1 - found]),
            fmt="o",
            color=colour,
            markersize=5,
            capsize=3,
            zorder=3,
            label=words,
        )
    legend_above(ax)
    return ax


def map_size(variables: Sequence[str]) -> tuple[float, float]:
    """Inches that `plot_paths` needs."""
    cell = _cell(len(variables))
    side = len(variables) * cell
    # names to the left and above, the scale to the right
    longest = max(len(cut(name)) for name in variables)
    room = LETTER_INCHES * _letters(cell) / MAX_LETTERS * longest
    return side + room + 1.2, side + room + 0.3


def _cell(num_variables: int) -> float:
    cell = NUMBERED_CELL if num_variables <= MAX_NUMBERED else PLAIN_CELL
    return min(cell, LARGEST / num_variables)


def _name_cells(ax: "Axes", names: list[str], letters: float) -> None:
    """Name the causes to the left and the effects above, and draw thin lines between them."""
    ax.set_ylabel("cause")
    ax.set_xlabel("effect")
    ax.xaxis.set_label_position("top")
    ax.set_xticks(range(len(names)), names, rotation=90, fontsize=letters, parse_math=False)
    ax.set_yticks(range(len(names)), names, fontsize=letters, parse_math=False)
    between = np.arange(len(names) + 1) - 0.5
    ax.set_xticks(between, minor=True)
    ax.set_yticks(between, minor=True)
    ax.grid(which="minor", color="#E0E0E0", linewidth=0.5)
    ax.tick_params(which="both", length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)


def _number_cells(
    ax: "Axes", matrix: NDArray[np.float64], settled: NDArray[np.bool_], letters: float
) -> None:
    for (i, j), probability in np.ndenumerate(matrix):
        if i != j:
            ink = style.ink_on(probability) if settled[i, j] else style.INK
            number = f"{probability:.2f}"
            ax.text(j, i, number, ha="center", va="center", color=ink, fontsize=letters)


def _letters(cell: float) -> float:
    """Points of letters that fit a cell of so many inches."""
    return min(MAX_LETTERS, LETTER_PER_CELL * POINTS * cell)
