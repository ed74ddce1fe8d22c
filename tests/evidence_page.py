"""Records for the evidence view, and helpers for its browser tests."""

import pytest
from playwright.sync_api import Locator, Page, expect

from trace_core.evidence import assets, view
from trace_core.facts.labels import Labels, Support
from trace_core.facts.records import Document, Record, Response
from trace_core.facts.sentences import Sentence, letters

HOSTILE = [
    '<script>window.hacked = true</script><img src="x" onerror="window.hacked = true">',
    "costs $x$ and $$\\frac{1}{2}$$, **bold** [link](javascript:window.hacked=true) ]",
    "0a. this is no key",
    "\u202eback to front\u202c مرحبا بالعالم",
    "bell \x07, escape \x1b[31m, line\u2028separator, tab\tand\nnew line",
    "x" * 2000,
    "__proto__ constructor 日本語の文章です 👩‍👩‍👧",
]


# ---- records ------------------------------------------------------------


def sentences(prefix: str, texts: list[str]) -> list[Sentence]:
    return [Sentence(f"{prefix}{letters(i)}", text, None, None) for i, text in enumerate(texts)]


def document(i: int, texts: list[str], **fields: object) -> Document:
    defaults = {"id": f"doc-{i}", "title": f"Document {i}", "rank": i + 1, "text": " ".join(texts)}
    return Document(**{**defaults, **fields}, sentences=sentences(str(i), texts))


def answer(texts: list[str]) -> Response:
    return Response(text=" ".join(texts), sentences=sentences("", texts))


def support(key: str, *keys: str, fully: bool = True, explanation: str | None = None) -> Support:
    return Support(
        response_sentence_key=key, supporting_sentence_keys=list(keys), fully_supported=fully, explanation=explanation
    )


def machine(*, corrected: bool = False) -> Record:
    """A machine's manual. `a` is supported by 0a and 1b, `b` by nothing (or 0b, once corrected), `c` by 2z."""
    tank = ["The tank holds 2 litres.", "It is made of glass.", "Rinse it weekly."]
    pump = ["The pump is loud.", "Two litres are enough for a day."]
    table = [f"Row {i} of the long table says nothing new." for i in range(600)]
    return Record(
        id="machine",
        question="How big is the tank?",
        documents=[document(0, tank, retrieval_score=0.83), document(1, pump), document(2, table)],
        response=answer(["The tank holds two litres.", "It never leaks.", "The table has many rows."]),
        labels=Labels(
            labeler="local",
            overall_supported_explanation="One sentence stands alone.",
            relevance_explanation="The tank is what was asked for.",
            all_relevant_sentence_keys=["0a", "0b", "1b", "2" + letters(400)],
            all_utilized_sentence_keys=["0a", "1b", "2z"],
            sentence_support_information=[
                support("a", "0a", "1b", explanation="0a gives the size."),
                support("b", *(["0b"] if corrected else []), fully=corrected, explanation="Nowhere said."),
                support("c", "2z", "general", fully=False, explanation="It has 600."),
            ],
        ),
    )


def hostile() -> Record:
    keys = [f"0{letters(i)}" for i in range(len(HOSTILE))]
    return Record(
        id="<b>hostile</b>",
        question="?",
        documents=[document(0, HOSTILE, title=HOSTILE[0], id="<i>")],
        response=answer(HOSTILE),
        labels=Labels(
            labeler="local",
            overall_supported_explanation=HOSTILE[0],
            relevance_explanation=HOSTILE[1],
            all_relevant_sentence_keys=keys,
            all_utilized_sentence_keys=keys,
            sentence_support_information=[
                support(letters(i), *keys, explanation=text) for i, text in enumerate(HOSTILE)
            ],
        ),
    )


def empty() -> Record:
    return Record(id="empty", question="?")


RECORDS = {"machine": machine, "corrected": lambda: machine(corrected=True), "hostile": hostile, "empty": empty}


# ---- a page with an evidence view ------------------------------------------------------------


def opened(page: Page, app: str, name: str) -> Page:
    page.goto(f"{app}/?record={name}")
    expect(page.locator(".trace-evidence .column")).to_have_count(2)
    return page


DRAW = """async ([css, js, views]) => {
    document.body.replaceChildren();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css + ' body { background: light-dark(white, #14161b); color-scheme: light dark }');
    document.adoptedStyleSheets = [sheet];
    const { render } = await import(URL.createObjectURL(new Blob([js], { type: 'text/javascript' })));
    const started = performance.now();
    for (const view of views) {
        const root = document.body.appendChild(document.createElement('div'));
        render(root, view);
        render(root, view);
        root.getBoundingClientRect();
    }
    return performance.now() - started;
}"""


def draw(page: Page, *records: Record) -> float:
    """Draw the records' views on a page without Streamlit, each twice; returns the time in milliseconds."""
    took: float = page.evaluate(DRAW, [*assets(), [view(record) for record in records]])
    return took


def sentence(page: Page, key: str) -> Locator:
    return page.locator(f'.sentence[data-key="{key}"]')


def filter_button(page: Page, name: str) -> Locator:
    row = page.get_by_role("group", name="Show document sentences")
    return row.get_by_role("button", name=name)


def lit(page: Page) -> list[str | None]:
    return [item.get_attribute("data-key") for item in page.locator(".sentence.lit").all()]


def shown(page: Page) -> list[str | None]:
    return [item.get_attribute("data-key") for item in page.locator(".documents .sentence:visible").all()]


def focused(page: Page) -> str | None:
    """The key or the text of the focused element, including inside the component's shadow root."""
    return page.evaluate("""() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at?.dataset.key ?? at?.dataset.filter ?? at?.textContent;
    }""")


def tab_to(page: Page, wanted: str) -> None:
    for _ in range(90):
        if focused(page) == wanted:
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab never reached {wanted}")


def page_scrolls(page: Page) -> list[int]:
    """Scroll positions of everything around the component."""
    return page.locator(".trace-evidence").evaluate("""view => {
        const tops = [];
        let at = view;
        while ((at = at.parentNode ?? at.host)) tops.push(at.scrollTop ?? 0);
        return tops;
    }""")


FAINTEST = """view => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const paint = (colors) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const backgrounds = (at) => {
        if (at === document) return ['white'];
        if (at.host) return backgrounds(at.host);
        return [...backgrounds(at.parentNode), getComputedStyle(at).backgroundColor];
    };
    const light = (rgb) => rgb
        .map((c) => c / 255)
        .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const contrast = (element) => {
        const behind = backgrounds(element);
        const [a, b] = [light(paint(behind)), light(paint([...behind, getComputedStyle(element).color]))];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    return [...view.querySelectorAll('*')]
        .filter((x) => !x.closest('.unseen') && x.getClientRects().length)
        .filter((x) => [...x.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
        .map((x) => [contrast(x), x.className, x.textContent.slice(0, 40)])
        .sort((a, b) => a[0] - b[0])[0];
}"""


def faintest(page: Page) -> list:
    """The text with the lowest contrast: its contrast, and the text."""
    page.wait_for_timeout(300)
    return page.locator(".trace-evidence").evaluate(FAINTEST)
