"""Where the command line prints: results to standard output, everything else to standard error."""

from rich.console import Console

console = Console()
error_console = Console(stderr=True)
