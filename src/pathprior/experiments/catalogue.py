"""All experiments by name, in the paper's order."""

from pathprior.experiments.experiment import Experiment
from pathprior.experiments.figure1 import FIGURE1
from pathprior.experiments.figure2 import FIGURE2
from pathprior.experiments.grid import GRID
from pathprior.experiments.misleading import MISLEADING
from pathprior.experiments.networks import NETWORKS_EXPERIMENT
from pathprior.experiments.table1 import TABLE1

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (TABLE1, MISLEADING, FIGURE1, FIGURE2, NETWORKS_EXPERIMENT, GRID)
}
