import pytest
from metric_examples import labels
from stored_examples import run, stored

from trace_core.contribution import Contribution, Part
from trace_core.errors import SettingsError
from trace_core.golden.modes import MODES, contribution_support, facts_of, find_modes, of_alerts
from trace_core.golden.noise import against_reference
from trace_core.labeling import Reply
from trace_core.records import Document, Record, Response, with_sentences
from trace_core.runs.trends import alerts, points, series

EDGES = [  # rule, facts that fire it, a neighbour that does not
    ("document_missed", {"document_recall": 0.49}, {"document_recall": 0.5}),
    ("answered_without_ground", {"unanswerable": 1, "refusal": 0}, {"unanswerable": 1, "refusal": 1}),
    ("answered_without_ground", {"unanswerable": 1, "refusal": 0}, {"unanswerable": 0, "refusal": 0}),
    ("refused_wrongly", {"unanswerable": 0, "refusal": 1}, {"unanswerable": 1, "refusal": 1}),
    ("refused_wrongly", {"unanswerable": 0, "refusal": 1}, {"unanswerable": 0, "refusal": 0}),
    ("global_query_failure", {"global": 1, "completeness": 0.59}, {"global": 1, "completeness": 0.6}),
    ("global_query_failure", {"global": 1, "completeness": 0.59}, {"global": 0, "completeness": 0.59}),
    ("global_retrieval_failure", {"global": 1, "document_recall": 0.99}, {"global": 1, "document_recall": 1}),
    ("global_retrieval_failure", {"global": 1, "document_recall": 0.99}, {"global": 0, "document_recall": 0.99}),
    ("retrieval_incorrect", {"retrieval_confidence": 0.42}, {"retrieval_confidence": 0.43}),
    ("retrieval_answer_mismatch", {"contribution_support": 0.49}, {"contribution_support": 0.5}),
    ("harmful_document", {"harmful_documents": 1}, {"harmful_documents": 0}),
    ("noise_sensitivity_relevant", {"noise_relevant": 0.1}, {"noise_relevant": 0}),
    ("noise_sensitivity_irrelevant", {"noise_irrelevant": 0.1}, {"noise_irrelevant": 0}),
]


def names(facts, overrides=None):
    return {found.name for found in find_modes([("1", facts)], overrides)}


@pytest.mark.parametrize(("rule", "fires", "silent"), EDGES)
def test_a_rule_fires_on_its_example_and_is_silent_on_its_neighbour(rule, fires, silent):
    assert rule in names(fires)
    assert rule not in names(silent)


def test_every_rule_has_its_example():
    assert {rule for rule, _, _ in EDGES} == {rule.name for rule in MODES}


def test_what_is_not_known_fires_nothing():
    assert names({}) == set()
    assert names({"document_recall": None}) == set()


def test_a_finding_names_its_records_and_of_how_many():
    facts = [("a", {"document_recall": 0}), ("b", {"document_recall": 1}), ("c", {"document_recall": 0}), ("d", {})]
    (found,) = find_modes(facts)
    assert (found.record_ids, found.of, found.share) == (["a", "c"], 3, 2 / 3)


def test_thresholds_are_data_that_can_be_edited():
    edited = {"document_missed": {"document_recall": 1.0}}
    assert names({"document_recall": 0.9}) == set()
    assert names({"document_recall": 0.9}, edited) == {"document_missed"}


@pytest.mark.parametrize("wrong", [{"none": {}}, {"document_missed": {"precision": 1}}])
def test_an_override_that_names_nothing_is_refused(wrong):
    with pytest.raises(SettingsError, match="There is no threshold"):
        find_modes([], wrong)


# Retrieval and answer


def contribution(*parts):
    made = [
        Part(rank=i + 1, id=str(i), title=None, answer="", refused=False, label=label, scores={}, relevant=None,
             utilized=None, supports=supports)
        for i, (label, supports) in enumerate(parts)
    ]  # fmt: skip
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


def test_a_mismatch_is_found():
    assert names(facts_of(contribution=contribution((1, False), (0, True)))) == {"retrieval_answer_mismatch"}
    assert names(facts_of(contribution=contribution((1, True), (0, False)))) == set()


# Noise sensitivity with a reference answer


class Verbatim:
    """Supports a response sentence where the only document says the same."""

    name, version = "verbatim", "1"

    def label(self, question, sentences, progress=None):
        known = {s.text: s.key for document in sentences.documents for s in document}
        entries = [
            {
                "response_sentence_key": s.key,
                "supporting_sentence_keys": [known[s.text]] if s.text in known else [],
                "fully_supported": s.text in known,
            }
            for s in sentences.response
        ]
        none = {"all_relevant_sentence_keys": [], "all_utilized_sentence_keys": []}
        return Reply(raw={"sentence_support_information": entries, **none})


def noisy(support, answer="It is red. It is old. It is far. It is new."):
    documents = [Document(id=str(i), rank=i + 1, text="It is old. It is so.") for i in range(2)]
    made = Record(id="1", question="?", documents=documents, response=Response(text=answer))
    return with_sentences(made.model_copy(update={"labels": labels("0a", "0a", support)}))


def test_wrong_yet_supported_is_counted_by_what_supports_it():
    # a is right; b rests on document 0, which is relevant, c on document 1, which is not, d on none
    found = against_reference(noisy("a+0a b+0b c+1a d-"), "It is red.", Verbatim())
    assert (found.sentences, found.correct) == (4, 1 / 4)
    assert (found.relevant, found.irrelevant, found.hallucinated) == (1 / 4, 1 / 4, 1 / 4)
    assert names(facts_of(noise=found)) == {"noise_sensitivity_relevant", "noise_sensitivity_irrelevant"}


def test_a_right_answer_is_not_sensitive_whatever_supports_it():
    found = against_reference(noisy("a+1a", "It is red."), "It is red.", Verbatim())
    assert (found.correct, found.relevant, found.irrelevant, found.hallucinated) == (1, 0, 0, 0)


def test_without_labels_or_a_reference_there_is_none():
    assert against_reference(noisy("a+0a").model_copy(update={"labels": None}), "It is red.", Verbatim()) is None
    assert against_reference(noisy("a+0a"), " ", Verbatim()) is None


# Trend


def test_the_series_of_seed_003_is_a_finding_that_names_its_runs():
    rmse = [0.08, 0.09, 0.12, 0.15, 0.20]
    runs = [
        run(stored("1", (0.5 - r, 0.5 + r, 0.5 - r, 0.5 + r)), name=f"r{i}", created_at=f"2026-01-0{i + 1}")
        for i, r in enumerate(rmse)
    ]
    found = points(runs)
    modes = [m for m in of_alerts(alerts(series(found)), found) if m.name == "balance_trend"]
    assert [(m.run_ids, m.severity) for m in modes] == [(["r3"], 1), (["r4"], 2)]
    assert modes[-1].title == "Trend: up 4 runs in a row (0.08 → 0.09 → 0.12 → 0.15 → 0.20)"
