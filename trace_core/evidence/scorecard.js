// Draws the scores of a record, or the means of many: a verdict where there is one, a card for each metric,
// balance and consistency. Text nodes only.

const MARKS = { good: "✓", warn: "◐", bad: "✗", unknown: "?" };

function node(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function line(className, text) {
  return text ? [node("p", className, text)] : [];
}

function verdictOf(verdict) {
  const line = node("p", `verdict ${verdict.tone}`);
  const mark = node("span", "mark", MARKS[verdict.tone]);
  mark.setAttribute("aria-hidden", "true");
  line.append(mark, node("span", "", verdict.text));
  return line;
}

function meterOf(metric) {
  const meter = node("div", metric.reached ? "meter reached" : "meter");
  meter.setAttribute("aria-hidden", "true");
  const bar = node("span", "bar");
  bar.style.width = `${(metric.value ?? 0) * 100}%`;
  const target = node("span", "target");
  target.style.left = `${metric.target * 100}%`;
  meter.append(bar, target);
  return meter;
}

function cardOf(metric) {
  const card = node("section", metric.value === null ? "card undefined" : "card");
  card.setAttribute("aria-label", metric.label);
  card.append(
    node("h3", "label", metric.label),
    node("p", "value", metric.shown),
    meterOf(metric),
    node("p", "filled", metric.reason ?? metric.filled),
    ...line("formula", metric.formula && `= ${metric.formula}`),
    ...line("counts", metric.counts),
    node("p", "question", `${metric.question} Target ${metric.target}.`),
  );
  return card;
}

function derivedOf(derived) {
  const item = node("div", "derived");
  const name = node("dt", "", derived.label);
  const value = node("dd", "", derived.shown);
  if (derived.band) value.append(" ", node("span", `band ${derived.band}`, derived.band));
  const behind = [derived.filled, derived.counts].filter(Boolean).map((text) => node("dd", "counts", text));
  item.append(name, value, ...behind, node("dd", "about", derived.description));
  return item;
}

export function renderScorecard(root, data) {
  const cards = node("div", "cards");
  cards.append(...data.metrics.map(cardOf));
  const derived = node("dl", "deriveds");
  derived.append(...data.derived.map(derivedOf));
  const parts = [...(data.verdict ? [verdictOf(data.verdict)] : []), cards, derived];
  if (data.estimates.length) {
    const shown = data.estimates.map((e) => `${e.label} ${e.shown}`).join(", ");
    parts.push(node("p", "estimates", `Estimated by the labeler, convention RAGBench: ${shown}.`));
  }
  root.classList.add("trace-scorecard");
  root.replaceChildren(...parts);
}

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".trace-scorecard");
  if (!root) {
    root = document.createElement("div");
    parentElement.append(root);
  }
  renderScorecard(root, data);
}
