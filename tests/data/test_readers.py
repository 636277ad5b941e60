import gzip
import sys
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.data import growing, kinds, readers
from pathprior.data.door import read_dataset
from pathprior.data.readers import column_names
from pathprior.errors import DataError, PathPriorWarning

FRAME = pd.DataFrame(
    {
        "text": ["b", "a, c", "None", 'say "x"'],
        "number": [10, 9, 9, 1],
        "whole": [1.0, 2.0, 2.0, 10.0],
        "truth": [True, False, True, True],
    }
)


def same(a, b):
    a, b = a.discrete(), b.discrete()
    return (a.variables, a.states) == (b.variables, b.states) and np.array_equal(a.codes, b.codes)


@pytest.mark.parametrize("name", ["data.csv", "data.csv.gz", "data.parquet"])
def test_a_file_is_coded_as_its_frame(tmp_path, name):
    path = tmp_path / name
    if path.suffix == ".parquet":
        FRAME.to_parquet(path)
    else:
        FRAME.to_csv(path, index=False)
    assert same(read_dataset(path), read_dataset(FRAME))
    assert same(read_dataset(str(path)), read_dataset(FRAME))
    assert column_names(path) == tuple(FRAME.columns)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_columns_may_be_separated_as_spreadsheets_do(tmp_path, separator):
    path = tmp_path / "data.csv"
    FRAME.to_csv(path, index=False, sep=separator)
    assert same(read_dataset(path), read_dataset(FRAME))
    assert column_names(path) == tuple(FRAME.columns)


@pytest.mark.parametrize(
    ("name", "separator"),
    [("d.tsv", "\t"), ("d.tsv.gz", "\t"), ("d.txt", "\t"), ("d.txt", ";"), ("D.CSV", ",")],
)
def test_other_names_of_text_files(tmp_path, name, separator):
    FRAME.to_csv(tmp_path / name, index=False, sep=separator)
    assert same(read_dataset(tmp_path / name), read_dataset(FRAME))
    assert column_names(tmp_path / name) == tuple(FRAME.columns)


def test_a_txt_file_may_be_separated_by_blanks(tmp_path):
    path = tmp_path / "data.txt"
    path.write_text("age  sex\n  1   m\n 20   f\n")
    table = read_dataset(path).discrete()
    assert table.variables == ("age", "sex")
    assert table.states == (("1", "20"), ("f", "m"))


def test_an_excel_file_is_coded_as_its_frame(tmp_path, monkeypatch):
    seen = []

    def read_excel(path, **options):
        seen.append(options)
        return FRAME

    monkeypatch.setattr(pd, "read_excel", read_excel)
    assert same(read_dataset(tmp_path / "data.xlsx"), read_dataset(FRAME))
    assert column_names(tmp_path / "data.xls") == tuple(FRAME.columns)
    assert all("None" not in options["na_values"] for options in seen)


def test_a_real_excel_file(tmp_path):
    pytest.importorskip("openpyxl")
    FRAME.to_excel(tmp_path / "data.xlsx", index=False)
    assert same(read_dataset(tmp_path / "data.xlsx"), read_dataset(FRAME))


@pytest.mark.parametrize(("name", "package"), [("d.xlsx", "openpyxl"), ("d.xls", "xlrd")])
@pytest.mark.parametrize("read", [read_dataset, column_names])
def test_excel_without_its_reader_says_what_to_install(tmp_path, monkeypatch, read, name, package):
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / name).write_bytes(b"PK\3\4")
    with pytest.raises(DataError, match=f"{name} needs {package}: pip install {package}"):
        read(tmp_path / name)


def test_a_column_that_overflows_is_listed_with_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(growing, "MAX_STATES", 30)
    monkeypatch.setattr(readers, "CHUNK_CELLS", 20)
    path = tmp_path / "data.csv"
    rows = [f"s{k // 2},{'' if k % 7 == 0 else k % 2}" for k in range(100)] + [",1"]
    path.write_text("\n".join(["many,some", *rows]))
    with pytest.raises(DataError, match=r"'many' has more than 65536 .*\n.*'many' misses 1 of 101"):
        read_dataset(path)


def test_a_separator_within_a_single_quoted_name_separates_nothing(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('"a;b"\n"x,1"\ny\n')
    table = read_dataset(path).discrete()
    assert table.variables == ("a;b",)
    assert table.states == (("x,1", "y"),)


def test_parquet_keeps_categories_and_drops_the_index(tmp_path):
    frame = pd.DataFrame({"a": pd.Categorical(["y", "x"], categories=["y", "x"])}, index=["r", "s"])
    frame.to_parquet(tmp_path / "data.parquet")
    assert read_dataset(tmp_path / "data.parquet").discrete().states == (("y", "x"),)
    assert column_names(tmp_path / "data.parquet") == ("a",)


@given(
    rows=st.lists(
        st.tuples(st.sampled_from(["1", "2", "10", "1.0"]), st.sampled_from(["x", "7", "07"])),
        min_size=3,
        max_size=40,
    ),
    chunk_cells=st.integers(1, 30),
)
def test_chunks_do_not_show(tmp_path_factory, rows, chunk_cells):
    rows = [("1", "x"), ("2", "7"), ("1.0", "07"), *rows, ("10", "x")]
    path = tmp_path_factory.mktemp("chunks") / "data.csv"
    path.write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b in rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readers, "CHUNK_CELLS", chunk_cells)
        table = read_dataset(path).discrete()
    # Numbers are one state however they are written; texts stay as they are.
    assert table.states == (("1", "2", "10"), ("07", "7", "x"))
    for v in range(2):
        expected = [row[v].removesuffix(".0") for row in rows]
        assert np.array(table.states[v])[table.codes[v]].tolist() == expected


def test_states_may_pass_256_in_a_later_chunk(tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "CHUNK_CELLS", 100)
    monkeypatch.setattr(kinds, "FEWEST_ROWS", 1000)
    texts = [f"s{k}" for k in range(400)]
    path = tmp_path / "data.csv"
    path.write_text("\n".join(["a", *texts]))
    table = read_dataset(path).discrete()
    assert table.codes.dtype == np.uint16
    assert np.array(table.states[0])[table.codes[0]].tolist() == texts


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"a,b\n", "no rows"),
        (b"a,b\nx,\nNA,y\nnull,z\n", "'a' misses 2 of 3 values.*\n  'b' misses 1 of 3"),
        (b"a,b\nx,y\nz\n", "'b' misses 1 of 2 values"),
        (b"a,b\nx,y\nx,y,z\n", "cannot read .*line 3"),
        (b"a,b\nx,y,z\nx,y,z\n", "cannot read .*more cells than the first line"),
        (b"# from the clinic\na,b\nx,y\n", "cannot read .*names of the columns"),
        (b"a,a\nx,y\n", "name 'a' occurs twice"),
        (b",a\n0,x\n", "column 1 has no name.*index=False"),
        (b"a,b\n0.5,x\ninf,y\n", "'a' holds infinite numbers in 1 of 2 rows"),
        (b"a,b\n0.5,x\n,y\n", "'a' misses 1 of 2 values: missing='em' draws"),
        (b"a,b\n\xe9,x\ny,y\n", "is not UTF-8 text"),
        ("a,b\nx,y\n".encode("utf-16-le"), "is not UTF-8 text"),
        (b'a,b\n"x,y\n', "cannot read"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_csv_errors_say_what_to_fix(tmp_path, content, message):
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_dataset(path)


@pytest.mark.parametrize("name", ["data.csv", "data.csv.gz", "data.parquet"])
@pytest.mark.parametrize("read", [read_dataset, column_names])
def test_files_that_cannot_be_read(tmp_path, name, read):
    path = tmp_path / name
    with pytest.raises(DataError, match=r"cannot read .*data\."):
        read(path)
    path.mkdir()
    with pytest.raises(DataError, match=r"cannot read .*data\."):
        read(path)
    path.rmdir()
    path.write_bytes(np.random.default_rng(1).bytes(500))
    with pytest.raises(DataError, match=r"data\."):
        read(path)
    path.write_bytes(gzip.compress(b"a,b\nx,y\n" * 1000)[:-20])
    with pytest.raises(DataError, match=r"data\."):
        read(path)


@pytest.mark.parametrize("read", [read_dataset, column_names])
def test_unknown_formats_are_an_error(tmp_path, read):
    with pytest.raises(DataError, match=r"format of .*data\.sav: expected \.csv"):
        read(tmp_path / "data.sav")


@pytest.mark.parametrize("read", [read_dataset, column_names])
def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch, read):
    for module in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DataError, match=r"pip install 'pathprior\[parquet\]'"):
        read(tmp_path / "data.parquet")


def test_garbage_gives_an_error_or_a_table(tmp_path):
    path = tmp_path / "data.csv"
    for seed in range(200):
        rng = np.random.default_rng(seed)
        path.write_bytes(bytes(rng.choice(list(b'a1,"\n\r\0;\t .\xc3\xa9'), size=40).tolist()))
        with suppress(DataError, PathPriorWarning):
            read_dataset(path)


def test_parquet_is_read_column_by_column(tmp_path, monkeypatch):
    from pyarrow.parquet import ParquetFile

    frame = pd.DataFrame(
        {"a": [0.5, 1.5, 2.5], "a.b": list("xyx"), "c": [1, 2, 1]}, index=[3, 4, 5]
    )
    frame.to_parquet(tmp_path / "data.parquet")
    read, asked = ParquetFile.read, []

    def watch(file, columns):
        asked.append(columns)
        return read(file, columns=columns)

    monkeypatch.setattr(ParquetFile, "read", watch)
    dataset = read_dataset(tmp_path / "data.parquet")
    assert asked == [["a"], ["a.b"], ["c"]]
    assert dataset.variables == ("a", "a.b", "c")
    assert dataset.reals.values.tolist() == [[0.5, 1.5, 2.5]]
    assert dataset.coded.states == (("x", "y"), ("1", "2"))
