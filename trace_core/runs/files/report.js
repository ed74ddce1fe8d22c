// The report's table of records: a row opens its scores and its evidence below. Stands after `nodes.js`,
// `evidence.js` and `scorecard.js` in one module; all texts come as JSON and become text nodes.

const held = JSON.parse(document.getElementById("data").textContent);
const rows = [...document.querySelectorAll("#records tbody tr")];

function open(at) {
  const record = held.records[at];
  if (!record) return;
  rows.forEach((row, i) => row.classList.toggle("chosen", i === at));
  document.getElementById("record").hidden = false;
  document.getElementById("question").textContent = [...record.earlier, record.question].join("\n");
  if (record.scorecard) renderScorecard(document.getElementById("scores"), record.scorecard);
  else document.getElementById("scores").replaceChildren();
  render(document.getElementById("evidence"), record.view);
}

rows.forEach((row, at) =>
  row.querySelector("button").addEventListener("click", () => {
    open(at);
    document.getElementById("record").scrollIntoView({ block: "start" });
  }),
);

document.getElementById("search").addEventListener("input", ({ target }) => {
  const wanted = target.value.toLowerCase();
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
});

for (const link of document.querySelectorAll("[data-search]")) {
  link.addEventListener("click", () => {
    const search = document.getElementById("search");
    search.value = link.dataset.search;
    search.dispatchEvent(new Event("input"));
  });
}

open(0);
