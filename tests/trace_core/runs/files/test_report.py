"""The HTML report, opened in a real browser as a file: it draws everything, runs nothing else, and asks for nothing."""

import json
import re

import pytest
from evidence_page import HOSTILE, document, support
from evidence_page import answer as answer_of
from lxml import html
from playwright.sync_api import expect
from run_examples import exported, failed, labeled

from trace_core.diagnosis.rescoring import rescore
from trace_core.runs.files.exported import from_records
from trace_core.runs.files.report import MOST_RECORDS

BREAKOUT = "</script><script>window.hacked = true</script><!--"
BLOCK = {
    "id": BREAKOUT,
    "name": f'"{BREAKOUT}<img src=x onerror="window.hacked=true">',
    "created_at": "2024-01-01",
    "config": {"convention": "trace", "labeler": BREAKOUT},
}


def hostile():
    texts = [*HOSTILE, BREAKOUT]
    record = labeled(BREAKOUT, question=" ".join(texts))
    record.documents, record.response = [document(0, texts, title=BREAKOUT, id=BREAKOUT)], answer_of(texts)
    words = dict.fromkeys(("labeler", "overall_supported_explanation"), BREAKOUT)
    partial = [support("a", "0a", fully=False, explanation=BREAKOUT)]
    record.labels = record.labels.model_copy(update=words | {"sentence_support_information": partial})
    return rescore(record, "trace")


RECORDS = [labeled("1"), labeled("2", second=True), failed("3", BREAKOUT), hostile()]


def write(path, records):
    path.write_text(exported(from_records(records, BLOCK), "html"), encoding="utf-8", newline="\n")
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return write(tmp_path_factory.mktemp("report") / "report.html", RECORDS)


@pytest.fixture
def opened(page, report):
    """The page, and every address that it asked for."""
    page.asked = set()
    page.on("request", lambda request: page.asked.add(request.url))
    page.goto(report.as_uri())
    expect(page.locator("#evidence .trace-evidence")).to_be_visible()
    return page


@pytest.mark.browser
def test_hostile_records_run_no_script_and_nothing_is_fetched(opened, report):
    for button in opened.locator("button.open").all():
        button.click()
        opened.locator("#evidence .sentence").first.hover()
    assert opened.evaluate("window.hacked") is None
    assert opened.asked == {report.as_uri()}
    assert opened.locator("img, iframe, object, link").count() == 0
    assert opened.locator("script").count() == 2


@pytest.mark.browser
def test_a_record_opens_with_its_scores_and_its_evidence(opened):
    opened.get_by_role("button", name="2", exact=True).click()
    expect(opened.locator("#question")).to_have_text("What of 2?")
    expect(opened.locator("#scores .card .value").nth(3)).to_have_text("1.00")
    opened.locator("#evidence .answer .sentence").first.click()
    expect(opened.locator('#evidence .documents .sentence[data-key="0a"]')).to_have_class(re.compile("lit"))


def test_the_charts_show_what_the_records_hold(report):
    page = html.document_fromstring(report.read_text(encoding="utf-8"))
    [bars] = page.xpath("//table[@aria-label='Adherence: records by score']")
    # 0 for the first; 1 for the second; the hostile one fails with its partial sentence; the failed one has none
    assert [bars.xpath(".//tr")[place].xpath("string(td[@class='number'])") for place in (0, 9)] == ["2", "1"]
    assert len(page.xpath("//figure")) == 6


@pytest.mark.browser
def test_it_fits_a_telephone(opened):
    opened.set_viewport_size({"width": 390, "height": 800})
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    assert opened.locator("#records td:nth-child(2)").first.evaluate("cell => cell.offsetWidth") >= 200  # the question


def test_the_worst_records_are_shown_first_and_the_rest_are_counted(tmp_path):
    good = [labeled(f"good{n}", second=True) for n in range(MOST_RECORDS)]
    text = write(tmp_path / "r.html", [*good, labeled("bad")]).read_text(encoding="utf-8")
    assert f"{MOST_RECORDS} of {MOST_RECORDS + 1} records, the worst first." in text
    held = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])
    assert held["records"][0]["question"] == "What of bad?"


def test_the_same_run_gives_the_same_bytes(tmp_path, report):
    assert write(tmp_path / "again.html", RECORDS).read_bytes() == report.read_bytes()
    assert "3 scored, 0 undefined, 1 failed" in report.read_text(encoding="utf-8")
