// How the evidence view behaves: answer sentences on one side, document sentences on the other, and
// pointing at one lights up what it is tied to. Without dependencies and without a build: `nodes.js`
// stands before this file in one module, which a Streamlit component (the default export) and a
// static report (`render`) both load.

const BATCH = 200; // sentences that one click on a collapsed run opens
const SHORT_RUN = 4; // runs up to this length are not worth collapsing
const MOST_SHOWN = 400; // sentences that one document shows unasked
const UNLABELED_LEAD = 20; // without labels nothing stands out: the start of each document is shown
const DWELL = 120; // milliseconds before the other side scrolls, so that passing over moves nothing

const views = new WeakMap(); // one view a parent element: drawing again updates it
let made = 0; // numbers the views, for ids that stay unique on a page with many

export default function ({ data: [data], parentElement, setStateValue, setTriggerValue }) {
  const onPick = (key) => setTriggerValue("picked", key);
  const onMeasure = () => setTriggerValue("measure", true);
  render(parentElement, data, onPick, (draft) => setStateValue("draft", draft), onMeasure);
  return () => {
    views.get(parentElement)?.element.remove();
    views.delete(parentElement);
  };
}

/** Draw `data`, made by `trace_core.evidence.view`, into `root`, or update what is drawn there. */
export function render(root, data, onPick = () => {}, onDraft = () => {}, onMeasure = () => {}) {
  if (!data) return;
  if (!views.has(root)) {
    const view = new EvidenceView();
    views.set(root, view);
    root.append(view.element);
  }
  views.get(root).update(data, { onPick, onDraft, onMeasure });
}

class EvidenceView {
  constructor() {
    this.id = `trace-evidence-${++made}`;
    this.element = make("section", "trace-evidence");
    this.draft = new Draft();
    this.controls = make("div", "correct");
    this.element.setAttribute("aria-label", "Evidence");
    this.listen();
    new ResizeObserver(() => requestAnimationFrame(() => this.place())).observe(this.element);
  }

  // ---- data -----------------------------------------------------------------------------------

  /** The same data again (a rerun, another theme) leaves everything as it is. */
  update(data, handlers) {
    Object.assign(this, handlers);
    const written = JSON.stringify(data);
    if (written === this.written) return;
    const sameRecord = this.data?.record === data.record;
    Object.assign(this, { data, written });
    this.index();
    this.keepState(sameRecord);
    this.draft.take(data.correcting);
    this.keepFocus(() => {
      this.keepScroll(sameRecord, () => this.build());
      this.select();
    });
  }

  index() {
    this.sentences = new Map(this.data.response.map((sentence) => [sentence.key, sentence]));
    this.places = new Map(); // document sentence key → [document, position]
    this.data.documents.forEach((document, d) =>
      document.sentences.forEach((sentence, s) => {
        this.sentences.set(sentence.key, sentence);
        this.places.set(sentence.key, [d, s]);
      }),
    );
  }

  /** The same record (a label was corrected) keeps pin, filter and opened runs; another starts afresh. */
  keepState(sameRecord) {
    const opened = sameRecord ? this.opened : [];
    this.opened = this.data.documents.map((_, d) => opened[d] ?? new Set());
    this.revealed = this.data.documents.map(() => new Set());
    if (!sameRecord || this.data.counts.documents[this.filter] === null) this.filter = "total";
    if (!sameRecord || !this.sentences.has(this.pinned)) this.pinned = null;
    this.hovered = this.focused = null;
  }

  // ---- building -------------------------------------------------------------------------------

  build() {
    const { response, documents, counts } = this.data;
    const answers = response.map((sentence) => answerItem(sentence, `${this.id}-${sentence.key}`));
    const answer = answers.length ? make("ol", "sentences", answers) : make("p", "quiet", "There is no answer.");
    this.answerPane = group("pane", "Answer sentences", [answer]);
    this.detail = make("div", "detail");
    const reference = this.data.reference ? [referenceBlock(this.data.reference)] : [];
    this.answer = column("answer", "Answer", statusCounts(counts.response), [this.answerPane, ...reference, this.detail]);

    this.filters = FILTERS.map((filter) => filterButton(filter, counts.documents));
    this.lists = documents.map(() => make("ol", "sentences"));
    this.articles = documents.map((document, d) => article({ number: d, ...document }, this.lists[d]));
    this.empty = make("p", "quiet");
    this.documentPane = group("pane", "Document sentences", [...this.articles, this.empty]);

    const aside = [group("filters", "Show document sentences", this.filters), ...(this.data.measurable ? [measureButton()] : [])];
    this.live = make("p", "unseen");
    this.live.setAttribute("role", "status");
    this.element.replaceChildren(
      make("div", "columns", [
        this.answer,
        column("documents", "Documents", make("div", "aside", aside), [this.documentPane]),
      ]),
      footer(this.data),
      ...(this.data.labels ? [this.json(this.data.labels)] : []),
      this.live,
    );
    this.element.classList.toggle("bare", this.sentences.size === 0);
    this.fillAll();
    rove(this.answerPane);
  }

  /** Opened or closed by hand, it stays so. */
  json(labels) {
    const shown = labelJson(labels, this.sentences);
    shown.open = this.jsonOpen ?? false;
    shown.ontoggle = () => (this.jsonOpen = shown.open);
    return shown;
  }

  // ---- documents: what is shown, what is collapsed ----------------------------------------------

  fillAll() {
    for (const button of this.filters) press(button, button.dataset.filter === this.filter);
    this.data.documents.forEach((_, d) => this.fill(d));
    const which = this.filter === "total" ? "" : `${this.filter} `;
    this.empty.textContent = this.data.documents.length ? `No ${which}sentences.` : "There are no documents.";
    this.empty.hidden = this.articles.some((article) => !article.hidden);
    rove(this.documentPane);
  }

  /** Draw one document: the sentences shown, and a button for each run of the others. */
  fill(d) {
    const { sentences } = this.data.documents[d];
    const shown = this.shown(d);
    const items = [];
    for (let s = 0; s < sentences.length; s++) {
      if (shown[s]) {
        items.push(documentItem(sentences[s], this.data.looks[sentences[s].status]));
        continue;
      }
      const end = endOfRun(shown, s);
      items.push(runItem({ document: d, from: s, length: end - s }, end - s === sentences.length));
      s = end - 1;
    }
    this.lists[d].replaceChildren(...items);
    this.articles[d].hidden = this.filter !== "total" && !shown.includes(true);
  }

  shown(d) {
    let left = MOST_SHOWN;
    const shown = this.data.documents[d].sentences.map((sentence, s) => this.wants(sentence, s) && left-- > 0);
    if (this.filter === "total") showShortRuns(shown);
    for (const s of [...this.opened[d], ...this.revealed[d]]) shown[s] = true;
    return shown;
  }

  wants(sentence, s) {
    if (this.filter !== "total") return sentence[this.filter];
    if (sentence.status === "unlabeled") return s < UNLABELED_LEAD;
    return sentence.relevant || sentence.utilized || sentence.used_by.length > 0 || sentence.nearest;
  }

  open(run) {
    const [d, from, length] = [run.document, run.from, run.length].map(Number);
    for (let s = from; s < from + Math.min(length, BATCH); s++) this.opened[d].add(s);
    this.fill(d);
    this.mark();
    this.find(this.data.documents[d].sentences[from].key).focus();
  }

  /** Sentences that are collapsed or filtered away are shown for as long as they are lit. */
  reveal(lit) {
    const revealed = this.data.documents.map(() => new Set());
    for (const key of lit) {
      const [d, s] = this.places.get(key) ?? [];
      if (d !== undefined && (this.revealed[d].has(s) || !this.find(key))) revealed[d].add(s);
    }
    const before = this.revealed;
    this.revealed = revealed;
    const changed = revealed.flatMap((now, d) => (String([...now]) === String([...before[d]]) ? [] : [d]));
    if (!changed.length) return;
    this.keepFocus(() => changed.forEach((d) => this.fill(d)));
    rove(this.documentPane);
  }

  filterBy(name) {
    this.filter = name;
    this.fillAll();
    this.select();
  }

  // ---- selection --------------------------------------------------------------------------------

  /** What is pinned outlasts what is pointed at, and that what has the focus. */
  get selected() {
    return this.pinned ?? this.hovered ?? this.focused;
  }

  select() {
    const sentence = this.sentences.get(this.selected);
    const lit = ties(sentence);
    this.reveal(this.pinned === null ? lit : [...lit, this.pinned]);
    this.mark();
    this.explain(sentence);
    clearTimeout(this.scrolling);
    this.scrolling = setTimeout(() => this.scrollTo(lit), DWELL);
  }

  mark() {
    const key = this.selected;
    const lit = new Set(ties(this.sentences.get(key)));
    this.element.classList.toggle("selecting", key !== null);
    for (const item of this.element.querySelectorAll(".sentence")) {
      item.classList.toggle("lit", lit.has(item.dataset.key));
      item.classList.toggle("active", item.dataset.key === key);
      press(item, item.dataset.key === this.pinned);
    }
    this.place();
  }

  /** The reason stands below the answer; where the columns are stacked, under the pinned sentence, as controls do. */
  place() {
    if (!this.answer) return;
    const item = this.find(this.pinned);
    if (item?.nextSibling !== this.controls) item?.after(this.controls); // to move them takes their focus away
    const stacked = getComputedStyle(this.answer.parentElement).flexDirection === "column";
    const pinned = stacked && this.pinned !== null && this.find(this.pinned);
    const home = pinned ? pinned.parentElement : this.answer;
    if (this.detail.parentElement !== home) home.append(this.detail);
  }

  explain(sentence) {
    this.control();
    this.detail.scrollTop = 0;
    if (!sentence) {
      this.detail.replaceChildren(...aboutNothing(this.named));
      this.live.textContent = "";
      return;
    }
    const look = sentence.supports ? sentence : this.data.looks[sentence.status];
    const reason = sentence.supports ? sentence.explanation : this.data.relevance_explanation;
    const quoted = ties(sentence).map((key) => this.sentences.get(key));
    const { author } = this.named;
    this.detail.replaceChildren(...about(sentence, look, { pinned: this.pinned !== null, reason, author, quoted }));
    this.live.textContent = `Sentence ${sentence.key}: ${look.word}. ${tied(sentence)}`;
  }

  /** The data with the labeler's name as it begins a line. */
  get named() {
    const { author } = this.data;
    return { ...this.data, author: author.charAt(0).toUpperCase() + author.slice(1) };
  }

  /** The pinned sentence's labels, to be corrected. */
  control() {
    const sentence = this.sentences.get(this.pinned);
    if (!sentence || !this.data.correcting) return this.controls.remove();
    const say = (...change) => this.onDraft(this.draft.say(...change));
    this.controls.replaceChildren(...controls(sentence, this.data, this.draft, say));
  }

  pin(key) {
    this.pinned = this.pinned === key ? null : key;
    this.select();
    if (this.pinned !== null) this.onPick(this.pinned);
  }

  // ---- events: a few listeners on the root serve every sentence ----------------------------------

  listen() {
    const on = (name, handler) => this.element.addEventListener(name, handler);
    on("pointerover", (event) => event.pointerType !== "touch" && this.point("hovered", event.target));
    on("pointerleave", () => this.point("hovered", null));
    on("focusin", ({ target }) => this.focus(target));
    on("focusout", () => this.point("focused", null));
    on("pointerdown", ({ clientX, clientY }) => (this.pressedAt = [clientX, clientY]));
    on("click", (event) => this.click(event));
    on("keydown", (event) => this.type(event));
  }

  point(how, target) {
    const before = this.selected;
    this[how] = target?.closest(".sentence")?.dataset.key ?? null;
    if (this.selected !== before) this.select();
  }

  focus(target) {
    if (target.matches(".item")) makeTabStop(target);
    this.point("focused", target.matches(":focus-visible") ? target : null);
  }

  click(event) {
    const target = event.target.closest(".filter, .run, .sentence, .jump, .measure");
    if (!target) return;
    if (target.matches(".jump")) return this.jump(target.dataset.to);
    if (target.matches(".measure")) return this.onMeasure();
    if (target.matches(".filter")) this.filterBy(target.dataset.filter);
    else if (target.matches(".run")) this.open(target.dataset);
    else if (!this.dragged(event)) this.pin(target.dataset.key);
  }

  /** From a key in the JSON to its sentence. */
  jump(key) {
    if (this.pinned !== key) this.pin(key);
    const item = this.find(key);
    item?.scrollIntoView({ block: "center" });
    item?.focus({ preventScroll: true });
  }

  /** Dragging over a sentence selects its text, for copying: no click. */
  dragged({ detail, clientX, clientY }) {
    const [x, y] = this.pressedAt ?? [clientX, clientY];
    return detail > 0 && Math.hypot(clientX - x, clientY - y) > 4;
  }

  type(event) {
    const act = event.altKey || event.ctrlKey || event.metaKey ? null : this.meant(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation(); // the page has shortcuts of its own
    act();
  }

  meant({ key, target }) {
    const item = target.closest(".item");
    if (key === "Escape") return this.pinned !== null && (() => this.pin(this.pinned));
    if (target.matches("select, input")) return null;
    if (item?.matches(".sentence") && ["Enter", " "].includes(key)) return () => this.pin(item.dataset.key);
    const next = item && this.step(item, key);
    return next ? () => next.focus() : this.labeling(key, item?.dataset.key ?? this.pinned);
  }

  /** A key for each label of the sentence that has the focus, or is pinned. */
  labeling(key, sentence) {
    const name = LABEL_KEYS[key.toLowerCase()];
    if (!name || !this.data.correcting || !this.sentences.has(sentence)) return null;
    if (LISTS.includes(name) === Boolean(this.sentences.get(sentence).supports)) return null;
    return () => {
      if (this.pinned !== sentence) this.pin(sentence);
      this.controls.querySelector(`[data-control="${name}"]`)?.click();
    };
  }

  /** Up and down within a pane; right to the evidence, left to the answer. */
  step(item, key) {
    const items = [...item.closest(".pane").querySelectorAll(".item")];
    const at = items.indexOf(item);
    const within = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
    const across = { ArrowRight: this.documentPane, ArrowLeft: this.answerPane };
    return across[key] ? across[key].querySelector(".lit.item") : items[within[key]];
  }

  // ---- keeping one's place ------------------------------------------------------------------------

  find(key) {
    return key === null ? null : this.element.querySelector(`.sentence[data-key="${CSS.escape(key)}"]`);
  }

  keepFocus(change) {
    const focused = this.element.getRootNode().activeElement?.closest(".sentence, [data-control]");
    change();
    if (!focused || (focused.isConnected && this.element.getRootNode().activeElement === focused)) return;
    const { control, key } = focused.dataset;
    const now = control ? this.controls.querySelector(`[data-control="${CSS.escape(control)}"]`) : this.find(key);
    (now ?? this.find(this.pinned))?.focus({ preventScroll: true });
  }

  keepScroll(wanted, change) {
    const before = wanted ? [this.answerPane.scrollTop, this.documentPane.scrollTop] : [0, 0];
    change();
    [this.answerPane.scrollTop, this.documentPane.scrollTop] = before;
  }

  /** Bring the first of the lit sentences into view inside its pane; the page itself stays put. */
  scrollTo(lit) {
    const first = lit.map((key) => this.find(key)).find(Boolean);
    if (!first) return;
    const pane = first.closest(".pane");
    const [outer, inner] = [pane.getBoundingClientRect(), first.getBoundingClientRect()];
    if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    pane.scrollTo({ top: pane.scrollTop + inner.top - outer.top - outer.height / 4, behavior: calm ? "auto" : "smooth" });
  }
}

function press(button, is) {
  button.setAttribute("aria-pressed", String(is));
}

/** Exactly one item of a pane is in the tab order; arrow keys reach the others. */
function rove(pane) {
  if (!pane.querySelector('.item[tabindex="0"]')) pane.querySelector(".item")?.setAttribute("tabindex", "0");
}

function makeTabStop(item) {
  for (const other of item.closest(".pane").querySelectorAll('.item[tabindex="0"]')) other.tabIndex = -1;
  item.tabIndex = 0;
}

function endOfRun(shown, from) {
  const end = shown.indexOf(true, from);
  return end < 0 ? shown.length : end;
}

function showShortRuns(shown) {
  for (let s = 0; s < shown.length; s++) {
    if (shown[s]) continue;
    const end = endOfRun(shown, s);
    if (end - s <= SHORT_RUN) shown.fill(true, s, end);
    s = end;
  }
}
