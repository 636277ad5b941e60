"""The four mutually exclusive relations of an ordered pair of nodes (paper, §3)."""

from enum import IntEnum


class Relation(IntEnum):
    """What a DAG says about an ordered pair (x, y); the order fixes every 4-vector and code.

    With anc(v) the ancestors of v including v itself: ``CAUSES`` iff x ∈ anc(y), ``CAUSED_BY`` iff
    y ∈ anc(x), else ``CONFOUNDED`` iff anc(x) ∩ anc(y) ≠ ∅, else ``UNRELATED``.
    """

    CAUSES = 0
    CAUSED_BY = 1
    CONFOUNDED = 2
    UNRELATED = 3

    @property
    def symbol(self) -> str:
        """The paper's arrow: ⇒, ⇐, ⇔ or ⇎."""
        return "⇒⇐⇔⇎"[self]

    @property
    def reverse(self) -> "Relation":
        """The relation of (y, x) when this is the relation of (x, y)."""
        return Relation((1, 0, 2, 3)[self])
