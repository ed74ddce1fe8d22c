// Draws the Venn diagram of relevant and utilized sentences. Text nodes only.

const SVG = "http://www.w3.org/2000/svg";
const LINE = 15;
let drawings = 0;

function draw(tag, attributes = {}, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** A count and the keys under it, around the height y. */
function written(region, y) {
  const group = draw("g", { class: `region ${region.status}` });
  const top = y - ((region.lines.length - 1) * LINE) / 2 + 2;
  group.append(draw("text", { class: "count", x: region.x, y: top - 4 }, region.count));
  region.lines.forEach((line, i) => {
    group.append(draw("text", { class: "keys", x: region.x, y: top + LINE * (i + 0.9) }, line));
  });
  return group;
}

function below(region, { width, height }) {
  const keys = region.lines.length ? `: ${region.lines[0]}` : "";
  return draw("text", { class: "outside", x: width / 2, y: height - 14 }, `${region.count} neither${keys}`);
}

function picture(data, id) {
  const { width, height, middle, circles, regions } = data;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": `${id}t ${id}d` });
  svg.append(draw("title", { id: `${id}t` }, "Relevant and utilized sentences"), draw("desc", { id: `${id}d` }, data.words));
  svg.append(draw("rect", { class: "frame", x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 8 }));
  for (const { name, x, r } of circles) {
    if (r) svg.append(draw("circle", { class: name, cx: x, cy: middle, r }));
  }
  svg.append(
    draw("text", { class: "name relevant", x: 12, y: 24 }, circles[0].label),
    draw("text", { class: "name total", x: width / 2, y: 24 }, data.total),
    draw("text", { class: "name utilized", x: width - 12, y: 24 }, circles[1].label),
    ...regions.filter((r) => r.count && r.status !== "neither").map((r) => written(r, middle)),
    below(regions[3], data),
  );
  return svg;
}

function legend(regions) {
  const list = make("ul", "legend");
  for (const region of regions) {
    const item = make("li", region.status);
    const mark = make("span", "mark", region.mark);
    mark.setAttribute("aria-hidden", "true");
    item.append(mark, make("span", "word", `${region.count} ${region.word}`), make("span", "all", region.keys));
    list.append(item);
  }
  return list;
}

export function renderVenn(root, data) {
  root.classList.add("trace-venn");
  if (!data.drawn) {
    root.replaceChildren(make("p", "nothing", data.words));
    return;
  }
  drawings += 1;
  root.replaceChildren(picture(data, `venn${drawings}`), legend(data.regions));
}

export default function ({ data, parentElement }) {
  renderVenn(rootIn(parentElement, "trace-venn"), data);
}
