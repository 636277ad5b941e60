"""What a graph says of a pair when edges are told from longer paths: six codes.

The first four are those of relations (`pathprior.kernels.graph.ancestors`); where two nodes are
adjacent, the edge takes the place of the relation.
"""

from pathprior.kernels.graph.ancestors import CAUSED_BY, CAUSES, Words, has_bit, relation_code
from pathprior.kernels.inner import inner

EDGE, EDGE_BACK = 4, 5
"""x → y and x ← y."""
NUM_TIES = 6


@inner
def tie_code(parents: Words, ancestors: Words, x: int, y: int) -> int:
    """The code of (x, y): its edge, or else its relation."""
    code = relation_code(ancestors, x, y)
    if code == CAUSES and has_bit(parents[y], x):
        return EDGE
    if code == CAUSED_BY and has_bit(parents[x], y):
        return EDGE_BACK
    return code
