"""A write that fails or is interrupted leaves the old files, and nothing else."""

import errno
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.errors import BeliefError, CountingError, PathPriorError, PriorError, ReportError
from pathprior.network.bif import write_bif
from pathprior.report import write
from pathprior.report.write import write_fit

STEPS = ("format_bif", "fit_dot", "_save_picture", "support_table", "format_report", "summarise")


@pytest.fixture(scope="module")
def fit():
    beliefs = [pp.causes("smoke", "lung", 0.9)]
    return pp.learn(pp.load_network("asia").sample(200, seed=1), beliefs)


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}


def full_disk(*arguments, **options):
    raise OSError(errno.ENOSPC, "No space left on device")


def interrupt(*arguments, **options):
    raise KeyboardInterrupt


@pytest.fixture(params=["new", "old"])
def folder(request, fit, tmp_path):
    """A folder for results: not there yet, or with those of an earlier run."""
    place = tmp_path / "made" / "results"
    if request.param == "old":
        write_fit(fit, place, report=True)
        for path in place.iterdir():
            path.write_bytes(b"old")
    return place


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    ("failure", "expected"), [(full_disk, ReportError), (interrupt, KeyboardInterrupt)]
)
def test_results_appear_together_or_not_at_all(
    fit, folder, tmp_path, monkeypatch, step, failure, expected
):
    before = contents(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(write, step, failure)
        with pytest.raises(expected):
            write_fit(fit, folder, report=True)
    assert contents(tmp_path) == before
    assert folder.exists() == bool(before)
    files = write_fit(fit, folder, report=True)
    assert b"old" not in contents(tmp_path).values()
    assert len(list(folder.iterdir())) == 7
    assert json.loads(files.summary.read_text())["num_rows"] == 200


def test_every_failing_write_is_undone(fit, folder, tmp_path, monkeypatch):
    """The disk is full after so many bytes were written, for every file in turn."""
    before = contents(tmp_path)
    write_text = Path.write_text
    for num_written in range(4):
        calls = iter(range(100))

        def write_some(path, text, calls=calls, last=num_written, **options):
            if next(calls) == last:
                write_text(path, text[: len(text) // 2], **options)
                full_disk()
            return write_text(path, text, **options)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_text", write_some)
            with pytest.raises(ReportError, match=r"cannot write .*: No space left on device"):
                write_fit(fit, folder, report=True)
        assert contents(tmp_path) == before


def test_a_folder_in_the_place_of_a_file_stops_all(fit, tmp_path):
    (tmp_path / "edges.csv").mkdir()
    with pytest.raises(ReportError, match=r"cannot write .*edges\.csv: Is a directory"):
        write_fit(fit, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["edges.csv"]


@pytest.fixture
def blocked(tmp_path):
    """A path that cannot be written: its folder is a file."""
    (tmp_path / "file").write_text("")
    return tmp_path / "file" / "name"


def invoke(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None:
        raise result.exception


WRITERS = {
    "beliefs CSV": (BeliefError, lambda fit, path: fit.prior.beliefs.to_csv(path)),
    "beliefs JSON": (BeliefError, lambda fit, path: fit.prior.beliefs.to_json(path)),
    "prior": (PriorError, lambda fit, path: fit.prior.save(path)),
    "BIF": (PathPriorError, lambda fit, path: write_bif(fit.network(), path)),
    "network": (PathPriorError, lambda fit, path: fit.network().save(path)),
    "bnlearn": (PathPriorError, lambda fit, path: pp.write_bnlearn(fit.network(), path)),
    "report": (ReportError, lambda fit, path: fit.report(path)),
    "results": (ReportError, lambda fit, path: write_fit(fit, path)),
    "count": (
        CountingError,
        lambda fit, path: invoke("count", "--pairs", "X-Y", "--nodes", 4, "--out", path),
    ),
    "sample": (
        CountingError,
        lambda fit, path: invoke("sample", "--nodes", 4, "--size", 2, "--out", path),
    ),
}


@pytest.mark.parametrize(("error_type", "write_to"), WRITERS.values(), ids=WRITERS)
def test_unwritable_paths(fit, blocked, error_type, write_to):
    with pytest.raises(error_type, match=r"cannot write .*(File exists|Not a directory)"):
        write_to(fit, blocked)
    assert [path.name for path in blocked.parent.parent.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("writer", "command"),
    [
        ("numpy.savez_compressed", ["sample", "--nodes", 4, "--size", 2]),
        ("csv.writer", ["count", "--pairs", "X-Y", "--nodes", 4, "--no-cache"]),
    ],
)
def test_commands_leave_the_old_file(tmp_path, monkeypatch, writer, command):
    out = tmp_path / "out"
    out.write_text("old")
    monkeypatch.setattr(writer, full_disk)
    with pytest.raises(CountingError, match="No space left"):
        invoke(*command, "--out", out)
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]
