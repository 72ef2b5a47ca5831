// The stages in a row. Left and right arrow pick the next one; a stage that has not run yet is blank.

const FATES = { kept: "kept", partly: "compressed", lost: "dropped" };
const SETTLED = 1500; // milliseconds after a key in which a pick of ours is newer than what Python says

function fact(className, text) {
  return element("div", `fact ${className}`, text);
}

function time(s, seconds) {
  const say = (n, digits) => new Intl.NumberFormat(s.lang, { maximumFractionDigits: digits }).format(n);
  return seconds < 1 ? fill(s.word("rail.millis"), { n: say(seconds * 1000, seconds < 0.01 ? 1 : 0) }) : fill(s.word("rail.seconds"), { n: say(seconds, 1) });
}

function fromTo(s, family, from, to) {
  const n = s.say.count;
  if (family === "items") return from === to ? fill(s.word(to === 1 ? "rail.item_same" : "rail.items_same"), { n: n(to) }) : fill(s.word("rail.items"), { from: n(from), to: n(to) });
  return from === to ? fill(s.word("tokens"), { n: n(to) }) : fill(s.word("rail.tokens"), { from: n(from), to: n(to) });
}

function bar(s, k) {
  const { d } = s, track = element("div", "track"), most = Math.max(1, ...d.tokens_in, ...d.tokens_out);
  const before = element("i", "before"), after = element("i", "after");
  before.style.width = `${(d.tokens_in[k] / most) * 100}%`;
  after.style.width = `${(d.tokens_out[k] / most) * 100}%`;
  track.append(before, after);
  return track;
}

function problems(s, k) {
  const n = s.d.problems[k];
  return fill(s.word(n === 1 ? "rail.problem" : "rail.problems"), { n });
}

// One mark for each text that must stay: still there word for word, only in part, or gone.
function lights(s, k) {
  const row = element("div", "lights"), told = s.d.lights[k], kept = told.filter((light) => light === "kept").length;
  row.append(...told.map((light) => element("i", light, s.glyph[FATES[light]])));
  row.title = fill(s.word("rail.lights"), { kept: s.say.count(kept), all: s.say.count(told.length) });
  row.setAttribute("aria-label", row.title);
  return row;
}

function stage(s, k) {
  const { d } = s, state = d.state[k], made = element("button", `stage ${state}`), head = element("div", "name");
  head.append(element("span", "label", d.label[k]));
  made.setAttribute("role", "option");
  made.dataset.stage = d.ids[k];
  if (d.problems[k]) {
    const badge = element("span", `badge ${d.severity[k]}`, String(d.problems[k]));
    badge.title = problems(s, k);
    head.append(badge);
  }
  made.append(head);
  if (state === "run") {
    made.append(fact("", fromTo(s, "items", d.items_in[k], d.items_out[k])), fact("", fromTo(s, "tokens", d.tokens_in[k], d.tokens_out[k])));
    made.append(bar(s, k), fact("time", [time(s, d.seconds[k]), d.change[k]].filter(Boolean).join(" · ")));
  } else made.append(fact("blank", s.word(`rail.${state}`)), fact("reason", d.reason[k]));
  if (state !== "waiting" && d.lights[k].length) made.append(lights(s, k));
  made.title = [d.label[k], d.reason[k]].filter(Boolean).join(": ");
  made.onclick = () => pick(s, k);
  const facts = [d.label[k], ...[...made.querySelectorAll(".fact")].map((node) => node.textContent), d.problems[k] ? problems(s, k) : ""];
  made.setAttribute("aria-label", facts.filter(Boolean).join(", "));
  made.onfocus = () => { s.live.textContent = made.getAttribute("aria-label"); };
  return made;
}

function pick(s, k) {
  s.cursor = k;
  s.pressed = performance.now();
  mark(s, s.d.state[k] === "waiting" ? s.d.selected : s.d.ids[k]);
  s.emit("picked", s.d.ids[k]);
}

function mark(s, selected) {
  s.stages.forEach((made, k) => {
    made.setAttribute("aria-selected", String(s.d.ids[k] === selected));
    made.tabIndex = k === s.cursor ? 0 : -1;
  });
}

function move(s, to) {
  const { stages } = s, at = Math.max(0, Math.min(stages.length - 1, to));
  if (at !== s.cursor) pick(s, at);
  stages[at].focus({ preventScroll: true });
  reveal(s, stages[at]);
}

// Scrolls the rail alone; scrollIntoView would move the page too.
function reveal(s, made) {
  if (!made) return;
  const { list } = s, left = made.offsetLeft - list.offsetLeft, right = left + made.offsetWidth;
  if (left < list.scrollLeft) list.scrollLeft = left - 24;
  else if (right > list.scrollLeft + list.clientWidth) list.scrollLeft = right - list.clientWidth + 24;
}

function start(root) {
  const find = (query) => root.querySelector(query), s = { root, box: find(".box"), list: find(".stages"), live: find(".live") };
  s.list.addEventListener("keydown", (event) => {
    const target = { ArrowRight: s.cursor + 1, ArrowLeft: s.cursor - 1, Home: 0, End: s.d.ids.length - 1 }[event.key];
    if (target === undefined || !plain(event)) return;
    move(s, target);
    handled(event);
  });
  return s;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = remember(parentElement, start), focused = s.list.matches(":focus-within");
  const changed = s.d?.selected !== data.selected || s.d?.ids.length !== data.ids.length;
  s.emit = setTriggerValue;
  s.d = data;
  s.lang = data.words.lang;
  s.word = (name) => data.words[name];
  s.say = numbers(s.lang);
  s.glyph = data.palette.glyph.fate;
  const ours = performance.now() - s.pressed < SETTLED && s.cursor < data.ids.length;
  if (s.cursor === undefined || (changed && !ours)) s.cursor = Math.max(0, data.ids.indexOf(data.selected));
  s.look = lookOf(s.box, data.palette);
  dress(s.box, s.look);
  s.box.style.height = `${data.height}px`;
  s.list.setAttribute("aria-label", s.word("rail.label"));
  s.stages = data.ids.map((_, k) => stage(s, k));
  mark(s, ours && data.state[s.cursor] !== "waiting" ? data.ids[s.cursor] : data.selected);
  s.list.replaceChildren(...s.stages.flatMap((made, k) => (k ? [element("span", "arrow", "›"), made] : [made])));
  s.list.querySelectorAll(".arrow").forEach((arrow) => arrow.setAttribute("aria-hidden", "true"));
  reveal(s, s.stages[s.cursor]);
  picturesOf(s, "stages", s.list);
  if (focused) s.stages[s.cursor]?.focus({ preventScroll: true });
}
