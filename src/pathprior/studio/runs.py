"""A run: beliefs fitted, a network learned, graphs weighed, in a process that can be ended."""

import warnings
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.event import Event
from pathprior.beliefs.statement import split_statements
from pathprior.counting.expected_parents import ExpectedParents
from pathprior.errors import PathPriorWarning
from pathprior.studio.document import Remedy
from pathprior.studio.triage import triage
from pathprior.studio.workers import Handler, Report

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior
    from pathprior.search.result import Fit

SEED = 0
MAX_EDGES = 40
"""Most edges that the page shows; the report has all."""
RUN = "run"


@dataclass(frozen=True, slots=True)
class RunAsked:
    """What is to be learned from.

    Attributes
    ----------
    revision
        Of the session.
    data, remedies
        The data file, and what becomes of its columns.
    beliefs
        The beliefs of all, on columns that stay.
    tiers
        Tiers of columns that stay.
    expected_parents
        The base of the prior.
    time_limit
        Seconds for weighing graphs.
    report
        Where the report goes.
    """

    revision: int
    data: Path
    remedies: tuple[tuple[str, Remedy], ...]
    beliefs: tuple[Belief, ...]
    tiers: tuple[tuple[str, ...], ...]
    expected_parents: ExpectedParents
    time_limit: float
    report: Path


def run_handler() -> Handler:
    """Answers what is asked with what was found."""
    return run


def run(asked: RunAsked, tell: Report) -> dict[str, Any]:
    """Fit, learn, weigh and write the report; return what the page shows.

    ``tell`` is called with how far it is: the stage, and words on it.
    """
    from pathprior.prior.fit import fit_prior
    from pathprior.report.page import write_report
    from pathprior.search.learn import learn

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tell("Preparing the data", asked.data.name)
        preparation = triage(asked.data, asked.remedies)
        table = preparation.table()
        beliefs, statements = split_statements(asked.beliefs)
        tell("Fitting the beliefs", f"{len(beliefs)} beliefs")
        prior = fit_prior(
            BeliefSet(beliefs),
            list(table.columns),
            expected_parents=asked.expected_parents,
            tiers=asked.tiers,
            progress=lambda done, total: tell("Fitting the beliefs", f"{done} of {total}"),
        )
        fit = learn(
            table,
            prior,
            statements=statements,
            kinds=preparation.kinds,
            missing="em" if preparation.has_gaps else "refuse",
            tiers=asked.tiers,
            seed=SEED,
            progress=lambda step, score, num_edges: tell(
                "Searching", f"step {step}, score {score:.1f}, {num_edges} edges"
            ),
        )
        tell("Weighing graphs", f"at most {asked.time_limit:g} seconds")
        posterior = fit.posterior(
            time_limit=asked.time_limit,
            seed=SEED,
            progress=lambda step, score, num_edges: tell(
                "Weighing graphs", f"{step} graphs of each chain, best score {score:.1f}"
            ),
        )
        tell("Writing the report", "")
        title = f"Network learned from {asked.data.name}"
        inputs = {"data": asked.data.name}
        write_report(fit, asked.report, inputs=inputs, title=title, posterior=posterior)
    said = [str(w.message) for w in caught if issubclass(w.category, PathPriorWarning)]
    return describe_run(asked.revision, fit, posterior) | {"warnings": list(dict.fromkeys(said))}


def describe_run(revision: int, fit: "Fit", posterior: "Posterior") -> dict[str, Any]:
    """What was found, as JSON values."""
    from pathprior.report.effect_data import effect_data
    from pathprior.report.posterior_tables import edge_table
    from pathprior.report.text import posterior_ending
    from pathprior.search.family_parts import together

    pairs: list[tuple[str, str]] = []
    rows: list[dict[str, Any]] = []
    if len(posterior.prior.beliefs):
        weighed = posterior.beliefs()
        pairs = list(zip(weighed["x"], weighed["y"], strict=True))
        named = fit.belief_gains().set_index(["x", "event", "y"])["sentence"].to_dict()
        rows = [
            _belief(row) | {"edge": named.get((row["x"], row["event"], row["y"]), "")}
            for row in weighed.to_dict("records")
        ]
    edges = edge_table(posterior)
    likely = edges[edges["probability"] > 0].head(MAX_EDGES)
    nodes = list(fit.dag.nodes)
    return {
        "revision": revision,
        "numRows": fit.problem.data.num_rows,
        "numEdges": fit.dag.num_edges,
        "ending": posterior_ending(posterior),
        "beliefs": rows,
        "edges": [
            {
                "parent": row["parent"],
                "child": row["child"],
                "eitherWay": _number(row["either_way"]),
                "probability": _number(row["probability"]),
                "error": _number(row["error"]),
                "isSettled": bool(row["is_settled"]),
            }
            for row in likely.to_dict("records")
        ],
        "nodes": nodes,
        "sources": [] if posterior.testimony is None else _reliabilities(posterior),
        "effects": effect_data(posterior, nodes, pairs),
        "dag": [list(edge) for edge in fit.dag.edges],
        "together": [one.sentence for one in together(fit)],
        "picture": _picture(fit),
    }


def _picture(fit: "Fit") -> dict[str, Any]:
    """The learned network as SVG, and what its colours mean."""
    from pathprior.report.legend import EDGE_COLOURS, EDGE_PHRASES, open_edges, supports_found
    from pathprior.report.svg import dag_svg
    from pathprior.search.support import edge_support

    supports = edge_support(fit)
    turnable = open_edges(supports)
    colours = {(edge.parent, edge.child): EDGE_COLOURS[edge.support] for edge in supports}
    return {
        "svg": dag_svg(fit.dag, open_edges=turnable, edge_colours=colours),
        "colours": [[EDGE_COLOURS[s], EDGE_PHRASES[s]] for s in supports_found(supports)],
        "hasOpen": bool(turnable),
    }


def _reliabilities(posterior: "Posterior") -> list[dict[str, Any]]:
    """How often each source of statements is right."""
    return [
        {
            "source": row["source"],
            "statements": int(row["statements"]),
            **{name: _number(row[name]) for name in ("before", "reliability", "low", "high")},
            "isSettled": bool(row["is_settled"]),
        }
        for row in posterior.sources().to_dict("records")
    ]


def _belief(row: Mapping[Hashable, Any]) -> dict[str, Any]:
    return {
        "phrase": Event.parse(row["event"]).phrase(row["x"], row["y"]),
        **{name: _number(row[name]) for name in ("baseline", "stated", "fitted", "after", "error")},
        "evidence": row["evidence"],
        "isContradicted": bool(row["is_contradicted"]),
        "sentence": row["sentence"],
    }


def _number(value: float) -> float | None:
    """JSON knows no NaN."""
    return float(value) if isfinite(value) else None
