"""Search over Markov equivalence classes."""
