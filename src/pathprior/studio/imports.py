"""Beliefs from elsewhere: a belief file, or a graph that somebody has drawn."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_file import belief_from_row, belief_row, parse_beliefs
from pathprior.beliefs.belief_set import DuplicateBeliefWarning
from pathprior.beliefs.event import Event
from pathprior.errors import StudioError
from pathprior.graph.dag import Dag
from pathprior.graph.dagitty_code import read_dagitty
from pathprior.studio.file_names import cut

ARROWS = (Event.DIRECT, Event.CAUSES)
"""What an arrow of a graph may be taken to say."""

JsonObject = dict[str, Any]


def read_file(asked: Mapping[str, Any], variables: Sequence[str]) -> JsonObject:
    """The beliefs in the text of a belief file, as JSON values, and a sentence on them."""
    name = cut(Path(_text(asked, "name")).name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DuplicateBeliefWarning)  # each is taken once
        beliefs = list(dict.fromkeys(parse_beliefs(_text(asked, "text"), Path(name))))
    return _found(beliefs, [f"{_count(len(beliefs), 'belief')} in {name}"], variables)


def read_graph(asked: Mapping[str, Any], variables: Sequence[str]) -> JsonObject:
    """A belief for each arrow of DAGitty code between observed variables, likewise."""
    relation, probability = asked.get("relation"), asked.get("probability")
    if relation not in ARROWS:
        raise StudioError(f"an arrow says {' or '.join(ARROWS)}, not {relation!r}")
    graph = read_dagitty(_text(asked, "text"))
    Dag.from_edges(graph.nodes, graph.edges)  # an error where there is a cycle
    arrows = [edge for edge in graph.edges if graph.latent.isdisjoint(edge)]
    if not arrows:
        raise StudioError("there is no arrow between two observed variables in that graph")
    source = _text(asked, "source").strip()
    rest = {"relation": relation, "probability": probability, "source": source}
    beliefs = [belief_from_row({"x": x, "y": y, **rest}, f"{x} -> {y}") for x, y in arrows]
    said = [_count(len(arrows), "arrow")]
    if hidden := len(graph.edges) - len(arrows):
        said.append(f"{_count(hidden, 'arrow')} of latent variables left out")
    if graph.others:
        marks = ", ".join(f"{x} {mark} {y}" for x, mark, y in graph.others)
        said.append(f"left out, as they are no arrows: {marks}")
    return _found(beliefs, said, variables)


def _found(beliefs: Sequence[Belief], said: Sequence[str], variables: Sequence[str]) -> JsonObject:
    known = set(variables)
    unknown = dict.fromkeys(n for b in beliefs for n in (b.x, b.y) if n not in known)
    more = []
    if known and unknown:
        more = [f"not among the variables, so that beliefs on them wait: {', '.join(unknown)}"]
    return {
        "beliefs": [belief_row(belief) for belief in beliefs],
        "said": f"{'; '.join([*said, *more])}.",
    }


def _text(asked: Mapping[str, Any], name: str) -> str:
    value = asked.get(name)
    if not isinstance(value, str):
        raise StudioError(f"what is imported cannot have {name} {value!r}")
    return value


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
