"""Who may talk to the server, without one."""

import pytest

pytest.importorskip("starlette", reason="needs pathprior[studio]")

from pathprior.studio.guard import POLICY, Locks

LOCKS = Locks("secret", 8000)
HERE = {"host": "127.0.0.1:8000"}
OWN = {**HERE, "origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"}
VISIT = {
    **HERE,
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
}


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/secret/", HERE),
        ("GET", "/secret/api/state", {"host": "localhost:8000", "sec-fetch-site": "none"}),
        ("POST", "/secret/api/change", OWN),
        ("GET", "/secret/", VISIT),
    ],
)
def test_its_own_page_may_pass(method, path, headers):
    assert LOCKS.refusal(method, path, headers) is None


@pytest.mark.parametrize(
    ("method", "path", "headers", "why"),
    [
        ("GET", "/", HERE, "token"),
        ("GET", "/secre/", HERE, "token"),
        ("GET", "/secrets/", HERE, "token"),
        ("GET", "/sécret/", HERE, "token"),
        ("GET", "*", HERE, "token"),
        ("GET", "/secret/", {"host": "evil.example:8000"}, "host"),
        ("GET", "/secret/", {"host": "127.0.0.1"}, "host"),
        ("GET", "/secret/", {"host": "127.0.0.1:8000.evil.example"}, "host"),
        ("GET", "/secret/", {}, "host"),
        ("GET", "/secret/", {**HERE, "origin": "http://evil.example"}, "origin"),
        ("GET", "/secret/", {**HERE, "sec-fetch-site": "cross-site"}, "page"),
        ("GET", "/secret/", {**HERE, "sec-fetch-site": "same-site"}, "page"),
        ("GET", "/secret/api/state", VISIT, "page"),
        ("GET", "/secret/report", VISIT, "page"),
        ("POST", "/secret/", VISIT, "page"),
        ("GET", "/secret/", {**VISIT, "sec-fetch-dest": "iframe"}, "page"),
        ("GET", "/secret/", {**VISIT, "sec-fetch-mode": "no-cors"}, "page"),
        ("POST", "/secret/", HERE, "origin"),
        ("POST", "/secret/", {**OWN, "origin": "null"}, "origin"),
        ("POST", "/secret/", {**OWN, "origin": "http://localhost:8000"}, "origin"),
        ("PUT", "/secret/", {**OWN, "origin": "http://127.0.0.1:8001"}, "origin"),
    ],
)
def test_nobody_else_may(method, path, headers, why):
    assert why in LOCKS.refusal(method, path, headers)


def test_the_policy_allows_no_inline_code_and_no_other_place():
    assert "default-src 'none'" in POLICY
    assert "unsafe" not in POLICY
    assert "http" not in POLICY
