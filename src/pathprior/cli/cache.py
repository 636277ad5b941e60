"""`pathprior cache`: the counts kept on disk."""

from typing import Annotated

import typer

from pathprior.cli.console import console


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete everything in it.")] = False,
) -> None:
    """Show, or clear, the counts kept on disk.

    PATHPRIOR_CACHE names another directory; PATHPRIOR_CACHE=off switches the cache off.

    Example: pathprior cache --clear
    """
    from pathprior.cli.tables import Column, print_table
    from pathprior.counting import cache as stored

    where = stored.directory()
    if where is None:
        console.print(f"The cache is off ({stored.VARIABLE}).", highlight=False)
        return
    if clear:
        num_files = stored.clear()
        console.print(f"{num_files} files deleted from {where}", highlight=False, markup=False)
        return
    entries = stored.entries()
    total = sum(entry.num_bytes for entry in entries)
    console.print(
        f"{len(entries)} counts, {_size(total)}, in {where}", highlight=False, markup=False
    )
    if entries:
        print_table(
            [Column("counts"), Column("size", "right")],
            [(entry.key or "unreadable", _size(entry.num_bytes)) for entry in entries],
        )


def _size(num_bytes: int) -> str:
    return f"{num_bytes / 1000:.1f} kB"
