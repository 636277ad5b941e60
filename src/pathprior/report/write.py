"""The files of a learned network: everything a run found, in formats others read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathprior.files import replacing
from pathprior.network.bif import write_bif
from pathprior.report.dot import to_dot
from pathprior.report.draw import BeliefMark, draw_dag
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
    marks = [] if held is None else belief_marks(held)
    write_bif(fit.network(), files.network)
    with replacing(files.dot) as path:
        path.write_text(to_dot(fit.dag, cpdag=fit.cpdag, marks=marks), encoding="utf-8")
    with replacing(files.picture) as path:
        _save_picture(fit, marks, path)
    with replacing(files.edges) as path:
        edge_table(fit).to_csv(path, index=False)
    if held is not None and files.beliefs is not None:
        with replacing(files.beliefs) as path:
            held.to_csv(path, index=False)
    with replacing(files.summary) as path:
        path.write_text(json.dumps(summary(fit, settings), indent=2) + "\n", encoding="utf-8")
    return files


def belief_marks(held: "pd.DataFrame") -> list[BeliefMark]:
    """One mark per pair with a belief; held only if every belief on the pair is."""
    agrees: dict[tuple[str, str], bool] = {}
    # of a four-vector only the likeliest relation counts as what was believed
    likely = held[held["stated"] >= 0.5]
    for row in likely.itertuples(index=False):
        pair = (str(row.x), str(row.y))
        agrees[pair] = agrees.get(pair, True) and bool(row.holds)
    return [BeliefMark(x, y, held=agree) for (x, y), agree in agrees.items()]


def edge_table(fit: Fit) -> "pd.DataFrame":
    """Each edge, and whether every member of the equivalence class directs it that way."""
    import pandas as pd

    fixed = set(fit.cpdag.directed_edges)
    return pd.DataFrame(
        [(parent, child, (parent, child) in fixed) for parent, child in fit.dag.edges],
        columns=["parent", "child", "is_direction_fixed"],
    )


def summary(fit: Fit, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Scores, settings, seed and versions: what it takes to repeat and to judge a run."""
    import platform
    from importlib.metadata import version

    packages = ("pathprior", "numpy", "scipy", "numba", "pandas")
    return {
        "score": fit.score,
        "data_score": fit.data_score,
        "prior_score": fit.prior_score,
        "num_edges": fit.dag.num_edges,
        "num_steps": len(fit.steps),
        "stopped_because": str(fit.stopped_because),
        "num_truncated_swaps": fit.num_truncated_swaps,
        "settings": dict(settings),
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in packages},
        },
    }


def _save_picture(fit: Fit, marks: list[BeliefMark], path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # a figure of its own, so that nothing depends on the caller's matplotlib backend
    figure = Figure(figsize=(11, 8), layout="constrained")
    FigureCanvasAgg(figure)
    draw_dag(fit.dag, cpdag=fit.cpdag, marks=marks, ax=figure.subplots())
    figure.savefig(path, dpi=110)
