"""Guess which column is which field, from the names that tools use and the columns' contents.

A wrong guess is worse than none: where two readings are equally likely, the column is left out and a note
says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from trace_core.datasets import shapes
from trace_core.datasets.cells import ends_a_sentence, has_a_sentence
from trace_core.datasets.fitting import TESTS, is_evidence, is_names, is_share, is_truth, is_yes_or_no, mostly
from trace_core.datasets.names import ALIASES, CHATS, CONTAINERS, HOLDERS, KNOWN, PREDICTED, WITHIN, plain_name
from trace_core.datasets.rows import SCORE_FIELDS
from trace_core.datasets.words import (
    Role,
    is_text_key,
    may_be_texts,
    may_name_a_bot,
    may_name_files,
    names_category,
    names_expected,
    names_kind,
    names_owner,
    numbered,
    role_of,
    tells_a_run,
    tells_the_past,
)
from trace_core.metrics import METRICS

Rows = Sequence[Mapping[str, Any]]
_TRUE = ("true_", "ground_truth_")


def guessed(
    columns: Sequence[str],
    paths: Sequence[str],
    groups: Mapping[str, tuple[str, ...]],
    sample: Rows,
    fields: Sequence[str],
) -> tuple[dict[str, str], tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Field → column, path or group; notes on unclear columns; groups of columns that are found here."""
    return _Guess(columns, paths, groups, sample).all(fields)


class _Guess:
    def __init__(
        self, columns: Sequence[str], paths: Sequence[str], groups: Mapping[str, tuple[str, ...]], sample: Rows
    ) -> None:
        self.columns, self.paths, self.groups, self.sample = columns, paths, groups, sample
        self.named: dict[str, str] = {}
        for column in [*columns, *paths]:
            self.named.setdefault(plain_name(column), column)
        self.fields: dict[str, str] = {}
        self.notes: list[str] = []
        self.more: dict[str, tuple[str, ...]] = {}

    def all(self, fields: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...], dict[str, tuple[str, ...]]]:
        self._documents()
        self._question()
        self._response()
        self._reference()
        for field in fields:
            if field not in self.fields and field not in _SPECIAL:
                self._take(field, (field, *ALIASES.get(field, ())))
        self._expected_documents()
        self._category()
        self._flat_scores()
        ordered = {field: self.fields[field] for field in fields if field in self.fields}
        return ordered, tuple(self.notes), self.more

    def has(self, *names: str) -> bool:
        return all(name in self.named for name in names)

    def _take(self, field: str, names: Iterable[str]) -> bool:
        """Take the first of the names that is a free column with fitting values; an empty column comes last."""
        columns = [self.named[name] for name in names if name in self.named]
        for column in sorted(columns, key=lambda c: (self._is_null(c), field == "documents" and self._says_little(c))):
            if column not in self.fields.values() and self._fits(field, column):
                self.fields[field] = column
                return True
        return False

    def _fits(self, field: str, column: str) -> bool:
        test = None if field == column == "question" else TESTS.get(field)
        values = self._values(column)
        if field == "documents" and self._says_little(column) and self._others_say_more(column):
            return False
        if field == "reference_answer" and values and all(shapes.is_id(v) or shapes.names_a_file(v) for v in values):
            return False
        if field == "documents" and may_name_files(column) and not mostly(shapes.are_sentences, values):
            return False
        if field in SCORE_FIELDS.values() and not mostly(is_truth, values):
            return False
        return test is None or not values or any(test(value) for value in values)

    def _values(self, column: str) -> list[Any]:
        return [value for row in self.sample if (value := row.get(column)) is not None]

    def _says_little(self, column: str) -> bool:
        """Whether no cell of texts has a sentence: `phone`, `Premium customer, call of 3 March`."""
        values = [value for value in self._values(column) if value != ""]
        return bool(values) and all(isinstance(v, str) and v[:1] not in "[{" and not has_a_sentence(v) for v in values)

    def _others_say_more(self, column: str) -> bool:
        """Whether another column, which its name does not rule out, has sentences that may be documents."""
        names = [c for c in self.columns if c != column and (role_of(c) == "documents" or may_be_texts(c))]
        return any(self._are_sentences(plain_name(c), object) for c in names)

    def _is_null(self, column: str) -> bool:
        return bool(self.sample) and all(row.get(column) in (None, "") for row in self.sample)

    def _expected_documents(self) -> None:
        """The documents that should be found, by the words of a name: the only such column with names as cells."""
        told = [c for c in self.columns if names_expected(c) or self._lists_facts(c)]
        free = [c for c in told if c not in self.fields.values()]
        short = [c for c in free if self._values(c) and all(map(is_names, self._values(c))) and not self._tells(c)]
        if len(short) == 1:
            self.fields.setdefault("expected_documents", short[0])

    def _tells(self, column: str) -> bool:
        """Whether there is a sentence among the names in a column."""
        named = chain.from_iterable(map(shapes.names, self._values(column)))
        return not self._lists_facts(column) and any(isinstance(one, str) and has_a_sentence(one) for one in named)

    def _lists_facts(self, column: str) -> bool:
        """Whether the column lists the facts that right answers rest on."""
        values = self._values(column)
        return bool(values) and all(map(is_evidence, values))

    def _category(self) -> None:
        """The category by the words of a name: the only such column of short texts; else a type that varies."""
        free = [c for c in self.columns if c not in self.fields.values() and self._says_little(c)]
        kinds = [c for c in free if names_kind(c) and len({*self._values(c)}) > 1]
        named = [c for c in free if names_category(c)] or kinds
        if len(named) == 1:
            self.fields.setdefault("category", named[0])

    # The parts

    def _documents(self) -> None:
        names = ["documents", *ALIASES["documents"]]
        if self.has("retrieval_context") or self._is_span_table():
            names.remove("context")  # DeepEval's `context` is what should have been retrieved
        for holder in (*CONTAINERS["response"], *CONTAINERS["question"]):
            names += [f"{holder}_{name}" for name in ("documents", *ALIASES["documents"])]
        if self._is_span_table():
            names.insert(0, "reference")
        if self._take("documents", names):
            return
        for star, columns in self.groups.items():
            if any(self._fits("documents", column) for column in columns):
                self.fields["documents"] = star
                return
        likely = [name for name in ("results", "retrieval") if self._are_sentences(name, list | dict)]
        likely += [name for name in ("record_json", "calls") if self._are_sentences(name, object)]  # TruLens
        if not self._take("documents", likely):
            self._unnamed_documents()

    def _unnamed_documents(self) -> None:
        """Documents by the words of their column's name, else the only column that can be lists of texts, else the
        only columns of texts that differ in a number.
        """
        spoken = self._spoken("documents", lambda name: self._are_sentences(name, object))
        free = [name for name, column in self.named.items() if _is_new(name, column) and may_be_texts(column)]
        lists = [name for name in free if self._are_sentences(name, list)]
        if self._take("documents", spoken or (lists if len(lists) == 1 else [])):
            return
        alike = numbered(self.columns, may_be_texts)
        fitting = {
            star: columns
            for star, columns in alike.items()
            if len(columns) > 1 and all(self._are_sentences(plain_name(column), str) for column in columns)
        }
        if len(fitting) == 1:
            self.more.update(fitting)
            self.fields["documents"] = next(iter(fitting))

    def _asking(self) -> list[str]:
        """The only column of texts that mostly end with a question mark."""
        free = (name for name, c in self.named.items() if _is_new(name, c) and not tells_the_past(c))
        found = [name for name in free if self._asks(self.named[name])]
        return found if len(found) == 1 else []

    def _asks(self, column: str) -> bool:
        texts = [value.strip() for row in self.sample if isinstance(value := row.get(column), str) and value.strip()]
        return bool(texts) and mostly(lambda text: text.endswith(("?", "？", "؟")), texts)

    def _spoken(self, role: Role, fits: Callable[[str], bool] = lambda _: True) -> list[str]:
        """The only column that no tool names, and whose words speak of that part; none where there are several."""
        found = self._speaking(role, fits)
        return found if len(found) == 1 else []

    def _speaking(self, role: Role, fits: Callable[[str], bool] = lambda _: True) -> list[str]:
        """The columns that no tool names, and whose words speak of that part."""
        taken = {*self.fields.values(), *chain.from_iterable(self.groups.values())}
        free = [name for name, c in self.named.items() if role_of(c) == role and c not in taken and _is_new(name, c)]
        found = [name for name in free if not self._is_null(self.named[name]) and self._says(name) and fits(name)]
        return self._outermost(found)

    def _outermost(self, names: Sequence[str]) -> list[str]:
        """The names without those of parts of others: `pred`, not `pred.answer`; `answer.text`, not `answer.reason`."""
        starts = tuple(f"{self.named[name]}." for name in names)
        whole = [name for name in names if not self.named[name].startswith(starts)]
        texts = {_holder(self.named[name]): name for name in whole if is_text_key(self.named[name])}
        return [name for name in whole if texts.get(_holder(self.named[name]) or name, name) == name]

    def _says(self, name: str) -> bool:
        """Whether the column holds more than grades and numbers, and not the names of bots."""
        values = self._values(self.named[name])
        if may_name_a_bot(self.named[name]):
            return mostly(ends_a_sentence, values)
        return not values or not all(shapes.is_grade(value) or isinstance(value, int | float) for value in values)

    def _are_sentences(self, name: str, kind: Any) -> bool:
        """Whether there is such a column, and its cells hold documents, mostly with sentences."""
        values = [value for row in self.sample if (value := row.get(self.named.get(name, "")))]
        held = bool(values) and all(isinstance(value, kind) for value in values)
        return held and mostly(shapes.are_sentences, values)

    def _is_span_table(self) -> bool:
        """Whether it is a Phoenix table, where the `reference` is the retrieved document."""
        return self.has("reference") and (self.has("context_span_id") or self.has("context_trace_id"))

    def _question(self) -> None:
        names = ["question", *ALIASES["question"]]
        if self.has("instruction"):  # instruction, input, output: the input is the source material
            names = ["question", "instruction"]
        names += [f"{holder}_{name}" for holder in CONTAINERS["question"] for name in WITHIN["question"]]
        if not self._take("question", names):
            names = [*self._spoken("question"), *CHATS, "message"]
            if not self._take("question", names):
                self._take("question", self._asking())
        self._mostly_there(self.fields.get("question", ""))

    def _mostly_there(self, column: str) -> None:
        """Unmap the column of questions where most rows do not even have it: they are steps, or events."""
        has = sum(column in row for row in self.sample)
        if column in self.columns and 2 * has < len(self.sample):
            del self.fields["question"]
            self.notes.append(
                f"Only {has} of the first {len(self.sample)} rows have {column}, so it is not taken for the question. "
                f"If it is, say so: question={column}."
            )

    def _response(self) -> None:
        if self._take("response", ["response"]):
            return
        beside = [f"{holder}_response" for holder in CONTAINERS["question"]]
        strong = [n for n in (*PREDICTED, *beside) if n in self.named and self._fits("response", self.named[n])]
        for asked, said in (("q", "a"), ("query", "result"), ("want", "got"), ("expected", "generated")):
            if self.has(asked, said) and self._fits("response", self.named[said]):
                strong.append(said)
        strong = self._outermost(strong)
        if len(strong) > 1:
            strong = [name for name in strong if not self._is_null(self.named[name])] or strong[:1]
        if len(strong) == 1 or (self.has("query", "data", "documents") and not strong):
            self._take("response", strong or ["data"])
            return
        if strong:
            self._unclear(strong)
        elif not self._take("response", self._spoken("response")):
            self._weak_response()

    def _weak_response(self) -> None:
        if self.has("instruction"):
            return
        names = [
            *ALIASES["response"],
            *(f"{h}_{name}" for h in CONTAINERS["response"][:-1] for name in WITHIN["response"]),
        ]
        references = {"reference_answer", *ALIASES["reference_answer"]} - {"answers"}
        if not references.isdisjoint(self.named) and self._holds("answers", str):
            names.append("answers")
        if plain_name(self.fields.get("question", "")) == "message":  # Cohere's chat
            names.append("text")
        if self._is_examples():  # the output of an example is the expected answer
            names = [name for name in names if not name.startswith("output")]
        if self._is_golden():
            names.remove("answer")
        held = set(CONTAINERS["response"]) & set(self.named)
        names = [n for n in names if not any(n.startswith(f"{holder}_") for holder in held)]
        free = [n for n in names if n in self.named and self.named[n] not in self.fields.values()]
        fitting = [n for n in free if self._fits("response", self.named[n]) and not self._lists(self.named[n])]
        if len(fitting) == 1:
            self._take("response", fitting)
        elif fitting:
            self._unclear(fitting)
        elif plain_name(self.fields.get("question", "")) in CHATS:
            self.fields["response"] = self.fields["question"]
        elif not self._take("response", [] if self._is_golden() else self._spoken("answer")):
            self._unclear_response()

    def _unclear_response(self) -> None:
        """Say which columns' words speak of an answer, where there are several."""
        several = self._speaking("response") or self._speaking("answer")
        if len(several) > 1:
            self._unclear(several)
        elif {"question", "documents"} <= {*self.fields}:
            self._take("response", ["text"])  # Flowise

    def _holds(self, name: str, kind: type) -> bool:
        """Whether there is such a column, and it holds only such values."""
        values = self._values(self.named.get(name, ""))
        return bool(values) and all(isinstance(value, kind) for value in values)

    def _unclear(self, names: Sequence[str]) -> None:
        columns = [self.named[name] for name in names]
        said = f"Several columns may hold the answer ({', '.join(columns)}): none of them is read."
        self.notes.append(f"{said} Say which: response={columns[0]}.")

    def _is_golden(self) -> bool:
        """Whether it is a set of questions with evidence: its answers are the right ones, if no others are."""
        marks = {"evidence_list", "wiki_links", "reasoning_types"} & set(self.named)
        if marks and "documents" not in self.fields:
            return True
        right = {"reference_answer", *ALIASES["reference_answer"]} & set(self.named)
        run = any(map(tells_a_run, self.columns))
        return not right and not run and any(map(self._lists_facts, self.columns))

    def _is_examples(self) -> bool:
        run = {"error", "execution_time", "run_type", "trace_id"} & set(self.named)
        return not run and (self.has("dataset_id") or self.has("example_id", "metadata"))

    def _lists(self, column: str) -> bool:
        """Whether a column of answers contains lists: these are then alternative right answers."""
        lists = [value for row in self.sample if isinstance(value := row.get(column), list)]
        return any(len(value) > 1 or not shapes.is_response(value) for value in lists)

    def _reference(self) -> None:
        names = ["reference_answer", *ALIASES["reference_answer"]]
        if self.has("reference") and any(name.startswith("expected") for name in self.named):
            names = [name for name in names if name != "reference"] + ["reference"]  # it may be a citation
        if self._is_triple():
            names = [name for name in names if name != "reference"]
        for holder in CONTAINERS["reference_answer"]:
            names += [f"{holder}_{name}" for name in WITHIN["reference_answer"]]
        for holder in CONTAINERS["question"]:
            names += [f"{holder}_{name}" for name in ("reference_answer", *ALIASES["reference_answer"])]
        response = plain_name(self.fields.get("response", ""))
        sure = response in (*PREDICTED, "result") or role_of(self.fields.get("response", "")) == "response"
        if response == "got":
            names.append("want")
        if sure and self._holds("label", list):  # doccano
            names.append("label")
        listed = "answer" in self.named and response != "answer" and self._lists(self.named["answer"])
        if listed or sure or self._is_golden():
            names += ["answer", "long_answer"]
        if self._is_examples():
            names += ["output", "outputs", *(f"{h}_{n}" for h in ("output", "outputs") for n in WITHIN["response"])]
        if not self._take("reference_answer", names):
            beside = [name for name in self._spoken("answer") if sure and not names_owner(self.named[name])]
            self._take("reference_answer", self._spoken("reference_answer", self._is_no_verdict) or beside)

    def _is_no_verdict(self, name: str) -> bool:
        """Whether not all cells say yes or no beside answers that do not."""
        said = self._values(self.fields.get("response", ""))
        return not all(map(is_yes_or_no, self._values(self.named[name]))) or not said or any(map(is_yes_or_no, said))

    def _is_triple(self) -> bool:
        """Whether it has input, output, reference and no documents: the reference may be the document or the answer."""
        if not self.has("input", "output", "reference") or "documents" in self.fields:
            return False
        self.notes.append(
            "The column reference may hold the document or the right answer: it is not read. "
            "Say which: documents=reference or reference_answer=reference."
        )
        return True

    def _flat_scores(self) -> None:
        """Take one column per metric, where there are no documents to label."""
        if "metrics" in self.fields or "documents" in self.fields or not self._scores("metrics", ""):
            return
        for start in _TRUE:
            if "ground_truth_scores" not in self.fields:
                self._scores("ground_truth_scores", start)

    def _scores(self, field: str, start: str) -> bool:
        columns = tuple(self.named[start + name] for name in METRICS if start + name in self.named)
        if len(columns) < len(METRICS) or not all(self._is_share(column) for column in columns):
            return False
        self.fields[field] = f"{start}*"
        self.more[f"{start}*"] = columns
        return True

    def _is_share(self, column: str) -> bool:
        return all(is_share(row.get(column)) for row in self.sample)


def _holder(column: str) -> str:
    """What a path leads into, as in a table that was made of objects: `answer` of `answer.text`."""
    return column.rpartition(".")[0]


def _is_new(name: str, column: str) -> bool:
    """Whether no tool uses the name, neither as a column nor within a holder such as `outputs`."""
    return name not in KNOWN and (column.count(".") != 1 or plain_name(column.partition(".")[0]) not in HOLDERS)


_SPECIAL = ("documents", "question", "response", "reference_answer")
