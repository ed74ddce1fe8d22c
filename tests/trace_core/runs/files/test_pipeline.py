"""What a pipeline shows of a run: test results and a summary."""

import io
from xml.etree import ElementTree

from run_examples import failed, labeled

from trace_core.runs.analyse.compare import compare_runs
from trace_core.runs.files.exported import comparable, from_records
from trace_core.runs.files.pipeline import Gates, write_junit, write_summary

BLOCK = {"id": "r", "name": "nightly", "created_at": "now", "config": {"convention": "trace", "labeler": "local"}}
RECORDS = [labeled("1"), labeled("2", second=True), failed("3")]  # not grounded, grounded, failed


def junit(records=RECORDS, gates=None):
    out = io.StringIO()
    write_junit(from_records(records, BLOCK), out, gates)
    return ElementTree.fromstring(out.getvalue())


def summary(records=RECORDS, block=BLOCK, **more):
    out = io.StringIO()
    write_summary(from_records(records, block), out, **more)
    return out.getvalue()


def test_a_record_is_a_test_that_passes_fails_with_the_sentence_or_is_an_error():
    cases, suite = junit().findall(".//testcase"), junit().find("testsuite")
    assert [[child.tag for child in case] for case in cases] == [["failure"], [], ["error"]]
    assert [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["3", "1", "1", "0"]
    assert "the local model finds no support for sentence b" in junit().find(".//failure").get("message")


def test_with_gates_a_record_fails_below_them_and_each_gate_is_a_test():
    cases = junit(gates=Gates({"completeness": 0.1, "adherence": 0.9}, share=0.6)).findall(".//testcase")
    assert cases[0].find("failure").get("message").startswith("adherence is 0.00, below 0.9.")
    assert cases[-2].find("failure") is None
    assert cases[-1].find("failure").get("message") == "mean adherence is 0.5000, below 0.9"


def test_texts_that_xml_cannot_hold_break_nothing():
    assert "\ufffd" in junit([labeled("1", question="\x00<&>\"'")]).find(".//testcase").get("name")


def test_a_summary_has_the_grounded_the_reason_it_stopped_and_the_metrics():
    reason = "Stopped after 10 of 300: the judge does not accept the key (401)."
    text = summary(block=BLOCK | {"reason": reason}, gates=Gates({"adherence": 0.9}))
    assert "**1 of 2 answers are grounded.**" in text
    assert f"⚠️ {reason}" in text.replace("\\", "")
    assert "| Adherence | 0.500 |" in text
    assert "labels: local model." in text
    assert "❌ 0.9" in text
    assert text.count("\n| ") == 6


def test_failed_and_left_out_rows_count_for_a_gate():
    block = BLOCK | {"config": BLOCK["config"] | {"left_out": 1}}
    text = summary([labeled("1", second=True), failed("2")], block, gates=Gates({"adherence": 0.9}))
    assert "❌ adherence is known for 1 of 3 rows (33%)" in text.replace("\\", "")
    assert "| 1 of 3 rows | ❌ 0.9 |" in text


def test_a_summary_says_what_got_worse_than_the_baseline():
    records = [labeled("1"), labeled("2", second=True)]
    before = from_records([labeled("1", second=True), records[1]], BLOCK)
    text = summary(records, against=compare_runs(comparable(before), comparable(from_records(records, BLOCK))))
    assert "Against the baseline" in text
    assert "adherence -1.00" in text


def test_a_question_is_no_markdown_and_no_html():
    text = summary([labeled("1", question="# <script>alert(1)</script> | @all")])
    assert "<script>" not in text
    assert "\\@all" in text
