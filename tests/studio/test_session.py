"""The document, its history and its files, without any server."""

import json
from math import inf, nan
from unicodedata import normalize

import pandas as pd
import pytest

import pathprior as pp
from pathprior.errors import BeliefError, CountingError, DataError, StudioError
from pathprior.studio.folder import Folder
from pathprior.studio.overlay import overlay
from pathprior.studio.reading import Reader, read_carefully
from pathprior.studio.session import Session, StaleRevision
from tests.studio.conftest import DATA, add, row


def said(session):
    return [(b["x"], b["relation"], b["y"], b["probability"]) for b in session.view()["beliefs"]]


def test_every_change_is_in_the_file_at_once(session, place):
    add(session, "exercise", "causes", "osteoporosis", 0.95, source="trial")
    (read,) = pp.read_beliefs(place / "beliefs.csv")
    assert read == pp.causes("exercise", "osteoporosis", 0.95, source="trial")
    changed = row("exercise", "causes", "osteoporosis", 0.7, strength=10)
    session.change(session.revision, {"kind": "edit", "number": 1, "belief": changed})
    (read,) = pp.read_beliefs(place / "beliefs.csv")
    assert read.stated == (0.7,)
    assert read.strength == 10
    session.change(session.revision, {"kind": "remove", "number": 1})
    assert Session(Folder(place, "beliefs.csv")).document.entries == ()


def test_a_new_session_finds_everything_again(session, place):
    add(session, "exercise", "causes", "osteoporosis", 0.95)
    add(session, "calcium", "vector", "diet", [0.1, 0.7, 0.1, 0.1])
    session.change(session.revision, {"kind": "tiers", "tiers": [["age", "sex"], ["diet"]]})
    session.change(
        session.revision, {"kind": "remedy", "column": "sex", "option": "drop", "value": True}
    )
    session.change(session.revision, {"kind": "expert", "name": "Anna B."})
    add(session, "age", "causes", "fracture", 0.6)
    session.change(session.revision, {"kind": "speak", "name": ""})
    assert session.folder.belief_file(session.document, "Anna B.").name == "beliefs-anna-b.csv"
    assert len(pp.read_beliefs(place / "beliefs-anna-b.csv")) == 1
    again = Session(Folder(place, "beliefs.csv"))
    ours, theirs = session.view(), again.view()
    for name in ("data", "columns", "tiers", "experts", "variables", "files"):
        assert theirs[name] == ours[name], name
    assert sorted(said(again)) == sorted(said(session))
    assert "sex" not in again.variables


def test_json_belief_files_stay_json(place):
    session = Session(Folder(place, "mine.json"), "cohort.csv")
    add(session, "exercise", "causes", "osteoporosis", 0.95)
    assert len(pp.read_beliefs(place / "mine.json")) == 1


def test_undo_and_redo_go_back_and_forth(session):
    add(session, "age", "causes", "fracture", 0.6)
    add(session, "age", "causes", "diet", 0.7)
    both = said(session)
    session.undo(session.revision)
    assert len(said(session)) == 1
    session.redo(session.revision)
    assert said(session) == both
    session.undo(session.revision)
    add(session, "sex", "causes", "diet", 0.7)
    assert not session.view()["canRedo"]
    numbers = [b["number"] for b in session.view()["beliefs"]]
    assert numbers == [1, 3]  # the number of what was undone is not used again


def test_a_stale_change_is_refused_and_changes_nothing(session):
    old = session.revision
    add(session, "age", "causes", "fracture", 0.6)
    change = {"kind": "add", "belief": row("age", "causes", "diet", 0.7)}
    with pytest.raises(StaleRevision):
        session.change(old, change)
    with pytest.raises(StaleRevision):
        session.undo(old)
    assert len(said(session)) == 1


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"kind": "add", "belief": row("age", "causes", "diet", 1.2)}, BeliefError),
        ({"kind": "add", "belief": row("age", "cuases", "diet", 0.2)}, BeliefError),
        ({"kind": "add", "belief": [1]}, StudioError),
        ({"kind": "remove", "number": 7}, StudioError),
        ({"kind": "remedy", "column": "age", "option": "bins", "value": 3}, DataError),
        ({"kind": "remedy", "column": "age", "option": "__class__", "value": 3}, StudioError),
        ({"kind": "open", "name": "../cohort.csv"}, StudioError),
        ({"kind": "open", "name": "none.csv"}, StudioError),
        ({"kind": "open", "name": "beliefs.csv"}, StudioError),
        ({"kind": "open", "name": "x" * 300 + ".csv"}, StudioError),
        ({"kind": "remedy", "column": "age", "option": "bins", "value": ""}, StudioError),
        ({"kind": "remedy", "column": "age", "option": "bins", "value": True}, StudioError),
        ({"kind": "remedy", "column": "age", "option": "top", "value": 10**9}, StudioError),
        ({"kind": "remedy", "column": "age", "option": "missing", "value": ""}, StudioError),
        ({"kind": "remedy", "column": "age", "option": "keep", "value": 1}, StudioError),
        ({"kind": "remedy", "column": "age", "option": ["keep"], "value": True}, StudioError),
        ({"kind": "tiers", "tiers": [1]}, StudioError),
        ({"kind": "tiers", "tiers": ["age"]}, StudioError),
        ({"kind": "tiers", "tiers": [[1]]}, StudioError),
        ({"kind": "tiers", "tiers": [["nobody"]]}, StudioError),
        ({"kind": "base", "expected_parents": inf}, StudioError),
        ({"kind": "base", "expected_parents": nan}, StudioError),
        ({"kind": "base", "expected_parents": 10**400}, StudioError),
        ({"kind": "base", "expected_parents": [0.3]}, StudioError),
        ({"kind": "base", "expected_parents": 300}, CountingError),
        ({"kind": "expert", "name": "x" * 300}, StudioError),
        ({"kind": "expert", "name": "two\nlines"}, StudioError),
        ({"kind": "expert", "name": 7}, StudioError),
        ({"kind": "nonsense"}, StudioError),
    ],
)
def test_what_makes_no_sense_changes_nothing(session, change, error):
    before = session.view()
    with pytest.raises(error):
        session.change(session.revision, change)
    assert session.view() == before


def expert(session, name):
    session.change(session.revision, {"kind": "expert", "name": name})
    return session.view()["files"][name]


def test_every_expert_has_a_file_that_nobody_else_has(session, place):
    names = ["Dr. Who", "Dr Who", "dr who?", "Émile", "E\u0301mile!", "?", "!", "陳" * 60]
    files = [expert(session, name) for name in names]
    assert len({normalize("NFC", file).casefold() for file in files}) == len(names)
    assert all((place / file).exists() for file in files)
    for k, name in enumerate(names, 1):
        session.change(session.revision, {"kind": "speak", "name": name})
        add(session, "age", "causes", "fracture", k / 10)
    again = Session(Folder(place, "beliefs.csv"))
    assert again.view()["files"] == session.view()["files"]
    said = {entry.expert: entry.belief.stated for entry in again.document.entries}
    assert said == {name: (k / 10,) for k, name in enumerate(names, 1)}
    assert len(again.document.entries) == len(names)


def test_what_lies_there_under_an_experts_name_is_taken_up_or_left_alone(session, place):
    pp.BeliefSet([pp.causes("age", "fracture", 0.7)]).to_csv(place / "beliefs-anna.csv")
    (place / "beliefs-bob.csv").write_text("a,b\n0,1\n")
    (place / "Beliefs-CLEO.CSV").mkdir()
    (place / "beliefs-dan.csv").symlink_to(DATA / "cohort.csv")
    before = {path.name: path.read_bytes() for path in place.glob("*.csv") if path.is_file()}
    assert expert(session, "Anna") == "beliefs-anna.csv"
    assert said(session) == [("age", "causes", "fracture", [0.7])]
    assert expert(session, "Bob") == "beliefs-bob-2.csv"
    assert expert(session, "Cleo") == "beliefs-cleo-2.csv"
    assert expert(session, "Dan") == "beliefs-dan-2.csv"
    for name, content in before.items():
        assert (place / name).read_bytes() == content


def test_experts_of_earlier_settings_get_their_files(place):
    settings = {"data": None, "remedies": [], "tiers": [], "expected_parents": "auto"}
    settings |= {"format": 1, "experts": ["Anna B.", "Anna-B"]}
    (place / "beliefs.studio.json").write_text(json.dumps(settings))
    pp.BeliefSet([pp.causes("age", "fracture", 0.7)]).to_csv(place / "beliefs-anna-b.csv")
    session = Session(Folder(place, "beliefs.csv"))
    assert session.document.files == ("beliefs-anna-b.csv", "beliefs-anna-b-2.csv")
    assert [entry.expert for entry in session.document.entries] == ["Anna B."]


@pytest.mark.parametrize(
    "wrong",
    [
        {"expected_parents": inf},
        {"tiers": [1]},
        {"remedies": [["age", "missing", ""]]},
        {"experts": {"Anna": "../anna.csv"}},
        {"experts": {"Anna": "beliefs.csv"}},
        {"experts": {"Anna": "anna.py"}},
        {"experts": {"Anna": "a.csv", "Bob": "A.csv"}},
        {"experts": {"Anna\n": "a.csv"}},
        {"experts": {"An\nna": "a.csv"}},
        {"experts": ["Anna"]},
        {"data": 7},
        {"data": "../cohort.csv"},
        {"format": 3},
    ],
)
def test_settings_that_no_session_wrote_are_refused(place, wrong):
    settings = {"data": None, "remedies": [], "tiers": [], "expected_parents": "auto"}
    settings |= {"format": 2, "experts": {}} | wrong
    (place / "beliefs.studio.json").write_text(json.dumps(settings))
    with pytest.raises(StudioError):
        Session(Folder(place, "beliefs.csv"))


def test_one_column_and_none_can_be_shown(place):
    (place / "two.csv").write_text("a,b\n0,1\n1,0\n1,1\n")
    session, reader = Session(Folder(place, "beliefs.csv"), "two.csv"), Reader()
    for column in "ab":
        change = {"kind": "remedy", "column": column, "option": "drop", "value": True}
        session.change(session.revision, change)
        for read in (reader.read, read_carefully):
            json.dumps([session.view(), read(session.stated())], allow_nan=False)


@pytest.mark.parametrize("other", ["ÄNNA", "a\u0308nna", " Änna "])
def test_no_two_experts_have_names_that_look_alike(session, other):
    session.change(session.revision, {"kind": "expert", "name": "Änna"})
    with pytest.raises(StudioError, match="already; choose another name"):
        session.change(session.revision, {"kind": "expert", "name": other})


def test_experts_do_not_see_each_other(session):
    add(session, "age", "causes", "fracture", 0.9)
    session.change(session.revision, {"kind": "expert", "name": "Anna"})
    assert said(session) == []
    assert not session.view()["canUndo"]  # nobody undoes what somebody else said
    add(session, "fracture", "caused-by", "age", 0.4)
    assert len(said(session)) == 1
    assert [b.source for _, b in session.stated().beliefs] == ["Anna"]
    assert overlay(session.document) == []
    session.change(session.revision, {"kind": "speak", "name": ""})
    (difference,) = overlay(session.document)
    assert difference["phrase"] == "age causes fracture"
    assert difference["spread"] == pytest.approx(0.5)
    assert [voice["who"] for voice in difference["voices"]] == ["you", "Anna"]
    assert [b.source for _, b in session.stated().beliefs] == ["", "Anna"]


def test_beliefs_on_columns_that_are_left_out_stay_but_do_not_count(session):
    add(session, "age", "causes", "fracture", 0.9)
    session.change(
        session.revision, {"kind": "remedy", "column": "age", "option": "drop", "value": True}
    )
    (belief,) = session.view()["beliefs"]
    assert belief["isOrphan"]
    assert session.stated().known.beliefs == ()


@pytest.mark.parametrize("name", ["../x.csv", "/etc/passwd", "a/b.csv", "", ".", "..", "a\\b.csv"])
def test_no_name_leads_out_of_the_folder(session, name):
    with pytest.raises(StudioError, match="not a file in the folder"):
        session.folder.place(name)


def test_no_link_leads_out_of_the_folder(session, place):
    (place / "link.csv").symlink_to(DATA / "cohort.csv")
    with pytest.raises(StudioError, match="not a file in the folder"):
        session.folder.place("link.csv")


def test_the_files_of_the_session_are_no_data(session, place):
    add(session, "age", "causes", "fracture", 0.9)
    session.change(session.revision, {"kind": "expert", "name": "Anna"})
    assert session.folder.data_files(session.document) == ["cohort.csv"]


def test_triage_shows_what_prepare_proposes_and_the_line_that_changes_it(place):
    lines = ["id,when,weight,city,same"]
    lines += [f"p{k},2024-01-{k % 28 + 1:02},{k * 0.37:.2f},c{k % 3},x" for k in range(60)]
    (place / "raw.csv").write_text("\n".join(lines))
    session = Session(Folder(place, "beliefs.csv"), "raw.csv")
    prep = pp.prepare(place / "raw.csv")
    shown = {column["name"]: column for column in session.view()["columns"]}
    assert {name: c["summary"] for name, c in shown.items()} == {
        plan.name: plan.summary for plan in prep.columns
    }
    assert session.variables == ("weight", "city")
    (bins,) = [r for r in shown["weight"]["remedies"] if r["option"] == "bins"]
    remedy = {"kind": "remedy", "column": "weight", "option": "bins", "value": bins["value"]}
    session.change(session.revision, remedy)
    names = {"prep": prep}
    exec(bins["line"], names)
    assert session.preparation["weight"].summary == names["prep"]["weight"].summary
    session.change(session.revision, {"kind": "propose", "column": "weight"})
    assert session.preparation["weight"].summary == prep["weight"].summary


def test_what_tiers_make_impossible_is_not_stated(session):
    others = [name for name in session.variables if name not in ("age", "smoking")]
    session.change(session.revision, {"kind": "tiers", "tiers": [["age"], ["smoking"], others]})
    add(session, "age", "causes", "smoking", 0.7)
    add(session, "smoking", "causes", "age", 0.1)  # next to nothing is believed of it
    revision = session.revision
    with pytest.raises(StudioError, match="'smoking' is in tier 2 and 'age' in tier 1"):
        add(session, "smoking", "causes", "age", 0.8)
    change = {"kind": "edit", "number": 2, "belief": row("smoking", "direct", "age", 0.9)}
    with pytest.raises(StudioError, match=r"smoking directly causes age .* cannot hold"):
        session.change(revision, change)
    assert session.revision == revision
    # tiers may come later: then it is among the conflicts
    session.change(revision, {"kind": "tiers", "tiers": [["smoking"], ["age"], others]})
    within = session.stated().within
    assert [within.clash(entry.belief) is None for entry in session.document.entries] == [
        False,
        True,
    ]


def test_gaps_are_told_of_in_the_words_of_the_buttons(place):
    df = pd.read_csv(place / "cohort.csv")
    df.loc[:40, "diet"] = None
    df.to_csv(place / "gaps.csv", index=False)
    session = Session(Folder(place, "beliefs.csv"), "gaps.csv")
    labels = [r["label"] for c in session.view()["columns"] for r in c["remedies"]]
    assert "“gaps: draw them” would leave them to the run." in session.view()["totals"]
    assert "gaps: draw them" in labels
    remedy = {"kind": "remedy", "column": "diet", "option": "missing", "value": "em"}
    session.change(session.revision, remedy)
    assert session.view()["totals"].endswith("Gaps are left: the run draws them.")


def test_what_cannot_be_done_with_a_column_is_told_in_the_words_of_the_buttons(place):
    df = pd.DataFrame({"a": [0.5 * k for k in range(60)], "b": [0, 1] * 30})
    df.loc[:9, "a"] = None
    df.to_csv(place / "gaps.csv", index=False)
    session = Session(Folder(place, "beliefs.csv"), "gaps.csv")
    session.change(
        session.revision, {"kind": "remedy", "column": "a", "option": "real", "value": True}
    )
    remedy = {"kind": "remedy", "column": "a", "option": "missing", "value": "state"}
    with pytest.raises(DataError, match="drop those rows with “gaps: drop rows”") as caught:
        session.change(session.revision, remedy)
    assert "missing=" not in str(caught.value)
