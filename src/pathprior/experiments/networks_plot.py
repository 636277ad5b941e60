"""The picture of Figure 2 (c, d): one row per network, one column per kind of experts."""

from typing import TYPE_CHECKING

from pathprior.experiments.bands import PURPLE, SKY, Line, draw_bands, make_figure
from pathprior.report import style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

PAPER = (
    Line("paper: no beliefs", "no beliefs", style.NEITHER),
    Line("paper: beliefs", "beliefs", style.BELIEFS),
    Line("paper: beliefs + operator", "beliefs + operator", style.BOTH),
)
OURS = (
    Line("no beliefs", "no beliefs", style.NEITHER),
    Line("gema", "GEMA", style.BELIEFS),
    Line("gema, sampled", "GEMA, sampled counts", style.BELIEFS, "--"),
    Line("soft 1", "soft, strength 1", SKY),
    Line("soft 10", "soft, strength 10", style.BOTH),
    Line("independent", "independent", PURPLE),
)


def plot(rows: "pd.DataFrame") -> "Figure":
    """SHD against N: the paper's lines, then ours for each kind of experts."""
    networks = list(rows["network"].unique())
    kinds = list(rows["experts"].unique())
    panels: list[tuple[str, str, tuple[Line, ...]]] = []
    if "true" in kinds:
        panels.append(("true", "the paper's search", PAPER))
    panels += [(kind, f"our search, {kind} experts", OURS) for kind in kinds]
    figure = make_figure(len(networks), len(panels), width=3.3, height=2.8)
    for k, ax in enumerate(figure.axes):
        network = networks[k // len(panels)]
        kind, title, lines = panels[k % len(panels)]
        chosen = rows[(rows["network"] == network) & (rows["experts"] == kind)]
        draw_bands(ax, chosen, "num_rows", "shd", "method", lines)
        ax.set_xscale("log")
        ax.set_title(f"{network.upper()}, {title}", fontsize=8, loc="left")
        ax.set_ylim(bottom=0)
        if k % len(panels) == 0:
            ax.set_ylabel("structural Hamming distance", fontsize=8)
        if k // len(panels) == len(networks) - 1:
            ax.set_xlabel("rows of data", fontsize=8)
        if k < 2:
            ax.legend(fontsize=6.5, frameon=False)
    return figure
