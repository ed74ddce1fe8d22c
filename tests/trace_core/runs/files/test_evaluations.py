"""A run as observability tools take it: an evaluation for each metric and span, under the spans' own ids."""

import json
from pathlib import Path

from run_examples import exported as text_of
from run_examples import failed, labeled

from trace_core.datasets import read_dataset
from trace_core.pipeline import complete
from trace_core.runs.files.exported import from_records
from trace_core.runs.files.row_records import to_record

TRACES = Path(__file__).parents[2] / "datasets" / "traces"
BLOCK = {"id": "r", "name": "n", "created_at": "2026-01-01T00:00:00Z", "config": {"convention": "trace"}}


def exported(kind, records):
    return [json.loads(line) for line in text_of(from_records(records, BLOCK), kind).splitlines()]


def spans(records):
    return [
        {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}
        | {"ids": (span["traceId"], span["spanId"])}
        for line in exported("openinference", records)
        for span in line["resourceSpans"][0]["scopeSpans"][0]["spans"]
    ]


def traced():
    (item,) = read_dataset(TRACES / "openinference-collector.jsonl").items
    record = to_record(item, "1")
    record.labels = labeled("x").labels
    return complete(record, None)


def test_each_span_has_the_evaluations_of_what_it_did():
    chain, retriever = spans([labeled("1")])
    assert [chain[f"evaluations.{i}.evaluation.name"] for i in range(3)] == [
        "context_utilization",
        "completeness",
        "adherence",
    ]
    assert retriever["evaluations.0.evaluation.name"] == "context_relevance"
    assert retriever["evaluations.0.evaluation.score"] == 0.1
    assert chain["evaluations.2.evaluation.score"] == 0
    assert "no support for sentence b, “Birds sing”" in chain["evaluations.2.evaluation.explanation"]
    (event,) = exported("openinference", [labeled("1")])[0]["resourceSpans"][0]["scopeSpans"][0]["spans"][1]["events"]
    assert event["name"] == "gen_ai.evaluation.result"
    names = {attribute["key"].removeprefix("gen_ai.evaluation.") for attribute in event["attributes"]}
    assert names == {"name", "score.value", "explanation"}


def test_spans_keep_the_ids_of_the_trace_that_they_came_from():
    trace = "5b8efff798038103d269b633813fc60c"
    assert [span["ids"] for span in spans([traced()])] == [(trace, "a1"), (trace, "a2")]


def test_what_is_written_for_openinference_is_read_as_the_same_rows(tmp_path):
    records = [labeled("1"), failed("2"), traced()]
    path = tmp_path / "spans.jsonl"
    path.write_text(text_of(from_records(records, BLOCK), "openinference"), encoding="utf-8")
    for record, item in zip(records, read_dataset(path).items, strict=True):
        assert item.question == record.question
        assert item.documents == [document.text for document in record.documents]
        assert item.response == (record.response.text if record.response else None)


def test_langfuse_gets_a_score_a_metric_with_the_explanation_as_comment():
    (line,) = exported("langfuse", [traced()])
    bodies = {event["body"]["name"]: event["body"] for event in line["batch"]}
    assert {event["type"] for event in line["batch"]} == {"score-create"}
    assert bodies["context_relevance"]["observationId"] == "a2"
    assert bodies["adherence"]["traceId"] == "5b8efff798038103d269b633813fc60c"
    assert bodies["adherence"]["dataType"] == "NUMERIC"
    assert bodies["adherence"]["comment"]


def test_langfuse_gets_a_trace_it_lacks_and_no_score_for_the_undefined():
    (line,) = exported("langfuse", [failed("1")])
    assert [event["type"] for event in line["batch"]] == ["trace-create"]
    assert line["batch"][0]["body"]["input"] == failed("1").question
