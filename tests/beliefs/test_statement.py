"""Statements: beliefs without a probability."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.beliefs.repeated import RepeatedStatementWarning, count_once, others_who_say
from pathprior.beliefs.statement import split_statements
from pathprior.beliefs.testimony import make_testimony
from pathprior.errors import BeliefError

MIXED = [
    pp.says("survey", "x", "causes", "y"),
    pp.causes("x", "y", 0.8, source="survey"),
    pp.says("trial", "y", "not-associated", "z", strength=0.75),
]


def test_what_is_said():
    said = pp.says("survey", "x", "not-causes", "y", strength=2)
    assert (said.x, said.relation, said.y) == ("x", "not-causes", "y")
    assert (said.source, said.stated, said.strength) == ("survey", (), 2.0)
    assert said.phrase == "survey says that x does not cause y"
    assert said == pp.Statement("x", "not-causes", "y", strength=2.0, source="survey")
    assert said != pp.says("survey", "x", "causes", "y", strength=2)
    assert pickle.loads(pickle.dumps(said)) == said


def test_beliefs_and_statements_in_one_set():
    stated = pp.BeliefSet(MIXED)
    assert len(stated) == 3
    assert stated.variables == ("x", "y", "z")
    beliefs, statements = split_statements(stated)
    assert beliefs == (MIXED[1],)
    assert statements == (MIXED[0], MIXED[2])


@pytest.mark.parametrize("write", ["to_csv", "to_json"])
def test_files_give_them_back(tmp_path, write):
    file = tmp_path / f"beliefs.{write[3:]}"
    getattr(pp.BeliefSet(MIXED), write)(file)
    assert pp.read_beliefs(file) == pp.BeliefSet(MIXED)


def test_a_row_without_a_probability(tmp_path):
    file = tmp_path / "beliefs.csv"
    file.write_text("x,relation,y,probability,source\na,Causes,b,,doctor\na,causes,c,0.7,doctor\n")
    said, believed = pp.read_beliefs(file)
    assert said == pp.says("doctor", "a", "causes", "b")
    assert said.origin.endswith("line 2")
    assert believed == pp.causes("a", "c", 0.7, source="doctor")
    row = {"x": "a", "relation": "causes", "y": "b", "probability": None, "source": "doctor"}
    (tmp_path / "beliefs.json").write_text(json.dumps([row]))
    assert tuple(pp.read_beliefs(tmp_path / "beliefs.json")) == (said,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("", "a", "causes", "b"), "needs a source"),
        (("s", "a", "causes", "a"), "two different variables"),
        (("s", "a", "cause", "b"), "did you mean 'causes'"),
        (("s", "a", "vector", "b"), "not a vector"),
        ((" s", "a", "causes", "b"), "blank"),
        ((3, "a", "causes", "b"), "source must be a text"),
    ],
)
def test_what_cannot_be_said(arguments, message):
    with pytest.raises(BeliefError, match=message):
        pp.says(*arguments)


def test_no_probability_and_some_strength():
    with pytest.raises(BeliefError, match="no probability"):
        pp.Statement("a", "causes", "b", (0.5,), source="s")
    with pytest.raises(BeliefError, match="strength 0"):
        pp.says("s", "a", "causes", "b", strength=0)


def test_a_prior_cannot_hold_them():
    with pytest.raises(BeliefError, match="pass it to learn or sample_posterior"):
        pp.fit_prior(MIXED, "xyz")


def test_reliability_of_each_source():
    said = split_statements(MIXED)[1]
    testimony = make_testimony(said, {"trial": [8, 2]})
    assert testimony.sources == ("survey", "trial")
    assert testimony.reliability == ((4.0, 2.0), (8.0, 2.0))


@pytest.mark.parametrize(
    ("reliability", "message"),
    [
        ({"survay": (4, 2)}, "did you mean 'survey'"),
        ({"nobody": (4, 2)}, "the sources are 'survey', 'trial'"),
        ({"trial": (4, 0)}, "two positive numbers"),
        ({"trial": (4, 2, 1)}, "two positive numbers"),
        ({"trial": "42"}, "two positive numbers"),
        ({"trial": 0.9}, "two positive numbers"),
        (0.9, "gives a source two numbers"),
    ],
)
def test_no_reliability(reliability, message):
    with pytest.raises(BeliefError, match=message):
        make_testimony(split_statements(MIXED)[1], reliability)


# -- what is said more than once -------------------------------------------------------------------


def test_what_a_source_repeats_counts_once():
    said = [
        pp.says("survey", "x", "causes", "y"),
        pp.says("survey", "y", "caused-by", "x", strength=2),
        pp.says("survey", "y", "associated", "x"),
        pp.says("survey", "x", "associated", "y"),
        pp.says("survey", "y", "causes", "x"),
        pp.says("survey", "x", "direct", "y"),
        pp.says("trial", "x", "causes", "y"),
    ]
    with pytest.warns(RepeatedStatementWarning) as warned:
        kept = count_once(said)
    assert kept == (replace(said[0], strength=2), said[2], *said[4:])
    assert [str(one.message) for one in warned] == [
        "what a source says repeatedly counts once: survey says that x causes y (2 times); survey "
        "says that y and x are associated (2 times)"
    ]


def test_lines_that_repeat_are_named(tmp_path):
    file = tmp_path / "beliefs.csv"
    row = "a,causes,b,,doctor\n"
    file.write_text("x,relation,y,probability,source\n" + row + "b,causes,c,,doctor\n" + row)
    with pytest.warns(RepeatedStatementWarning, match=r"line 2; .*line 4\)$"):
        kept = count_once(pp.read_beliefs(file))
    assert len(kept) == 2


def test_who_else_says_so():
    said = [
        pp.says("a", "x", "causes", "y"),
        pp.says("b", "y", "caused-by", "x"),
        pp.says("c", "x", "causes", "y"),
        pp.says("c", "x", "direct", "y"),
    ]
    assert count_once(said) == tuple(said)
    assert others_who_say(said) == ["b, c", "a, c", "a, b", ""]


def test_a_source_that_only_repeats_another_is_noted():
    def list_of(source, number):
        return [pp.says(source, f"v{k}", "causes", "y") for k in range(number)]

    assert len(count_once([*list_of("a", 4), *list_of("b", 4)])) == 8
    with pytest.warns(RepeatedStatementWarning, match=r"^all .*: 'b' \(5 statements\) and 'a'; if"):
        count_once([*list_of("a", 7), *list_of("b", 5)])
    with pytest.warns(RepeatedStatementWarning, match=r"as well: 'a' \(5 statements\) and 'b'; if"):
        count_once([*list_of("a", 5), *list_of("b", 5)])


def test_repeating_does_not_move_a_reliability():
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.integers(0, 2, (60, 3)), columns=list("xyz"))
    once = [pp.says("survey", "x", "causes", "y"), pp.says("survey", "y", "causes", "z")]
    told = pp.sample_posterior(data, once).sources()
    with pytest.warns(RepeatedStatementWarning):
        repeated = pp.sample_posterior(data, [*once, *[once[0]] * 6]).sources()
    pd.testing.assert_frame_equal(told, repeated)
