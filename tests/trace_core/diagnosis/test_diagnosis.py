import numpy as np
import pytest
from diagnosis_cases import CASES, DECLINES, SEED_PATTERNS, Case

from trace_core.diagnosis.faults import statuses
from trace_core.diagnosis.rescoring import rescore
from trace_core.diagnosis.verdict import examine
from trace_core.facts.cleaning import clean
from trace_core.facts.records import Document, Failure, Golden, Record, Response, Scores
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
    assert columns.verdicts(scores).tolist() == [alone.verdict.name]
    in_run = {rule for rule, mask in columns.findings(scores).items() if mask[0]}
    assert in_run == {finding.name for finding in alone.findings}


@pytest.mark.parametrize(("source", "four", "patterns"), SEED_PATTERNS, ids=[source for source, _, _ in SEED_PATTERNS])
def test_every_pattern_of_the_sources_fires_on_its_own_example(source, four, patterns):
    record = Record(id="1", question="?", response=Response(text="It is so."))
    findings = examine(record, scores_of(four)).findings
    assert patterns <= {name for finding in findings for name in (finding.title, *finding.sources)}


def test_a_changed_threshold_changes_the_diagnosis():
    case = next(case for case in CASES if case.name.startswith("most of the relevant"))
    record = case.record()
    scores = score(record.labels, record.sentences())
    changed = {"incomplete": {"completeness": 0.9}}
    assert examine(record, scores, changed).verdict.name == "incomplete"
    columns = columns_of([record])
    assert statuses(columns.quantities(columns.score()), changed).tolist() == ["incomplete"]


def test_what_failed_is_not_scored():
    failed = Record(id="1", question="?", error=Failure(step="label", message="The judge gave no answer."))
    said = examine(failed, undefined("failed")).verdict
    assert (said.tone, said.text) == ("unknown", "Not enough labels: not scored. The judge gave no answer.")


def test_scores_alone_quote_nothing():
    bare = Record(id="1", question="?", response=Response(text="It is so."))
    said = examine(bare, scores_of((0.95, 0.50, 0.85, 0.70))).verdict
    assert said.tone == "bad"
    assert said.text.startswith("Unsupported claim: by its scores, adherence 0.70. Without labels no sentence")


def test_what_a_convention_counts_as_grounded_is_not_called_complete():
    case = next(case for case in CASES if case.name == "a claim with half a support")
    record = case.record()
    said = examine(record, score(record.labels, record.sentences(), "ragbench")).verdict
    assert (said.name, said.tone) == ("healthy", "good")
    assert said.text.startswith("Healthy: grounded as this convention counts, says the file's labeler. The file's ")
    assert said.text.endswith("only partly supported.")


def test_a_sentence_on_the_list_of_unsupported_ones_is_said_to_be_there():
    case = next(case for case in CASES if case.name == "one fact asked, one fact found, one fact told")
    record = case.record()
    record.labels = record.labels.model_copy(update={"unsupported_response_sentence_keys": ["a"]})
    said = examine(record, score(record.labels, record.sentences(), "ragbench")).verdict
    assert "is on the list of unsupported sentences" in said.text
    assert "no document" not in said.text


def labeled(relevant, support, convention):
    """A record of one document of five sentences and an answer of two, under the convention."""
    text = "One is so. Two is so. Three is so. Four is so. Five is so."
    documents, response = [Document(id="1", rank=1, text=text)], Response(text="It is so. And so.")
    record = Record(id="1", question="?", documents=documents, response=response)
    entries = [
        {"response_sentence_key": key, "supporting_sentence_keys": ["0a"], "fully_supported": fully}
        for key, fully in zip("ab", support, strict=True)
    ]
    raw = {"all_relevant_sentence_keys": relevant, "all_utilized_sentence_keys": relevant}
    sentences = record.sentences()
    found = clean(raw | {"sentence_support_information": entries}, sentences.document_keys(), sentences.response_keys())
    record.labels = found.labels
    return examine(record, score(found.labels, sentences, convention))


def test_an_answer_with_a_sentence_of_which_nothing_is_known_is_not_called_grounded():
    assert labeled(["0a"], (True, "perhaps"), "graded").verdict.name == "unlabeled"
    assert labeled(["0a"], (True, True), "graded").verdict.name == "healthy"
    assert labeled(["0a"], (False, "perhaps"), "graded").verdict.name == "unsupported"


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
    case = next(case for case in CASES if case.name == "a claim without support")
    record = case.record()
    record.labels = record.labels.model_copy(update={"labeler": "local"})
    scores = score(record.labels, record.sentences())
    assert examine(record, scores).verdict.text.startswith("Unsupported claim: the local model finds no support")
    event = {
        "id": "1",
        "author": "Ada",
        "created_at": "2026-11-03T09:00:00Z",
        "sentence_key": "b",
        "field": "supported",
        "value": "unsupported",
    }
    record.overrides = [event]
    assert examine(record, scores).verdict.text.startswith("Unsupported claim: Ada finds no support for sentence b, ")
