import pytest

from trace_core.contribution import Contribution, Part
from trace_core.golden.modes import contribution_support, facts_of, find_modes
from trace_core.golden.noise import Noise

EDGES = [  # rule, facts that fire it, a neighbour that does not
    ("document_missed", {"document_recall": 0.49}, {"document_recall": 0.5}),
    (
        "answered_without_ground",
        {"unanswerable": 1, "refusal": 0, "adherence": 0},
        {"unanswerable": 1, "refusal": 0, "adherence": 1},
    ),
    ("global_query_failure", {"global": 1, "completeness": 0.59}, {"global": 1, "completeness": 0.6}),
    ("global_retrieval_failure", {"global": 1, "document_recall": 0.99}, {"global": 1, "document_recall": 1}),
    ("retrieval_incorrect", {"retrieval_confidence": 0.42, "refusal": 0}, {"retrieval_confidence": 0.42, "refusal": 1}),
    ("retrieval_answer_mismatch", {"contribution_support": 0.49}, {"contribution_support": 0.5}),
    ("harmful_document", {"harmful_documents": 1}, {"harmful_documents": 0}),
    ("noise_sensitivity_relevant", {"noise_relevant": 0.1}, {"noise_relevant": 0}),
    ("noise_sensitivity_irrelevant", {"noise_irrelevant": 0.1}, {"noise_irrelevant": 0}),
]


def names(facts, overrides=None):
    return {found.rule.name for found in find_modes([("1", facts)], overrides)}


@pytest.mark.parametrize(("rule", "fires", "silent"), EDGES)
def test_a_rule_fires_on_its_example_and_is_silent_on_its_neighbour(rule, fires, silent):
    assert rule in names(fires)
    assert rule not in names(silent)


def test_what_is_not_known_fires_nothing():
    assert names({}) == set()
    assert names({"document_recall": None}) == set()


def test_a_finding_names_its_records_and_of_how_many():
    facts = [("a", {"document_recall": 0}), ("b", {"document_recall": 1}), ("c", {"document_recall": 0}), ("d", {})]
    (found,) = find_modes(facts)
    assert (found.record_ids, found.of) == (["a", "c"], 3)


def test_thresholds_are_data_that_can_be_edited():
    edited = {"document_missed": {"document_recall": 1.0}}
    assert names({"document_recall": 0.9}) == set()
    assert names({"document_recall": 0.9}, edited) == {"document_missed"}


# Retrieval and answer


def contribution(*parts):
    made = [
        Part(
            rank=i + 1,
            id=str(i),
            title=None,
            answer="",
            refused=False,
            label=label,
            scores={},
            relevant=None,
            utilized=None,
            supports=supports,
        )
        for i, (label, supports) in enumerate(parts)
    ]
    return Contribution("1", "token_f1", "reference", None, made, None, [], {})


@pytest.mark.parametrize(
    ("parts", "share"),
    [
        ([(1, True), (0, False)], 1),
        ([(1, False), (0, True)], 0),
        ([(1, False), (1, True)], 1 / 2),
        ([(0, False), (0, True)], None),
        ([(1, False), (0, False)], None),
        ([(1, None), (0, True)], None),
        ([(None, True), (0, True)], None),
        ([], None),
    ],
)
def test_the_share_of_the_best_documents_that_the_answer_rests_on(parts, share):
    assert contribution_support(contribution(*parts)) == share


def test_facts_of_second_measurements_fire_their_rules():
    assert names(facts_of(contribution=contribution((1, False), (0, True)))) == {"retrieval_answer_mismatch"}
    assert names(facts_of(contribution=contribution((1, True), (0, False)))) == set()
    both = Noise(sentences=4, correct=0.25, relevant=0.25, irrelevant=0.25, hallucinated=0.25)
    assert names(facts_of(noise=both)) == {"noise_sensitivity_relevant", "noise_sensitivity_irrelevant"}
