"""Text on pages: texts of documents, file names and servers are shown literally; and the fields to type texts."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from pages.components.shared import visitors
from trace_core.errors import TraceError
from trace_core.facts.differences import Piece
from trace_core.facts.strict import valid_text
from trace_core.summary.intervals import spread

_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """The text on one line, with Markdown's special characters escaped; what no page can show becomes �."""
    return _MARKDOWN.sub(r"\\\1", " ".join(str(valid_text(text)).split()))


def mark_differences(pieces: Sequence[Piece], look: str = ":orange-background[{}]") -> str:
    """A text in pieces as Markdown, shown literally; what differs has the look."""
    flat = [(re.sub(r"\s+", " ", str(valid_text(str(text)))), differs) for text, differs in pieces]
    literal = [(_MARKDOWN.sub(r"\\\1", text), differs) for text, differs in flat]
    return "".join(look.format(text) if differs else text for text, differs in literal)


def time_text(stamp: str) -> str:
    """A stored time in the visitor's time zone, as “3 Nov 2026 05:37”; in UTC where the browser reports none."""
    try:
        zone = ZoneInfo(st.context.timezone or "")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        zone = None
    moment = datetime.fromisoformat(stamp)
    moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(zone or UTC)
    return f"{moment.day} {moment:%b %Y %H:%M}{'' if zone else ' UTC'}"


def show_error(error: TraceError) -> None:
    """What happened, and what to do, in one message."""
    st.error(plain(visitors.for_visitor(str(error))), icon=":material/error:")


@contextmanager
def show_errors() -> Iterator[None]:
    """What is done within ends at a `TraceError`, which is shown in its place."""
    try:
        yield
    except TraceError as error:
        show_error(error)


def distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Id → name, and the id beside it where names repeat: a menu tells its options apart by their words alone."""
    counts = Counter(names.values())
    return {i: name if counts[name] == 1 else f"{name} {i}" for i, name in names.items()}


def number_text(value: float | None, digits: str = ".3f", without: str = "undefined") -> str:
    """The number with these digits; `without` where there is none."""
    return without if value is None else f"{value:{digits}}"


def mean_text(mean: float | None, interval: tuple[float, float] | None, n: int, digits: int = 2) -> str:
    """The mean of `n` values with its interval, or that they are too few for one; “undefined” without a mean."""
    interval_text = spread(interval, n, digits) if interval else f"n = {n:,}: too few for an interval"
    return "undefined" if mean is None else f"{mean:.{digits}f} ({interval_text})"


MOST_DOCUMENTS = 20


def edit_texts(
    key: str, question: str, documents: Sequence[str], answer: str, *, wide: bool = False
) -> tuple[str, tuple[str, ...], str]:
    """Draw the fields, which begin with these texts; returns what they hold. Documents can be added and removed. `wide`
    puts the documents beside question and answer."""

    def field(label: str, text: str) -> str:
        return st.text_area(label, text, key=f"{key}-{label}", height="content", persist_state="session") or ""

    left, right = st.columns(2) if wide else (st.container(), st.container())
    with left:
        question = field("Question", question)
    counter = f"{key}-documents"
    count = st.session_state.setdefault(counter, min(len(documents), MOST_DOCUMENTS))
    with right:
        texts = tuple(field(f"Document {i}", documents[i] if i < len(documents) else "") for i in range(count))
        with st.container(horizontal=True):
            more = st.button("Add a document", icon=":material/add:", disabled=count >= MOST_DOCUMENTS)
            fewer = st.button("Remove the last", icon=":material/remove:", disabled=count == 0)
    if more or fewer:
        st.session_state[counter] = count + (1 if more else -1)
        st.rerun()
    with left if wide else st.container():
        return question, texts, field("Answer", answer)
