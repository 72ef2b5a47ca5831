// The payload along its tokens: above, the recall that a fact at that place can expect; below, the blocks themselves.

const LEFT = 46, RIGHT = 14, TOP = 22, AXIS = 30, LANE = 18; // LANE: the strip for flags and their labels

function niceStep(span, most) {
  const rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= rough);
}

function ticks(low, high, most) {
  const step = niceStep(high - low, most), first = Math.ceil(low / step - 1e-9), made = [];
  for (let k = first; k * step <= high + step * 1e-9; k += 1) made.push(k * step || 0); // no −0
  return made;
}

function scales(s) {
  const { d } = s, plot = Math.round((s.height - TOP - AXIS - LANE) * 0.56);
  const low = Math.min(...d.curve_y), high = Math.max(...d.curve_y), pad = Math.max(0.01, (high - low) * 0.12);
  const [bottom, top] = [Math.max(0, low - pad), Math.min(1, high + pad)];
  s.total = Math.max(1, d.total);
  s.plot = { top: TOP, bottom: TOP + plot };
  s.strip = { top: TOP + plot + LANE, bottom: s.height - AXIS };
  s.inner = s.width - LEFT - RIGHT;
  s.x = (token) => LEFT + (token / s.total) * s.inner;
  s.y = (recall) => s.plot.bottom - ((recall - bottom) / (top - bottom)) * (s.plot.bottom - s.plot.top);
  s.range = [bottom, top];
}

function recallAt(d, token) {
  const { curve_x: xs, curve_y: ys } = d;
  let k = xs.findIndex((x) => x >= token);
  if (k < 0) k = xs.length - 1;
  if (k === 0) return ys[0];
  const share = (token - xs[k - 1]) / (xs[k] - xs[k - 1] || 1);
  return ys[k - 1] + (ys[k] - ys[k - 1]) * Math.min(1, share);
}

function paintAxes(s, g) {
  const { look } = s;
  g.font = `11px ${look.font}`;
  g.lineWidth = 1;
  g.textBaseline = "middle";
  g.textAlign = "right";
  for (const value of ticks(...s.range, Math.max(2, Math.floor((s.plot.bottom - s.plot.top) / 22)))) {
    const y = Math.round(s.y(value)) + 0.5;
    g.fillStyle = look.faint;
    g.fillRect(LEFT, y - 0.5, s.inner, 1);
    g.fillStyle = look.quiet;
    g.fillText(s.say.percent(value), LEFT - 6, y);
  }
  g.textBaseline = "top";
  g.textAlign = "center";
  const unit = s.word("map.x"), edge = s.width - RIGHT - widthOf(g, unit) - 12;
  for (const value of ticks(0, s.total, Math.max(2, Math.floor(s.inner / 90)))) {
    const x = Math.round(s.x(value)) + 0.5, half = widthOf(g, s.say.count(value)) / 2;
    g.fillStyle = look.line;
    g.fillRect(x, s.strip.bottom, 1, 4);
    g.fillStyle = look.quiet;
    if (x + half < edge) g.fillText(s.say.count(value), Math.max(x, LEFT - 30 + half), s.strip.bottom + 7);
  }
  g.textAlign = "right";
  g.fillText(unit, s.width - RIGHT, s.strip.bottom + 7);
  g.textAlign = "left";
  g.fillStyle = look.text;
  g.fillText(s.word("map.y"), 4, 3);
  g.fillStyle = look.line;
  g.fillRect(LEFT, s.strip.bottom, s.inner, 1);
}

function paintTrough(s, g) {
  g.fillStyle = s.look.colours.source.over[0];
  for (const [from, to] of s.d.trough) {
    g.globalAlpha = 0.09;
    g.fillRect(s.x(from), s.plot.top, s.x(to) - s.x(from), s.strip.bottom - s.plot.top);
    g.globalAlpha = 1;
  }
}

function paintCurve(s, g) {
  const { d } = s;
  g.beginPath();
  d.curve_x.forEach((x, k) => g[k ? "lineTo" : "moveTo"](s.x(x), s.y(d.curve_y[k])));
  g.strokeStyle = s.look.text;
  g.lineWidth = 1.75;
  g.lineJoin = "round";
  g.stroke();
}

// Blocks narrower than a pixel melt into their neighbours; of those, the tallest shows.
function paintBlocks(s, g) {
  const { d } = s, { top, bottom } = s.strip, full = bottom - top;
  for (let i = 0; i < d.ids.length; i += 1) {
    const x = s.x(d.start[i]), w = s.x(d.start[i] + d.tokens[i]) - x, h = blockHeight(d, i, full);
    g.fillStyle = s.look.colours.source[d.source[i]][0];
    g.fillRect(x, bottom - h, Math.max(0.8, w - (w > 4 ? 1 : 0)), h);
    if (d.pinned[i] && w > 3) hatch(g, x, bottom - h, w - 1, h, s.look.colours.source[d.source[i]][1]);
  }
  g.fillStyle = s.look.quiet;
  d.groups.forEach(([from, to]) => bracket(g, s.x(from), s.x(to), bottom + 2));
  if (d.prefix) {
    g.fillStyle = s.look.accent;
    g.fillRect(LEFT, bottom, s.x(d.prefix) - LEFT, 3);
  }
  g.fillStyle = s.look.quiet;
  if (d.messages.length * 3 < s.inner)
    for (const token of d.messages) g.fillRect(Math.round(s.x(token)), bottom, 1, 7);
}

function hatch(g, x, y, w, h, colour) {
  g.save();
  g.beginPath();
  g.rect(x, y, w, h);
  g.clip();
  g.beginPath();
  for (let at = x - h; at < x + w; at += 6) {
    g.moveTo(at, y + h);
    g.lineTo(at + h, y);
  }
  g.globalAlpha = 0.45;
  g.strokeStyle = colour;
  g.lineWidth = 1.2;
  g.stroke();
  g.restore();
}

function bracket(g, from, to, y) {
  if (to - from < 4) return;
  g.fillRect(from + 1, y + 3, to - from - 2, 1);
  g.fillRect(from + 1, y, 1, 4);
  g.fillRect(to - 2, y, 1, 4);
}

function blockHeight(d, i, full) {
  return Math.max(5, full * (0.14 + 0.86 * d.importance[i]));
}

function label(s, g, i) {
  const [x, y, w, h] = rectOf(s, i);
  if (w < 36 || h < 16) return;
  g.fillStyle = s.look.colours.source[s.d.source[i]][1];
  g.font = `600 11px ${s.look.font}`;
  g.textAlign = "left";
  g.textBaseline = "top";
  g.fillText(shorten(g, s.d.label[i], w - 9), x + 4, y + h - 15);
}

function rectOf(s, i) {
  const { d } = s, { top, bottom } = s.strip, x = s.x(d.start[i]), h = blockHeight(d, i, bottom - top);
  return [x, bottom - h, Math.max(0.8, s.x(d.start[i] + d.tokens[i]) - x), h];
}

// A flag sits over the middle of its block; its label is drawn where no earlier one is in the way.
function paintFlags(s, g) {
  const { d, look } = s, y = s.strip.top - LANE;
  let free = LEFT;
  g.textAlign = "left";
  g.textBaseline = "middle";
  g.font = `11px ${look.font}`;
  s.flagged.forEach((i, k) => {
    const middle = s.x(d.start[i] + d.tokens[i] / 2), [, top] = rectOf(s, i), next = s.flagged[k + 1];
    g.fillStyle = look.colours.source.over[0];
    triangle(g, middle, y + 5);
    g.fillRect(middle - 0.5, y + 13, 1, Math.max(0, top - y - 13));
    const room = (next === undefined ? s.width - 4 : s.x(d.start[next] + d.tokens[next] / 2) - 8) - middle - 9, width = widthOf(g, d.note[i]);
    g.fillStyle = look.text;
    if (width <= room && middle + 9 >= free) {
      g.fillText(d.note[i], middle + 9, y + 9.5);
      free = middle + 15 + width;
    } else if (middle - 9 - width >= free && (k === s.flagged.length - 1 || room < width)) {
      g.fillText(d.note[i], middle - 9 - width, y + 9.5);
    }
    free = Math.max(free, middle + 9); // no later label over this flag
  });
}

function triangle(g, x, y) {
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(x + 5.5, y + 9);
  g.lineTo(x - 5.5, y + 9);
  g.fill();
}

function paint(s) {
  if (!s.width || s.height < 1) return;
  const g = sized(s.base, s.width, s.height);
  g.fillStyle = s.look.ground;
  g.fillRect(0, 0, s.width, s.height);
  if (!s.d.ids.length) {
    g.fillStyle = s.look.quiet;
    g.font = `13px ${s.look.font}`;
    g.fillText(s.word("map.empty"), 12, 24);
    return void sized(s.top, s.width, s.height);
  }
  scales(s);
  paintTrough(s, g);
  paintAxes(s, g);
  paintBlocks(s, g);
  if (s.d.ids.length < 2000) s.d.ids.forEach((_, i) => label(s, g, i));
  paintCurve(s, g);
  paintFlags(s, g);
  overlay(s);
}

function overlay(s) {
  if (!s.x) return;
  const g = sized(s.top, s.width, s.height), { look, d } = s;
  const ring = (i, width) => {
    if (i === undefined || i < 0) return;
    const [x, y, w, h] = rectOf(s, i);
    g.strokeStyle = look.ground;
    g.lineWidth = width + 2;
    g.strokeRect(x - 0.5, y - 0.5, Math.max(2, w), h);
    g.strokeStyle = look.text;
    g.lineWidth = width;
    g.strokeRect(x - 0.5, y - 0.5, Math.max(2, w), h);
  };
  ring(d.ids.indexOf(s.selected), 2.5);
  if (s.focused) ring(s.cursor, 1.5);
  ring(s.hover, 1);
  if (s.drag?.to !== undefined) dropMark(s, g);
  if (s.at === undefined) return;
  const x = s.x(s.at), y = s.y(recallAt(d, s.at));
  g.fillStyle = look.line;
  g.fillRect(x, s.plot.top, 1, s.strip.bottom - s.plot.top);
  g.fillStyle = look.accent;
  g.beginPath();
  g.arc(x, y, 3.5, 0, 7);
  g.fill();
}

// Where the dragged block would land: a line between two blocks, and the block itself at the pointer.
function dropMark(s, g) {
  const { d, look, drag } = s, [, y, w, h] = rectOf(s, drag.i), x = s.x(s.at);
  g.globalAlpha = 0.6;
  g.fillStyle = look.colours.source[d.source[drag.i]][0];
  g.fillRect(x - Math.min(w, 80) / 2, y, Math.min(w, 80), h);
  g.globalAlpha = 1;
  g.fillStyle = look.accent;
  const edge = drag.to < d.ids.length ? s.x(d.start[drag.to]) : s.x(s.total);
  g.fillRect(edge - 1.5, s.strip.top - LANE, 3, s.strip.bottom - s.strip.top + LANE);
}

// The block before which a block that is let go at this token would lie.
function landing(d, token) {
  const next = d.ids.findIndex((_, i) => d.start[i] + d.tokens[i] / 2 > token);
  return next < 0 ? d.ids.length : next;
}

function grab(s, event) {
  point(s, event);
  if (s.d.movable && s.hover >= 0 && event.button === 0) s.drag = { i: s.hover, x: event.clientX };
}

function pull(s, event) {
  if (!s.drag || (s.drag.to === undefined && Math.abs(event.clientX - s.drag.x) < 6)) return false;
  s.top.setPointerCapture(event.pointerId);
  point(s, event);
  s.drag.to = landing(s.d, s.at);
  hideTip(s.tip);
  overlay(s);
  return true;
}

// Ends a drag; whether there was one. Dropped where it lay, a block stays.
function drop(s, emit) {
  const drag = s.drag;
  s.drag = undefined;
  if (drag?.to === undefined) return false;
  if (emit && drag.to !== drag.i && drag.to !== drag.i + 1)
    s.emit("moved", JSON.stringify([s.d.ids[drag.i], s.d.ids[drag.to] ?? ""]));
  overlay(s);
  return true;
}

// The block under a token; among blocks too thin to see, the tallest within a pixel and a half.
function blockAt(s, token) {
  const { d } = s, near = (1.5 / s.inner) * s.total;
  let found = -1, height = -1;
  for (let i = 0; i < d.ids.length; i += 1) {
    const from = d.start[i], to = from + d.tokens[i];
    if (token >= from && token < to && d.tokens[i] > near) return i;
    if (token >= from - near && token < to + near && d.importance[i] > height) [found, height] = [i, d.importance[i]];
  }
  return found;
}

function about(s, i) {
  const { d } = s, w = s.word, end = d.start[i] + d.tokens[i], n = s.say.count;
  return [
    d.label[i], w(`source.${d.source[i]}`), fill(w("tokens"), { n: n(d.tokens[i]) }),
    fill(w("map.range"), { from: n(d.start[i]), to: n(end) }),
    fill(w("map.importance"), { value: d.importance[i].toFixed(2) }),
    d.note[i] || fill(w("map.recall_here"), { share: s.say.percent(recallAt(d, (d.start[i] + end) / 2)) }),
  ];
}

function point(s, event) {
  const x = event.clientX - s.top.getBoundingClientRect().left;
  s.at = Math.min(s.total, Math.max(0, ((x - LEFT) / s.inner) * s.total));
  s.hover = blockAt(s, s.at);
}

function pick(s, i) {
  if (i === undefined || i < 0) return;
  s.cursor = i;
  s.selected = s.d.ids[i];
  overlay(s);
  s.emit("picked", s.selected);
}

function move(s, forward, flagged) {
  const among = flagged ? s.flagged : s.d.ids.map((_, i) => i), here = s.cursor ?? (forward ? -1 : s.d.ids.length);
  const next = forward ? among.find((i) => i > here) : among.findLast((i) => i < here);
  if (next !== undefined) s.cursor = next;
  if (s.cursor !== undefined) s.live.textContent = about(s, s.cursor).filter(Boolean).join(", ");
  overlay(s);
}

// The block at the cursor, one place on: what a drag does, by keyboard.
function shift(s, forward) {
  const { ids } = s.d, to = forward ? s.cursor + 2 : s.cursor - 1;
  if (to >= 0 && to <= ids.length) s.emit("moved", JSON.stringify([ids[s.cursor], ids[to] ?? ""]));
}

function start(root) {
  const find = (query) => root.querySelector(query);
  const s = { box: find(".box"), stack: find(".stack"), base: find(".base"), top: find(".top"), tip: find(".tip"), live: find(".live"), key: find(".legend") };
  s.top.addEventListener("pointerdown", (event) => { if (s.d.ids.length) grab(s, event); });
  s.top.addEventListener("pointerup", () => { s.dropped = drop(s, true); });
  s.top.addEventListener("pointercancel", () => drop(s, false));
  s.top.addEventListener("pointermove", (event) => {
    if (!s.d.ids.length || pull(s, event)) return;
    point(s, event);
    overlay(s);
    if (s.hover >= 0) showTip(s.tip, about(s, s.hover), event);
    else showTip(s.tip, [fill(s.word("map.recall_here"), { share: s.say.percent(recallAt(s.d, s.at)) })], event);
  });
  s.top.addEventListener("pointerleave", () => { s.hover = s.at = undefined; hideTip(s.tip); overlay(s); });
  s.top.addEventListener("click", (event) => {
    if (!s.d.ids.length || s.dropped) return void (s.dropped = false); // a drag ends with a click as well
    point(s, event);
    pick(s, s.hover);
  });
  s.top.addEventListener("keydown", (event) => {
    if (!plain(event)) return;
    if (event.altKey && s.d.movable && s.cursor >= 0 && event.key.startsWith("Arrow")) shift(s, event.key === "ArrowRight");
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") move(s, event.key === "ArrowRight", event.shiftKey);
    else if (event.key === "Enter") pick(s, s.cursor);
    else return;
    handled(event);
  });
  s.top.addEventListener("focus", () => { s.focused = true; overlay(s); });
  s.top.addEventListener("blur", () => { s.focused = false; overlay(s); });
  new ResizeObserver(() => {
    [s.width, s.height] = [s.stack.clientWidth, s.stack.clientHeight];
    if (s.d) paint(s);
  }).observe(s.stack);
  return s;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = remember(parentElement, start);
  s.emit = setTriggerValue;
  s.d = data;
  s.word = (name) => data.words[name];
  s.say = numbers(data.words.lang);
  s.look = lookOf(s.box, data.palette);
  s.selected = data.selected;
  if (s.cursor >= data.ids.length) s.cursor = undefined;
  s.flagged = data.ids.map((_, i) => i).filter((i) => data.note[i]);
  s.box.style.height = `${data.height}px`;
  pictures(s, "base", "layout", paint);
  s.top.setAttribute("aria-label", `${s.word("map.label")}. ${s.word("map.keys")}`);
  const { source } = s.look.colours, present = new Set(data.source);
  const soft = [mix(source.over[0], s.look.ground, 0.2), s.look.text];
  legend(s.key, [
    ...Object.keys(source).filter((name) => present.has(name)).map((name) => [source[name], "", s.word(`source.${name}`)]),
    ...(data.trough.length ? [[soft, "", s.word("map.trough")]] : []),
    ...(s.flagged.length ? [[[s.look.ground, source.over[0]], "▲", s.word("map.flag")]] : []),
    ...(data.pinned.some(Boolean) ? [[[s.look.ground, s.look.text], "▨", s.word("map.pinned")]] : []),
    ...(data.groups.length ? [[[s.look.ground, s.look.text], "⎵", s.word("map.group")]] : []),
    ...(data.prefix ? [[[s.look.accent, s.look.accent], "", s.word("map.prefix")]] : []),
    [[s.look.ground, s.look.text], "|", s.word("map.message")],
  ]);
  [s.width, s.height] = [s.stack.clientWidth, s.stack.clientHeight];
  paint(s);
}
