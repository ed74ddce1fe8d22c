"""Text on pages: texts of documents, file names and servers are shown literally."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from pages.components.shared import visitors
from trace_core.errors import TraceError
from trace_core.facts.strict import valid_text
from trace_core.summary.intervals import spread

_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """The text on one line, with Markdown's special characters escaped; what no page can show becomes �."""
    return _MARKDOWN.sub(r"\\\1", " ".join(str(valid_text(text)).split()))


def time_text(stamp: str) -> str:
    """A stored time in everyday form, in the visitor's time zone: “today 05:37”, “3 Nov 2026 05:37”."""
    zone = _zone()
    said = said_time(stamp, datetime.now(zone))
    return said if zone is not UTC else f"{said} UTC"


def said_time(stamp: str, now: datetime) -> str:
    """The time relative to `now`, in its time zone; a text that is not a time stays as it is."""
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp
    moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(now.tzinfo)
    clock = f"{moment:%H:%M}"
    near = {now.date(): "today", now.date() - timedelta(days=1): "yesterday"}
    return f"{near.get(moment.date()) or f'{moment.day} {moment:%b %Y}'} {clock}"


def _zone() -> tzinfo:
    """The visitor's time zone as the browser reports it; UTC where it reports none, or an invalid one."""
    try:
        return ZoneInfo(st.context.timezone) if st.context.timezone else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def show_error(error: TraceError) -> None:
    """What happened, and what to do, in one message."""
    st.error(plain(visitors.told(str(error))), icon=":material/error:")


def share_text(value: float | None) -> str:
    """A share without an interval; “undefined” where there is none."""
    return "undefined" if value is None else f"{value:.2f}"


def mean_text(mean: float | None, interval: tuple[float, float] | None, scored: int) -> str:
    """The mean of `scored` values with its interval, or a note that they are too few; “undefined” without a mean."""
    return "undefined" if mean is None else f"{mean:.2f} ({spread(interval, scored, 2)})"
