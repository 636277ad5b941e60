import pytest


@pytest.fixture(autouse=True)
def cache_directory(tmp_path, monkeypatch):
    """A cache of its own for every test."""
    directory = tmp_path / "cache"
    monkeypatch.setenv("PATHPRIOR_CACHE", str(directory))
    return directory
