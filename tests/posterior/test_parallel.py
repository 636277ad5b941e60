"""The same bits however many chains run at a time, and wherever they run."""

import pickle

import numpy as np
import pytest
from joblib import parallel_config
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.posterior.chain_run import ChainRun
from pathprior.posterior.chains import MIX, make_target
from pathprior.posterior.lists import grow_lists
from pathprior.posterior.score_columns import ScoreColumns
from pathprior.score.named import make_score
from tests.problems import make_problem
from tests.search.test_own_score import PlainBdeu

BELIEFS = [pp.causes("smoke", "dysp", 0.9)]
OPTIONS = {"num_chains": 4, "precision": 0.05, "seed": 2}


@pytest.fixture(scope="module")
def data():
    return pp.load_network("asia").sample(200, seed=1)


@pytest.fixture(scope="module")
def serial(data):
    return pp.sample_posterior(data, BELIEFS, **OPTIONS)


def assert_same(one, other):
    np.testing.assert_array_equal(one.draws.parents, other.draws.parents)
    np.testing.assert_array_equal(one.draws.scores, other.draws.scores)
    assert one.best == other.best


@pytest.mark.parametrize("num_jobs", [2, 4, -1])
def test_threads(data, serial, num_jobs):
    assert_same(pp.sample_posterior(data, BELIEFS, **OPTIONS, num_jobs=num_jobs), serial)


def test_on_the_command_line(data, tmp_path):
    data.to_csv(tmp_path / "asia.csv", index=False)
    for jobs in ("1", "2", "4"):
        options = ["--out", str(tmp_path / jobs), "--jobs", jobs, "--precision", "0.05"]
        result = CliRunner().invoke(app, ["posterior", str(tmp_path / "asia.csv"), *options])
        assert result.exit_code == 0, result.output
    for path in (tmp_path / "1").iterdir():
        for jobs in ("2", "4"):
            assert (tmp_path / jobs / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize("score", [PlainBdeu(), make_score("bdeu", equivalent_sample_size=1.0)])
def test_a_copy_of_a_chain_draws_the_same(data, score):
    problem = make_problem(data.iloc[:, :5], None, score)
    lists = grow_lists(problem.rules, problem.start, ScoreColumns(problem).column)
    generator = np.random.default_rng(1)
    chain = ChainRun(problem.scorer, make_target(problem, lists), problem.start, generator, MIX)
    chain.run(3)
    copy = pickle.loads(pickle.dumps(chain))
    copy.run(10)
    chain.restore(copy.state())
    np.testing.assert_array_equal(chain.run(10)[0], copy.run(10)[0])


def test_processes(data, serial):
    with parallel_config(backend="loky"):
        assert_same(pp.sample_posterior(data, BELIEFS, **OPTIONS, num_jobs=2), serial)


def test_a_dask_cluster(data, serial, tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster),
        parallel_config(backend="dask"),
    ):
        found = pp.sample_posterior(
            data, BELIEFS, **OPTIONS, num_jobs=2, checkpoint=tmp_path / "chains.npz"
        )
    assert_same(found, serial)
