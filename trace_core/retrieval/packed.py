"""The readers of PDF and HTML. They run in a process of their own (`trace_core.process`)."""

from collections.abc import Iterator
from typing import BinaryIO


def pdf_pages(stream: BinaryIO) -> Iterator[dict[str, str] | None]:
    """Null for an encrypted one, else a text or an error a page."""
    from pypdf import PdfReader

    reader = PdfReader(stream)
    try:  # many PDFs only forbid changes: the empty password opens them
        is_open = not reader.is_encrypted or bool(reader.decrypt(""))
    except Exception:  # noqa: BLE001  # an encryption that pypdf does not know
        is_open = False
    if not is_open:
        yield None
    for page in reader.pages if is_open else ():
        try:
            yield {"text": page.extract_text()}
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001  # the parser raises many kinds; the other pages are read
            yield {"error": type(error).__name__}


def html_page(stream: BinaryIO) -> Iterator[dict[str, str] | None]:
    """The title and the text; null for elements that are nested too deeply."""
    import html_text
    from lxml import etree

    data = stream.read()
    tree = html_text.parse_html(data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"))
    title = tree.findtext(".//title") or ""
    unseen = "head noscript template script style iframe embed object applet layer frameset".split()
    # Not by `drop_tree`, nor by `extract_text`, which calls it: what follows an element would be copied for each.
    etree.strip_elements(tree, *unseen, etree.Comment, etree.PI, with_tail=False)
    try:
        yield {"title": title, "text": html_text.etree_to_text(tree)}
    except RecursionError:
        yield None
