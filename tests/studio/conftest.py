"""A folder with the tutorial's data, and a studio that serves it in a process of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pandas as pd
import pytest

import pathprior as pp
from pathprior.errors import PathPriorWarning
from pathprior.studio.folder import Folder
from pathprior.studio.reading import Stated, read_carefully
from pathprior.studio.session import Session

DATA = Path(__file__).parents[2] / "docs" / "data"
TAG = "<img src=x onerror=alert(1)>"


@pytest.fixture
def place(tmp_path):
    """A folder with the tutorial's data and nothing else."""
    shutil.copy(DATA / "cohort.csv", tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def compiled():
    """Compile and keep what runs and readings need, so that no test waits beyond its patience.

    The careful reader stands back for all others, and would compile for minutes on a busy machine.
    """
    df = pd.read_csv(DATA / "cohort.csv")
    belief = pp.causes("exercise", "osteoporosis", 0.9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PathPriorWarning)
        read_carefully(Stated(0, tuple(df.columns), ((1, belief),), "auto"))
        fit = pp.learn(df, [belief], tiers=[["age"], ["sex"]])
        fit.posterior(time_limit=1.0)


@pytest.fixture
def session(place):
    return Session(Folder(place, "beliefs.csv"), "cohort.csv")


def row(x, relation, y, probability, **more):
    """A belief as the page sends it."""
    return {"x": x, "relation": relation, "y": y, "probability": probability, **more}


def add(session, *belief, **more):
    session.change(session.revision, {"kind": "add", "belief": row(*belief, **more)})


class Server:
    """A studio under way; ``call`` asks it as its own page would."""

    def __init__(self, process):
        self.process = process
        line = process.stdout.readline().decode()
        self.address = re.search(r"http://\S+", line)[0]
        self.url = urlsplit(self.address)

    def call(self, method, path, content=None, headers=None, *, base=None):
        connection = HTTPConnection(self.url.hostname, self.url.port, timeout=180)
        own = {} if method == "GET" else {"Origin": f"http://{self.url.netloc}"}
        body = json.dumps(content) if isinstance(content, dict) else content
        base = self.url.path if base is None else base
        connection.request(method, base + path, body, own | (headers or {}))
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text, answer.headers

    def state(self):
        return json.loads(self.call("GET", "api/state")[1])

    def change(self, kind, **content):
        revision = self.state()["session"]["revision"]
        change = {"kind": kind, **content}
        return self.call("POST", "api/change", {"revision": revision, "change": change})

    def ask_range(self, x, relation, y, revision=None):
        if revision is None:
            revision = self.state()["session"]["revision"]
        question = {"revision": revision, "x": x, "relation": relation, "y": y}
        return self.call("POST", "api/range", question)


@contextmanager
def serving(place, *arguments, browser=None):
    """Start a studio in a folder; it ends with the test. ``browser`` is a command to open it."""
    opening = ["--no-open"] if browser is None else []
    # a shell starts background jobs, such as the tests themselves, with SIGINT ignored
    heeded = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    run = f"{heeded}from pathprior.cli import main; main()"
    command = [sys.executable, "-c", run, "studio"]
    process = subprocess.Popen(
        [*command, *arguments, *opening],
        cwd=place,
        stdout=subprocess.PIPE,
        env=os.environ
        | {"PYTHONUNBUFFERED": "1", "COLUMNS": "200", "BROWSER": browser or ""}
        | {"XDG_STATE_HOME": str(place / ".state")},
    )
    try:
        yield Server(process)
    finally:
        process.terminate()  # it takes its temporary folder with it
        process.wait(timeout=30)
        process.stdout.close()
