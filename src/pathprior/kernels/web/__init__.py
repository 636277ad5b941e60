"""Markov chains over partial orders."""
