"""`python -m pathprior_command` is the `pathprior` command, as it is from its first moment on."""

from pathprior_command import main

main()
