"""What a run found is there after a restart, and said to be old where it is."""

import asyncio
import json
import os

import pytest

pytest.importorskip("starlette", reason="needs pathprior[studio]")

from pathprior.studio import desk
from pathprior.studio.folder import Folder
from pathprior.studio.session import Session
from pathprior.studio.workers import Message, Say
from tests.studio.asgi import Inline, application
from tests.studio.conftest import add

REPORT = "<!DOCTYPE html><title>the report</title>"


class Finding(Inline):
    """Finds something at once."""

    def ask(self, topic, request):
        if self._name == "run_handler":
            request.report.write_text(REPORT, encoding="utf-8")
            found = {"revision": request.revision, "warnings": [], "dag": [["age", "sex"]]}
            found |= {"nodes": ["age", "sex"]}
            self._tell(Message(topic, 1, Say.ANSWER, found))
        return 1


@pytest.fixture
def ran(session, place, monkeypatch):
    """A session with an expert that has run and has ended; what its run was."""
    monkeypatch.setattr(desk, "Worker", Finding)
    add(session, "age", "causes", "fracture", 0.9)
    session.change(session.revision, {"kind": "expert", "name": "Anna"})
    add(session, "age", "causes", "diet", 0.8)
    session.change(session.revision, {"kind": "speak", "name": ""})
    add(session, "sex", "causes", "diet", 0.8)

    async def act(call):
        assert (await call("POST", "api/run", {"timeLimit": 7}))[0] == 200

    return asking(session, act)


def asking(session, act=None):
    """The state of the run that a studio shows, after ``act``."""

    async def go():
        async with application(session) as call:
            if act is not None:
                await act(call)
            return json.loads((await call("GET", "api/state"))[1])["run"]

    return asyncio.run(go())


def reopened(place):
    return Session(Folder(place, "beliefs.csv"))


def is_old(place):
    session = reopened(place)
    return asking(session)["result"]["revision"] != session.revision


def test_a_restart_shows_the_run_and_its_report(ran, place):
    again = reopened(place)

    async def act(call):
        assert await call("GET", "report") == (200, REPORT.encode())
        assert (await call("POST", "api/keep", {}))[0] == 200

    kept = asking(again, act)
    assert kept["state"] == ran["state"] == "done"
    assert kept["timeLimit"] == 7
    assert kept["result"] | {"revision": 0} == ran["result"] | {"revision": 0}
    assert kept["result"]["revision"] == again.revision
    assert (place / "report.html").read_text() == REPORT
    assert "beliefs.studio-run.json" not in again.view()["dataFiles"]


def test_a_run_is_old_once_what_it_was_made_from_is_not_there(ran, place):
    assert not is_old(place)
    session = reopened(place)
    add(session, "age", "causes", "calcium", 0.9)
    assert is_old(place)
    session.undo(session.revision)
    assert not is_old(place)
    os.utime(place / "cohort.csv", ns=(1, 1))
    assert is_old(place)


def test_a_file_that_holds_no_run_is_said(ran, place):
    path = place / "beliefs.studio-run.json"
    for content in ("{", "[]", json.dumps({"format": 0}), json.dumps({"format": 1})):
        path.write_text(content)
        found = asking(reopened(place))
        assert found["state"] == "failed"
        assert "beliefs.studio-run.json holds no run" in found["error"]


def test_a_run_that_cannot_be_kept_is_said(session, place, monkeypatch):
    monkeypatch.setattr(desk, "Worker", Finding)
    (place / "beliefs.studio-run.json").mkdir()

    async def act(call):
        assert (await call("POST", "api/run", {"timeLimit": 7}))[0] == 200

    found = asking(session, act)
    assert found["state"] == "done"
    (warning,) = found["result"]["warnings"]
    assert "this run is lost when the studio ends" in warning
