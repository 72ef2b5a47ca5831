// One bar for the whole window. What lies beyond the room is covered in red; the reserve is hatched at the end.

function segment(s, k) {
  const { d } = s, name = d.source[k], made = element("button", `segment ${name}`);
  made.style.cssText = `left:${share(s, d.start[k])};width:${share(s, d.tokens[k])};background-color:var(--source-${name});color:var(--source-${name}-ink)`;
  made.tabIndex = k === s.cursor ? 0 : -1;
  made.setAttribute("aria-label", about(s, k).filter(Boolean).join(", "));
  made.setAttribute("aria-pressed", String(d.ids[k] === d.selected));
  made.onclick = () => { s.cursor = k; s.emit("picked", d.ids[k]); };
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

// Labels under the bar, each where its segment begins, as long as they do not meet; the largest come first.
function labels(s) {
  const { d } = s, width = s.track.clientWidth, order = d.ids.map((_, k) => k).sort((a, b) => d.tokens[b] - d.tokens[a]), taken = [];
  s.under.replaceChildren();
  const put = (text, at, className) => {
    const made = element("span", `label ${className}`, text);
    s.under.append(made);
    const size = made.offsetWidth, left = Math.max(0, Math.min(at, width - size));
    if (taken.some(([from, to]) => left < to + 10 && left + size + 10 > from)) return made.remove();
    made.style.left = `${left}px`;
    taken.push([left, left + size]);
    return undefined;
  };
  if (d.used > d.window - d.reserve)
    put(`${s.word("source.over")} ${s.say.count(d.used - d.window + d.reserve)}`, ((d.window - d.reserve) / s.scale) * width, "red");
  for (const k of order) put(`${d.label[k] || s.word(`source.${d.source[k]}`)} ${s.say.count(d.tokens[k])}`, (d.start[k] / s.scale) * width, "");
}

function start(root) {
  const find = (query) => root.querySelector(query);
  const s = { box: find(".box"), track: find(".track"), under: find(".under"), tip: find(".tip"), live: find(".live"), cursor: 0 };
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
  dress(s.box, lookOf(s.box, data.palette));
  s.box.style.height = `${data.height}px`;
  s.track.setAttribute("aria-label", s.word("bar.label"));
  build(s);
  labels(s);
  if (held) s.segments[s.cursor]?.focus();
}
