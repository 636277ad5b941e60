"""Time that is up when a test wants it to be."""

from time import monotonic


def end_after(monkeypatch, owner, name, number=1):
    """Let a year pass with the call of this number, from 1."""
    calls, function = [], getattr(owner, name)

    def call(*arguments):
        calls.append(name)
        return function(*arguments)

    def now():
        return monotonic() + (3e7 if len(calls) >= number else 0.0)

    monkeypatch.setattr(owner, name, call)
    for module in ("search.interrupt", "posterior.errors_table", "posterior.judge", "report.pace"):
        monkeypatch.setattr(f"pathprior.{module}.monotonic", now)
