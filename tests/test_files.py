import pytest

from pathprior.files import replacing


def test_writes_whole_file_and_leaves_nothing_else(tmp_path):
    target = tmp_path / "new" / "a.txt"
    with replacing(target) as temporary:
        temporary.write_text("done")
        assert not target.exists()
    assert target.read_text() == "done"
    assert list(target.parent.iterdir()) == [target]


def test_failure_keeps_the_old_file(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(RuntimeError, match="half way"), replacing(target) as temporary:
        temporary.write_text("ne")
        raise RuntimeError("half way")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_gives_ordinary_permissions(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("")
    with replacing(tmp_path / "ours") as temporary:
        temporary.write_text("")
    assert (tmp_path / "ours").stat().st_mode == plain.stat().st_mode
