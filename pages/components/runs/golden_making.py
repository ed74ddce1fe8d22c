"""Golden questions made from a collection by a language model: cost, progress, stop, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import uuid4

import streamlit as st

from pages.components.runs.progress import progress_words, time_text
from pages.components.shared import access, language_model, services, visitors
from pages.components.shared.long_work import stoppable
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError, counted
from trace_core.golden import GoldenQuestion
from trace_core.golden.making import Made, Maker, cost, left_out, make
from trace_core.golden.picking import Chunk, pick, read_chunks
from trace_core.llm import Llm
from trace_core.runs.progress import Meter

USUAL, MOST = 20, 500


@dataclass(slots=True, eq=False)
class Batch:
    """The questions made from a collection in this session, until the end or a stop."""

    collection: str
    total: int
    made: list[Made] = field(default_factory=list)
    id: str = field(default_factory=lambda: uuid4().hex)

    @property
    def questions(self) -> list[GoldenQuestion]:
        """The questions that were kept."""
        return [one.question for one in self.made if one.question]


def made_from_collection() -> Batch | None:
    """Draw the making of questions, collapsed, and return the latest batch. Nothing in the demo."""
    if visitors.is_demo():  # it would cost the owner money
        return None
    if st.toggle("Make them from a collection", key="golden-make"):
        try:
            _form()
        except TraceError as error:
            show_error(error)
    batch: Batch | None = st.session_state.get("golden-batch")
    if batch:
        _came_of(batch)
    return batch if batch and batch.questions else None


def _form() -> None:
    llm = language_model.llm()
    if llm is None:
        st.caption(
            "A language model writes them: set OPENAI_API_KEY (or OPENAI_BASE_URL, where the server wants no key), or "
            "type a key in the sidebar of the page Ask."
        )
        return
    st.caption(
        "The model writes a question and its answer about chunks spread over the documents. A question is kept where "
        "asking the collection finds its chunk, and the chunk alone gives the same answer again."
    )
    left, right = st.columns(2)
    collection = left.selectbox("From", access.collections(), index=None, key="golden-from")
    n = right.number_input("Chunks to ask about", 1, MOST, USUAL, key="golden-n")
    if collection is None:
        return
    chunks = _picked(collection, int(n))
    known = cost(chunks, services.settings())
    st.caption(plain(f"{known.text}, about {time_text(known.seconds)}. {' '.join(known.assumptions)}"))
    if st.button(f"Make up to {counted(len(chunks), 'question')}", icon=":material/play_arrow:", key="golden-begin"):
        _make(chunks, collection, llm)


@st.cache_data(ttl=60, show_spinner="Reading the collection …")
def _picked(collection: str, n: int) -> list[Chunk]:
    return pick(read_chunks(services.collections(), collection), n)


def _make(chunks: Sequence[Chunk], collection: str, llm: Llm) -> None:
    """Make questions and keep each for the session at once: “Stop”, or any other click, ends it."""
    batch = st.session_state["golden-batch"] = Batch(collection, len(chunks))
    maker = Maker(llm, services.collections(), collection, services.settings().top_k)
    meter = Meter("", len(chunks), 0, 0, len(chunks))

    def progress() -> tuple[float, str]:
        return len(batch.made) / len(chunks), progress_words(meter.now(), "chunks")

    for one in stoppable(make(chunks, maker, workers=llm.concurrency), progress, key="golden-stop"):
        batch.made.append(one)
        meter.saved(1, new=1, failed=int(one.failed))


def _came_of(batch: Batch) -> None:
    """How many were kept, and the reason for every other chunk."""
    chunks, still = counted(len(batch.made), "chunk"), batch.total - len(batch.made)
    said = f"{counted(len(batch.questions), 'question')} from {chunks} of {batch.collection}."
    if still:
        said += f" You stopped it before {still:,} more: start again, and nothing is asked twice."
    reasons = [f"{n:,} {reason}" for reason, n in left_out(batch.made).items()]
    st.markdown(plain(said + (f" Left out: {'; '.join(reasons)}." if reasons else "")))
    rows = [
        {"Document": one.chunk.document, "Why there is no question": one.reason, "Said": one.detail}
        for one in batch.made
        if one.question is None
    ]
    if rows:
        st.dataframe(rows, hide_index=True, key=f"golden-left-out-{batch.id}")
