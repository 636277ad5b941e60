"""The four mutually exclusive relations of an ordered pair of nodes (paper, §3)."""

from enum import IntEnum

from pathprior.kernels.graph import ancestors


class Relation(IntEnum):
    """What a DAG says about an ordered pair (x, y); the order fixes every 4-vector and code.

    With anc(v) the ancestors of v including v itself: ``CAUSES`` iff x ∈ anc(y), ``CAUSED_BY`` iff
    y ∈ anc(x), else ``CONFOUNDED`` iff anc(x) ∩ anc(y) ≠ ∅, else ``UNRELATED``.
    """

    CAUSES = ancestors.CAUSES
    CAUSED_BY = ancestors.CAUSED_BY
    CONFOUNDED = ancestors.CONFOUNDED
    UNRELATED = ancestors.UNRELATED

    @property
    def symbol(self) -> str:
        """The paper's arrow: ⇒, ⇐, ⇔ or ⇎."""
        return "⇒⇐⇔⇎"[self]

    @property
    def reverse(self) -> "Relation":
        """The relation of (y, x) when this is the relation of (x, y)."""
        if self is Relation.CAUSES:
            return Relation.CAUSED_BY
        return Relation.CAUSES if self is Relation.CAUSED_BY else self
