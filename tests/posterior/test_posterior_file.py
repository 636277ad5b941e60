"""Posteriors on disk."""

import pandas as pd
import pytest

import pathprior as pp
from pathprior.errors import PosteriorError
from pathprior.posterior.posterior import Posterior
from pathprior.posterior.settling import PosteriorStop


def test_a_posterior_comes_back(posterior, tmp_path):
    path = tmp_path / "posterior.npz"
    posterior.save(path)
    again = pp.load_posterior(path)
    for name in ("edges", "paths", "errors"):
        pd.testing.assert_frame_equal(getattr(again, name), getattr(posterior, name))
    pd.testing.assert_frame_equal(again.beliefs(), posterior.beliefs())
    assert again.best == posterior.best
    assert again.best_score == posterior.best_score
    assert again.stopped_because is PosteriorStop.EXACT
    assert str(again) == str(posterior)


def test_chains_come_back(posterior, draw_chains, tmp_path):
    draws = draw_chains(posterior.draws, num_chains=3, num_draws=50, seed=0)
    rest = posterior.prior, posterior.best, posterior.best_score, PosteriorStop.INTERRUPTED
    sampled = Posterior(posterior.variables, draws, *rest, posterior.settings, prior_rows=2.0)
    sampled.save(tmp_path / "any.name")
    again = pp.load_posterior(tmp_path / "any.name")
    assert not again.is_exact
    pd.testing.assert_frame_equal(again.errors, sampled.errors)
    assert again.stopped_because is PosteriorStop.INTERRUPTED


def test_a_folder_is_no_file(posterior, tmp_path):
    with pytest.raises(PosteriorError, match=r"cannot write .*: Is a directory"):
        posterior.save(tmp_path)
    with pytest.raises(PosteriorError, match="cannot be read: Is a directory"):
        pp.load_posterior(tmp_path)
