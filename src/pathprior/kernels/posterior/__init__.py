"""Markov chains over DAGs whose target is the posterior."""
