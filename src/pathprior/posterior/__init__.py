"""Graphs weighed by how probable data and beliefs make them, and what they say on average."""
