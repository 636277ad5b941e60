import math
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.table import DataTable
from pathprior.errors import BeliefError, GraphError, SearchError
from pathprior.graph.cpdag import Cpdag
from pathprior.prior.fit import fit_prior
from pathprior.score.graph import score_graph
from pathprior.score.likelihood import LogLikelihood
from pathprior.score.score import Scorer
from pathprior.search.learn import learn
from pathprior.search.steps import Move
from pathprior.search.stop_reason import StopReason
from tests.data_tables import tables


@pytest.fixture(scope="module")
def asia_like() -> pd.DataFrame:
    dag = pp.Dag.from_edges(
        ["a", "b", "c", "d", "e", "f"],
        [("a", "c"), ("b", "c"), ("c", "d"), ("c", "e"), ("e", "f"), ("d", "f")],
    )
    return pp.BayesianNetwork.random(dag, 3, seed=5).sample(800, seed=2)


def test_result_is_complete(asia_like: pd.DataFrame) -> None:
    fit = learn(asia_like)
    assert fit.dag.nodes == tuple(asia_like.columns)
    assert fit.cpdag == Cpdag.from_dag(fit.dag)
    assert fit.data_score == pytest.approx(score_graph(fit.dag, asia_like), abs=1e-7)
    assert fit.prior_score == pytest.approx(fit.dag.num_edges * math.log(fit.prior.edge_odds))
    total = fit.data_score + fit.prior_score
    assert fit.score == pytest.approx(total)
    assert fit.stopped_because is StopReason.PROVEN
    climbed = learn(asia_like, search="exact")
    assert climbed.score == climbed.steps[-1].score == pytest.approx(total)
    assert str(fit.stopped_because).endswith(".")
    assert fit.network().dag == fit.dag
    with pytest.raises(SearchError, match="no beliefs"):
        fit.beliefs_held()


def test_beliefs_move_the_result(asia_like: pd.DataFrame) -> None:
    beliefs = pp.BeliefSet([pp.causes("a", "b", 0.9999), pp.causes("a", "f", 0.99)])
    fit = learn(asia_like, beliefs)
    assert learn(asia_like).dag.relation("a", "b") is pp.Relation.UNRELATED
    prior = fit_prior(beliefs, asia_like.columns)
    assert fit.prior_score == pytest.approx(prior.log_prob(fit.dag) + prior.log_sum_of_weights)
    again = learn(asia_like, prior)
    assert again.dag == fit.dag
    held = fit.beliefs_held()
    columns = ["x", "y", "event", "baseline", "stated", "fitted", "relation", "holds", "is_weak"]
    assert list(held.columns) == columns
    assert held["holds"].all()


def test_column_order_has_no_influence(asia_like: pd.DataFrame) -> None:
    first = learn(asia_like)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(asia_like.columns)
        assert learn(asia_like[order]).dag.reorder(first.dag.nodes) == first.dag


def test_same_answer_whatever_the_hash_seed(tmp_path: Path, asia_like: pd.DataFrame) -> None:
    asia_like.to_csv(tmp_path / "data.csv", index=False)
    program = (
        "import sys, pathprior as pp\n"
        "from pathprior.search.learn import learn\n"
        "beliefs = pp.BeliefSet([pp.causes('f', 'a', 0.8), pp.confounded('d', 'e', 0.9)])\n"
        "fit = learn(sys.argv[1], beliefs, restarts=2, seed=3)\n"
        "print(fit.dag.edges, repr(fit.score))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "data.csv")],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "4242")
    }
    assert len(answers) == 1


@pytest.fixture(scope="module")
def parity() -> pd.DataFrame:
    """Whether a and b differ, mostly: any two columns are independent, so no first edge gains."""
    rows = [(a, b, a ^ b ^ (k == 0)) for a in (0, 1) for b in (0, 1) for k in range(20)]
    return pd.DataFrame(rows, columns=["a", "b", "c"]).astype(int).astype(str)


def test_restarts_find_more_and_ignore_the_number_of_jobs(parity: pd.DataFrame) -> None:
    plain = learn(parity, search="greedy")
    one = learn(parity, search="greedy", restarts=4, seed=1)
    two = learn(parity, search="greedy", restarts=4, seed=1, num_jobs=2)
    assert plain.dag.num_edges == 0
    many = learn(parity, search="greedy", restarts=4, seed=1, num_jobs=10**9)
    assert one.score > plain.score + 10
    assert one.dag == two.dag == many.dag
    assert plain.stopped_because is StopReason.LOCAL_OPTIMUM


@pytest.mark.parametrize(
    ("options", "search"),
    [
        ({}, "exact"),
        ({"score": "bic"}, "exact"),
        ({"tabu": 10}, "equivalence"),
        ({"score": "k2"}, "turning"),
        ({"score": "loglik", "max_parents": 1}, "turning"),
        ({"swap_equivalent": False}, "turning"),
    ],
)
def test_the_search_is_chosen_by_the_score(
    asia_like: pd.DataFrame, options: dict[str, Any], search: str
) -> None:
    chosen = learn(asia_like, **options)
    assert chosen.resolved.search == search
    assert chosen.settings.search == "auto"
    assert chosen.cpdag == learn(asia_like, search=search, **options).cpdag


def test_settings_are_kept_as_given_and_as_resolved(asia_like: pd.DataFrame) -> None:
    fit = learn(asia_like, [pp.causes("a", "f", 1.0)], seed=3)
    assert fit.settings.search == "auto"
    assert fit.settings.tabu is None
    assert fit.settings.swap_equivalent is None
    assert fit.settings.start is None
    assert fit.resolved.search == "exact"
    assert fit.resolved.shakes == 200
    assert fit.resolved.tabu == 25
    assert fit.resolved.swap_equivalent is True
    assert fit.resolved.start == (("a", "f"),)
    options = asdict(fit.resolved) | {
        "start": pp.Dag.from_edges(asia_like, fit.resolved.start),
        "kinds": dict(fit.resolved.kinds),
        "reliability": dict(fit.resolved.reliability),
    }
    again = learn(asia_like, fit.prior, **options)
    assert again.steps == fit.steps
    assert again.resolved == fit.resolved


def test_a_likelihood_needs_a_limit(asia_like: pd.DataFrame) -> None:
    for score in ("loglik", LogLikelihood()):
        with pytest.raises(SearchError, match="set max_parents"):
            learn(asia_like, score=score)


def test_a_tabu_list_has_a_largest_length(asia_like: pd.DataFrame) -> None:
    assert learn(asia_like, tabu=1000).score == pytest.approx(learn(asia_like).score)
    with pytest.raises(SearchError, match=r"at most 1000.*restarts"):
        learn(asia_like, tabu=1001)


def test_tabu(parity: pd.DataFrame) -> None:
    plain = learn(parity, search="turning")
    walked = learn(parity, search="turning", tabu=10)
    assert walked.score > plain.score + 10
    assert walked.score == pytest.approx(score_graph(walked.dag, parity), abs=1e-6)
    assert walked.stopped_because is StopReason.TABU


# -- constraints ---------------------------------------------------------------------------------


@given(tables(), st.data())
@settings(max_examples=40)
def test_constraints_are_kept(table: DataTable, data: st.DataObject) -> None:
    names = table.variables
    order = data.draw(st.permutations(names))
    cut = data.draw(st.integers(0, len(names)))
    tiers = [list(order[:cut]), list(order[cut:])]
    edges = [(u, v) for i, u in enumerate(order) for v in order[i + 1 :]]
    required = data.draw(st.lists(st.sampled_from(edges), unique=True, max_size=2))
    forbidden = [
        edge for edge in data.draw(st.lists(st.sampled_from(edges))) if edge not in required
    ]
    most = max(2, data.draw(st.integers(0, 3)))
    hard = pp.not_causes(order[0], order[-1], 1.0)
    is_hard = (order[0], order[-1]) not in required and len(required) < 2
    fit = learn(
        table,
        [hard] if is_hard else None,
        required=required,
        forbidden=forbidden,
        tiers=tiers,
        max_parents=most,
        constant_columns="keep",
        score=data.draw(st.sampled_from(["bdeu", "aic"])),
    )
    found = set(fit.dag.edges)
    assert found >= set(required)
    assert not found & set(forbidden)
    assert all(not (u in tiers[1] and v in tiers[0]) for u, v in found)
    assert max(len(fit.dag.parents(v)) for v in names) <= most
    if is_hard:
        assert fit.dag.relation(order[0], order[-1]) is not pp.Relation.CAUSES


HARD = [
    [pp.causes("a", "f", 1.0)],
    [pp.causes("f", "a", 1.0), pp.not_associated("b", "c", 1.0)],
    [pp.confounded("a", "b", 1.0), pp.causes("d", "b", 1.0)],
]


@pytest.mark.parametrize("beliefs", HARD)
def test_hard_beliefs_are_kept(asia_like: pd.DataFrame, beliefs: list[object]) -> None:
    fit = learn(asia_like, beliefs)  # type: ignore[arg-type]
    assert fit.beliefs_held()["holds"].all()
    assert np.isfinite(fit.prior_score)


def test_a_hard_belief_without_a_path_is_refused(asia_like: pd.DataFrame) -> None:
    with pytest.raises(BeliefError, match="f ⇒ a"):
        learn(asia_like, [pp.causes("f", "a", 1.0)], tiers=[["a"], ["b", "c", "d", "e", "f"]])


def test_hard_beliefs_that_cannot_hold_together_with_the_rules() -> None:
    frame = pd.DataFrame({"x": list("0101"), "y": list("0011"), "z": list("0110")})
    with pytest.raises(BeliefError, match="contradict each other within forbidden"):
        learn(
            frame,
            [pp.causes("x", "z", 1.0), pp.not_causes("x", "y", 1.0)],
            forbidden=[("x", "z")],
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"required": [("a", "b")], "forbidden": [("a", "b")]}, "both required and forbidden"),
        ({"required": [("a", "b"), ("b", "c"), ("c", "a")]}, "cycle"),
        ({"required": [("a", "b")], "tiers": [["b"], ["a"]]}, "goes backwards"),
        ({"required": [("a", "c"), ("b", "c")], "max_parents": 1}, "2 required parents"),
        ({"required": [("a", "a")]}, "self edge"),
        ({"tiers": [["a"], ["a"]]}, "tier 1 and in tier 2"),
        ({"tiers": ["abc"]}, "list of lists"),
        ({"max_parents": -1}, "max_parents"),
        ({"search": "quick"}, "'quick'"),
        ({"tabu": -1}, "tabu"),
        ({"restarts": 1.5}, "restarts"),
        ({"score": "k2", "swap_equivalent": True}, "k2"),
        ({"start": pp.Dag.from_edges("abcdef", [("a", "b")]), "forbidden": [("a", "b")]}, "'a'"),
        ({"start": pp.Dag.from_edges("abcdef"), "required": [("a", "b")]}, "lacks"),
    ],
)
def test_contradictions_are_named(
    asia_like: pd.DataFrame, options: dict[str, object], message: str
) -> None:
    with pytest.raises(SearchError, match=message):
        learn(asia_like, **options)  # type: ignore[arg-type]


def test_unknown_variables_are_named(asia_like: pd.DataFrame) -> None:
    with pytest.raises(GraphError, match="'g'"):
        learn(asia_like, required=[("a", "g")])


def test_start_that_breaks_a_hard_belief(asia_like: pd.DataFrame) -> None:
    start = pp.Dag.from_edges("abcdef", [("a", "b")])
    with pytest.raises(SearchError, match="a ⇒ b"):
        learn(asia_like, [pp.not_causes("a", "b", 1.0)], start=start)


def test_start_is_climbed_from(asia_like: pd.DataFrame) -> None:
    best = learn(asia_like)
    again = learn(asia_like, start=best.dag)
    assert again.steps == ()
    assert again.dag == best.dag


# -- scores in Python, Ctrl-C, progress -----------------------------------------------------------


class EdgePenalty(Scorer):
    """A score in Python: no data, one less for every edge, one more for a → b."""

    is_score_equivalent = False

    def bind(self, dataset: Dataset) -> "EdgePenalty":
        return self

    def estimate(self, dag: pp.Dag, *, equivalent_sample_size: float) -> pp.BayesianNetwork:
        raise AssertionError("no search asks for parameters")

    def local(self, child: int, parents: Sequence[int]) -> float:
        return (2.0 if child == 1 and 0 in parents else 0.0) - len(parents)


def test_a_score_is_one_small_class(asia_like: pd.DataFrame) -> None:
    fit = learn(asia_like, score=EdgePenalty())
    assert fit.dag.edges == (("a", "b"),)
    assert fit.steps[0].move is Move.INSERT


class Interrupting(EdgePenalty):
    """Ctrl-C when the first family of three parents is scored: ties look one parent ahead."""

    def __init__(self) -> None:
        self.is_sent = False

    def local(self, child: int, parents: Sequence[int]) -> float:
        if len(parents) == 3 and not self.is_sent:
            self.is_sent = True
            signal.raise_signal(signal.SIGINT)
        return float(len(parents))


def test_interrupt_returns_the_best_so_far(asia_like: pd.DataFrame) -> None:
    before = signal.getsignal(signal.SIGINT)
    fit = learn(asia_like, score=Interrupting(), expected_parents=None)
    assert fit.stopped_because is StopReason.INTERRUPTED
    assert 1 <= fit.dag.num_edges < 15
    assert fit.score == fit.dag.num_edges
    assert signal.getsignal(signal.SIGINT) is before


def test_progress_line(
    asia_like: pd.DataFrame, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    monkeypatch.setenv("TERM", "xterm")
    learn(asia_like)
    assert capsys.readouterr() == ("", "")
    fit = learn(asia_like, progress=True)
    captured = capsys.readouterr()
    assert captured.out == ""
    shown = re.findall(r"step \d+   score (\S+)   edges (\d+)", captured.err)
    assert shown[-1] == (f"{fit.score:.2f}", str(fit.dag.num_edges))


def test_progress_is_told_to_whoever_asks():
    told = []
    fit = pp.learn(
        pp.load_network("asia").sample(300, seed=0),
        progress=lambda step, score, num_edges: told.append((step, score, num_edges)),
    )
    assert told
    steps, scores, _ = zip(*told, strict=True)
    assert list(steps) == sorted(steps)
    assert max(scores) <= fit.score + 1e-6
    assert told[-1][2] <= fit.dag.num_nodes**2
