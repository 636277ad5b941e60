"""`python -m pathprior` is the `pathprior` command."""

from pathprior.cli import main

main()
