import pytest
from diagnosis_cases import CASES
from metric_examples import labels

from trace_core.diagnosis.faults import FAULTS, PATTERNS
from trace_core.diagnosis.signs import noise_sensitivity
from trace_core.diagnosis.verdict import examine
from trace_core.facts.records import Document, Record, Response, Scores
from trace_core.metrics import DERIVED, METRICS, undefined

HEALTHY = dict(zip((*METRICS, *DERIVED), (0.7, 0.7, 0.8, 1.0, 0.8, 0.2, 0.8), strict=True))


def scores(convention="graded", **values):
    """Scores alone; under `graded` relevance is a share."""
    return Scores(**(HEALTHY | values), convention=convention)


def record(answer="It is so.", documents=(), **more):
    made = [Document(id=str(i), rank=i + 1, text=text) for i, text in enumerate(documents)]
    return Record(id="1", question="?", documents=made, response=Response(text=answer), **more)


def find(*one):
    return examine(*one).findings


def names(found):
    return [finding.name for finding in found]


def sources(found):
    return {name for finding in found for name in finding.sources}


@pytest.mark.parametrize(
    ("fault", "holds", "fails"),
    [
        ("unsupported", {"adherence": 0.999}, {"adherence": 1.0}),
        ("incomplete", {"completeness": 0.799}, {"completeness": 0.8}),
        ("incomplete", {"context_utilization": 0.5}, {"context_utilization": 0.501}),
        ("noise", {"context_relevance": 0.499}, {"context_relevance": 0.5}),
        ("nothing_relevant", {"context_relevance": 0.0}, {"context_relevance": 0.001}),
    ],
)
def test_a_fault_holds_exactly_at_its_threshold(fault, holds, fails):
    assert fault in names(find(record(), scores(**holds)))
    assert fault not in names(find(record(), scores(**fails)))


@pytest.mark.parametrize(
    ("pattern", "holds", "fails"),
    [
        ("conservative", {"completeness": 0.599}, {"completeness": 0.599, "adherence": 0.999}),
        ("low utilization", {"context_utilization": 0.399}, {"context_utilization": 0.4}),
        (
            "balanced but low",
            {"adherence": 0, "rmse_aggregation": 0.149, "average": 0.499},
            {"adherence": 0, "rmse_aggregation": 0.15, "average": 0.499},
        ),
    ],
)
def test_a_name_of_the_sources_is_given_exactly_at_their_threshold(pattern, holds, fails):
    assert pattern in sources(find(record(), scores(**holds)))
    assert pattern not in sources(find(record(), scores(**fails)))


def test_every_fault_has_a_meaning_and_a_step_and_every_pattern_a_fault():
    assert all(fault.title and fault.meaning.endswith(".") and fault.fix.endswith(".") for fault in FAULTS.values())
    assert all(of and set(of.split()) <= set(FAULTS) for _, of in PATTERNS.values())
    assert all(set(fault.beside.split()) <= set(FAULTS) for fault in FAULTS.values())


def test_only_where_nothing_relevant_was_retrieved_is_more_retrieval_the_step():
    assert [name for name, fault in FAULTS.items() if "top_k" in fault.fix] == ["nothing_relevant", "missed_document"]
    for case in CASES:
        made = case.record()
        found = names(find(made, scores("trace")))
        assert not {"nothing_relevant", "incomplete"} <= set(found)


def test_an_undefined_metric_is_no_fault():
    assert names(find(record(), undefined("nothing retrieved"))) == ["unlabeled"]


def test_a_refusal_is_found_in_the_first_sentence_alone():
    assert names(find(record("I cannot answer this from the documents."), scores(completeness=0.0))) == ["refused"]
    assert names(find(record("It is red. I cannot answer the rest."), scores(completeness=0.0))) == ["incomplete"]


def test_an_answer_that_rests_on_irrelevant_text_is_noted():
    texts = ("It is red.", "It is so.")
    stray = record(documents=texts, labels=labels("0a", "1a", "a+1a"))
    sound = record(documents=texts, labels=labels("0a 1a", "1a", "a+1a"))
    assert "stray" in names(find(stray, scores(completeness=0)))
    assert "stray" not in names(find(sound, scores(completeness=0)))


@pytest.mark.parametrize(("rank", "late"), [(3, False), (4, True)])
def test_relevant_text_that_comes_late_is_noted(rank, late):
    found = record(documents=["It is so."] * 5, labels=labels(f"{rank - 1}a", f"{rank - 1}a", "a-"))
    assert ("late" in names(find(found, scores(adherence=0)))) == late
    assert names(find(found, scores())) == ["healthy"]


def test_the_worst_comes_first():
    texts = ("It is red. It is big. It is so.", "It is so.")
    found = find(record("It is so. It is old.", texts, labels=labels("0a 0b 0c", "1a", "a+1a b-")), scores(adherence=0))
    assert [finding.severity for finding in found] == [3, 2, 1]
    assert names(found) == ["unsupported", "incomplete", "stray"]


@pytest.mark.parametrize("convention", ["trace", "ragbench", "graded", "token"])
def test_what_is_judged_of_labels_is_judged_alike_under_every_convention(convention):
    given = record(documents=["It is so. It is red."], labels=labels("0a", "0a", "a+0a"))
    low = {"context_relevance": 0.05, "context_utilization": 0.05, "completeness": 1.0}
    assert names(find(given, scores(convention, **low))) == ["healthy"]


@pytest.mark.parametrize(
    ("support", "share"),
    [
        ("a+0a", 0),
        ("a+0a b+1a", 1 / 2),
        ("a+1a b+1b c+0a", 2 / 3),
        ("a+1a b-", 1 / 2),
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


@pytest.mark.parametrize("lacking", [labels(None, "", "a+"), labels("0a", "", None)])
def test_noise_sensitivity_is_undefined_without_its_labels(lacking):
    assert noise_sensitivity(lacking, ["a"]) is None
    assert noise_sensitivity(labels(), []) is None
