"""Whatever is sent, nothing but an answer comes back, and what was taken can be opened again."""

import asyncio
import json
import tempfile
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="needs pathprior[studio]")

from pathprior.studio import desk
from pathprior.studio.changes import KINDS
from pathprior.studio.folder import Folder
from pathprior.studio.session import Session
from tests.studio.asgi import Inline, application
from tests.studio.conftest import row

pytestmark = pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")

COLUMNS = ("a", "b", "c", "gaps")
DATA = "a,b,c,gaps\n" + "".join(
    f"{k % 2},{k % 3},{k % 5},{k % 2 if k % 4 else ''}\n" for k in range(30)
)
texts = st.one_of(
    st.sampled_from([*COLUMNS, "", "causes", "vector", "drop", "bins", "x" * 300, "data.csv"]),
    st.text(st.characters(), max_size=8),
)
values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 5),
        st.sampled_from([10**400, -(10**20)]),
        st.floats(),
        texts,
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("belief", "number", "tiers", "column", "option", "value", "name", "expected_parents")
SENT = ("revision", "change", "x", "y", "relation", "source", "timeLimit", "kind", "text", "name")
beliefs = st.fixed_dictionaries(
    {},
    optional={
        "x": values | texts,
        "relation": values | st.sampled_from(["causes", "direct", "vector"]),
        "y": values | texts,
        "probability": values | st.floats(0, 1),
        "strength": values,
        "source": values,
    },
)


def mostly(plausible):
    """What might be taken, or anything."""
    return plausible | values


plausible = st.one_of(
    st.builds(
        lambda x, y, p: {"kind": "add", "belief": row(x, "causes", y, p)},
        st.sampled_from(COLUMNS),
        texts,
        mostly(st.floats(0, 1)),
    ),
    st.fixed_dictionaries({"kind": st.sampled_from(["add", "edit"]), "belief": beliefs}),
    st.fixed_dictionaries({"kind": st.just("import"), "beliefs": mostly(st.lists(beliefs))}),
    st.fixed_dictionaries(
        {
            "kind": st.just("remedy"),
            "column": st.sampled_from(COLUMNS),
            "option": mostly(st.sampled_from(["keep", "real", "drop", "bins", "top", "missing"])),
            "value": mostly(st.sampled_from([True, 1, 2, 3, "drop", "state", "em"])),
        }
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("tiers"),
            "tiers": mostly(st.lists(st.lists(st.sampled_from(COLUMNS), max_size=3), max_size=3)),
        }
    ),
    st.fixed_dictionaries(
        {"kind": st.just("base"), "expected_parents": mostly(st.floats(0.01, 2))}
    ),
    st.fixed_dictionaries({"kind": st.sampled_from(["expert", "speak", "open"]), "name": texts}),
    st.fixed_dictionaries({"kind": st.sampled_from(["undo", "redo", "propose"])}),
    st.fixed_dictionaries(
        {"kind": mostly(st.sampled_from(list(KINDS)))}, optional=dict.fromkeys(FIELDS, values)
    ),
)
ONLY = [{"kind": "remedy", "column": c, "option": "drop", "value": True} for c in COLUMNS]


@pytest.fixture
def inline(monkeypatch):
    monkeypatch.setattr(desk, "Worker", Inline)


def in_a_session(act):
    """Call ``act`` with a studio on a small table, and the folder it is in."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "data.csv").write_text(DATA)
        session = Session(Folder(place, "beliefs.csv"), "data.csv")

        async def go():
            async with application(session) as call:
                return await act(call, session)

        asyncio.run(go())


def shown(session):
    view = session.view()
    names = ("data", "columns", "totals", "tiers", "experts", "files", "expectedParents")
    return json.dumps([view[name] for name in names], allow_nan=False)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(plausible, min_size=1, max_size=6))
@example(ONLY[1:])
@example(ONLY)
@example([{"kind": "base", "expected_parents": float("inf")}])
@example([{"kind": "tiers", "tiers": [1]}])
@example([{"kind": "remedy", "column": "a", "option": "bins", "value": ""}])
@example([{"kind": "open", "name": "x" * 300 + ".csv"}])
@example([{"kind": "expert", "name": "\ud800"}, {"kind": "expert", "name": "陳" * 60}])
@example([{"kind": "add", "belief": row("a", "causes", "b", 10**400)}])
def test_every_change_is_answered_and_what_is_kept_can_be_opened_again(inline, changes):
    async def act(call, session):
        for change in changes:
            asked = {"revision": session.revision, "change": change}
            status, text = await call("POST", "api/change", asked)
            assert status in (200, 400, 422), text
            status, text = await call("GET", "api/state")
            assert status == 200
            view = json.loads(text)
            assert "TypeError" not in str((view["reading"] or {}).get("error"))
            again = Session(Folder(session.folder.path, "beliefs.csv"))
            assert shown(again) == shown(session)
            said = [(e.expert, e.belief) for e in session.document.entries]
            assert sorted(map(repr, said)) == sorted(
                repr((e.expert, e.belief)) for e in again.document.entries
            )

    in_a_session(act)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.sampled_from(["change", "range", "run", "cancel", "keep", "read/file", "read/graph"]),
    st.dictionaries(
        mostly(st.sampled_from(SENT)).map(str),
        values,
        max_size=5,
    )
    | values,
    st.booleans(),
)
@example("range", {"x": "a", "y": "b", "relation": "vector"}, True)
@example("range", {"x": "a", "y": "b", "relation": "\ud800"}, True)
@example("run", {"timeLimit": float("nan")}, True)
@example("run", {"timeLimit": 10**400}, True)
def test_every_endpoint_answers_whatever_it_is_sent(inline, endpoint, content, is_of_now):
    async def act(call, session):
        asked = content
        if is_of_now and isinstance(content, dict):
            asked = content | {"revision": session.revision}
        status, text = await call("POST", f"api/{endpoint}", asked)
        assert status in (200, 400, 409, 422), text
        assert (await call("GET", "api/state"))[0] == 200

    in_a_session(act)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    mostly(st.just("")).map(lambda value: str(value)) | texts.map(lambda text: text + ".csv"),
    st.binary(max_size=40) | st.just(DATA.encode()),
)
@example("x" * 300, b"")
@example("🦴" * 96 + ".csv", b"")
@example("a\ud800.csv", b"")
@example("new.xlsx", b"no spreadsheet")
@example("new.csv.gz", b"no archive")
def test_any_file_is_answered(inline, name, content):
    async def act(call, session):
        before = {path.name for path in session.folder.path.iterdir()}
        status, text = await call("PUT", f"api/data/{name}", content)
        assert status in (200, 403, 404, 405, 422), text
        new = {path.name for path in session.folder.path.iterdir()} - before
        assert new == ({json.loads(text)["name"]} if status == 200 else set())
        for file in new:
            change = {"revision": session.revision, "change": {"kind": "open", "name": file}}
            assert (await call("POST", "api/change", change))[0] in (200, 422)
        assert (await call("GET", f"api/file/{unquote(name)}"))[0] in (200, 403, 404, 405)
        assert (await call("GET", "api/state"))[0] == 200

    in_a_session(act)


def test_a_file_that_came_in_part_is_not_kept(inline):
    async def act(call, session):
        before = sorted(session.folder.path.iterdir())
        assert (await call("PUT", "api/data/new.csv", None))[0] == 400
        assert sorted(session.folder.path.iterdir()) == before

    in_a_session(act)


@pytest.mark.parametrize("beliefs", ["信念.csv", 'a"b.csv', "two words.csv"])
def test_a_belief_file_of_any_name_can_be_kept(inline, tmp_path, beliefs):
    async def go():
        async with application(Session(Folder(tmp_path, beliefs))) as call:
            assert (await call("GET", f"api/file/{beliefs}"))[0] == 200

    asyncio.run(go())
