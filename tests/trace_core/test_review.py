from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from review_examples import event, record, said

from trace_core.errors import InputError
from trace_core.facts.corrections import with_corrections
from trace_core.facts.labels import Probabilities, Status
from trace_core.review import agreement, as_seen_by, correct, draft, queue, read_scores, reviewers, undo

fewer = settings(max_examples=settings().max_examples // 4)  # whole replies and records take long to draw


def reviewed(given, author="Ann"):
    return correct(given, ("reviewed", "", True), author)


# Overriding


def test_the_scores_follow_at_once():
    before, after = record(), said(record(), "relevant", "1a", True)
    assert before.scores.context_relevance == 2 / 4
    assert after.scores.context_relevance == 3 / 4
    assert after.scores.completeness == 1 / 3


def test_the_event_says_who_when_what_and_why():
    one = event("utilized", "0b", True, reason="It is quoted.")
    (made,) = said(record(), "utilized", "0b", True, reason="It is quoted.").overrides
    assert abs(datetime.now(UTC) - datetime.fromisoformat(made["created_at"])) < timedelta(minutes=1)
    assert made | {"id": "1", "created_at": one["created_at"]} == one


def test_every_status_can_be_given():
    given = record()
    for value, adherence in (("fully", 1), ("unsupported", 0)):
        after = said(given, "supported", "b", value)
        assert after.labels.statuses("ab")["b"] == value
        assert after.scores.adherence == adherence
    partly = said(said(given, "supporting", "b", ["0b"]), "supported", "b", "partially")
    assert partly.labels.statuses("ab")["b"] is Status.PARTIALLY
    assert partly.scores.adherence == 1  # ragbench: not unsupported


def test_the_rows_own_list_of_unsupported_sentences_follows():
    given = record(unsupported="b")
    assert given.scores.adherence == 0
    assert said(given, "supported", "b", "fully").scores.adherence == 1
    assert said(given, "supported", "b", "partially").scores.adherence == 1
    assert said(given, "supported", "a", "unsupported").labels.unsupported_response_sentence_keys == ["a", "b"]


def test_a_sentence_without_an_entry_gets_one():
    given = record(support="a+0a")
    assert given.scores.undefined == {"adherence": "unlabeled"}
    assert said(given, "supported", "b", "fully").scores.adherence == 1
    assert said(given, "supporting", "b", ["general"]).labels.statuses("ab")["b"] is Status.FULLY


def test_a_list_that_the_labels_lack_can_be_given_whole():
    given = record(relevant=None)
    with pytest.raises(InputError, match="lack all_relevant_sentence_keys"):
        said(given, "relevant", "0a", True)
    after = said(given, "relevant", "", ["1a", "0a"])
    assert after.scores.context_relevance == 2 / 4
    assert after.labels.all_relevant_sentence_keys == ["0a", "1a"]


def test_findings_and_verdict_follow():
    given = record(relevant="0a")
    assert "unsupported" in {f.name for f in given.findings}
    after = said(given, "supported", "b", "fully")
    assert "unsupported" not in {f.name for f in after.findings}
    assert after.verdict.tone == "good"


@pytest.mark.parametrize(
    ("field", "key", "value", "words"),
    [
        ("relevant", "9z", True, "'9z' is not a sentence that can be relevant"),
        ("relevant", "0a", "yes", "Expected: true or false"),
        ("supported", "a", "perhaps", "Expected: fully, partially or unsupported"),
        ("supported", "b", "partially", "supported by no named sentence"),
        ("supporting", "a", ["9z"], "'9z' is not a sentence of this record"),
        ("adherence", "", 1, "cannot be read"),
    ],
)
def test_what_does_not_fit_is_refused(field, key, value, words):
    with pytest.raises(InputError, match=words):
        said(record(), field, key, value)


def test_a_reviewer_has_a_name_and_a_record_has_labels():
    with pytest.raises(InputError, match="no name"):
        said(record(), "relevant", "0a", True, author=" ")
    with pytest.raises(InputError, match="no labels"):
        said(record().model_copy(update={"labels": None}), "relevant", "0a", True)


def test_an_import_with_events_that_do_not_fit_is_refused():
    with pytest.raises(InputError, match=r"Record 1: correction 1 cannot be read. field id: It is missing"):
        with_corrections(record().model_copy(update={"overrides": [{"nonsense": 1}]}))


# Views and undo


def test_the_view_is_marked_human_and_says_over_whom():
    for view in (after := said(record(), "relevant", "1a", True), as_seen_by(after, "Ann")):
        assert (view.labels.labeler, view.labels.labeler_version) == ("human", "Ann over gpt")
    assert view.overrides == []


def test_two_people_who_differ_are_both_kept():
    given = said(said(record(), "relevant", "1a", True, "Ann"), "relevant", "1a", False, "Bob")
    assert as_seen_by(given, author="Ann").scores.context_relevance == 3 / 4
    assert as_seen_by(given, author="Bob").scores.context_relevance == 2 / 4
    assert given.scores.context_relevance == 2 / 4  # of two about one sentence, the later one


def test_naming_support_answers_no_question_that_the_judge_left_open():
    given = record()
    entries = [s.model_copy(update={"fully_supported": None}) for s in given.labels.sentence_support_information]
    given.labels = given.labels.model_copy(update={"sentence_support_information": entries})
    after = said(given, "supporting", "b", ["0b"])
    assert after.labels.statuses("ab") == {"a": "unlabeled", "b": "unlabeled"}
    assert after.scores.adherence is None
    assert said(after, "supported", "b", "fully").labels.statuses("ab") == {"a": "unlabeled", "b": "fully"}


def test_undo_is_one_event_more():
    given = said(record(), "relevant", "1a", True)
    back = undo(given, given.overrides[0]["id"], author="Ann")
    assert back.scores == record().scores
    assert [event["field"] for event in back.overrides] == ["relevant", "undo"]


def test_everyone_takes_back_their_own():
    given = said(record(), "relevant", "1a", True)
    with pytest.raises(InputError, match="People take back only their own"):
        undo(given, given.overrides[0]["id"], author="Bob")


EVENTS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["relevant", "utilized"]), st.sampled_from(["0a", "0b", "1a", "1b"]), st.booleans()),
        st.tuples(st.just("supported"), st.sampled_from("ab"), st.sampled_from(["fully", "unsupported"])),
        st.tuples(st.just("supporting"), st.sampled_from("ab"), st.sampled_from([[], ["0a"], ["0a", "1b"]])),
    ),
    max_size=6,
)


@fewer
@given(EVENTS)
def test_taking_everything_back_is_as_if_nothing_had_been_said(made):
    changed = record()
    for field, key, value in made:
        changed = said(changed, field, key, value)
    for one in list(changed.overrides):
        changed = undo(changed, one["id"], author="Ann")
    assert (changed.labels, changed.scores) == (record().labels, record().scores)
    assert changed.findings == record().findings


# Agreement


def test_labeler_and_person_by_hand():
    # relevant: gpt 0a 0b, Ann 0a 1a → of 4 sentences: both yes 1, gpt only 1, Ann only 1, neither 1
    given = reviewed(said(said(record(), "relevant", "0b", False), "relevant", "1a", True))
    found = agreement([given]).labeler["Ann"]["relevant"]
    assert found.classes == ("no", "yes")
    assert found.confusion == [[1, 1], [1, 1]]
    assert (found.n, found.accuracy, found.kappa) == (4, 2 / 4, 0)


def test_two_people_are_measured_over_what_both_reviewed():
    one = reviewed(reviewed(said(record(), "relevant", "0b", False, "Ann")), "Bob")
    other = reviewed(record(record_id="2"))
    found = agreement([one, other])
    assert found.people["Ann", "Bob"]["relevant"].confusion == [[2, 1], [0, 1]]
    assert found.labeler["Ann"]["relevant"].records == 2
    assert reviewers(one) == ["Ann", "Bob"]


def test_a_record_with_corrections_alone_is_left_out_and_counted():
    found = agreement([said(record(), "relevant", "1a", True)])
    assert (found.labeler, found.left_out) == ({}, {"Ann": 1})


def test_the_interval_resamples_records():
    run = [reviewed(record(record_id=str(i))) for i in range(6)]
    run += [reviewed(said(record(record_id=str(i)), "relevant", "1a", True)) for i in range(6, 12)]
    found = agreement(run).labeler["Ann"]["relevant"]
    low, high = found.interval
    assert low < found.kappa < high <= 1
    assert found == agreement(run).labeler["Ann"]["relevant"]


# Queue


def doubtful(record_id, unsupported, relevant=0.0):
    known = Probabilities(unsupported={"a": unsupported}, relevant={"0a": relevant})
    return record(record_id=record_id, probabilities=known)


def test_the_most_doubtful_about_support_comes_first_and_the_unknown_last():
    rows = [record(record_id="unknown"), doubtful("sure", 0.95), doubtful("toss", 0.5), doubtful("so", 0.25)]
    found = queue(rows)
    assert [q.record.id for q in found] == ["toss", "so", "sure", "unknown"]
    assert [q.doubt for q in found] == [1, pytest.approx(0.5), pytest.approx(0.1), None]


def test_doubt_about_relevance_only_orders_records_alike_in_support():
    found = queue([doubtful("sure", 0.9), doubtful("relevance", 0.9, 0.5), doubtful("support", 0.8)])
    assert [q.record.id for q in found] == ["support", "relevance", "sure"]
    assert [(d.kind, d.key) for d in found[1].doubts] == [("supported", "a"), ("relevant", "0a")]


def test_the_labelers_scores_stand_beside_those_of_people_who_read_the_record():
    corrected_only = said(record(), "relevant", "1a", True)
    assert read_scores(corrected_only, "graded")[1] is None
    own, theirs = read_scores(reviewed(corrected_only), "graded")
    assert (own.context_relevance, theirs.context_relevance) == (2 / 4, 3 / 4)


def test_people_who_differ_are_doubtful():
    given = said(said(record(), "supported", "a", "fully", "Ann"), "supported", "a", "unsupported", "Bob")
    (found,) = queue([given])
    assert (found.doubt, found.doubts[0].why) == (1, "Ann and Bob differ")


def test_the_contradicting_sentence_supports_once_a_person_says_so():
    given = record()
    change = {"fully_supported": False, "supporting_sentence_keys": [], "contradicting_sentence_keys": ["0a"]}
    entries = [s.model_copy(update=change) for s in given.labels.sentence_support_information]
    given.labels = given.labels.model_copy(update={"sentence_support_information": entries})
    (first, _) = said(given, "supported", "a", "fully").labels.sentence_support_information
    assert (first.supporting_sentence_keys, first.contradicting_sentence_keys) == (["0a"], [])


# What a person said of a record and has not saved


@pytest.mark.parametrize("change", [("relevant", "0a", True), ("supported", "a", "fully"), ("supporting", "a", ["0a"])])
def test_what_the_labels_say_already_is_no_change(change):
    assert draft(record(), [change], "Ann").changes == []


def test_changes_are_taken_in_their_order():
    changes = [("supported", "b", "unsupported"), ("supporting", "b", ["1a"])]
    made = draft(record(), changes, "Ann")
    entry = made.record.labels.sentence_support_information[1]
    assert (entry.supporting_sentence_keys, entry.fully_supported) == (["1a"], False)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("relevant", "9z", True), "'9z' is not a sentence"),
        (("supported", "b", "partially"), "cannot be partially supported"),
    ],
)
def test_what_does_not_fit_is_left_out_and_said(change, why):
    made = draft(record(), [change, ("relevant", "1a", True)], "Ann")
    assert made.changes == [("relevant", "1a", True)]
    assert [why in str(error) for error in made.errors] == [True]


def test_alone_it_is_what_that_person_would_see_and_differs_from_the_labeler():
    bobs = said(record(), "relevant", "1a", True, author="Bob")
    again = draft(bobs, [("relevant", "1a", True)], "Ann")
    assert again.changes == []  # the effective labels say so
    alone = draft(bobs, [("relevant", "1a", True)], "Ann", alone=True)
    assert alone.changes == [("relevant", "1a", True)]
    assert alone.record.scores.context_relevance == 3 / 4
    assert draft(bobs, [], "Ann", alone=True).record.scores.context_relevance == 2 / 4
