"""Which column holds the question."""

from __future__ import annotations

from trace_core.datasets.guessing.columns import Columns, is_new
from trace_core.datasets.guessing.fitting import mostly
from trace_core.datasets.names import ALIASES, CHATS, CONTAINERS, WITHIN
from trace_core.datasets.words import tells_the_past


def take_question(known: Columns) -> None:
    """Take the column of questions."""
    names = ["question", *ALIASES["question"]]
    if known.has("instruction"):  # instruction, input, output: the input is the source material
        names = ["question", "instruction"]
    names += [f"{holder}_{name}" for holder in CONTAINERS["question"] for name in WITHIN["question"]]
    if not known.take("question", names):
        names = [*known.spoken("question"), *CHATS, "message"]
        if not known.take("question", names):
            known.take("question", _asking(known))
    if "question" in known.fields:
        _mostly_there(known, known.fields["question"])


def _asking(known: Columns) -> list[str]:
    """The only column of texts that mostly end with a question mark."""
    free = (name for name, c in known.named.items() if is_new(name, c) and not tells_the_past(c))
    found = [name for name in free if _asks(known, known.named[name])]
    return found if len(found) == 1 else []


def _asks(known: Columns, column: str) -> bool:
    texts = [value.strip() for row in known.sample if isinstance(value := row.get(column), str) and value.strip()]
    return bool(texts) and mostly(lambda text: text.endswith(("?", "？", "؟")), texts)


def _mostly_there(known: Columns, column: str) -> None:
    """Unmap the column of questions where most rows do not even have it: they are steps, or events."""
    has = sum(column in row for row in known.sample)
    if column in known.columns and 2 * has < len(known.sample):
        del known.fields["question"]
        known.notes.append(
            f"Only {has} of the first {len(known.sample)} rows have {column}, so it is not taken for the question. "
            f"If it is, say so: question={column}."
        )
