"""What can be answered and what is declined, by golden questions, else by a judge's labels."""

from run_examples import failed, labeled

from trace_core.facts.records import Golden
from trace_core.summary.columns import columns_of
from trace_core.summary.declining import declining

DECLINED = "I do not know."


def told(columns):
    """The 2 × 2 under the convention of the sources."""
    return declining(columns.score("trace"))


def test_golden_questions_tell_what_can_be_answered():
    there, nowhere = Golden(expected_documents=["0"]), Golden()
    records = [labeled("1"), failed("2")]
    for golden in (there, nowhere):
        records += [labeled("3", golden=golden), labeled("4", golden=golden, response=DECLINED)]
    assert told(columns_of(records)) == {
        "answerable": {"answered": 1, "declined": 1},
        "unanswerable": {"answered": 1, "declined": 1},
        "unknown": {"answered": 1, "declined": 0},
    }


def test_a_judges_labels_tell_by_what_is_relevant_and_the_local_models_do_not():
    records = [labeled("1"), labeled("2", relevant=(), response=DECLINED)]
    assert told(columns_of(records)) is None
    by_judge = [one.model_copy(update={"labels": one.labels.model_copy(update={"labeler": "gpt"})}) for one in records]
    assert told(columns_of(by_judge))["unanswerable"] == {"answered": 0, "declined": 1}
