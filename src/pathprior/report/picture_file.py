"""Pictures for files, whatever matplotlib backend the caller has."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(size: tuple[float, float] | None = None) -> "Figure":
    """Make a figure that no window and no state of pyplot knows of, of so many inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save_figure(figure: "Figure", path: Path) -> None:
    """Write a picture that is sharp on paper too."""
    with warnings.catch_warnings():
        # matplotlib's font lacks some scripts and draws boxes, which anyone can see
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
        # a title above turned names finds its place in a first layout, and room in a second
        figure.draw_without_rendering()
        figure.savefig(path, dpi=150)
