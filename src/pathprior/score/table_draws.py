"""Tables drawn for effects, by the posterior distribution of the score that is asked for."""

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.graph.dag import Dag
from pathprior.network.form_draws import DrawForm
from pathprior.network.mixed_effect import MixedDraws
from pathprior.network.parameters import Family, TableDraws
from pathprior.score.curves import Additive
from pathprior.score.families import Families
from pathprior.score.family_tables import CountedFamily, count_family
from pathprior.score.ranks import LINEAR

BDEU, FAMILIES = "bdeu", "families"
CURVES = {"ranks": LINEAR, "additive": Additive(), "additive-ranks": Additive(ranks=True)}
TABLES = (BDEU, FAMILIES, *CURVES)
"""Scores by whose posterior distribution tables, or curves, are drawn."""


class FamilyDraws(TableDraws):
    """Draws of P(child | parents) by the parts of the score of families, each by its share."""

    def __init__(self, data: Dataset, equivalent_sample_size: float) -> None:
        super().__init__(data, equivalent_sample_size)
        scorer = Families(equivalent_sample_size).bind(data)
        self._strata, self._kernel = scorer.strata, scorer.kernel()
        self._families: dict[Family, CountedFamily] = {}

    def _draw(self, dag: Dag, v: int, generator: np.random.Generator) -> NDArray[np.float64]:
        parents = tuple(np.flatnonzero(dag.adjacency[:, v]).tolist())
        family = (*parents, v)
        if family not in self._families:
            left_alone = int(self._strata.which[self._strata.first[v]])
            self._families[family] = count_family(self._kernel, v, parents, left_alone)
        counted = self._families[family]
        return counted.in_order(counted.draw(generator), parents)


def table_draws(tables: str, data: Dataset, prior_rows: float) -> TableDraws:
    """What draws tables from ``data`` by the score that ``tables`` names."""
    return (FamilyDraws if tables == FAMILIES else TableDraws)(data, prior_rows)


class CurveDraws(MixedDraws):
    """Draws of curves and noise by an additive score, and of what follows for effects."""

    are_linear = False
    shares = tuple(np.linspace(0.05, 0.95, 10).tolist())

    def __init__(self, data: Dataset, prior_rows: float, score: Additive) -> None:
        super().__init__(data, prior_rows)
        self._drawer = score.bind(data).drawer_of()

    def make_form(self, family: Family) -> DrawForm:
        """By the rows where the child was not set."""
        return self._drawer(family[-1], family[:-1])


def curve_draws(tables: str, data: Dataset, prior_rows: float) -> MixedDraws | None:
    """What draws curves by the score that ``tables`` names, if that has some."""
    return CurveDraws(data, prior_rows, CURVES[tables]) if tables in CURVES else None
