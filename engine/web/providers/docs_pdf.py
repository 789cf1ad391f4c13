"""PDF documents of a folder, read by the same limited process as PDFs of the web."""

from engine.domain.errors import ToolError
from engine.web.providers.docs_files import UnreadableFile
from engine.web.providers.docs_text import DocumentText


def read_pdf(body: bytes) -> DocumentText:
    """Pages one after another, anchors `page=N`. Raises UnreadableFile. Blocks for seconds."""
    from engine.web.pdf import read_pdf_blocking

    try:
        told, note = read_pdf_blocking(body)
    except ToolError as exc:
        raise UnreadableFile(str(exc)) from exc
    return DocumentText(told.title, told.text, "", told.anchors, note)
