"""The network of a fit by the score of families is one of tables, in files too."""

import numpy as np
import pandas as pd
import pytest

import pathprior as pp


@pytest.fixture(scope="module")
def fit() -> pp.Fit:
    """Three causes whose effects add up."""
    rng = np.random.default_rng(0)
    causes = rng.integers(0, 2, (3, 500))
    odds = -2.0 + causes.T @ [1.5, 1.5, 1.5]
    data = pd.DataFrame({name: causes[k] for k, name in enumerate("abc")})
    data["y"] = (rng.random(500) < 1 / (1 + np.exp(-odds))).astype(int)
    return pp.learn(data, score="families", tiers=[["a", "b", "c"], ["y"]])


def test_an_additive_family_is_written_as_its_table(fit: pp.Fit, tmp_path) -> None:
    assert fit.families().set_index("child").loc["y", "part"] == "additive"
    network = fit.network()
    pp.write_bif(network, tmp_path / "network.bif")
    again = pp.read_bif(tmp_path / "network.bif")
    assert again == network
    table = again.tables[again.dag.index("y")]
    assert table.shape == (2, 2, 2, 2)
    odds = np.log(table[..., 1] / table[..., 0])
    ratios = fit.odds_ratios(references={"a": 0, "b": 0, "c": 0, "y": 0}).set_index("parent")
    # most of it is the logit's: each cause raises the log odds by about as much in every row
    for axis, parent in enumerate("abc"):
        raised = np.diff(odds, axis=axis).ravel()
        assert raised == pytest.approx(np.log(ratios.loc[parent, "odds_ratio"]), abs=0.1)


@pytest.mark.filterwarnings("ignore")
def test_pgmpy_reads_it(fit: pp.Fit, tmp_path) -> None:
    readers = pytest.importorskip("pgmpy.readwrite")
    pp.write_bif(fit.network(), tmp_path / "network.bif")
    model = readers.BIFReader(str(tmp_path / "network.bif")).get_model()
    assert set(model.edges()) == set(fit.dag.edges)
    assert model.check_model()
