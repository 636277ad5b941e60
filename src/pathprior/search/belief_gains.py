"""What the data say of the edge between the two variables of each belief: beside others, and alone.

A path may be held up by other edges, and a cause that age hides in a table of two columns may be
plain beside age. So both are told: what the edge is worth among the other parents that its child
has in the learned graph, and what it is worth by itself.
"""

from dataclasses import dataclass
from math import inf, nan
from typing import TYPE_CHECKING

from pathprior.beliefs.event import Event

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.search.learned_graph import LearnedGraph

COLUMNS = ("x", "event", "y", "parent", "child", "others", "beside", "alone", "sentence")
UNDIRECTED = (Event.ASSOCIATED, Event.NOT_ASSOCIATED, Event.CONFOUNDED)


@dataclass(frozen=True, slots=True)
class EdgeGain:
    """What one edge adds to the data score of its child.

    Attributes
    ----------
    others
        The other parents of the child in the learned graph.
    beside, alone
        Local score with the parent less that without it, among the others and by itself; NaN where
        the score rules a family out.
    """

    parent: str
    child: str
    others: tuple[str, ...]
    beside: float
    alone: float

    @property
    def sentence(self) -> str:
        """Both in words; beside nobody they are one."""
        head = f"{self.parent} → {self.child}: to the data "
        if not self.others:
            return f"{head}{self.alone:+.1f} nats."
        *first, last = self.others
        named = f"{', '.join(first)} and {last}" if first else last
        return f"{head}{self.alone:+.1f} nats alone, {self.beside:+.1f} beside {named}."


def belief_gains_table(graph: "LearnedGraph") -> "pd.DataFrame":
    """One row for each stated probability, in the order of `PathPrior.table`."""
    import pandas as pd

    stated = graph.problem.prior.table
    rows = []
    for x, event, y in zip(stated["x"], stated["event"], stated["y"], strict=True):
        gain = _gain(graph, *_edge(graph, str(x), Event.parse(str(event)), str(y)))
        rows.append(
            (x, event, y, gain.parent, gain.child, gain.others, gain.beside, gain.alone,
             gain.sentence)
        )  # fmt: skip
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _edge(graph: "LearnedGraph", x: str, event: Event, y: str) -> tuple[str, str]:
    """The direction that the event names, else that of the learned edge, else from x to y."""
    is_turned = event is Event.CAUSED_BY or (event in UNDIRECTED and y in graph.dag.parents(x))
    return (y, x) if is_turned else (x, y)


def _gain(graph: "LearnedGraph", parent: str, child: str) -> EdgeGain:
    scorer, place = graph.problem.scorer, graph.problem.rules.variables.index
    others = tuple(name for name in graph.dag.parents(child) if name != parent)
    gains = []
    for rest in (others, ()):
        members = [place(name) for name in rest]
        without = scorer.local(place(child), sorted(members))
        with_it = scorer.local(place(child), sorted([*members, place(parent)]))
        gains.append(with_it - without if -inf not in (with_it, without) else nan)
    return EdgeGain(parent, child, others, *gains)
