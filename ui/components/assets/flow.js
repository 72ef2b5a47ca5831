// Blocks in rows, as lines of a text: first as the payload was, then, a moment later, as the stage left it.

const GAP = 3, ROW = 30, WAIT = 700, LEAST = 4;

// Where each block lies: [left, top, width] by id. The scale is that of the fuller of the two pictures.
function lines(rows, tokens, width, scale) {
  const at = new Map();
  let x = 0, y = 0;
  for (const row of rows) {
    const wide = Math.min(width, Math.max(LEAST, row[tokens] * scale));
    if (x && x + wide > width) { x = 0; y += ROW + GAP; }
    at.set(row[0], [x, y, wide]);
    x += wide + GAP;
  }
  return [at, y + ROW];
}

function scaled(rows, tokens, width, height) {
  let scale = (width * Math.max(1, Math.floor(height / (ROW + GAP)))) / Math.max(1, rows.reduce((n, row) => n + row[tokens], 0));
  for (let k = 0; k < 40 && lines(rows, tokens, width, scale)[1] > height; k += 1) scale *= 0.92;
  return scale;
}

function place(block, [x, y, wide]) {
  block.style.transform = `translate(${x}px, ${y}px)`;
  block.style.width = `${wide}px`;
  block.classList.toggle("wide", wide > 64);
}

function arrive(s) {
  for (const [id, block] of s.blocks) {
    const there = s.after.get(id);
    if (there) place(block, there);
    block.classList.toggle("gone", !there);
    block.classList.toggle("new", false);
  }
  s.told.textContent = s.word("flow.after");
}

function play(s) {
  clearTimeout(s.timer);
  s.stage.classList.add("still");
  for (const [id, block] of s.blocks) {
    place(block, s.before.get(id) || s.after.get(id));
    block.classList.remove("gone");
    block.classList.toggle("new", !s.before.has(id));
  }
  s.told.textContent = s.word("flow.before");
  void s.stage.offsetWidth; // the browser takes note of the first picture before it may move to the second
  s.stage.classList.remove("still");
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) arrive(s);
  else s.timer = setTimeout(() => arrive(s), WAIT);
}

function block(s, [id, source, before, after, fate, why]) {
  const made = element("button", "block"), mark = fate === "kept" ? "" : s.look.glyph.fate[fate] || "";
  made.append(element("span", "mark", mark), element("span", "id", id));
  made.style.setProperty("--c", `var(--source-${source})`);
  made.style.setProperty("--ink", `var(--source-${source}-ink)`);
  made.dataset.item = id;
  const tokens = before === after ? s.say.count(after) : `${s.say.count(before)} → ${s.say.count(after)}`;
  const lines = [`${id} · ${s.word(`source.${source}`)} · ${tokens}`, why];
  made.setAttribute("aria-label", lines.filter(Boolean).join(". "));
  made.onpointermove = (event) => showTip(s.tip, lines, event);
  made.onpointerleave = () => hideTip(s.tip);
  made.onclick = () => s.emit("picked", id);
  return made;
}

function build(s) {
  const { rows, order } = s.d, width = s.stage.clientWidth || 600, height = s.d.height - 74, by = new Map(rows.map((row) => [row[0], row]));
  const first = rows.filter((row) => row[2]), last = order.map((id) => by.get(id)).filter((row) => row && row[3]);
  const scale = Math.min(first.length ? scaled(first, 2, width, height) : Infinity, last.length ? scaled(last, 3, width, height) : Infinity);
  const [before] = lines(first, 2, width, scale), [after] = lines(last, 3, width, scale);
  s.before = before;
  s.after = after;
  s.blocks = new Map(rows.filter((row) => before.has(row[0]) || after.has(row[0])).map((row) => [row[0], block(s, row)]));
  s.stage.replaceChildren(...s.blocks.values());
  const sources = [...new Set(rows.map((row) => row[1]))];
  legend(s.legend, sources.map((source) => [[`var(--source-${source})`, "inherit"], "", s.word(`source.${source}`)]));
  if (s.d.left_out) s.legend.append(element("span", "entry", fill(s.word("flow.more"), { n: s.say.count(s.d.left_out) })));
  s.width = width;
  play(s);
}

function start(root) {
  const find = (query) => root.querySelector(query);
  const s = { box: find(".box"), stage: find(".stage"), told: find(".told"), again: find(".again"), legend: find(".legend"), tip: find(".tip"), blocks: new Map() };
  s.again.onclick = () => play(s);
  new ResizeObserver(() => { if (s.d && Math.abs(s.stage.clientWidth - s.width) > 8) build(s); }).observe(s.stage);
  return s;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = remember(parentElement, start), now = JSON.stringify([data.rows, data.order, data.words.lang]);
  s.emit = setTriggerValue;
  s.d = data;
  s.word = (name) => data.words[name];
  s.say = numbers(data.words.lang);
  s.look = lookOf(s.box, data.palette);
  dress(s.box, s.look);
  s.stage.style.height = `${data.height - 74}px`;
  s.stage.setAttribute("aria-label", s.word("flow.label"));
  s.again.textContent = s.word("flow.again");
  if (s.now !== now) { s.now = now; build(s); }
  for (const [id, made] of s.blocks) made.classList.toggle("picked", id === data.selected);
}
