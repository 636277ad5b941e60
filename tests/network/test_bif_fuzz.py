"""Broken BIF text: an error of ours or a network, soon, whatever was broken."""

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.errors import NetworkError
from pathprior.network.bif import format_bif, parse_bif
from pathprior.network.bundled import load_network
from tests.network.test_bif import WILD

TEXTS = (WILD, format_bif(load_network("asia")))
PIECES = ("{", "}", "(", ")", "[", "]", ";", '"', "/*", "*/", "//", "|", ",", "\\", "\n", "\0", "é")
WORDS = ("property", "table", "default", "probability", "variable", "network", "1e999", "-1", "nan")


@st.composite
def broken_texts(draw: st.DrawFn) -> str:
    """A valid text after a few deletions, insertions and repetitions."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        stop = start + draw(st.integers(0, 30))
        insert = draw(st.sampled_from(PIECES + WORDS) | st.just(text[start:stop] * 2) | st.text())
        text = text[:start] + insert + text[stop:]
    return text


@settings(max_examples=500)
@given(broken_texts())
def test_broken_text_gives_an_error_or_a_network(text):
    with suppress(NetworkError):
        parse_bif(text)


@settings(max_examples=200)
@given(st.text() | st.lists(st.sampled_from(PIECES + WORDS)).map(" ".join))
def test_any_text_gives_an_error_or_a_network(text):
    with suppress(NetworkError):
        parse_bif(text)


@pytest.mark.parametrize("piece", [*PIECES, *WORDS, "a", " ", '"\\', "/", "/*/", 'property "', "1"])
@pytest.mark.parametrize("prefix", ["", "network n { ", "variable v { type discrete [2] {", '"'])
def test_time_is_linear_in_the_length(prefix, piece):
    start = time.perf_counter()
    with pytest.raises(NetworkError):
        parse_bif(prefix + piece * 50_000)
    assert time.perf_counter() - start < 5
