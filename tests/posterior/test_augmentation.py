"""Missing cells drawn along with graphs: against sums over all that they could have been."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.special import logsumexp

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.data.table import RealTable
from pathprior.errors import PosteriorError
from pathprior.network.mechanisms import as_set
from pathprior.posterior.chains import sample_chains
from pathprior.posterior.exact import enumerate_posterior
from pathprior.problem.complete import complete
from pathprior.problem.unseen_edges import allow_for_unseen
from pathprior.score.bge import Bge
from pathprior.score.named import make_score
from tests.problems import make_problem

NUM_DRAWS = 1000
NUM_CHAINS = 4


def filled(data, score, beliefs=None):
    """A problem on the data with their gaps filled somehow."""
    return make_problem(complete(data, 0), beliefs, score, constant_columns="keep")


def sum_over(problem, completions):
    """log P of every graph, up to a constant, summed over weighed completions."""
    terms = []
    for data, log_weight in completions:
        draws = enumerate_posterior(problem.given(data))
        terms.append(draws.scores[0] + log_weight)
    found = logsumexp(np.array(terms), axis=0)
    return draws.parents[0], np.exp(found - logsumexp(found))


def states_of_gaps(problem):
    """Every way to fill the gaps with states; where one was set, weighed as such values are."""
    data = problem.data.select(problem.rules.variables)
    cells = np.argwhere(data.imputed).tolist()
    for states in product(*(range(len(data.coded.states[v])) for v, _ in cells)):
        codes, log_weight = data.coded.codes.copy(), 0.0
        for (v, row), state in zip(cells, states, strict=True):
            codes[v, row] = state
            if data.intervened is not None and data.intervened[v, row] and not data.are_soft:
                log_weight += np.log(as_set(data, v).conditional.probabilities[state])
        yield replace(data, coded=replace(data.coded, codes=codes)), log_weight


def check(problem, completions, seed=0):
    """Compare the share of every graph with its probability."""
    graphs, expected = sum_over(problem, completions)
    sampler = sample_chains(problem, start=problem.start, num_chains=NUM_CHAINS, seed=seed)
    draws, _ = sampler.advance(NUM_DRAWS)
    keys = {graph.tobytes(): k for k, graph in enumerate(graphs)}
    drawn = np.array([[keys[graph.tobytes()] for graph in chain] for chain in draws])
    is_here = drawn[..., None] == np.arange(len(graphs))
    batches = is_here.reshape(80, -1, len(graphs)).mean(axis=1)
    error = batches.std(axis=0, ddof=1) / np.sqrt(len(batches))
    usual = expected > 0.02
    assert usual.sum() > 3
    z = (batches.mean(axis=0) - expected)[usual] / error[usual]
    assert np.abs(z).max() < 4.5
    assert np.abs(batches.mean(axis=0) - expected).max() < 0.05


def three_columns(seed=0, num_rows=25):
    """Few rows, so that much is uncertain, and three cells missing."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, num_rows)
    b = np.where(rng.random(num_rows) < 0.6, a > 0, rng.random(num_rows) < 0.5).astype(int)
    c = np.where(rng.random(num_rows) < 0.6, b, rng.integers(0, 2, num_rows))
    frame = pd.DataFrame({"a": a, "b": b, "c": c}).astype(str)
    frame.loc[2, "a"] = frame.loc[2, "b"] = frame.loc[7, "c"] = None
    return frame


@pytest.mark.parametrize("score", ["bdeu", "families", pytest.param("k2", marks=pytest.mark.slow)])
def test_graphs_have_their_probabilities_summed_over_three_cells(score):
    beliefs = [pp.causes("a", "c", 0.8)]
    problem = filled(read_dataset(three_columns(), missing="em"), make_score(score), beliefs)
    check(problem, states_of_gaps(problem))


def test_so_they_have_where_edges_may_be_unseen():
    problem = filled(read_dataset(three_columns(), missing="em"), make_score("bdeu"))
    problem = allow_for_unseen(problem, 0.4)
    check(problem, states_of_gaps(problem))


@pytest.mark.parametrize("kind", ["hard", pytest.param("soft", marks=pytest.mark.slow)])
def test_the_same_with_experiments(kind):
    given = ["b" if row < 8 else "a" if row < 12 else None for row in range(25)]
    data = read_dataset(
        three_columns(1), missing="em", interventions=given, interventions_kind=kind
    )
    problem = filled(data, make_score("bdeu"))
    check(problem, states_of_gaps(problem))


OTHER_BGE = Bge(scale=False, nu="zero", alpha_mu=2.0)


@pytest.mark.parametrize("score", [Bge(), pytest.param(OTHER_BGE, marks=pytest.mark.slow)], ids=str)
def test_real_cells_against_integration(score):
    """Two cells of one row, on a grid."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(3, 12))
    values[1] += 0.8 * values[0]
    values[2] += 0.6 * values[1]
    observed = np.ones(values.shape, dtype=bool)
    observed[0, 4] = observed[1, 4] = False
    known = replace(Dataset.of_reals(RealTable(("a", "b", "c"), values)), observed=observed)
    problem = filled(known, score)
    data = problem.data.select(problem.rules.variables)
    grid = np.linspace(-6, 6, 25)

    def completions():
        for x, y in product(grid, grid):
            numbers = data.reals.values.copy()
            numbers[0, 4], numbers[1, 4] = x, y
            yield replace(data, reals=replace(data.reals, values=numbers)), 0.0

    check(problem, completions())


def test_the_whole_way_from_data_to_probabilities():
    frame = three_columns(num_rows=60)
    posterior = pp.sample_posterior(frame, missing="em", precision=0.02)
    assert not posterior.is_exact
    problem = filled(read_dataset(frame, missing="em"), make_score("bdeu"))
    graphs, expected = sum_over(problem, states_of_gaps(problem))
    for u, v in [(0, 1), (1, 2), (0, 2)]:
        has_edge = (graphs[:, v, 0] >> np.uint64(u) & np.uint64(1)).astype(bool)
        assert abs(posterior.edges.iloc[u, v] - expected[has_edge].sum()) < 0.04
    assert "3 cells were missing (1.7 %), in 3 columns: drawn along with the graphs." in str(
        posterior
    )
    assert posterior.best == pp.learn(frame, missing="em").dag
    assert len(posterior.completions) == 4


def test_a_fit_goes_on_with_its_gaps():
    frame = three_columns(num_rows=60)
    fit = pp.learn(frame, missing="em")
    one = fit.posterior(precision=0.1)
    other = pp.sample_posterior(frame, missing="em", precision=0.1)
    assert np.array_equal(one.draws.parents, other.draws.parents)


def test_effects_are_drawn_from_the_data_of_each_chain():
    frame = three_columns(num_rows=60)
    posterior = pp.sample_posterior(frame, missing="em", precision=0.1)
    effect = posterior.effect("b", "c", num_draws=40)
    known = pp.sample_posterior(frame, missing="drop", precision=0.05).effect("b", "c")
    assert np.abs(effect.draws.mean(axis=0) - known.draws.mean(axis=0)).max() < 0.1


def test_a_run_that_was_cut_off_goes_on_to_the_same_bits(tmp_path):
    frame = three_columns(num_rows=60)
    problem = pp.learn(frame, missing="em").problem
    whole = sample_chains(problem, start=problem.start, num_chains=2)
    first, _ = whole.draw(30)
    rest, _ = whole.draw(30)
    begun = sample_chains(problem, start=problem.start, num_chains=2)
    begun.draw(30)
    resumed = sample_chains(problem, start=problem.start, num_chains=2)
    resumed.restore(begun.state())
    assert np.array_equal(resumed.draw(30)[0], rest)
    assert not np.array_equal(first, rest)
    for a, b in zip(resumed.completions, whole.completions, strict=True):
        assert np.array_equal(a.coded.codes, b.coded.codes)


def test_chains_in_processes_draw_the_same():
    from joblib import parallel_config

    frame = three_columns(num_rows=60)
    problem = pp.learn(frame, missing="em").problem
    here, _ = sample_chains(problem, start=problem.start, num_chains=2).draw(20)
    with parallel_config(backend="loky", n_jobs=2):
        there, _ = sample_chains(problem, start=problem.start, num_chains=2, num_jobs=2).draw(20)
    assert np.array_equal(here, there)


def test_states_and_dropped_rows_are_weighed_exactly():
    frame = three_columns(num_rows=60)
    posterior = pp.sample_posterior(frame, missing="drop")
    assert posterior.is_exact
    assert np.allclose(posterior.edges, pp.sample_posterior(frame.dropna()).edges)
    assert "58 of 60 rows are complete" in str(posterior)
    assert pp.sample_posterior(frame, missing="state").is_exact


def test_cells_of_both_kinds_are_drawn_together():
    draw = np.random.default_rng(0)
    level = draw.integers(0, 2, 80)
    size = level + 0.5 * draw.normal(size=80)
    frame = pd.DataFrame({"level": np.array(["low", "high"])[level], "size": size})
    frame["other"] = draw.normal(size=80)
    frame.loc[::9, "size"] = np.nan
    frame.loc[4::9, "level"] = None
    posterior = pp.sample_posterior(frame, missing="em", num_chains=2, precision=0.1)
    assert posterior.probability("level", "associated", "size") > 0.95
    assert posterior.probability("other", "associated", "size") < 0.5
    assert posterior.effect("level", "size", num_draws=20).draws.shape == (20, 2, 1)


def test_what_cannot_be_drawn_is_refused():
    frame = three_columns(num_rows=60)
    with pytest.raises(PosteriorError, match="use bdeu, k2, families, bge or mixed"):
        pp.sample_posterior(frame, missing="em", score="bic")
    with pytest.raises(PosteriorError, match="method='exact' weighs graphs on complete data"):
        pp.sample_posterior(frame, missing="em", method="exact")
