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

function line(className, text) {
  return text ? [make("p", className, text)] : [];
}

/** The verdict; below it balance, and how far its labeler can be trusted, as a way to the page that shows it. */
function verdictOf({ verdict, derived, trust }, onTrust) {
  const box = make("div", `verdict ${verdict.tone}`);
  const mark = make("span", "mark", MARKS[verdict.tone]);
  mark.setAttribute("aria-hidden", "true");
  const text = make("div", "");
  const aside = make("div", "aside");
  aside.append(deriveds(derived));
  if (trust) {
    const chip = make("button", "trust", trust);
    chip.type = "button";
    chip.onclick = onTrust;
    aside.append(chip);
  }
  text.append(make("p", "said", verdict.text), aside);
  box.append(mark, text);
  return box;
}

function deriveds(all) {
  const list = make("dl", "deriveds");
  list.append(...all.filter((each) => each.main).map(derivedOf));
  return list;
}

function meterOf(metric) {
  const meter = make("div", `meter ${metric.tone}`);
  meter.setAttribute("aria-hidden", "true");
  meter.title = BARS[metric.tone];
  const bar = make("span", "bar");
  bar.style.width = `${(metric.value ?? 0) * 100}%`;
  meter.append(bar);
  if (metric.target !== null) {
    const target = make("span", "target");
    target.style.left = `${metric.target * 100}%`;
    target.append(make("span", "goal", `target ${metric.target}`));
    meter.append(target);
  }
  return meter;
}

function cardOf(metric) {
  const card = make("section", `card ${metric.value === null ? "undefined" : metric.tone}`);
  card.setAttribute("aria-label", metric.label);
  const head = make("div", "head");
  head.append(make("h3", "label", metric.label), make("p", "value", metric.shown));
  card.append(head, meterOf(metric), make("p", "filled", metric.reason ?? metric.filled), ...line("counts", metric.counts));
  return card;
}

function derivedOf(derived) {
  const item = make("div", "derived");
  const value = make("dd", "", derived.shown);
  if (derived.band) value.append(" ", make("span", "band", derived.band));
  const behind = [derived.filled, derived.counts].filter(Boolean).map((text) => make("dd", "counts", text));
  item.append(make("dt", "", derived.label), value, ...behind);
  return item;
}

/** What is read once, or when a number surprises: formulas, questions, average and consistency. */
function behindOf(data, open) {
  const behind = make("details", "behind");
  behind.open = open;
  const list = make("dl", "");
  for (const metric of data.metrics) {
    list.append(make("dt", "", metric.label));
    const steps = metric.substitution ? [`= ${metric.substitution}`, `= ${metric.value === null ? metric.shown : metric.value.toFixed(2)}`] : [];
    for (const step of metric.rule ? [metric.rule, ...steps] : []) list.append(make("dd", "formula", step));
    list.append(make("dd", "question", metric.target === null ? metric.question : `${metric.question} Target ${metric.target}.`));
  }
  for (const derived of data.derived) {
    list.append(make("dt", "", derived.label), make("dd", "formula", derived.shown), make("dd", "about", derived.description));
  }
  behind.append(make("summary", "", "How these are computed"), ...line("convention", data.convention), list, ...line("convention", COLOURS));
  return behind;
}

/** `data.part` is "row" without how they are computed, or "behind" for that alone. */
export function renderScorecard(root, data, onTrust = () => {}) {
  const open = root.querySelector(".behind")?.open ?? data.part === "behind"; // drawing again leaves it as it was
  const cards = make("div", data.verdict ? "cards judged" : "cards");
  cards.append(...(data.verdict ? [verdictOf(data, onTrust)] : []), ...data.metrics.map(cardOf));
  const foot = make("div", "foot");
  foot.append(...(data.verdict ? [] : [deriveds(data.derived)]), behindOf(data, open));
  root.classList.add("trace-scorecard");
  root.replaceChildren(...(data.part === "behind" ? [] : [cards]), ...(data.part === "row" ? [] : [foot]));
}

export default function ({ data: [data], parentElement, setTriggerValue }) {
  renderScorecard(rootIn(parentElement, "trace-scorecard"), data, () => setTriggerValue("trust", true));
}
