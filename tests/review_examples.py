"""A record to review: two documents of two sentences each, an answer of two, with hand-written labels."""

from metric_examples import labels

from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Document, Record, Response
from trace_core.review import correct

DOCUMENTS = ("Red is a colour. Blue is one too.", "Green is another. So is grey.")  # 0a 0b 1a 1b
ANSWER = "It is red. It is blue."  # a b


def record(relevant="0a 0b", utilized="0a", support="a+0a b-", record_id="1", **more):
    documents = [Document(id=str(i), rank=i + 1, text=text) for i, text in enumerate(DOCUMENTS)]
    made = labels(relevant, utilized, support, more.pop("unsupported", None), labeler="gpt", **more)
    plain = Record(id=record_id, question="?", documents=documents, response=Response(text=ANSWER), labels=made)
    return rescore(plain, "ragbench")


def said(given, field, key, value, author="Ann", **more):
    return correct(given, (field, key, value), author, **more)


def event(field, key, value, author="Ann", reason=""):
    """A correction as a record carries it."""
    one = {"id": "1", "author": author, "created_at": "2026-01-01T09:00:00Z", "reason": reason}
    return one | {"field": field, "sentence_key": key, "value": value}
