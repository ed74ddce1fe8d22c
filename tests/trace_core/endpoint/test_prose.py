"""Running prose whose texts are quoted: what they are, and which of them are relevant."""

import json
from pathlib import Path

import everyday_queries
import numpy as np
import pytest
from case_groups import in_groups

from trace_core.endpoint import QueryError, parse_query
from trace_core.endpoint.reading.leads.surroundings import ROLES, Around, log_odds
from trace_core.endpoint.reading.prose.relevant import told_relevant

FOLDER = Path(__file__).parents[3] / "bench" / "leads"
MESSAGES = {
    f"{path.stem} {one['name']}": (one["query"], one["expected"])
    for path in sorted(FOLDER.glob("messages_*.jsonl"))
    for one in map(json.loads, path.read_text(encoding="utf-8").splitlines())
}


@pytest.mark.parametrize("names", in_groups(MESSAGES))
def test_most_messages_are_read_wholly_and_none_wrongly(names, monkeypatch):
    monkeypatch.setattr(everyday_queries, "CASES", MESSAGES)
    outcomes = {name: everyday_queries.outcome(name) for name in names}
    assert {name: said for name, (grade, said) in outcomes.items() if grade == "wrong"} == {}
    assert sum(grade == "right" for grade, _ in outcomes.values()) >= 0.6 * len(names)


@pytest.mark.parametrize(
    ("before", "after", "text", "previous", "role"),
    [
        ("A hiker rang our hut and wanted to hear", "", "Is the ridge path open?", None, "question"),
        ("; what the line bot came up with was", ".", "It is closed.", "question", "answer"),
        ("For that it leaned on the bulletin, which reads", ".", "The ridge path is closed.", "answer", "contexts"),
        (", and", "", "The hut opens in June.", "contexts", "contexts"),
        (". The warden says it ought to have been", ".", "Open from noon.", "answer", "ground_truth"),
        ("I keep these cases in a sheet named", "", "ridge_tests", None, "none"),
        ("Ein Gast schrieb uns:", "", "Ist der Steig offen?", None, "question"),
        ("; vom Helfer kam darauf", ".", "Er ist gesperrt.", "question", "answer"),
        ("Le bulletin sur lequel il se fondait dit", ".", "Le sentier est fermé.", "answer", "contexts"),
        ("Lo que tendría que haber contestado es", ".", "Abierto.", "answer", "ground_truth"),
    ],
)
def test_the_words_around_a_quotation_tell_what_it_is(before, after, text, previous, role):
    assert ROLES[int(log_odds(Around(before, after, text, previous)).argmax())] == role


def test_the_probabilities_of_the_roles_add_up_to_one():
    assert np.exp(log_odds(Around("", "", "", None))).sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("sentence", "relevant"),
    [
        ("Only the second one is relevant.", ["p2"]),
        ("The first and the last are the relevant ones.", ["p1", "p3"]),
        ("p1 and p3 matter, p2 doesn't.", []),  # "matter" alone tells too little
        ("p3 is what matters here.", ["p3"]),
        ("All but p2 are relevant.", ["p1", "p3"]),
        ("All three are relevant.", ["p1", "p2", "p3"]),
        ("Neither of them is relevant.", []),
        ("The first is relevant, the others are not.", ["p1"]),
        ("The second is not relevant.", []),
        ("The second is not relevant, the others are.", ["p1", "p3"]),
        ("The middle one is of no use, only the first is relevant.", ["p1"]),
        ("The first is relevant. The first is not relevant.", []),
        ("The fifth is relevant.", []),
        ("Is the second one relevant?", []),
        ("of which only the latter is relevant", ["p3"]),
        ("wobei nur der erste relevant ist", ["p1"]),
        ("Relevant sind p1 und p3.", ["p1", "p3"]),
        ("Seul le deuxième extrait est pertinent.", ["p2"]),
        ("Sont pertinents p1 et p2.", ["p1", "p2"]),
        ("Solo el primero es relevante, los otros no.", ["p1"]),
        ("Dos quais apenas o segundo é relevante.", ["p2"]),
        ("Bara den andra är relevant.", ["p2"]),
        ("Istotne są p1 i p2.", ["p1", "p2"]),
        ("Please check answer relevancy of the second one.", []),
    ],
)
def test_a_clause_tells_which_contexts_are_relevant(sentence, relevant):
    assert told_relevant([f"We ran it. {sentence}"], ["p1", "p2", "p3"])[1] == relevant


@pytest.mark.parametrize(
    ("sentence", "relevant"),
    [
        ("Only 2 is relevant.", ["2"]),
        ("Of these, passages 1 and 3 are the relevant ones.", ["1", "3"]),
        ("This would be useful to 2 of our customers.", []),
    ],
)
def test_a_number_is_a_context_where_it_counts_nothing_else(sentence, relevant):
    assert told_relevant([sentence], ["1", "2", "3"])[1] == relevant


def test_the_clause_is_taken_out_of_the_prose():
    assert told_relevant(["Faithfulness, please. Only p1 is relevant."], ["p1"])[0] == ["Faithfulness, please. "]


STORY = (
    'Faithfulness please. A hiker wondered "Is it open?", the line bot shot back "No." and it leaned on "It is shut."'
)


def test_a_story_in_words_that_no_rule_knows_is_read():
    read = parse_query(STORY)
    payload = read.payload
    assert read.by == "model"
    assert (payload.question, payload.answer) == ("Is it open?", "No.")
    assert [context.text for context in payload.contexts] == ["It is shut."]


@pytest.mark.parametrize(
    "more",
    [
        " and on this:\n- The hut is shut.\n",  # a context without quotation marks
        " Sorry, wrong line: the answer was yes.",
        ' Then again it leaned on "It was shut." wrongly.',
        "\nAnswer: Yes.",
        ' A second hiker wondered "Since when?"',
        " print(answer)",
    ],
)
def test_what_the_model_cannot_see_makes_a_story_unclear(more):
    with pytest.raises(QueryError):
        parse_query(STORY + more)


@pytest.mark.parametrize(
    ("marks", "ids"),
    [
        ('[h1] "It is shut." and [h2] "It is steep."', ["h1", "h2"]),
        ('"It is shut." (h1) and "It is steep." (h2)', ["h1", "h2"]),
        ('"[h1] It is shut." and "[h2] It is steep."', ["h1", "h2"]),
        ('"It is shut." and "It is steep."', ["1", "2"]),
    ],
)
def test_ids_stand_before_after_or_within_the_quotation_marks(marks, ids):
    query = f'Context precision please. A hiker wondered "Is it open?" and the passages it was fed were {marks}.'
    payload = parse_query(query).payload
    assert [(context.id, context.text) for context in payload.contexts] == [
        (ids[0], "It is shut."), (ids[1], "It is steep.")
    ]  # fmt: skip


def test_ids_of_only_some_contexts_make_a_story_unclear():
    with pytest.raises(QueryError):
        parse_query('Faithfulness. The line bot shot back "No." and leaned on [h1] "It is shut." and "It is steep."')
