"""What is offered for a name that is not known."""

import pytest

import pathprior as pp
from pathprior.errors import GraphError
from pathprior.nearest import nearest, suggestion, unknown_message

KNOWN = ("blood pressure", "blood_pressure_2", "age", "smoker", "smokes", "café", "x1", "x10", "+")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Blood-Pressure", ("blood pressure", "blood_pressure_2")),
        (" BLOOD_PRESSURE ", ("blood pressure", "blood_pressure_2")),
        ("smoke", ("smoker", "smokes")),
        ("AGE", ("age",)),
        ("cafe", ("café",)),
        ("X 1", ("x1",)),
        ("+", ("+",)),
        ("nothing like it", ()),
        ("", ()),
        (3, ()),
    ],
)
def test_case_blanks_and_punctuation_do_not_matter_and_all_near_ones_are_offered(name, near):
    assert sorted(nearest(name, KNOWN)) == sorted(near)


def test_the_nearest_comes_first():
    assert nearest("lung cancr", ["lung cancers", "lung_cancer"])[0] == "lung_cancer"


def test_names_that_differ_by_case_alone_are_all_offered():
    assert nearest("Dose", ["dose", "DOSE", "age"]) == ("dose", "DOSE")


def test_messages():
    known = ["age", "sex"]
    assert suggestion("column", ["Age"], known) == "did you mean 'age'?"
    assert suggestion("column", ["weight"], known) == "the columns are 'age', 'sex'"
    assert unknown_message("column", ["Age", "Age", "kg"], known) == (
        "unknown columns 'Age', 'kg'; did you mean 'age' for 'Age'? The columns are 'age', 'sex'"
    )
    many = unknown_message("column", map(str, range(30)), [f"column {k}" for k in range(99)])
    assert "'9' and 20 more; " in many
    assert many.endswith("'column 9', …")


def test_all_unknown_nodes_are_named_at_once():
    with pytest.raises(GraphError, match="unknown nodes 'A', 'q'; did you mean 'a' for 'A'"):
        pp.Dag.from_edges("ab", [("A", "b"), ("q", "b")])
