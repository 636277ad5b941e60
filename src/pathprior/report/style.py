"""Colours shared by the plots and the HTML report.

The palette is Okabe and Ito's (2008), which readers with any common colour blindness can tell
apart; on a dark page its lighter members stand in for the darker ones.
"""

DATA = "#0072B2"
BELIEFS = "#E69F00"
BOTH = "#009E73"
NEITHER = "#999999"
CONFLICT = "#D55E00"
HELD = "#56B4E9"
NOT_HELD = "#CC79A7"
WEAK = "#999999"
INK = "#222222"
PAPER = "#FFFFFF"

SEQUENTIAL = (PAPER, "#B5DDF5", "#56B4E9", DATA, "#00304D")
"""From improbable to certain: one hue, ever darker, so that grey prints order the same way."""
DARK = 0.68
"""Where the colours on the way are so dark that numbers on them are light."""
NOTHING = "#EEEEEE"
"""What has no place on the way."""

UNSETTLED = "#CFCFCF"
"""What chains do not agree on, however probable it looks."""

LIGHT_PAGE = {
    "data": DATA,
    "beliefs": BELIEFS,
    "both": BOTH,
    "neither": NEITHER,
    "agrees": "#00805D",  # darker than the lines' green: it colours text
    "disagrees": "#B34E00",
    "ink": INK,
    "soft-ink": "#666666",
    "paper": PAPER,
    "page": "#F6F6F4",
    "line": "#DDDDD8",
    "warm": "#FDF3E1",
}
DARK_PAGE = {
    "data": "#56B4E9",
    "beliefs": "#F0B429",
    "both": "#2FC79A",
    "neither": "#8A8A8A",
    "agrees": "#3FD0A4",
    "disagrees": "#FF9147",
    "ink": "#E8E8E6",
    "soft-ink": "#A3A3A0",
    "paper": "#1F2023",
    "page": "#161719",
    "line": "#38393D",
    "warm": "#33291A",
}


def css_variables() -> str:
    """Return both palettes as CSS custom properties, chosen by the reader's colour scheme."""
    light, dark = (
        " ".join(f"--{name}: {colour};" for name, colour in palette.items())
        for palette in (LIGHT_PAGE, DARK_PAGE)
    )
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
    )


def ink_on(share: float) -> str:
    """The colour of a number on `shade`."""
    return PAPER if share > DARK else INK


def shade(share: float) -> str:
    """The colour at ``share``, between 0 and 1, of the way along `SEQUENTIAL`."""
    place = share * (len(SEQUENTIAL) - 1)
    first = min(int(place), len(SEQUENTIAL) - 2)
    low, high = (bytes.fromhex(colour[1:]) for colour in SEQUENTIAL[first : first + 2])
    mixed = (round(a + (b - a) * (place - first)) for a, b in zip(low, high, strict=True))
    return f"#{bytes(mixed).hex().upper()}"
