"""Whatever a summary holds, reading it gives a run or one clear error."""

import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.errors import ReportError
from pathprior.problem.run_record import InputFile, RecordedRun, RunInputs, read_record
from pathprior.search.record import LEARN, summarise

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def fit():
    return pp.learn(pp.load_network("asia").sample(300, seed=1))


@pytest.fixture(scope="module")
def summary(fit, tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    (folder / "data.csv").write_text("a,b\n0,1\n")
    (folder / "network.bif").write_text("a network")
    inputs = RunInputs.of(folder / "data.csv", None)
    content = summarise(fit, folder / "network.bif", inputs=inputs, folder=folder)
    (folder / "summary.json").write_text(json.dumps(content))
    return folder / "summary.json"


def test_reads_back_what_was_written(summary, fit):
    recorded = read_record(LEARN, summary)
    assert recorded.settings == fit.settings
    assert recorded.inputs.data.path == summary.parent / "data.csv"
    assert recorded.inputs.beliefs is None
    assert recorded.sha256 == InputFile.of(summary.parent / "network.bif").sha256


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_change_gives_a_run_or_a_clear_error(summary, data):
    content = json.loads(summary.read_text())
    place, name = content, data.draw(st.sampled_from(sorted(content)))
    while isinstance(place[name], dict) and data.draw(st.booleans()):
        place = place[name]
        name = data.draw(st.sampled_from(sorted(place)))
    place[name] = data.draw(JSON)
    changed = summary.with_name("changed.json")
    changed.write_text(json.dumps(content))
    with suppress(ReportError):
        assert isinstance(read_record(LEARN, changed), RecordedRun)


@pytest.mark.parametrize("text", ["", "[" * 10**5, "\0", "{", "null", '"a"'])
def test_what_is_no_summary_is_refused(summary, text):
    changed = summary.with_name("changed.json")
    changed.write_text(text)
    with pytest.raises(ReportError, match=r"changed\.json"):
        read_record(LEARN, changed)
