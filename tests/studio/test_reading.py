"""What beliefs come to, quickly and carefully, against the package's own answers."""

import numpy as np
import pytest

import pathprior as pp
from pathprior.beliefs.event import RELATION_EVENTS, Event
from pathprior.counting.expected_parents import make_base
from pathprior.studio import reading as reading_module
from pathprior.studio.allowed import allowed_range, nearby_conflicts
from pathprior.studio.graph_pool import Drawn
from pathprior.studio.implied import implied_pairs
from pathprior.studio.mind import is_countable
from pathprior.studio.ranges import read_range
from pathprior.studio.reading import Reader, Stated, read_carefully
from tests.oracles.graph import all_dags

NAMES = tuple("abcdefgh")
CHAIN = [
    pp.causes("a", "b", 0.9),
    pp.causes("b", "c", 0.8),
    pp.causes("c", "d", 0.85),
    pp.causes("d", "e", 0.9),
    pp.not_causes("e", "a", 0.95),
]
CLASH = [pp.causes("a", "b", 0.9), pp.causes("b", "c", 0.9), pp.not_associated("a", "c", 0.9)]

JUST = [pp.causes("a", "b", 0.8), pp.causes("b", "c", 0.9), pp.causes("a", "c", 0.7)]
"""They can hold together, but only just."""


def stated(beliefs, names=NAMES, revision=1, tiers=()):
    return Stated(revision, tuple(names), tuple(enumerate(beliefs, 1)), "auto", tiers)


def test_few_beliefs_are_read_exactly_at_once():
    beliefs = CLASH
    prior = pp.fit_prior(beliefs, NAMES)
    reading = Reader().read(stated(beliefs))
    assert reading["isExact"]
    fitted = {(r.x, r.y): r.fitted for r in prior.table.itertuples()}
    for number, belief in enumerate(beliefs, 1):
        shown = reading["beliefs"][number]
        assert shown["fitted"] == [pytest.approx(fitted[belief.x, belief.y])]
        assert shown["errors"] == [0.0]
    assert [c["sentence"] for c in reading["conflicts"]] == [c.sentence for c in prior.conflicts]
    assert reading["conflicts"][0]["beliefs"] == [1, 2, 3]


def test_what_is_not_met_is_told_with_its_beliefs():
    beliefs = [pp.causes("d", "e", 0.6), *JUST]
    for reading in (Reader().read(stated(beliefs)), read_carefully(stated(beliefs))):
        (unmet,) = reading["unmet"]
        assert unmet["beliefs"] == [2, 3, 4]
        assert "a causes b 0.65" in unmet["sentence"]
        assert reading["conflicts"] == []
    assert Reader().read(stated(CHAIN[:1]))["unmet"] == []


def test_more_beliefs_are_sketched_within_the_errors_told():
    assert not is_countable(CHAIN, NAMES)
    reader = Reader()
    for k in range(len(CHAIN) + 1):
        reading = reader.read(stated(CHAIN[:k]))
    assert not reading["isExact"]
    for number, belief in enumerate(CHAIN, 1):
        shown = reading["beliefs"][number]
        assert shown["fitted"][0] == pytest.approx(belief.stated[0], abs=0.04)
        assert 0 < shown["errors"][0] < 0.03
    assert reading["conflicts"] == []


def test_a_conflict_in_a_web_is_found_and_goes_when_it_is_mended():
    against = pp.not_associated("a", "c", 0.95)
    reader = Reader()
    reader.read(stated(CHAIN))
    (conflict,) = reader.read(stated([*CHAIN, against]))["conflicts"]
    assert conflict["beliefs"] == [1, 2, 6]
    assert "force" in conflict["sentence"]
    mended = pp.not_associated("a", "c", 0.2)
    assert reader.read(stated([*CHAIN, mended]))["conflicts"] == []


def test_the_careful_reading_is_the_fit_of_the_package():
    reading = read_carefully(stated(CHAIN))
    prior = pp.fit_prior(CHAIN, NAMES)
    fitted = {(r.x, r.y): r.fitted for r in prior.table.itertuples()}
    for number, belief in enumerate(CHAIN, 1):
        assert reading["beliefs"][number]["fitted"] == [fitted[belief.x, belief.y]]
    assert reading["isFinal"]
    assert reading["reference"] == prior.reference
    said = {frozenset((b.x, b.y)) for b in CHAIN}
    for question in reading["questions"]:
        assert frozenset((question["x"], question["y"])) not in said


def test_sources_are_pooled_by_the_rule_of_the_package():
    beliefs = [
        pp.causes("a", "b", 0.9, source="trial"),
        pp.causes("a", "b", 0.2, source="survey"),
        *CHAIN[1:],
    ]
    prior = pp.fit_prior(beliefs, NAMES)
    quick, careful = Reader().read(stated(beliefs)), read_carefully(stated(beliefs))
    assert careful["disagreements"] == [d.sentence for d in prior.disagreements]
    assert careful["disagreements"]
    assert careful["conflicts"] == quick["conflicts"] == []
    for number in quick["beliefs"]:
        a, b = quick["beliefs"][number], careful["beliefs"][number]
        assert a["fitted"][0] == pytest.approx(b["fitted"][0], abs=5 * a["errors"][0] + 0.02)


def keeps(dag, tiers):
    """Whether no edge goes from a later tier to an earlier one."""
    rank = {name: k for k, tier in enumerate(tiers) for name in tier}
    return not any(rank.get(u, -1) > rank.get(v, len(tiers)) for u, v in dag.edges)


def exact_relations(prior, tiers=()):
    """Probability of each relation of all pairs, by listing every DAG within the tiers."""
    n = len(prior.variables)
    dags = [pp.Dag(prior.variables, adjacency) for adjacency in all_dags(n)]
    dags = [dag for dag in dags if keeps(dag, tiers)]
    weights = np.exp([prior.log_prob(dag) for dag in dags])
    sums = {}
    for dag, weight in zip(dags, weights / weights.sum(), strict=True):
        for i in range(n):
            for j in range(i + 1, n):
                code = int(dag.relation(prior.variables[i], prior.variables[j]))
                sums[i, j, code] = sums.get((i, j, code), 0.0) + weight
    return sums


def assert_is_exact(asked, prior):
    """Graphs that are drawn give the relations of all pairs as listing every DAG does."""
    following = asked.following(make_base("auto", len(prior.variables)), 0.1)
    pool = following.pool
    drawn = pool.draw(pool.field_of(prior.pairs, prior.log_weights), 2000)
    exact = exact_relations(prior, asked.tiers)
    for event, code in zip(RELATION_EVENTS, range(4), strict=True):
        shares, errors = drawn.share(event)
        assert errors.max() < 0.02
        for row, (i, j) in enumerate(drawn.pairs.tolist()):
            expected = exact.get((i, j, code), 0.0)
            assert shares[row] == pytest.approx(expected, abs=5 * errors[row] + 1e-3)


def test_what_follows_is_what_all_graphs_say():
    names = tuple("abcd")
    beliefs = [pp.causes("a", "b", 0.9), pp.causes("c", "b", 0.8)]
    assert_is_exact(stated(beliefs, names), pp.fit_prior(beliefs, names))


def test_what_follows_from_edges_is_what_all_graphs_say():
    names = tuple("abcd")
    beliefs = [pp.direct("a", "b", 0.8), pp.not_direct("c", "b", 0.9), pp.causes("c", "b", 0.7)]
    prior = pp.fit_prior(beliefs, names)
    assert_is_exact(stated(beliefs, names), prior)


@pytest.mark.parametrize(
    "tiers", [(("a", "c"), ("b", "d")), (("d",), ("b", "a")), (("b",), ("c",))]
)
def test_what_follows_within_tiers_is_what_all_graphs_say_that_keep_them(tiers):
    names = tuple("abcd")
    beliefs = [pp.causes("a", "b", 0.9), pp.direct("c", "b", 0.6), pp.associated("a", "d", 0.8)]
    assert_is_exact(stated(beliefs, names, tiers=tiers), pp.fit_prior(beliefs, names))


def test_without_a_belief_within_tiers_it_is_what_all_graphs_say_that_keep_them():
    names, tiers = tuple("abcd"), (("a",), ("b", "c"))
    following = stated([], names, tiers=tiers).following(make_base("auto", 4), 0.5)
    exact = exact_relations(pp.fit_prior([], names), tiers)
    shares, errors = following.usual(Event.CAUSES)
    for row, (i, j) in enumerate(following.pool.pairs.tolist()):
        assert shares[row] == pytest.approx(exact.get((i, j, 0), 0.0), abs=5 * errors[row] + 1e-3)


@pytest.mark.parametrize("tiers", [(), (("a", "b"), ("c", "d", "e"))])
@pytest.mark.parametrize("size", [8, 60])
def test_beliefs_that_move_nothing_imply_nothing(size, tiers, monkeypatch):
    monkeypatch.setattr(reading_module, "USUAL_SECONDS", 0.1)
    names = tuple("abcdefgh") + tuple(f"v{k}" for k in range(size - 8))
    usual = pp.baseline(size).causes
    reader = Reader()
    told = []
    for _ in range(5):
        for beliefs in ([], [pp.causes("f", "g", usual)]):
            told += reader.read(stated(beliefs, names, tiers=tiers))["implied"]
    assert told == []


def test_what_is_the_same_at_two_decimals_is_not_told():
    chains = np.zeros((16, 1, 6))
    chains[:, 0, 0], chains[:, 0, 3] = 0.255, 0.745
    drawn = Drawn(np.array([[0, 1]]), np.zeros((10**6, 1), np.int8), chains)
    ties = {Event.CAUSES: 0.25, Event.CAUSED_BY: 0.0, Event.ASSOCIATED: 0.25}
    assert implied_pairs(drawn, "ab", lambda e: (np.array([ties[e]]), np.zeros(1)), []) == []
    ties[Event.CAUSES] = 0.2
    (told,) = implied_pairs(drawn, "ab", lambda e: (np.array([ties[e]]), np.zeros(1)), [])
    assert told["phrase"] == "a causes b"


def test_chains_that_agree_by_chance_are_not_sure():
    none = np.zeros((16, 1, 6))
    none[:, 0, 3] = 1.0
    rare = lambda event: (np.array([0.02]), np.zeros(1))  # noqa: E731
    few = Drawn(np.array([[0, 1]]), np.zeros((64, 1), np.int8), none)
    assert implied_pairs(few, "ab", rare, []) == []
    many = Drawn(np.array([[0, 1]]), np.zeros((64_000, 1), np.int8), none)
    assert len(implied_pairs(many, "ab", rare, [])) == 1


@pytest.fixture
def sooner(monkeypatch):
    monkeypatch.setattr(reading_module, "USUAL_SECONDS", 0.1)
    monkeypatch.setattr(reading_module, "CAREFUL_SECONDS", 0.1)


def test_nothing_implied_is_what_tiers_rule_out(sooner):
    beliefs = [pp.causes("a", "b", 0.9), pp.associated("b", "c", 0.9)]
    tiers = (("c",), ("a", "b"))
    for reading in (
        Reader().read(stated(beliefs, tuple("abcd"), tiers=tiers)),
        read_carefully(stated(beliefs, tuple("abcd"), tiers=tiers)),
    ):
        assert reading["isWithinTiers"]
        told = {(p["x"], p["relation"], p["y"]): p["now"] for p in reading["implied"]}
        assert told
        assert not {("a", "causes", "c"), ("b", "causes", "c")} & set(told)


def test_what_tiers_rule_out_is_told_among_the_conflicts(sooner):
    beliefs = [pp.causes("a", "b", 0.9), pp.causes("c", "d", 0.8), pp.causes("c", "a", 0.1)]
    tiers = (("a", "b"), ("c", "d"))
    names = tuple("abcd")
    quick, careful = (
        read(stated(beliefs, names, tiers=tiers)) for read in (Reader().read, read_carefully)
    )
    assert quick["conflicts"] == careful["conflicts"] == []
    beliefs[2] = pp.causes("c", "a", 0.7)
    for read in (Reader().read, read_carefully):
        (conflict,) = read(stated(beliefs, names, tiers=tiers))["conflicts"]
        assert conflict["beliefs"] == [3]
        assert "'c' is in tier 2 and 'a' in tier 1" in conflict["sentence"]
        # a path may lead through what is in no tier
        free = stated(beliefs, tuple("abcde"), tiers=tiers)
        assert read(free)["conflicts"] == []


def test_what_is_fitted_within_tiers_is_the_prior_within_them(sooner):
    tiers, beliefs = (tuple(NAMES[:2]), tuple(NAMES[2:])), CHAIN[:2]
    prior = pp.fit_prior(beliefs, NAMES, tiers=tiers)
    rows = {(r.x, r.y): r for r in prior.table.itertuples()}
    for read in (Reader().read, read_carefully):
        found = read(stated(beliefs, tiers=tiers))["beliefs"]
        for number, belief in enumerate(beliefs, 1):
            row = rows[belief.x, belief.y]
            assert found[number]["fitted"] == [row.fitted]
            assert found[number]["baseline"] == [row.baseline]


def test_sketches_within_tiers_meet_what_was_stated(sooner):
    tiers, reader = (tuple(NAMES[:2]), tuple(NAMES[2:])), Reader()
    for k in range(len(CHAIN) + 1):
        reading = reader.read(stated(CHAIN[:k], tiers=tiers))
    within = stated(CHAIN, tiers=tiers).within
    for number, belief in enumerate(CHAIN, 1):
        (event,) = belief.named_events
        shown = reading["beliefs"][number]
        decided = within.share(belief, event)
        expected = belief.stated[0] if decided is None else decided
        assert shown["fitted"][0] == pytest.approx(expected, abs=5 * shown["errors"][0] + 0.03)


def test_the_slider_knows_the_tiers():
    tiers = (("a",), ("b", "c"))
    asked = stated([pp.causes("b", "c", 0.7)], tuple("abc"), tiers=tiers)
    marks = read_range(asked, "b", "causes", "a", "")
    assert (marks["lower"], marks["upper"]) == (0.0, 0.0)
    assert marks["isWithinTiers"]
    assert read_range(asked, "a", "causes", "b", "")["upper"] == pytest.approx(1.0)
    # the cause of both must be in the first tier or free
    assert read_range(asked, "b", "confounded", "a", "")["upper"] == 0.0
    assert read_range(asked, "b", "direct", "a", "")["upper"] == 0.0
    free = stated([], tuple("abcd"), tiers=tiers)
    assert read_range(free, "b", "causes", "a", "")["upper"] == pytest.approx(1.0)
    assert read_range(free, "b", "direct", "a", "")["upper"] == 0.0


def test_no_slider_where_the_others_clash_with_the_tiers():
    clash = [pp.causes("b", "a", 1), pp.causes("b", "c", 0.5)]
    asked = stated(clash, tuple("abc"), tiers=(("a",), ("b", "c")))
    assert read_range(asked, "a", "causes", "c", "")["lower"] is None


def test_beliefs_in_edges_are_read_as_the_package_fits_them():
    beliefs = [pp.direct("a", "b", 0.8), pp.causes("a", "b", 0.5)]
    prior = pp.fit_prior(beliefs, NAMES)
    for reading in (Reader().read(stated(beliefs)), read_carefully(stated(beliefs))):
        assert [c["sentence"] for c in reading["conflicts"]] == [
            c.sentence for c in prior.conflicts
        ]
        fitted = {r.event: r.fitted for r in prior.table.itertuples()}
        assert reading["beliefs"][1]["fitted"] == [pytest.approx(fitted["direct"])]
        assert reading["implied"]
    marks = read_range(stated(beliefs[:1]), "a", "causes", "b", "")
    assert marks["lower"] == 0.0  # beliefs on the pair itself are not held against it
    marks = read_range(stated([pp.causes("b", "a", 0.7)]), "a", "direct", "b", "")
    assert marks["baseline"] == pytest.approx(
        prior.table["baseline"][prior.table["event"] == "direct"].iloc[0]
    )


def test_edges_in_a_web_are_sketched_too():
    beliefs = [*CHAIN, pp.direct("a", "c", 0.6)]
    reader = Reader()
    for k in range(len(beliefs) + 1):
        reading = reader.read(stated(beliefs[:k]))
    for number, belief in enumerate(beliefs, 1):
        shown = reading["beliefs"][number]
        assert shown["fitted"][0] == pytest.approx(belief.stated[0], abs=0.05)
    against = pp.not_associated("a", "c", 0.9)
    conflicts = reader.read(stated([*beliefs, against]))["conflicts"]
    assert any(conflict["beliefs"] == [6, 7] for conflict in conflicts)


def test_statements_are_not_fitted():
    beliefs = [pp.causes("a", "b", 0.7), pp.says("survey", "b", "causes", "c")]
    assert list(Reader().read(stated(beliefs))["beliefs"]) == [1]


def test_implied_pairs_are_those_nobody_spoke_of_and_moved_most():
    beliefs = [pp.causes("a", "b", 0.95), pp.causes("b", "c", 0.95)]
    reading = read_carefully(stated(beliefs, "abcd"))
    first, *_ = reading["implied"]
    assert (first["x"], first["relation"], first["y"]) == ("a", "causes", "c")
    prior = pp.fit_prior(beliefs, tuple("abcd"))
    expected = prior.probability("a", "causes", "c").fitted
    assert first["now"] == pytest.approx(expected, abs=5 * first["error"])
    assert first["before"] == pytest.approx(pp.baseline(4).causes)
    assert len(reading["implied"]) <= 3


@pytest.mark.parametrize("relation", [event.value for event in Event])
@pytest.mark.parametrize("pair", [("a", "c"), ("c", "a"), ("b", "c"), ("a", "d")])
def test_the_range_is_that_of_the_prior(pair, relation):
    beliefs = [pp.causes("a", "b", 0.9), pp.causes("b", "c", 0.7), pp.confounded("b", "d", 0.5)]
    x, y = pair
    others = [b for b in beliefs if {b.x, b.y} != {x, y}]
    expected = pp.fit_prior(beliefs, tuple("abcde")).probability(x, relation, y)
    found = allowed_range(others, tuple("abcde"), x, relation, y)
    assert found.is_whole
    assert found.lower == pytest.approx(expected.lower, abs=1e-6)
    assert found.upper == pytest.approx(expected.upper, abs=1e-6)


def test_a_range_from_some_beliefs_contains_that_from_all():
    names = tuple(f"v{k}" for k in range(9))
    dense = [
        pp.causes(names[i], names[j], 0.8)
        for i in range(9)
        for j in range(i + 1, 9)
        if (i, j) != (0, 8)
    ]
    found = allowed_range(dense, names, "v0", "causes", "v8")
    assert not found.is_whole
    assert 0.5 < found.lower <= 0.9
    assert found.upper == pytest.approx(1.0)


def test_no_range_where_the_others_clash():
    assert allowed_range([*CLASH, pp.causes("a", "d", 0.5)], NAMES, "c", "causes", "d") is None


def test_nearby_conflicts_are_those_of_the_prior():
    found = nearby_conflicts(CLASH, NAMES, CLASH[:1])
    assert [c.sentence for c in found] == [c.sentence for c in pp.fit_prior(CLASH, NAMES).conflicts]


def test_the_slider_shows_baseline_and_range():
    marks = read_range(stated(CLASH[:2]), "a", "not-associated", "c", "")
    assert marks["baseline"] == pytest.approx(pp.baseline(8).unrelated)
    assert marks["lower"] == 0.0
    assert marks["upper"] == pytest.approx(0.2)
    other = read_range(stated(CLASH[:2]), "a", "not-associated", "c", "a trial")
    assert other["upper"] == 1.0  # another source is another mind


@pytest.mark.parametrize("names", [(), ("a",), ("a", "b")])
def test_hardly_any_variables(names):
    beliefs = [pp.causes("a", "b", 0.7)]
    for reading in (Reader().read(stated(beliefs, names)), read_carefully(stated(beliefs, names))):
        assert reading["implied"] == []
        assert len(reading["beliefs"]) == (len(names) == 2)
