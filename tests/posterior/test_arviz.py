"""Chains handed to ArviZ."""

import sys
from types import ModuleType

import numpy as np
import pytest

from pathprior.errors import PosteriorError
from tests.posteriors import sampled


def check(groups, found):
    """Means over chains and draws are the probabilities; the coordinates name them."""
    edge, path, belief = (groups[name] for name in ("edge", "path", "belief"))
    names = list(found.variables)
    for array, table in ((edge, found.edges), (path, None)):
        assert array.shape == (3, 100, 4, 4)
        if table is not None:
            np.testing.assert_allclose(array.mean(axis=(0, 1)), table.loc[names, names])
    for row in found.paths.itertuples():
        x, y = names.index(row.x), names.index(row.y)
        assert path.mean(axis=(0, 1))[x, y] == pytest.approx(row.causes)
        assert path.mean(axis=(0, 1))[y, x] == pytest.approx(row._4)
    rows = found.prior.table[["x", "event", "y"]].itertuples(index=False)
    after = [found.probability(*row) for row in rows]
    np.testing.assert_allclose(belief.mean(axis=(0, 1)), after)


def test_arviz_itself(posterior):
    arviz = pytest.importorskip("arviz", reason="arviz is not installed")
    found = sampled(posterior)
    data = found.to_arviz()
    check({name: data.posterior[name].to_numpy() for name in data.posterior.data_vars}, found)
    assert data.posterior["edge"].dims == ("chain", "draw", "parent", "child")
    one = data.posterior["edge"].sel(parent="d", child="a")
    assert float(one.mean()) == pytest.approx(found.edges.at["d", "a"])
    assert "b causes d" in data.posterior["event"].to_numpy()
    np.testing.assert_array_equal(data.sample_stats["lp"].to_numpy(), found.draws.scores)
    errors = found.errors.query("kind == 'path' and x == 'a' and event == 'causes' and y == 'b'")
    series = data.posterior["path"].sel(cause="a", effect="b").to_numpy().astype(float)
    assert float(arviz.ess(series)) == pytest.approx(errors["effective_samples"].item())


@pytest.mark.parametrize("version", ["0.23.4", "1.2.0"])
def test_either_way_of_arviz_to_take_groups(posterior, monkeypatch, version):
    arviz = ModuleType("arviz")
    arviz.__version__ = version
    arviz.from_dict = lambda *groups, coords, dims, **named: (groups, named, coords, dims)
    monkeypatch.setitem(sys.modules, "arviz", arviz)
    found = sampled(posterior)
    groups, named, coords, dims = found.to_arviz()
    together = groups[0] if version == "1.2.0" else named
    assert set(together) == {"posterior", "sample_stats"}
    check(together["posterior"], found)
    assert coords["parent"] == list(found.variables)
    assert dims["path"] == ["cause", "effect"]


def test_without_arviz_the_line_to_install_it(posterior, monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(PosteriorError, match=r"pip install 'pathprior\[arviz\]'"):
        sampled(posterior).to_arviz()
