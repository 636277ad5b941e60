"""The wider grid of §8: 1 to 5 components of 1 to 5 nodes, coherent and incoherent."""

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from pathprior.experiments.bands import Line, draw_bands, make_figure
from pathprior.experiments.experiment import Claim, Experiment, Row, Scale, Task, derive_seed
from pathprior.experiments.experts import Coherence, Experts, can_exist, draw_beliefs
from pathprior.experiments.interval import Interval, mean_interval, paired_difference
from pathprior.experiments.methods import Fitting, Method, run_methods
from pathprior.experiments.networks import NETWORKS, SIZES, load
from pathprior.experiments.networks_claims import TITLES
from pathprior.experiments.trial import Trial
from pathprior.report import style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

NUMBERS = range(1, 6)
REPEATS = {Scale.QUICK: 8, Scale.DEFAULT: 10, Scale.FULL: 100}
QUICK_NUMBERS = (1, 3, 5)
QUICK_SIZES = (2, 3, 4)
"""Components of five nodes have 41099 configurations and take most of the time."""
ROWS = {Scale.QUICK: (1000,), Scale.DEFAULT: (1000,), Scale.FULL: SIZES}

GEMA = Fitting("gema")
METHODS = (
    Method("no beliefs", "greedy"),
    Method("beliefs", "greedy", GEMA),
    Method("beliefs + operator", "greedy", GEMA, has_operator=True),
)


def _tasks(scale: Scale, seed: int) -> list[Task]:
    is_quick = scale is Scale.QUICK
    settings = product(
        range(REPEATS[scale]),
        enumerate(NETWORKS),
        (Coherence.COHERENT, Coherence.INCOHERENT),
        QUICK_NUMBERS if is_quick else NUMBERS,
        QUICK_SIZES if is_quick else NUMBERS,
    )
    # all settings of one repeat share its data and its order of columns
    return [
        {
            "network": network,
            "coherence": str(coherence),
            "num_components": num_components,
            "component_size": component_size,
            "repeat": repeat,
            "rows": scale.value,
            "seed": derive_seed(seed, k, repeat),
        }
        for repeat, (k, network), coherence, num_components, component_size in settings
        if can_exist(component_size, coherence)
    ]


def _run(task: Task) -> list[Row]:
    coherence, seed = Coherence(str(task["coherence"])), int(task["seed"])
    sizes = ROWS[Scale(task["rows"])]
    num_components, component_size = int(task["num_components"]), int(task["component_size"])
    trial = Trial.draw(load(str(task["network"])), sizes[-1], seed=seed)
    beliefs = draw_beliefs(
        trial.truth,
        num_components=num_components,
        component_size=component_size,
        coherence=coherence,
        experts=Experts.TRUE,
        rng=np.random.default_rng(
            [seed, num_components, component_size, list(Coherence).index(coherence)]
        ),
    )
    settings = {key: value for key, value in task.items() if key != "rows"}
    return [{**settings, **row} for row in run_methods(trial, beliefs, METHODS, sizes)]


# -- verdicts ------------------------------------------------------------------------------------


def _gains(rows: "pd.DataFrame", better: str) -> "pd.DataFrame":
    """SHD without beliefs less SHD of ``better``, averaged over N: one row per setting, repeat."""
    keys = ["network", "coherence", "num_components", "component_size", "repeat"]
    wide = rows.pivot_table(index=keys, columns="method", values="shd")
    return (wide["no beliefs"] - wide[better]).rename("gain").reset_index()


def _slope(gains: "pd.DataFrame", by: str) -> Interval:
    """Gain per step of ``by``: the slope within each repeat, then the mean over repeats."""

    def slope(frame: "pd.DataFrame") -> float:
        means = frame.groupby(by)["gain"].mean()
        return float(np.polyfit(means.index.to_numpy(np.float64), means.to_numpy(np.float64), 1)[0])

    return mean_interval([slope(frame) for _, frame in gains.groupby("repeat")])


def _claims(rows: "pd.DataFrame") -> list[Claim]:
    claims = []
    words = {"num_components": "components", "component_size": "nodes per component"}
    for better in ("beliefs", "beliefs + operator"):
        gains = _gains(rows, better)
        for network, (by, word) in product(TITLES, words.items()):
            chosen = gains[gains["network"] == network]
            slopes = {str(kind): _slope(frame, by) for kind, frame in chosen.groupby("coherence")}
            overall = _slope(chosen, by)
            claims.append(
                Claim(
                    f"{TITLES[network]}, {better}: the gain grows with the number of {word}.",
                    overall.is_positive,
                    f"SHD per step {overall}; "
                    + ", ".join(f"{kind} {slope}" for kind, slope in slopes.items()),
                )
            )
    gains = _gains(rows, "beliefs + operator")
    shared = gains[gains["component_size"] >= 3]
    for network in TITLES:
        by_kind = shared[shared["network"] == network].pivot_table(
            index="repeat", columns="coherence", values="gain"
        )
        difference = paired_difference(by_kind["coherent"], by_kind["incoherent"])
        claims.append(
            Claim(
                f"{TITLES[network]}: coherent and incoherent beliefs gain alike (within 2 SHD).",
                difference.is_within(2.0),
                f"gain of coherent less gain of incoherent beliefs: {difference}",
            )
        )
    return claims


COLOURS = (style.NEITHER, style.DATA, style.BELIEFS, style.BOTH, style.NOT_HELD)


def _plot(rows: "pd.DataFrame") -> "Figure":
    gains = _gains(rows, "beliefs + operator")
    gains["size"] = gains["component_size"].astype(str)
    figure = make_figure(2, 2, width=3.6, height=2.6)
    lines = [
        Line(str(size), f"{size} nodes each", colour)
        for size, colour in zip(NUMBERS, COLOURS, strict=True)
        if (gains["component_size"] == size).any()
    ]
    panels = product(NETWORKS, (Coherence.COHERENT, Coherence.INCOHERENT))
    for ax, (network, coherence) in zip(figure.axes, panels, strict=True):
        chosen = gains[(gains["network"] == network) & (gains["coherence"] == str(coherence))]
        draw_bands(ax, chosen, "num_components", "gain", "size", lines)
        ax.axhline(0, color=style.INK, lw=0.6)
        ax.set_title(f"{TITLES[network]}, {coherence} beliefs", fontsize=9, loc="left")
        ax.set_xlabel("number of components", fontsize=8)
        ax.set_ylabel("SHD gained", fontsize=8)
        ax.set_xticks(list(NUMBERS))
        ax.legend(fontsize=6.5, frameon=False)
    return figure


_SKIPPED = [
    f"{nc}×{cs} {coherence}"
    for coherence, nc, cs in product((Coherence.COHERENT, Coherence.INCOHERENT), NUMBERS, NUMBERS)
    if not can_exist(cs, coherence)
]

GRID = Experiment(
    name="grid",
    title="The gain of beliefs against the number and the size of their components",
    tasks=_tasks,
    run=_run,
    claims=_claims,
    plot=_plot,
    timed_by=("network", "coherence", "num_components", "component_size", "repeat", "method"),
    notes=(
        "Plain greedy search, GEMA, exact U up to four nodes per component, 10⁶ sampled DAGs with "
        "eight placements each for five; N = 1000 unless --full, which has the paper's seven.",
        "Cannot exist and skipped (components × nodes): " + ", ".join(_SKIPPED) + ". One node has "
        "no pair; one belief by itself is never incoherent.",
    ),
)
