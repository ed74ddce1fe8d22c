"""Which column is which: by the names that tools use, or as a person says."""

import csv

import pytest
from run_examples import in_lines

from trace_core.commands.reading import describe
from trace_core.datasets import DataSet, read_dataset
from trace_core.datasets.mapping import mapping_of
from trace_core.errors import InputError


def named(*columns):
    return mapping_of(columns, [])


@pytest.mark.parametrize(
    ("columns", "fields"),
    [
        (["userInput", "Retrieved Contexts", "Answer"], ["userInput", "Retrieved Contexts", "Answer"]),
        (["input", "retrieval_context", "context", "actual_output"], ["input", "retrieval_context", "actual_output"]),
        (["inputs.question", "outputs.documents", "outputs.answer"],) * 2,
        (["query", "context_1", "context_2", "context_10", "output"], ["query", "context_*", "output"]),
    ],
)
def test_columns_are_known_by_the_names_of_tools(columns, fields):
    found = named(*columns).fields
    assert [found.get(name) for name in ("question", "documents", "response")] == fields


@pytest.mark.parametrize(
    ("columns", "field"),
    [(["question", "answer", "model_answer"], "response"), (["question", "contexts", "documents"], "documents")],
)
def test_of_two_columns_for_one_field_neither_is_taken_and_both_are_named(columns, field):
    mapping = named(*columns)
    assert field not in mapping.fields
    assert set(mapping.unclear[field]) == set(columns[1:])
    assert any("so none was taken" in line for line in describe(DataSet("rows.csv", mapping)))


PATHS = {
    "model.reply": {"response": "R."},
    "found[].body": {"documents": ["D.", "E."]},
    "found[1].body": {"documents": ["E."]},
    "rating is good|4": {"adherence_score": True},
    "text": {"response": '{"reply": "T."}'},
    "text.reply": {"response": "T."},
    "c_*": {"documents": ["A.", "B.", "C."]},
}


@pytest.mark.parametrize("path", PATHS)
def test_a_path_reaches_into_objects_lists_conditions_and_starred_columns(path):
    row = {"ask": "?", "c_10": "C.", "c_2": "B.", "c_1": "A.", "rating": "4.0", "text": '{"reply": "T."}'}
    row |= {"model": {"reply": "R."}, "found": [{"body": "D."}, {"body": "E."}]}
    ((field, value),) = PATHS[path].items()
    mapping = mapping_of(list(row), [row]).with_changes({"question": "ask", field: path})
    assert mapping.reader()(row)[field] == value


@pytest.mark.parametrize("changes", [{"nonsense": "q"}, {"question": "absent"}, {"question": "absent.part"}])
def test_a_field_or_column_that_is_not_there_is_refused(changes):
    with pytest.raises(InputError, match="There is no"):
        named("q").with_changes(changes)


def test_what_is_no_field_stays_with_the_row_and_never_replaces_a_mapped_field():
    mapping = named("question", "answer", "response", "note").with_changes({"response": "answer"})
    row = {"question": "?", "answer": "mine", "response": "theirs", "note": "n"}
    assert mapping.reader()(row) == {"question": "?", "response": "mine", "note": "n"}


def test_what_labels_are_read_with_is_not_said_to_be_unread():
    assert named("question", "note", "expected_adherence", "label_probabilities", "ground_truth").unread == ["note"]


def test_columns_that_the_first_rows_lack_are_read_and_stay_with_their_rows():
    late = {"question": "?", "category": "colours", "expected_documents": '["d"]', "note": "n"}
    assert named("question").reader()(late) == late | {"expected_documents": ["d"]}


def test_objects_give_texts_ids_titles_and_scores_where_all_have_them():
    first = {"id": 7, "title": "T", "text": "D.", "score": 0.5}
    row = {"question": "?", "documents": [first, {"id": 8, "metadata": {"source": "U"}, "page_content": "E."}]}
    documents = {"documents": ["D.", "E."], "document_ids": ["7", "8"], "document_titles": ["T", "U"]}
    assert mapping_of(list(row), [row]).reader()(row) == {"question": "?"} | documents


def test_coverage_counts_the_rows_that_hold_a_field(tmp_path):
    rows = [{"question": "?", "answer": "R.", "contexts": ["D."]}, {"question": "?", "contexts": []}, {"answer": "R."}]
    found = read_dataset(in_lines(tmp_path / "rows.jsonl", rows))
    assert (found.total, dict(found.coverage)) == (3, {"question": 2, "documents": 1, "response": 2})


Q, D, A = "How high is the dam?", "The dam is 40 m high.", "It is 40 m high."
GOLD = "Forty metres high."
SHEETS = [
    ({"What we asked": Q, "Context": D, "Answer": A}, {"question": "What we asked"}),
    ({"質問": Q, "context": D, "answer": A}, {"question": "質問"}),
    ({"Question": Q, "Sources": "manual.pdf", "KB extract": D, "Answer": A}, {"documents": "KB extract"}),
    ({"Question": Q, "Context": D, "Documents": "d1", "Answer": A}, {"documents": "Context"}),
    ({"Question": Q, "Context": D, "Answer": GOLD, "Chatbot reply (March)": A}, {"response": "Chatbot reply (March)"}),
    ({"Question": Q, "Context": D, "Answer": GOLD, "Response": A}, {"response": "Response"}),
]


@pytest.mark.parametrize(("sheet", "choice"), SHEETS, ids=[", ".join(sheet) for sheet, _ in SHEETS])
def test_a_sheet_of_somebodys_own_is_read_with_one_choice(tmp_path, sheet, choice):
    path = tmp_path / "sheet.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([sheet.keys(), sheet.values()])
    (field,) = choice
    before = read_dataset(path)
    assert (before.mapping.missing, before.causes) == ((field,), {})
    words = {"question": "the question", "documents": "the documents", "response": "the answer"}[field]
    assert describe(before)[0].startswith(f"Which column holds {words}?")
    for item in before.items:
        assert (item.question, item.documents or [D], item.response or A) == (Q, [D], A)
    (item,) = read_dataset(path, mapping=choice).items
    assert (item.question, item.documents, item.response) == (Q, [D], A)
