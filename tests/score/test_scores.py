import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior import BayesianNetwork, Dag, learn, load_network
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.data.table import DataTable
from pathprior.errors import NetworkError, SearchError
from pathprior.score.bde import Bde
from pathprior.score.bdeu import Bdeu
from pathprior.score.counted import CountedScorer
from pathprior.score.graph import score_graph
from pathprior.score.named import COUNTED, make_score
from tests.data_tables import make_table, tables
from tests.oracles.score import local_score

pytestmark = pytest.mark.kernel


def peer_frame() -> pd.DataFrame:
    i = np.arange(200)
    x = (i * i + 3 * i) // 7 % 3
    y = (x + i // 5) % 2
    z = (2 * x + y + (i % 11 == 0)) % 4
    return pd.DataFrame({"x": x, "y": y, "z": z}).astype(str)


# Values of pybnesian 0.5.1 on peer_frame() with categorical columns:
# BDe(frame, iss=1 or 10).local_score(DiscreteBN(["x", "y", "z"]), child, parents), and BIC(frame).
PEER_VALUES = [
    ("bdeu", 1.0, "x", [], -224.0466875438667),
    ("bdeu", 1.0, "y", ["x"], -148.05823529185733),
    ("bdeu", 1.0, "z", ["x", "y"], -87.38851317831447),
    ("bdeu", 1.0, "x", ["y", "z"], -106.98061218061943),
    ("bdeu", 10.0, "x", [], -221.35321919817602),
    ("bdeu", 10.0, "z", ["x", "y"], -91.45505086942042),
    ("bic", 1.0, "x", [], -223.47983818125059),
    ("bic", 1.0, "y", ["x"], -146.52117732749957),
    ("bic", 1.0, "z", ["x", "y"], -108.06148140638382),
]


@pytest.mark.parametrize(("score", "size", "child", "parents", "value"), PEER_VALUES)
def test_agrees_with_a_peer(
    score: str, size: float, child: str, parents: list[str], value: float
) -> None:
    bound = make_score(score, equivalent_sample_size=size).bind(read_dataset(peer_frame()))
    index = {"x": 0, "y": 1, "z": 2}
    local = bound.local(index[child], [index[parent] for parent in parents])
    assert local == pytest.approx(value, abs=1e-6)


def test_bdeu_by_hand() -> None:
    # x: 3 zeros, 1 one; y given x = 0: 2 and 1, given x = 1: 0 and 1.
    frame = pd.DataFrame({"x": list("0001"), "y": list("0011")})
    g = math.lgamma
    x = g(1) - g(5) + g(3.5) + g(1.5) - 2 * g(0.5)
    y = 2 * g(0.5) - g(3.5) - g(1.5) + g(2.25) + 2 * g(1.25) - 3 * g(0.25)
    dag = Dag.from_edges(["x", "y"], [("x", "y")])
    assert score_graph(dag, frame, equivalent_sample_size=1) == pytest.approx(x + y, abs=1e-12)
    reverse = Dag.from_edges(["y", "x"], [("y", "x")])
    same = score_graph(reverse, frame, equivalent_sample_size=1)
    assert same == pytest.approx(x + y, abs=1e-12)


def test_k2_by_hand() -> None:
    frame = pd.DataFrame({"x": list("0001")})
    value = math.log(math.factorial(1) / math.factorial(5) * math.factorial(3) * math.factorial(1))
    assert score_graph(Dag.from_edges(["x"]), frame, score="k2") == pytest.approx(value, abs=1e-12)


@given(tables(), st.sampled_from(tuple(COUNTED)), st.floats(0.01, 50), st.data())
def test_local_scores_follow_their_definition(
    table: DataTable, score: str, size: float, data: st.DataObject
) -> None:
    bound = make_score(score, equivalent_sample_size=size).bind(Dataset.of_codes(table))
    child = data.draw(st.integers(0, table.num_variables - 1))
    others = [v for v in range(table.num_variables) if v != child]
    parents = data.draw(st.lists(st.sampled_from(others), unique=True))
    expected = local_score(
        table.codes, table.num_states.tolist(), child, parents,
        score=score, equivalent_sample_size=size,
    )  # fmt: skip
    assert bound.local(child, parents) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_many_parents_take_memory_of_the_rows_only() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, (21, 300)).astype(np.uint8)
    table = make_table(codes, [4] * 21)
    bound = Bdeu().bind(Dataset.of_codes(table))
    parents = list(range(1, 21))  # 4^20 configurations
    expected = local_score(codes, [4] * 21, 0, parents, score="bdeu")
    assert bound.local(0, parents) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("size", [0.0, -1.0, math.nan, math.inf])
def test_refuses_a_bad_sample_size(size: float) -> None:
    with pytest.raises(SearchError, match="equivalent_sample_size"):
        Bdeu(size)


def test_unknown_score_is_named() -> None:
    with pytest.raises(SearchError, match="'bdue'"):
        make_score("bdue")


def test_score_objects_pass_through() -> None:
    score = Bdeu(3.0)
    assert make_score(score) is score
    table = make_table(np.zeros((1, 2), np.uint8), [1])
    assert isinstance(score.bind(Dataset.of_codes(table)), CountedScorer)


# -- BDe -----------------------------------------------------------------------------------------


def test_bde_of_a_uniform_network_is_bdeu() -> None:
    frame = peer_frame()
    dag = Dag.from_edges(["x", "y", "z"])
    states = (("0", "1", "2"), ("0", "1"), ("0", "1", "2", "3"))
    uniform = BayesianNetwork(dag, states, tuple(np.full(len(s), 1 / len(s)) for s in states))
    bde = Bde(uniform, 3.0).bind(read_dataset(frame))
    bdeu = Bdeu(3.0).bind(read_dataset(frame))
    for child in range(3):
        for mask in product([False, True], repeat=2):
            others = [v for v in range(3) if v != child]
            parents = [v for v, taken in zip(others, mask, strict=True) if taken]
            assert bde.local(child, parents) == pytest.approx(bdeu.local(child, parents), abs=1e-9)


def test_bde_reads_the_joint_of_its_network() -> None:
    # α of a family = ess · its joint probability, summed here by enumeration over all states.
    names = ["a", "b", "c", "d"]
    dag = Dag.from_edges(names, [("a", "b"), ("b", "c"), ("a", "d"), ("c", "d")])
    network = BayesianNetwork.random(dag, {"a": 2, "b": 3, "c": 2, "d": 2}, seed=4)
    table = network.sample_table(50, seed=1)
    joint = np.einsum("a,ab,bc,acd->abcd", *network.tables)
    bound = Bde(network, 5.0).bind(Dataset.of_codes(table))
    for child, parents in [(3, [0]), (0, [2, 3]), (1, []), (2, [0, 1, 3])]:
        members = [*parents, child]
        alpha = 5.0 * np.einsum(joint, range(4), members)
        counts = np.zeros(alpha.shape)
        np.add.at(counts, tuple(table.codes[v] for v in members), 1)
        expected = sum(
            math.lgamma(n + a) - math.lgamma(a)
            for n, a in zip(counts.ravel(), alpha.ravel(), strict=True)
        ) - sum(
            math.lgamma(n + a) - math.lgamma(a)
            for n, a in zip(counts.sum(-1).ravel(), alpha.sum(-1).ravel(), strict=True)
        )
        assert bound.local(child, parents) == pytest.approx(expected, abs=1e-9)


def test_bde_names_a_state_the_network_lacks() -> None:
    network = BayesianNetwork.random(Dag.from_edges(["x"]), 2)
    with pytest.raises(NetworkError, match="'x' has the state '2', which the network lacks"):
        Bde(network).bind(read_dataset(pd.DataFrame({"x": list("0120")})))


def test_a_graph_is_scored_family_by_family() -> None:
    network = load_network("asia")
    data = network.sample(300, seed=2)
    families = score_graph(network.dag, data, per_family=True)
    assert list(families.index) == list(network.dag.nodes)
    assert families.sum() == pytest.approx(score_graph(network.dag, data), abs=1e-9)
    cut = Dag.from_edges(network.dag.nodes, [e for e in network.dag.edges if e[1] != "dysp"])
    changed = score_graph(cut, data, per_family=True) != families
    assert list(families.index[changed]) == ["dysp"]
    fit = learn(data[list(reversed(data.columns))], score="bic")
    assert score_graph(fit.dag, data, score="bic") == pytest.approx(fit.data_score, abs=1e-9)
