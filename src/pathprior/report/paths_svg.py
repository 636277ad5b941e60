"""The heat map of causal paths as a small inline SVG, for notebooks."""

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from pathprior.report import style
from pathprior.report.path_matrix import MAX_NUMBERED, path_matrix
from pathprior.report.picture import LETTER_HEIGHT, cut, text_width

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior

NUMBERED_CELL, PLAIN_CELL = 32, 15
"""Pixels of a cell with and without its number."""
LETTERS = 11
"""Pixels of a letter's height."""
GAP = 5
"""Pixels between a name and the cells."""
LEAST = 0.005
"""Probability that would be written 0.00, and is left white."""


def paths_svg(posterior: "Posterior") -> str:
    """Draw the probability that x causes y as SVG text, rows x, columns y.

    Pointing at a cell says which two they are, and the number.
    """
    matrix, names = path_matrix(posterior), posterior.variables
    has_numbers = len(names) <= MAX_NUMBERED
    cell = NUMBERED_CELL if has_numbers else PLAIN_CELL
    labels = [cut(name) for name in names]
    room = max(map(text_width, labels)) * LETTERS / LETTER_HEIGHT + 2 * GAP
    parts = [_label(k, label, cell) for k, label in enumerate(labels)]
    for (i, j), probability in np.ndenumerate(matrix):
        if i == j:
            parts.append(_cell(i, j, cell, style.NOTHING, ""))
        elif probability >= LEAST:
            title = f"{names[i]} causes {names[j]}: {probability:.3f}"
            number = _number(i, j, cell, probability) if has_numbers else ""
            parts.append(_cell(i, j, cell, style.shade(probability), escape(title)) + number)
    side = len(names) * cell
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Probabilities of causal '
        f'paths" viewBox="{-room:.0f} {-room:.0f} {room + side + GAP:.0f} '
        f'{room + side + GAP:.0f}" width="{room + side + GAP:.0f}" '
        f'style="max-width: 100%; height: auto; background: {style.PAPER}" '
        f'font-family="sans-serif" font-size="{LETTERS}" fill="{style.INK}">'
        f'<rect width="{side}" height="{side}" fill="none" stroke="{style.NOTHING}"/>'
        f"{''.join(parts)}</svg>"
    )


def _label(k: int, label: str, cell: int) -> str:
    """A name to the left of its row and above its column."""
    middle, text = (k + 0.5) * cell, escape(label)
    return (
        f'<text x="{-GAP}" y="{middle:g}" dy="0.35em" text-anchor="end">{text}</text>'
        f'<text transform="translate({middle:g} {-GAP}) rotate(-90)" dy="0.35em">{text}</text>'
    )


def _cell(i: int, j: int, cell: int, colour: str, title: str) -> str:
    return (
        f'<rect x="{j * cell}" y="{i * cell}" width="{cell}" height="{cell}" fill="{colour}">'
        f"<title>{title}</title></rect>"
    )


def _number(i: int, j: int, cell: int, probability: float) -> str:
    ink = style.PAPER if probability > style.DARK else style.INK
    # the number lets the pointer through to the title of its cell
    return (
        f'<text x="{(j + 0.5) * cell:g}" y="{(i + 0.5) * cell:g}" dy="0.35em" '
        f'text-anchor="middle" fill="{ink}" pointer-events="none">{probability:.2f}</text>'
    )
