import gzip

import numpy as np
import pytest
from hypothesis import given

from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.bif import format_bif, parse_bif, read_bif, write_bif
from pathprior.network.network import BayesianNetwork
from tests.oracles.network import networks

# What files in the wild look like, all at once.
WILD = r"""
// made by hand
network "Dog-Problem" { // five nodes once
  property "credal-set constant-density-bounded 1.1" ;
  property see http://example.org/dogs;
}
variable "light-on" { //2 values
    property "position = (218, 195)" ;
    type discrete[2] { "true" "false" };
}
/* the other two
   variables */
probability("light-on", "family-out") { // before its parent is declared
   (true) 0.6, 4e-1;
   ( "false" ) 5.0E-2 .95;
}
variable family-out {
    type discrete [ 2 ] { true, false };
    property note "a ; in quotes";
}
variable `<5/µ` { type discrete [3] {<5, 5-12, 12+}; }
probability ( family-out ) { table 0.15 0.85; }
probability ( `<5/µ` | family-out, light-on ) {
  property whatever;
  default 0.2, 0.3, 0.5;
  (true, false) 1, 0, 0;
}
"""


def test_reads_wild_text():
    network = parse_bif(WILD)
    dag = network.dag
    assert dag.nodes == ("light-on", "family-out", "`<5/µ`")
    assert set(dag.edges) == {
        ("family-out", "light-on"),
        ("family-out", "`<5/µ`"),
        ("light-on", "`<5/µ`"),
    }
    assert network.states[2] == ("<5", "5-12", "12+")
    assert network.tables[0].tolist() == [[0.6, 0.4], [0.05, 0.95]]
    # The file lists family-out first, our axes follow the order of the nodes.
    assert network.tables[2][1, 0].tolist() == [1, 0, 0]
    assert network.tables[2][0, 1].tolist() == [0.2, 0.3, 0.5]


def bif(block: str, *, states: str = "yes, no") -> str:
    """Return a network a → b whose table of b is ``block``; it starts on line 3."""
    return (
        f"variable a {{ type discrete [ 2 ] {{ {states} }}; }} "
        "variable b { type discrete [ 2 ] { t, f }; }\n"
        "probability ( a ) { table 0.3, 0.7; }\n"
        f"{block}"
    )


def test_a_table_lists_the_child_slowest():
    network = parse_bif(bif("probability ( b | a ) { table 0.6 0.05 0.4 0.95; }"))
    assert network.tables[1].tolist() == [[0.6, 0.4], [0.05, 0.95]]


def test_rows_override_table_and_default():
    network = parse_bif(bif("probability ( b | a ) { (no) 0 1; table 0.6 0.05 0.4 0.95; }"))
    assert network.tables[1].tolist() == [[0.6, 0.4], [0, 1]]


def test_rows_near_one_are_renormalised():
    network = parse_bif(bif("probability ( b | a ) { (yes) 0.3333 0.6662; (no) 0.25 0.75; }"))
    assert network.tables[1][0].sum() == pytest.approx(1, abs=1e-15)
    assert network.tables[1][0, 0] == pytest.approx(0.3333 / 0.9995)


@pytest.mark.parametrize(
    ("block", "line", "message"),
    [
        ("probability ( b | a ) {\n(yes) 0.3 0.702;\n(no) 0 1; }", 4, "sums to 1.002"),
        ("probability ( b | a ) {\n(yes) -0.3 1.3;\n(no) 0 1; }", 4, "at least zero"),
        ("probability ( b | a ) {\n(yes) nan 1;\n(no) 0 1; }", 4, "at least zero"),
        ("probability ( b | a ) {\n(yes) 0.3 x;\n(no) 0 1; }", 4, "expected a number, found 'x'"),
        ("probability ( b | a ) {\n(yes) 0.3;\n(no) 0 1; }", 4, "expected 2 numbers, found 1"),
        ("probability ( b | a ) { table 0.5 0.5; }", 3, "expected 4 numbers, found 2"),
        ("probability ( b | a ) {\n(maybe) 0 1; (no) 0 1; }", 4, "'maybe' is not a state of 'a'"),
        ("probability ( b | a ) {\n(yes, no) 0 1; (no) 0 1; }", 4, "2 parent values"),
        ("probability ( b | a ) { (yes) 0 1;\n(yes) 0 1; }", 4, "given twice"),
        ("probability ( b | a ) { (yes) 0 1; }", 3, "1 of the 2 rows of 'b' are given"),
        ("probability ( b | a ) { (yes) 0 1 }", 3, "expected a number or ';', found '}'"),
        ("probability ( b | c ) { table 0 1; }", 3, "'c' is not a declared variable"),
        ("probability ( b | a ) {\nrows 0 1; }", 4, r"expected '\(values\)'.*found 'rows'"),
        ("probability ( b | a ) { default 0 1;\ndefault 0 1; }", 4, "one 'default'"),
        ("probability ( b | a ) { default 0 1; }\nprobability ( b ) { }", 4, "given twice"),
        ("", 1, "variable 'b' has no 'probability' block"),
        ("\nvariable b { type discrete [1] { x }; }", 4, "variable 'b' is declared twice"),
        ("\nvariable c { }", 4, "variable 'c' has no 'type discrete'"),
        ("\nvariable c { kind discrete; }", 4, "expected one 'type'"),
        ("\nvariable c { type continuous; }", 4, "only 'type discrete' can be read"),
        ("\nvariable c { type discrete [ 3 ] { x, y }; }", 4, "'3' states announced, 2 listed"),
        ("\nvariable c { type discrete [ 2 ] { x, x }; }", 4, "the state 'x' is listed twice"),
        ("\nvariable c { type discrete [ 0 ] { }; }", 4, "at least one state"),
        ("\nvariable c { type discrete 2 { x, y }; }", 4, r"expected '\[', found '2'"),
        ("\nvariable { }", 4, "expected the name of a variable, found '{'"),
        ("\nnetwork n { size 3; }", 4, "expected 'property' or '}', found 'size'"),
        ("\nnetwork n { property x }", 4, "property that begins here never ends"),
        ("\nsomething else", 4, "expected 'network', 'variable' or 'probability'"),
        ("\n/* open\n\n", 4, "comment opened here"),
        ('\n"open\n\n', 4, "quote opened here"),
        ("\nprobability ( b | a ) {", 4, "found the end of the file"),
    ],
)
def test_errors_name_file_and_line(tmp_path, block, line, message):
    path = tmp_path / "bad.bif"
    path.write_text(bif(block))
    with pytest.raises(NetworkError, match=message) as caught:
        read_bif(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")


def test_cycles_and_huge_tables_are_errors():
    with pytest.raises(NetworkError, match=r"cycle: b → b|self edge 'b'"):
        parse_bif(bif("probability ( b | b ) { default 0 1; }"))
    with pytest.raises(NetworkError, match="duplicate edge 'a' → 'b'"):
        parse_bif(bif("probability ( b | a a ) { default 0 1; }"))
    parents = [f"p{k}" for k in range(60)]
    text = "".join(
        f"variable {p} {{ type discrete [2] {{ t f }}; }} probability ( {p} ) {{ table 0 1; }}"
        for p in parents
    )
    with pytest.raises(NetworkError, match="too large to hold"):
        parse_bif(bif(f"probability ( b | {' '.join(parents)} ) {{ default 0 1; }}" + text))


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00" * 50, b"\x1f\x8bgarbage", gzip.compress(b"variable", mtime=0)[:-6], b"\xff\xfe"],
)
def test_garbage_is_an_error(tmp_path, content):
    path = tmp_path / "bad.bif"
    path.write_bytes(content)
    with pytest.raises(NetworkError, match=r"bad\.bif"):
        read_bif(path)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(NetworkError, match=r"cannot read .*none\.bif"):
        read_bif(tmp_path / "none.bif")
    with pytest.raises(NetworkError, match="cannot read"):
        read_bif(tmp_path)
    network = BayesianNetwork.random(Dag.from_edges(["a"]), 2)
    with pytest.raises(NetworkError, match="cannot write"):
        write_bif(network, tmp_path)


def test_reads_latin_1_and_byte_order_mark(tmp_path):
    text = bif("probability ( b | a ) { default 0 1; }", states="oui, né")
    path = tmp_path / "net.bif"
    for encoding in ("latin-1", "utf-8", "utf-8-sig"):
        path.write_bytes(text.encode(encoding))
        assert read_bif(path).states[0] == ("oui", "né")


@given(networks())
def test_text_round_trip_is_exact(network):
    assert parse_bif(format_bif(network)) == network


@pytest.mark.parametrize("name", ["net.bif", "net.bif.gz"])
def test_file_round_trip_is_exact(tmp_path, name):
    dag = Dag.from_edges(["a\nb", "c", 'd"'], [("c", "a\nb"), ('d"', "a\nb")])
    network = BayesianNetwork.random(dag, 3, seed=1)
    path = tmp_path / name
    write_bif(network, path)
    assert read_bif(path) == network
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    first = path.read_bytes()
    write_bif(network, path)
    assert path.read_bytes() == first
    assert (first[:2] == b"\x1f\x8b") == name.endswith(".gz")


def test_tiny_probabilities_survive():
    table = np.array([5e-324, 1e-17, 1.0])
    network = BayesianNetwork(Dag.from_edges(["v"]), (("a", "b", "c"),), (table,))
    assert parse_bif(format_bif(network)).tables[0].tolist() == table.tolist()
