"""The score trace as inline SVG; colours come from the page's style sheet."""

from collections.abc import Collection
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from pathprior.report.trace import ROUNDING, describe_step, search_trace
from pathprior.search.steps import Move

if TYPE_CHECKING:
    from pathprior.search.result import Fit

WIDTH, HEIGHT = 560, 210
RIGHT, TOP, BOTTOM = 12, 10, 34
DIGIT = 7.6  # width of a digit at the style sheet's 13 pixels
CROWDED = 8.0  # pixels between steps below which marks shrink

# each of about the same area, around (0, 0)
_SHAPES = {
    Move.INSERT: '<circle r="4"/>',
    Move.REMOVE: '<path d="M-3.6 -3.6H3.6V3.6H-3.6Z"/>',
    Move.REVERSE: '<path d="M0 -5L4.6 3.4H-4.6Z"/>',
    Move.SWAP: '<path d="M0 -5.2L5.2 0L0 5.2L-5.2 0Z"/>',
    Move.SHAKE: '<path d="M-4.8 -1.8H-1.8V-4.8H1.8V-1.8H4.8V1.8H1.8V4.8H-1.8V1.8H-4.8Z"/>',
}
_WORDS = {
    Move.INSERT: "insertion",
    Move.REMOVE: "removal",
    Move.REVERSE: "reversal",
    Move.SWAP: "swap to an equivalent graph",
    Move.SHAKE: "random disturbance",
}


def trace_svg(fit: "Fit") -> str:
    """Draw the trace with one mark per step, shaped by its move and coloured by what it raised."""
    trace = search_trace(fit)
    spread = max(trace.scores) - min(trace.scores) or 2.0
    low, high = min(trace.scores) - spread / 20, max(trace.scores) + spread / 20
    step = _nice_step(spread / 4)
    last = max(1, len(trace.scores) - 1)
    ticks = [
        (float(tick), _tick_label(tick, step))
        for tick in np.arange(np.ceil(low / step), high / step) * step
    ]
    left = 14 + DIGIT * max((len(label) for _, label in ticks), default=1)

    def place(k: int, score: float) -> tuple[float, float]:
        return (
            left + (WIDTH - left - RIGHT) * k / last,
            TOP + (HEIGHT - TOP - BOTTOM) * (high - score) / (high - low),
        )

    parts = []
    for tick, label in ticks:
        _, y = place(0, tick)
        parts.append(
            f'<path class="grid" d="M{left:.1f} {y:.1f}H{WIDTH - RIGHT}"/>'
            f'<text x="{left - 8:.1f}" y="{y:.1f}" dy="0.35em" text-anchor="end">{label}</text>'
        )
    for k in range(0, last + 1, max(1, round(_nice_step(last / 6)))):
        x, _ = place(k, low)
        parts.append(
            f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{k}</text>'
        )
    points = " ".join(
        "{:.1f},{:.1f}".format(*place(k, score)) for k, score in enumerate(trace.scores)
    )
    parts.append(f'<polyline points="{points}"/>')
    if trace.scores[-1] < trace.scores[trace.best] - ROUNDING:
        x, y = place(trace.best, trace.scores[trace.best])
        parts.append(
            f'<circle class="best" cx="{x:.1f}" cy="{y:.1f}" r="8"><title>The graph that was kept'
            "</title></circle>"
        )
    size = min(1.0, max(0.4, (WIDTH - left - RIGHT) / last / CROWDED))
    for k, (move, raised) in enumerate(zip(trace.moves, trace.raised, strict=True)):
        x, y = place(k + 1, trace.scores[k + 1])
        parts.append(
            f'<g class="step {raised}" data-step="{k}" '
            f'transform="translate({x:.1f} {y:.1f}) scale({size:.2f})">'
            f"{_SHAPES[move]}<title>{escape(describe_step(k + 1, fit.steps[k]))}</title></g>"
        )
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 3}" text-anchor="end">step</text>')
    return (
        f'<svg class="trace" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="Score from {trace.scores[0]:,.1f} to {trace.scores[-1]:,.1f} in '
        f'{len(fit.steps)} steps">{"".join(parts)}</svg>{_legend(trace.moves)}'
    )


def _legend(moves: Collection[Move]) -> str:
    shapes = "".join(
        f'<li><svg viewBox="-6 -6 12 12" width="12" height="12">{_SHAPES[move]}</svg>'
        f"{_WORDS[move]}</li>"
        for move in Move
        if move in moves
    )
    return f'<ul class="legend shapes">{shapes}</ul>'


def _nice_step(rough: float) -> float:
    """The least of 1, 2, 5 times a power of ten that is at least ``rough``."""
    if rough <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(rough))
    return float(next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-9)))


def _tick_label(tick: float, step: float) -> str:
    digits = max(0, -int(np.floor(np.log10(step))))
    return f"{tick + 0.0:,.{digits}f}".replace("-", "−")
