// A row an item: what it is, then what each side did with it, by which rule and why.

const GLYPH = { "whole": "kept", "shorter": "compressed", "merged": "moved", "lost": "dropped", "absent": "kept" };

function side(s, [end, tokens, rule, why], name) {
  const made = element("span", "side"), mark = element("span", "mark", s.look.glyph.fate[GLYPH[end]]), told = element("span", "told");
  mark.style.cssText = `background:var(--fate-${GLYPH[end]});color:var(--fate-${GLYPH[end]}-ink)`;
  told.append(element("span", "end", s.word(`flip.${end}`)), tokens ? ` · ${s.say.count(tokens)} ` : " ", element("span", "rule", rule));
  made.append(mark, told, element("span", "why", why));
  made.title = name;
  return made;
}

function row(s, [id, source, tokens, preview, first, second]) {
  const made = element("button", "row"), colour = element("span", "colour"), item = element("span", "item");
  colour.style.setProperty("--c", `var(--source-${source})`);
  item.append(element("span", "id", id), element("span", "about", `${s.word(`source.${source}`)} · ${s.say.count(tokens)}`), element("span", "preview", preview));
  made.append(colour, item, side(s, first, s.d.names[0]), side(s, second, s.d.names[1]));
  made.dataset.item = id;
  made.onclick = () => s.emit("picked", id);
  return made;
}

function build(s) {
  s.head.replaceChildren(...["", s.word("list.item"), ...s.d.names].map((text) => element("span", "", text)));
  const made = s.d.rows.map((one) => row(s, one));
  if (!made.length) made.push(element("p", "none", s.word("flip.none")));
  if (s.d.left_out) made.push(element("p", "none", fill(s.word("flip.more"), { n: s.say.count(s.d.left_out) })));
  s.list.replaceChildren(...made);
}

function start(root) {
  const find = (query) => root.querySelector(query), s = { box: find(".box"), list: find(".list"), head: find(".head") };
  s.list.addEventListener("keydown", (event) => {
    const rows = [...s.list.querySelectorAll(".row")], by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || !plain(event) || !rows.length) return;
    rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(event.target) + by))].focus();
    handled(event);
  });
  return s;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = remember(parentElement, start), now = JSON.stringify([data.rows, data.names, data.words.lang]);
  s.emit = setTriggerValue;
  s.d = data;
  s.word = (name) => data.words[name];
  s.say = numbers(data.words.lang);
  s.look = lookOf(s.box, data.palette);
  dress(s.box, s.look);
  s.box.style.height = `${Math.min(data.height, 30 + 74 * Math.max(1, data.rows.length))}px`;
  s.list.setAttribute("aria-label", s.word("flip.label"));
  if (s.now !== now) { s.now = now; build(s); }
  for (const one of s.list.querySelectorAll(".row")) one.setAttribute("aria-pressed", String(one.dataset.item === data.selected));
}
