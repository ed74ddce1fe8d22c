// Sends a query to POST /trace, and shows the reply and the line that does the same in a shell. Text nodes only.

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The endpoint beside the page, wherever the app is mounted. */
function address() {
  return location.origin + location.pathname.replace(/[^/]*\/?$/, "") + "trace";
}

/** One word for the shell: nothing in it is read. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function curl(query, needsKey) {
  const key = needsKey ? ' -H "Authorization: Bearer $TRACE_API_KEY"' : "";
  const body = quoted(JSON.stringify({ query }));
  return `curl -s ${quoted(address())} -H 'Content-Type: application/json'${key} -d ${body}`;
}

function labeled(label, field) {
  const made = element("label", "field");
  made.append(element("span", "name", label), field);
  return made;
}

function result(label) {
  const part = element("section", "result");
  const text = element("pre");
  text.tabIndex = 0;
  text.setAttribute("role", "region");
  text.setAttribute("aria-label", label);
  part.append(element("h4", "name", label), text);
  return [part, text];
}

async function send(query, key) {
  const headers = { "Content-Type": "application/json" };
  if (key) headers.Authorization = `Bearer ${key}`;
  const reply = await fetch(address(), { method: "POST", headers, body: JSON.stringify({ query }) });
  return [`${reply.status} ${reply.ok ? "understood" : "refused"}`, JSON.stringify(await reply.json(), null, 2)];
}

export default function ({ data, parentElement }) {
  if (parentElement.querySelector(".trace-form")) return; // a rerun of the page keeps what was typed
  const form = element("form", "trace-form");
  const examples = element("select");
  data.examples.forEach(({ title }) => examples.append(element("option", "", title)));
  const query = element("textarea");
  query.rows = 9;
  query.spellcheck = false;
  const key = element("input");
  key.type = "password";
  key.autocomplete = "off";
  const button = element("button", "", "Send");
  const status = element("p", "status");
  status.setAttribute("role", "status");
  const [replyPart, replyText] = result("Reply");
  const [curlPart, curlText] = result("The same in a shell");

  const follow = () => (curlText.textContent = curl(query.value, data.needs_key));
  const choose = () => {
    query.value = data.examples[examples.selectedIndex].query;
    follow();
  };
  examples.addEventListener("change", choose);
  query.addEventListener("input", follow);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    status.textContent = "Sent …";
    try {
      [status.textContent, replyText.textContent] = await send(query.value, key.value);
    } catch {
      status.textContent = "There was no reply. Is the server running?";
      replyText.textContent = "";
    }
    button.disabled = false;
  });

  form.append(labeled("Example", examples), labeled("Query", query));
  if (data.needs_key) form.append(labeled("API key", key));
  form.append(button, status, replyPart, curlPart);
  choose();
  parentElement.append(form);
}
