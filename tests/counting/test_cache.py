from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pathprior.counting import cache
from pathprior.counting.configurations import count_configurations

PAIRS = [("x", "y"), ("y", "z"), ("z", "w"), ("w", "v")]


def count(pairs=PAIRS, **options):
    return count_configurations(pairs, 9, num_samples=500, **options)


@pytest.fixture
def no_computing(monkeypatch):
    """Make computing anything an error, once asked for."""

    def fail(self, shape, method):
        raise AssertionError(f"computed {method}")

    return lambda: monkeypatch.setattr("pathprior.counting.solution.Solver._compute", fail)


def test_second_answer_comes_from_disk(cache_directory, no_computing):
    first = count()
    assert len(list(cache_directory.iterdir())) == 1
    no_computing()
    second = count()
    assert np.array_equal(first.probabilities, second.probabilities)
    assert np.array_equal(first.standard_errors, second.standard_errors)


def test_exact_integers_survive(no_computing):
    first = count_configurations([(0, 1), (1, 2)], 30)
    no_computing()
    assert count_configurations([(0, 1), (1, 2)], 30).counts == first.counts


def test_renamed_and_turned_pairs_share_an_entry(no_computing):
    first = count()
    no_computing()
    turned = count([(f"{y}'", f"{x}'") for x, y in PAIRS])
    swap = np.array([1, 0, 2, 3])
    rows = map(tuple, swap[first.configurations].tolist())
    expected = dict(zip(rows, first.probabilities, strict=True))
    found = dict(zip(map(tuple, turned.configurations.tolist()), turned.probabilities, strict=True))
    assert found == expected


def test_laplace_is_not_part_of_the_question(no_computing):
    count(laplace=0)
    no_computing()
    assert count(laplace=1).probabilities.min() > 0


@pytest.mark.parametrize(
    "options", [{"seed": 1}, {"placements": 1}, {"method": "fact"}, {"num_samples": 501}]
)
def test_other_questions_are_computed(options, cache_directory):
    count_configurations(PAIRS, 9, **({"num_samples": 500} | {"method": "full"}))
    count_configurations(PAIRS, 9, **({"num_samples": 500, "method": "full"} | options))
    assert len(list(cache_directory.iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"not a zip file", b"PK\x03\x04 and no more"])
def test_damaged_files_are_ignored_and_rewritten(damage, cache_directory, no_computing):
    first = count()
    (path,) = cache_directory.iterdir()
    whole = path.stat().st_size
    path.write_bytes(damage)
    assert cache.entries()[0].key == ""
    assert np.array_equal(count().probabilities, first.probabilities)
    assert path.stat().st_size == whole
    no_computing()
    count()


def test_truncated_and_flipped_files_are_ignored(cache_directory):
    first = count()
    (path,) = cache_directory.iterdir()
    content = path.read_bytes()
    for broken in (
        content[:-40],
        content[: len(content) // 2],
        content[:60] + b"????" + content[64:],
    ):
        path.write_bytes(broken)
        assert np.array_equal(count().probabilities, first.probabilities)


def test_an_answer_to_another_question_is_not_believed(cache_directory):
    count()
    (path,) = cache_directory.iterdir()
    other = count_configurations([("a", "b")], 9)
    other_path = next(p for p in cache_directory.iterdir() if p != path)
    path.write_bytes(other_path.read_bytes())
    assert count().configurations.shape[1] == 4
    assert other.configurations.shape[1] == 1


def test_switching_off(cache_directory, monkeypatch):
    count(cache=False)
    assert not cache_directory.exists()
    monkeypatch.setenv("PATHPRIOR_CACHE", "off")
    count()
    assert not cache_directory.exists()
    assert cache.directory() is None
    assert cache.entries() == []
    assert cache.clear() == 0


def test_unwritable_directory_is_no_error(tmp_path, monkeypatch):
    blocked = tmp_path / "a file"
    blocked.write_text("in the way")
    monkeypatch.setenv("PATHPRIOR_CACHE", str(blocked))
    assert count().probabilities.sum() == pytest.approx(1)


def test_default_directory(monkeypatch):
    monkeypatch.delenv("PATHPRIOR_CACHE")
    assert cache.directory().parts[-2:] == ("pathprior", "counts")


def test_entries_and_clear():
    count()
    count_configurations([("a", "b")], 9)
    keys = sorted(entry.key for entry in cache.entries())
    assert keys[0].startswith("format=2 nodes=9 pairs=((0, 1),")
    assert all(entry.num_bytes > 0 for entry in cache.entries())
    assert cache.clear() == 2
    assert cache.entries() == []


def test_a_file_without_some_array_is_ignored(cache_directory):
    first = count()
    (path,) = cache_directory.iterdir()
    with np.load(path) as stored:
        arrays = dict(stored)
    for name in arrays:
        np.savez(path, **{other: arrays[other] for other in arrays if other != name})
        assert np.array_equal(count().probabilities, first.probabilities)


@pytest.mark.parametrize(
    "change", [lambda a: a[:-1], lambda a: a[..., None], lambda a: a.astype("f4")]
)
@pytest.mark.parametrize("name", ["configurations0", "probabilities0"])
def test_a_file_with_arrays_of_another_shape_or_kind_is_ignored(cache_directory, name, change):
    first = count()
    (path,) = cache_directory.iterdir()
    with np.load(path) as stored:
        arrays = dict(stored)
    np.savez(path, **arrays | {name: change(arrays[name])})
    assert np.array_equal(count().probabilities, first.probabilities)


@pytest.mark.parametrize("num_rows", [0, 1, -1])
def test_a_file_without_some_rows_is_ignored(cache_directory, num_rows):
    """All arrays still belong together, but a table of some rows would be believed for all."""
    first = count()
    (path,) = cache_directory.iterdir()
    with np.load(path) as stored:
        arrays = {name: array[:num_rows] if array.ndim else array for name, array in stored.items()}
    np.savez(path, **arrays)
    assert np.array_equal(count().probabilities, first.probabilities)


def test_a_file_about_fewer_pairs_is_ignored(cache_directory):
    first = count()
    (path,) = cache_directory.iterdir()
    with np.load(path) as stored:
        arrays = dict(stored)
    arrays["configurations0"] = arrays["configurations0"][:, :1]
    np.savez(path, **arrays)
    assert np.array_equal(count().probabilities, first.probabilities)


def test_concurrent_writers_and_readers(cache_directory):
    expected = count().probabilities
    (path,) = cache_directory.iterdir()

    def write_or_read(i):
        if i % 3 == 0:
            path.unlink(missing_ok=True)
        return np.array_equal(count().probabilities, expected)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(write_or_read, range(24)))
    assert list(cache_directory.iterdir()) == [path]
