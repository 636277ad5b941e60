"""Beliefs from files and graphs, read and added to those of whoever speaks."""

import asyncio
import json

import pytest

pytest.importorskip("starlette", reason="needs pathprior[studio]")

import pathprior as pp
from pathprior.errors import GraphError, StudioError
from pathprior.studio import desk
from pathprior.studio.folder import Folder
from pathprior.studio.imports import read_file, read_graph
from pathprior.studio.session import Session
from tests.studio.asgi import Inline, application
from tests.studio.conftest import add


def graph(text, **more):
    return {"text": text, "relation": "direct", "probability": 0.8, "source": ""} | more


def bring_in(session, found):
    session.change(session.revision, {"kind": "import", "beliefs": found["beliefs"]})


def test_a_belief_file_is_added_and_kept(session, place, tmp_path):
    beliefs = pp.BeliefSet(
        [
            pp.causes("age", "fracture", 0.7, strength=10, source="trial"),
            pp.relation("diet", "calcium", [0.1, 0.7, 0.1, 0.1]),
            pp.says("survey", "sex", "causes", "pets"),
        ]
    )
    add(session, "sex", "causes", "diet", 0.6)
    for name, write in (("theirs.csv", beliefs.to_csv), ("theirs.json", beliefs.to_json)):
        write(tmp_path / name)
        found = read_file({"name": name, "text": (tmp_path / name).read_text()}, session.variables)
        assert found["said"].startswith(f"3 beliefs in {name}")
        assert "wait: pets" in found["said"]
        bring_in(session, found)
        with pytest.raises(StudioError, match="nothing new"):
            bring_in(session, found)
        kept = pp.read_beliefs(place / "beliefs.csv")
        assert list(kept) == [pp.causes("sex", "diet", 0.6), *beliefs]
        session.undo(session.revision)
        assert len(pp.read_beliefs(place / "beliefs.csv")) == 1


def test_what_an_expert_brings_in_is_the_experts(session, place):
    session.change(session.revision, {"kind": "expert", "name": "Anna"})
    bring_in(session, read_graph(graph("dag { age -> fracture }"), session.variables))
    assert list(pp.read_beliefs(place / "beliefs-anna.csv")) == [pp.direct("age", "fracture", 0.8)]
    assert not (place / "beliefs.csv").exists()


def test_each_arrow_of_a_graph_says_what_is_asked_for(session):
    text = "dag { U [latent]; U -> {age sex}; age -> diet -> calcium; age <-> sex; sex -> pets }"
    found = read_graph(graph(text, relation="causes", source=" R. "), session.variables)
    pairs = [("age", "diet"), ("diet", "calcium"), ("sex", "pets")]
    bring_in(session, found)
    assert session.document.of("") == tuple(pp.causes(x, y, 0.8, source="R.") for x, y in pairs)
    for part in ("3 arrows", "2 arrows of latent", "age <-> sex", "wait: pets"):
        assert part in found["said"], part


def test_a_graph_with_a_cycle_is_none(session):
    with pytest.raises(GraphError, match="form a cycle"):
        read_graph(graph("dag { a -> b -> a }"), ())


def test_the_network_of_a_run_can_be_brought_in(session):
    dag = pp.Dag.from_edges(["age", "sex", "diet"], [("age", "diet"), ("sex", "diet")])
    bring_in(session, read_graph(graph(dag.to_dagitty(), probability=1), session.variables))
    assert {(b.x, b.y, b.stated) for b in session.document.of("")} == {
        ("age", "diet", (1.0,)),
        ("sex", "diet", (1.0,)),
    }


def test_the_server_reads_and_says_what_is_wrong(place, monkeypatch):
    monkeypatch.setattr(desk, "Worker", Inline)

    async def go():
        async with application(Session(Folder(place, "beliefs.csv"), "cohort.csv")) as call:
            text = "x,relation,y,probability\nage,causes,diet,.8\n"
            status, answer = await call("POST", "api/read/file", {"name": "a.csv", "text": text})
            assert status == 200
            assert len(json.loads(answer)["beliefs"]) == 1
            wrong = {"name": "../a.csv", "text": text.replace("causes", "cuases")}
            status, answer = await call("POST", "api/read/file", wrong)
            assert status == 422
            assert "a.csv, line 2: unknown relation" in answer.decode()
            for content in (graph("a -> b"), graph("dag { a -> b }", probability=10**400), {}):
                assert (await call("POST", "api/read/graph", content))[0] == 422
            assert (await call("POST", "api/read/nothing", {}))[0] == 404

    asyncio.run(go())
