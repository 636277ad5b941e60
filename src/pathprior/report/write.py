"""The files of a learned network: everything a run found, in formats others read."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from pathprior.errors import ReportError
from pathprior.files import saving
from pathprior.network.bif import format_bif
from pathprior.network.model import Network, format_network
from pathprior.network.network import BayesianNetwork
from pathprior.problem.run_record import RunInputs
from pathprior.report.dot import fit_dot
from pathprior.report.draw import figure_size
from pathprior.report.page import format_report
from pathprior.report.picture_file import new_figure, save_figure
from pathprior.report.plots import plot_fit
from pathprior.search.record import summarise
from pathprior.search.result import Fit
from pathprior.search.support import EdgeSupport, edge_support, support_table


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """Where a learned network was written."""

    network: Path
    """BIF; JSON where there are real columns, which BIF does not know."""
    dot: Path
    picture: Path
    edges: Path
    beliefs: Path | None
    sources: Path | None
    statements: Path | None
    report: Path | None
    summary: Path


def write_fit(
    fit: Fit, folder: Path, *, inputs: RunInputs | None = None, report: bool = False
) -> WrittenFiles:
    """Write network, pictures, tables and summary; where one cannot be written, none changes.

    All are written beside their places first and renamed at the end, the summary last.

    Parameters
    ----------
    inputs
        The files that the run read; with them it can be repeated from its summary.
    report
        Write the HTML report too.
    """
    held = fit.beliefs_held() if fit.has_beliefs else None
    network = fit.network()
    is_discrete = isinstance(network, BayesianNetwork)
    files = WrittenFiles(
        network=folder / ("network.bif" if is_discrete else "network.json"),
        dot=folder / "network.dot",
        picture=folder / "network.png",
        edges=folder / "edges.csv",
        beliefs=None if held is None else folder / "beliefs.csv",
        sources=folder / "sources.csv" if fit.has_statements else None,
        statements=folder / "statements.csv" if fit.has_statements else None,
        report=folder / "report.html" if report else None,
        summary=folder / "summary.json",
    )
    with ExitStack() as stack:

        def place(path: Path) -> Path:
            return stack.enter_context(saving(path, ReportError))

        # the stack renames in the opposite order: the first to enter is the last to appear
        summary, written = place(files.summary), place(files.network)
        written.write_text(_format(network), encoding="utf-8", newline="")
        place(files.dot).write_text(fit_dot(fit), encoding="utf-8")
        supports = edge_support(fit)
        _save_picture(fit, supports, place(files.picture))
        support_table(supports).to_csv(place(files.edges), index=False)
        if held is not None and files.beliefs is not None:
            held.to_csv(place(files.beliefs), index=False)
        if files.sources is not None and files.statements is not None:
            fit.sources().to_csv(place(files.sources), index=False)
            fit.statements_held().to_csv(place(files.statements), index=False)
        if files.report is not None:
            read = None if inputs is None else inputs.describe()
            page = format_report(fit, supports, inputs=read)
            place(files.report).write_text(page, encoding="utf-8")
        record = summarise(fit, written, inputs=inputs, folder=folder)
        summary.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return files


def _format(network: Network) -> str:
    return format_bif(network) if isinstance(network, BayesianNetwork) else format_network(network)


def _save_picture(fit: Fit, supports: Sequence[EdgeSupport], path: Path) -> None:
    figure = new_figure()
    ax = plot_fit(fit, supports, ax=figure.subplots())
    figure.set_size_inches(figure_size(ax))
    save_figure(figure, path)
