"""Which part of their score carries the families of a graph."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pathprior.errors import SearchError
from pathprior.score.families import FamiliesScorer, FamilyParts

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.search.learned_graph import LearnedGraph

COLUMNS = ("child", "parents", "part", "additive", "table", "rows", "sentence")


def has_parts(graph: "LearnedGraph") -> bool:
    """Whether the score tells parts of a family apart."""
    return isinstance(graph.problem.scorer, FamiliesScorer)


def scorer_of_parts(graph: "LearnedGraph") -> FamiliesScorer:
    """The score of families on the data that the graph was learned from.

    Raises
    ------
    SearchError
        If it was learned by another score.
    """
    scorer = graph.problem.scorer
    if not isinstance(scorer, FamiliesScorer):
        raise SearchError(
            "only score='families' weighs additive effects against full tables: learn with it"
        )
    return scorer


def families_table(graph: "LearnedGraph") -> "pd.DataFrame":
    """One row for each variable with parents, in the order of the graph's nodes."""
    import pandas as pd

    scorer, place = scorer_of_parts(graph), graph.problem.rules.variables.index
    rows = []
    for child in graph.dag.nodes:
        parents = graph.dag.parents(child)
        if parents:
            found = scorer.parts(place(child), [place(name) for name in parents])
            shares = found.shares
            told = sentence(child, parents, found)
            named = (shares[name] for name in ("additive", "table", "rows"))
            rows.append((child, tuple(parents), found.part, *named, told))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def sentence(child: str, parents: tuple[str, ...], found: FamilyParts) -> str:
    """Say how the parents act, and how sure that is."""
    if len(parents) == 1:
        return f"{child} has its own probabilities for each state of {parents[0]}."
    named = f"{', '.join(parents[:-1])} and {parents[-1]}"
    if not found.has_additive:
        return f"{named} have too many states to tell whether they add up: a full table."
    share = found.shares["additive"]
    sure = f"probability {max(share, 1 - share):.2f}"
    if found.part == "additive":
        return f"{named} each move the odds of {child} by themselves ({sure})."
    return f"What {named} do to {child} depends on each other: a full table ({sure})."


@dataclass(frozen=True, slots=True)
class Together:
    """How several parents of one variable act together."""

    child: str
    is_additive: bool
    additive: float
    sentence: str


def together(graph: "LearnedGraph") -> tuple[Together, ...]:
    """Of each variable with several parents; none where the score does not say."""
    if not has_parts(graph):
        return ()
    return tuple(
        Together(row["child"], row["part"] == "additive", row["additive"], row["sentence"])
        for row in families_table(graph).to_dict("records")
        if len(row["parents"]) > 1
    )


def families_line(graph: "LearnedGraph") -> str:
    """Of how many variables with several parents the effects add up, in a sentence."""
    several = together(graph)
    if not several:
        return "No variable has several parents, whose effects could add up."
    num_additive = sum(one.is_additive for one in several)
    return (
        f"Variables with several parents: {len(several)}. In {num_additive} the parents' effects "
        f"add up, in {len(several) - num_additive} they depend on each other."
    )
