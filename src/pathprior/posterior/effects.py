"""What setting one variable does to others, over the graphs of a posterior."""

from collections.abc import Callable, Sequence
from functools import partial

from pathprior.data.dataset import Dataset
from pathprior.network.draw_summary import check_draws
from pathprior.network.effect import AnyEffect, effect_drawer
from pathprior.posterior.answers import spread
from pathprior.posterior.draws import Draws
from pathprior.score.table_draws import curve_draws, table_draws

AskEffect = Callable[[str, str, int], AnyEffect]
"""Of x on y, with a seed."""


def prepare_effects(
    draws: Draws,
    variables: tuple[str, ...],
    datasets: Sequence[Dataset],
    *,
    prior_rows: float,
    tables: str,
    num_draws: int,
) -> AskEffect:
    """Make the graphs that effects are drawn from; what is counted for one serves the next.

    ``datasets`` are those of each chain, or one for all; ``prior_rows`` is how many rows the prior
    on the parameters is worth, ``tables`` the score by which tables are drawn.
    """
    places = spread(draws.weights, check_draws(num_draws)).tolist()
    graphs = [draws.dag(place, variables) for place in places]
    sources = [place // draws.num_draws % len(datasets) for place in places]
    make, bent = partial(table_draws, tables), partial(curve_draws, tables)
    draw = effect_drawer(
        [data.select(variables) for data in datasets], sources, prior_rows, make, bent
    )
    return lambda x, y, seed: draw(graphs, x, y, seed)
