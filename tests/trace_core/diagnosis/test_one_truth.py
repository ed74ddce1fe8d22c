"""Whatever the labels: every face of a record says the same, and healthy stands alone."""

import io

from diagnosis_cases import MACHINE
from hypothesis import given, settings
from hypothesis import strategies as st

from trace_core.diagnosis.faults import FAULTS, look
from trace_core.diagnosis.rescoring import rescore
from trace_core.evidence import scorecard
from trace_core.facts.labels import Labels, Probabilities, Support
from trace_core.facts.records import Document, Golden, Record, Response
from trace_core.metrics import CONVENTIONS, METRICS
from trace_core.runs.files.export import table_row
from trace_core.runs.files.exported import from_records
from trace_core.runs.files.pipeline import write_junit, write_summary
from trace_core.summary.columns import columns_of

DOCUMENTS = ["0a", "0b", "1a", "1b", "1c"]
ANSWERS = [
    "The tank holds 1.8 litres. Rinse twice.",
    "I cannot answer this from the documents.",
    "The documents do not mention the price. The tank holds 1.8 litres.",
    " ",
]
BLOCK = {"id": "r", "name": "nightly", "created_at": "now", "config": {"convention": "trace", "labeler": "local"}}
STATUSES = {fault.name for fault in FAULTS.values() if fault.leads and not fault.measured}
keys = st.lists(st.sampled_from(DOCUMENTS), unique=True)
shares = st.floats(0, 1).map(lambda p: round(p, 2))
supports = st.tuples(
    st.sampled_from([True, False, None]),
    st.lists(st.sampled_from([*DOCUMENTS, "general"]), max_size=2, unique=True),
    st.booleans(),
)


@st.composite
def records(draw):
    made = [Document(id=str(i), rank=i + 1, text=text) for i, text in enumerate(MACHINE)]
    record = Record(id="1", question="?", documents=made, response=Response(text=draw(st.sampled_from(ANSWERS))))
    entries = []
    for key in record.sentences().response_keys():
        fully, named, against = draw(supports)
        support = {"response_sentence_key": key, "fully_supported": fully, "supporting_sentence_keys": named}
        if against and fully is False:
            support |= {"contradicting_sentence_keys": ["0a"], "supporting_sentence_keys": []}
        entries.append(Support(**support))
    known = {
        "relevant": draw(st.dictionaries(st.sampled_from(DOCUMENTS), shares)),
        "unsupported": draw(st.dictionaries(st.sampled_from(["a", "b"]), shares)),
    }
    record.labels = Labels(
        labeler=draw(st.sampled_from(["local", "gpt", "recorded"])),
        all_relevant_sentence_keys=draw(st.none() | keys),
        all_utilized_sentence_keys=draw(st.none() | keys),
        sentence_support_information=draw(st.none() | st.just(entries)),
        probabilities=draw(st.none() | st.just(Probabilities(**known))),
    )
    record.golden = draw(st.none() | st.sampled_from([Golden(), Golden(expected_documents=["x"], document_recall=0.0)]))
    return rescore(record, draw(st.sampled_from(list(CONVENTIONS))))


@settings(max_examples=300, deadline=None)
@given(records())
def test_every_face_of_a_record_says_the_same(record):
    verdict, convention = record.verdict, record.scores.convention
    assert verdict.name in STATUSES
    doubtful = verdict.confidence == "unsure"
    assert (verdict.status, verdict.next_step) == (FAULTS[verdict.name].title, FAULTS[verdict.name].fix)
    title, tone = look(verdict.name, doubtful)
    assert verdict.text.casefold().startswith(f"{title}: ".casefold())
    assert verdict.tone == tone
    assert verdict.name in {finding.name for finding in record.findings}
    columns = columns_of([record])
    scores = columns.score(convention)
    assert (scores.verdicts.tolist(), scores.unsure.tolist()) == ([verdict.name], [doubtful])
    assert {name for name, mask in scores.findings.items() if mask[0]} == {f.name for f in record.findings}
    assert scorecard(record)["verdict"] == verdict.model_dump()
    row = table_row(record)
    assert (row["verdict"], row["confidence"]) == (verdict.status, verdict.confidence)
    assert row["findings"] == "; ".join(finding.title for finding in record.findings)


@settings(max_examples=300, deadline=None)
@given(records())
def test_healthy_excludes_faults_and_support_excludes_nothing_relevant(record):
    names = {finding.name for finding in record.findings}
    if record.verdict.name == "healthy":
        assert names == {"healthy"}
        for name in ("completeness", "adherence"):
            value = getattr(record.scores, name)
            assert value is not None
            assert value >= METRICS[name].target
        goal = METRICS["context_utilization"].goal(record.scores.convention)
        assert record.scores.convention != "trace" or record.scores.context_utilization >= goal
    if record.verdict.name == "nothing_relevant" and record.golden is None:
        supported = [e for e in record.labels.sentence_support_information or [] if e.fully_supported]
        assert not any({*e.supporting_sentence_keys} - {"general"} for e in supported)


@settings(max_examples=60, deadline=None)
@given(records())
def test_a_record_that_is_not_grounded_is_in_the_summary_and_fails_in_junit(record):
    run = from_records([record], BLOCK | {"config": BLOCK["config"] | {"convention": record.scores.convention}})
    summary, junit = io.StringIO(), io.StringIO()
    write_summary(run, summary)
    write_junit(run, junit)
    wrong = "### Not grounded" in summary.getvalue()
    assert wrong == ("<failure" in junit.getvalue())
    assert wrong <= (record.scores.adherence is not None and record.scores.adherence < 1)
    assert wrong == ("0 of 1 answers are grounded" in summary.getvalue())
