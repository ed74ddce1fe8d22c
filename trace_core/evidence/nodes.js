// What the evidence view is made of: one function a part, from data to nodes, without any state.
// Texts come from documents and models: they become text nodes, never markup.

const FILTERS = [
  ["total", "All"],
  ["relevant", "Relevant"],
  ["utilized", "Utilized"],
  ["missed", "Missed"],
];

const MOST_ENTRIES = 200; // of the labels' JSON
const MOST_KEYS = 300; // of one of its lists

/** Text from outside: in its own direction, and isolated, so that it cannot reorder what is beside it. */
function outside(tag, className, text) {
  const element = make(tag, className, text);
  element.dir = "auto";
  return element;
}

/** A sentence's text, with the words marked that differ from the sentence it is set against. */
function textOf({ text, pieces }) {
  const shown = outside("span", "text", pieces ? [] : text);
  shown.append(...(pieces ?? []).map(([piece, differs]) => (differs ? make("mark", "differs", piece) : piece)));
  return shown;
}

/** The answer that people expect, with the words marked that the answer lacks. */
function referenceBlock(reference) {
  const words = reference.words ? [make("p", "quiet", reference.words)] : [];
  return make("div", "reference", [make("h4", "title", "Reference answer"), textOf(reference), ...words]);
}

function group(className, label, children) {
  const element = make("div", className, children);
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", label);
  return element;
}

function column(className, title, aside, children) {
  return make("section", `column ${className}`, [make("header", "head", [make("h3", "", title), aside]), ...children]);
}

function look({ status, mark }, words) {
  const shown = make("span", "mark", mark);
  shown.setAttribute("aria-hidden", "true");
  return make("span", `look ${status}`, [shown, words]);
}

function statusCounts(counts) {
  return make("p", "counts", counts.map((each) => look(each, `${each.count} ${each.word}`)));
}

/** A sentence as a button: mark, key and text; below, its status in words and what it is tied to. */
function sentenceItem(sentence, { mark, word }, ties) {
  const shown = make("span", "mark", mark);
  shown.setAttribute("aria-hidden", "true");
  const button = make("div", `sentence item ${sentence.status}`, [
    shown,
    make("span", "key", sentence.key),
    textOf(sentence),
  ]);
  if (mark) button.append(make("span", "meta", [make("span", "word", word), ...ties]));
  button.setAttribute("role", "button");
  button.setAttribute("aria-pressed", "false");
  button.tabIndex = -1;
  button.dataset.key = sentence.key;
  return make("li", "", [button]);
}

function answerItem(sentence, id) {
  const special = sentence.special.map((words) => make("span", "special", words));
  const near = sentence.nearest.length ? [make("span", "special", "nearest"), ...keys(sentence.nearest)] : [];
  const cites = (sentence.cites ?? []).map(({ status, words }) => make("span", `cite ${status}`, words));
  const tied = [...keys([...sentence.supports, ...sentence.against]), ...special, ...near, ...cites];
  const item = sentenceItem(sentence, sentence, tied);
  if (sentence.explanation) {
    const explanation = outside("p", "unseen", sentence.explanation);
    explanation.id = id;
    item.append(explanation);
    item.firstChild.setAttribute("aria-describedby", id);
  }
  return item;
}

function documentItem(sentence, look) {
  const by = sentence.used_by.length ? [make("span", "special", "by"), ...keys(sentence.used_by)] : [];
  const against = sentence.contradicts.length ? [make("span", "special", "contradicts"), ...keys(sentence.contradicts)] : [];
  return sentenceItem(sentence, look, [...by, ...against]);
}

function keys(list) {
  return list.map((key) => make("span", "key", key));
}

/** Sentences that are not shown yet, as a button that opens them. */
function runItem(place, isWholeDocument) {
  const { length } = place;
  const label = `… ${length.toLocaleString("en")} ${isWholeDocument ? "" : "more "}sentence${length > 1 ? "s" : ""}`;
  const button = make("button", "run item", label);
  button.type = "button";
  button.tabIndex = -1;
  Object.assign(button.dataset, place);
  return make("li", "", [button]);
}

function article({ number, title, score, contribution }, list) {
  const name = `Document ${number}`;
  const names = title ? [make("span", "rank", name), outside("h4", "title", title)] : [make("h4", "title", name)];
  const head = make("header", "", names);
  if (contribution) head.append(make("span", "score", `contribution ${contribution}`));
  if (score !== null) head.append(make("span", "score", `score ${score.toFixed(3)}`));
  return make("article", "document", [head, list]);
}

function filterButton([name, label], counts) {
  const count = counts[name];
  const button = make("button", "filter", [`${label} `, make("span", "count", count === null ? "?" : count.toLocaleString("en"))]);
  button.type = "button";
  button.disabled = count === null;
  if (count === null) button.title = "The labels do not say";
  button.dataset.filter = name;
  return button;
}

/** What is known of one sentence: its status, the labeler's reason, and the sentences tied to it. */
function about(sentence, { mark, word }, { pinned, reason, author, quoted }) {
  const head = make("p", "about", [make("span", "key", sentence.key), look({ status: sentence.status, mark }, word)]);
  if (pinned) head.append(make("span", "pin", "pinned"));
  const quotes = quoted.map((each) => make("li", "", [make("span", "key", each.key), textOf(each)]));
  const parts = [head, make("p", "tied", tied(sentence)), make("ul", "quotes", quotes)];
  const who = sentence.supports ? `${author}: ` : `${author} on relevance: `;
  const { correction } = sentence;
  if (reason) parts.splice(2, 0, because(who, reason, correction && "s"));
  if (correction) parts.splice(2, 0, because(`Corrected by ${correction.author}, ${correction.day}${correction.reason ? ": " : "."}`, correction.reason));
  return parts;
}

function aboutNothing({ answer_explanation: explanation, author, response }) {
  const hint = make("p", "quiet", "Choose a sentence to see its evidence.");
  const corrected = response.some((sentence) => sentence.correction);
  return explanation ? [hint, because(`${author} on the whole answer: `, explanation, corrected && "s")] : [hint];
}

/** A reason and whose it is; that of a label which a person has corrected is struck through. */
function because(about, explanation, tag) {
  return make("p", "reason", [make("span", "quiet", about), outside(tag || "span", "said", explanation)]);
}

/** The labels as JSON: each entry has the tint of its status, and each key leads to its sentence. */
function labelJson(labels, sentences) {
  const rows = Object.entries(labels).map(([name, value]) => jsonRow(name, value, sentences));
  const shown = make("details", "labels", [make("summary", "", "Labels (JSON)"), make("div", "json", rows)]);
  return shown;
}

function jsonRow(name, value, sentences) {
  const head = make("span", "name", `"${name}": `);
  if (name === "sentence_support_information" && value) {
    return make("div", "", [head, ...value.slice(0, MOST_ENTRIES).map((entry) => jsonEntry(entry, sentences)), ...more(value)]);
  }
  if (Array.isArray(value)) return make("div", "", [head, ...jsonKeys(value, sentences)]);
  if (value === null || typeof value !== "object") return make("div", "", [head, json(value)]);
  const inner = make("details", "", [make("summary", "", head), json(value)]);
  return make("div", "", inner);
}

function jsonEntry(entry, sentences) {
  const { status } = sentences.get(entry.response_sentence_key) ?? {};
  const fields = Object.entries(entry).flatMap(([name, value], i) => {
    const shown = Array.isArray(value) ? jsonKeys(value, sentences) : sentences.has(value) ? [jump(value)] : [json(value)];
    return [make("span", "name", `${i ? ", " : ""}"${name}": `), ...shown];
  });
  return make("div", `entry ${status ?? ""}`, fields);
}

function jsonKeys(list, sentences) {
  const shown = list.slice(0, MOST_KEYS).flatMap((key, i) => [i ? ", " : "", sentences.has(key) ? jump(key) : json(key)]);
  return ["[", ...shown, list.length > MOST_KEYS ? `, … ${list.length - MOST_KEYS} more` : "", "]"];
}

function more(list) {
  return list.length > MOST_ENTRIES ? [make("div", "quiet", `… ${list.length - MOST_ENTRIES} more entries`)] : [];
}

function jump(key) {
  const button = make("button", "jump", `"${key}"`);
  button.type = "button";
  button.dataset.to = key;
  return button;
}

function json(value) {
  return outside("span", "value", JSON.stringify(value));
}

/** The way to what each document contributes, where the page offers it. */
function measureButton() {
  const button = make("button", "measure", "Contribution");
  button.type = "button";
  button.title = "Measure what each document contributes";
  return button;
}

function footer({ labeler, labeler_version: version, correcting, response }) {
  const who = labeler ? `Labels: ${labeler}${version ? ` (${version})` : ""}` : "Not labeled yet";
  const what = correcting ? "Click a sentence, or press Enter on it, to correct its labels; 1, 2, 3, R and U set them." : "Click or Enter pins a sentence,";
  const words = make("span", "", [make("mark", "differs", "Marked words"), " differ from the nearest sentence on the other side."]);
  const key = response.some((sentence) => sentence.pieces) ? [words] : [];
  return make("footer", "footer", [make("span", "", `${what} Esc lets go.`), ...key, make("span", "", who)]);
}

/** Answer sentences are tied to what supports, contradicts or resembles them, document sentences to what uses or denies them. */
function ties(sentence) {
  if (!sentence) return [];
  const { supports, against, nearest, used_by: users, contradicts } = sentence;
  return supports ? [...supports, ...against, ...nearest] : [...users, ...contradicts];
}

function tied(sentence) {
  const [first, second] = sentence.supports ? ["Supported by", "Contradicted by"] : ["Used by", "Contradicts"];
  const names = [...(sentence.supports ?? sentence.used_by), ...(sentence.special ?? [])];
  const against = sentence.against ?? sentence.contradicts;
  const said = names.length || !against.length ? [`${first}: ${names.join(", ") || "nothing"}.`] : [];
  const near = sentence.nearest?.length ? [`Nearest: ${sentence.nearest.join(", ")}.`] : [];
  return [...said, ...(against.length ? [`${second}: ${against.join(", ")}.`] : []), ...near].join(" ");
}
