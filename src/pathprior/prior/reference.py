"""The reference measure U of a prior: which pairs are listed together, and how they are counted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.configurations import count_configurations
from pathprior.counting.progress import Progress, silent
from pathprior.counting.result import ConfigurationCounts
from pathprior.prior.listing import Listing


@dataclass(frozen=True, slots=True)
class CountSettings:
    """How the uninformative probabilities are obtained; options of `count_configurations`."""

    method: str = "auto"
    num_samples: int = 10**6
    laplace: float = 1e-3
    seed: int = 0
    placements: int = 8


def list_parts(
    pairs: NDArray[np.int64],
    num_nodes: int,
    settings: CountSettings,
    *,
    progress: Progress = silent,
) -> tuple[Listing, ...]:
    """List the configurations of all pairs together, or of each connected component on its own.

    Together where their joint U is counted exactly (or sampled jointly on request, ``"full"``).
    Otherwise U = Π U_component (FACT, paper §5.1), an approximation for more than one component.
    """
    if len(pairs) == 0:
        return ()
    asked = [(int(i), int(j)) for i, j in pairs]
    counted = count_configurations(
        asked,
        num_nodes,
        method=settings.method,
        num_samples=settings.num_samples,
        laplace=settings.laplace,
        placements=settings.placements,
        seed=settings.seed,
        progress=progress,
    )
    is_joint = counted.is_exact or settings.method == "full"
    parts = (counted,) if is_joint else counted.components
    return tuple(
        _listing(part, tuple(asked.index(pair) for pair in part.pairs))  # type: ignore[arg-type]
        for part in parts
    )


def pair_probabilities(num_nodes: int) -> NDArray[np.float64]:
    """Uninformative probability of each relation of a single pair, by relation code."""
    counted = count_configurations([(0, 1)], num_nodes)
    probabilities = np.zeros(4)
    probabilities[counted.configurations[:, 0]] = counted.probabilities
    return probabilities


def _listing(counted: ConfigurationCounts, columns: tuple[int, ...]) -> Listing:
    # Without Laplace's correction a sample can leave valid configurations at zero.
    occurs = counted.probabilities > 0
    everything = bool(occurs.all())
    return Listing(
        columns=columns,
        configurations=counted.configurations if everything else counted.configurations[occurs],
        probabilities=counted.probabilities if everything else counted.probabilities[occurs],
        num_samples=counted.num_samples,
        is_complete=counted.is_complete,
    )
