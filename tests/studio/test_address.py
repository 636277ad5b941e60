"""The same address in a folder each time, and who may learn it."""

import os
import shutil
import signal
import socket
import subprocess
import sys

import pytest

pytest.importorskip("uvicorn", reason="needs pathprior[studio]")

from pathprior.studio import peers
from pathprior.studio.address import (
    FIRST_PORT,
    KEY_BYTES,
    NUM_PORTS,
    read_key,
    secret_of,
    usual_port,
)
from pathprior.studio.peers import TABLE
from tests.studio.conftest import serving

KEY = bytes(range(KEY_BYTES))


def test_a_folder_has_the_same_address_after_a_restart(place):
    addresses = []
    for _ in range(2):
        with serving(place, "cohort.csv") as server:
            addresses.append(server.address)
            assert server.call("GET", "")[0] == 200
    assert addresses[0] == addresses[1]
    with serving(place, "--beliefs", "other.csv") as server:
        assert server.address != addresses[0]


def test_a_port_that_is_taken_is_said_and_another_taken(place):
    with serving(place, "cohort.csv") as first:
        pass
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", first.url.port))
        other.listen()
        with serving(place, "cohort.csv") as second:
            assert first.url.port != second.url.port
            assert first.url.path != second.url.path  # who has the port may know that secret
            assert f"Port {first.url.port}" in second.process.stdout.readline().decode()
            assert second.call("GET", "")[0] == 200


def test_two_studios_never_have_one_belief_file(place):
    with serving(place, "cohort.csv") as first:
        before = first.state()["session"]
        again = [sys.executable, "-c", "from pathprior.cli import main; main()", "studio"]
        second = subprocess.run(
            [*again, "--no-open", "--port", "0"], cwd=place, capture_output=True, text=True
        )
        assert second.returncode == 2
        assert "another studio has beliefs.csv open" in " ".join(second.stderr.split())
        assert first.state()["session"] == before
        with serving(place, "--beliefs", "other.csv") as third:
            assert third.call("GET", "")[0] == 200
        os.kill(first.process.pid, signal.SIGKILL)  # what it leaves keeps nobody off
        first.process.wait()
    with serving(place, "cohort.csv") as fourth:
        assert fourth.call("GET", "")[0] == 200
    assert not list(place.glob(".*.studio.lock"))


def test_a_port_that_was_asked_for_is_taken_or_there_is_none(place):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        free = other.getsockname()[1]
    with serving(place, "--port", str(free)) as server:
        assert server.url.port == free


VISIT = """
import sys, http.client
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=60)
connection.request("GET", sys.argv[2])
answer = connection.getresponse()
print(answer.status, answer.read().decode()[:40])
"""


@pytest.mark.skipif(
    not TABLE.exists() or os.getuid() != 0, reason="only root can ask as somebody else"
)
def test_another_user_who_knows_the_secret_is_refused(place):
    with serving(place, "cohort.csv") as server:
        # somebody else may not read the interpreter of root
        python = {"root": sys.executable, "nobody": shutil.which("python3", path="/usr/bin")}
        if python["nobody"] is None:
            pytest.skip("needs an interpreter that everybody may run")
        for user, said in (("root", "200"), ("nobody", "403 another user of this machine")):
            visit = [python[user], "-I", "-c", VISIT, str(server.url.port), server.url.path]
            asked = subprocess.run(visit, user=user, capture_output=True, text=True, cwd="/")
            assert asked.stdout.startswith(said), asked.stderr


def test_only_an_end_that_is_held_has_an_owner(tmp_path, monkeypatch):
    rows = [
        f"{k}: {peers._written('127.0.0.1', port)} {peers._written('127.0.0.1', 8000)} {state} "
        f"0:0 0:0 0 {user} 0 1"
        for k, (port, state, user) in enumerate([(1, "01", 7), (2, "06", 0), (3, "04", 0)])
    ]
    (tmp_path / "tcp").write_text("\n".join(["sl local_address", *rows]))
    monkeypatch.setattr(peers, "TABLE", tmp_path / "tcp")
    here = ("127.0.0.1", 8000)
    assert [peers.owner(here, port) for port in (1, 2, 3, 4)] == [7, None, None, None]
    assert peers.owner(("127.0.0.1", 8001), 1) is None


def test_where_the_system_does_not_say_who_it_is_the_secret_is_enough(tmp_path, monkeypatch):
    monkeypatch.setattr(peers, "TABLE", tmp_path / "none")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert peers.peer_check(listening.getsockname())(1)


@pytest.mark.skipif(not TABLE.exists(), reason="as Linux tells")
def test_our_own_connections_may_enter_and_those_that_nobody_holds_may_not():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        here = listening.getsockname()
        may_enter = peers.peer_check(here)
        with socket.create_connection(here) as own:
            port = own.getsockname()[1]
            assert may_enter(port)
        assert not may_enter(port)


def test_addresses_follow_from_key_folder_and_port():
    folders = [f"/home/{k}/beliefs.csv" for k in range(50)]
    ports = [usual_port(KEY, folder) for folder in folders]
    assert all(FIRST_PORT <= port < FIRST_PORT + NUM_PORTS for port in ports)
    assert len(set(ports)) > 45
    known = [secret_of(KEY, folders[0], 1), secret_of(KEY, folders[0], 2)]
    known += [secret_of(KEY, folders[1], 1), secret_of(KEY[::-1], folders[0], 1)]
    assert len(set(known)) == 4
    assert all(len(secret) == 40 for secret in known)


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
def test_the_key_is_its_owners_alone(tmp_path):
    path = tmp_path / "state" / "key"
    key = read_key(path)
    assert len(key) == KEY_BYTES
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key(path) == key
    path.chmod(0o644)  # others may have read it
    assert read_key(path) != key
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(b"short")
    assert len(read_key(path)) == KEY_BYTES
