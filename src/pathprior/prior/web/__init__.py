"""The fit of beliefs whose configurations are too many to list, by Markov chains."""
