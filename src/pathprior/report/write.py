"""The files of a learned network: everything a run found, in formats others read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathprior.files import replacing
from pathprior.network.bif import write_bif
from pathprior.report.dot import fit_dot
from pathprior.report.plots import plot_fit
from pathprior.report.support import edge_support
from pathprior.report.versions import versions
from pathprior.search.result import Fit

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """Where a learned network was written."""

    network: Path
    dot: Path
    picture: Path
    edges: Path
    beliefs: Path | None
    summary: Path


def write_fit(fit: Fit, folder: Path, settings: Mapping[str, Any]) -> WrittenFiles:
    """Write network, pictures, tables and summary; each file appears whole or not at all.

    Parameters
    ----------
    settings
        What the run was asked to do; goes into the summary, so that it can be repeated.
    """
    held = fit.beliefs_held() if fit.prior is not None else None
    files = WrittenFiles(
        network=folder / "network.bif",
        dot=folder / "network.dot",
        picture=folder / "network.png",
        edges=folder / "edges.csv",
        beliefs=None if held is None else folder / "beliefs.csv",
        summary=folder / "summary.json",
    )
    write_bif(fit.network(), files.network)
    with replacing(files.dot) as path:
        path.write_text(fit_dot(fit), encoding="utf-8")
    with replacing(files.picture) as path:
        _save_picture(fit, path)
    with replacing(files.edges) as path:
        edge_table(fit).to_csv(path, index=False)
    if held is not None and files.beliefs is not None:
        with replacing(files.beliefs) as path:
            held.to_csv(path, index=False)
    with replacing(files.summary) as path:
        path.write_text(json.dumps(summary(fit, settings), indent=2) + "\n", encoding="utf-8")
    return files


def edge_table(fit: Fit) -> "pd.DataFrame":
    """Each edge, what the graph would lose without it, and whether its direction is fixed."""
    import pandas as pd

    return pd.DataFrame(
        [
            (e.parent, e.child, str(e.support), e.data_loss, e.prior_loss, e.is_direction_fixed)
            for e in edge_support(fit)
        ],
        columns=["parent", "child", "support", "data_loss", "prior_loss", "is_direction_fixed"],
    )


def summary(fit: Fit, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Scores, settings, seed and versions: what it takes to repeat and to judge a run."""
    return {
        "score": fit.score,
        "data_score": fit.data_score,
        "prior_score": fit.prior_score,
        "num_edges": fit.dag.num_edges,
        "num_steps": len(fit.steps),
        "stopped_because": str(fit.stopped_because),
        "num_truncated_swaps": fit.num_truncated_swaps,
        "settings": dict(settings),
        "versions": versions(),
    }


def _save_picture(fit: Fit, path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # a figure of its own, so that nothing depends on the caller's matplotlib backend
    figure = Figure(figsize=(11, 8), layout="constrained")
    FigureCanvasAgg(figure)
    plot_fit(fit, ax=figure.subplots())
    figure.savefig(path, dpi=110)
