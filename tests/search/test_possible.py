"""What the rules leave possible, against all graphs, and beliefs that they rule out."""

import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import pathprior as pp
from pathprior.beliefs.belief import Belief
from pathprior.errors import BeliefError, PathPriorWarning, SearchError
from pathprior.graph.edge_rules import EdgeRules, make_edge_rules
from pathprior.graph.possible_ties import PossibleTies
from pathprior.prior.belief_table import BaselineWarning
from pathprior.problem.paths_back import PathsBackWarning, find_path_back
from pathprior.problem.start import find_start
from pathprior.search.learn import learn
from tests.oracles.graph import all_dags
from tests.oracles.ties import tie, widen

NAMES = ("a", "b", "c", "d")
PAIRS = [(u, v) for u in range(4) for v in range(4) if u != v]
DAGS = all_dags(4)


@st.composite
def rules(draw: st.DrawFn) -> EdgeRules:
    edges = [(NAMES[u], NAMES[v]) for u, v in PAIRS]
    order = draw(st.permutations(NAMES))
    forward = [(u, v) for u, v in edges if order.index(u) < order.index(v)]
    required = draw(st.sets(st.sampled_from(forward), max_size=3))
    forbidden = draw(st.sets(st.sampled_from(edges), max_size=6)) - required
    cut = draw(st.integers(0, 4))
    most = max(sum(v == name for _, v in required) for name in NAMES)
    return make_edge_rules(
        NAMES,
        required=required,
        forbidden=forbidden,
        tiers=[order[:cut], order[cut:]],
        max_parents=draw(st.integers(most, 4)),
    )


@given(rules())
def test_no_tie_of_a_graph_within_the_rules_is_left_out(drawn: EdgeRules) -> None:
    possible = PossibleTies(drawn)
    found = np.zeros((4, 4, 6), dtype=bool)
    for matrix in DAGS:
        if (matrix & drawn.forbidden).any() or (drawn.required & ~matrix).any():
            continue
        if matrix.sum(axis=0).max() > drawn.max_parents:
            continue
        for x, y in PAIRS:
            found[x, y, tie(matrix, x, y)] = True
    for x, y in PAIRS:
        assert not (found[x, y] & ~possible.of(x, y)).any()
        if not drawn.required.any() and drawn.max_parents >= 3:
            assert np.array_equal(found[x, y], possible.of(x, y))


@given(rules(), st.data())
def test_a_start_is_found_iff_there_is_one(drawn: EdgeRules, data: st.DataObject) -> None:
    pairs = data.draw(st.lists(st.sampled_from(PAIRS), min_size=1, max_size=3, unique=True))
    some = st.lists(st.booleans(), min_size=6, max_size=6).filter(any)
    allowed = np.array(data.draw(st.lists(some, min_size=len(pairs), max_size=len(pairs))))

    def holds(matrix: NDArray[np.bool_]) -> bool:
        return (
            not (matrix & drawn.forbidden).any()
            and not (drawn.required & ~matrix).any()
            and matrix.sum(axis=0).max() <= drawn.max_parents
            and all(allowed[k, tie(matrix, x, y)] for k, (x, y) in enumerate(pairs))
        )

    log_weights = np.where(allowed, 0.0, -np.inf)
    if any(map(holds, DAGS)):
        assert holds(find_start(drawn, np.array(pairs), log_weights).adjacency)
    else:
        with pytest.raises(SearchError, match="no graph holds"):
            find_start(drawn, np.array(pairs), log_weights)


def test_a_start_is_found_where_few_edges_help() -> None:
    allowed = [
        "ab",
        "ac",
        "ad",
        "bd",
        "ca",
        "cb",
        "cd",
        "cf",
        "db",
        "ea",
        "eb",
        "ec",
        "ef",
        "fa",
        "fb",
        "fc",
        "fd",
    ]
    forbidden = [(u, v) for u in "abcdef" for v in "abcdef" if u != v and u + v not in allowed]
    drawn = make_edge_rules("abcdef", forbidden=forbidden)
    hard = np.array([[0.0, -np.inf, -np.inf, -np.inf], [-np.inf, 0.0, -np.inf, -np.inf]])
    start = find_start(drawn, np.array([[0, 5], [1, 4]]), widen(hard))
    assert start.relation("a", "f") is start.relation("e", "b") is pp.Relation.CAUSES


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    generator = np.random.default_rng(3)
    return pd.DataFrame(generator.integers(0, 2, (200, 4)), columns=list(NAMES))


EXCLUDED: list[tuple[Belief, dict[str, Any], str]] = [
    (pp.causes("c", "a", 0.9), {"tiers": ["ab", "cd"]}, "tiers"),
    (pp.not_causes("c", "a", 0.1), {"tiers": ["ab", "cd"]}, "tiers"),
    (pp.causes("a", "b", 0.9), {"max_parents": 0}, "max_parents"),
    (pp.associated("a", "b", 0.9), {"max_parents": 0}, "max_parents"),
    (pp.confounded("a", "b", 0.8), {"required": [("a", "c"), ("c", "b")]}, "required"),
    (pp.not_causes("a", "b", 0.9), {"required": [("a", "c"), ("c", "b")]}, "required"),
    (pp.not_associated("a", "b", 0.9), {"required": [("c", "a"), ("c", "b")]}, "required"),
    (pp.relation("a", "b", (0.1, 0.7, 0.1, 0.1)), {"required": [("a", "b")]}, "required"),
    (
        pp.causes("a", "b", 0.9),
        {"forbidden": [("a", "b"), ("a", "c"), ("a", "d")], "tiers": ["abcd"]},
        "forbidden",
    ),
    (
        pp.causes("a", "b", 0.9),
        {"forbidden": [("a", "b"), ("a", "c")], "tiers": ["abc", "d"]},
        "forbidden and tiers together",
    ),
]


def spread(options: dict[str, Any]) -> dict[str, Any]:
    return options | {"tiers": [list(tier) for tier in options.get("tiers", [])]}


@pytest.mark.parametrize(("belief", "options", "option"), EXCLUDED)
def test_an_excluded_belief_is_said(
    data: pd.DataFrame, belief: Belief, options: dict[str, Any], option: str
) -> None:
    with pytest.warns(PathPriorWarning, match="whatever the data") as warned:
        learn(data, [belief], **spread(options))
    (warning,) = [each for each in warned if each.category is PathPriorWarning]
    message = str(warning.message)
    assert f"{belief.phrase}, ruled out by {option};" in message
    assert warning.filename == __file__


@pytest.mark.parametrize(
    ("belief", "options"),
    [
        (pp.causes("c", "a", 0.1), {"tiers": ["ab", "cd"]}),
        (pp.causes("a", "c", 0.9), {"tiers": ["ab", "cd"]}),
        (pp.associated("a", "b", 0.9), {"forbidden": [("a", "b"), ("b", "a")]}),
        (pp.confounded("a", "b", 0.9), {"tiers": ["abc", "d"]}),
        (pp.not_associated("a", "b", 0.9), {"required": [("a", "c"), ("b", "c")]}),
        (pp.relation("a", "b", (0.4, 0.4, 0.1, 0.1)), {"forbidden": [("a", "b")]}),
        (pp.causes("a", "b", 0.9), {}),
    ],
)
def test_a_belief_that_can_hold_is_no_reason_to_warn(
    data: pd.DataFrame, belief: Belief, options: dict[str, Any]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", BaselineWarning)
        learn(data, [belief], **spread(options))


def test_one_warning_names_all_excluded_beliefs() -> None:
    names = [f"v{i:02d}" for i in range(14)]
    generator = np.random.default_rng(0)
    data = pd.DataFrame(generator.integers(0, 2, (50, 14)), columns=names)
    beliefs = [pp.causes(name, "v00", 0.9) for name in names[1:]]
    tiers = [names[:1], names[1:]]
    prior = pp.fit_prior(beliefs, names, tiers=tiers)
    with pytest.warns(PathPriorWarning, match="whatever the data") as warned:
        learn(data, prior, tiers=tiers)
    assert len(warned) == 1
    assert "v10 causes v00 (0.9), ruled out by tiers; and 3 more; drop" in str(warned[0].message)


def test_a_hard_belief_that_the_required_edges_exclude_is_refused(data: pd.DataFrame) -> None:
    with pytest.raises(BeliefError, match="a ⇎ b, ruled out by required: drop it"):
        learn(data, [pp.not_associated("a", "b", 1.0)], required=[("c", "a"), ("c", "b")])


@given(st.lists(st.integers(-1, 2), min_size=4, max_size=4), st.sets(st.sampled_from(PAIRS)))
def test_a_path_back_is_found_where_a_graph_within_the_rules_has_one(
    tier: list[int], forbidden: set[tuple[int, int]]
) -> None:
    drawn = make_edge_rules(
        NAMES,
        forbidden=[(NAMES[u], NAMES[v]) for u, v in forbidden],
        tiers=[[NAMES[v] for v in range(4) if tier[v] == k] for k in range(3)],
    )
    back = [(u, v) for u, v in PAIRS if tier[u] > tier[v] >= 0]
    has_one = any(
        tie(matrix, u, v) in (0, 4)
        for matrix in DAGS
        if not (matrix & drawn.forbidden).any()
        for u, v in back
    )
    path = find_path_back(drawn)
    assert bool(path) == has_one
    assert not path or (path[0], path[-1]) in back
    assert not any(drawn.forbidden[u, v] for u, v in pairwise(path))


def _copies() -> pd.DataFrame:
    """Draw b → c → a, each a noisy copy of the one before."""
    rng = np.random.default_rng(0)
    b = rng.integers(0, 2, 400)
    c = np.where(rng.random(400) < 0.05, 1 - b, b)
    return pd.DataFrame({"a": np.where(rng.random(400) < 0.05, 1 - c, c), "b": b, "c": c})


def test_a_path_back_through_a_variable_without_a_tier_is_said_once() -> None:
    with pytest.warns(PathsBackWarning) as warned:
        fit = learn(_copies(), [pp.causes("b", "a", 0.99)], tiers=[["a"], ["b"]])
    assert fit.dag.relation("b", "a") is pp.Relation.CAUSES
    assert [str(one.message) for one in warned] == [
        "tiers rule out edges, not paths: 'c' is in no tier, so that 'b' of tier 2 can still cause "
        "'a' of tier 1, by 'b' → 'c' → 'a'; put it into tiers if that cannot be"
    ]
    with pytest.warns(PathsBackWarning, match="'c' is in no tier"):
        pp.sample_posterior(_copies(), tiers=[["a"], ["b"]])


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"tiers": [["a"]]},
        {"tiers": [["a"], ["b", "c"]]},
        {"tiers": [["a"], ["b"]], "forbidden": [("c", "a")]},
        {"tiers": [["a"], ["b"]], "max_parents": 0},
    ],
    ids=str,
)
def test_no_path_back_is_not_warned_of(rules: dict[str, Any]) -> None:
    learn(_copies(), **rules)  # a warning would be an error
