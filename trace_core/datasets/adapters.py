"""The formats of tools that wrap their rows: each in `ADAPTERS`, with a function from what it wrote to its rows."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from trace_core.datasets.documents import documents, first_of, messages, object_of, objects
from trace_core.datasets.files import Rows
from trace_core.datasets.mapping import ABSENT, path_in
from trace_core.datasets.names import ranks
from trace_core.datasets.rows import majority
from trace_core.datasets.traces import Raw, TextLookup, is_carrier, trace_rows
from trace_core.errors import InputError
from trace_core.metrics import METRICS

FIRST, _DEEPEST = 50, 2
"""Rows by which a format and its columns are known; how deep within objects their list is looked for."""
_FOR_PEOPLE = {"source_id", "documents", "labeler", "convention", *METRICS}
"""Columns of the table that `export --format csv` writes."""
_UNBUILT = "These outputs hold no question.", "End the pipeline with an AnswerBuilder and save its output."


class Adapter(NamedTuple):
    """A tool's format: what `files`, the paths (`keys`) that a row or a whole file has, and where its `rows` are."""

    name: str
    files: str
    keys: Sequence[str]
    rows: Callable[[Raw], Iterable[Any]]

    def recognizes(self, row: Any) -> bool:
        """Whether the row has the keys."""
        return isinstance(row, dict) and all(_has(row, key.split(".")) for key in self.keys)

    def read(self, content: Iterable[Any]) -> Rows:
        """The rows in what the tool wrote; an `InputError` for one that cannot be read."""
        for one in content:
            if self.recognizes(one):
                yield from self.rows(one)
            else:
                yield InputError(f"{self.name} writes no such row.") if isinstance(one, dict) else one


def _has(item: Any, parts: Sequence[str]) -> bool:
    for part in parts:
        item = dict(zip("0", item, strict=False)) if isinstance(item, list) else item
        if not isinstance(item, dict) or part not in item:
            return False
        item = item[part]
    return True


def _list_at(path: str) -> Callable[[Raw], Iterable[Any]]:
    return lambda whole: part.read(whole) if (part := path_in(path, tuple(whole))) else ()


def _select(item: Raw, **paths: str) -> dict[str, Any]:
    """The fields at the paths, as far as the item has them."""
    places = ((name, path_in(path, tuple(item))) for name, path in paths.items())
    values = {name: place.read(item) for name, place in places if place}
    return {name: value for name, value in values.items() if value is not ABSENT and value is not None}


def _haystack(outputs: Raw) -> list[Any]:
    """What a pipeline returned: its answer builder's first answer."""
    answer = next(iter(objects(object_of(outputs["answer_builder"]).get("answers"))), None)
    if answer is None:
        return [InputError("The answer builder gave no answer.", field="answer_builder.answers")]
    answer = object_of(answer.get("init_parameters")) or answer
    row = _select(answer, question="query", response="data", documents="documents", generation_model_name="meta.model")
    return [row | _select(outputs, documents="retriever.documents") | _select(outputs, documents="ranker.documents")]


def _promptfoo(whole: Raw) -> Iterator[Any]:
    """A row for each test and provider, with what its assertions gave."""
    names = ("vars", "success", "score", "error", "gradingResult")
    for result in objects(whole["results"]["results"]):
        row = _select(result, response="response.output", generation_model_name="provider.id")
        yield row | {name: result.get(name) for name in names}


def _squad(whole: Raw) -> Iterator[Any]:
    """A row for each question about a paragraph; several right answers, or none."""
    for article in objects(whole["data"]):
        for paragraph in objects(article.get("paragraphs")):
            about = {"documents": [paragraph.get("context")], "document_titles": [str(article.get("title") or "")]}
            for one in objects(paragraph.get("qas")):
                answers = [answer.get("text") for answer in objects(one.get("answers"))]
                yield {"id": one.get("id"), "question": one.get("question"), **about, "answers": answers or None}


def _conversation(row: Raw) -> Iterator[Any]:
    """A conversation: its last question and answer, and what tools gave in between, or the answer's `context`."""
    turns = objects(row.get("messages") or row["conversation"]["messages"])
    talk = messages(turns)
    last = max((place for place, (who, _) in enumerate(talk) if who == "user"), default=0)
    after = talk[last + 1 :]
    context = turns[-1].get("context") or object_of(row.get("conversation")).get("context")
    fields = {
        "question": talk[last][1] if talk else None,
        "documents": [one for who, text in after if who == "tool" for one in _documents(text)]
        or (_documents(context) if context else None),
        "response": next((text for who, text in reversed(after) if who == "assistant"), None),
        "turns": [{"role": who, "text": text} for who, text in talk[:last] if who != "tool"],
    }
    others = {name: value for name, value in row.items() if name not in ("messages", "conversation")}
    yield others | {name: value for name, value in fields.items() if value}


def _documents(value: Any) -> list[Any]:
    try:
        return list(documents(value)["documents"])
    except InputError:
        return [value]


def _valid_answers(answers: Any, person: str) -> list[dict[str, Any]]:
    """The answers that people stand by: submitted, not cancelled, and the latest of each person."""
    times = ("updated_at", "inserted_at", "created_at")
    latest: dict[Any, dict[str, Any]] = {}
    for place, one in enumerate(sorted(objects(answers), key=lambda one: str(first_of(one, times, str) or ""))):
        if one.get("status") in (None, "submitted") and not one.get("was_cancelled"):
            latest[place if one.get(person) is None else str(one[person])] = one
    return list(latest.values())


def _argilla(record: Raw) -> Iterator[Any]:
    """A record: its fields, its metadata, and the answer to each question."""
    responses = record["responses"]
    if isinstance(responses, list):  # 1.x: an object a person, with a value for each question
        people = objects(responses)
        responses = {
            name: [one | {"value": object_of(one["values"].get(name)).get("value")} for one in people]
            for name in dict.fromkeys(name for one in people for name in object_of(one.get("values")))
        }
    valid = {question: _valid_answers(answers, "user_id") for question, answers in object_of(responses).items()}
    answers = {question: majority(one.get("value") for one in each) for question, each in valid.items()}
    yield {"id": record.get("id"), **object_of(record.get("metadata")), **answers, **object_of(record["fields"])}


def _label_studio(task: Raw) -> Iterator[Any]:
    """A task: its data, and the choice made in each control."""
    choices: defaultdict[str, list[Any]] = defaultdict(list)
    for annotation in _valid_answers(task["annotations"], "completed_by"):
        for one in objects(annotation.get("result")):
            value = object_of(one.get("value"))
            choice = next((value[key] for key in ("choices", "text", "rating") if key in value), None)
            choices[str(one.get("from_name"))].append(choice[0] if isinstance(choice, list) and choice else choice)
    answers = {name: majority(values) for name, values in choices.items()}
    yield {"id": task.get("id"), **answers, **object_of(task["data"])}


def _inspector_raget(whole: Raw) -> Iterator[Any]:
    """A row for each answer, in file order, with its task's documents; then the tasks without one."""
    tasks = {task.get("task_id"): task for task in objects(whole["tasks"])}
    documents = {document.get("document_id"): document for document in objects(whole.get("documents"))}
    models = {model.get("model_id"): model.get("name") for model in objects(whole.get("models"))}
    answers = objects(whole.get("results") or whole.get("evaluations"))
    others = tasks.keys() - {answer.get("task_id") for answer in answers}
    for answer in (*answers, *({"task_id": key} for key in tasks if key in others)):
        task = tasks.get(answer.get("task_id"))
        if task is None:
            yield InputError(f"There is no task {str(answer.get('task_id'))[:60]!r}.", field="task_id")
            continue
        contexts = objects(answer.get("contexts") or task.get("contexts"))
        target = next(iter(objects(task.get("targets"))), {})
        ratings = object_of(answer.get("annotations") or answer.get("scores")).items()
        yield {
            "id": task["task_id"],
            "question": task.get("input"),
            "documents": [{**documents.get(one.get("document_id"), {}), **one} for one in contexts] or None,
            "response": answer.get("output", answer.get("model_response")),
            "reference_answer": target.get("text") or target.get("value"),
            "category": task.get("category"),
            "generation_model_name": models.get(answer.get("model_id"), answer.get("model_id")),
            **{name: majority(object_of(one).get("value") for one in object_of(by).values()) for name, by in ratings},
        }


def _table(whole: Raw) -> Iterator[Any]:
    """A table that pandas or MLflow wrote: columns, and rows of cells."""
    columns = [str(column) for column in whole["columns"]]
    for cells in whole["data"]:
        yield dict(zip(columns, cells, strict=False)) if isinstance(cells, list) else cells


def _columns(whole: Raw) -> Iterator[Any] | None:
    """The rows of an object with a list, or an object by index, for each column; null where it is something else."""
    indices = {tuple(value) if isinstance(value, dict) else () for value in whole.values()}
    by_index = len(indices) == 1 and indices != {()} and all(map(str.isdecimal, *indices))
    columns = [list(value.values()) if by_index else value for value in whole.values()]
    lists = len(columns) > 1 and all(isinstance(column, list) for column in columns) and not objects(columns[0])
    if not lists or len(set(map(len, columns))) > 1:
        return None
    return (dict(zip(whole, cells, strict=True)) for cells in zip(*columns, strict=True))


def _trace_record(record: Raw) -> Iterator[Any]:
    """A record as `export --format jsonl` writes it: texts, sentences, labels, and what a question expects."""
    labels, golden = object_of(record.get("labels")), object_of(record.get("golden"))
    row = {
        **{name: record.get(name) for name in ("question", "generation_model_name", "ground_truth")},
        **_select(
            record,
            documents="documents[].text",
            document_ids="documents[].id",
            document_scores="documents[].retrieval_score",
            response="response.text",
        ),
        "id": record.get("source_id") or record.get("id"),
        "documents_sentences": [_keys(part) for part in objects(record["documents"])],
        "response_sentences": _keys(object_of(record["response"])) or None,
        "turns": record.get("turns") or None,
        **object_of(record.get("fields")),
        **{name: value for name, value in golden.items() if not name.startswith("document_")},
        **{name: value for name, value in labels.items() if name not in ("probabilities", "expected")},
    }
    yield {name: value for name, value in row.items() if value is not None}


def _keys(part: Raw) -> list[list[Any]]:
    return [[sentence.get("key"), sentence.get("text")] for sentence in objects(part.get("sentences"))]


def _four_scores(row: Raw) -> Iterator[Any]:
    """A row of scores alone has them as columns; beside a response they stay what they are."""
    others = {name: value for name, value in row.items() if name not in METRICS}
    yield dict(row) if "response" in row else {**others, "metrics": {name: row[name] for name in METRICS}}


ADAPTERS = (
    Adapter("TRACE", "records (JSONL)", ("source_id", "documents", "response", "labels", "scores"), _trace_record),
    Adapter("TRACE", "rows of the four scores", tuple(METRICS), _four_scores),
    Adapter("Argilla", "records as JSON", ("fields", "responses"), _argilla),
    Adapter("Azure AI evaluation", "conversations, a row each", ("conversation.messages.0.role",), _conversation),
    Adapter("Haystack", "outputs of a pipeline", ("answer_builder.answers",), _haystack),
    Adapter("Haystack", "no answer builder: refused", ("llm.replies",), lambda outputs: [InputError(*_UNBUILT)]),
    Adapter(
        "Haystack",
        "an evaluation's report",
        ("run_name", "inputs", "results"),
        lambda report: _columns(object_of(report["inputs"])) or [],
    ),
    Adapter("Hugging Face's dataset server", "a page of rows", ("features", "rows.0.row"), _list_at("rows[].row")),
    Adapter("InspectorRAGet", "experiment results", ("tasks.0.task_id", "models"), _inspector_raget),
    Adapter("Label Studio", "tasks as JSON", ("data", "annotations"), _label_studio),
    Adapter("Langfuse data sets", "items", ("input", "datasetId"), lambda item: [{**item, "question": item["input"]}]),
    Adapter(
        "LangSmith",
        "examples of a data set",
        ("inputs", "outputs", "dataset_id"),
        lambda example: [{"reference_outputs" if name == "outputs" else name: example[name] for name in example}],
    ),
    Adapter("OpenAI messages", "conversations, a row each", ("messages.0.role",), _conversation),
    Adapter("promptfoo", "results of an evaluation", ("results.results.0.vars",), _promptfoo),
    Adapter("RAGChecker", "inputs and results", ("results.0.query", "results.0.gt_answer"), _list_at("results[]")),
    Adapter("SQuAD", "the data set's JSON", ("data.0.paragraphs",), _squad),
    Adapter("pandas and MLflow", "a table as JSON", ("columns", "data"), _table),
)
"""Every adapter; the first that recognizes a row reads the file."""
BY_NAMES = (
    "ARES, Azure AI evaluation, DeepEval, LangChain, LlamaIndex, MLflow, Phoenix, RAGBench, Ragas, TruLens".split(", ")
)
"""Tools whose rows are plain columns, read by the names that they give them."""


def adapter_of(row: Any) -> Adapter | None:
    """The adapter of the tool that wrote the row."""
    return next((one for one in ADAPTERS if one.recognizes(row)), None)


def unwrap(rows: Rows, whole: bool, name: str, texts: TextLookup | None) -> tuple[str, Rows]:
    """The tool that wrote the rows (or ""), and the rows in them. Raises `InputError` if a `whole` file has none."""
    first = list(islice(rows, FIRST))
    if whole and not (is_carrier(first[0]) or adapter_of(first[0])):
        rows = iter(_rows_within(first[0], name))
        first = list(islice(rows, FIRST))
    rows = chain(first, rows)
    if any(map(is_carrier, first)):
        return "", trace_rows(rows, texts)
    row = next((row for row in first if isinstance(row, dict)), {})
    if row.keys() >= _FOR_PEOPLE:
        hint = "Export the run as JSON or JSONL (`python -m trace_core export RUN_ID --format json`), and read that."
        raise InputError("This is a table of a run for people to read: it lacks the documents.", hint, file=name)
    adapter = adapter_of(row)
    return (adapter.name, adapter.read(rows)) if adapter else ("", rows)


def _rows_within(whole: Raw, name: str) -> Iterable[Any]:
    """The rows of an object: itself where it has a question, else its columns, else its list of objects (with one)."""
    if any(isinstance(value, str) and _asks(key) for key, value in whole.items()):
        return [whole]
    if str(whole.get("schema")).startswith("trace-run/"):
        raise InputError("This is a run file.", "Read it by `python -m trace_core import`.", file=name)
    if (table := _columns(whole)) is not None:
        return table
    every = dict(_lists(whole))
    lists = {path: rows for path, rows in every.items() if any(map(_asks, rows[0]))} or every
    if len(lists) > 1:
        hint = "Save the one with the rows as a file."
        raise InputError(f"The file contains several lists: {', '.join(lists)}.", hint, file=name)
    if lists or any(isinstance(value, str) for value in whole.values()):
        return next(iter(lists.values()), [whole])
    raise InputError("The file contains no list of rows.", "Write the rows as one list.", file=name)


def _asks(key: Any) -> bool:
    return ranks(str(key), "question") is not None


def _lists(item: Raw, start: str = "") -> Iterator[tuple[str, list[Any]]]:
    for key, value in item.items():
        path = f"{start}{key}"
        if isinstance(value, list) and value and len(objects(value)) == len(value):
            yield path, value
        elif isinstance(value, dict) and path.count(".") < _DEEPEST:
            yield from _lists(value, f"{path}.")
