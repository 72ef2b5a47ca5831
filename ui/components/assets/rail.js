// The stages in a row. Left and right arrow move, Enter picks; a stage that has not run yet is blank.

function fact(className, text) {
  return element("div", `fact ${className}`, text);
}

function time(s, seconds) {
  const say = (n, digits) => new Intl.NumberFormat(s.lang, { maximumFractionDigits: digits }).format(n);
  return seconds < 1 ? fill(s.word("rail.millis"), { n: say(seconds * 1000, seconds < 0.01 ? 1 : 0) }) : fill(s.word("rail.seconds"), { n: say(seconds, 1) });
}

function fromTo(s, family, from, to) {
  const n = s.say.count;
  if (family === "items") return from === to ? fill(s.word("rail.items_same"), { n: n(to) }) : fill(s.word("rail.items"), { from: n(from), to: n(to) });
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

function stage(s, k) {
  const { d } = s, state = d.state[k], made = element("button", `stage ${state}`), head = element("div", "name", d.label[k]);
  made.setAttribute("role", "option");
  made.setAttribute("aria-selected", String(d.ids[k] === d.selected));
  made.tabIndex = k === s.cursor ? 0 : -1;
  made.dataset.stage = d.ids[k];
  if (d.problems[k]) {
    const badge = element("span", `badge ${d.severity[k]}`, String(d.problems[k]));
    badge.title = fill(s.word("rail.problems"), { n: d.problems[k] });
    head.append(badge);
  }
  made.append(head);
  if (state === "run") {
    made.append(fact("", fromTo(s, "items", d.items_in[k], d.items_out[k])), fact("", fromTo(s, "tokens", d.tokens_in[k], d.tokens_out[k])));
    made.append(bar(s, k), fact("time", time(s, d.seconds[k])));
  } else made.append(fact("blank", s.word(`rail.${state}`)), fact("reason", d.reason[k]));
  made.title = d.reason[k];
  made.onclick = () => { s.cursor = k; s.emit("picked", d.ids[k]); };
  const facts = [d.label[k], ...[...made.querySelectorAll(".fact")].map((node) => node.textContent), d.problems[k] ? fill(s.word("rail.problems"), { n: d.problems[k] }) : ""];
  made.setAttribute("aria-label", facts.filter(Boolean).join(", "));
  made.onfocus = () => { s.live.textContent = made.getAttribute("aria-label"); };
  return made;
}

function move(s, to) {
  const { stages } = s;
  s.cursor = Math.max(0, Math.min(stages.length - 1, to));
  stages.forEach((made, k) => { made.tabIndex = k === s.cursor ? 0 : -1; });
  stages[s.cursor].focus({ preventScroll: true });
  reveal(s, stages[s.cursor]);
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
  if (changed || s.cursor === undefined) s.cursor = Math.max(0, data.ids.indexOf(data.selected));
  dress(s.box, lookOf(s.box, data.palette));
  s.box.style.height = `${data.height}px`;
  s.list.setAttribute("aria-label", s.word("rail.label"));
  s.stages = data.ids.map((_, k) => stage(s, k));
  s.list.replaceChildren(...s.stages.flatMap((made, k) => (k ? [element("span", "arrow", "›"), made] : [made])));
  s.list.querySelectorAll(".arrow").forEach((arrow) => arrow.setAttribute("aria-hidden", "true"));
  reveal(s, s.stages[s.cursor]);
  if (focused) s.stages[s.cursor]?.focus({ preventScroll: true });
}
