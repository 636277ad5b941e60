import re
from functools import partial

import pytest
import typer
from typer.testing import CliRunner

from pathprior.cli.check import check
from pathprior.errors import BeliefError, DataError, PathPriorWarning
from pathprior.prior import fit
from pathprior.prior.promise import UnmetBeliefWarning

app = typer.Typer()
app.command()(check)

HEADER = "x,relation,y,probability,source\n"
COHERENT = HEADER + "smoking,causes,cancer,0.8,cohort\n"
INCOHERENT = HEADER + "x,causes,y,0.8,[trial]\ny,causes,z,0.9,[trial]\nx,causes,z,0.6,[trial]\n"
SOURCES = INCOHERENT.replace("0.6,[trial]", "0.05,survey")


@pytest.fixture
def run(tmp_path):
    def run(text, *options):
        file = tmp_path / "beliefs.csv"
        file.write_text(text)
        result = CliRunner().invoke(
            app, [str(file), *map(str, options)], catch_exceptions=False, env={"COLUMNS": "200"}
        )
        return result.exit_code, re.sub(r"\s+", " ", result.output)

    return run


def test_coherent_beliefs_exit_0(run, tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("smoking,cancer,age\n0,1,2\n")
    status, output = run(COHERENT, "--data", data)
    assert status == 0
    assert "Coherent: the stated beliefs can hold together" in output
    assert "cohort" in output


def test_incoherent_beliefs_exit_3_and_say_why(run):
    status, output = run(INCOHERENT, "--num-nodes", 5)
    assert status == 3
    assert "1 group of beliefs cannot hold together" in output
    assert "force x causes z to at least 0.7; [trial] said 0.6 │ line 2, line 3, line 4" in output
    assert "[trial]" in output


def test_what_is_not_met_is_said_beside_its_number(run):
    with pytest.warns(UnmetBeliefWarning):
        status, output = run(INCOHERENT.replace("0.6", "0.7"), "--num-nodes", 5)
    assert status == 0
    assert "0.8 │ 0.667, not met │" in output
    assert "Not met: they can all hold only if some graphs get next to no probability" in output
    assert "not met" not in run(COHERENT, "--num-nodes", 5)[1]


def test_what_is_not_decided_is_not_called_incoherent(run, monkeypatch):
    """Seven causes in a ring cannot all be nearly certain, which no short cycle shows."""
    monkeypatch.setenv("PATHPRIOR_CACHE", "off")
    monkeypatch.setattr(fit, "fit_prior", partial(fit.fit_prior, time_limit=2.0))
    around = [f"v{k},causes,v{(k + 1) % 7},0.99," for k in range(7)]
    tail = [f"v{k},causes,v{k + 1},0.5," for k in range(6, 10)]  # too much to list
    with pytest.warns(PathPriorWarning):
        status, output = run(HEADER + "\n".join([*around, *tail]), "--num-nodes", 11)
    assert status == 4
    assert "Not decided: no conflict was found, but chains did not meet all beliefs" in output
    assert "ncoherent" not in output
    assert ", not met │" in output


def test_sources_may_disagree(run):
    status, output = run(SOURCES, "--num-nodes", 5)
    assert status == 0
    assert "Within: by its own source alone" in output
    assert (
        "survey and what follows from [trial] disagree about x causes z: 0.05 and 0.829" in output
    )
    assert "Coherent: the beliefs of each source can hold together" in output
    status, output = run(SOURCES, "--num-nodes", 5, "--pool", "joint")
    assert status == 3
    assert "at least 0.7; survey said 0.05" in output
    assert "Within" not in output


@pytest.mark.parametrize(
    ("text", "options", "error", "message"),
    [
        (COHERENT, [], BeliefError, "either --data"),
        (COHERENT, ["--num-nodes", 1], BeliefError, "--num-nodes 1 is less than the 2"),
        (COHERENT, ["--data", "no.csv"], DataError, "no.csv"),
        (HEADER + "x,causes,y,2,\n", ["--num-nodes", 3], BeliefError, "line 2: probability 2"),
    ],
)
def test_bad_input_is_our_error(run, text, options, error, message):
    with pytest.raises(error, match=message):
        run(text, *options)


def test_unknown_variable_names_the_line(run, tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("smokng,cancer,age\n0,1,2\n")
    with pytest.raises(BeliefError, match=r"beliefs\.csv, line 2: unknown variable 'smoking'"):
        run(COHERENT, "--data", data)


def test_statements_are_left_to_the_data(run):
    status, output = run(COHERENT + "cancer,causes,cough,,doctor\n", "--num-nodes", 3)
    assert status == 0
    assert "1 statement without a probability: learn and posterior weigh them" in output
    assert "Coherent" in output
    status, output = run(HEADER + "a,causes,b,,doctor\na,causes,c,,doctor\n", "--num-nodes", 3)
    assert status == 0
    assert "2 statements without a probability" in output
    assert "Coherent" not in output


def test_within_tiers_the_numbers_are_those_of_the_graphs_that_keep_them(run):
    tiers = ("--tier", "x", "--tier", "y,z")
    status, output = run(HEADER + "x,causes,y,0.6,a\ny,causes,z,0.3,a\n", "--num-nodes", 3, *tiers)
    assert status == 0
    assert "│ 0.6 │ 0.600 │" in output
    assert "Fitted under the joint U of all pairs, within tiers, counted exactly" in output
    later = ("--tier", "x", "--tier", "y")
    status, output = run(HEADER + "y,causes,x,0.6,a\n", "--num-nodes", 2, *later)
    assert status == 3
    assert "│ 0.000 │ 0.6 │ 0.000 │ -0.600 │ tiers │" in output
    assert "y causes x is ruled out by tiers; a said 0.6" in output
