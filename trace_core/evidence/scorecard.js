// Draws the scores of a record, or the means of many, in one row: the verdict with balance and trust where there is one,
// a card for each metric; and how they are computed, on a click or, where that has its own place, there. Text nodes only.

const BARS = {
  good: "Green: the target is reached",
  warn: "Orange: too low",
  bad: "Red: the fault is here",
  grey: "Grey: a count, not judged",
  "": "Grey: not judged",
};
const COLOURS =
  "Green reaches its target, orange is too low, red is where the fault is, grey is not judged or not sure; " +
  "the line on a bar is its target.";
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

/** The verdict; below it balance, and how far its labeler can be trusted, as a way to the page that shows it. */
function verdictOf({ verdict, derived, trust }, onTrust) {
  const box = node("div", `verdict ${verdict.tone}`);
  const mark = node("span", "mark", MARKS[verdict.tone]);
  mark.setAttribute("aria-hidden", "true");
  const text = node("div", "");
  const aside = node("div", "aside");
  aside.append(deriveds(derived));
  if (trust) {
    const chip = node("button", "trust", trust);
    chip.type = "button";
    chip.onclick = onTrust;
    aside.append(chip);
  }
  text.append(node("p", "said", verdict.text), aside);
  box.append(mark, text);
  return box;
}

function deriveds(all) {
  const list = node("dl", "deriveds");
  list.append(...all.filter((each) => each.main).map(derivedOf));
  return list;
}

function meterOf(metric) {
  const meter = node("div", `meter ${metric.tone}`);
  meter.setAttribute("aria-hidden", "true");
  meter.title = BARS[metric.tone];
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

function cardOf(metric) {
  const card = node("section", `card ${metric.value === null ? "undefined" : metric.tone}`);
  card.setAttribute("aria-label", metric.label);
  const head = node("div", "head");
  head.append(node("h3", "label", metric.label), node("p", "value", metric.shown));
  card.append(head, meterOf(metric), node("p", "filled", metric.reason ?? metric.filled), ...line("counts", metric.counts));
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
  behind.append(node("summary", "", "How these are computed"), ...line("convention", data.convention), list, ...line("convention", COLOURS));
  return behind;
}

/** `data.part` is "row" without how they are computed, or "behind" for that alone. */
export function renderScorecard(root, data, onTrust = () => {}) {
  const open = root.querySelector(".behind")?.open ?? data.part === "behind"; // drawing again leaves it as it was
  const cards = node("div", data.verdict ? "cards judged" : "cards");
  cards.append(...(data.verdict ? [verdictOf(data, onTrust)] : []), ...data.metrics.map(cardOf));
  const foot = node("div", "foot");
  foot.append(...(data.verdict ? [] : [deriveds(data.derived)]), behindOf(data, open));
  root.classList.add("trace-scorecard");
  root.replaceChildren(...(data.part === "behind" ? [] : [cards]), ...(data.part === "row" ? [] : [foot]));
}

export default function ({ data: [data], parentElement, setTriggerValue }) {
  let root = parentElement.querySelector(".trace-scorecard");
  if (!root) {
    root = document.createElement("div");
    parentElement.append(root);
  }
  renderScorecard(root, data, () => setTriggerValue("trust", true));
}
