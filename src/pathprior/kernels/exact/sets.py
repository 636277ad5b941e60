"""A score-equivalent score as a function of sets: local(v, S) = f(S ∪ v) − f(S).

Of counts f(S) is a sum over the configurations of S that occur: Σ log Γ(N + α/q) − log Γ(α/q) for
BDeu, q the product of the numbers of states in S, and Σ N log N − penalty · q for likelihoods. So
there are 2ⁿ sets to count instead of n 2ⁿ⁻¹ families.

Rows are sorted into configurations of a growing set, one variable more at each depth; equal ones
come once, with how often they occur. A row that is alone in its configuration stays so in all
larger sets, and is not looked at again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import popcount
from pathprior.kernels.data.families import Rule, cell_alpha, finish_large
from pathprior.kernels.data.rows import Codes
from pathprior.kernels.data.special import LARGE, small_counts
from pathprior.kernels.inner import allocating_entry, entry, inner


class Levels(NamedTuple):
    """The configurations of a set with two rows or more, and those of its subsets, by depth."""

    rows: NDArray[np.int32]  # configuration after configuration
    ends: NDArray[np.int32]  # of each configuration, among the rows
    weights: NDArray[np.int64]  # of each configuration: rows of the data
    num_open: NDArray[np.int64]  # configurations
    alone: NDArray[np.int64]  # by depth and weight below LARGE: rows alone in their configuration
    nominal: NDArray[np.float64]  # q
    tables: NDArray[np.float64]  # of `small_counts`
    log_gammas: NDArray[np.float64]
    made_for: NDArray[np.float64]  # the q that the tables are of


class Room(NamedTuple):
    """Scratch: by state of one variable, zero between calls, and the large counts of a set."""

    sizes: NDArray[np.int64]
    weights: NDArray[np.int64]
    places: NDArray[np.int64]
    large: NDArray[np.float64]


@inner
def make_tables(rule: Rule, levels: Levels, depth: int, nominal: float) -> float:
    """Make the tables of a depth those of q, unless they are; return α."""
    alpha = cell_alpha(rule, nominal, 1)
    if levels.made_for[depth] != nominal:
        levels.log_gammas[depth] = small_counts(rule.kind, alpha, levels.tables[depth])
        levels.made_for[depth] = nominal
    return alpha


@inner
def split(
    levels: Levels, room: Room, depth: int, column: Codes, num_states: int, times: NDArray[np.int32]
) -> None:
    """Sort the configurations of a depth by one variable more, into the next depth."""
    rows, after = levels.rows[depth], levels.rows[depth + 1]
    ends, weights = levels.ends[depth + 1], levels.weights[depth + 1]
    alone = levels.alone[depth + 1]
    for weight in range(LARGE):
        alone[weight] = levels.alone[depth, weight]
    start, end, num_open = 0, 0, 0
    for g in range(levels.num_open[depth]):
        stop = levels.ends[depth, g]
        for i in range(start, stop):
            state = column[rows[i]]
            room.sizes[state] += 1
            room.weights[state] += times[rows[i]]
        for i in range(start, stop):
            state = column[rows[i]]
            if room.sizes[state] > 0:  # met for the first time
                weight = room.weights[state]
                if room.sizes[state] == 1 and weight < LARGE:
                    alone[weight] += 1
                    room.places[state] = -1
                else:
                    room.places[state] = end
                    end += room.sizes[state]
                    ends[num_open], weights[num_open] = end, weight
                    num_open += 1
                room.sizes[state] = 0
                room.weights[state] = 0
            if room.places[state] >= 0:
                after[room.places[state]] = rows[i]
                room.places[state] += 1
        start = stop
    levels.num_open[depth + 1] = num_open
    levels.nominal[depth + 1] = levels.nominal[depth] * num_states


@inner
def sum_alone(alone: NDArray[np.int64], table: NDArray[np.float64], most: int) -> float:
    """What the rows that are alone add."""
    value = 0.0
    for weight in range(1, most + 1):
        value += alone[weight] * table[weight]
    return value


@inner
def sum_large(rule: Rule, room: Room, num_large: int, log_gamma: float) -> float:
    """What the large counts, lined up with α added, add."""
    finish_large(rule, room.large, num_large)
    value = 0.0
    for i in range(num_large):
        value += room.large[i] - log_gamma
    return value


@inner
def level_value(rule: Rule, levels: Levels, room: Room, depth: int, most: int) -> float:
    """The value of the set at a depth; rows that are alone weigh at most ``most``."""
    nominal = levels.nominal[depth]
    alpha = make_tables(rule, levels, depth, nominal)
    table = levels.tables[depth]
    value, num_large = sum_alone(levels.alone[depth], table, most), 0
    for g in range(levels.num_open[depth]):
        weight = levels.weights[depth, g]
        if weight < LARGE:
            value += table[weight]
        else:
            room.large[num_large] = weight + alpha
            num_large += 1
    value += sum_large(rule, room, num_large, levels.log_gammas[depth])
    return value - rule.penalty * nominal


@inner
def next_value(
    rule: Rule,
    levels: Levels,
    room: Room,
    depth: int,
    column: Codes,
    num_states: int,
    times: NDArray[np.int32],
    most: int,
) -> float:
    """The value of the set at a depth with one variable more, which is not extended further."""
    nominal = levels.nominal[depth] * num_states
    alpha = make_tables(rule, levels, depth + 1, nominal)
    table, rows = levels.tables[depth + 1], levels.rows[depth]
    value, num_large, start = sum_alone(levels.alone[depth], table, most), 0, 0
    for g in range(levels.num_open[depth]):
        stop = levels.ends[depth, g]
        for i in range(start, stop):
            room.weights[column[rows[i]]] += times[rows[i]]
        # of many states those of the rows are visited, of few all
        for i in range(min(num_states, stop - start)):
            state = i if num_states <= stop - start else np.int64(column[rows[start + i]])
            weight = room.weights[state]
            room.weights[state] = 0
            if weight < LARGE:
                value += table[weight]
            else:
                room.large[num_large] = weight + alpha
                num_large += 1
        start = stop
    value += sum_large(rule, room, num_large, levels.log_gammas[depth + 1])
    return value - rule.penalty * nominal


@allocating_entry
def weigh_sets(
    codes: Codes,
    times: NDArray[np.int32],
    num_states: NDArray[np.int64],
    rule: Rule,
    chosen: int,
    num_first: int,
    max_size: int,
    steps: NDArray[np.int64],
    values: NDArray[np.float64],
) -> None:
    """Write f of the sets that have, of the first ``num_first`` variables, those ``chosen``.

    Larger sets than ``max_size`` are left out. ``times`` says how often a row occurs. The place of
    a set among the values is the sum of ``steps[i, v]`` over its members v, the i-th first.
    """
    num_nodes, num_rows = codes.shape
    if popcount(np.uint64(chosen)) > max_size:
        return
    depths = min(num_nodes, max_size) + 2
    most_states = 1
    for v in range(num_nodes):
        most_states = max(most_states, num_states[v])
    levels = Levels(
        rows=np.empty((depths, num_rows), np.int32),
        ends=np.empty((depths, num_rows), np.int32),
        weights=np.empty((depths, num_rows), np.int64),
        num_open=np.empty(depths, np.int64),
        alone=np.zeros((depths, LARGE), np.int64),
        nominal=np.ones(depths),
        tables=np.empty((depths, LARGE + 1)),
        log_gammas=np.empty(depths),
        made_for=np.zeros(depths),
    )
    total, most = 0, 0
    for row in range(num_rows):
        levels.rows[0, row] = row
        total += times[row]
        if times[row] < LARGE:
            most = max(most, times[row])
    levels.ends[0, 0], levels.weights[0, 0], levels.num_open[0] = num_rows, total, 1
    room = Room(
        sizes=np.zeros(most_states, np.int64),
        weights=np.zeros(most_states, np.int64),
        places=np.zeros(most_states, np.int64),
        large=np.empty(total // LARGE + 1),
    )
    places = np.zeros(depths, np.int64)
    following = np.full(depths, num_first)
    bottom = 0
    for v in range(num_first):
        if (chosen >> v) & 1:
            split(levels, room, bottom, codes[v], num_states[v], times)
            places[bottom + 1] = places[bottom] + steps[bottom, v]
            bottom += 1
    values[places[bottom]] = level_value(rule, levels, room, bottom, most)
    depth = bottom
    while depth >= bottom:
        v = following[depth]
        if v == num_nodes or depth == max_size:
            depth -= 1
            continue
        following[depth] += 1
        larger = places[depth] + steps[depth, v]
        if v == num_nodes - 1 or depth + 1 == max_size:
            values[larger] = next_value(
                rule, levels, room, depth, codes[v], num_states[v], times, most
            )
            continue
        split(levels, room, depth, codes[v], num_states[v], times)
        depth += 1
        places[depth], following[depth] = larger, v + 1
        values[larger] = level_value(rule, levels, room, depth, most)


@entry
def fill_families(
    values: NDArray[np.float64],
    child: int,
    required: int,
    allowed: int,
    max_parents: int,
    log_edge_odds: float,
    table: NDArray[np.float64],
) -> None:
    """Write the scores of the child's families, edge terms included; −∞ where the rules bar one."""
    low, own = (1 << child) - 1, np.int64(1) << child
    for place in range(table.shape[0]):
        parents = (place & low) | ((place & ~low) << 1)
        num_parents = popcount(np.uint64(parents))
        is_barred = (parents & ~allowed) | (required & ~parents)
        whole = values[parents | own]
        if is_barred or num_parents > max_parents or whole == -np.inf:
            table[place] = -np.inf
        else:
            table[place] = whole - values[parents] + log_edge_odds * num_parents
