// Draws a run's records as a table: verdict, question, and the columns that were chosen: the answer with its failing
// sentences, the reference, four small bars, fields of the rows. A click anywhere on a row, or Enter on it, opens its
// record; beside an open one, the arrows open its neighbours. Text nodes only.

function cell(className, ...children) {
  const td = make("td", className);
  const box = make("div", "clamp");
  box.append(...children);
  td.append(box);
  return td;
}

function verdictOf(row) {
  const mark = make("span", "mark", MARKS[row.tone]);
  mark.setAttribute("aria-hidden", "true");
  return cell(`verdict ${row.tone}`, mark, make("span", "", row.verdict));
}

const SHORT = 60;

/** From the first sentence that fails, or a short one before it. */
function answerOf(row) {
  const failing = Math.max(0, row.answer.findIndex(([, status]) => status === "failing" || status === "partly"));
  const start = failing && row.answer[failing - 1][0].length <= SHORT ? failing - 1 : failing;
  const shown = start ? [["…", "cut"], ...row.answer.slice(start)] : row.answer;
  const pieces = shown.map(([text, status]) => make("span", status, text));
  return cell("answer wide", ...pieces.flatMap((piece) => [piece, " "]));
}

/** Beside an open record there is room for one text: the question, and below it the sentence that fails. */
function questionOf(row) {
  const failing = row.answer.find(([, status]) => status === "failing" || status === "partly");
  const td = cell("question", row.question || "No question");
  if (failing) td.append(make("div", `clamp ${failing[1]} narrow`, failing[0]));
  return td;
}

function scoresOf(row) {
  const box = make("div", "scores");
  for (const { label, value, shown, tone } of row.scores) {
    const score = make("div", `score ${tone}`);
    score.title = `${label} ${shown}`;
    const track = make("span", "track");
    const bar = make("span", "bar");
    bar.style.width = `${(value ?? 0) * 100}%`;
    track.append(bar);
    track.setAttribute("aria-hidden", "true");
    const number = make("span", "value", value === null ? "–" : shown);
    if (value === null) {
      number.setAttribute("role", "img");
      number.setAttribute("aria-label", shown);
    }
    score.append(make("span", "name", label), track, number);
    box.append(score);
  }
  const td = make("td", "numbers");
  td.append(box);
  return td;
}

/** One row is a stop of the Tab key: the open one, else the first; arrows go on from there. */
function rowOf(row, place, data, open) {
  const tr = make("tr", row.id === data.open ? "current" : "");
  tr.tabIndex = row.id === data.open || (place === 0 && !data.rows.some(({ id }) => id === data.open)) ? 0 : -1;
  tr.dataset.id = row.id;
  if (row.id === data.open) tr.setAttribute("aria-current", "true");
  tr.append(verdictOf(row), questionOf(row));
  for (const { name } of data.columns) {
    const draw = { ":answer": answerOf, ":scores": scoresOf }[name];
    tr.append(draw ? draw(row) : cell("wide", row.texts[name]));
  }
  tr.onclick = () => open(row.id);
  tr.onkeydown = (event) => {
    const step = { ArrowUp: 0, ArrowDown: 1 }[event.key];
    if (event.key === "Enter") open(row.id);
    else if (step === undefined) return;
    else if (data.open === null) [tr.previousElementSibling, tr.nextElementSibling][step]?.focus();
    else if (data.beside[step] !== null) open(data.beside[step]);
    event.preventDefault();
  };
  return tr;
}

function headOf(data) {
  const tr = make("tr", "");
  const names = data.columns.map(({ name, title }) => [title, name === ":scores" ? "numbers" : "wide"]);
  for (const [name, className] of [["Verdict", ""], ["Question", ""], ...names]) {
    const th = make("th", className, name);
    th.scope = "col";
    tr.append(th);
  }
  const head = make("thead", "");
  head.append(tr);
  return head;
}

const PERSON = ["wheel", "touchstart", "pointerdown", "keydown"];
const NARROW = matchMedia("(width < 40rem)");
const WHILE_DRAWN = 1500;

/** Puts the page where it belongs until all of it is drawn, or a person goes elsewhere. */
function hold(root, place) {
  const person = new AbortController();
  for (const kind of PERSON) addEventListener(kind, () => person.abort(), { capture: true, signal: person.signal });
  const end = performance.now() + WHILE_DRAWN;
  const again = () => {
    if (person.signal.aborted || !root.isConnected) return;
    place();
    if (performance.now() < end) requestAnimationFrame(again);
    else person.abort();
  };
  again();
}

function rowAt(root, id) {
  return id === null ? null : root.querySelector(`tr[data-id="${CSS.escape(id)}"]`);
}

/** What scrolls; it stays while tables come and go. */
function mainOf(root) {
  return root.getRootNode().host?.closest('[data-testid="stMain"]') ?? document.documentElement;
}

/** Another record is read from its top; on a phone, its row stands above it. Arrows go on from the row. */
function showOpen(root, id) {
  hold(root, () => {
    if (NARROW.matches) root.scrollIntoView();
    else mainOf(root).scrollTop = 0;
    focusOn(rowAt(root, id));
  });
}

function isInSight(root, row) {
  const [outer, inner] = [root, row].map((element) => element.getBoundingClientRect());
  return inner.top >= outer.top && inner.bottom <= Math.min(outer.bottom, innerHeight);
}

/** The row whose record was closed is in sight again. */
function showLast(root, id) {
  hold(root, () => {
    const row = rowAt(root, id);
    if (row && !isInSight(root, row)) row.scrollIntoView({ block: "center" });
    focusOn(row);
  });
}

/** Only a focus that is nowhere else is moved. */
function focusOn(row) {
  if (document.activeElement === document.body) row?.focus({ preventScroll: true });
}

/** A page whose rows have no reference answer has no column for it. */
function columnsOf({ columns, rows }) {
  return columns.filter(({ name }) => name !== "reference_answer" || rows.some(({ texts }) => texts[name]));
}

export default function ({ data: told, parentElement, setTriggerValue }) {
  const data = { ...told, columns: columnsOf(told) };
  const root = rootIn(parentElement, "trace-records");
  const first = data.rows[0].id;
  const scrolled = root.dataset.first === first ? root.scrollTop : 0;
  const focused = root.contains(root.getRootNode().activeElement) ? root.getRootNode().activeElement.dataset.id : null;
  const table = make("table", "");
  const body = make("tbody", "");
  body.append(...data.rows.map((row, place) => rowOf(row, place, data, (id) => setTriggerValue("picked", id))));
  table.append(make("caption", "unseen", data.caption), headOf(data), body);
  root.classList.toggle("beside", data.open !== null);
  root.replaceChildren(table);
  root.scrollTop = scrolled;
  const current = root.querySelector(".current");
  const above = current && current.offsetTop < root.scrollTop;
  const below = current && current.offsetTop + current.offsetHeight > root.scrollTop + root.clientHeight;
  if (above || below) root.scrollTop = current.offsetTop - root.clientHeight / 3;
  const place = JSON.stringify([data.caption, data.open, data.at]);
  const main = mainOf(root);
  const moved = main.dataset.place !== place;
  main.dataset.place = place;
  root.dataset.first = first;
  if (focused !== null) (moved && current ? current : rowAt(root, focused))?.focus({ preventScroll: true });
  if (!moved) return;
  if (data.open !== null) showOpen(root, data.open);
  else showLast(root, data.at);
}
