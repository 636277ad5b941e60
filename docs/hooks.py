"""Brings benchmarks/README.md into the site, links to the page, marks the catalogue of errors."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

BENCHMARKS = Path(__file__).parents[1] / "benchmarks" / "README.md"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page, its links as seen from docs/."""
    text = BENCHMARKS.read_text(encoding="utf-8").replace("](../docs/", "](")
    files.append(File.generated(config, "benchmarks.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Link to the page: from the folder docs/ it lies one level nearer than the file."""
    up = "../" * page.file.src_uri.count("/")
    return markdown.replace(f"](../{up}benchmarks/README.md", f"]({up}benchmarks.md")


def on_page_content(html: str, page: Page, **_: object) -> str:
    """Mark the pages of the catalogue of errors for site.css."""
    is_catalogue = page.file.src_uri.startswith("errors/")
    return f'<div class="messages">{html}</div>' if is_catalogue else html
