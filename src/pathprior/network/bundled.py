"""The example networks that come with the package (see ``data/README.md`` for their sources)."""

from difflib import get_close_matches
from pathlib import Path

from pathprior.errors import NetworkError
from pathprior.network.bif import read_bif
from pathprior.network.network import BayesianNetwork

NETWORK_NAMES = ("alarm", "asia", "child", "hepar2", "insurance", "win95pts")

_FOLDER = Path(__file__).parent / "data"


def load_network(name: str) -> BayesianNetwork:
    """Load a bundled network: alarm, asia, child, hepar2, insurance or win95pts.

    Examples
    --------
    >>> load_network("alarm")
    BayesianNetwork(37 nodes, 46 edges, 509 parameters)
    """
    if name not in NETWORK_NAMES:
        near = get_close_matches(str(name).lower(), NETWORK_NAMES, n=1)
        hint = f"did you mean {near[0]!r}? There" if near else "there"
        raise NetworkError(
            f"no bundled network {name!r}; {hint} are {', '.join(NETWORK_NAMES)}; "
            f"read_bif reads others from files"
        )
    return read_bif(_FOLDER / f"{name}.bif.gz")
