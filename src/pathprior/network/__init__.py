"""Bayesian networks: tables, sampling, BIF files, bundled examples."""
