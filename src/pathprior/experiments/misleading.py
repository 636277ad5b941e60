"""§6.4: beliefs that agree with each other overrule a misleading one."""

from typing import TYPE_CHECKING

from pathprior.beliefs.belief import causes
from pathprior.experiments.bands import draw_dots, make_figure
from pathprior.experiments.experiment import Claim, Experiment, Row, Scale, Task
from pathprior.prior.fit import fit_prior

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

NUM_SAMPLES = {Scale.QUICK: 10**5, Scale.DEFAULT: 10**6, Scale.FULL: 10**6}
NUM_NODES = {Scale.QUICK: (10, 20), Scale.DEFAULT: (10, 20, 37), Scale.FULL: (10, 20, 37)}
BETWEEN = {1: ("V1",), 4: ("V1", "V2", "V3", "V4")}
PRINTED = {("X ⇒ Y", 4): 0.632, ("X ⇒ V, V ⇒ Y", 4): 0.814}
STRENGTH = 10.0
"""Of the soft fit, to which GEMA is compared."""


def _tasks(scale: Scale, seed: int) -> list[Task]:
    return [
        {
            "num_nodes": n,
            "num_supporting": k,
            "repair": repair,
            "num_samples": NUM_SAMPLES[scale],
            "seed": seed,
        }
        for n in NUM_NODES[scale]
        for k in BETWEEN
        for repair in ("gema", "soft")
    ]


def _run(task: Task) -> list[Row]:
    between = BETWEEN[int(task["num_supporting"])]
    named = ["X", "Y", *between]
    others = [f"other {i}" for i in range(int(task["num_nodes"]) - len(named))]
    beliefs = [
        causes("X", "Y", 0.1, strength=STRENGTH),
        *(causes("X", v, 0.9, strength=STRENGTH) for v in between),
        *(causes(v, "Y", 0.9, strength=STRENGTH) for v in between),
    ]
    prior = fit_prior(
        beliefs,
        [*named, *others],
        expected_parents=None,
        counts="listed",
        repair=str(task["repair"]),
        complete=True,
        pool="joint",
        num_samples=int(task["num_samples"]),
        seed=int(task["seed"]),
    )
    fitted = prior.table.set_index(["x", "y"])["fitted"]
    supporting = fitted.drop(("X", "Y"))
    return [
        {
            **task,
            "quantity": quantity,
            "stated": stated,
            "paper": PRINTED.get((quantity, len(between)), float("nan")),
            "ours": float(ours),
            "spread": float(spread),
        }
        for quantity, stated, ours, spread in (
            ("X ⇒ Y", 0.1, fitted["X", "Y"], 0.0),
            ("X ⇒ V, V ⇒ Y", 0.9, supporting.mean(), supporting.max() - supporting.min()),
        )
    ]


def _claims(rows: "pd.DataFrame") -> list[Claim]:
    gema = rows[rows["repair"] == "gema"]
    printed = gema.dropna(subset="paper")
    miss = (printed["ours"] - printed["paper"]).abs()
    direct = gema[gema["quantity"] == "X ⇒ Y"].pivot(
        index="num_nodes", columns="num_supporting", values="ours"
    )
    shifts = (direct[4] - direct[1]).to_dict()
    support = gema[gema["quantity"] != "X ⇒ Y"]["ours"]
    return [
        Claim(
            "Four pairs of 0.9 turn P(X ⇒ Y) = 0.1 into 0.632 and themselves into 0.814 "
            "(to 0.005; the paper does not say for how many variables).",
            bool((miss <= 0.005).all()),
            "; ".join(
                f"{row.num_nodes} variables, {row.quantity}: paper {row.paper}, ours {row.ours:.4f}"
                for row in printed.itertuples()
            ),
        ),
        Claim(
            "One supporting pair already raises P(X ⇒ Y) and lowers its own two beliefs.",
            bool((direct > 0.1).all(axis=None) and (support < 0.9).all()),
            f"P(X ⇒ Y) with one pair {', '.join(f'{p:.3f}' for p in direct[1])}",
        ),
        Claim(
            "The effect is higher with more supporting beliefs.",
            all(shift > 0 for shift in shifts.values()),
            ", ".join(f"{n} variables: {shift:+.3f}" for n, shift in shifts.items()),
        ),
    ]


def _plot(rows: "pd.DataFrame") -> "Figure":
    figure = make_figure(1, 1, width=5.6, height=3.4)
    four = rows[rows["num_supporting"] == 4]
    table = four.pivot_table(
        index=["num_nodes", "quantity"], columns="repair", values="ours", sort=False
    )
    gema = four[four["repair"] == "gema"]
    draw_dots(
        figure.axes[0],
        [f"{quantity}, {n} variables" for n, quantity in table.index],
        {
            "stated": gema["stated"].tolist(),
            "paper": gema["paper"].tolist(),
            "ours": table["gema"].tolist(),
            "soft": table["soft"].tolist(),
        },
    )
    figure.axes[0].set_xlim(0, 1)
    figure.axes[0].set_xlabel("probability", fontsize=8)
    figure.axes[0].legend(fontsize=7, frameon=False, loc="center left")
    return figure


MISLEADING = Experiment(
    name="misleading",
    title="Four agreeing pairs of beliefs overrule a misleading one",
    tasks=_tasks,
    run=_run,
    claims=_claims,
    plot=_plot,
    is_table=True,
    notes=("ours: GEMA, open probability shared in proportion to U; soft: the default repair.",),
)
