import pytest
from metric_examples import labels

from trace_core.diagnosis.diagnose import find
from trace_core.diagnosis.findings import RULES
from trace_core.diagnosis.signs import noise_sensitivity
from trace_core.facts.records import Document, Record, Response, Scores, with_sentences
from trace_core.metrics import undefined

NEUTRAL = {  # fires nothing
    "context_relevance": 0.6,
    "context_utilization": 0.6,
    "completeness": 0.65,
    "adherence": 1.0,
    "average": 0.7,
    "rmse_aggregation": 0.2,
    "consistency_score": 0.8,
}


def scores(convention="graded", **values):
    """Scores alone; under `graded` relevance is a share."""
    return Scores(**(NEUTRAL | values), convention=convention)


def record(answer="It is so.", documents=(), **more):
    made = [Document(id=str(i), rank=i + 1, text=text) for i, text in enumerate(documents)]
    return with_sentences(Record(id="1", question="?", documents=made, response=Response(text=answer), **more))


def names(found):
    return {finding.name for finding in found}


# Each rule, on one side of its threshold and on the other

FAILS = {"adherence": 0.0}
EDGES = [
    ("hallucination", {"adherence": 0.999}, {"adherence": 1.0}),
    (
        "hallucination_risk",
        FAILS | {"context_relevance": 0.299, "context_utilization": 0.7},
        FAILS | {"context_relevance": 0.3, "context_utilization": 0.7},
    ),
    (
        "hallucination_risk",
        FAILS | {"context_relevance": 0.299, "context_utilization": 0.7},
        FAILS | {"context_relevance": 0.299, "context_utilization": 0.699},
    ),
    (
        "good_retrieval_poor_generation",
        FAILS | {"context_relevance": 0.7, "context_utilization": 0.5},
        FAILS | {"context_relevance": 0.7, "context_utilization": 0.501},
    ),
    (
        "good_retrieval_poor_generation",
        FAILS | {"context_relevance": 0.7, "context_utilization": 0.5},
        FAILS | {"context_relevance": 0.699, "context_utilization": 0.5},
    ),
    ("low_context_relevance", {"context_relevance": 0.499}, {"context_relevance": 0.5}),
    ("low_context_utilization", FAILS | {"context_utilization": 0.399}, FAILS | {"context_utilization": 0.4}),
    ("conservative", {"completeness": 0.599, "adherence": 1.0}, {"completeness": 0.6, "adherence": 1.0}),
    ("conservative", {"completeness": 0.599, "adherence": 1.0}, {"completeness": 0.599, "adherence": 0.999}),
    ("low_completeness", {"completeness": 0.599}, {"completeness": 0.6}),
    (
        "balanced_but_low",
        FAILS | {"rmse_aggregation": 0.149, "average": 0.499},
        FAILS | {"rmse_aggregation": 0.15, "average": 0.499},
    ),
    (
        "balanced_but_low",
        FAILS | {"rmse_aggregation": 0.149, "average": 0.499},
        FAILS | {"rmse_aggregation": 0.149, "average": 0.5},
    ),
    *(
        ("healthy", dict.fromkeys(FOUR[:3], 0.7) | {"adherence": 1.0}, dict.fromkeys(FOUR, 1.0) | less)
        for FOUR in [["context_relevance", "context_utilization", "completeness", "adherence"]]
        for less in (
            {"context_relevance": 0.699},
            {"context_utilization": 0.699},
            {"completeness": 0.699},
            {"adherence": 0.999},
        )
    ),
]


@pytest.mark.parametrize(("rule", "fires", "silent"), EDGES)
def test_a_rule_fires_exactly_at_its_threshold(rule, fires, silent):
    assert rule in names(find(record(), scores(**fires)))
    assert rule not in names(find(record(), scores(**silent)))


def test_nothing_fires_where_nothing_is_the_matter():
    assert find(record(), scores()) == []


def test_every_rule_is_tested_at_its_threshold():
    of_labels = {"refusal", "noise_sensitivity", "empty_answer", "contradiction", "late_relevance"}
    assert {rule for rule, _, _ in EDGES} | of_labels == {rule.name for rule in RULES}


def test_an_undefined_metric_fires_nothing():
    assert find(record(), undefined("nothing retrieved")) == []


def test_every_rule_says_what_it_means_and_what_helps():
    assert all(rule.title and rule.meaning.endswith(".") and rule.fix.endswith(".") for rule in RULES)


def test_a_refusal_is_found_in_the_first_sentence_alone():
    low = {"completeness": 0.0}
    assert "refusal" in names(find(record("I cannot answer this from the documents."), scores(**low)))
    assert "refusal" not in names(find(record("It is red. I cannot answer the rest."), scores(**low)))


def test_noise_is_found():
    texts = ("It is red.", "It is so.")
    noisy = record(documents=texts, labels=labels("0a", "1a", "a+1a"))
    quiet = record(documents=texts, labels=labels("0a 1a", "0a 1a", "a+1a"))
    assert "noise_sensitivity" in names(find(noisy, scores()))
    assert "noise_sensitivity" not in names(find(quiet, scores()))


@pytest.mark.parametrize(("rank", "late"), [(3, False), (4, True)])
def test_relevant_text_that_comes_late_is_noted(rank, late):
    found = record(documents=["It is so."] * 5, labels=labels(f"{rank - 1}a", f"{rank - 1}a", "a+general"))
    assert ("late_relevance" in names(find(found, scores()))) == late


def test_the_worst_comes_first():
    low = dict.fromkeys(NEUTRAL, 0.0) | {"context_relevance": 0.1, "context_utilization": 0.8}
    found = find(record(), scores(**low))
    severities = [finding.severity for finding in found]
    assert found[0].name == "hallucination"
    assert severities == sorted(severities, reverse=True)
    assert set(severities) == {3, 2, 1}


@pytest.mark.parametrize("convention", ["trace", "ragbench", "graded", "token"])
def test_what_is_judged_of_labels_is_judged_alike_under_every_convention(convention):
    given = record(documents=["It is so. It is red."], labels=labels("0a", "0a", "a+0a"))
    low = {"context_relevance": 0.05, "context_utilization": 0.05, "completeness": 1.0}
    assert names(find(given, scores(convention, **low))) == {"healthy"}


def test_an_override_replaces_one_threshold_of_one_rule():
    overrides = {"hallucination": {"adherence": 0.5}}
    assert "hallucination" in names(find(record(), scores(adherence=0.7)))
    assert "hallucination" not in names(find(record(), scores(adherence=0.7), overrides))


# Noise sensitivity


@pytest.mark.parametrize(
    ("support", "share"),
    [
        ("a+0a", 0),
        ("a+1a", 1),
        ("a+0a b+1a", 1 / 2),
        ("a+1a b+1b c+0a", 2 / 3),
        ("a+1a b-", 1 / 2),
        ("a- b-", 0),
        ("a-1a b+", 1 / 2),
        ("a+general", 0),
    ],
)
def test_noise_sensitivity_is_the_share_with_only_irrelevant_support(support, share):
    keys = [part[0] for part in support.split()]
    assert noise_sensitivity(labels("0a", "", support), keys) == share


def test_one_relevant_support_is_enough():
    made = labels("0a", "", "a+1a")
    both = made.sentence_support_information[0].model_copy(update={"supporting_sentence_keys": ["1a", "0a"]})
    assert noise_sensitivity(made.model_copy(update={"sentence_support_information": [both]}), ["a"]) == 0


@pytest.mark.parametrize("lacking", [None, labels(None, "", "a+"), labels("0a", "", None)])
def test_noise_sensitivity_is_undefined_without_its_labels(lacking):
    assert noise_sensitivity(lacking, ["a"]) is None


def test_noise_sensitivity_is_undefined_without_a_sentence():
    assert noise_sensitivity(labels(), []) is None
