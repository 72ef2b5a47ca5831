// Every item as a bar over the budget axis where it is in. The line is dragged, and the picture follows, without the
// server: all breakpoints are here. Each repaint is timed; the box says how long 95 in 100 of them took.

const HEAD = 30, FOOT = 6, ROW = 16, KEPT = 400, IDLE = 1200; // KEPT: repaints that the measure looks back on; IDLE: ms

function inside(spans, at) {
  let low = 0, high = spans.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (spans[2 * middle] > at) high = middle - 1;
    else if (spans[2 * middle + 1] <= at) low = middle + 1;
    else return true;
  }
  return false;
}

// The last breakpoint at or before a budget: between two of them nothing changes.
function floorOf(points, at) {
  let low = 0, high = points.length - 1, found = -1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (points[middle] <= at) [found, low] = [middle, middle + 1];
    else high = middle - 1;
  }
  return found;
}

function snap(s, at) {
  const { stops } = s, k = floorOf(stops, at), next = stops[k + 1];
  return next !== undefined && next - at < at - stops[Math.max(0, k)] ? next : stops[Math.max(0, k)];
}

function measure(s) {
  const { d } = s, many = d.ids.length, room = s.height - HEAD - FOOT;
  s.row = s.rows ? ROW : Math.min(ROW, room / Math.max(1, many));
  s.left = s.row >= 11 && s.width > 560 ? 168 : 6;
  s.inner = s.width - s.left - 12;
  s.view = [d.start, s.whole ? d.stop : d.near];
  s.span = Math.max(1, s.view[1] - s.view[0]);
  s.deepest = Math.max(0, many * s.row - room);
  s.scroll = Math.min(s.scroll, s.deepest);
  s.x = (at) => s.left + ((Math.min(Math.max(at, s.view[0]), s.view[1]) - s.view[0]) / s.span) * s.inner;
  s.at = (x) => s.view[0] + ((x - s.left) / s.inner) * s.span;
}

function paintAxis(s, g) {
  const { d, look } = s, unit = d.share ? d.window / 100 : 1; // round numbers of what the axis is told in
  const most = Math.max(2, Math.floor(s.inner / 90)), rough = s.span / unit / most;
  const power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough) * unit;
  g.font = `11px ${look.font}`;
  g.textBaseline = "top";
  g.textAlign = "center";
  for (let k = Math.ceil(s.view[0] / step); k * step <= s.view[1]; k += 1) {
    const at = k * step, x = Math.round(s.x(at));
    g.fillStyle = look.faint;
    g.fillRect(x, HEAD, 1, s.height - HEAD);
    g.fillStyle = look.quiet;
    const text = d.share ? s.say.percent(at / d.window) : s.say.count(at), half = widthOf(g, text) / 2;
    g.fillText(text, Math.min(Math.max(x, s.left + half), s.width - 12 - half), 2);
  }
  ticks(s, g, d.points, look.line, 5);
  ticks(s, g, d.flips, look.colours.fate.dropped[0], 9);
}

// Ticks that fall on one pixel are one tick.
function ticks(s, g, points, colour, length) {
  let last = -1;
  g.fillStyle = colour;
  for (const at of points) {
    const x = Math.round(s.x(at));
    if (at >= s.view[0] && at <= s.view[1] && x !== last) g.fillRect((last = x), HEAD - 3 - length, 1, length);
  }
}

function paintRows(s, g) {
  const { d, look, row } = s, bottom = s.height - FOOT, gap = row > 5 ? 2 : row > 2.4 ? 0.6 : 0;
  const first = Math.max(0, Math.floor(s.scroll / row)), last = Math.min(d.ids.length, Math.ceil((s.scroll + bottom - HEAD) / row));
  g.save();
  g.beginPath();
  g.rect(0, HEAD, s.width, bottom - HEAD);
  g.clip();
  g.textBaseline = "middle";
  g.textAlign = "left";
  for (let i = first; i < last; i += 1) {
    const y = HEAD + i * row - s.scroll, there = inside(d.spans[i], s.now);
    g.fillStyle = look.colours.source[d.source[i]][0];
    bars(s, g, d.spans[i], y, Math.max(0.5, row - gap), there ? 1 : 0.3);
    if (d.short[i].length) {
      g.fillStyle = look.ground;
      bars(s, g, d.short[i], y + (row - gap) * 0.62, (row - gap) * 0.38, 0.72);
    }
    if (s.left < 100) continue;
    g.globalAlpha = there ? 1 : 0.55;
    g.fillStyle = look.text;
    g.font = `${there ? 600 : 400} 11px ${look.font}`;
    g.fillText(shorten(g, d.label[i], s.left - 12), 4, y + row / 2);
  }
  g.restore();
}

function bars(s, g, spans, y, height, alpha) {
  g.globalAlpha = alpha;
  for (let k = 0; k < spans.length; k += 2) {
    if (spans[k] > s.view[1] || spans[k + 1] <= s.view[0]) continue;
    const x = s.x(spans[k]);
    g.fillRect(x, y, Math.max(0.7, s.x(spans[k + 1]) - x), height);
  }
  g.globalAlpha = 1;
}

function paintLine(s, g) {
  const { look, d } = s;
  for (const [at, colour, wide] of [[d.now, look.quiet, 1], [s.now, look.accent, 2]]) {
    if (at > s.view[1]) continue;
    const x = Math.round(s.x(at));
    g.fillStyle = colour;
    g.fillRect(x - wide / 2, HEAD - 4, wide, s.height - HEAD);
  }
  const x = s.x(s.now);
  g.beginPath();
  g.arc(x, HEAD - 5, 6, 0, 2 * Math.PI);
  g.fill();
  if (s.over >= 0) {
    g.strokeStyle = look.text;
    g.strokeRect(s.left + 0.5, Math.round(HEAD + s.over * s.row - s.scroll) + 0.5, s.inner, Math.max(2, Math.round(s.row) - 1));
  }
}

function tell(s) {
  const { d } = s, k = floorOf(d.points, s.now), here = k >= 0 && d.points[k] === s.now ? k : -1;
  let items = 0, tokens = 0;
  d.spans.forEach((spans, i) => inside(spans, s.now) && ((items += 1), (tokens += d.tokens[i])));
  s.said.at.textContent = d.share ? `${s.say.percent(s.now / d.window)} · ${s.say.count(s.now)}` : s.say.count(s.now);
  s.said.held.textContent = fill(s.word("survival.held"), { n: s.say.count(items), all: s.say.count(d.all), tokens: s.say.count(tokens) });
  const names = (which) => (here < 0 ? [] : which[here].map((i) => d.ids[i]));
  const [came, went] = [names(d.enters), names(d.leaves)];
  s.said.change.replaceChildren(
    element("span", "gain", came.length ? `+ ${came.slice(0, 6).join(", ")}${came.length > 6 ? ` +${came.length - 6}` : ""}  ` : ""),
    element("span", "loss", went.length ? `× ${went.slice(0, 6).join(", ")}${went.length > 6 ? ` +${went.length - 6}` : ""}` : ""),
  );
  s.said.apply.disabled = s.now === d.now;
  s.said.apply.textContent = fill(s.word("survival.apply"), { n: s.said.at.textContent });
  s.top.setAttribute("aria-valuenow", s.now);
  s.top.setAttribute("aria-valuetext", `${s.said.at.textContent}: ${s.said.held.textContent}`);
}

function repaint(s) {
  const began = performance.now();
  const g = s.g;
  g.clearRect(0, 0, s.width, s.height);
  paintAxis(s, g);
  paintRows(s, g);
  paintLine(s, g);
  tell(s);
  s.times.push(performance.now() - began);
  if (s.times.length > KEPT) s.times.shift();
}

function publish(s) {
  const sorted = [...s.times].sort((a, b) => a - b);
  s.box.dataset.repaints = s.times.length;
  s.box.dataset.p95 = sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))].toFixed(2);
}

function moveTo(s, at) {
  const next = Math.min(s.d.stop, Math.max(s.d.start, at));
  if (next === s.now) return;
  s.now = next;
  repaint(s);
}

function rowAt(s, event) {
  const y = event.offsetY - HEAD + s.scroll, i = Math.floor(y / s.row);
  return event.offsetY > HEAD && i >= 0 && i < s.d.ids.length ? i : -1;
}

function describe(s, i) {
  const { d } = s, name = (at) => (at > d.stop ? "…" : d.share ? `${s.say.percent(at / d.window)} (${s.say.count(at)})` : s.say.count(at));
  const lines = [];
  for (let k = 0; k < d.spans[i].length && k < 8; k += 2)
    lines.push(fill(s.word("survival.span"), { from: name(d.spans[i][k]), to: name(d.spans[i][k + 1]) }));
  if (!lines.length) lines.push(s.word("survival.never"));
  return [d.label[i], `${s.word(`source.${d.source[i]}`)} · ${s.say.count(d.tokens[i])}`, ...lines, d.preview[i]];
}

function listen(s, root) {
  const top = s.top;
  top.addEventListener("pointerdown", (event) => {
    s.drag = { x: event.offsetX, row: rowAt(s, event), moved: false };
    top.setPointerCapture(event.pointerId);
    if (event.offsetY <= HEAD) moveTo(s, snap(s, s.at(event.offsetX)));
  });
  top.addEventListener("pointermove", (event) => {
    if (s.drag && (s.drag.moved || Math.abs(event.offsetX - s.drag.x) > 3)) {
      s.drag.moved = true;
      hideTip(s.tip);
      return moveTo(s, event.shiftKey ? Math.round(s.at(event.offsetX)) : snap(s, s.at(event.offsetX)));
    }
    const row = rowAt(s, event);
    if (row !== s.over) {
      s.over = row;
      repaint(s);
    }
    return row < 0 ? hideTip(s.tip) : showTip(s.tip, describe(s, row), event);
  });
  top.addEventListener("pointerup", () => {
    if (s.drag && !s.drag.moved && s.drag.row >= 0) s.send(s.d.ids[s.drag.row]);
    s.drag = null;
    publish(s);
  });
  top.addEventListener("pointerleave", () => {
    hideTip(s.tip);
    s.over = -1;
    repaint(s);
  });
  top.addEventListener("wheel", (event) => {
    if (!s.deepest) return;
    event.preventDefault();
    s.scroll = Math.min(s.deepest, Math.max(0, s.scroll + event.deltaY));
    repaint(s);
  }, { passive: false });
  top.addEventListener("keydown", (event) => {
    const { stops } = s, k = floorOf(stops, s.now), here = stops[k] === s.now;
    const goal = { ArrowRight: stops[k + 1], ArrowLeft: stops[here ? k - 1 : k], Home: stops[0], End: stops[stops.length - 1] }[event.key];
    if (event.key === "Enter") s.send(`@${s.now}`);
    else if (goal === undefined) return;
    else moveTo(s, goal);
    if (!plain(event)) return;
    handled(event);
    s.live.textContent = s.top.getAttribute("aria-valuetext");
    publish(s);
  });
  s.said.apply.addEventListener("click", () => s.send(`@${s.now}`));
  s.said.rows.addEventListener("click", () => flip(s, "rows"));
  s.said.whole.addEventListener("click", () => flip(s, "whole"));
  new ResizeObserver(() => root.isConnected && draw(s)).observe(s.box);
}

// A sketch is drawn at once; when nobody has asked for anything else for a while, the exact picture is sent for.
function sendForMore(s) {
  clearTimeout(s.later);
  if (!s.d.more) return;
  s.later = setTimeout(() => (s.drag ? sendForMore(s) : s.box.isConnected && s.send(s.d.more)), IDLE);
}

function flip(s, what) {
  s[what] = !s[what];
  draw(s);
}

function draw(s) {
  const width = Math.floor(s.box.clientWidth);
  if (!width) return;
  s.width = width;
  s.height = s.rows ? s.d.height : Math.min(s.d.height, HEAD + FOOT + s.d.ids.length * ROW);
  measure(s);
  s.g = sized(s.top, width, s.height);
  const fits = s.d.ids.length * ROW <= s.d.height - HEAD - FOOT;
  s.said.rows.hidden = fits;
  s.said.rows.textContent = s.word(s.rows ? "survival.all" : "survival.rows");
  s.said.whole.hidden = s.d.near >= s.d.stop;
  s.said.whole.textContent = s.word(s.whole ? "survival.near" : "survival.whole");
  const { colours } = s.look, present = [...new Set(s.d.source)];
  legend(s.box.querySelector(".legend"), [
    ...present.map((name) => [colours.source[name], "", s.word(`source.${name}`)]),
    [colours.fate.dropped, "", s.word("survival.flip")],
  ]);
  repaint(s);
  publish(s);
}

function create(root) {
  const box = root.querySelector(".survival"), said = box.querySelector(".said"), top = box.querySelector(".top");
  const parts = { at: element("b"), held: element("span"), space: element("span", "space") };
  parts.rows = element("button", "rows");
  parts.whole = element("button", "whole");
  parts.apply = element("button", "apply");
  said.append(...Object.values(parts));
  parts.change = box.querySelector(".change");
  const s = { box, top, canvas: top, said: parts, tip: box.querySelector(".tip"), live: box.querySelector(".live"), scroll: 0, over: -1, times: [], rows: false, whole: false };
  top.setAttribute("role", "slider");
  return s;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = remember(parentElement, create), fresh = !s.d;
  const again = fresh || s.d.over !== data.over || s.d.now !== data.now || s.d.revision !== data.revision;
  s.d = data;
  s.look = lookOf(parentElement.host ?? parentElement, data.palette);
  s.say = numbers(data.words.lang);
  s.word = (name) => data.words[name];
  s.send = (what) => setTriggerValue("picked", what);
  s.stops = [...new Set([data.start, ...data.points, data.now])].sort((a, b) => a - b);
  dress(s.box, s.look);
  if (again) s.now = data.now;
  s.top.setAttribute("aria-label", fill(s.word("survival.label"), { name: data.over }));
  s.top.setAttribute("aria-valuemin", data.start);
  s.top.setAttribute("aria-valuemax", data.stop);
  if (fresh) listen(s, parentElement);
  draw(s);
  sendForMore(s);
  pictures(s, "canvas", "survival", (own) => { own.g = sized(own.canvas, own.width, own.height); repaint(own); });
}
