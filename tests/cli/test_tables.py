import re
from itertools import pairwise

import pytest
from typer.testing import CliRunner

from pathprior.cli.app import app
from pathprior.cli.tables import Column, print_table

NAMES = ["bone_mineral_density", "HYPOVOLEMIA", "osteoporosis", "physical.activity-level"]


def cells(output):
    """The words of the cells of each row that a line starts."""
    rows = [re.split("[│┃]", line)[1:-1] for line in output.splitlines() if line[:1] in "│┃"]
    return [[cell.split() for cell in row] for row in rows]


def words(output):
    return {word for row in cells(output) for cell in row for word in cell}


@pytest.fixture
def run():
    def run(width, *arguments):
        runner = CliRunner(env={"COLUMNS": str(width)})
        return runner.invoke(app, [*map(str, arguments)], catch_exceptions=False).output

    return run


@pytest.fixture
def show(monkeypatch, capsys):
    def show(width, columns, rows):
        monkeypatch.setenv("COLUMNS", str(width))
        print_table(columns, rows)
        return capsys.readouterr().out

    return show


@pytest.mark.parametrize("width", [80, 60])
def test_words_stay_whole(run, width, tmp_path):
    beliefs = tmp_path / "beliefs.csv"
    rows = [f"{x},not-associated,{y},0.9,one long-term study" for x, y in pairwise(NAMES)]
    beliefs.write_text("x,relation,y,probability,source\n" + "\n".join(rows) + "\n")
    output = run(width, "check", beliefs, "--num-nodes", 8)
    assert {*NAMES, "associated", "0.900"} <= words(output)
    assert max(map(len, output.splitlines())) <= width
    data = tmp_path / "data.csv"
    data.write_text(",".join(NAMES) + "\n" + "0,1,0,1\n1,0,0,1\n0,0,1,0\n1,1,1,0\n" * 5)
    output = run(width, "learn", data, "--beliefs", beliefs, "--out", tmp_path / "out")
    table = output[output.index("What became") :]
    assert {*NAMES, "associated", "0.900", "holds"} <= words(table)
    assert max(map(len, table.splitlines()[:-8])) <= width


@pytest.mark.parametrize("width", [80, 60, 40])
def test_numbers_of_a_count_stay_whole(run, width):
    pairs = "smoking-osteoporosis,osteoporosis-fracture,smoking-fracture"
    output = run(width, "count", "--pairs", pairs, "--nodes", 5, "--rows", 2)
    # the table is wider than forty columns, and printed all the same
    assert {"smoking-", "osteoporosis", "2800", "0.0956251494"} <= words(output)


def test_spare_columns_go_first_and_the_last_of_them_first(show):
    columns = [Column("name"), Column("one", is_spare=True), Column("two", is_spare=True)]
    rows = [["osteoporosis", "1", "a_remark"]]
    assert cells(show(40, columns, rows))[0] == [["name"], ["one"], ["two"]]
    assert cells(show(30, columns, rows))[0] == [["name"], ["one"]]
    assert cells(show(16, columns, rows)) == [[["name"]], [["osteoporosis"]]]


def test_names_break_at_separators_where_they_must(show):
    output = show(24, [Column("name"), Column("p", "right")], [["bone_mineral_density", "0.25"]])
    assert cells(output)[1:] == [[["bone_mineral_"], ["0.25"]], [["density"], []]]


def test_markup_in_a_name_is_shown(show):
    assert "[red]x[/]" in show(40, [Column("name")], [["[red]x[/]"]])


def test_a_name_without_end_is_broken_anywhere(show):
    output = show(60, [Column("name"), Column("p")], [["x" * 1000, "0.5"]])
    assert max(map(len, output.splitlines())) <= 60
    assert output.count("x") == 1000
