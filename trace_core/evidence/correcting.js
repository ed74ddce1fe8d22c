// Labels are corrected where the evidence is read: what stands under the pinned sentence, and what was said there and is
// not saved yet. A change is [field, sentence key, value], as `trace_core.facts.corrections` has them.

const STATUSES = [
  ["fully", "✓", "fully supported"],
  ["partially", "◐", "partially"],
  ["unsupported", "✗", "unsupported"],
];
const LISTS = ["relevant", "utilized"];
const LABEL_KEYS = { 1: "fully", 2: "partially", 3: "unsupported", r: "relevant", u: "utilized" };
const OPTION_LETTERS = 60; // of a sentence in the list of those that may support another

/** What was said and is not saved. The page's word counts for another record, and after something was saved. */
class Draft {
  take(correcting) {
    if (!correcting || correcting.version === this.version) return;
    this.version = correcting.version;
    this.changes = correcting.changes;
  }

  /** The last word on a label counts. Returns all there is to save, so that no quick second click takes the first away. */
  say(field, key, value) {
    this.changes = [...this.changes.filter(([f, k]) => f !== field || k !== key), [field, key, value]];
    return { version: this.version, changes: this.changes };
  }

  said(field, key) {
    return this.changes.find(([f, k]) => f === field && k === key)?.[2];
  }
}

// A shortcut saves what a click would: leaving a field takes what was typed there.
document.addEventListener("keydown", leave, true);

function leave({ ctrlKey, metaKey, key }) {
  const { activeElement: field } = document;
  if ((ctrlKey || metaKey) && ["s", "Enter"].includes(key) && field.matches("input")) field.blur();
}

/** The controls of one sentence; `say` takes a change. */
function controls(sentence, data, draft, say) {
  const { key } = sentence;
  const parts = sentence.supports
    ? [statusControls(sentence, draft, say), ...supportControls(sentence, data, draft, say)]
    : [listControls(sentence, data.correcting.lists, say)];
  return [group("choices", `Correct the labels of ${key}`, parts)];
}

function statusControls({ key, status }, draft, say) {
  const now = draft.said("supported", key) ?? (status === "contradicted" ? "unsupported" : status);
  const buttons = STATUSES.map(([value, mark, word]) => choice(value, [hidden(mark), word], value === now));
  for (const button of buttons) {
    button.onclick = () => {
      buttons.forEach((other) => press(other, other === button));
      say("supported", key, button.dataset.control);
    };
  }
  return make("div", "row", buttons);
}

/** Relevant and utilized; a list that the labels lack has no place for a single sentence. */
function listControls(sentence, known, say) {
  const buttons = LISTS.filter((field) => known.includes(field)).map((field) => {
    const button = choice(field, [field], sentence[field]);
    button.onclick = () => {
      const is = button.getAttribute("aria-pressed") !== "true";
      press(button, is);
      say(field, sentence.key, is);
    };
    return button;
  });
  const lacking = LISTS.filter((field) => !known.includes(field));
  const why = lacking.length ? [make("span", "quiet", `The labels have no list of ${lacking.join(" and ")} sentences.`)] : [];
  return make("div", "row", [...buttons, ...why]);
}

/** What supports the sentence: a button for each that takes it away, and a list to add from. */
function supportControls(sentence, data, draft, say) {
  const { key } = sentence;
  const names = data.correcting.special;
  const shown = [...sentence.supports, ...Object.keys(names).filter((name) => sentence.special.includes(names[name]))];
  const now = () => draft.said("supporting", key) ?? shown;
  const chips = now().map((support) => {
    const chip = choice(`without ${support}`, [names[support] ?? support, hidden(" ×")]);
    chip.setAttribute("aria-label", `${names[support] ?? support} does not support ${key}`);
    chip.onclick = () => {
      chip.remove();
      say("supporting", key, now().filter((other) => other !== support));
    };
    return chip;
  });
  const add = make("select", "add", [new Option("Add what supports it …", "")]);
  add.dataset.control = "add";
  add.setAttribute("aria-label", `Add what supports ${key}`);
  // Long lists are filled when they are opened: few are.
  add.onfocus = () => add.length > 1 || add.append(...options(data, names, now()));
  add.onpointerdown = () => {
    byKey = false;
    add.onfocus();
  };
  // Arrow keys on a closed list go through what it holds: Enter takes it then.
  let byKey = false;
  const take = () => {
    if (!add.value) return;
    say("supporting", key, [...now(), add.value]);
    if (draft.said("supported", key) === "partially") say("supported", key, "partially"); // which now has what it lacked
  };
  add.onkeydown = (event) => {
    byKey = event.key !== "Enter";
    if (!byKey && add.value) take();
  };
  add.onchange = () => byKey || take();
  return [make("div", "row", [...chips, add])];
}

function options({ documents }, names, taken) {
  const sentences = documents.flatMap((document) => document.sentences.map(({ key, text }) => [key, `${key}  ${short(text)}`]));
  const all = [...sentences, ...Object.entries(names)];
  return all.filter(([key]) => !taken.includes(key)).map(([key, text]) => new Option(text, key));
}

function short(text) {
  return text.length > OPTION_LETTERS ? `${text.slice(0, OPTION_LETTERS)} …` : text;
}

function choice(name, words, pressed) {
  const button = make("button", "choice", words);
  button.type = "button";
  button.dataset.control = name;
  if (pressed !== undefined) press(button, pressed);
  const key = Object.keys(LABEL_KEYS).find((each) => LABEL_KEYS[each] === name);
  if (key) {
    button.setAttribute("aria-keyshortcuts", key);
    const shown = make("kbd", "", key.toUpperCase());
    shown.setAttribute("aria-hidden", "true");
    button.append(shown);
  }
  return button;
}

function hidden(mark) {
  const shown = make("span", "mark", mark);
  shown.setAttribute("aria-hidden", "true");
  return shown;
}
