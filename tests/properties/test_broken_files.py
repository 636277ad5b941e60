"""Broken files of all kinds but BIF: an error of ours that says something, or a result, soon."""

import gzip
import json
import warnings
import zipfile
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.data.door import read_dataset
from pathprior.data.readers import column_names
from pathprior.errors import BeliefError, DataError, NetworkError, PosteriorError, PriorError
from tests.broken import bounded, broken_bytes

pytestmark = pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")

HEADER = b"x,relation,y,probability,strength,source\n"
BELIEFS_CSV = HEADER + b'a,causes,b,0.9,,\nb,vector,c,0.1 0.7 0.1 0.1,20,"cohort, 2010"\n'
BELIEFS_JSON = json.dumps(
    [
        {"x": "a", "relation": "causes", "y": "b", "probability": 0.9, "source": "trial"},
        {"x": "b", "relation": "vector", "y": "c", "probability": [0.1, 0.7, 0.1, 0.1]},
    ]
).encode()
DATA = (
    b"a,b,c\nx,0,1\ny,1,2\nx,1,3\n",
    b'"a","b, c"\r\n"x\ny","1.0"\r\n"say ""z""",2\r\n',
    b"one\nx\n",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("broken")


@contextmanager
def result_or(error_type):
    """Allow the error, if it has something to say."""
    said = "no error"
    with bounded():
        try:
            yield
        except error_type as error:
            said = str(error).strip()
    assert said


def json_belief(**changes):
    row = {"x": "a", "relation": "causes", "y": "b", "probability": 0.5} | changes
    return json.dumps([row]).encode()


@settings(max_examples=300)
@given(broken_bytes([BELIEFS_CSV]) | st.binary())
@example(HEADER + b"x" * 200_000 + b",causes,b,0.5,,\n")
@example(b"\xef\xbb\xbf" + BELIEFS_CSV.replace(b"\n", b"\r\n"))
@example(BELIEFS_CSV.decode().encode("utf-16"))
@example(HEADER.replace(b"strength", b"x") + b"a,causes,b,0.5,1,\n")
@example(b"\0" * 100)
def test_csv_beliefs(folder, content):
    path = folder / "beliefs.csv"
    path.write_bytes(content)
    with result_or(BeliefError):
        assert isinstance(pp.read_beliefs(path), BeliefSet)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
COLUMN = st.sampled_from(["x", "relation", "y", "probability", "strength", "source"])


@settings(max_examples=300)
@given(
    broken_bytes([BELIEFS_JSON])
    | ANYTHING.map(lambda value: json.dumps(value).encode())
    | st.dictionaries(COLUMN, ANYTHING).map(lambda changes: json_belief(**changes))
)
@example(json_belief(probability=10**400))
@example(json_belief(strength=10**400))
@example(json_belief(probability=0).replace(b": 0", b": " + b"1" * 5000))
@example(json_belief(x="\ud800"))
@example(json_belief(source="\udfff"))
@example(json_belief(relation=["causes"]))
@example(b"[" * 100_000)
def test_json_beliefs(folder, content):
    path = folder / "beliefs.json"
    path.write_bytes(content)
    with result_or(BeliefError):
        beliefs = pp.read_beliefs(path)
        beliefs.to_csv(folder / "again.csv")
        beliefs.to_json(folder / "again.json")
        assert pp.read_beliefs(folder / "again.json") == beliefs


def check_table(path):
    table = read_dataset(path).discrete()
    assert table.variables == column_names(path)
    assert len(set(table.variables)) == table.num_variables
    for codes, states in zip(table.codes, table.states, strict=True):
        assert len(set(states)) == len(states) <= table.num_rows
        assert set(np.unique(codes)) == set(range(len(states)))


@settings(max_examples=300)
@given(broken_bytes(DATA) | st.binary())
@example(b"a,b\n1,x\n2\n3,y,z\n")
@example(b"a,b\n" + b"9" * 30 + b",x\n-1,y\n")
@example(b"a\n" + b"9" * 400 + b"\n1\n")
@example(b"a\n" + b"9" * 5000 + b"\n1\n")
@example(b"a,b\n18446744073709551615,x\n-1,y\n1.0,z\n")
@example(b"a,b\ninf,x\n1,y\n")
@example(b"a,b\n,x\n,y\n")
@example("größe,変数,\U0001f600\n1,2,3\n2,1,3\n".encode())
@example(b"a,b\n0x10,x\n1_0,y\n")
@example(b"a,b\n1e400,x\n-0.0,y\n0,y\n")
def test_csv_data(folder, content):
    path = folder / "data.csv"
    path.write_bytes(content)
    with result_or(DataError):
        check_table(path)


@pytest.fixture(scope="module")
def sheet(folder):
    pd.DataFrame({"a": ["x", "y", "x"], "b": [1, 2, 3]}).to_excel(folder / "s.xlsx", index=False)
    with zipfile.ZipFile(folder / "s.xlsx") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_spreadsheets(folder, sheet, data):
    name = data.draw(st.sampled_from(sorted(sheet)))
    broken = data.draw(broken_bytes([sheet[name]]) | st.none())
    with zipfile.ZipFile(folder / "broken.xlsx", "w") as archive:
        for other, content in sheet.items():
            if other != name or broken is not None:
                archive.writestr(other, broken if other == name else content)
    with result_or(DataError), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # openpyxl has its own to say
        read_dataset(folder / "broken.xlsx")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_pandas_notes_in_parquet_files(folder, data):
    pq = pytest.importorskip("pyarrow.parquet", reason="needs pathprior[parquet]")
    path = folder / "noted.parquet"
    pd.DataFrame({"a": ["x", "y", "x"], "b": [1, 2, 3]}).to_parquet(path)
    table = pq.read_table(path)
    noted = json.loads(table.schema.metadata[b"pandas"])
    place = data.draw(st.sampled_from(["index_columns", "columns", "column", "column_indexes"]))
    if place == "column":
        key = data.draw(st.sampled_from(sorted(noted["columns"][0])))
        noted["columns"][0][key] = data.draw(ANYTHING)
    elif data.draw(st.booleans()):
        del noted[place]
    else:
        noted[place] = data.draw(ANYTHING)
    pq.write_table(table.replace_schema_metadata({b"pandas": json.dumps(noted).encode()}), path)
    for read in (read_dataset, column_names):
        with result_or(DataError), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pandas has its own to say
            read(path)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_parquet_files(folder, data):
    pytest.importorskip("pyarrow", reason="needs pathprior[parquet]")
    path = folder / "damaged.parquet"
    pd.DataFrame({"a": ["x", "y", "x"], "b": [1, 2, 3]}).to_parquet(path)
    path.write_bytes(data.draw(broken_bytes([path.read_bytes()])))
    with result_or(DataError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read_dataset(path)


def test_a_parquet_file_is_not_to_be_saved_as_text(folder):
    pytest.importorskip("pyarrow", reason="needs pathprior[parquet]")
    path = folder / "letters.parquet"
    pd.DataFrame({"a": ["x", "y", "x"]}).to_parquet(path)
    path.write_bytes(path.read_bytes().replace(b'"numpy_type"', b'"numpy_typ\xff"'))
    with pytest.raises(DataError, match="not a whole Parquet file"):
        read_dataset(path)


@pytest.mark.parametrize("content", [b"," * 50_000_000 + b"\n", b"x" * 20_000_000])
def test_one_endless_line_is_refused_at_once(folder, content):
    path = folder / "line.csv.gz"
    path.write_bytes(gzip.compress(content, 1))
    with bounded(5.0), pytest.raises(DataError, match=r"the first line of .* has more than"):
        read_dataset(path)


CELL = st.sampled_from(["0", "1", "-1", "1.0", "2e0", "x", "é", 'q"', "a,b", "l\nm", " ", "True"])
CELL |= st.integers().map(str) | st.text(st.characters(codec="utf-8"), max_size=3)


@settings(max_examples=150)
@given(st.data(), st.integers(1, 4), st.integers(1, 6))
def test_any_well_formed_csv(folder, data, num_columns, num_rows):
    row = st.lists(CELL, min_size=num_columns, max_size=num_columns)
    rows = data.draw(st.lists(row, min_size=1 + num_rows, max_size=1 + num_rows))
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in cells) for cells in rows]
    path = folder / "data.csv"
    path.write_text("\n".join(quoted) + "\n", encoding="utf-8", newline="")
    with result_or(DataError):
        check_table(path)


@pytest.fixture(scope="module")
def saved(folder):
    pp.fit_prior([pp.causes("a", "b", 0.9)], ["a", "b", "c"]).save(folder / "prior.json")
    return (folder / "prior.json").read_bytes()


@settings(max_examples=200)
@given(st.data())
def test_saved_priors(folder, saved, data):
    path = folder / "broken.json"
    path.write_bytes(data.draw(broken_bytes([saved])))
    with result_or(PriorError):
        pp.load_prior(path)


def change_somewhere(content, data):
    """Put anything into some place of what a JSON file holds."""
    place, name = content, data.draw(st.sampled_from(sorted(content)))
    while isinstance(place[name], dict | list) and place[name] and data.draw(st.booleans()):
        place = place[name]
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        name = data.draw(st.sampled_from(keys))
    place[name] = data.draw(ANYTHING | st.just(10**400))


@settings(max_examples=200)
@given(st.data())
def test_saved_priors_of_other_types(folder, saved, data):
    content = json.loads(saved)
    change_somewhere(content, data)
    path = folder / "broken.json"
    path.write_text(json.dumps(content))
    with result_or(PriorError):
        assert set(pp.load_prior(path).table.columns)


@pytest.fixture(scope="module")
def saved_networks(folder):
    dag = pp.Dag.from_edges("abcd", [("a", "b"), ("a", "c"), ("b", "c"), ("b", "d")])
    path = folder / "network.json"
    contents = []
    for network in (
        pp.BayesianNetwork.random(dag, 2),
        pp.GaussianNetwork.random(dag),
        pp.MixedNetwork.random(dag, {"a": 2, "d": 3}),
    ):
        network.save(path)
        contents.append(path.read_bytes())
    return contents


@settings(max_examples=200)
@given(st.data())
def test_saved_networks(folder, saved_networks, data):
    path = folder / "broken.json"
    path.write_bytes(data.draw(broken_bytes(saved_networks)))
    with result_or(NetworkError):
        assert pp.read_network(path).num_parameters >= 0


@settings(max_examples=300)
@given(st.data())
def test_saved_networks_of_other_types(folder, saved_networks, data):
    content = json.loads(data.draw(st.sampled_from(saved_networks)))
    change_somewhere(content, data)
    path = folder / "broken.json"
    path.write_text(json.dumps(content))
    with result_or(NetworkError):
        assert len(pp.read_network(path).to_frame()) >= 0


@pytest.fixture(scope="module")
def sampled(folder):
    data = {"a": [0, 1, 1, 0], "b": [0, 1, 0, 0]}
    pp.sample_posterior(pd.DataFrame(data), [pp.causes("a", "b", 0.9)]).save(folder / "p.npz")
    return (folder / "p.npz").read_bytes()


@settings(max_examples=300)
@given(st.data())
def test_saved_posteriors(folder, sampled, data):
    path = folder / "broken.npz"
    path.write_bytes(data.draw(broken_bytes([sampled])))
    with result_or(PosteriorError):
        pp.load_posterior(path)


@settings(max_examples=200)
@given(st.data())
def test_saved_posteriors_of_other_contents(folder, sampled, data):
    arrays = dict(np.load(folder / "p.npz"))
    about = json.loads(arrays["about"].tobytes())
    if data.draw(st.booleans()):
        about[data.draw(st.sampled_from(sorted(about)))] = data.draw(ANYTHING)
    else:
        name = data.draw(st.sampled_from(["parents", "scores", "log_weights"]))
        shape = data.draw(st.sampled_from([arrays[name].shape, (), (0,), (1, 0), (1, 3), (2, 2)]))
        kind = data.draw(st.sampled_from(["<f8", "<u8", ">u8", "<i4", "?", "<U3", "<c16"]))
        fill = data.draw(st.sampled_from([0, 1, 3, 2**40]))
        arrays[name] = np.full(shape, fill).astype(kind)
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(folder / "broken.npz", **arrays)
    with result_or(PosteriorError):
        assert len(pp.load_posterior(folder / "broken.npz").edges)
