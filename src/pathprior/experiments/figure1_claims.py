"""Verdicts on Figure 1 and on the examples of §5.1."""

from typing import TYPE_CHECKING

import numpy as np

from pathprior.counting.configurations import count_configurations
from pathprior.experiments.experiment import Claim
from pathprior.experiments.interval import Interval, all_positive, paired_difference
from pathprior.graph.relation import Relation

if TYPE_CHECKING:
    import pandas as pd

SMALL_SAMPLE = 300
"""S up to which the paper's "small S" is taken."""


def find_claims(rows: "pd.DataFrame") -> list[Claim]:
    """Figure 1 (a), then (b) to (d), then §5.1."""
    large = rows[rows["panel"] == "a"]
    exact = rows[rows["panel"] == "exact"].set_index("num_nodes")["value"]
    claims = [_falls(name, large[large["pairs"] == name]) for name in large["pairs"].unique()]
    claims.append(
        Claim(
            "R1, counted exactly: KL(U ‖ FACT) falls at every step from n = 10 to n = 35.",
            bool((exact.diff().dropna() < 0).all()),
            f"{exact.iloc[0]:.3g} at n = {exact.index[0]}, {exact.iloc[-1]:.3g} at "
            f"n = {exact.index[-1]}",
        )
    )
    small = rows[rows["panel"] == "bcd"]
    claims += [
        _closer(n, small[small["num_nodes"] == n])
        for n in sorted(int(n) for n in small["num_nodes"].unique())
    ]
    ratio = rows[rows["panel"] == "§5.1"].set_index("num_nodes")["value"]
    claims.append(
        Claim(
            "§5.1: W ⇎ Z makes X ⇎ Y more likely.",
            bool((ratio > 1).all()),
            "U(X ⇎ Y | W ⇎ Z) / U(X ⇎ Y): "
            + ", ".join(f"n = {n}: {value:.3f}" for n, value in ratio.items()),
        )
    )
    claims.append(_example())
    return claims


def _falls(name: str, rows: "pd.DataFrame") -> Claim:
    """Whether KL falls with n, compared only where it stands clear of the noise floor."""
    rows = rows.set_index("num_nodes").sort_index()
    excess, error, floor = rows["value"] - rows["floor"], rows["standard_error"], rows["floor"]
    clear = excess[excess > 3 * error]
    first, last = excess.index[0], excess.index[-1]
    drop = Interval(
        float(excess[first] - excess[last]), float(1.96 * np.hypot(error[first], error[last]))
    )
    # three standard errors: with 25 steps one in twenty would rise by chance at two
    rises = [
        n
        for before, n in zip(clear.index[:-1], clear.index[1:], strict=True)
        if excess[n] - excess[before] > 3 * np.hypot(error[n], error[before])
    ]
    value = rows["value"]
    numbers = (
        f"{value[first]:.3g} at n = {first}, {value[last]:.3g} at n = {last}; floor "
        f"{floor[first]:.2g}, {len(clear)} of {len(excess)} points clear of it"
    )
    if rises:
        numbers += f"; rises to n = {', '.join(map(str, rises))}"
    return Claim(
        f"{name}: KL(FULL_0 ‖ FACT_0) falls as n grows from 10 to 35.",
        drop.is_positive if not rises else False,
        numbers,
    )


def _closer(n: int, rows: "pd.DataFrame") -> Claim:
    """Whether FACT_1 beats FULL_1 for small S, and from which S on no more."""
    wide = rows.pivot_table(index=["num_samples", "repeat"], columns="estimator", values="value")
    gain = {
        size: paired_difference(wide["FULL_1"].loc[size], wide["FACT_1"].loc[size])
        for size in sorted(int(s) for s in rows["num_samples"].unique())
    }
    sizes = list(gain)
    small = [gain[size] for size in sizes if size <= SMALL_SAMPLE]
    lost = [size for size in sizes if gain[size].is_positive is False]
    numbers = (
        f"KL(U ‖ FULL_1) − KL(U ‖ FACT_1) at S = {sizes[0]}: {gain[sizes[0]]}, "
        f"at S = {sizes[-1]}: {gain[sizes[-1]]}; "
        + (
            f"FULL_1 is the better one from S = {lost[0]} on"
            if lost
            else "at no S is FULL_1 better"
        )
    )
    return Claim(
        f"n = {n}: for small S (up to {SMALL_SAMPLE}) FACT_1 is closer to U than FULL_1.",
        all_positive(small),
        numbers,
    )


def _example() -> Claim:
    counted = count_configurations([("X", "Y"), ("Y", "Z")], 3, method="enumerate")
    numbers = dict(
        zip(map(tuple, counted.configurations.tolist()), counted.counts or (), strict=True)
    )
    ours = [numbers[Relation.CAUSES, r] for r in (Relation.CAUSES, Relation.CAUSED_BY)]
    return Claim(
        "§5.1: on three nodes 2 DAGs have X ⇒ Y ⇒ Z and 4 have X ⇒ Y ⇐ Z.",
        ours == [2, 4],
        f"counted: {ours[0]} and {ours[1]}",
    )
