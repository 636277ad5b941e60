"""The plots of a fit and of a prior, each on the caller's axes or on axes made to measure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pathprior.prior.path_prior import PathPrior
from pathprior.report import style
from pathprior.report.axes import belief_axes, legend_above, new_axes
from pathprior.report.belief_rows import belief_marks, in_conflict
from pathprior.report.draw import Key, draw_dag
from pathprior.report.legend import (
    EDGE_COLOURS,
    EDGE_PHRASES,
    Verdict,
    open_edges,
    supports_found,
)
from pathprior.report.trace import MARKERS, ROUNDING, search_trace
from pathprior.search.support import EdgeSupport, Support

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pathprior.search.result import Fit


def plot_fit(fit: "Fit", supports: Sequence[EdgeSupport], *, ax: "Axes | None" = None) -> "Axes":
    """Draw the learned graph: edges by what supports them, beliefs as bands, and a legend."""
    marks = belief_marks(fit.beliefs_held()) if fit.has_beliefs else []
    keys = [Key(EDGE_PHRASES[found], EDGE_COLOURS[found]) for found in supports_found(supports)]
    if open_edges(supports):
        keys.append(Key("direction left open", style.INK, is_dashed=True))
    for verdict in Verdict:
        if any(mark.verdict is verdict for mark in marks):
            keys.append(Key(verdict.phrase, verdict.colour, is_band=True))
    return draw_dag(
        fit.dag,
        open_edges=open_edges(supports),
        edge_colours={(e.parent, e.child): EDGE_COLOURS[e.support] for e in supports},
        marks=marks,
        keys=keys,
        ax=ax,
    )


def plot_prior(prior: PathPrior, ax: "Axes | None" = None) -> "Axes":
    """Dot plot of stated against fitted probabilities, largest change on top."""
    table, conflicting = prior.table, in_conflict(prior)
    ax = belief_axes(table, ax)
    rows = range(len(table))
    ax.hlines(rows, table["stated"], table["fitted"], color=style.NEITHER, linewidth=1.5, zorder=1)
    ax.plot(
        table["stated"], rows, "o", mfc=style.PAPER, mec=style.INK, ms=7, zorder=2, label="stated"
    )
    for chosen, colour, marker, label in (
        (~conflicting, style.DATA, "o", "fitted"),
        (conflicting, style.CONFLICT, "D", "fitted, in a conflict"),
    ):
        if chosen.any():
            at = chosen.nonzero()[0]
            ax.plot(
                table["fitted"].to_numpy(float)[at],
                at,
                marker,
                color=colour,
                markersize=4,
                linestyle="none",
                zorder=3,
                label=label,
            )
    if len(table):
        legend_above(ax)
    return ax


def plot_trace(fit: "Fit", ax: "Axes | None" = None) -> "Axes":
    """Plot the score after each step: colour for which score rose, shape for the move."""
    trace = search_trace(fit)
    if ax is None:
        ax = new_axes(7, 3.2)
    if not trace.moves:
        ax.text(0.5, 0.5, f"No steps. {fit.stopped_because}", ha="center", va="center", wrap=True)
        ax.set_axis_off()
        return ax
    ax.plot(range(len(trace.scores)), trace.scores, color=style.NEITHER, linewidth=1.2, zorder=1)
    if trace.scores[-1] < trace.scores[trace.best] - ROUNDING:
        ax.plot(
            [trace.best],
            [trace.scores[trace.best]],
            "o",
            mfc="none",
            mec=style.INK,
            markersize=11,
            linestyle="none",
            label="the graph that was kept",
        )
    steps = list(enumerate(zip(trace.moves, trace.raised, strict=True), start=1))
    for move, marker in MARKERS.items():
        for raised in Support:
            at = [k for k, step in steps if step == (move, raised)]
            if at:
                ax.plot(
                    at,
                    [trace.scores[k] for k in at],
                    marker,
                    color=EDGE_COLOURS[raised],
                    markersize=5,
                    linestyle="none",
                    zorder=2,
                    label=f"{move}, {_RAISED[raised]}",
                )
    ax.set_xlabel("step")
    ax.set_ylabel("score")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower right", frameon=False, fontsize=8)
    return ax


_RAISED = {
    Support.DATA: "raises the data score",
    Support.BELIEFS: "raises the prior score",
    Support.BOTH: "raises both scores",
    Support.NEITHER: "raises neither score",
}
