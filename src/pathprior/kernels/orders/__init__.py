"""Searches over orders of the variables, each of which has the best parents that come before it."""
