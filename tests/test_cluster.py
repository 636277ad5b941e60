"""The same results one after the other, in threads and on a cluster of processes."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import numpy as np
import pytest
from joblib import parallel_config

import pathprior as pp
from pathprior.beliefs.belief import Belief
from pathprior.data.dataset import Dataset
from pathprior.data.merged import merged
from pathprior.prior.listed.conflicts import Conflict

TRIANGLES = [
    belief
    for x, y, z in ("abc", "def", "ghi", "adg")
    for belief in (pp.causes(x, y, 0.9), pp.causes(y, z, 0.8), pp.causes(x, z, 0.4))
]
WEB = [pp.causes("a", "b", 0.8), pp.causes("b", "c", 0.7), pp.not_direct("a", "c", 0.6)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    distributed = pytest.importorskip("distributed", reason="needs distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as found,
        distributed.Client(found) as client,
    ):
        yield client


@pytest.fixture(params=["threads", "cluster"])
def at_once(request: pytest.FixtureRequest) -> AbstractContextManager[None]:
    """Where two jobs at a time run."""

    @contextmanager
    def enter() -> Iterator[None]:
        with ExitStack() as stack:
            if request.param == "cluster":
                scheduler = request.getfixturevalue("cluster").cluster.scheduler
                num_before = scheduler.transition_counter
                stack.enter_context(parallel_config(backend="dask"))
                yield
                assert scheduler.transition_counter > num_before  # work was done there
            else:
                yield

    return enter()


@pytest.fixture(autouse=True)
def nothing_is_kept(tmp_path_factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fit is made, none is found in the cache."""
    monkeypatch.setattr("pathprior.prior.web.part.load_web", lambda key: None)


def test_restarts(at_once: AbstractContextManager[None]) -> None:
    data = pp.load_network("insurance").sample(300, seed=3)
    beliefs = [pp.causes("Age", "Accident", 0.9)]
    serial = pp.learn(data, beliefs, restarts=4, seed=1)
    with at_once:
        found = pp.learn(data, beliefs, restarts=4, seed=1, num_jobs=2)
    assert found.dag == serial.dag
    assert found.score == serial.score
    # a restart is best, and comes back
    assert found.score > pp.learn(data, beliefs, effort="quick").score


def test_restarts_on_merged_rows(at_once: AbstractContextManager[None]) -> None:
    table = pp.load_network("asia").sample_table(3000, seed=1)
    dataset = Dataset.of_codes(merged(table))
    serial = pp.learn(dataset, restarts=2)
    with at_once:
        found = pp.learn(dataset, restarts=2, num_jobs=2)
    assert (found.dag, found.score) == (serial.dag, serial.score)


def test_webs(at_once: AbstractContextManager[None]) -> None:
    def fit(num_jobs: int) -> pp.PathPrior:
        return pp.fit_prior(WEB, "abcd", counts="web", tolerance=0.08, num_jobs=num_jobs)

    serial = fit(1)
    with at_once:
        found = fit(2)
    np.testing.assert_array_equal(found.log_weights, serial.log_weights)
    np.testing.assert_array_equal(found.tie_marginals, serial.tie_marginals)


def test_posterior_chains(at_once: AbstractContextManager[None]) -> None:
    data = pp.load_network("asia").sample(200, seed=1)

    def sample(num_jobs: int) -> pp.Posterior:
        return pp.sample_posterior(
            data, TRIANGLES[:0], method="chains", num_chains=3, precision=0.1, num_jobs=num_jobs
        )

    serial = sample(1)
    with at_once:
        found = sample(2)
    np.testing.assert_array_equal(found.draws.parents, serial.draws.parents)
    np.testing.assert_array_equal(found.draws.scores, serial.draws.scores)


def conflicts(beliefs: list[Belief], num_jobs: int | None) -> tuple[Conflict, ...]:
    from pathprior.prior.constraints import distinct_pairs, make_constraints
    from pathprior.prior.web.conflicts import find_web_conflicts

    index = {name: i for i, name in enumerate("abcdefghi")}
    pairs = distinct_pairs(beliefs, index)
    constraints = make_constraints(beliefs, index, pairs, tuple(range(len(pairs))), None)
    return find_web_conflicts(pairs, 30, constraints, beliefs, num_jobs=num_jobs).worst


def test_conflicts(at_once: AbstractContextManager[None]) -> None:
    serial = conflicts(TRIANGLES, 1)
    assert len(serial) > 1
    with at_once:
        assert conflicts(TRIANGLES, 2) == serial
        assert conflicts(TRIANGLES, None) == serial
