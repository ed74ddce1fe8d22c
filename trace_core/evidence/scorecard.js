// Draws the scores of a record, or the means of many: a verdict where there is one, a card for each metric,
// balance in one line, and how they are computed on a click. Text nodes only.

const MARKS = { good: "✓", warn: "◐", bad: "✗", neutral: "○", unknown: "?" };

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
  const meter = node("div", `meter ${metric.tone}`);
  meter.setAttribute("aria-hidden", "true");
  const bar = node("span", "bar");
  bar.style.width = `${(metric.value ?? 0) * 100}%`;
  meter.append(bar);
  if (metric.target !== null) {
    const target = node("span", "target");
    target.style.left = `${metric.target * 100}%`;
    target.append(node("span", "goal", `target ${metric.target}`));
    meter.append(target);
  }
  return meter;
}

/** A metric's card; that of adherence may say how far its labeler can be trusted, as a way to the page that shows it. */
function cardOf(metric, trust, onTrust) {
  const card = node("section", `card ${metric.value === null ? "undefined" : metric.tone}`);
  card.setAttribute("aria-label", metric.label);
  const head = node("div", "head");
  head.append(node("h3", "label", metric.label), node("p", "value", metric.shown));
  card.append(head, meterOf(metric), node("p", "filled", metric.reason ?? metric.filled), ...line("counts", metric.counts));
  if (trust) {
    const chip = node("button", "trust", trust);
    chip.type = "button";
    chip.onclick = onTrust;
    card.append(chip);
  }
  return card;
}

function derivedOf(derived) {
  const item = node("div", "derived");
  const value = node("dd", "", derived.shown);
  if (derived.band) value.append(" ", node("span", "band", derived.band));
  const behind = [derived.filled, derived.counts].filter(Boolean).map((text) => node("dd", "counts", text));
  item.append(node("dt", "", derived.label), value, ...behind);
  return item;
}

/** What is read once, or when a number surprises: formulas, questions, average and consistency. */
function behindOf(data, open) {
  const behind = node("details", "behind");
  behind.open = open;
  const list = node("dl", "");
  for (const metric of data.metrics) {
    list.append(node("dt", "", metric.label));
    const steps = metric.substitution ? [`= ${metric.substitution}`, `= ${metric.value === null ? metric.shown : metric.value.toFixed(2)}`] : [];
    for (const step of metric.rule ? [metric.rule, ...steps] : []) list.append(node("dd", "formula", step));
    list.append(node("dd", "question", metric.target === null ? metric.question : `${metric.question} Target ${metric.target}.`));
  }
  for (const derived of data.derived) {
    list.append(node("dt", "", derived.label), node("dd", "formula", derived.shown), node("dd", "about", derived.description));
  }
  behind.append(node("summary", "", "How these are computed"), ...line("convention", data.convention), list);
  return behind;
}

export function renderScorecard(root, data, onTrust = () => {}) {
  const open = root.querySelector(".behind")?.open ?? false; // drawing again leaves it as it was
  const cards = node("div", "cards");
  const last = data.metrics.length - 1;
  cards.append(...data.metrics.map((metric, i) => cardOf(metric, i === last && data.trust, onTrust)));
  const derived = node("dl", "deriveds");
  derived.append(...data.derived.filter((each) => each.main).map(derivedOf));
  const foot = node("div", "foot");
  foot.append(derived, behindOf(data, open));
  root.classList.add("trace-scorecard");
  root.replaceChildren(...(data.verdict ? [verdictOf(data.verdict)] : []), cards, foot);
}

export default function ({ data, parentElement, setTriggerValue }) {
  let root = parentElement.querySelector(".trace-scorecard");
  if (!root) {
    root = document.createElement("div");
    parentElement.append(root);
  }
  renderScorecard(root, data, () => setTriggerValue("trust", true));
}
