"""The command line: each command in a file of its own, thin: parse, call, print."""

from pathprior.cli.app import main

__all__ = ["main"]
