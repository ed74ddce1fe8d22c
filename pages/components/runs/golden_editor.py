"""Golden questions: written in a table or made from a collection by a language model, and stored as a data set."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import uuid4

import streamlit as st

from pages.components.shared import language_model, services, visitors
from pages.components.shared.long_work import duration, work_through
from pages.components.shared.text import distinct, plain, show_errors
from trace_core.demo import DEMOS, questions
from trace_core.errors import counted
from trace_core.golden.making import Chunk, Maker, Outcome, golden_cost, make, pick, read_chunks
from trace_core.golden.questions import GoldenQuestion, golden_of, read_questions, save_questions
from trace_core.llm import Llm
from trace_core.runs.progress import Meter, Progress

USUAL, MOST_CHUNKS = 20, 500
MOST = 2_000
"""The most questions that are edited in the table."""
COLUMNS = ("question", "expected_documents", "reference_answer", "category")
BATCH, START = "golden-batch", "golden-start"
"""In the session: the latest `Batch`, and the key of what the table starts from."""
Start = tuple[str, str, Callable[[], Sequence[Mapping[str, Any]]]]
"""What the table may start from: its label, the usual name of what is saved, and the rows."""


@dataclass(slots=True)
class Batch:
    """What became of a collection's chunks in this session, until the end or a stop."""

    collection: str
    total: int
    outcomes: list[Outcome] = field(default_factory=list)
    id: str = field(default_factory=lambda: uuid4().hex)
    is_new: bool = True

    @property
    def questions(self) -> list[GoldenQuestion]:
        """The questions that passed the checks."""
        return [one.question for one in self.outcomes if one.question]


def golden_questions() -> None:
    """Draw the editor, collapsed."""
    with st.expander("Golden questions", icon=":material/verified:"), show_errors():
        st.caption(
            "Questions, and which documents should be found for each (by title or id). A run over them says whether "
            "they were found. Leave the documents empty where no document has the answer: then refusing is right."
        )
        if not visitors.is_demo():
            if st.toggle("Make them from a collection", key="golden-make"):
                _make_questions()
            if BATCH in st.session_state:
                _show(st.session_state[BATCH])
        starts, batch = _starts(), st.session_state.get(BATCH)
        if batch and batch.id in starts and batch.is_new:  # new questions appear in the table at once
            batch.is_new, st.session_state[START] = False, batch.id
        if st.session_state.get(START) not in starts:
            st.session_state.pop(START, None)
        labels = distinct({key: label for key, (label, _, _) in starts.items()})
        start = st.selectbox("Start from", list(starts), format_func=labels.__getitem__, key=START)
        _, usual, read = starts[start]
        text = st.column_config.TextColumn
        rows: list[dict[str, Any]] = st.data_editor(
            [{column: row.get(column) for column in ("id", *COLUMNS)} for row in read()],
            key=f"golden-rows-{start}",
            num_rows="dynamic",
            hide_index=True,
            column_order=COLUMNS,
            column_config={
                "id": text("id"),
                "question": text("Question", required=True, width="large"),
                "expected_documents": st.column_config.ListColumn("Expected documents", width="medium"),
                "reference_answer": text("Reference answer", width="medium"),
                "category": text("Category"),
            },
        )
        name = st.text_input("Name of the golden questions", usual, key=f"golden-name-{usual}")
        st.caption("They are saved as a new data set; earlier runs stay as they are.")
        if st.button("Save these questions", icon=":material/save:", key="golden-keep"):
            _save(name.strip() or usual, rows)


def _starts() -> dict[str, Start]:
    """An empty table, newly made questions, the demo's, and the stored sets of which saving loses nothing."""
    empty = [{"question": "", "expected_documents": []}]
    starts: dict[str, Start] = {"": ("An empty table", "Golden questions", lambda: empty)}
    batch: Batch | None = st.session_state.get(BATCH)
    if batch and batch.questions:
        title = f"Made from {batch.collection} ({len(batch.questions):,} questions)"
        rows = [one.model_dump(exclude_none=True) for one in batch.questions]
        starts[batch.id] = title, f"Golden questions made from {batch.collection}", lambda: rows
    for name in DEMOS:
        starts[name] = f"Demo collection {name}", f"Golden questions on {name}", partial(questions, name)
    for dataset in visitors.datasets():
        if dataset.counts.get("golden") == dataset.total <= MOST and _questions_alone(dataset.id):
            label = f"{dataset.name} ({dataset.total:,} questions)"
            starts[dataset.id] = label, dataset.name, partial(_read, dataset.id)
    return starts


@st.cache_data(max_entries=100, show_spinner=False)
def _questions_alone(dataset_id: str) -> bool:
    rows = (row.row for row in services.store().datasets.rows(dataset_id))
    return all({*row} <= {"id", *COLUMNS} and not isinstance(row.get("reference_answer"), list) for row in rows)


def _read(dataset_id: str) -> list[dict[str, Any]]:
    by_id = golden_of(services.store().datasets, dataset_id)
    return [{"id": record_id} | golden.model_dump(exclude_none=True) for record_id, golden in by_id.items()]


def _save(name: str, table: list[dict[str, Any]]) -> None:
    visitors.check_rows(len(table))
    rows = [{field: value for field, value in row.items() if value is not None} for row in table]
    good, bad = read_questions(rows, "the table")
    if bad or not good:
        with st.container(border=True):
            st.markdown("**Nothing is saved yet.** " + ("Correct these rows:" if bad else "Write a question first."))
            for error in bad:
                st.text(f"Row {error.row} has no question." if error.field == "question" else str(error))
        return
    if not visitors.may_make():
        return
    store, ids = services.store().datasets, [row.get("id") for row in rows]
    dataset = store.load_dataset(visitors.save_dataset(lambda: save_questions(store, name, good, ids)))
    again = "" if dataset.name == name else f" They were already there, as “{dataset.name}”."
    st.success(f"{dataset.total} questions are saved.{plain(again)} Start a run in the tab “Runs”.")


def _make_questions() -> None:
    llm = language_model.llm()
    if llm is None:
        st.caption(
            "A language model writes them: set OPENAI_API_KEY (or OPENAI_BASE_URL, where the server wants no key), "
            "or type a key under Settings on Ask."
        )
        return
    st.caption(
        "The model writes a question and its answer about chunks spread over the documents. A question is kept where "
        "asking the collection finds its chunk, and the chunk alone gives the same answer again."
    )
    left, right = st.columns(2)
    collection = left.selectbox("From", visitors.collections(), index=None, key="golden-from")
    n = right.number_input("Chunks to ask about", 1, MOST_CHUNKS, USUAL, key="golden-n")
    if collection is None:
        return
    chunks = _chunks(collection, int(n))
    cost = golden_cost(chunks, services.settings())
    calls = f"{len(chunks):,} chunks · {cost.calls:,} calls at most, {cost.tokens_and_price}"
    st.caption(plain(f"{calls}, about {duration(cost.seconds)}. {' '.join(cost.assumptions)}"))
    if st.button(f"Make up to {counted(len(chunks), 'question')}", icon=":material/play_arrow:", key="golden-begin"):
        _make(chunks, collection, llm)


@st.cache_data(ttl=60, show_spinner="Reading the collection …")
def _chunks(collection: str, n: int) -> list[Chunk]:
    return pick(read_chunks(services.collections(), collection), n)


def _make(chunks: Sequence[Chunk], collection: str, llm: Llm) -> None:
    """Make questions and keep each for the session at once: “Stop”, or any other click, ends it."""
    batch = st.session_state[BATCH] = Batch(collection, len(chunks))
    maker = Maker(llm, services.collections(), collection, services.settings().top_k)
    meter = Meter(Progress(len(chunks)))

    def keep(one: Outcome) -> None:
        batch.outcomes.append(one)
        meter.add(1, failed=int(one.is_error))

    work_through(make(chunks, maker, workers=llm.concurrency), keep, meter, "chunks", key="golden-stop")


def _show(batch: Batch) -> None:
    n, chunks = counted(len(batch.questions), "question"), counted(len(batch.outcomes), "chunk")
    text = f"{n} from {chunks} of {batch.collection}."
    if left := batch.total - len(batch.outcomes):
        text += f" You stopped it with {left:,} to go: start again, and nothing is asked twice."
    if reasons := Counter(outcome.reason for outcome in batch.outcomes if outcome.reason):
        text += f" Left out: {'; '.join(f'{n:,} {reason}' for reason, n in reasons.most_common())}."
    st.markdown(plain(text))
