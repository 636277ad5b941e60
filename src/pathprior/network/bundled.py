"""The example networks that come with the package (see ``data/README.md`` for their sources)."""

from pathlib import Path
from typing import Literal, overload

from pathprior.errors import NetworkError
from pathprior.nearest import nearest, suggestion
from pathprior.network.mixed import MixedNetwork
from pathprior.network.model import Network
from pathprior.network.network import BayesianNetwork
from pathprior.network.network_file import read_network

_FILES = {
    "alarm": "alarm.bif.gz",
    "asia": "asia.bif.gz",
    "checkup": "checkup.json",
    "child": "child.bif.gz",
    "hepar2": "hepar2.bif.gz",
    "insurance": "insurance.bif.gz",
    "win95pts": "win95pts.bif.gz",
}
NETWORK_NAMES = tuple(_FILES)

_FOLDER = Path(__file__).parent / "data"


@overload
def load_network(name: Literal["checkup"]) -> MixedNetwork: ...  # type: ignore[overload-overlap]
@overload
def load_network(name: str) -> BayesianNetwork: ...
def load_network(name: str) -> Network:
    """Load a bundled network: alarm, asia, checkup, child, hepar2, insurance or win95pts.

    All are discrete but for checkup, which is made up: what a doctor measures and asks at a health
    check, seven columns real and five discrete.

    Examples
    --------
    >>> load_network("alarm")
    BayesianNetwork(37 nodes, 46 edges, 509 parameters)
    >>> load_network("checkup")
    MixedNetwork(12 nodes, 21 edges, 53 parameters)
    """
    if name not in NETWORK_NAMES:
        is_near = nearest(name, NETWORK_NAMES)
        hint = f"{suggestion('network', [name], NETWORK_NAMES)} There" if is_near else "there"
        raise NetworkError(
            f"no bundled network {name!r}; {hint} are {', '.join(NETWORK_NAMES)}; "
            f"read_network reads others from files"
        )
    return read_network(_FOLDER / _FILES[name])
