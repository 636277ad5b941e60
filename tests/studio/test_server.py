"""The server over HTTP: locks, limits, several tabs, and processes that end with it."""

import json
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("uvicorn", reason="needs pathprior[studio]")

import pathprior as pp
from pathprior.errors import StudioError
from pathprior.files import saving
from pathprior.studio.folder import Folder
from pathprior.studio.opening import private_page
from tests.studio.conftest import TAG, row, serving

BELIEF = row("exercise", "causes", "osteoporosis", 0.9)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    place = tmp_path_factory.mktemp("served")
    table = "a,b,c,d\n" + "".join(
        f"{k % 2},{k % 3 % 2},{k % 5 % 2},{k % 7 % 2}\n" for k in range(80)
    )
    (place / "data.csv").write_text(table.replace("a,b", f"{TAG},b"))
    with serving(place, "data.csv") as started:
        started.place = place
        yield started


def children(pid):
    """Processes that a process has started, as Linux counts them."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


def has_ended(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_until(is_so, seconds=180):
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.05)


def test_serves_its_page_and_nothing_else(server):
    status, text, headers = server.call("GET", "")
    assert status == 200
    assert "pathprior studio" in text
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers
    for name in ("main.js", "style.css", "cytoscape.js"):
        assert server.call("GET", name)[0] == 200
    for name in ("../app.py", "page/../app.py", "%2e%2e/app.py", "data.csv", "studio.css/../x"):
        assert server.call("GET", name)[0] in (403, 404), name


def test_refuses_other_tokens_hosts_and_origins(server):
    change = {"revision": 1, "change": {"kind": "add", "belief": BELIEF}}
    before = server.state()["session"]["revision"]
    assert server.call("GET", "/", base="")[0] == 403
    assert server.call("GET", "/wrong/api/state", base="")[0] == 403
    assert server.call("GET", "api/state", headers={"Host": "evil.example"})[0] == 403
    assert server.call("GET", "api/state", headers={"Origin": "http://evil.example"})[0] == 403
    for origin in ("http://evil.example", "null"):
        status, *_ = server.call("POST", "api/change", change, {"Origin": origin})
        assert status == 403
    assert server.state()["session"]["revision"] == before


def test_a_stale_change_gets_the_state_of_now(server):
    revision = server.state()["session"]["revision"]
    change = {"kind": "add", "belief": row("b", "causes", "c", 0.6)}
    assert server.call("POST", "api/change", {"revision": revision, "change": change})[0] == 200
    status, text, _ = server.call("POST", "api/change", {"revision": revision, "change": change})
    assert status == 409
    assert json.loads(text)["session"]["revision"] == revision + 1
    assert server.change("undo")[0] == 200


def test_says_what_is_wrong(server):
    status, text, _ = server.change("add", belief=row("b", "causes", "b", 0.6))
    assert status == 422
    assert "two different variables" in text
    assert server.call("POST", "api/change", "{")[0] == 400
    assert server.call("POST", "api/change", "[1]")[0] == 400
    assert server.call("POST", "api/change", {"revision": "1", "change": {}})[0] == 400
    assert server.call("POST", "api/run", {"timeLimit": "long"})[0] == 400
    assert server.call("POST", "api/run", {"timeLimit": -1})[0] == 422
    assert server.ask_range("b", "causes", "nobody")[0] == 422
    assert server.call("GET", "api/file/passwd")[0] == 404
    assert server.call("GET", "report")[0] == 404


def test_refuses_what_is_too_large(server):
    assert server.call("POST", "api/change", "x" * (2 << 20))[0] == 413


def test_a_dropped_file_goes_into_the_folder_and_nowhere_else(server):
    assert server.call("PUT", "api/data/new.csv", "x,y\n0,1\n1,0\n")[0] == 200
    assert (server.place / "new.csv").read_text() == "x,y\n0,1\n1,0\n"
    status, text, _ = server.call("PUT", "api/data/data.csv", "x,y\n0,1\n")
    assert status == 422
    assert "already" in text
    for name in ("..%2Fout.csv", "%2Ftmp%2Fout.csv", "..%5Cout.csv"):
        assert server.call("PUT", f"api/data/{name}", "x\n")[0] in (404, 422), name
    assert not (server.place.parent / "out.csv").exists()


@pytest.mark.parametrize(
    "name",
    [
        ".bash_profile",
        ".hidden.csv",
        "sitecustomize.py",
        "Makefile",
        "x.csv.sh",
        "two\nlines.csv",
        "bell\x07.csv",
        "turned\u202evsc.csv",
        "stream:x.csv",
        "beliefs.csv",
        "BELIEFS.csv",
        "x" * 97 + ".csv",
        "🦴" * 80 + ".csv",
    ],
)
def test_only_data_files_come_into_the_folder(server, name):
    before = sorted(server.place.iterdir())
    shown = quote(name, safe="")
    assert server.call("PUT", f"api/data/{shown}", "x,y\n0,1\n")[0] == 422
    assert sorted(server.place.iterdir()) == before


def test_a_file_that_came_meanwhile_is_not_replaced(place, monkeypatch):
    folder = Folder(place, "beliefs.csv")
    with (
        pytest.raises(StudioError, match="already"),
        saving(folder.arrival("new.csv"), StudioError),
    ):
        (place / "new.csv").write_text("theirs")
        folder.arrival("new.csv")
    assert (place / "new.csv").read_text() == "theirs"


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
def test_the_browser_is_started_on_a_page_that_nobody_else_can_read(place):
    record = place / "browser.py"
    record.write_text(
        "import os, sys, urllib.request\n"
        "page = urllib.request.urlopen(sys.argv[1])\n"
        "mode = oct(os.stat(page.url.removeprefix('file:')).st_mode & 0o777)\n"
        "with open('seen', 'w') as seen:\n"
        "    print(sys.argv[1], mode, page.read().decode(), file=seen)\n"
        "os.rename('seen', 'opened')\n"
    )
    with serving(place, "cohort.csv", browser=f"{sys.executable} {record} %s") as server:
        wait_until((place / "opened").exists)
        argument, mode, page = (place / "opened").read_text().split(maxsplit=2)
        secret = server.url.path.strip("/")
        assert len(secret) > 20
        assert secret not in argument
        assert mode == "0o600"
        assert f"url={server.address}" in page
        assert not any(secret.encode() in line for line in command_lines())
    assert not (place / ".beliefs.studio.html").exists()


def command_lines():
    """What `ps` shows of all programs, where there is /proc."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            yield path.read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="links and permissions as POSIX has them")
def test_the_page_that_opens_it_is_never_written_where_somebody_waits_for_it(tmp_path):
    page, trap = tmp_path / "page.html", tmp_path / "trap"
    trap.write_text("")
    page.symlink_to(trap)
    with private_page(page, "http://127.0.0.1:1/secret/") as written:
        assert written.stat().st_mode & 0o777 == 0o600
        assert not written.is_symlink()
    assert trap.read_text() == ""
    assert not page.exists()
    page.mkdir()
    with pytest.raises(StudioError, match="cannot write"), private_page(page, "http://x/"):
        pass


def test_a_range_comes_back(server):
    status, text, _ = server.ask_range("b", "associated", "c")
    assert status == 200
    found = json.loads(text)
    assert found["lower"] == 0.0
    assert found["baseline"] == pytest.approx(pp.baseline(4).associated)


def test_a_question_that_a_change_has_overtaken_is_let_go(server):
    revision = server.state()["session"]["revision"]
    assert server.change("add", belief=row("b", "causes", "c", 0.6))[0] == 200
    status, text, _ = server.ask_range("b", "causes", "nobody", revision)
    assert (status, json.loads(text)) == (200, None)


def test_tabs_are_told_of_changes(server):
    connection = HTTPConnection(server.url.hostname, server.url.port, timeout=180)
    connection.request("GET", server.url.path + "api/events")
    stream = connection.getresponse()

    def next_event(kind):
        while stream.readline().decode().strip() != f"event: {kind}":
            pass
        return json.loads(stream.readline().decode().removeprefix("data: "))

    revision = next_event("state")["session"]["revision"]
    server.change("add", belief=row(TAG, "causes", "c", 0.6))
    assert next_event("session")["revision"] == revision + 1
    reading = next_event("reading")
    while reading["revision"] != revision + 1:
        reading = next_event("reading")
    assert reading["beliefs"]
    connection.close()
    server.change("undo")


@pytest.mark.skipif(not Path("/proc").exists(), reason="counts processes as Linux does")
def test_a_kill_loses_at_most_one_change_and_leaves_no_process(place):
    with serving(place, "cohort.csv") as server:
        helpers = children(server.process.pid)
        assert len(helpers) >= 2
        for k, name in enumerate(["age", "sex", "diet"], 1):
            assert server.change("add", belief=row(name, "causes", "fracture", k / 10))[0] == 200
        assert server.call("POST", "api/run", {"timeLimit": 600})[0] == 200
        wait_until(lambda: len(children(server.process.pid)) > len(helpers))
        everybody = children(server.process.pid)
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
        wait_until(lambda: all(map(has_ended, everybody)))
    assert [b.stated for b in pp.read_beliefs(place / "beliefs.csv")] == [(0.1,), (0.2,), (0.3,)]
    assert [p.name for p in place.iterdir() if p.name.startswith(".new")] == []


@pytest.mark.skipif(not Path("/proc").exists(), reason="counts processes as Linux does")
def test_a_run_can_be_cancelled(place):
    with serving(place, "cohort.csv") as server:
        before = children(server.process.pid)
        assert server.call("POST", "api/run", {"timeLimit": 600})[0] == 200
        (runner,) = set(children(server.process.pid)) - set(before)
        assert server.state()["run"]["state"] == "running"
        assert server.call("POST", "api/cancel", {})[0] == 200
        assert server.state()["run"]["state"] == "cancelled"
        wait_until(lambda: has_ended(runner))


@pytest.mark.skipif(not Path("/proc").exists(), reason="counts processes as Linux does")
def test_a_reader_that_was_killed_is_told_of(place):
    with serving(place, "cohort.csv") as server:
        for pid in children(server.process.pid):
            os.kill(pid, signal.SIGKILL)
        wait_until(
            lambda: "start the studio again" in (server.state()["reading"] or {}).get("error", "")
        )
        assert server.change("add", belief=BELIEF)[0] == 200
        status, said, _ = server.ask_range("age", "causes", "diet")
        assert (status, "start the studio again" in said) == (422, True)


@pytest.mark.skipif(not Path("/proc").exists(), reason="counts processes as Linux does")
def test_ctrl_c_ends_everything_in_order_and_is_no_interruption(place, capfd):
    with serving(place, "cohort.csv") as server:
        everybody = children(server.process.pid)
        os.kill(server.process.pid, signal.SIGINT)
        assert server.process.wait(timeout=180) == 0
        assert capfd.readouterr().err == ""
        wait_until(lambda: all(map(has_ended, everybody)))


@pytest.mark.skipif(not Path("/proc").exists(), reason="counts processes as Linux does")
@pytest.mark.parametrize("is_whole", [True, False])
def test_ctrl_c_lets_go_of_questions_that_come_late(place, capfd, is_whole):
    with serving(place, "cohort.csv") as server:
        for pid in children(server.process.pid):
            os.kill(pid, signal.SIGSTOP)  # nobody answers
        question = {"revision": 1, "x": "age", "relation": "causes", "y": "diet"}
        body = json.dumps(question).encode()
        head = (
            f"POST {server.url.path}api/range HTTP/1.1\r\nHost: {server.url.netloc}\r\n"
            f"Origin: http://{server.url.netloc}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        address = server.url.hostname, server.url.port
        with socket.create_connection(address, timeout=60) as connection:
            connection.sendall(head.encode() + body[:10])
            assert server.call("GET", "api/state")[0] == 200  # it has heard of the question
            os.kill(server.process.pid, signal.SIGINT)
            wait_until(lambda: not listens(address))
            if is_whole:
                connection.sendall(body[10:])
            assert connection.recv(1000).startswith(b"HTTP/1.1 4")
        assert server.process.wait(timeout=180) == 0
    said = capfd.readouterr().err
    assert "Traceback" not in said
    assert "interrupted" not in said


def listens(address):
    """Whether somebody takes connections there."""
    with suppress(OSError), socket.create_connection(address, timeout=60):
        return True
    return False
