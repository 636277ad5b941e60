"""What a session leaves behind gives the same numbers again."""

import os
import subprocess
import sys

import pytest

import pathprior as pp
from pathprior.errors import StudioError
from pathprior.studio.exports import format_dagitty, format_script
from pathprior.studio.folder import Folder
from pathprior.studio.runs import RunAsked, run
from pathprior.studio.session import Session
from tests.studio.conftest import TAG, add

TIERS = [["age", "sex"], ["smoking", "exercise", "osteoporosis"]]
ELSEWHERE = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
"""A machine with one core, where BLAS adds in another order."""


def change(session, kind, **content):
    session.change(session.revision, {"kind": kind, **content})


@pytest.fixture
def finished(session, place):
    """A small session with an expert, tiers and columns left out, and what its run found."""
    for column in ("diet", "calcium", "fracture"):
        change(session, "remedy", column=column, option="drop", value=True)
    change(session, "tiers", tiers=TIERS)
    add(session, "exercise", "causes", "osteoporosis", 0.9)
    add(session, "diet", "causes", "fracture", 0.9)  # on columns that are left out
    change(session, "expert", name="Anna")
    add(session, "smoking", "causes", "osteoporosis", 0.7)
    change(session, "speak", name="")
    document = session.document
    told = []
    result = run(
        RunAsked(
            session.revision,
            place / "cohort.csv",
            document.remedies,
            tuple(b for _, b in session.stated().known.beliefs),
            document.tiers,
            document.expected_parents,
            60.0,
            place / "report.html",
        ),
        lambda stage, detail: told.append(stage),
    )
    assert {"Preparing the data", "Searching", "Weighing graphs"} <= set(told)
    return session, result


def test_the_run_is_what_the_package_finds(finished, place):
    _, result = finished
    df = pp.prepare(place / "cohort.csv", drop=["diet", "calcium", "fracture"]).table()
    prior = pp.fit_prior(
        [
            pp.causes("exercise", "osteoporosis", 0.9),
            pp.causes("smoking", "osteoporosis", 0.7, source="Anna"),
        ],
        df.columns,
        tiers=TIERS,
    )
    fit = pp.learn(df, prior, tiers=TIERS)
    posterior = fit.posterior()
    expected = posterior.beliefs()
    assert [r["after"] for r in result["beliefs"]] == expected["after"].tolist()
    assert [r["stated"] for r in result["beliefs"]] == expected["stated"].tolist()
    assert [r["sentence"] for r in result["beliefs"]] == expected["sentence"].tolist()
    told = [r["edge"] for r in result["beliefs"]]
    assert sorted(told) == sorted(fit.belief_gains()["sentence"])
    assert result["together"] == []  # by BDeu nothing is known of it
    assert any("Anna said 0.70" in r["sentence"] for r in result["beliefs"])
    first = result["edges"][0]
    assert first["probability"] == posterior.edges.loc[first["parent"], first["child"]]
    assert result["effects"]["pairs"]
    assert "<title>" in (place / "report.html").read_text("utf-8")


def test_the_script_repeats_it(finished, place):
    session, result = finished
    script = format_script(session.folder, session.document, session.preparation, time_limit=60.0)
    assert str(place) not in script
    lines = [f"after = {[r['after'] for r in result['beliefs']]!r}"]
    lines += ["assert posterior.beliefs()['after'].tolist() == after"]
    (place / "analysis.py").write_text(script + "\n".join(lines))
    subprocess.run([sys.executable, "analysis.py"], cwd=place, check=True, env=ELSEWHERE)
    assert (place / "network.dagitty").read_text("utf-8") == format_dagitty(result)


def test_odd_names_stay_names(place):
    (place / "odd.csv").write_text(f'"{TAG}","b ""c""",x\n' + "0,1,0\n1,0,1\n1,1,0\n" * 20)
    session = Session(Folder(place, "beliefs.csv"), "odd.csv")
    add(session, TAG, "causes", 'b "c"', 0.9, source="'; import os")
    script = format_script(session.folder, session.document, session.preparation, time_limit=1.0)
    (place / "analysis.py").write_text(script)
    subprocess.run([sys.executable, "analysis.py"], cwd=place, check=True, env=ELSEWHERE)


def test_statements_count_in_the_run_and_in_the_script(place):
    pp.BeliefSet(
        [
            pp.causes("exercise", "osteoporosis", 0.9),
            pp.says("survey", "smoking", "associated", "exercise"),
            pp.says("survey", "age", "causes", "osteoporosis"),
        ]
    ).to_csv(place / "beliefs.csv")
    session = Session(Folder(place, "beliefs.csv"), "cohort.csv")
    for column in ("diet", "calcium", "fracture"):
        change(session, "remedy", column=column, option="drop", value=True)
    shown = [b["phrases"][0] for b in session.view()["beliefs"] if b["isStatement"]]
    assert shown[0] == "survey says that smoking and exercise are associated"
    asked = RunAsked(
        1,
        place / "cohort.csv",
        session.document.remedies,
        tuple(entry.belief for entry in session.document.entries),
        (),
        "auto",
        60.0,
        place / "report.html",
    )
    result = run(asked, lambda stage, detail: None)
    assert [(r["source"], r["statements"]) for r in result["sources"]] == [("survey", 2)]
    assert len(result["beliefs"]) == 1
    script = format_script(session.folder, session.document, session.preparation, time_limit=60.0)
    check = (
        f"assert posterior.sources()['reliability'][0] == {result['sources'][0]['reliability']!r}"
    )
    (place / "analysis.py").write_text(script + check)
    subprocess.run([sys.executable, "analysis.py"], cwd=place, check=True, env=ELSEWHERE)


def test_files_are_not_written_through_links(session, place, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "analysis.py"
    (place / "analysis.py").symlink_to(elsewhere)
    with pytest.raises(StudioError, match="not a file in the folder"):
        session.folder.place("analysis.py")
