"""The same address in a folder each time, and who may learn it."""

import os
import socket

import pytest

pytest.importorskip("uvicorn", reason="needs pathprior[studio]")

from pathprior.studio.address import (
    FIRST_PORT,
    KEY_BYTES,
    NUM_PORTS,
    read_key,
    secret_of,
    usual_port,
)
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
    with serving(place, "cohort.csv") as first, serving(place, "cohort.csv") as second:
        assert first.url.port != second.url.port
        assert first.url.path != second.url.path  # who has the port may know that secret
        assert f"Port {first.url.port}" in second.process.stdout.readline().decode()
        assert second.call("GET", "")[0] == 200


def test_a_port_that_was_asked_for_is_taken_or_there_is_none(place):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        free = other.getsockname()[1]
    with serving(place, "--port", str(free)) as server:
        assert server.url.port == free


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
