from importlib.resources import files

import numpy as np
import pytest

from pathprior.beliefs.belief_file import read_beliefs
from pathprior.data.door import read_dataset
from pathprior.errors import NetworkError
from pathprior.network.bundled import NETWORK_NAMES, load_network
from pathprior.network.mixed import MixedNetwork
from pathprior.prior.fit import fit_prior

SIZES = {
    "alarm": (37, 46, 509),
    "asia": (8, 8, 18),
    "checkup": (12, 21, 53),
    "child": (20, 25, 230),
    "hepar2": (70, 123, 1453),
    "insurance": (27, 52, 1008),
    "win95pts": (76, 112, 574),
}


@pytest.mark.parametrize("name", NETWORK_NAMES)
def test_published_sizes(name):
    network = load_network(name)
    assert (len(network.dag.nodes), len(network.dag.edges), network.num_parameters) == SIZES[name]


def test_published_numbers():
    alarm = load_network("alarm")
    hr = alarm.tables[alarm.dag.index("HR")]
    assert alarm.dag.parents("HR") == ("CATECHOL",)
    assert hr.tolist() == [[0.05, 0.9, 0.05], [0.01, 0.09, 0.9]]
    asia = load_network("asia")
    assert asia.dag.parents("dysp") == ("bronc", "either")
    assert asia.tables[asia.dag.index("dysp")][0, 1].tolist() == [0.8, 0.2]


@pytest.mark.parametrize("name", [name for name in NETWORK_NAMES if name != "checkup"])
def test_samples_survive_a_csv_file(tmp_path, name):
    frame = load_network(name).sample(300)
    frame = frame.loc[:, frame.nunique() > 1]
    path = tmp_path / "sample.csv"
    frame.to_csv(path, index=False)
    table = read_dataset(path).discrete()
    for v, node in enumerate(frame):
        assert np.array(table.states[v])[table.codes[v]].tolist() == frame[node].tolist()


def test_unknown_names_get_a_suggestion():
    with pytest.raises(NetworkError, match="'Alarn'; did you mean 'alarm'"):
        load_network("Alarn")
    with pytest.raises(NetworkError, match="there are alarm, asia, checkup"):
        load_network("zzz")


def test_checkup_survives_a_csv_file(tmp_path):
    network = load_network("checkup")
    assert isinstance(network, MixedNetwork)
    frame = network.sample(300)
    frame.to_csv(tmp_path / "sample.csv", index=False)
    dataset = read_dataset(tmp_path / "sample.csv")
    assert dataset.reals.variables == tuple(n for n in network.variables if not network.states[n])
    assert network.log_likelihood(tmp_path / "sample.csv") == network.log_likelihood(frame)
    assert (frame.select_dtypes("number") > 0).all(axis=None)


def test_beliefs_on_checkup_agree_with_it():
    network = load_network("checkup")
    beliefs = read_beliefs(files("pathprior.beliefs") / "data" / "checkup.csv")
    prior = fit_prior(beliefs, network.variables)
    assert prior.is_coherent
    for belief in beliefs:
        assert belief.relation == "causes"
        assert network.dag.relation(belief.x, belief.y).name == "CAUSES"
