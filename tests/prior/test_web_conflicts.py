"""Conflicts found on short cycles, and by the whole linear program where that can be listed."""

from itertools import pairwise

import numpy as np

from pathprior.beliefs.belief import causes
from pathprior.prior.constraints import distinct_pairs, make_constraints
from pathprior.prior.fit import fit_prior
from pathprior.prior.web.conflicts import MAX_SHOWN, find_web_conflicts


def conflicts(beliefs, num_nodes=37, **options):
    names = sorted({name for belief in beliefs for name in (belief.x, belief.y)})
    index = {name: i for i, name in enumerate(names)}
    pairs = distinct_pairs(beliefs, index)
    constraints = make_constraints(beliefs, index, pairs, tuple(range(len(pairs))), None)
    return find_web_conflicts(pairs, num_nodes, constraints, beliefs, **options).worst


def test_trees_never_conflict():
    assert not conflicts([causes("a", f"v{i}", 0.9) for i in range(6)])


def test_longer_cycles_are_looked_at():
    chain = [causes(x, y, 0.9) for x, y in ("ab", "bc", "cd", "de")]
    tail = [causes(x, y, 0.5) for x, y in pairwise("efghijklm")]  # too much to list
    (conflict,) = conflicts([*chain, causes("a", "e", 0.2), *tail])
    assert len(conflict.beliefs) == 5
    assert "at least 0.6; you said 0.2" in conflict.sentence


def test_components_that_can_be_listed_are_judged_whole():
    """Nine causes in a ring, longer than any cycle looked at: at most eight hold in a graph."""
    ring = [causes(x, y, 0.9) for x, y in zip("abcdefghi", "bcdefghia", strict=True)]
    (conflict,) = conflicts(ring)
    assert set(conflict.beliefs) == set(ring)
    apart = [causes("x", "y", 0.9), causes("y", "z", 0.9), causes("x", "z", 0.1)]
    assert {len(found.beliefs) for found in conflicts([*ring, *apart])} == {9, 3}


def test_no_cycle_is_looked_at_after_the_deadline():
    beliefs = [causes("a", "b", 0.9), causes("b", "c", 0.9), causes("a", "c", 0.1)]
    assert conflicts(beliefs)
    assert not conflicts(beliefs, deadline=0.0)


def test_statements_on_one_pair_are_compared():
    (conflict,) = conflicts([causes("a", "b", 0.9), causes("a", "b", 0.3), causes("b", "c", 0.5)])
    assert "two statements disagree" in conflict.sentence


def test_the_worst_come_first():
    beliefs = []
    for number in range(MAX_SHOWN + 3):
        x, y, z = (f"{name}{number:02}" for name in "xyz")
        beliefs += [causes(x, y, 0.9), causes(y, z, 0.9), causes(x, z, 0.5 + 0.02 * number)]
        beliefs.append(causes("root", x, 0.5))
    found = conflicts(beliefs, 50)
    assert len(found) == MAX_SHOWN
    stated = [conflict.beliefs[-1].stated[0] for conflict in found]
    np.testing.assert_allclose(stated, 0.5 + 0.02 * np.arange(MAX_SHOWN))


def test_triangles_agree_with_the_whole_program():
    rng = np.random.default_rng(3)
    num_conflicts = 0
    for _ in range(10):
        p = rng.uniform((0.5, 0.5, 0.05), 0.95).round(3)
        beliefs = [causes("a", "b", p[0]), causes("b", "c", p[1]), causes("a", "c", p[2])]
        listed = fit_prior(beliefs, ["a", "b", "c", "d", "e"])
        assert {c.sentence for c in conflicts(beliefs, 5)} == {c.sentence for c in listed.conflicts}
        num_conflicts += len(listed.conflicts)
    assert 0 < num_conflicts < 10
