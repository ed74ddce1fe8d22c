"""Records for the tests of runs, with hand-written labels, so that every count is known."""

import io
import json
import threading
import time

from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import LabelingError
from trace_core.facts.labels import Labels, Support
from trace_core.facts.records import Document, Failure, Record, Response, Truth
from trace_core.labeling import Reply
from trace_core.runs.files.export import export
from trace_core.runs.files.exported import from_records, new_run
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import record_lines
from trace_core.runs.files.scored_rows import import_records, import_rows, read_scored_rows

DOCUMENTS = ["Cats purr. Dogs bark loudly.", "Fish swim."]  # 0a, 0b, 1a
ANSWER = "Cats purr. Birds sing."  # a, b


def labeled(record_id, *, relevant=("0a", "0b"), utilized=("0a",), second=False, convention="trace", **more):
    """Two response sentences: the first fully supported by 0a, the second as `second` says."""
    record = Record(
        id=record_id,
        source_id=record_id.partition("#")[0],
        question=more.pop("question", f"What of {record_id}?"),
        documents=[Document(id=str(i), rank=i + 1, text=text) for i, text in enumerate(DOCUMENTS)],
        response=Response(text=more.pop("response", ANSWER)),
        **more,
    )
    record.labels = Labels(
        all_relevant_sentence_keys=None if relevant is None else list(relevant),
        all_utilized_sentence_keys=list(utilized),
        sentence_support_information=[
            Support(response_sentence_key="a", explanation="", supporting_sentence_keys=["0a"], fully_supported=True),
            Support(response_sentence_key="b", explanation="", supporting_sentence_keys=[], fully_supported=second),
        ],
        labeler="local",
    )
    return rescore(record, convention)


def failed(record_id, message="The judge fell asleep."):
    """A record whose labeler failed."""
    record = labeled(record_id)
    record.labels, record.error = None, Failure(step="label", message=message)
    return rescore(record, "trace")


def with_truth(record, **labels):
    """The record with ground truth: its own labels, except those given."""
    truth = Truth(labels=record.labels.model_copy(update=labels), scores={"adherence": 1.0}, convention="ragbench")
    return record.model_copy(update={"ground_truth": truth})


def in_lines(path, rows):
    """The path of a file with each row as a line of JSON."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(number, **more):
    """A data set row with documents and a response."""
    return {"id": f"q{number}", "question": f"What is {number}?", "documents": DOCUMENTS, "response": ANSWER} | more


class Counting:
    """A labeler that supports everything with 0a and counts its calls; each costs 0.01 and takes `seconds`.

    Questions in `fails` fail. While `gate` is not set, calls wait for it.
    """

    name, version = "local", "counting 1"

    def __init__(self, seconds=0.0, fails=(), gate=None):
        self.seconds, self.fails, self.gate = seconds, set(fails), gate
        self.calls, self.at_once, self.most_at_once = [], 0, 0
        self._lock = threading.Lock()

    def label(self, question, sentences, progress=None):
        with self._lock:
            self.calls.append(question)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            time.sleep(self.seconds)
            if self.gate:
                assert self.gate.wait(120)
            if question in self.fails:
                raise LabelingError("The judge fell asleep.", "Wake it.")
            return Reply(reply_to(sentences), usage={"calls": 1, "cost": 0.01})
        finally:
            with self._lock:
                self.at_once -= 1


def support(key, named=("0a",), fully=True):
    """What a judge's reply says of one response sentence."""
    return {"response_sentence_key": key, "supporting_sentence_keys": list(named), "fully_supported": fully}


def reply_to(sentences):
    """Everything relevant, 0a used, every response sentence supported by it."""
    keys = {"all_relevant_sentence_keys": sentences.document_keys(), "all_utilized_sentence_keys": ["0a"]}
    return keys | {"sentence_support_information": list(map(support, sentences.response_keys()))}


def supported(keys):
    """A judge's whole reply: 0a alone is relevant and used, and supports these response sentences."""
    return {
        "relevance_explanation": "0a.",
        "all_relevant_sentence_keys": ["0a"],
        "overall_supported_explanation": "All stands there.",
        "overall_supported": True,
        "sentence_support_information": [support(key) | {"explanation": ""} for key in keys],
        "all_utilized_sentence_keys": ["0a"],
    }


def exported(run, kind="json"):
    """The run's text in that format."""
    out = io.StringIO()
    export(run, kind, out)
    return out.getvalue()


def run_text(records, name="n", *, convention="trace", labeler="local", settings=None):
    """The text of a new run file."""
    return exported(new_run(records, name, convention=convention, labeler=labeler, settings=settings or {}))


def run_file(records, name="n", **config):
    """The content of a new run file."""
    return json.loads(run_text(records, name, **config))


def written(folder, kind, convention, records):
    """The run of these records in that format, in a file."""
    block = {"id": "r", "name": "n", "created_at": "now", "config": {"convention": convention, "settings": {}}}
    return in_file(folder, kind, from_records(records, block))


def in_file(folder, kind, run):
    """The run in that format, in a file."""
    path = folder / f"run.{'json' if kind == 'json' else 'csv' if kind == 'csv' else 'jsonl'}"
    path.write_text(exported(run, kind), encoding="utf-8", newline="")
    return path


def brought_in(store, path, kind, convention="trace"):
    """The id of the run that an import of that export makes in a store of runs."""
    if kind == "json":
        return import_run(store, path)[0]
    if kind == "ragbench":
        return import_rows(store, path, read_scored_rows(path).items, convention, {})[0]
    return import_records(store, path, list(record_lines(path)), convention, {})[0]
