"""Small PDF files with a text layer, written by hand."""

from collections.abc import Sequence


def pdf(pages: Sequence[str], *, title: str = "") -> bytes:
    """A PDF whose pages hold these lines of ASCII text, one text line per line."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(_kids(len(pages)))}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Title ({title}) >>",
    ]
    for number, page in enumerate(pages):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {6 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>",
            _stream(page),
        ]
    return _file(objects)


def _kids(count: int) -> list[str]:
    return [f"{5 + 2 * number} 0 R" for number in range(count)]


def _stream(page: str) -> str:
    lines = "".join(f"({line}) Tj T* " for line in page.split("\n"))
    content = f"BT /F1 12 Tf 14 TL 72 720 Td {lines}ET"
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def _file(objects: Sequence[str]) -> bytes:
    body = "%PDF-1.4\n"
    places: list[int] = []
    for number, told in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{told}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R /Info 4 0 R >>"
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}\nstartxref\n{len(body)}\n%%EOF\n"
    return (body + tail).encode("ascii")
