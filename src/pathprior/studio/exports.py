"""What a session leaves behind: a script that repeats it, the report, the network for DAGitty."""

from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile
from typing import Any

from pathprior.beliefs.statement import Statement
from pathprior.data.actions import listed, quoted
from pathprior.data.preparation import Preparation
from pathprior.errors import StudioError
from pathprior.files import saving
from pathprior.graph.dag import Dag
from pathprior.studio.document import ME, Document
from pathprior.studio.folder import Folder
from pathprior.studio.triage import variables_of

SCRIPT, REPORT, DAGITTY = "analysis.py", "report.html", "network.dagitty"


def write_files(
    folder: Folder,
    document: Document,
    preparation: Preparation | None,
    *,
    time_limit: float,
    result: dict[str, Any] | None,
    report: Path,
) -> list[str]:
    """Write what there is, each file whole or not at all; return the names."""
    names = []
    if preparation is not None:
        script = format_script(folder, document, preparation, time_limit=time_limit)
        with saving(folder.place(SCRIPT), StudioError) as temporary:
            temporary.write_text(script, encoding="utf-8")
        names.append(SCRIPT)
    if result is not None:
        with saving(folder.place(REPORT), StudioError) as temporary:
            copyfile(report, temporary)
        with saving(folder.place(DAGITTY), StudioError) as temporary:
            temporary.write_text(format_dagitty(result), encoding="utf-8")
        names += [REPORT, DAGITTY]
    return names


def format_dagitty(result: dict[str, Any]) -> str:
    """The learned network as DAGitty code."""
    edges = [(parent, child) for parent, child in result["dag"]]
    return Dag.from_edges(result["nodes"], edges).to_dagitty()


def format_script(
    folder: Folder, document: Document, preparation: Preparation, *, time_limit: float
) -> str:
    """Lines of Python that give the same numbers, run in the folder of the session."""
    variables = set(variables_of(preparation))
    data = preparation.code()
    if preparation.source is not None:
        data = data.replace(quoted(str(preparation.source)), quoted(preparation.source.name))
    tiers = [[name for name in tier if name in variables] for tier in document.tiers]
    options = {
        "kinds=kinds": bool(preparation.kinds),
        'missing="em"': preparation.has_gaps,
        "tiers=tiers": any(tiers),
        "statements=statements": _has_statements(document),
        "seed=0": True,
    }
    given = ", ".join(["df", "prior", *(option for option, is_on in options.items() if is_on)])
    base = f"expected_parents={document.expected_parents!r}{', tiers=tiers' if any(tiers) else ''}"
    lines = [
        data.replace("import pandas as pd\n", "import pandas as pd\n\nimport pathprior as pp\n", 1),
        *_beliefs(folder, document, variables),
        *(_tiers(tiers) if any(tiers) else ()),
        f"prior = pp.fit_prior(beliefs, df.columns, {base})",
        "print(prior)",
        "",
        f"fit = pp.learn({given})",
        f"posterior = fit.posterior(time_limit={time_limit!r}, seed=0)",
        "print(posterior)",
        f'fit.report("{REPORT}", posterior=posterior)',
        f'with open("{DAGITTY}", "w", encoding="utf-8") as file:',
        "    file.write(fit.dag.to_dagitty())",
        "",
    ]
    return "\n".join(lines)


def _tiers(tiers: Sequence[Sequence[str]]) -> list[str]:
    return ["tiers = [", *(f"    {listed(tier)}," for tier in tiers if tier), "]"]


def _beliefs(folder: Folder, document: Document, variables: set[str]) -> list[str]:
    """Read the belief files; an expert is the source of what he or she says."""
    said = [expert for expert in (ME, *document.experts) if document.of(expert)]
    lines = ["beliefs = []"]
    for expert in said:
        name = quoted(folder.belief_file(document, expert).name)
        if expert == ME:
            lines.append(f"beliefs += pp.read_beliefs({name})")
        else:
            source = f"replace(belief, source={quoted(expert)})"
            lines.append(f"beliefs += [{source} for belief in pp.read_beliefs({name})]")
    if any(said):
        lines.insert(0, "from dataclasses import replace\n")
    if _has_orphans(document, variables):
        lines.append("beliefs = [b for b in beliefs if {b.x, b.y} <= set(df.columns)]")
    if _has_statements(document):
        lines.append("statements = [b for b in beliefs if not b.stated]")
        lines.append("beliefs = [b for b in beliefs if b.stated]")
    return lines


def _has_orphans(document: Document, variables: set[str]) -> bool:
    return any(not {e.belief.x, e.belief.y} <= variables for e in document.entries)


def _has_statements(document: Document) -> bool:
    return any(isinstance(entry.belief, Statement) for entry in document.entries)
