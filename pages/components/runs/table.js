// Draws a run's records as a table: verdict, question, answer with its failing sentences, reference, four small bars.
// A click anywhere on a row, or Enter on it, opens its record. Text nodes only.

function node(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function cell(className, ...children) {
  const td = node("td", className);
  const box = node("div", "clamp");
  box.append(...children);
  td.append(box);
  return td;
}

function verdictOf(row) {
  const mark = node("span", "mark", row.mark);
  mark.setAttribute("aria-hidden", "true");
  return cell(`verdict ${row.tone}`, mark, node("span", "", row.verdict));
}

function answerOf(row) {
  const pieces = row.answer.map(([text, status]) => node("span", status, text));
  return cell("answer wide", ...pieces.flatMap((piece) => [piece, " "]));
}

/** Beside an open record there is room for one text: the question, and below it the sentence that fails. */
function questionOf(row) {
  const failing = row.answer.find(([, status]) => status === "failing" || status === "partly");
  const td = cell("question", row.question || "No question");
  if (failing) td.append(node("div", `clamp ${failing[1]} narrow`, failing[0]));
  return td;
}

function scoresOf(row) {
  const box = node("div", "scores");
  for (const { label, value, shown, tone } of row.scores) {
    const score = node("div", `score ${tone}`);
    score.title = `${label} ${shown}`;
    const track = node("span", "track");
    const bar = node("span", "bar");
    bar.style.width = `${(value ?? 0) * 100}%`;
    track.append(bar);
    track.setAttribute("aria-hidden", "true");
    score.append(node("span", "name", label), track, node("span", "value", shown));
    box.append(score);
  }
  const td = node("td", "numbers");
  td.append(box);
  return td;
}

/** One row is a stop of the Tab key: the open one, else the first; arrows go on from there. */
function rowOf(row, place, data, open) {
  const tr = node("tr", row.id === data.open ? "current" : "");
  tr.tabIndex = row.id === data.open || (place === 0 && !data.rows.some(({ id }) => id === data.open)) ? 0 : -1;
  tr.dataset.id = row.id;
  if (row.id === data.open) tr.setAttribute("aria-current", "true");
  tr.append(verdictOf(row), questionOf(row), answerOf(row));
  if (data.reference) tr.append(cell("wide", row.reference));
  tr.append(...row.fields.map((text) => cell("wide", text)), scoresOf(row));
  tr.onclick = () => open(row.id);
  tr.onkeydown = (event) => {
    const beside = { ArrowDown: tr.nextElementSibling, ArrowUp: tr.previousElementSibling }[event.key];
    if (event.key === "Enter") open(row.id);
    else if (beside) beside.focus();
    else return;
    event.preventDefault();
  };
  return tr;
}

function headOf(data) {
  const tr = node("tr", "");
  const names = [["Verdict", ""], ["Question", ""], ["Answer", "wide"]];
  if (data.reference) names.push(["Reference answer", "wide"]);
  names.push(...data.fields.map((name) => [name, "wide"]), ["Scores", ""]);
  for (const [name, className] of names) {
    const th = node("th", className, name);
    th.scope = "col";
    tr.append(th);
  }
  const head = node("thead", "");
  head.append(tr);
  return head;
}

export default function ({ data, parentElement, setTriggerValue }) {
  let root = parentElement.querySelector(".trace-records");
  if (!root) {
    root = node("div", "trace-records");
    parentElement.append(root);
  }
  const scrolled = root.scrollTop;
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  const table = node("table", "");
  const body = node("tbody", "");
  body.append(...data.rows.map((row, place) => rowOf(row, place, data, (id) => setTriggerValue("picked", id))));
  table.append(node("caption", "unseen", data.caption), headOf(data), body);
  root.classList.toggle("beside", data.open !== null);
  root.replaceChildren(table);
  root.scrollTop = scrolled;
  const current = root.querySelector(".current");
  const above = current && current.offsetTop < root.scrollTop;
  const below = current && current.offsetTop + current.offsetHeight > root.scrollTop + root.clientHeight;
  if (above || below) root.scrollTop = current.offsetTop - root.clientHeight / 3;
  if (focused !== null) [...body.rows].find((tr) => tr.dataset.id === focused)?.focus({ preventScroll: true });
}
