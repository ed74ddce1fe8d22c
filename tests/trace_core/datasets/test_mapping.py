"""Which column is which: guessed, changed, applied."""

import pytest

from trace_core.datasets import guess_mapping
from trace_core.errors import InputError


@pytest.mark.parametrize(
    ("columns", "fields", "layout"),
    [
        (
            ["question", "documents", "response"],
            {"question": "question", "documents": "documents", "response": "response"},
            "rows",
        ),
        (
            ["user_input", "retrieved_contexts", "response", "reference"],
            {
                "question": "user_input",
                "documents": "retrieved_contexts",
                "response": "response",
                "reference_answer": "reference",
            },
            "Ragas rows",
        ),
        (
            ["question", "contexts", "answer", "ground_truth"],
            {"question": "question", "documents": "contexts", "response": "answer", "reference_answer": "ground_truth"},
            "rows",
        ),
        (
            ["question", "expected_documents", "reference_answer", "category"],
            {n: n for n in ("question", "expected_documents", "reference_answer", "category")},
            "golden questions",
        ),
        (
            ["metrics", "ground_truth_scores"],
            {n: n for n in ("metrics", "ground_truth_scores")},
            "scores with ground truth",
        ),
        (
            ["Question ID", "userInput", "Retrieved Contexts", "Answer"],
            {"id": "Question ID", "question": "userInput", "documents": "Retrieved Contexts", "response": "Answer"},
            "rows",
        ),
        (
            ["id", "question", "documents", "response", "all_relevant_sentence_keys", "relevance_score"],
            {
                n: n
                for n in ("id", "question", "documents", "response", "all_relevant_sentence_keys", "relevance_score")
            },
            "RAGBench rows",
        ),
    ],
)
def test_the_columns_are_known_by_their_names(columns, fields, layout):
    guessed = guess_mapping(columns)
    assert (guessed.fields, guessed.layout, guessed.unused) == (fields, layout, [])


def test_a_fields_own_name_goes_before_its_aliases():
    guessed = guess_mapping(["query", "answer", "response", "question"])
    assert guessed.fields == {"question": "question", "response": "response"}
    assert guessed.unused == ["query", "answer"]


def test_a_column_that_cannot_be_what_its_name_says_is_passed_over():
    sample = [{"question": "?", "context": 7, "contexts": ["D."], "ground_truth": {"adherence": 1}}]
    assert guess_mapping(sample[0], sample).fields == {"question": "question", "documents": "contexts"}


def test_a_person_changes_it():
    guessed = guess_mapping(["ticket", "text", "contexts"])
    assert guessed.fields == {"documents": "contexts"}
    changed = guessed.changed({"question": "ticket", "documents": None, "response": "text"})
    assert changed.fields == {"question": "ticket", "response": "text"}
    assert changed.apply({"ticket": "?", "text": "R.", "contexts": ["D."]}) == {
        "question": "?",
        "response": "R.",
        "contexts": ["D."],
    }


@pytest.mark.parametrize("changes", [{"nonsense": "q"}, {"question": "absent"}])
def test_a_field_or_column_that_is_not_there_is_refused(changes):
    with pytest.raises(InputError, match="There is no"):
        guess_mapping(["q"]).changed(changes)


def test_what_is_no_field_travels_along_and_never_replaces_a_mapped_field():
    changed = guess_mapping(["question", "answer", "response", "note"]).changed({"response": "answer"})
    row = {"question": "?", "answer": "mine", "response": "theirs", "note": "n"}
    assert changed.apply(row) == {"question": "?", "response": "mine", "note": "n"}


def test_documents_that_are_objects_give_texts_ids_and_titles():
    row = {"question": "?", "documents": [{"id": 7, "title": "T", "text": "D."}, {"id": 8, "title": "U", "text": "E."}]}
    assert guess_mapping(row, [row]).apply(row) == {
        "question": "?", "documents": ["D.", "E."], "document_ids": ["7", "8"], "document_titles": ["T", "U"],
    }  # fmt: skip


def test_of_a_conversation_the_last_thing_the_person_said_is_the_question():
    turns = [
        {"type": "human", "content": "Hello"},
        {"type": "ai", "content": "Hi."},
        {"type": "human", "content": "How much?"},
    ]
    row = {"user_input": turns}
    assert guess_mapping(row, [row]).apply(row) == {"question": "How much?"}


def test_lists_in_a_table_are_read_and_questions_are_not():
    row = {"question": "[1]", "retrieved_contexts": '["D."]', "reference": '["R."]'}
    applied = guess_mapping(row, [row]).apply(row)
    assert applied == {"question": "[1]", "documents": ["D."], "reference_answer": ["R."]}


# A source may be the text or only its name


@pytest.mark.parametrize("column", ["Source 1", "sources", "Quelle 1", "Fuentes"])
def test_names_of_sources_are_no_documents(column):
    sample = [
        {"question": "May I carry days over?", column: "Employee handbook 2024, section 3.2, page 12"},
        {"question": "Who signs?", column: "Intranet > HR > Forms"},
    ]
    assert "documents" not in guess_mapping(["question", column], sample).fields


@pytest.mark.parametrize(
    ("column", "read"), [("Source 1", "Source *"), ("sources", "sources"), ("Quelle 1", "Quelle *")]
)
def test_texts_of_sources_are_documents(column, read):
    sample = [{"question": "May I carry days over?", column: "Up to five days may be carried over."}]
    assert guess_mapping(["question", column], sample).fields["documents"] == read


def test_an_address_is_no_document():
    sample = [{"question": "May I carry days over?", "context": "https://intranet.example/hr/leave"}]
    assert "documents" not in guess_mapping(["question", "context"], sample).fields


# Several documents in a cell, one a line


def test_lines_that_are_sentences_are_documents_where_the_name_says_several():
    mapping = guess_mapping(["question", "passages"])
    cell = "Up to five days may be carried over.\nThey lapse in March."
    assert mapping.apply({"question": "?", "passages": cell})["documents"] == cell.split("\n")
    wrapped = "Up to five days may\nbe carried over."
    assert mapping.apply({"question": "?", "passages": wrapped})["documents"] == [wrapped]


def test_lines_under_a_name_for_one_are_one_document():
    cell = "Up to five days may be carried over.\nThey lapse in March."
    assert guess_mapping(["question", "context"]).apply({"question": "?", "context": cell})["documents"] == [cell]


def test_names_are_known_without_accents_and_punctuation():
    fields = guess_mapping(["Question ?", "Réponse attendue :"]).fields
    assert fields == {"question": "Question ?", "reference_answer": "Réponse attendue :"}


@pytest.mark.parametrize(
    ("one", "other"), [("answer_1", "answer_2"), ("Answer A", "Answer B"), ("answer_before", "answer_after")]
)
def test_of_two_columns_of_answers_neither_is_taken_and_that_is_said(one, other):
    row = {"question": "Why?", "context": "It is so.", one: "It is.", other: "So it is."}
    found = guess_mapping(list(row), [row])
    assert "response" not in found.fields
    assert f"Several columns may hold the answer ({one}, {other}): none of them is read." in found.notes[0]


def test_a_column_without_a_name_is_no_question():
    assert (
        "question" not in guess_mapping(["text", ""], [{"text": "A lion roars.", "": "x"}, {"text": "So."}, {}]).fields
    )


@pytest.mark.parametrize(
    ("column", "read"), [("What it dug up", True), ("Pulled from the KB", True), ("Info to check", False)]
)
def test_a_column_of_lists_holds_documents_where_its_name_speaks_of_finding(column, read):
    lists = ["1. It opens at nine.\n2. It closes at six.", "1. It is free of charge."]
    rows = [{"Question": "When?", column: found, "Answer": "At nine."} for found in lists]
    assert guess_mapping(["Question", column, "Answer"], rows).fields.get("documents") == (column if read else None)
