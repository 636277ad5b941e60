"""Graphs as bitsets: ancestors, CPDAGs, orientations."""
