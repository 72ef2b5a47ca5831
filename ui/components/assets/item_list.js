// One row an item, all of one height. Only the rows in sight are in the document.

const NARROW = 520, WIDE = 860, ROOMY = 1180; // pixels: widths from which there are columns, all columns, and bars
const ROW = 30, CARD = 48, LINE = 20; // pixels: heights of a row, of a card, of a card's further line
const SPARE = 8; // rows above and below those in sight
const ID_MOST = 26, SHOWN = 120; // characters of an id, and of a preview
const SORTS = ["order", "before", "after", "saved"];

function value(column, k) {
  return column.of[column.at[k]];
}

function saved(d, k) {
  return d.action.of[d.action.at[k]] === "added" ? 0 : d.before[k] - d.after[k];
}

// s.order: the rows as they are shown; ties stay as they came.
function sort(s) {
  const { d } = s, { by, down } = s.sorted, sign = down ? -1 : 1;
  const size = { order: (k) => k, before: (k) => d.before[k], after: (k) => d.after[k], saved: (k) => saved(d, k) }[by];
  s.order = d.ids.map((_, k) => k).sort((a, b) => sign * (size(a) - size(b)) || a - b);
  s.place = new Map();
  s.order.forEach((k, at) => { if (!s.place.has(d.ids[k])) s.place.set(d.ids[k], at); });
}

// --- a row

function tag(className, text, title) {
  const made = element("span", className, text);
  if (title) made.title = title;
  return made;
}

function mark(s, action) {
  const made = tag(`mark ${action}`, s.glyph[action], s.word(`fate.${action}`));
  made.style.setProperty("--m", `var(--fate-${action})`);
  made.style.setProperty("--i", `var(--fate-${action}-ink)`);
  return made;
}

function name(s, k) {
  const made = element("span", "name");
  made.append(tag("id", s.d.ids[k], s.d.ids[k].length > ID_MOST && s.d.ids[k]));
  if (s.pinned.has(k)) made.append(tag("pin", "", s.word("list.pinned")));
  if (s.moved.has(k) && value(s.d.action, k) !== "moved") made.append(mark(s, "moved"));
  return made;
}

// A size that did not change is written once.
function sizes(s, k) {
  const { d } = s, n = s.say.count, from = d.before[k], to = d.after[k], plain = from === to || !from;
  const made = element("span", "sizes");
  made.append(tag("before", plain ? "" : n(from)), tag("to", plain ? "" : "→"), tag(plain ? "after same" : "after", n(to)));
  return made;
}

function bar(s, k) {
  const made = element("span", "track"), before = element("i", "before"), after = element("i", "after");
  before.style.width = `${(s.d.before[k] / s.most) * 100}%`;
  after.style.width = `${(s.d.after[k] / s.most) * 100}%`;
  made.append(before, after);
  return made;
}

function difference(s, k) {
  const n = saved(s.d, k);
  return tag("saved", n ? `${n < 0 ? "−" : ""}${s.say.count(Math.abs(n))}` : "");
}

function why(s, k) {
  const made = element("span", "why"), rule = value(s.d.rule, k);
  if (rule) made.append(tag("rule", rule));
  made.append(tag("reason", value(s.d.reason, k)));
  return made;
}

// How the item's text begins; what is sought in it stands out.
function preview(s, k) {
  const made = element("span", "preview"), text = (s.d.preview[k] || "").slice(0, SHOWN), sought = s.d.mark.toLowerCase();
  const plain = text.toLowerCase();
  let done = 0;
  for (let at = sought ? plain.indexOf(sought) : -1; at >= 0 && plain.length === text.length; at = plain.indexOf(sought, done)) {
    made.append(text.slice(done, at), element("span", "found", text.slice(at, at + sought.length)));
    done = at + sought.length;
  }
  made.append(text.slice(done));
  return made;
}

function bracket(s, at) {
  const group = (place) => (place < 0 || place >= s.order.length ? "" : value(s.d.group, s.order[place])), own = group(at);
  const above = own && group(at - 1) === own, below = own && group(at + 1) === own;
  return element("span", `bracket${above || below ? " on" : ""}${above ? "" : " first"}${below ? "" : " last"}`);
}

function row(s, at) {
  const { d } = s, k = s.order[at], source = value(d.source, k), action = value(d.action, k), made = element("div", `row ${action}`);
  made.id = `row-${at}`;
  made.dataset.at = at;
  made.dataset.item = d.ids[k];
  made.setAttribute("role", "option");
  made.setAttribute("aria-setsize", s.order.length);
  made.setAttribute("aria-posinset", at + 1);
  made.setAttribute("aria-selected", String(d.ids[k] === s.selected));
  made.setAttribute("aria-label", [...about(s, k), (d.preview[k] || "").slice(0, SHOWN)].filter(Boolean).join(", "));
  made.classList.toggle("cursor", at === s.cursor);
  made.style.setProperty("--c", `var(--source-${source})`);
  made.style.transform = `translateY(${at * s.row}px)`;
  made.append(
    bracket(s, at), element("i", "colour"), tag("order", s.say.count(k + 1)), tag("source", s.word(`source.${source}`)), mark(s, action),
    name(s, k), preview(s, k), sizes(s, k), bar(s, k), difference(s, k), why(s, k),
  );
  return made;
}

function about(s, k) {
  const { d } = s, rule = value(d.rule, k), action = value(d.action, k), n = s.say.count;
  const size = d.before[k] === d.after[k] || !d.before[k] ? fill(s.word("tokens"), { n: n(d.after[k]) }) : fill(s.word("list.change"), { before: n(d.before[k]), after: n(d.after[k]) });
  return [
    d.ids[k], s.word(`source.${value(d.source, k)}`),
    [s.word(`fate.${action}`), s.moved.has(k) && action !== "moved" && s.word("fate.moved"), s.pinned.has(k) && s.word("list.pinned")].filter(Boolean).join(" · "),
    size, value(d.reason, k), rule && d.rules[rule] ? `${rule}: ${d.rules[rule]}` : rule,
  ];
}

// What a row has no room for.
function card(s, k, event) {
  showTip(s.tip, about(s, k), event);
  if (!s.d.preview[k]) return;
  s.tip.append(element("div", "quote", s.d.preview[k]));
  settle(s.tip, event);
}

// --- the rows in sight

function render(s, afresh) {
  if (afresh) { s.rows.forEach((made) => made.remove()); s.rows.clear(); }
  const { scrollTop: top, clientHeight: height } = s.list, last = s.order.length - 1;
  const from = Math.max(0, Math.floor(top / s.row) - SPARE), to = Math.min(last, Math.floor((top + height) / s.row) + SPARE);
  for (const [at, made] of s.rows) if (at < from || at > to) { made.remove(); s.rows.delete(at); }
  for (let at = from; at <= to; at += 1)
    if (!s.rows.has(at)) {
      const made = row(s, at);
      s.rows.set(at, made);
      s.sheet.append(made);
    }
  const active = s.rows.get(s.cursor);
  if (active) s.list.setAttribute("aria-activedescendant", active.id);
  else s.list.removeAttribute("aria-activedescendant");
}

function measure(s) {
  const whole = s.order.length * s.row;
  s.sheet.style.height = `${whole}px`;
  s.box.style.height = `${Math.min(s.d.height, s.head.offsetHeight + (s.order.length ? whole : 44) + 2)}px`;
  s.head.style.paddingRight = `${s.list.offsetWidth - s.list.clientWidth}px`;
}

function reveal(s, at) {
  if (at === undefined) return;
  const top = at * s.row, bottom = top + s.row, { list } = s;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

function arrange(s) {
  const width = s.box.clientWidth, told = s.d.preview.length > 0, set = (name, on) => s.box.classList.toggle(name, on);
  set("told", told);
  set("cards", width < NARROW);
  set("narrow", width >= NARROW && width < WIDE);
  set("roomy", width >= (told ? ROOMY : WIDE));
  s.row = width >= NARROW ? ROW : told ? CARD + LINE : CARD;
  s.box.style.setProperty("--row", `${s.row}px`);
  measure(s);
  render(s, true);
}

// --- the head

function heading(s, by) {
  const made = element("button", `sort ${by}`), { by: now, down } = s.sorted, word = s.word(`list.${by}`);
  made.append(tag("", by === "order" ? "#" : word), tag("way", by === now ? (down ? "▼" : "▲") : ""));
  made.setAttribute("aria-pressed", String(by === now));
  made.title = by === now ? `${word}, ${s.word(down ? "list.falling" : "list.rising")}` : word;
  made.setAttribute("aria-label", made.title);
  made.onclick = () => {
    s.sorted = { by, down: by === now ? !down : by !== "order" };
    const held = s.order[s.cursor];
    sort(s);
    if (held !== undefined) s.cursor = s.order.indexOf(held);
    headings(s);
    s.head.querySelector(`.${by}`).focus();
    s.live.textContent = s.head.querySelector(`.${by}`).title;
    s.list.scrollTop = 0;
    arrange(s);
  };
  return made;
}

function headings(s) {
  const [order, before, after, less] = SORTS.map((by) => heading(s, by)), both = element("span", "sizes");
  both.append(before, tag("to", ""), after);
  s.head.replaceChildren(order, tag("item", s.word("list.item")), both, less, tag("why", s.word("list.reason")));
}

// --- keys and pointer

function move(s, at) {
  const { rows } = s;
  rows.get(s.cursor)?.classList.remove("cursor");
  s.cursor = Math.max(0, Math.min(s.order.length - 1, at));
  reveal(s, s.cursor);
  render(s);
  rows.get(s.cursor)?.classList.add("cursor");
}

function pick(s, at) {
  s.selected = s.d.ids[s.order[at]];
  s.cursor = at;
  render(s, true);
  reveal(s, at);
  s.emit("picked", s.selected);
}

function keys(s, event) {
  const page = Math.max(1, Math.floor(s.list.clientHeight / s.row) - 1), here = s.cursor ?? -1, last = s.order.length - 1;
  const to = { ArrowDown: here + 1, ArrowUp: here - 1, PageDown: here + page, PageUp: here - page, Home: 0, End: last }[event.key];
  if (!plain(event) || last < 0) return;
  if (to !== undefined) move(s, to);
  else if (event.key === "Enter" && here >= 0) pick(s, here);
  else return;
  handled(event);
}

function start(root) {
  const find = (query) => root.querySelector(query), s = { box: find(".box"), head: find(".head"), list: find(".list"), tip: find(".tip"), live: find(".live") };
  Object.assign(s, { sheet: element("div", "sheet"), empty: element("p", "empty"), rows: new Map(), sorted: { by: "order", down: false }, row: ROW });
  s.sheet.setAttribute("role", "presentation");
  s.list.append(s.sheet, s.empty);
  const at = (event) => { const made = event.target.closest(".row"); return made ? Number(made.dataset.at) : undefined; };
  let asked = 0;
  s.list.addEventListener("scroll", () => {
    hideTip(s.tip);
    if (!asked) asked = requestAnimationFrame(() => { asked = 0; render(s); });
  });
  s.list.addEventListener("click", (event) => { if (at(event) !== undefined) pick(s, at(event)); });
  s.list.addEventListener("pointermove", (event) => {
    if (!event.target.closest(".why, .track, .preview") || event.pointerType === "touch") hideTip(s.tip);
    else card(s, s.order[at(event)], event);
  });
  s.list.addEventListener("pointerleave", () => hideTip(s.tip));
  s.list.addEventListener("keydown", (event) => keys(s, event));
  let width = 0;
  new ResizeObserver(() => {
    if (!s.d || s.box.clientWidth === width) return;
    width = s.box.clientWidth;
    arrange(s);
    reveal(s, s.place.get(s.selected));
  }).observe(s.box);
  return s;
}

function columns(s) {
  const { d } = s, longest = (texts, most) => Math.min(most, texts.reduce((length, text) => Math.max(length, text.length), 4));
  s.box.style.setProperty("--id", longest(d.ids, ID_MOST));
  s.box.style.setProperty("--digits", s.say.count(s.most).length);
  s.box.style.setProperty("--order", s.say.count(d.ids.length).length);
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = remember(parentElement, start), held = s.d && s.cursor !== undefined ? s.d.ids[s.order[s.cursor]] : undefined;
  const turned = s.selected !== data.selected;
  s.emit = setTriggerValue;
  s.d = data;
  s.word = (key) => data.words[key];
  s.say = numbers(data.words.lang);
  s.glyph = data.palette.glyph.fate;
  s.selected = data.selected;
  s.pinned = new Set(data.pinned);
  s.moved = new Set(data.moved);
  s.most = Math.max(1, data.before.reduce((most, n) => Math.max(most, n), 0), data.after.reduce((most, n) => Math.max(most, n), 0));
  dress(s.box, lookOf(s.box, data.palette));
  sort(s);
  s.cursor = s.place.get(held) ?? s.place.get(data.selected);
  s.list.setAttribute("aria-label", `${s.word("list.label")}. ${s.word("list.keys")}`);
  s.empty.textContent = s.word("list.empty");
  s.empty.hidden = data.ids.length > 0;
  columns(s);
  if (s.lang !== data.words.lang) headings(s); // else the focus stays on the heading that has it
  s.lang = data.words.lang;
  arrange(s);
  if (turned) reveal(s, s.place.get(s.selected));
}
