"""Colours and line styles shared by the plots and the HTML report.

The palette is Okabe and Ito's (2008), which readers with any common colour blindness can tell
apart.
"""

DATA = "#0072B2"
BELIEFS = "#E69F00"
BOTH = "#009E73"
NEITHER = "#999999"
HELD = "#009E73"
NOT_HELD = "#D55E00"
INK = "#222222"
PAPER = "#FFFFFF"
