import json
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.beliefs.belief import Belief, associated, causes, relation
from pathprior.beliefs.belief_file import read_beliefs
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.event import Event
from pathprior.errors import BeliefError
from pathprior.prior.fit import fit_prior

HEADER = "x,relation,y,probability"

EXPECTED = BeliefSet(
    [
        causes("exercise", "osteoporosis", 0.8),
        associated("smoking", "exercise", 0.95, strength=20, source="cohort, 2010"),
        relation("calcium", "diet", (0.1, 0.7, 0.1, 0.1)),
    ]
)

CSV = """x,relation,y,probability,strength,source
exercise,causes,osteoporosis,0.8,,

smoking, associated ,"exercise",.95,20,"cohort, 2010"
calcium,VECTOR,diet,0.1 0.7 0.1  0.1,,
"""


@pytest.mark.parametrize(
    "data",
    [
        CSV.encode(),
        b"\n\n" + CSV.encode(),
        CSV.encode("utf-8-sig"),
        CSV.encode("utf-16"),
        CSV.replace("\n", "\r\n").encode(),
        CSV.replace('"cohort, 2010"', "cohort@ 2010").replace(",", "\t").replace("@", ",").encode(),
    ],
    ids=["plain", "blank-lines", "bom", "utf-16", "crlf", "tabs"],
)
def test_reads_what_spreadsheets_write(tmp_path, data):
    file = tmp_path / "beliefs.csv"
    file.write_bytes(data)
    assert read_beliefs(file) == EXPECTED


def test_reads_semicolons(tmp_path):
    file = tmp_path / "beliefs.csv"
    file.write_text("x;relation;y;probability\na;causes;b;0.3\n")
    assert read_beliefs(file) == BeliefSet([causes("a", "b", 0.3)])


def test_reads_json(tmp_path):
    file = tmp_path / "beliefs.json"
    rows = [
        {"x": "a", "relation": "causes", "y": "b", "probability": 1},
        {"x": "a", "relation": "vector", "y": "c", "probability": [0.1, 0.7, 0.1, 0.1]},
        {"x": "a", "relation": "vector", "y": "d", "probability": "1 0 0 0", "strength": None},
    ]
    file.write_text(json.dumps(rows))
    assert read_beliefs(file) == BeliefSet(
        [
            causes("a", "b", 1),
            relation("a", "c", (0.1, 0.7, 0.1, 0.1)),
            relation("a", "d", (1, 0, 0, 0)),
        ]
    )


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("b.csv", f"{HEADER}\nx,causes,y,1.5", r"b\.csv, line 2: probability 1\.5 is outside"),
        ("b.csv", f"{HEADER}\n\nx,causes,y,often", r"b\.csv, line 3: probability 'often' is not"),
        ("b.csv", f"{HEADER}\nx,causes,y,", "line 2: a statement without a probability needs"),
        ("b.csv", f"{HEADER}\nx,causes,y,70%", r"'70%' is not a number \(write 80% as 0\.8\)"),
        ("b.csv", f'{HEADER}\nx,causes,y,"0,5"', "decimals with a point"),
        ("b.csv", f"{HEADER}\nx,causes,x,0.5", r"line 2: .*not 'x' twice"),
        ("b.csv", f"{HEADER}\nx,cuases,y,0.5", r"line 2: unknown relation 'cuases'; did you mean"),
        ("b.csv", f"{HEADER}\nx,vector,y,0.5 0.5 0.5 0", r"line 2: .*sum to 1\.5"),
        ("b.csv", f"{HEADER}\nx,causes,y,0.1 0.2", r"line 2: .*takes 1 probability, not 2"),
        ("b.csv", f"{HEADER}\nx,causes,y", r"line 2: 3 values for 4 columns"),
        ("b.csv", f'{HEADER}\nx,causes,"y,0.5', r"line 2: bad quoting"),
        ("b.csv", f'{HEADER},source\nx,causes,y,0.5,"a\nb"\nx,causes,y,2,', r"line 4: .* 2 is out"),
        ("b.csv", f"{HEADER},strength\nx,causes,y,0.5,-1", r"line 2: strength -1\.0 must be"),
        ("b.csv", f"{HEADER},strength\nx,causes,y,0.5,1 2", r"line 2: strength '1 2' must be one"),
        ("b.csv", f"{HEADER},strenght\nx,causes,y,0.5,1", r"line 1: .*did you mean 'strength'"),
        ("b.csv", "x,y,probability\nx,y,0.5", r"line 1: column 'relation' is missing"),
        ("b.csv", f"{HEADER},x\nx,causes,y,1,x", r"line 1: column 'x' appears twice"),
        ("b.csv", "", r"b\.csv: no beliefs"),
        ("b.csv", HEADER, r"b\.csv: no beliefs"),
        ("b.json", "[{,", r"b\.json, line 1: not JSON"),
        ("b.json", "{}", "expected an array of objects, not dict"),
        ("b.json", "[3]", r"entry 1: expected an object"),
        ("b.json", '[{"x": "a", "x": "b"}]', r"b\.json: 'x' appears twice in one object"),
        ("b.json", "[" * 100_000, "nested too deeply"),
        (
            "b.json",
            '[{"x": "a", "relation": "causes", "y": "b", "probability": true}]',
            "entry 1: probability True is not a number",
        ),
        (
            "b.json",
            '[{"x": 1, "relation": "causes", "y": "b", "probability": 0.5}]',
            "entry 1: a variable name must be a non-empty string, not 1",
        ),
    ],
)
def test_errors_name_file_line_and_value(tmp_path, name, data, message):
    file = tmp_path / name
    file.write_text(data)
    with pytest.raises(BeliefError, match=message):
        read_beliefs(file)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (f"{HEADER}\ncafé,causes,y,0.5".encode("latin-1"), "line 2: byte 0xe9 is not UTF-8"),
        (b"PK\x03\x04\x00\x00", "not a text file"),
        (None, "cannot be read: No such file"),
    ],
)
def test_unreadable_files(tmp_path, data, message):
    file = tmp_path / "b.csv"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(BeliefError, match=message):
        read_beliefs(file)


names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).map(str.strip)
probabilities = st.sampled_from([0.0, 1.0]) | st.floats(1e-300, 1)


@st.composite
def beliefs(draw):
    x, y = draw(st.lists(names.filter(bool), min_size=2, max_size=2, unique=True))
    event = draw(st.sampled_from(list(Event)))
    return Belief(
        x,
        event.value,
        y,
        (draw(probabilities),),
        draw(st.floats(1e-3, 1e6)),
        draw(names),
    )


@given(st.lists(beliefs(), min_size=1, max_size=5, unique=True), st.sampled_from(["csv", "json"]))
def test_write_then_read_is_the_identity(tmp_path_factory, items, kind):
    file = tmp_path_factory.mktemp("beliefs") / f"b.{kind}"
    before = BeliefSet(items)
    getattr(before, f"to_{kind}")(file)
    assert read_beliefs(file) == before


# -- what floats do not tell from 0 and 1 ----------------------------------------------------------

NEARLY = ["1e-400", "-1e-400", "1e-320", "0.99999999999999999", "1.00000000000000001", "1e-9999999"]


@pytest.mark.parametrize("text", NEARLY)
def test_nothing_becomes_certain_by_rounding(tmp_path, text):
    name = re.escape(f"probability {text} is too near")
    (tmp_path / "b.csv").write_text(f"{HEADER}\na,causes,b,{text}\n")
    with pytest.raises(BeliefError, match=f"b.csv, line 2: {name}"):
        read_beliefs(tmp_path / "b.csv")
    row = f'[{{"x": "a", "relation": "causes", "y": "b", "probability": {text}}}]'
    (tmp_path / "b.json").write_text(row)
    with pytest.raises(BeliefError, match=f"b.json, entry 1: {name}"):
        read_beliefs(tmp_path / "b.json")
    (tmp_path / "b.csv").write_text(f"{HEADER}\na,vector,b,0.5 0.5 0 {text}\n")
    with pytest.raises(BeliefError, match=name):
        read_beliefs(tmp_path / "b.csv")
    (tmp_path / "b.json").write_text(row.replace(text, f"[0.5, 0.5, 0, {text}]"))
    with pytest.raises(BeliefError, match=name):
        read_beliefs(tmp_path / "b.json")


@pytest.mark.parametrize("text", ["0", "0.0", "0e-999", "1", "1.000", "10e-1", "1e-300", "0.3"])
def test_what_is_meant_is_kept(tmp_path, text):
    (tmp_path / "b.csv").write_text(f"{HEADER}\na,causes,b,{text}\n")
    row = f'[{{"x": "a", "relation": "causes", "y": "b", "probability": {text}}}]'
    (tmp_path / "b.json").write_text(row)
    for name in ("b.csv", "b.json"):
        assert read_beliefs(tmp_path / name)[0].stated == (float(text),)


def test_exact_numbers_are_not_rounded_to_certainty():
    for tiny in (Fraction(1, 10**400), 1e-320, np.float64(1e-310)):
        with pytest.raises(BeliefError, match="too near 0"):
            causes("a", "b", tiny)
    with pytest.raises(BeliefError, match="too near 1"):
        causes("a", "b", 1 - Fraction(1, 10**20))
    assert causes("a", "b", Fraction(1)).is_hard
    assert not causes("a", "b", 1e-300).is_hard
    assert not causes("a", "b", 0.9999999999999999).is_hard


@pytest.mark.parametrize("probability", [1e-300, 1e-30, 0.9999999999999999])
def test_the_nearest_probabilities_are_fitted(probability):
    for size in (3, 20):
        prior = fit_prior([causes("v0", "v1", probability)], [f"v{k}" for k in range(size)])
        assert prior.table["fitted"][0] == pytest.approx(probability, rel=1e-6)
        assert np.isfinite(prior.log_weights).all()
