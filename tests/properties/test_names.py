"""Odd names work from the door to every output, or the door says what is wrong with them."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.errors import BeliefError, DataError, GraphError, NetworkError
from pathprior.files import unwritable
from pathprior.report.write import write_fit

UNWRITABLE = ("\ud800", "x\udfff", "\ud83d\ude00", "a\0b", "a\rb", "a\r\nb")
PADDED = (" ", "\t", "\u2028", "age ", "\x85x")
ODD = (
    *(
        "a\nb",
        "\ufeff",
        "\u202eabc",
        "\x1b[31m",
        "\uffff",
        "e\u0301",
        "😀",
        "変数",
        "a b",
        "a" * 300,
    ),
    *('"', "\\", 'a\\"', "\\n", "a,b", "a;b", "a->b", "/*", "//x", "{", "|", "table", "default"),
    *("<b>", "</script>", "&amp;", "$x^$", "[red]", "%s", "{0}", "None", "NA", "1", "-1.0", "True"),
)


def frame(columns):
    """A data frame with any names and values, which pandas' own strings would refuse."""
    index = pd.Index(list(columns), dtype=object, tupleize_cols=False)
    return pd.DataFrame(list(zip(*columns.values(), strict=True)), columns=index, dtype=object)


def chain(names):
    """Data in which each column is mostly the one before."""
    draw = np.random.default_rng(0)
    columns, values = {}, draw.integers(0, 2, 60)
    for name in names:
        values = values ^ (draw.random(60) < 0.1)
        columns[name] = values.tolist()
    return frame(columns)


def read_csv(path):
    return pd.read_csv(path, keep_default_na=False, dtype=str)


def check_outputs(fit):
    """Everything written for a fit reads back with the same names."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        files = write_fit(fit, folder, report=True)
        network = pp.read_bif(files.network)
        assert (network.dag, network.states) == (fit.dag, fit.network().states)
        edges = read_csv(files.edges)
        assert set(zip(edges["parent"], edges["child"], strict=True)) == set(fit.dag.edges)
        assert json.loads(files.summary.read_text("utf-8"))["num_variables"] == fit.dag.num_nodes
        assert files.report.read_text("utf-8").endswith("</html>\n")
        assert files.dot.read_text("utf-8") == fit.to_dot()
        fit._repr_html_().encode()
        if not fit.has_beliefs:
            return
        held = read_csv(files.beliefs)
        assert set(held["x"]) | set(held["y"]) == set(fit.prior.beliefs.variables)
        fit.prior.beliefs.to_csv(folder / "again.csv")
        fit.prior.beliefs.to_json(folder / "again.json")
        for path in (folder / "again.csv", folder / "again.json"):
            assert pp.read_beliefs(path) == fit.prior.beliefs
        fit.prior.save(folder / "prior.json")
        assert pp.load_prior(folder / "prior.json").variables == fit.prior.variables


def test_odd_names_of_variables():
    names = [*PADDED, *ODD]
    beliefs = [pp.causes(x, y, 0.9) for x, y in zip(ODD[::2], ODD[1::2], strict=False)]
    fit = pp.learn(chain(names), beliefs)
    assert fit.dag.num_edges > len(names) // 2
    check_outputs(fit)


@pytest.mark.filterwarnings("ignore:columns with many states")
def test_odd_names_of_states():
    states = ["", *PADDED, *ODD]
    fit = pp.learn(frame({"a": states * 2, "b": states[::-1] * 2, "c": states * 2}))
    assert fit.network().states[0] == tuple(sorted(states))
    check_outputs(fit)


@settings(max_examples=10)
@given(st.lists(st.text(min_size=1, max_size=4), min_size=2, max_size=6, unique=True))
def test_any_names(names):
    if any(map(unwritable, names)):
        with pytest.raises(DataError, match="which files do not keep"):
            pp.learn(chain(names))
        return
    check_outputs(pp.learn(chain(names)))


@pytest.mark.parametrize("name", UNWRITABLE, ids=ascii)
def test_what_files_do_not_keep_is_refused_at_the_door(name):
    with pytest.raises(DataError, match=r"^the column name .* holds .*: rename the column$"):
        pp.learn(chain([name, "other"]))
    with pytest.raises(
        DataError, match=r"^column 'a' has the value .*, which holds .*: replace it"
    ):
        pp.learn(frame({"a": [name, "x"], "b": ["x", "y"]}))
    with pytest.raises(BeliefError, match=r" holds .*: retype it$"):
        pp.causes(name, "other", 0.9)
    with pytest.raises(GraphError, match=r"^the node name .* holds .*: rename it$"):
        pp.Dag.from_networkx(nx.DiGraph([(name, "other")]))
    with pytest.raises(NetworkError, match=r"^the state .* of 'a' holds .*: rename it$"):
        pp.BayesianNetwork(pp.Dag.from_edges("a"), ((name, "x"),), (np.array([0.5, 0.5]),))


@pytest.mark.parametrize("name", PADDED, ids=ascii)
def test_beliefs_do_not_speak_of_names_that_their_files_would_strip(name):
    with pytest.raises(BeliefError, match="begins or ends with a blank"):
        pp.causes(name, "other", 0.9)


@pytest.mark.parametrize("name", [None, float("nan"), ""])
def test_no_name(name):
    with pytest.raises(DataError, match="column 1 has no name"):
        pp.learn(chain([name, "other"]))


@pytest.mark.parametrize("names", [(1, "1"), (("a", "b"), "('a', 'b')"), (True, "True")])
def test_names_that_read_the_same(names):
    with pytest.raises(DataError, match=r"occurs as .* and .*: rename one"):
        pp.learn(chain(names))


def test_a_data_file_strips_names_as_a_belief_file_does(tmp_path):
    path = tmp_path / "data.csv"
    chain(["age ", " sex"]).to_csv(path, index=False)
    assert pp.learn(path, [pp.causes("age", "sex", 0.9)]).dag.nodes == ("age", "sex")
