"""Chains as ArviZ takes them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from pathprior.beliefs.event import Event
from pathprior.errors import PosteriorError
from pathprior.graph.relation import Relation
from pathprior.posterior.indicators import all_pairs, relation_codes, tie_codes

if TYPE_CHECKING:
    from pathprior.posterior.weighed import WeighedGraphs


def to_arviz(posterior: "WeighedGraphs") -> Any:
    """Edges, paths, believed events and scores, by chain and draw."""
    if posterior.is_exact:
        raise PosteriorError(
            "every graph was weighed, so there are no chains to look at: .edges and .paths are "
            "exact; sample with method='chains' to have some"
        )
    try:
        import arviz
    except ImportError as error:
        raise PosteriorError("this needs ArviZ: pip install 'pathprior[arviz]'") from error
    draws, names = posterior.draws, list(posterior.variables)
    place = np.array([draws.variables.index(name) for name in names], dtype=np.int64)
    edge = np.stack([draws.edges_into(int(v))[..., place] for v in place], axis=-1)
    variables: dict[str, Any] = {"edge": edge, "path": _paths(posterior, place)}
    coords: dict[str, Any] = dict.fromkeys(("parent", "child", "cause", "effect"), names)
    dims = {"edge": ["parent", "child"], "path": ["cause", "effect"]}
    table = posterior.prior.table
    if len(table):
        rows = list(zip(table["x"], table["event"], table["y"], strict=True))
        variables["belief"] = np.stack([_holds(posterior, *row) for row in rows], axis=-1)
        coords["event"] = [Event.parse(event).phrase(x, y) for x, event, y in rows]
        dims["belief"] = ["event"]
    groups = {"posterior": variables, "sample_stats": {"lp": draws.scores}}
    # the first release with another container takes the groups as one dict
    if int(arviz.__version__.split(".")[0]) >= 1:
        return arviz.from_dict(groups, coords=coords, dims=dims)
    return arviz.from_dict(**groups, coords=coords, dims=dims)


def _paths(posterior: "WeighedGraphs", place: np.ndarray) -> np.ndarray:
    """Whether there is a path from one variable to another, by chain, draw, cause and effect."""
    draws, size = posterior.draws, len(place)
    found = np.zeros((draws.num_chains, draws.num_draws, size, size), dtype=bool)
    pairs = all_pairs(size)
    first = 0
    for codes in relation_codes(draws, place[pairs]):
        x, y = pairs[first : first + codes.shape[2]].T
        found[:, :, x, y] = codes == Relation.CAUSES
        found[:, :, y, x] = codes == Relation.CAUSED_BY
        first += codes.shape[2]
    return found


def _holds(posterior: "WeighedGraphs", x: str, event: str, y: str) -> np.ndarray:
    names = posterior.draws.variables
    codes = tie_codes(posterior.draws, names.index(x), names.index(y))
    return np.isin(codes[..., 0], sorted(Event.parse(event).ties))
