"""`baseline`: how probable each relation of two variables is before anything is believed."""

from dataclasses import dataclass

import numpy as np

from pathprior.counting.base import check_edge_odds, expected_edges
from pathprior.counting.configurations import count_configurations
from pathprior.counting.expected_parents import AUTO, ExpectedParents, make_base
from pathprior.counting.ties import edge_probability
from pathprior.errors import CountingError


@dataclass(frozen=True, slots=True)
class Baseline:
    """Probabilities of the four relations of (x, y), and of its edge, under the base measure.

    Attributes
    ----------
    num_variables
        Number of variables, n.
    edge_odds
        What each edge multiplies the weight of a DAG by; 1 for uniform DAGs.
    expected_parents
        Mean number of parents of a variable.
    causes, caused_by
        x ⇒ y and x ⇐ y: a directed path.
    confounded
        x ⇔ y: no directed path, but a common ancestor.
    unrelated
        x ⇎ y: neither.
    direct
        x → y: an edge, one of the ways to have x ⇒ y.
    """

    num_variables: int
    edge_odds: float
    expected_parents: float
    causes: float
    caused_by: float
    confounded: float
    unrelated: float
    direct: float

    @property
    def associated(self) -> float:
        """Probability that x and y are associated: of all relations but ⇎."""
        return self.causes + self.caused_by + self.confounded

    def __str__(self) -> str:
        rows = (
            ("x ⇒ y", "x causes y", self.causes),
            ("x ⇐ y", "y causes x", self.caused_by),
            ("x ⇔ y", "only a common cause", self.confounded),
            ("x ⇎ y", "not associated", self.unrelated),
            ("x → y", "x directly causes y", self.direct),
        )
        lines = [
            f"two of {self.num_variables} variables, expected parents: "
            f"{self.expected_parents:.4g} (edge odds {self.edge_odds:.4g})"
        ]
        lines += [f"  {symbol}  {words:<19}  {value:.9f}" for symbol, words, value in rows]
        return "\n".join(lines)


def baseline(
    num_variables: int,
    *,
    expected_parents: ExpectedParents = AUTO,
    edge_odds: float | None = None,
) -> Baseline:
    """Show what the base measure says about two variables before anything is believed.

    A belief is measured against it: one less probable than here counts against what it says.

    Parameters
    ----------
    num_variables
        Number of variables, at least 2.
    expected_parents
        How many parents a variable has on average. ``"auto"`` is 1, or all DAGs alike where that
        has fewer (up to 4 variables); None is all DAGs alike.
    edge_odds
        What each edge multiplies the weight of a DAG by, instead of ``expected_parents``.

    Returns
    -------
    Baseline
        The probabilities of ⇒, ⇐, ⇔ and ⇎, and of the edge →; ``print`` shows them.

    Raises
    ------
    CountingError
        For numbers that make no sense or are out of reach.

    Examples
    --------
    >>> print(baseline(37, edge_odds=0.1))
    two of 37 variables, expected parents: 2.249 (edge odds 0.1)
      x ⇒ y  x causes y           0.312845775
      x ⇐ y  y causes x           0.312845775
      x ⇔ y  only a common cause  0.237511412
      x ⇎ y  not associated       0.136797037
      x → y  x directly causes y  0.062468566
    """
    if expected_parents != AUTO and edge_odds is not None:
        raise CountingError("expected_parents and edge_odds say the same; give one of them")
    is_whole = isinstance(num_variables, int | np.integer) and not isinstance(num_variables, bool)
    if not is_whole or num_variables < 2:
        raise CountingError(f"num_variables is {num_variables!r}; give a whole number, 2 or more")
    if edge_odds is None:
        odds = make_base(expected_parents, int(num_variables)).edge_odds
    else:
        odds = check_edge_odds(edge_odds)
    counted = count_configurations([("x", "y")], num_variables, method="exact", edge_odds=odds)
    by_relation = [0.0] * 4  # two variables have no common cause
    for (code,), probability in zip(
        counted.configurations.tolist(), counted.probabilities.tolist(), strict=True
    ):
        by_relation[code] = probability
    parents = expected_edges(num_variables, odds) / num_variables
    causes, caused_by, confounded, unrelated = by_relation
    return Baseline(
        int(num_variables),
        odds,
        parents,
        causes,
        caused_by,
        confounded,
        unrelated,
        edge_probability(num_variables, odds),
    )
