"""The scores of chains, draw by draw, as a small inline SVG."""

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 460, 120
LEFT = 70
"""Room for the numbers of the axis."""
MAX_POINTS = 300
"""Most draws of a chain that are drawn, evenly spaced."""
COLOURS = ("data", "beliefs", "both", "disagrees", "neither")
"""CSS colours of the chains, in turn."""


def scores_svg(scores: NDArray[np.float64]) -> str:
    """One line a chain, the first draw to the left."""
    low, high = float(scores.min()), float(scores.max())
    num_draws = scores.shape[1]
    at = np.unique(np.linspace(0, num_draws - 1, MAX_POINTS).round().astype(np.int64))
    x = LEFT + (WIDTH - LEFT - 6) * at / max(1, num_draws - 1)
    y = 8 + (HEIGHT - 16) * (high - scores[:, at]) / max(high - low, 1e-12)
    lines = []
    for k, row in enumerate(y):
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, row, strict=True))
        colour = f"var(--{COLOURS[k % len(COLOURS)]})"
        lines.append(f'<polyline points="{points}" style="stroke: {colour}"/>')
    marks = "".join(
        f'<path class="grid" d="M{LEFT} {at_y}H{WIDTH - 6}"/>'
        f'<text x="{LEFT - 6}" y="{at_y}" dy="0.35em" text-anchor="end">'
        f"{value:,.1f}</text>".replace(">-", ">−")
        for value, at_y in ((high, 8), (low, HEIGHT - 8))
    )
    return (
        f'<svg class="trace" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="Scores of the graphs drawn, one line a chain">{marks}{"".join(lines)}</svg>'
    )
