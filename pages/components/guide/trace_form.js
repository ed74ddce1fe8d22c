// A form for POST /trace: it shows the JSON that it sends, the reply, and the line that does the same in a shell.
// Everything that somebody typed or the server sent becomes a text node or a field's value, never HTML.

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** The endpoint beside the page, wherever the app is mounted. */
function address() {
  return location.origin + location.pathname.replace(/[^/]*\/?$/, "") + "trace";
}

/** One word for the shell: nothing in it is interpreted. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function curl(query, needsKey) {
  const key = needsKey ? ' -H "Authorization: Bearer $TRACE_API_KEY"' : "";
  const body = quoted(JSON.stringify({ query }));
  return `curl -s ${quoted(address())} -H 'Content-Type: application/json'${key} -d ${body}`;
}

function labeled(label, field) {
  return element("label", { className: "field" }, element("span", { className: "name", textContent: label }), field);
}

function button(text, act) {
  const made = element("button", { type: "button", textContent: text });
  made.addEventListener("click", act);
  return made;
}

function output(label) {
  const text = element("pre", { tabIndex: 0, role: "region", ariaLabel: label });
  return [element("section", { className: "field" }, element("h2", { className: "name", textContent: label }), text), text];
}

/** A list of rows, each with a button that removes it; `make(value)` gives a row's fields. */
function rows(legend, noun, make, changed) {
  const list = element("div", { className: "rows" });
  const number = () =>
    [...list.children].forEach((row, i) => {
      row.querySelectorAll("[data-name]").forEach((field) => (field.ariaLabel = `${field.dataset.name} ${i + 1}`));
    });
  const add = (value) => {
    const row = element("div", { className: "row" }, ...make(value, list.children.length + 1));
    const remove = button("Remove", () => {
      row.remove();
      number();
      changed();
    });
    remove.dataset.name = `Remove ${noun}`;
    row.append(remove);
    list.append(row);
    number();
  };
  const more = button(`Add a ${noun}`, () => {
    add();
    changed();
  });
  const part = element("fieldset", {}, element("legend", { className: "name", textContent: legend }), list, more);
  const fill = (values) => {
    list.replaceChildren();
    values.forEach((value) => add(value));
  };
  return { part, fill, all: () => [...list.children] };
}

function area(value = "", lines = 2) {
  return element("textarea", { value, rows: lines });
}

function named(field, name) {
  field.dataset.name = name;
  return field;
}

function context(value, number) {
  const id = named(element("input", { className: "id", value: value?.id ?? `c${number}` }), "Id of context");
  const tick = named(element("input", { type: "checkbox", checked: value?.relevant ?? false }), "Relevant: context");
  const relevant = element("label", { className: "tick" }, tick, "relevant");
  return [id, relevant, named(area(value?.text), "Text of context")];
}

/** The fields of a query: `fill` sets them from a payload, `payload` gives what is to be sent. */
function fields(known, changed) {
  const pills = element("div", { className: "pills" });
  const tests = element("fieldset", {}, element("legend", { className: "name", textContent: "Tests" }), pills);
  const [question, answer] = [area(), area()];
  const contexts = rows("Contexts", "context", context, changed);
  const truths = rows("Ground truth", "ground truth", (text) => [named(area(text), "Ground truth")], changed);
  const absent = area("", 1);
  let extra = {};

  const fill = (payload) => {
    const wanted = payload.tests ?? [];
    const names = [...new Set([...known, ...wanted])]; // a test that does not exist is shown, to be taken off
    pills.replaceChildren(
      ...names.map((name) => {
        const box = element("input", { type: "checkbox", value: name, checked: wanted.includes(name) });
        return element("label", { className: "pill" }, box, name);
      }),
    );
    const ids = new Set(payload.relevant_context_ids ?? []);
    const given = payload.contexts ?? [];
    question.value = payload.question ?? "";
    answer.value = payload.answer ?? "";
    contexts.fill(given.map(({ id, text }) => ({ id, text, relevant: ids.has(id) })));
    truths.fill([payload.ground_truth ?? []].flat());
    given.forEach(({ id }) => ids.delete(id));
    absent.value = [...ids].join("\n");
    extra = payload.extra ?? {};
    changed();
  };

  const payload = () => {
    const all = contexts.all().map((row) => {
      const [id, tick, text] = row.querySelectorAll("input.id, input[type=checkbox], textarea");
      return { id: id.value, text: text.value, relevant: tick.checked };
    });
    const others = absent.value.split("\n").filter((id) => id.trim());
    const found = {
      tests: [...pills.querySelectorAll(":checked")].map((box) => box.value),
      question: question.value,
      contexts: all.map(({ id, text }) => ({ id, text })),
      answer: answer.value,
      ground_truth: truths.all().map((row) => row.querySelector("textarea").value),
      relevant_context_ids: [...all.filter(({ relevant }) => relevant).map(({ id }) => id), ...others],
      extra,
    };
    const empty = (value) => (typeof value === "string" ? !value : Object.keys(value).length === 0);
    return Object.fromEntries(Object.entries(found).filter(([, value]) => !empty(value)));
  };

  const last = labeled("Relevant ids that were not retrieved, one a line", absent);
  const parts = [tests, labeled("Question", question), contexts.part, last, labeled("Answer", answer), truths.part];
  return { parts, fill, payload };
}

function scored(body) {
  return Object.entries(body.missing ?? {}).map(([test, missing]) => {
    const score = body.evaluation_scores?.[test];
    const failed = missing ? `not scored: ${missing.join(", ")} missing` : (body.details?.[test]?.error ?? "no score");
    const reason = missing && missing[0] === "unsupported_test" ? "not a test of TRACE" : failed;
    const value = element("dd", { textContent: typeof score === "number" ? score.toFixed(3) : reason });
    return element("div", {}, element("dt", { textContent: test }), value);
  });
}

export default function ({ data, parentElement }) {
  if (parentElement.querySelector(".trace-form")) return; // a rerun of the page keeps what was typed
  const form = element("form", { className: "trace-form" });
  const status = element("p", { className: "status", role: "status" });
  const scores = element("dl", { className: "scores", ariaLabel: "Scores" });
  const [detailsPart, details] = output("Details");
  detailsPart.hidden = true; // until there is a reply
  const [jsonPart, json] = output("The query that is sent");
  const [curlPart, shell] = output("The same in a shell");
  const key = element("input", { type: "password", autocomplete: "off" });

  const follow = () => {
    const payload = query.payload();
    json.textContent = JSON.stringify(payload, null, 2);
    shell.textContent = curl(JSON.stringify(payload), data.needs_key);
  };
  const query = fields(data.tests, follow);

  const show = (reply, body) => {
    scores.replaceChildren(...scored(body));
    details.textContent = JSON.stringify(body.details ?? body, null, 2);
    detailsPart.hidden = false;
    const why = typeof body.detail === "string" ? body.detail : JSON.stringify(body.detail);
    status.textContent = reply.ok ? `${reply.status} scored` : `${reply.status} refused. ${why}`;
    if (body.payload) query.fill(body.payload); // what was understood, to complete and send
  };
  const send = async (text) => {
    const headers = { "Content-Type": "application/json" };
    if (key.value) headers.Authorization = `Bearer ${key.value}`;
    const buttons = form.querySelectorAll("button");
    buttons.forEach((one) => (one.disabled = true));
    status.textContent = "Sent …";
    try {
      const reply = await fetch(address(), { method: "POST", headers, body: JSON.stringify({ query: text }) });
      show(reply, await reply.json());
    } catch {
      status.textContent = "There was no reply. Is the server running?";
      scores.replaceChildren();
      detailsPart.hidden = true;
    }
    buttons.forEach((one) => (one.disabled = false));
  };

  const examples = element("select");
  examples.append(...data.examples.map(({ title }) => element("option", { textContent: title })));
  examples.addEventListener("change", () => query.fill(data.examples[examples.selectedIndex].payload));
  const pasted = area("", 3);
  const paste = element(
    "details",
    {},
    element("summary", { textContent: "Paste a query" }),
    labeled("A query that you have: JSON or labeled text", pasted),
    button("Send the pasted query", () => send(pasted.value)),
  );
  form.addEventListener("input", follow);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(JSON.stringify(query.payload()));
  });

  form.append(labeled("Example", examples), paste, ...query.parts);
  if (data.needs_key) form.append(labeled("API key", key));
  form.append(element("button", { className: "send", textContent: "Send" }), status, scores, detailsPart, jsonPart, curlPart);
  query.fill(data.examples[0].payload);
  parentElement.append(form);
}
