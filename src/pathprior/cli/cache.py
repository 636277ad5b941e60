"""`pathprior cache`: the counts and fits kept on disk."""

from typing import Annotated

import typer

from pathprior.cli.console import console


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete everything in it.")] = False,
) -> None:
    """Show, or clear, the counts and the fits of webs kept on disk.

    PATHPRIOR_CACHE names another directory; PATHPRIOR_CACHE=off switches the cache off.

    Example: pathprior cache --clear
    """
    from pathprior.cli.tables import Column, print_table
    from pathprior.counting import cache as stored
    from pathprior.prior.web.cache import web_entries

    where = stored.directory()
    if where is None:
        console.print(f"The cache is off ({stored.VARIABLE}).", highlight=False)
        return
    if clear:
        num_files = stored.clear()
        console.print(f"{num_files} files deleted from {where}", highlight=False, markup=False)
        return
    counts, fits = stored.entries(), web_entries()
    total = sum(entry.num_bytes for entry in (*counts, *fits))
    console.print(
        f"{len(counts)} counts and {len(fits)} fits, {_size(total)}, in {where}",
        highlight=False,
        markup=False,
    )
    for kind, entries in (("counts", counts), ("fits", fits)):
        if entries:
            print_table(
                [Column(kind), Column("size", "right")],
                [(entry.key or "unreadable", _size(entry.num_bytes)) for entry in entries],
            )


def _size(num_bytes: int) -> str:
    return f"{num_bytes / 1000:.1f} kB"
