"""The studio: beliefs stated in the browser, with what follows from them.

`session`, and all that it stands on, is plain Python; `app` puts it behind HTTP, `serve` starts it.
"""
