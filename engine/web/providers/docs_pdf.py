"""PDF documents of a folder, read by the same worker process as pages of the web."""

from engine.web.providers.docs_files import UnreadableFile
from engine.web.providers.docs_text import DocumentText


def read_pdf(body: bytes) -> DocumentText:
    """Pages one after another; anchors `page=N`. Raises UnreadableFile."""
    raise UnreadableFile("a PDF, which cannot be read here")
