"""DAGitty code is read as its own programs write it."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathprior as pp
from pathprior.errors import GraphError
from pathprior.graph.dagitty_code import read_dagitty
from tests.strategies import dags


@given(dags())
def test_what_was_written_is_read_again(dag):
    read = read_dagitty(dag.to_dagitty())
    assert read.nodes == dag.nodes
    assert set(read.edges) == set(dag.edges)
    assert read.others == ()
    assert read.latent == frozenset()


@given(st.lists(st.text('ab" ;{}->[]=,#/é\n', min_size=1, max_size=6), min_size=2, unique=True))
def test_any_name_is_read_again(names):
    dag = pp.Dag.from_edges(names, [(names[0], names[1])])
    read = read_dagitty(dag.to_dagitty())
    assert read.nodes == dag.nodes
    assert read.edges == dag.edges


def test_all_that_dagitty_writes_is_understood():
    read = read_dagitty(
        """dag {
        bb="-2.2,-2,2.3,2"
        // drawn on dagitty.net
        "Body mass" [exposure,pos="-1.2,0.1"]
        D [outcome] /* the
        outcome */
        U [latent, pos="0,0"]
        U -> {"Body mass" D}
        A -> "Body mass" -> D [beta=-.3]
        D <- A ; A <-> D
        # as R has them
        {x1 x2} -> é.1; x1 -- x2
        A -> D
        }"""
    )
    assert read.nodes == ("Body mass", "D", "U", "A", "x1", "x2", "é.1")
    assert read.latent == {"U"}
    assert set(read.edges) == {
        ("U", "Body mass"),
        ("U", "D"),
        ("A", "Body mass"),
        ("Body mass", "D"),
        ("A", "D"),
        ("x1", "é.1"),
        ("x2", "é.1"),
    }
    assert read.others == (("A", "<->", "D"), ("x1", "--", "x2"))


@pytest.mark.parametrize("head", ["dag{", "DAG {", "strict dag {", 'dag "my graph" {', "pdag {"])
def test_heads_of_all_kinds_are_taken(head):
    assert read_dagitty(f"{head} a -> b }}").edges == (("a", "b"),)


@given(st.text('dagb "{}[]->=,;\n', max_size=30).map("dag {".__add__))
def test_anything_else_is_an_error_of_ours(text):
    with suppress(GraphError):
        read_dagitty(text)
