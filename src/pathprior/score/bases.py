"""`Bases`: real variables as blocks of columns, of which the first is the variable itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pathprior.data.normal_scores import commonest, mid_ranks
from pathprior.kernels.data.noise import BLUR, MAX_LEVELS, SKEW
from pathprior.score.sums import Floats

MORE_DEGREES = 5
"""How many polynomials may be left out before a block stays short."""
LEAST = 1e-6
"""Mean square of a polynomial, less what other columns have of it, that is nothing new."""


@dataclass(frozen=True, slots=True, eq=False)
class Standard:
    """A column in units of its own: z = (x − mean)/deviation, with denominator n."""

    z: Floats
    mean: float
    deviation: float
    log_deviation: float

    @classmethod
    def of(cls, x: Floats) -> "Standard":
        """Standardise, without an overflow; a constant column becomes zeros, its deviation is 1."""
        if x.min() == x.max():
            return cls(np.zeros(len(x)), float(x[0]), 1.0, 0.0)
        # by powers of two: nothing is rounded
        first = _exponent(x)
        scaled = np.ldexp(x, -first)
        mean = float(scaled.mean())
        second = _exponent(scaled - mean)
        away = np.ldexp(scaled - mean, -second)
        root, exponent = float(np.sqrt(np.mean(away * away))), first + second
        return cls(
            away / root,
            float(np.ldexp(mean, first)),
            float(np.ldexp(root, exponent)),
            float(np.log(root) + exponent * np.log(2.0)),
        )


def _exponent(x: Floats) -> int:
    """e of the largest size m 2^e, ½ ≤ m < 1."""
    return int(np.frexp(np.abs(x).max())[1])


def places(x: Floats) -> Floats:
    """u = 2(r − ½)/n − 1 of the mid-ranks r."""
    return np.asarray(2.0 * (mid_ranks(x) - 0.5) / len(x) - 1.0)


def block_of(x: Floats, num_columns: int) -> tuple[Standard, list[Floats], list[int]]:
    """The columns b₁ … of a variable, orthogonal to each other and to 1, of mean square 1.

    b₁ = z; then what Legendre's polynomials of u = 2(r − ½)/n − 1, r the mid-ranks, have besides.
    All but b₁ are bounded, so that an outlier has no leverage in them. Returns also the degrees.
    """
    from scipy.special import eval_legendre

    standard = Standard.of(x)
    size = min(num_columns, len(np.unique(x)) - 1)
    if size < 1:
        return standard, [], []
    block, degrees, u = [standard.z], [1], places(x)
    for k in range(2, num_columns + MORE_DEGREES + 1):
        if len(block) == size:
            break
        column = eval_legendre(k, u)
        for _ in range(2):
            column = column - column.mean()
            for other in block:
                column = column - np.mean(column * other) * other
        square = np.mean(column * column)
        if square > LEAST:
            block.append(column / np.sqrt(square))
            degrees.append(k)
    return standard, block, degrees


@dataclass(frozen=True, slots=True, eq=False)
class Bases:
    """The blocks of all variables on some rows.

    Attributes
    ----------
    columns
        One column of the basis in each row.
    first_column
        Those of variable v are ``first_column[v]`` … ``first_column[v + 1] − 1``; a constant one
        has none.
    log_scales
        log of the standard deviation of each variable.
    levels
        How many levels the tree of each variable may have.
    """

    columns: Floats
    first_column: NDArray[np.int64]
    log_scales: Floats
    levels: NDArray[np.int64]

    @classmethod
    def of(cls, values: Sequence[Floats] | Floats, num_columns: int) -> "Bases":
        """Make the blocks."""
        made = [block_of(x, num_columns)[:2] for x in values]
        n = len(values[0])
        sizes = [len(block) for _, block in made]
        rows = [column for _, block in made for column in block]
        return cls(
            np.array(rows).reshape(len(rows), n),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.array([standard.log_deviation for standard, _ in made]),
            np.array([num_levels(x) for x in values], dtype=np.int64),
        )

    @property
    def prior(self) -> Floats:
        """λ of each column: 1, and (j − 1)² of the j-th of a block, j ≥ 2."""
        sizes = np.diff(self.first_column).tolist()
        blocks = [[max(1.0, float(j * j)) for j in range(size)] for size in sizes]
        return np.array([weight for block in blocks for weight in block])

    def products(self) -> Floats:
        """Sums of products of all columns."""
        return np.asarray(self.columns @ self.columns.T)


def num_levels(x: Floats) -> int:
    """Largest J of 0 … 6 with 2^J ≤ n/4q, q the count of the commonest value.

    With more, the tree of a rounded column would describe its rounding.
    """
    most = len(x) / (4.0 * commonest(x))
    return max((j for j in range(MAX_LEVELS + 1) if 2**j <= most), default=0)


@cache
def borders() -> tuple[Floats, Floats, Floats]:
    """Quantiles i/64 of the normal, of the skewed density and of Student's t₄."""
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri
    from scipy.stats import t

    shares = np.arange(1, 2**MAX_LEVELS) / 2**MAX_LEVELS

    def below(w: float) -> float:
        """The distribution function of aN + c(Exp − 1)."""
        x = (w + SKEW) / BLUR
        tail = np.exp(BLUR**2 / (2 * SKEW**2) - (w + SKEW) / SKEW) * ndtr(x - BLUR / SKEW)
        return float(ndtr(x) - tail)

    skewed = [brentq(lambda w, s=s: below(w) - s, -4.0, 40.0, xtol=1e-14) for s in shares]
    return ndtri(shares), np.array(skewed), t.ppf(shares, 4)
