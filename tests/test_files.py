import os
import signal
import subprocess
import sys

import pytest

from pathprior.files import holding, replacing


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


def test_one_at_a_time_holds_a_lock(tmp_path):
    path = tmp_path / "lock"
    path.write_text("left by one that was killed")
    with holding(path) as first, holding(path) as second:
        assert (first, second) == (True, False)
    assert not path.exists()
    with holding(path) as third:
        assert third
    with holding(tmp_path / "none" / "lock") as where_nothing_can_be_written:
        assert where_nothing_can_be_written


def killed_in(folder):
    """Kill a process while it writes a file in a folder."""
    program = (
        "import os, sys, signal; from pathprior.files import replacing\n"
        "with replacing(sys.argv[1]) as new:\n"
        "    new.write_text('ha'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", program, folder / "a.csv"])
    assert done.returncode == -signal.SIGKILL


def test_what_a_killed_writer_left_goes_with_the_next_write(tmp_path):
    killed_in(tmp_path)
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".new-")
    with replacing(tmp_path / "b.csv") as temporary:
        temporary.write_text("done")
    assert [path.name for path in tmp_path.iterdir()] == ["b.csv"]


def test_what_a_living_writer_has_under_way_stays(tmp_path):
    program = (
        "import sys; from pathprior.files import replacing\n"
        "with replacing(sys.argv[1]) as new:\n"
        "    new.write_text('theirs'); print('under way', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, tmp_path / "theirs"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        for name in ("one", "two"):
            with replacing(tmp_path / name) as ours, replacing(tmp_path / "three") as third:
                ours.write_text(name)
                third.write_text(name)
        other.communicate()
    assert other.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "theirs", "three", "two"]
    assert (tmp_path / "theirs").read_text() == "theirs"


def test_a_temporary_that_is_saved_to_stays_while_others_are_made(tmp_path):
    with replacing(tmp_path / "a") as first:
        with replacing(first) as again:
            again.write_text("a")
        with replacing(tmp_path / "b") as second:
            second.write_text("b")
        assert first.read_text() == "a"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_only_plain_files_of_our_naming_are_cleared(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("kept")
    (tmp_path / ".new-notes.txt").write_text("somebody's own")
    (tmp_path / ".new-linked01.csv").symlink_to(secret)
    (tmp_path / ".new-folder01").mkdir()
    os.mkfifo(tmp_path / ".new-apipe001")
    before = set(tmp_path.iterdir())
    with replacing(tmp_path / "a") as temporary:
        temporary.write_text("")
    assert set(tmp_path.iterdir()) == before | {tmp_path / "a"}
    assert secret.read_text() == "kept"
