from metric_examples import labels

from trace_core.facts.records import Document, Record, Response
from trace_core.runs.analyse.changes import LabelChange, label_changes

TEXTS = ("Red is a colour. Blue is one too.", "Green is another.")


def record(made, answer="It is red. It is blue.", texts=TEXTS, **more):
    documents = [Document(id=f"d{i}", rank=i + 1, text=text) for i, text in enumerate(texts)]
    return Record(id="1", question="?", documents=documents, response=Response(text=answer), labels=made, **more)


def test_each_kind_of_label_that_differs_is_shown_side_by_side():
    found = label_changes(record(labels("0a", "0a", "a+0a b-")), record(labels("0b", "0a", "a+0a b+0b")))
    assert found == [
        LabelChange("relevant", "Red is a colour.", "0a", "0a", True, False),
        LabelChange("relevant", "Blue is one too.", "0b", "0b", False, True),
        LabelChange("supported", "It is blue.", "b", "b", "unsupported", "fully"),
    ]


def test_a_document_at_another_rank_has_other_keys_and_the_same_sentences():
    a = record(labels("1a", "", "a+ b+"))
    b = record(labels("0a", "", "a+ b+"))
    b.documents = [a.documents[1].model_copy(), a.documents[0].model_copy()]
    for i, document in enumerate(b.documents):
        document.sentences = []
        document.rank = i + 1
    b.split()
    assert label_changes(a, b) == []


def test_a_sentence_that_only_one_side_has():
    found = label_changes(record(labels("", "", "a+ b+")), record(labels("", "", "a+ b-"), "It is red. It is old."))
    assert found == [
        LabelChange("supported", "It is blue.", "b", None, "fully", None),
        LabelChange("supported", "It is old.", None, "b", None, "unsupported"),
    ]


def test_a_list_that_one_side_lacks_is_no_change():
    assert label_changes(record(labels("0a", None, "a+ b+")), record(labels("0a", "0b", "a+ b+"))) == []
