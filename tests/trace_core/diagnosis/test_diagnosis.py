import numpy as np
import pytest
from diagnosis_cases import BY_NAME, CASES, DECLINES, SEED_PATTERNS, Case
from review_examples import event

from trace_core.diagnosis.faults import statuses
from trace_core.diagnosis.rescoring import rescore
from trace_core.diagnosis.verdict import examine
from trace_core.facts.records import Failure, Golden, Record, Response, Scores
from trace_core.golden.results import result_of
from trace_core.metrics import METRICS, combine, score, undefined
from trace_core.summary.columns import columns_of

CONVENTIONS = ("trace", "ragbench", "graded", "token")


def scores_of(four, convention="trace"):
    """Scores as the sources print them, without labels."""
    derived = (float(values[0]) for values in combine(np.array([[value] for value in four])))
    names = (*METRICS, "average", "rmse_aggregation", "consistency_score")
    return Scores(**dict(zip(names, (*four, *derived), strict=True)), convention=convention)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_record_gets_its_diagnosis_and_its_words(case):
    record = case.record()
    scores = score(record.labels, record.sentences())
    said = examine(record, scores).verdict
    assert f"{said.name} {said.tone}" == case.verdict, said.text
    for words in case.says:
        assert words in said.text
    for words in case.never:
        assert words not in said.text
    found = {finding.name for finding in examine(record, scores).findings}
    assert case.findings <= found
    assert not case.not_findings & found


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_record_in_a_run_has_the_diagnosis_and_the_findings_that_it_has_alone(case, convention):
    record = rescore(case.record(), convention)
    columns = columns_of([record])
    scores = columns.score(convention)
    alone = examine(record, record.scores)
    assert scores.verdicts.tolist() == [alone.verdict.name]
    in_run = {rule for rule, mask in scores.findings.items() if mask[0]}
    assert in_run == {finding.name for finding in alone.findings}


@pytest.mark.parametrize(("source", "four", "patterns"), SEED_PATTERNS, ids=[source for source, _, _ in SEED_PATTERNS])
def test_every_pattern_of_the_sources_fires_on_its_own_example(source, four, patterns):
    record = Record(id="1", question="?", response=Response(text="It is so."))
    findings = examine(record, scores_of(four)).findings
    assert patterns <= {name for finding in findings for name in (finding.title, *finding.sources)}


def test_a_changed_threshold_changes_the_diagnosis():
    record = BY_NAME["most of the relevant told: what is left out is quoted, and nothing is called complete"].record()
    scores = score(record.labels, record.sentences())
    changed = {"incomplete": {"completeness": 0.9}}
    assert examine(record, scores, changed).verdict.name == "incomplete"
    columns = columns_of([record])
    assert statuses(columns.score().quantities, changed).tolist() == ["incomplete"]


def test_what_failed_is_not_scored():
    failed = Record(id="1", question="?", error=Failure(step="label", message="The judge gave no answer."))
    said = examine(failed, undefined("failed")).verdict
    assert (said.tone, said.text) == ("unknown", "Not scored: The judge gave no answer.")


def test_scores_alone_quote_nothing():
    bare = Record(id="1", question="?", response=Response(text="It is so."))
    said = examine(bare, scores_of((0.95, 0.50, 0.85, 0.70))).verdict
    assert said.tone == "bad"
    assert said.text.startswith("Unsupported claim: by its scores, adherence 0.70. Without labels no sentence")


def test_what_a_convention_counts_as_grounded_is_not_called_complete():
    record = BY_NAME["a claim with half a support"].record()
    said = examine(record, score(record.labels, record.sentences(), "ragbench")).verdict
    assert (said.name, said.tone) == ("healthy", "good")
    assert said.text.startswith("Healthy: grounded as this convention counts, says the file's labeler. The file's ")
    assert said.text.endswith("only partly supported.")


def test_a_sentence_on_the_list_of_unsupported_ones_is_said_to_be_there():
    record = BY_NAME["one fact asked, one fact found, one fact told"].record()
    record.labels = record.labels.model_copy(update={"unsupported_response_sentence_keys": ["a"]})
    said = examine(record, score(record.labels, record.sentences(), "ragbench")).verdict
    assert "is on the list of unsupported sentences" in said.text
    assert "no document" not in said.text


@pytest.mark.parametrize(
    ("support", "verdict"), [("a+0a", "unlabeled"), ("a+0a b+0a", "healthy"), ("a-0a", "unsupported")]
)
def test_an_answer_with_a_sentence_of_which_nothing_is_known_is_not_grounded(support, verdict):
    record = Case("of two sentences", verdict, "It is so. And so.", f"0a / 0a / {support}").record()
    assert examine(record, score(record.labels, record.sentences(), "graded")).verdict.name == verdict


UNKNOWN_TO_THE_MANUAL = "The documents I can see are about an espresso machine and say nothing about bicycles."


@pytest.mark.parametrize(
    ("answer", "support", "expected", "diagnosis", "words"),
    [
        (UNKNOWN_TO_THE_MANUAL, "a+general", [], "declined", "the answer declines"),
        ("I do not know the warranty. It lasts two years.", "a+general b-", [], "unsupported", "finds no support"),
        (DECLINES, "a+general", [], "declined", "rightly, as the golden question expects no document"),
        (DECLINES, "a+general", ["warranty"], "nothing_relevant", "The golden question expects warranty"),
    ],
)
def test_a_golden_questions_result_and_the_diagnosis_agree(answer, support, expected, diagnosis, words):
    case = Case("golden", diagnosis, answer, f"//{support}")
    record = rescore(case.record().model_copy(update={"golden": Golden(expected_documents=expected)}), "trace")
    assert (record.verdict.name, words in record.verdict.text) == (diagnosis, True)
    result = result_of(record, record.golden)
    assert result.rightly == (diagnosis == "declined")
    sources = {name for finding in record.findings for name in finding.sources}
    assert ("answered without ground" in sources) == (diagnosis == "unsupported")


def test_the_verdict_names_its_author_the_labeler_or_the_corrector():
    record = BY_NAME["a claim without support"].record()
    record.labels = record.labels.model_copy(update={"labeler": "local"})
    scores = score(record.labels, record.sentences())
    assert examine(record, scores).verdict.text.startswith("Unsupported claim: the local model finds no support")
    record.overrides = [event("supported", "b", "unsupported", "Ada")]
    assert examine(record, scores).verdict.text.startswith("Unsupported claim: Ada finds no support for sentence b, ")
