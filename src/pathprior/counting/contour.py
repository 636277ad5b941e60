"""Z(β) on many nodes, without a table: Cauchy's integral, or its residues.

With α = log(1 + β) and z(n) = Z / (n! e^{αn(n−1)/2}), Robinson's inclusion–exclusion over sinks is

  Σ_n z(n) x^n = 1 / Φ(x),   Φ(x) = Σ_k (−x)^k / k! · e^{−αk(k−1)/2},

so that z(n) = 1/(2πi) ∮ x^{−n−1} / Φ(x) dx. The series cancels to nothing where x is near n, but
e^{−αk²/2} is the mean of e^{ku} for imaginary normal u of variance −α:

  Φ(x) = 1 / (i √(2πα)) ∫ e^{u²/(2α) − v} du,   v = x e^{u + α/2},

a smooth integral along any path from −i∞ to i∞, best taken through its saddle, where u = αv. Both
integrals are sums over equal steps, which converge faster than any power of the step. Φ, a deformed
exponential function, has simple zeros only, all positive: where the first few of them make up the
integral, their residues are added up instead. Either way z is good to about 10⁻¹².
"""

from math import ceil, log, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.counting.base import Floats

Complexes = NDArray[np.complex128]

LEAST_NODES = 100
"""Fewer nodes need more steps than are taken here."""

MOST_ALPHA = 0.2
"""Up to it Φ is calculated. Beyond it the first zero alone makes up z on `LEAST_NODES` and more."""

NUM_STEPS, NUM_TURNS = 100, 144
"""Steps to either side of the saddle, and along half the circle |x| = const as far as it counts."""

AIRY_FIRST, AIRY_GAP = 2.338, 1.750
"""Minus the first zero of the Airy function, and from there to the next. Near u = 1 Φ is one, of
−(log x − const) · 2^{1/3} α^{−2/3}."""

MIN_DECAY, ALL_DECAY = 5.0, 38.0
"""Powers of e from one residue to the next from which on residues are added up, and to the last."""


class ScaledSum(NamedTuple):
    """log z(n), and its derivative by α."""

    log_value: float
    slope: float


def scaled_sum(num_nodes: int, alpha: float) -> ScaledSum:
    """z on at least `LEAST_NODES` nodes, for α up to `MOST_ALPHA`."""
    decay = (num_nodes - 1 / alpha) * AIRY_GAP * (alpha**2 / 2) ** (1 / 3)
    if decay < MIN_DECAY:
        return _along_circle(num_nodes, alpha)
    return _by_residues(num_nodes, alpha, decay)


def _moments(v: Complexes, saddle: float, alpha: float, num_moments: int) -> list[Complexes]:
    """1 / (i √(2πα)) ∫ v^j e^{u²/(2α) − v} du for j = 0, 1, …, which is (−x)^j Φ^(j)(x).

    ``v`` are those at the saddle s, and e^{s²/(2α) − v(s)} is left out. The path leaves s upright
    and bends to the left, towards angles of ±120°, where the cubic term of the exponent takes over.
    """
    bend = max(np.cbrt(alpha), 1 - saddle)
    step = min(0.3 * sqrt(alpha / bend), 0.15 * np.cbrt(alpha))
    height = step * np.arange(-NUM_STEPS, NUM_STEPS + 1)
    root = np.hypot(height, bend)
    path = 1j * height - (root - bend) / sqrt(3)
    growth = np.expm1(path)
    values = np.exp((saddle * path + path**2 / 2) / alpha - v[:, None] * growth)
    weights = step / sqrt(2 * pi * alpha) * (1 + 1j / sqrt(3) * height / root)
    # sums, not matrix products: the threads of these cost more than they save
    return [(values * (weights * (1 + growth) ** j)).sum(axis=1) * v**j for j in range(num_moments)]


def _along_circle(num_nodes: int, alpha: float) -> ScaledSum:
    """The integral over |x| = const: near n, where x^{−n} / Φ is least, and left of the first zero.

    |Φ| grows with the angle, as each factor 1 − x / zero does: like a Gaussian function's inverse,
    or an Airy function off its axis. Beyond ``widest`` 1 / Φ is below 10⁻¹⁵ of what it is at 0.
    """
    saddle = min(num_nodes * alpha, 1.0)
    radius = min(float(num_nodes), 1 / alpha + 0.9 / np.cbrt(alpha))

    def terms(angles: Floats) -> Complexes:
        turn = np.expm1(1j * angles)
        moments = _moments(radius * (1 + turn), saddle, alpha, 3)
        inverse = np.exp(radius * turn - 1j * num_nodes * angles) / moments[0]
        return np.stack([inverse, inverse * moments[2] / (2 * moments[0])])

    widest = max(10 * sqrt((1 - saddle) / num_nodes), 22 * alpha ** (2 / 3))
    along = terms(np.linspace(0, widest, NUM_TURNS + 1)).real
    along[:, 0] /= 2
    total, slope = along.sum(axis=1)
    log_x = log(radius) - saddle - alpha / 2
    log_top = radius - saddle**2 / (2 * alpha) - num_nodes * log_x
    return ScaledSum(log_top + log(total * widest / (NUM_TURNS * pi)), slope / total)


def _by_residues(num_nodes: int, alpha: float, decay: float) -> ScaledSum:
    """The sum of 1 / (x^n · −xΦ′(x)) over the zeros of Φ, whose terms fall by e^``decay``."""
    last = AIRY_FIRST + AIRY_GAP * ALL_DECAY / decay
    v = _guess_zeros(alpha, ceil(2 / 3 * last**1.5 / pi + 0.25))
    for _ in range(4):  # Newton, for e^v Φ: Φ itself falls too steeply
        value, first = (moment.real for moment in _moments(v.astype(complex), 1.0, alpha, 2))
        v = v * (1 + value / (first - v * value))
    _, first, second, third = (moment.real for moment in _moments(v.astype(complex), 1.0, alpha, 4))
    log_x = np.log(v) - 1 - alpha / 2
    logs = v - 1 / (2 * alpha) - num_nodes * log_x - np.log(np.abs(first))
    residues = np.sign(first) * np.exp(logs - logs[0])
    # ∂Φ/∂α = −x²Φ″/2, and the zero moves with α
    shift = -second / (2 * first)
    slopes = -num_nodes * shift - (second - third / 2 + (first - second) * shift) / first
    total = residues.sum()
    return ScaledSum(float(logs[0] + log(total)), float(residues @ slopes / total))


def _guess_zeros(alpha: float, num_zeros: int) -> Floats:
    """v(1) at the first zeros of Φ, from its two saddles there, u = φ cot φ ± iφ.

    The two cancel where their phase, (φ − φ² cot φ) / α and half that of 1 − u, is π (j − ½).
    """
    phase = pi * (np.arange(num_zeros) + 0.5)
    angle = np.minimum(np.cbrt(3 * alpha * (phase + pi / 4)), 2.5)
    for _ in range(8):  # Newton
        saddle = angle / np.tan(angle) + 1j * angle
        excess = angle * (1 - saddle.real) / alpha + np.angle(1 - saddle) / 2 - phase
        angle = angle - excess * alpha / (1 - 2 * saddle.real + (angle / np.sin(angle)) ** 2)
    saddle = angle / np.tan(angle) + 1j * angle
    v: Floats = (saddle * np.exp(1 - saddle)).real / alpha
    return v
