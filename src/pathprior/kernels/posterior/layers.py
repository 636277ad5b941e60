"""Choices of parent sets for a block of nodes, summed by layers.

See `pathprior.kernels.posterior.block`. A set of members is a number whose bit i is member i.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.inner import inner

MIN_BLOCK, MAX_BLOCK = 3, 7
"""Sizes of a block; as many as there are nodes where these are fewer."""


class BlockRoom(NamedTuple):
    """Room for one block."""

    old: NDArray[np.int64]  # listed entries of the present families
    is_member: NDArray[np.bool_]
    kinds: NDArray[np.int64]  # the members at or above each node, as bits
    pull: NDArray[np.float64]  # how much each node is drawn to the block so far
    totals: NDArray[np.float64]  # weights of the sets of each member that may be drawn
    by_type: NDArray[np.float64]  # [i, T]: shares of the types in the weights of member i
    holding: NDArray[np.float64]  # [i, c, U]: shares of types within U that hold c
    meeting: NDArray[np.float64]  # [i, U, L]: A
    rest: NDArray[np.float64]  # [U, L]: F
    products: NDArray[np.float64]  # [M]: Π A over a layer M


def make_block_room(num_nodes: int) -> BlockRoom:
    """Allocate it."""
    size = 1 << MAX_BLOCK
    return BlockRoom(
        old=np.empty(MAX_BLOCK, np.int64),
        is_member=np.zeros(num_nodes, np.bool_),
        kinds=np.empty(num_nodes, np.int64),
        pull=np.empty(num_nodes),
        totals=np.empty(MAX_BLOCK),
        by_type=np.empty((MAX_BLOCK, size)),
        holding=np.empty((MAX_BLOCK, MAX_BLOCK, size)),
        meeting=np.empty((MAX_BLOCK, size, size)),
        rest=np.empty((size, size)),
        products=np.ones(size),
    )


@inner
def sum_meeting(room: BlockRoom, size: int, i: int) -> None:
    """Fill A_i. Sums alone, no differences: small ones keep their digits."""
    for c in range(size):
        held = room.holding[i, c]
        for within in range(1 << size):
            held[within] = room.by_type[i, within] if (within >> c) & 1 else 0.0
        for d in range(size):
            for within in range(1 << size):
                if (within >> d) & 1:
                    held[within] += held[within ^ (1 << d)]
    for within in range(1 << size):
        # subsets of `within` in ascending order, so that smaller ones are done before
        last = 0
        room.meeting[i, within, 0] = 0.0
        while last != within:
            last = (last - within) & within
            c = lowest_bit(np.uint64(last))
            rest = room.meeting[i, within ^ (1 << c), last ^ (1 << c)]
            room.meeting[i, within, last] = room.holding[i, c, within] + rest
    room.meeting[i, 0, 0] = room.by_type[i, 0]


@inner
def multiply_members(room: BlockRoom, used: int, last: int, layer: int) -> float:
    """Π A over a layer that follows; the same without its lowest member was asked for before."""
    i = lowest_bit(np.uint64(layer))
    product = room.products[layer & (layer - 1)] * room.meeting[i, used, last]
    room.products[layer] = product
    return product


@inner
def sum_layers(room: BlockRoom, size: int) -> None:
    """Fill F from the full block down."""
    full = (1 << size) - 1
    for used in range(full, -1, -1):
        last, free = 0, full ^ used
        while True:
            total = 1.0 if used == full else 0.0
            layer = 0
            while layer != free:
                layer = (layer - free) & free
                product = multiply_members(room, used, last, layer)
                total += product * room.rest[used | layer, layer]
            room.rest[used, last] = total
            if last == used:
                break
            last = (last - used) & used
