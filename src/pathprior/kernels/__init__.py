"""Compiled loops: arrays and scalars in and out, nothing of ours imported.

Conventions shared by all kernels. A set of nodes is a row of ``uint64`` words: node ``i`` is bit
``i & 63`` of word ``i >> 6``. ``parents[v]`` and ``ancestors[v]`` are such rows, with
``v ∈ ancestors[v]``. Kernels trust their input; validation happens at the public doors.
"""
