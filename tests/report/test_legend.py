"""What a picture says in green is evidence."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
import pytest

from pathprior.report import style
from pathprior.report.belief_rows import agreements, belief_marks, phrases
from pathprior.report.draw import BeliefMark
from pathprior.report.graph_data import graph_data
from pathprior.report.legend import Verdict, open_edges, supports_found
from pathprior.report.sections import beliefs_section
from pathprior.search.support import Support, edge_support

mpl.use("Agg")


def test_the_legend_names_what_occurs(odd_fit, plain_fit):
    supports = edge_support(plain_fit)
    assert supports_found(supports) == (Support.DATA,)
    assert {frozenset(edge) for edge in open_edges(supports)} == {
        frozenset(edge) for edge in plain_fit.cpdag.undirected_edges
    }
    assert len(supports_found(edge_support(odd_fit))) > 1


@pytest.mark.parametrize(
    ("answers", "verdict"),
    [
        ([(True, False)], Verdict.HELD),
        ([(False, False)], Verdict.NOT_HELD),
        ([(True, True)], Verdict.WEAK),
        ([(False, True)], Verdict.WEAK),
        ([(True, False), (True, True)], Verdict.WEAK),
        ([(True, True), (False, False), (True, False)], Verdict.NOT_HELD),
    ],
)
def test_a_weak_answer_is_evidence_neither_way(answers, verdict):
    held = pd.DataFrame(answers, columns=["holds", "is_weak"]).assign(x="a", y="b", stated=0.9)
    assert belief_marks(held) == [BeliefMark("a", "b", verdict)]


def test_a_belief_that_holds_in_a_network_is_not_green(weak_fit):
    expected = {("cause", "effect"): Verdict.HELD, ("cause", "other"): Verdict.WEAK}
    marks = belief_marks(weak_fit.beliefs_held())
    assert {(mark.x, mark.y): mark.verdict for mark in marks} == expected
    assert len({verdict.colour for verdict in Verdict}) == 3

    bands = [line for line in weak_fit.to_dot().splitlines() if "dir=none" in line]
    for (x, y), verdict in expected.items():
        (band,) = [line for line in bands if f'"{x}" -> "{y}"' in line]
        assert verdict.colour in band

    green = {style.BOTH, style.LIGHT_PAGE["agrees"], style.DARK_PAGE["agrees"]}
    assert not green & {verdict.colour for verdict in Verdict}

    ax = weak_fit.plot()
    texts = {text.get_text() for text in ax.texts}
    drawn = {mpl.colors.to_hex(patch.get_edgecolor()) for patch in ax.patches if patch.get_alpha()}
    plt.close(ax.figure)
    assert {verdict.phrase for verdict in expected.values()} <= texts
    assert Verdict.NOT_HELD.phrase not in texts
    assert drawn == {verdict.colour.lower() for verdict in expected.values()}


def test_the_note_on_a_weak_belief_says_so(weak_fit):
    notes = [belief["note"] for belief in graph_data(weak_fit, edge_support(weak_fit))["beliefs"]]
    assert "cause ⇒ effect: directly." in notes
    assert "cause ⇒ other: through effect, by edges that the data hardly support." in notes


def test_only_evidence_has_the_colours_of_evidence(weak_fit):
    assert "agrees" not in beliefs_section(weak_fit)
    posterior = weak_fit.posterior()
    marked = dict(zip(phrases(posterior.beliefs()), agreements(posterior.beliefs()), strict=True))
    assert marked == {"cause causes effect": True, "cause causes other": None}
    page = beliefs_section(weak_fit, posterior)
    assert page.count('class="agrees"') == 1
    assert 'class="disagrees"' not in page
