"""The files of a posterior: pictures, tables, the graphs themselves, and how they were made."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from pathprior.errors import ReportError
from pathprior.files import saving
from pathprior.posterior.posterior import Posterior
from pathprior.posterior.settings import PosteriorSettings
from pathprior.problem.run_record import Command, RunInputs, record_run
from pathprior.report.axes import belief_size
from pathprior.report.pace import Pace
from pathprior.report.picture_file import new_figure, save_figure
from pathprior.report.posterior_page import format_posterior_report
from pathprior.report.posterior_plots import map_size, plot_beliefs, plot_paths
from pathprior.report.posterior_tables import edge_table, path_table

POSTERIOR = Command("posterior", "pathprior.posterior-run", 3, PosteriorSettings, "edges_sha256")
DRAWING, DRAWING_PAIR = 2.0, 1e-4
"""Seconds without which no picture is begun, and how many more for each two variables."""
NO_PICTURES = "No pictures were drawn."


class PosteriorFiles(NamedTuple):
    """Where a posterior was written."""

    report: Path | None
    path_map: Path | None
    belief_plot: Path | None
    beliefs: Path | None
    sources: Path | None
    statements: Path | None
    edges: Path
    paths: Path
    posterior: Path
    summary: Path


def write_posterior(
    posterior: Posterior,
    folder: Path,
    *,
    inputs: RunInputs,
    report: bool = True,
    pace: Pace | None = None,
) -> PosteriorFiles:
    """Write report, pictures, tables, graphs, summary; where one cannot be written, none changes.

    All are written beside their places first and renamed at the end, the summary last. A picture
    that there is no time for is taken away if one lies there.

    Parameters
    ----------
    inputs
        The files that the run read.
    report
        Write the HTML report too.
    pace
        By when they are wanted; what that leaves out is added to it.
    """
    pace = pace or Pace()
    seconds = DRAWING + DRAWING_PAIR * len(posterior.variables) ** 2
    has_pictures = pace.allows(seconds, NO_PICTURES)
    has_beliefs = len(posterior.prior.beliefs) > 0
    has_statements = posterior.testimony is not None
    files = PosteriorFiles(
        report=folder / "report.html" if report else None,
        path_map=folder / "paths.png" if has_pictures else None,
        belief_plot=folder / "beliefs.png" if has_pictures and has_beliefs else None,
        beliefs=folder / "beliefs.csv" if has_beliefs else None,
        sources=folder / "sources.csv" if has_statements else None,
        statements=folder / "statements.csv" if has_statements else None,
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
        edges = place(files.edges)
        edge_table(posterior).to_csv(edges, index=False)
        path_table(posterior).to_csv(place(files.paths), index=False)
        if files.path_map is not None:
            figure = new_figure(map_size(posterior.variables))
            plot_paths(posterior, figure.subplots())
            save_figure(figure, place(files.path_map))
        if files.beliefs is not None:
            posterior.beliefs().to_csv(place(files.beliefs), index=False)
        if files.belief_plot is not None:
            beliefs = posterior.beliefs()
            figure = new_figure(belief_size(beliefs))
            plot_beliefs(posterior, figure.subplots())
            save_figure(figure, place(files.belief_plot))
        if files.sources is not None and files.statements is not None:
            posterior.sources().to_csv(place(files.sources), index=False)
            posterior.statements().to_csv(place(files.statements), index=False)
        if files.report is not None:
            page = format_posterior_report(posterior, inputs=inputs.describe(), pace=pace)
            place(files.report).write_text(page, encoding="utf-8")
        content = {
            **record_run(POSTERIOR, posterior.settings, edges, inputs=inputs, folder=folder),
            **_summary(posterior),
            "left_out": [*posterior.left_out, *pace.left_out],
        }
        summary.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    if not has_pictures:
        for name in ("paths.png", "beliefs.png"):
            (folder / name).unlink(missing_ok=True)
    return files


def _summary(posterior: Posterior) -> dict[str, Any]:
    """What was found, besides what it takes to repeat the run."""
    has_statements = posterior.testimony is not None
    return {
        "stopped_because": str(posterior.stopped_because),
        "num_variables": len(posterior.variables),
        "num_chains": posterior.draws.num_chains,
        "num_draws": posterior.draws.num_draws,
        "best_score": posterior.best_score,
        "unmet": [unmet.sentence for unmet in posterior.prior.unmet],
        "sources": posterior.sources().to_dict("records") if has_statements else None,
    }
