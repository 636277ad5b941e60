"""What the edge of each belief is worth to the data, beside other parents and alone."""

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.report.sections import beliefs_section


def hidden_by_age() -> pd.DataFrame:
    """Treatment and age act on the outcome; the old, who fare worse, are treated more."""
    rng = np.random.default_rng(0)
    old = rng.integers(0, 2, 1500)
    treated = (rng.random(1500) < 0.2 + 0.6 * old).astype(int)
    well = (rng.random(1500) < 0.5 - 0.35 * old + 0.22 * treated).astype(int)
    return pd.DataFrame({"old": old, "treated": treated, "well": well}).astype(str)


@pytest.mark.parametrize("score", ["bdeu", "families"])
def test_both_are_told(score: str) -> None:
    beliefs = [
        pp.causes("treated", "well", 0.7),
        pp.associated("old", "treated", 0.9),
        pp.relation("well", "treated", (0.1, 0.6, 0.2, 0.1)),
    ]
    fit = pp.learn(hidden_by_age(), beliefs, score=score, tiers=[["old"], ["treated"], ["well"]])
    table = fit.belief_gains()
    assert len(table) == len(fit.beliefs_held()) == 6
    found = table.set_index(["x", "event", "y"])
    first = found.loc[("treated", "causes", "well")]
    assert (first["parent"], first["child"], first["others"]) == ("treated", "well", ("old",))
    assert first["beside"] > first["alone"] + 5
    assert first["sentence"] == (
        f"treated → well: to the data {first['alone']:+.1f} nats alone, "
        f"{first['beside']:+.1f} beside old."
    )
    support = fit.edge_support().set_index(["parent", "child"]).loc[("treated", "well")]
    assert first["beside"] == pytest.approx(support["data_loss"])
    assert first["alone"] == pytest.approx(support["data_alone"])
    # without a direction it is about the learned edge, in the other direction about its own
    second = found.loc[("old", "associated", "treated")]
    assert second["sentence"] == f"old → treated: to the data {second['alone']:+.1f} nats."
    caused = found.loc[("well", "caused-by", "treated")]
    assert tuple(caused[["parent", "child"]]) == ("treated", "well")
    causes = found.loc[("well", "causes", "treated")]
    assert tuple(causes[["parent", "child"]]) == ("well", "treated")
    assert first["sentence"] in beliefs_section(fit)
