"""Letters and lines of a drawing on axes, sized in the coordinates of the axes."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.text import Text
from numpy.typing import NDArray

from pathprior.report import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

POINTS_PER_INCH = 72


class ToScale(Artist):
    """Sets the sizes of what was added through it whenever the axes are drawn.

    Matplotlib sizes letters and lines in points, whatever the size of the axes; here both follow
    it. Nothing added reaches out of the axes, so no layout has to make room for it.
    """

    def __init__(self, ax: "Axes") -> None:
        super().__init__()
        self._ax = ax
        self._lines: list[tuple[Patch, float]] = []
        self._texts: list[tuple[Text, float, float]] = []
        self._unit = 0.0  # in pixels, when the sizes were last set
        self.set_zorder(0)  # before all that it sizes
        self.set_in_layout(False)
        ax.add_artist(self)

    def add_patch(self, patch: "Patch", *, line_width: float = 0.0) -> None:
        """Add a patch with a line of this width."""
        patch.set_in_layout(False)
        self._ax.add_patch(patch)
        self._lines.append((patch, line_width))

    def add_text(
        self,
        at: NDArray[np.float64],
        text: str,
        size: float,
        *,
        is_centred: bool = True,
        max_width: float = np.inf,
    ) -> None:
        """Add a line of text, smaller than ``size`` if it would be wider than ``max_width``."""
        added = self._ax.text(
            at[0],
            at[1],
            text,
            ha="center" if is_centred else "left",
            va="center",
            color=style.INK,
            parse_math=False,  # a name may hold dollar signs
            zorder=4,
        )
        added.set_in_layout(False)
        self._texts.append((added, size, max_width))

    def draw(self, renderer: RendererBase) -> None:
        """Set the sizes; those that are right already stay, lest the figure never come to rest."""
        origin, one = self._ax.transData.transform([(0, 0), (1, 1)])
        unit = float(np.abs(one - origin).min())
        if unit == self._unit:
            return
        self._unit = unit
        points = unit * POINTS_PER_INCH / self._ax.figure.dpi
        for patch, width in self._lines:
            patch.set_linewidth(width * points)
        for text, size, max_width in self._texts:
            text.set_fontsize(size * points)
            width = text.get_window_extent(renderer).width
            if width > max_width * unit:
                text.set_fontsize(size * points * max_width * unit / width)
