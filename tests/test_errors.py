"""Every mistake in `docs/errors` gives exactly the message printed there, and none is left out."""

import json
import re
import warnings
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.counting.validity import valid_configurations
from pathprior.data.dataset import Dataset
from pathprior.data.merged import MergedTable
from pathprior.data.table import DataTable, RealTable
from pathprior.errors import PathPriorError, PathPriorWarning
from pathprior.experiments.experts import draw_beliefs
from pathprior.graph.dagitty_code import read_dagitty
from pathprior.network.conditionals import Linear, Logit, Table
from pathprior.network.curves import AdditiveNetwork, Curve, Curved
from pathprior.studio.address import read_key
from pathprior.studio.folder import Folder
from pathprior.studio.imports import read_graph
from pathprior.studio.kept_run import read_run
from pathprior.studio.opening import private_page
from pathprior.studio.session import Session
from tests.messages import message_patterns

PAGES = sorted((Path(__file__).parents[1] / "docs" / "errors").glob("*.md"))
ENTRY = re.compile(
    r"^(?P<title>\S.*):\n\n    >>> (?P<call>.+)\n    (?P<message>.+(?:\n    .+)*)$", re.MULTILINE
)


def write(name, content):
    """Put a file into the test's own folder, which is the current one."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def run(*arguments):
    """Run the command; it lets our errors through to `main`, which prints them as one line."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None:
        raise result.exception


def edit(name, changes):
    """Change entries of a JSON file, and those of objects in it; None takes one out."""
    content = json.loads(Path(name).read_text("utf-8"))
    for key, value in changes.items():
        if value is None:
            del content[key]
        else:
            content[key] = content[key] | value if isinstance(value, dict) else value
    return write(name, json.dumps(content))


def summary(**changes):
    run("learn", write("data.csv", "a,b\n0,1\n1,0\n"), "--out", "results")
    return edit("results/summary.json", changes)


def saved(**changes):
    pp.fit_prior([pp.causes("a", "b", 0.9)], "ab").save("prior.json")
    return edit("prior.json", changes)


def unmet(**row):
    """A saved prior that says of its only source what it does not meet."""
    (source,) = json.loads(saved().read_text("utf-8"))["sources"]
    return edit("prior.json", {"sources": [source | {"unmet": [row]}]})


def sampled(**changes):
    """Save a posterior with some of its arrays changed, and of the text in it some entries."""
    pp.sample_posterior(NAMES["DATA"]).save("posterior.npz")
    arrays = dict(np.load("posterior.npz"))
    about = json.loads(arrays["about"].tobytes()) | changes.pop("about", {})
    arrays |= {"about": np.frombuffer(json.dumps(about).encode(), np.uint8), **changes}
    np.savez("posterior.npz", **{k: array for k, array in arrays.items() if array is not None})
    return Path("posterior.npz")


def misshapen():
    """Save chains, and leave out the last number of one of their arrays."""
    pp.sample_posterior(NAMES["DATA"], method="chains", checkpoint="chains.npz")
    arrays = dict(np.load("chains.npz"))
    np.savez("chains.npz", **arrays | {"chain0.local": arrays["chain0.local"][:-1]})
    return "chains.npz"


def kept(**changes):
    pp.GaussianNetwork.random(pp.Dag.from_edges("ab", [("a", "b")])).save("net.json")
    return edit("net.json", changes)


def web():
    return pp.fit_prior([pp.causes("a", "b", 0.9)], "abc", counts="web")


def say(*before, **change):
    """Change a session of the studio on a small data file."""
    write("data.csv", "a,b\n0,1\n1,0\n")
    session = Session(Folder(Path(), "beliefs.csv"), "data.csv")
    for one in (*before, change):
        session.change(session.revision, one)


def twice(folder):
    """Begin two studios on a folder."""
    with folder.held(), folder.held():
        pass


def settings(**changes):
    """Settings that a session of the studio left, and somebody changed."""
    say(kind="tiers", tiers=[["a"]])
    return edit("beliefs.studio.json", changes)


NAMES = {
    "pp": pp,
    "np": np,
    "pd": pd,
    "pa": pa,
    "nx": nx,
    "combinations": combinations,
    "replace": replace,
    "Dataset": Dataset,
    "DataTable": DataTable,
    "MergedTable": MergedTable,
    "RealTable": RealTable,
    "CODES": DataTable(("a", "b"), np.zeros((2, 3), np.uint8), (("no", "yes"),) * 2),
    "NUMBERS": RealTable(("x",), np.zeros((1, 3))),
    "draw_beliefs": draw_beliefs,
    "valid_configurations": valid_configurations,
    "write": write,
    "run": run,
    "summary": summary,
    "saved": saved,
    "unmet": unmet,
    "sampled": sampled,
    "misshapen": misshapen,
    "kept": kept,
    "web": web,
    "say": say,
    "settings": settings,
    "twice": twice,
    "Path": Path,
    "Folder": Folder,
    "private_page": private_page,
    "read_key": read_key,
    "read_dagitty": read_dagitty,
    "read_graph": read_graph,
    "ROW": {"x": "a", "relation": "causes", "y": "b", "probability": 0.9},
    "read_run": read_run,
    "Table": Table,
    "AdditiveNetwork": AdditiveNetwork,
    "Curve": Curve,
    "Curved": Curved,
    "Linear": Linear,
    "Logit": Logit,
    "HEADER": "x,relation,y,probability\n",
    "VARIABLE": "variable a {\n  type discrete [ 2 ] { yes, no };\n}\n",
    "DATA": pd.DataFrame({"a": [0, 1, 1, 0], "b": [0, 1, 0, 0]}),
    "WIDE": pd.DataFrame({name: [0, 1] for name in ("a", "b", "c", *map(str, range(37)))}),
    "INCOHERENT": [
        pp.causes("a", "b", 0.9),
        pp.causes("b", "c", 0.9),
        pp.not_associated("a", "c", 0.9),
    ],
}


def entries():
    for page in PAGES:
        for entry in ENTRY.finditer(page.read_text(encoding="utf-8")):
            message = entry["message"].replace("\n    ", "\n")
            yield pytest.param(page.stem, entry["call"], message, id=entry["title"])


@pytest.mark.parametrize(("page", "call", "message"), list(entries()))
def test_says_what_is_wrong(page, call, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if page == "warnings":
        with pytest.warns(PathPriorWarning) as warned:
            eval(call, dict(NAMES))
        said = str(warned[0].message)
    else:
        with pytest.raises(PathPriorError) as caught, warnings.catch_warnings():
            warnings.simplefilter("ignore", PathPriorWarning)
            eval(call, dict(NAMES))
        said = str(caught.value)
    begin, ellipsis, _ = message.partition("…")
    assert said.startswith(begin) if ellipsis else said == message
    assert all(len(line) <= 80 for line in said.splitlines()) or "\n" not in said


def test_no_entry_is_overlooked():
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    titles = [entry["title"] for text in texts for entry in ENTRY.finditer(text)]
    assert len(titles) == sum(text.count(">>>") for text in texts) > 200
    assert len(set(titles)) == len(titles)


def test_every_message_has_an_entry():
    lines = [line for page in PAGES for line in page.read_text(encoding="utf-8").splitlines()]
    messages = [line.strip() for line in lines if re.match(r"    (?!>>>)", line)]
    missing = [
        site
        for site, pattern in message_patterns()
        if not any(re.search(pattern, message) for message in messages)
    ]
    assert missing == []
