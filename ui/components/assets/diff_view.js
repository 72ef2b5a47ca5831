// Item by item: a heading with its mark and sizes, then its lines and the words that differ; what did not change is folded.

const CONTEXT = 3, WIDE = 700, LONG = 16; // lines kept around a change; pixels for two columns; lines of a wholly new item

// `pieces`: what both sides share and what is this side's own, in turn; only the latter is marked.
function cell(text, className, pieces) {
  if (!pieces) return element("span", `cell ${className}`, text === null ? undefined : text || "\u00a0");
  const made = element("span", `cell ${className} part`);
  made.append(...pieces.map((piece, k) => (k % 2 ? element("mark", "", piece) : piece)));
  return made;
}

function number(n) {
  return element("span", "no", n === null ? "" : String(n));
}

function sideBySide([kind, i, left, j, right, words]) {
  const row = element("div", "pair");
  row.append(
    number(i), cell(left, left === null ? "void" : kind === "=" ? "" : "del", words?.[0]),
    number(j), cell(kind === "=" ? left : right, kind === "=" ? "" : right === null ? "void" : "add", words?.[1]),
  );
  return [row];
}

function inline([kind, i, left, j, right, words]) {
  const row = (sign, a, b, text, className, pieces) => {
    const made = element("div", "single");
    made.append(number(a), number(b), element("span", "sign", sign), cell(text, className, pieces));
    return made;
  };
  if (kind === "=") return [row("", i, j, left, "")];
  return [left !== null && row("−", i, null, left, "del", words?.[0]), right !== null && row("+", null, j, right, "add", words?.[1])].filter(Boolean);
}

function rows(s, lines) {
  return lines.flatMap(s.wide ? sideBySide : inline);
}

function fold(s, label, made) {
  const button = element("button", "fold", label);
  button.onclick = () => button.replaceWith(...made());
  return button;
}

// Runs of unchanged lines keep a few lines next to a change.
function folded(s, lines) {
  const made = [];
  for (let from = 0, to = 0; from < lines.length; from = to) {
    const same = lines[from][0] === "=";
    while (to < lines.length && (lines[to][0] === "=") === same) to += 1;
    const head = from === 0 ? 0 : CONTEXT, tail = to === lines.length ? 0 : CONTEXT, hidden = to - from - head - tail;
    if (!same || hidden < 3) {
      made.push(...rows(s, lines.slice(from, to)));
      continue;
    }
    const middle = lines.slice(from + head, to - tail);
    made.push(...rows(s, lines.slice(from, from + head)));
    made.push(fold(s, fill(s.word("diff.lines"), { n: s.say.count(hidden) }), () => rows(s, middle)));
    made.push(...rows(s, lines.slice(to - tail, to)));
  }
  return made;
}

function oneSided(s, lines) {
  if (lines.length <= LONG + 3) return rows(s, lines);
  const rest = lines.slice(LONG);
  return [...rows(s, lines.slice(0, LONG)), fold(s, fill(s.word("diff.more"), { n: s.say.count(rest.length) }), () => rows(s, rest))];
}

function item(s, [id, source, action, before, after, lines]) {
  const block = element("section", "item"), head = element("button", "head"), delta = after - before;
  const mark = element("span", "mark", s.look.glyph.fate[action]), swatch = element("i", "dot");
  mark.style.cssText = `background:var(--fate-${action});color:var(--fate-${action}-ink)`;
  mark.title = s.word(`fate.${action}`);
  swatch.style.background = `var(--source-${source})`;
  const sizes = before === after ? s.say.count(after) : `${s.say.count(before)} → ${s.say.count(after)}`;
  head.append(mark, element("span", "id", id), swatch, element("span", "source", s.word(`source.${source}`)), element("span", "what", s.word(`fate.${action}`)));
  head.append(element("span", "sizes", sizes), element("span", "delta", delta ? `${delta > 0 ? "+" : "−"}${s.say.count(Math.abs(delta))}` : ""));
  head.dataset.item = id;
  head.setAttribute("aria-pressed", String(id === s.selected));
  head.onclick = () => s.emit("picked", id);
  block.append(head);
  if (!lines.length) return block;
  const single = lines.every(([kind]) => kind === lines[0][0]) && lines[0][0] !== "~", body = element("div", "lines");
  body.append(...(single ? oneSided(s, lines) : folded(s, lines)));
  block.append(body);
  block.style.containIntrinsicSize = `auto ${30 + 19 * Math.min(lines.length, 20)}px`;
  return block;
}

// Runs of items that stayed as they were become one row.
function build(s) {
  const { groups } = s.d, quiet = (row) => row[2] === "kept" && !row[5].length, made = [];
  for (let from = 0, to = 0; from < groups.length; from = to) {
    while (to < groups.length && quiet(groups[to]) === quiet(groups[from])) to += 1;
    const run = groups.slice(from, to);
    if (quiet(groups[from]) && run.length > 2) made.push(fold(s, fill(s.word("diff.items"), { n: s.say.count(run.length) }), () => run.map((row) => item(s, row))));
    else made.push(...run.map((row) => item(s, row)));
  }
  if (groups.every(quiet)) made.unshift(element("p", "none", s.word("diff.none")));
  s.list.classList.toggle("wide", s.wide);
  s.list.replaceChildren(...made);
  s.titles.hidden = !s.wide || groups.every(quiet);
  s.titles.replaceChildren(element("span", "", s.d.before || s.word("diff.before")), element("span", "", s.d.after || s.word("diff.after")));
}

function start(root) {
  const find = (query) => root.querySelector(query);
  const s = { box: find(".box"), list: find(".list"), titles: find(".titles") };
  new ResizeObserver(() => {
    const wide = s.box.clientWidth >= WIDE;
    if (s.d && wide !== s.wide) { s.wide = wide; build(s); }
  }).observe(s.box);
  s.list.addEventListener("keydown", (event) => {
    const heads = [...s.list.querySelectorAll(".head")], here = heads.indexOf(event.target), by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (here < 0 || !by || !plain(event)) return;
    heads[Math.max(0, Math.min(heads.length - 1, here + by))].focus();
    handled(event);
  });
  return s;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = remember(parentElement, start), fresh = s.d?.revision !== data.revision;
  s.emit = setTriggerValue;
  s.d = data;
  s.word = (name) => data.words[name];
  s.say = numbers(data.words.lang);
  s.look = lookOf(s.box, data.palette);
  s.wide = s.box.clientWidth >= WIDE;
  s.selected = data.selected;
  dress(s.box, s.look);
  s.box.style.height = `${data.height}px`;
  s.list.setAttribute("aria-label", s.word("diff.label"));
  if (fresh) build(s);
  for (const head of s.list.querySelectorAll(".head")) head.setAttribute("aria-pressed", String(head.dataset.item === s.selected));
}
