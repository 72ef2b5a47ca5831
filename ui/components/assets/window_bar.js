// One bar for the whole window. What lies beyond the room is covered in red; the reserve is hatched at the end.

const FREE = new Set(["free", "reserve"]);
const LEADING = 3; // sources that are named before the ticks are
const GAP = 10, NUDGE = 16; // pixels between two labels; by which one may stand beside its place

function segment(s, k) {
  const { d } = s, name = d.source[k], made = element("button", `segment ${name}`);
  made.style.cssText = `left:${share(s, d.start[k])};width:${share(s, d.tokens[k])};background-color:var(--source-${name});color:var(--source-${name}-ink)`;
  made.tabIndex = k === s.cursor ? 0 : -1;
  made.setAttribute("aria-label", about(s, k).filter(Boolean).join(", "));
  if (d.pickable && !FREE.has(name)) {
    made.setAttribute("aria-pressed", String(d.ids[k] === d.selected));
    made.onclick = () => { s.cursor = k; s.emit("picked", d.ids[k]); };
  }
  made.onpointermove = (event) => showTip(s.tip, about(s, k), event);
  made.onpointerleave = () => hideTip(s.tip);
  made.onfocus = () => { s.live.textContent = made.getAttribute("aria-label"); };
  return made;
}

function share(s, tokens) {
  return `${(tokens / s.scale) * 100}%`;
}

function about(s, k) {
  const { d } = s;
  return [
    d.label[k] || s.word(`source.${d.source[k]}`),
    `${fill(s.word("tokens"), { n: s.say.count(d.tokens[k]) })} · ${fill(s.word("of_window"), { share: s.say.percent(d.tokens[k] / d.window) })}`,
    d.note[k],
    d.change[k],
  ];
}

function mark(s, className, at, text) {
  const made = element("span", className);
  made.style.left = share(s, at);
  made.title = text;
  return made;
}

function build(s) {
  const { d } = s, room = d.window - d.reserve, used = d.used, parts = d.ids.map((_, k) => segment(s, k));
  s.segments = parts;
  if (used > room) {
    const over = element("span", "beyond");
    over.style.cssText = `left:${share(s, room)};width:${share(s, used - room)}`;
    parts.push(over);
  }
  const limits = d.limits.map(([name, at]) => mark(s, "limit", at, fill(s.word("bar.limit"), { name, n: s.say.count(at) })));
  s.track.replaceChildren(...parts, ...limits, mark(s, "room", room, fill(s.word("bar.room"), { n: s.say.count(room) })));
  if (used > d.window) s.track.append(mark(s, "room end", d.window, fill(s.word("bar.window"), { n: s.say.count(d.window) })));
}

// Labels under the bar, as long as they do not meet: what is over, the largest sources, the ticks, then the rest.
function labels(s) {
  const { d } = s, room = d.window - d.reserve, taken = [], largest = d.ids.map((_, k) => k).sort((a, b) => d.tokens[b] - d.tokens[a]);
  const [used, beside] = [false, true].map((free) => largest.filter((k) => FREE.has(d.source[k]) === free)), chosen = new Map();
  const text = (k) => `${d.label[k] || s.word(`source.${d.source[k]}`)} ${s.say.count(d.tokens[k])}${d.change[k] && ` (${d.change[k]})`}`;
  const made = new Map(used.map((k) => [k, element("span", "label source", text(k))]));
  made.forEach((label, k) => label.style.setProperty("--c", `var(--source-${d.source[k]})`));
  s.under.replaceChildren(...made.values());
  if (d.used > room) put(s, taken, `${s.word("source.over")} ${s.say.count(d.used - room)}`, room, d.used, "red");
  choose(s, made, chosen, used.slice(0, LEADING), taken);
  const held = [...taken, ...chosen.values()];
  for (const [key, at] of d.reserve ? [["bar.room", room], ["bar.window", d.window]] : [["bar.room", room]]) {
    const place = put(s, held, fill(s.word(key), { n: s.say.count(at) }), at, at, "tick");
    if (place) taken.push(place);
  }
  choose(s, made, chosen, used.slice(LEADING), taken);
  made.forEach((label, k) => { if (chosen.has(k)) label.style.left = `${chosen.get(k)[0]}px`; else label.remove(); });
  const all = [...taken, ...chosen.values()];
  for (const k of beside) put(s, all, text(k), d.start[k], d.start[k] + d.tokens[k], "");
}

// Adds those of `more` that find a place beside the ones that have one, to `chosen`: the stretch of each label.
function choose(s, made, chosen, more, taken) {
  for (const k of more) {
    const places = packed(s, made, [...chosen.keys(), k], taken);
    places?.forEach((place, key) => chosen.set(key, place));
  }
}

// Each label where its segment begins, or pushed on to the right: a little, or as far as under the free room.
function packed(s, made, keys, taken) {
  const { d } = s, width = s.track.clientWidth, at = (tokens) => (tokens / s.scale) * width, places = new Map();
  let edge = -GAP;
  for (const k of keys.sort((a, b) => d.start[a] - d.start[b])) {
    const size = made.get(k).offsetWidth, own = Math.max(0, Math.min(at(d.start[k]), width - size)), left = Math.max(own, edge + GAP);
    const mistaken = left - own > NUDGE && left < at(d.used);
    if (mistaken || left + size > width + 1 || meets(taken, left, size, GAP)) return undefined;
    places.set(k, [left, left + size]);
    edge = left + size;
  }
  return places;
}

function meets(taken, left, size, gap) {
  return taken.some(([from, to]) => left < to + gap && left + size + gap > from);
}

// Puts a text where its stretch begins or ends, or in its middle; a tick's stands before it or after it.
function put(s, taken, text, from, to, className) {
  const width = s.track.clientWidth, at = (tokens) => (tokens / s.scale) * width, tick = className === "tick";
  const made = element("span", `label ${className}`, text);
  s.under.append(made);
  const size = made.offsetWidth + (tick ? 2 : 0), [start, end] = [at(from), at(to)], last = Math.max(0, Math.min(start + 3, width - size));
  const places = tick ? [end - size, start - 1] : className ? [last] : [start, end - size, (start + end - size) / 2, (start + 3 * (end - size)) / 4].filter(() => end - start >= size);
  const left = places.find((place) => place >= -1 && place + size <= width + 1 && !meets(taken, place, size, tick ? 2 : GAP));
  if (left === undefined) return made.remove();
  if (tick) made.classList.add(left < start - 2 ? "before" : "after");
  made.style.left = `${left}px`;
  taken.push([left, left + size]);
  return taken.at(-1);
}

function start(root) {
  const find = (query) => root.querySelector(query);
  const s = { box: find(".box"), sheetRoot: find(".whole"), track: find(".track"), under: find(".under"), tip: find(".tip"), live: find(".live"), cursor: 0 };
  s.track.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !plain(event)) return;
    s.cursor = Math.max(0, Math.min(s.d.ids.length - 1, s.cursor + by));
    s.segments.forEach((made, k) => { if (k < s.d.ids.length) made.tabIndex = k === s.cursor ? 0 : -1; });
    s.segments[s.cursor].focus();
    handled(event);
  });
  new ResizeObserver(() => s.d && labels(s)).observe(s.track);
  return s;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = remember(parentElement, start), held = s.track.contains(parentElement.activeElement || null);
  s.emit = setTriggerValue;
  s.d = data;
  s.word = (name) => data.words[name];
  s.say = numbers(data.words.lang);
  s.scale = Math.max(data.window, data.used, 1);
  s.cursor = Math.min(s.cursor, Math.max(0, data.ids.length - 1));
  s.look = lookOf(s.box, data.palette);
  dress(s.box, s.look);
  s.box.style.height = `${data.height}px`;
  s.track.classList.toggle("pickable", data.pickable);
  s.track.setAttribute("aria-label", s.word("bar.label"));
  build(s);
  labels(s);
  picturesOf(s, "window", s.sheetRoot);
  if (held) s.segments[s.cursor]?.focus();
}
