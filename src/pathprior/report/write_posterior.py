"""The files of a posterior: pictures, tables, the graphs themselves, and how they were made."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.errors import ReportError
from pathprior.files import saving
from pathprior.posterior.errors_table import EDGE, PATH
from pathprior.posterior.posterior import Posterior
from pathprior.report.axes import belief_size
from pathprior.report.picture_file import new_figure, save_figure
from pathprior.report.posterior_plots import map_size, plot_beliefs, plot_paths
from pathprior.search.record import RunInputs, keep_inputs
from pathprior.versions import versions

if TYPE_CHECKING:
    import pandas as pd

FORMAT = "pathprior.posterior-run"
VERSION = 1


class PosteriorFiles(NamedTuple):
    """Where a posterior was written."""

    path_map: Path
    belief_plot: Path | None
    beliefs: Path | None
    edges: Path
    paths: Path
    posterior: Path
    summary: Path


def write_posterior(
    posterior: Posterior, folder: Path, *, inputs: RunInputs, settings: Mapping[str, Any]
) -> PosteriorFiles:
    """Write pictures, tables, graphs and summary; where one cannot be written, none changes.

    All are written beside their places first and renamed at the end, the summary last.

    Parameters
    ----------
    inputs
        The files that the run read.
    settings
        The options of `sample_posterior` as they were given.
    """
    has_beliefs = len(posterior.prior.beliefs) > 0
    files = PosteriorFiles(
        path_map=folder / "paths.png",
        belief_plot=folder / "beliefs.png" if has_beliefs else None,
        beliefs=folder / "beliefs.csv" if has_beliefs else None,
        edges=folder / "edges.csv",
        paths=folder / "paths.csv",
        posterior=folder / "posterior.npz",
        summary=folder / "summary.json",
    )
    with ExitStack() as stack:

        def place(path: Path) -> Path:
            return stack.enter_context(saving(path, ReportError))

        # the stack renames in the opposite order: the first to enter is the last to appear
        summary = place(files.summary)
        posterior.save(place(files.posterior))
        edge_table(posterior).to_csv(place(files.edges), index=False)
        path_table(posterior).to_csv(place(files.paths), index=False)
        figure = new_figure(map_size(posterior.variables))
        plot_paths(posterior, figure.subplots())
        save_figure(figure, place(files.path_map))
        if files.beliefs is not None and files.belief_plot is not None:
            beliefs = posterior.beliefs()
            beliefs.to_csv(place(files.beliefs), index=False)
            figure = new_figure(belief_size(beliefs))
            plot_beliefs(posterior, figure.subplots())
            save_figure(figure, place(files.belief_plot))
        content = {
            "format": FORMAT,
            "version": VERSION,
            "stopped_because": str(posterior.stopped_because),
            "num_variables": len(posterior.variables),
            "num_chains": posterior.draws.num_chains,
            "num_draws": posterior.draws.num_draws,
            "best_score": posterior.best_score,
            "inputs": keep_inputs(inputs, folder),
            "settings": dict(settings),
            "repair": inputs.repair,
            "versions": versions(),
        }
        summary.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return files


def edge_table(posterior: Posterior) -> "pd.DataFrame":
    """Every directed edge with its probability and what that is worth; the most probable first.

    ``either_way`` is the probability that there is an edge between the two at all.
    """
    errors = posterior.errors
    table = errors[errors["kind"] == EDGE].rename(columns={"x": "parent", "y": "child"})
    place = {name: k for k, name in enumerate(posterior.variables)}
    parents, children = (table[end].map(place).to_numpy(np.int64) for end in ("parent", "child"))
    table["either_way"] = posterior.adjacencies.to_numpy()[parents, children]
    columns = ["parent", "child", "either_way", "probability"]
    columns += ["error", "r_hat", "effective_samples"]
    return table[columns].sort_values("probability", ascending=False, kind="stable")


def path_table(posterior: Posterior) -> "pd.DataFrame":
    """`Posterior.paths`, and of the four errors of each pair the largest."""
    errors = posterior.errors
    by_pair = errors.loc[errors["kind"] == PATH, "error"].to_numpy()
    largest = by_pair.reshape(-1, len(RELATION_EVENTS)).max(axis=1)
    return posterior.paths.assign(error=largest)
