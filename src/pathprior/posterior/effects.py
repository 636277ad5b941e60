"""Effects over graphs of a posterior and tables that are drawn for each."""

from collections.abc import Sequence

from pathprior.data.dataset import Dataset
from pathprior.network.effect import Effect, check_draws, draw_effect
from pathprior.network.parameters import TableDraws
from pathprior.posterior.answers import spread
from pathprior.posterior.draws import Draws


def effect_over(
    draws: Draws,
    datasets: Sequence[Dataset],
    x: str,
    y: str,
    *,
    size: float,
    num_draws: int,
    seed: int,
) -> Effect:
    """Draw P(y | do(x)) with graphs spread evenly over the draws.

    ``datasets`` are those of each chain, with the same columns, or one for all; ``size`` is how
    many rows the prior on the tables is worth.
    """
    tables = [TableDraws(dataset, size) for dataset in datasets]
    places = spread(draws.weights, check_draws(num_draws)).tolist()
    graphs = [draws.dag(place, datasets[0].variables) for place in places]
    chains = [place // draws.num_draws for place in places]
    return draw_effect(graphs, [tables[k % len(tables)] for k in chains], x, y, seed)
