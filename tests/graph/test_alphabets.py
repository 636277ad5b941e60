"""Alphabets: what is told apart of pairs, of some of them, and where they are moved to."""

from hypothesis import given
from hypothesis import strategies as st

from pathprior.beliefs.event import Event
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets
from pathprior.graph.tie import Tie, told_apart

positions = st.sets(st.integers(0, 9)).map(lambda kept: tuple(sorted(kept)))


def test_only_beliefs_in_edges_tell_them_from_paths() -> None:
    spoken = [(0, Event.CAUSES.told), (2, Event.DIRECT.told), (1, Event.NOT_DIRECT.told)]
    assert Alphabets.of(spoken) == Alphabets(edges=(1, 2))
    assert not Alphabets.of(
        [(k, event.told) for k, event in enumerate((Event.CAUSES, Event.CONFOUNDED))]
    )
    assert told_apart({Tie.EDGE}) == {Tie.EDGE}
    assert told_apart({Tie.CAUSES, Tie.EDGE}) == frozenset()


@given(positions, st.permutations(range(10)), st.integers(0, 10))
def test_of_some_pairs_by_their_places(edges: tuple[int, ...], order: list[int], size: int) -> None:
    columns = order[:size]
    some = Alphabets(edges).at(columns)
    assert [k in some.edges for k in range(size)] == [column in edges for column in columns]
    assert some.moved(columns).edges == tuple(sorted(set(edges) & set(columns)))


@given(positions, positions)
def test_what_either_tells_apart(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    both = Alphabets(one) | Alphabets(other)
    assert set(both.edges) == {*one, *other}
    assert both == Alphabets(other) | Alphabets(one)
    assert (Alphabets(one) | RELATIONS_ALONE) == Alphabets(one)
    assert bool(Alphabets(one)) == bool(one)
    assert Alphabets(one).as_list() == list(one)
