"""`python -m pathprior` is the `pathprior` command."""

from pathprior_command import main

main()
