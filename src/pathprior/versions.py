"""Which versions made a result."""

PACKAGES = ("pathprior", "numpy", "scipy", "numba", "pandas")


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that numbers depend on."""
    import platform
    from importlib.metadata import version

    return {
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
    }
