"""Beliefs about pairs of variables, sets of them, and belief files."""
