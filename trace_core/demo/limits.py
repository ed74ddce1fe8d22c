"""The public demo (`TRACE_DEMO=1`): limits for each visitor and for all visitors together."""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from trace_core.errors import InputError
from trace_core.facts.sentences import spans
from trace_core.settings import Settings

EACH, ALL, SECONDS = 10, 60, 60.0
"""The most questions, scorings or queries that one visitor, and all together, may start in this many seconds."""
READ_EACH, READ_ALL = 30, 180
"""The most file previews and searches in the same time."""
MADE_EACH, MADE_ALL, HOUR = 12, 60, 3600.0
"""The most runs, data sets, imports and collections that one visitor, and all together, may start in an hour."""
AT_ONCE_EACH, AT_ONCE_ALL = 1, 2
"""The most concurrent runs of one visitor, and of all together."""
LONGEST, SENTENCES = 20_000, 400
"""The most characters and sentences of one scoring; ordinary text of that length has half as many sentences."""
UPLOAD_BYTES, ROWS = 5_000_000, 200
"""The most bytes uploaded at once, and the most rows of a data set, hence records of a run."""
CONTENT_BYTES = 4 * UPLOAD_BYTES
"""The most bytes of text that an uploaded file may unpack to."""
HELD_EACH, HELD_ALL = 2 * UPLOAD_BYTES, 20 * UPLOAD_BYTES
"""The most bytes of uploads that the server keeps for one visitor, and for all together."""
BODY = 12 * LONGEST
"""The most bytes of a body of POST /trace: JSON may need 12 bytes for one character."""


class VisitorLimiter:
    """Allows at most `each` starts per visitor and `everyone` in all within any `seconds`; thread-safe."""

    def __init__(
        self, each: int, everyone: int, seconds: float = SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._each, self._everyone, self._seconds, self._clock = each, everyone, seconds, clock
        self._starts: deque[tuple[float, str]] = deque()  # never longer than `everyone`
        self._lock = threading.Lock()

    def wait(self, visitor: str) -> float:
        """0 if the visitor may start, which is then counted; else the seconds until they may."""
        with self._lock:
            now = self._clock()
            while self._starts and self._starts[0][0] <= now - self._seconds:
                self._starts.popleft()
            own = [start for start, who in self._starts if who == visitor]
            if len(own) >= self._each:
                return own[0] + self._seconds - now
            if len(self._starts) >= self._everyone:
                return self._starts[0][0] + self._seconds - now
            self._starts.append((now, visitor))
            return 0.0


ASKING, READING = VisitorLimiter(EACH, ALL), VisitorLimiter(READ_EACH, READ_ALL)
MAKING = VisitorLimiter(MADE_EACH, MADE_ALL, HOUR)
"""The limiters of this process, shared by the pages and POST /trace."""


def check_turn(limiter: VisitorLimiter, visitor: str) -> None:
    """Count one start. Raises `InputError`, saying when to try again, if the visitor has reached the limit."""
    if wait := limiter.wait(visitor):
        when = f"{max(1, round(wait))} s" if wait < 100 else f"{round(wait / 60)} min"
        raise InputError("The demo is shared: that is enough for now.", f"Try again in {when}.")


def check_length(texts: Sequence[str]) -> None:
    """Raises `InputError` for more characters than the demo reads at once."""
    length = sum(map(len, texts))
    if length > LONGEST:
        raise InputError(f"The demo reads up to {LONGEST:,} characters at once, these are {length:,}.", "Shorten them.")


def check_sentence_count(texts: Sequence[str]) -> None:
    """Raises `InputError` for more sentences than the demo reads at once; expects texts that pass `check_length`."""
    many = sum(len(spans(text)) for text in texts)
    if many > SENTENCES:
        raise InputError(f"The demo reads up to {SENTENCES} sentences at once, these are {many:,}.", "Shorten them.")


def in_demo(settings: Settings) -> Settings:
    """The settings for a visitor's request: no key, no model server, no other interpreter."""
    nobodys = {"openai_api_key": None, "openai_base_url": None, "ragas_python": None, "labeler": "local"}
    return settings.model_copy(update={**nobodys, "max_body": min(settings.max_body, BODY)})
