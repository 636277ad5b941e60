"""The heat map of causal paths as inline SVG, for notebooks and reports."""

import base64
from collections.abc import Sequence
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.evidence import NOT_SETTLED
from pathprior.report import style
from pathprior.report.path_matrix import MAX_NUMBERED, map_order, path_matrix
from pathprior.report.picture import LETTER_HEIGHT, cut, text_width
from pathprior.report.settled import settled_matrix

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior

NUMBERED_CELL, PLAIN_CELL = 32, 15
"""Pixels of a cell with and without its number."""
LARGEST = 1000
"""Pixels of the side of a map without names, unless its cells would be smaller than one pixel."""
LETTERS = 11
"""Pixels of a letter's height."""
GAP = 5
"""Pixels between a name and the cells."""
LEAST = 0.005
"""Probability that would be written 0.00, and is left white."""


def paths_svg(posterior: "Posterior") -> str:
    """Draw the probability that x causes y as SVG text, rows x, columns y.

    Pointing at a cell says which two they are, and the number. What has not settled is grey.
    """
    matrix, names = path_matrix(posterior), posterior.variables
    settled = settled_matrix(posterior.relations_settled, len(names))
    has_numbers, cell, room = len(names) <= MAX_NUMBERED, _cell_size(names), _room(names)
    parts = [_label(k, cut(name), cell) for k, name in enumerate(names)]
    for (i, j), probability in np.ndenumerate(matrix):
        if i == j:
            parts.append(_cell(i, j, cell, style.NOTHING, ""))
        elif probability >= LEAST or not settled[i, j]:
            title = f"{names[i]} causes {names[j]}: {probability:.3f}"
            colour, ink = style.shade(probability), style.ink_on(probability)
            if not settled[i, j]:
                title, colour, ink = f"{title}, {NOT_SETTLED}", style.UNSETTLED, style.INK
            number = _number(i, j, cell, probability, ink) if has_numbers else ""
            parts.append(_cell(i, j, cell, colour, escape(title)) + number)
    return _frame("".join(parts), len(names) * cell, room, paths_width(names))


def paths_picture(posterior: "Posterior") -> str:
    """Draw the same of many variables as a picture in SVG: a pixel for each pair, and no names.

    Rows and columns are in the order of `map_order`.
    """
    from matplotlib.image import imsave

    matrix = path_matrix(posterior)
    order = map_order(matrix)
    settled = settled_matrix(posterior.relations_settled, len(matrix))
    pixels = _colours(matrix[np.ix_(order, order)], settled[np.ix_(order, order)])
    file = BytesIO()
    imsave(file, pixels, format="png")
    side = len(matrix) * max(1, LARGEST // len(matrix))
    picture = base64.b64encode(file.getvalue()).decode()
    return _frame(
        f'<image width="{side}" height="{side}" style="image-rendering: pixelated" '
        f'href="data:image/png;base64,{picture}"/>',
        side,
        GAP,
        0,
    )


def paths_width(names: Sequence[str]) -> int:
    """Pixels that `paths_svg` takes where there is room."""
    return round(_room(names) + len(names) * _cell_size(names) + GAP)


def _cell_size(names: Sequence[str]) -> int:
    return NUMBERED_CELL if len(names) <= MAX_NUMBERED else PLAIN_CELL


def _room(names: Sequence[str]) -> float:
    """Pixels for the names of the rows, and above for those of the columns."""
    return max(text_width(cut(name)) for name in names) * LETTERS / LETTER_HEIGHT + 2 * GAP


def _frame(content: str, side: float, room: float, natural: int) -> str:
    """An SVG of cells that begin at 0, with a room for names; ``natural`` is the width of these."""
    whole = round(room + side + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Probabilities of causal '
        f'paths" viewBox="{-room:.0f} {-room:.0f} {whole} {whole}" width="{whole}" '
        f'data-side="{side}" style="--natural: {natural}px; max-width: 100%; height: auto; '
        f'background: {style.PAPER}" '
        f'font-family="sans-serif" font-size="{LETTERS}" fill="{style.INK}">'
        f'<rect width="{side}" height="{side}" fill="none" stroke="{style.NOTHING}"/>'
        f"{content}</svg>"
    )


def _colours(matrix: NDArray[np.float64], settled: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Red, green and blue of each cell as `style.shade` has them; grey where nothing is shown."""
    known = np.array([list(bytes.fromhex(colour[1:])) for colour in style.SEQUENTIAL], dtype=float)
    at = np.linspace(0, 1, len(known))
    channels = [np.interp(np.nan_to_num(matrix), at, known[:, k]) for k in range(3)]
    pixels: NDArray[np.uint8] = np.rint(np.stack(channels, axis=-1)).astype(np.uint8)
    pixels[~settled] = list(bytes.fromhex(style.UNSETTLED[1:]))
    pixels[np.isnan(matrix)] = list(bytes.fromhex(style.NOTHING[1:]))
    return pixels


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


def _number(i: int, j: int, cell: int, probability: float, ink: str) -> str:
    # the number lets the pointer through to the title of its cell
    return (
        f'<text x="{(j + 0.5) * cell:g}" y="{(i + 0.5) * cell:g}" dy="0.35em" '
        f'text-anchor="middle" fill="{ink}" pointer-events="none">{probability:.2f}</text>'
    )
