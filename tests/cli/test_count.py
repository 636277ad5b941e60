import csv

import numpy as np
import pytest
from typer.testing import CliRunner

from pathprior.beliefs.belief import causes
from pathprior.cli.app import app
from pathprior.counting.baseline import baseline
from pathprior.counting.sampling import sample_dags
from pathprior.errors import CountingError
from pathprior.prior.fit import fit_prior


@pytest.fixture(autouse=True)
def cache_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("PATHPRIOR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def run(*arguments):
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_count_prints_the_table():
    output = run("count", "--pairs", "X-Y, Y-Z,X-Z", "--nodes", "5")
    assert "41 configurations on 5 nodes, exact, from all DAGs" in output
    rows = {line.replace(" ", "").strip("│") for line in output.splitlines()}
    assert "⇒│⇒│⇒│2800│0.0956251494" in rows
    assert "⇎│⇎│⇎│309│0.0105529183" in rows


def test_count_shortens_long_numbers_and_long_tables():
    output = run("count", "--pairs", "X-Y", "--nodes", "37", "--rows", "1")
    assert "1.453647e+237" in output
    assert "3 more rows" in output


def test_count_prints_numbers_of_thousands_of_digits(tmp_path):
    out = tmp_path / "counts.csv"
    output = run("count", "--pairs", "X-Y", "--nodes", "170", "--out", str(out))
    digits = out.read_text(encoding="utf-8").split(",")[4]
    assert len(digits) > 4300
    assert f"{digits[0]}.{digits[1:7]}e+{len(digits) - 1}" in output


def test_count_by_component_and_to_a_file(tmp_path):
    out = tmp_path / "counts.csv"
    pairs = "A-B,C-D,D-E,E-F,F-G"
    output = run("count", "--pairs", pairs, "--nodes", "9", "--samples", "500", "--out", str(out))
    assert "4 configurations on 9 nodes, exact, from sums over reach classes" in output
    assert "256 configurations on 9 nodes, estimated from 500 DAGs" in output
    with out.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert len(rows) == 2 + 4 + 256
    assert rows[0] == ["A-B", "num_dags", "probability", "standard_error"]
    assert sum(float(row[2]) for row in rows[1:5]) == pytest.approx(1)


@pytest.mark.parametrize("pairs", ["X", "X-Y-Z", "X-,Y-Z", ""])
def test_count_refuses_what_is_no_pair(pairs):
    with pytest.raises(CountingError, match="not a pair"):
        run("count", "--pairs", pairs, "--nodes", "5")


def test_sample_writes_dags(tmp_path):
    out = tmp_path / "dags.npz"
    assert "20 DAGs on 7 nodes" in run("sample", "--nodes", "7", "--size", "20", "--out", str(out))
    with np.load(out) as stored:
        assert stored["dags"].shape == (20, 7, 7)


def test_edge_odds_are_taken(tmp_path):
    output = run("count", "--pairs", "X-Y", "--nodes", "37", "--edge-odds", "0.1")
    assert "on 37 nodes, edge odds 0.1, exact, from sums over reach classes" in output
    assert "0.136797037" in output
    assert "N_C" not in output
    out = tmp_path / "dags.npz"
    run("sample", "--nodes", "9", "--size", "5", "--edge-odds", "0.1", "--out", str(out))
    with np.load(out) as stored:
        assert np.array_equal(stored["dags"], sample_dags(9, 5, edge_odds=0.1))


def test_baseline_prints_the_relations_of_a_pair():
    sparse = run("baseline", "--variables", "37", "--edge-odds", "0.1")
    assert sparse == f"{baseline(37, edge_odds=0.1)}\n"
    uniform = run("baseline", "--variables", "37", "--expected-parents", "none")
    assert uniform == f"{baseline(37, expected_parents=None)}\n"
    assert run("baseline", "--variables", "37") == f"{baseline(37)}\n"


def test_baseline_refuses_what_is_no_number():
    with pytest.raises(CountingError, match="--edge-odds is 'few'"):
        run("baseline", "--variables", "9", "--edge-odds", "few")


def test_cache_is_shown_and_cleared(monkeypatch):
    assert "0 counts" in run("cache")
    run("count", "--pairs", "X-Y", "--nodes", "9")
    assert "nodes=9" in run("cache")
    assert "1 files deleted" in run("cache", "--clear").replace("\n", "")
    assert "0 counts" in run("cache")
    monkeypatch.setenv("PATHPRIOR_CACHE", "off")
    assert "The cache is off" in run("cache")


def test_cache_tells_counts_from_fits(cache_directory):
    beliefs = [causes("a", "b", 0.9), causes("b", "c", 0.9)]
    fit_prior(beliefs, "abcde", counts="web")
    run("count", "--pairs", "X-Y,Y-Z", "--nodes", "9")
    shown = " ".join(run("cache").split())
    num_counts = len(list(cache_directory.glob("*.npz"))) - 1
    assert f"{num_counts} counts and 1 fits" in shown
    assert "web of 2 beliefs on 2 pairs" in shown
    assert "unreadable" not in shown
    (fit,) = cache_directory.glob("web-*.npz")
    with np.load(fit) as stored:
        older = {**stored, "key": np.array('["web", 1, 5]')}
    np.savez_compressed(fit, **older)
    shown = run("cache")
    assert "of another release" in shown
    assert "unreadable" not in shown
    fit.write_bytes(b"damaged")
    assert run("cache").count("unreadable") == 1
    assert f"{num_counts + 1} files deleted" in " ".join(run("cache", "--clear").split())
    assert not list(cache_directory.iterdir())
