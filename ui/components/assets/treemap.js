// Places come from `base`, the largest size of an item over all stages, so no tile moves from stage to stage.
// What an item holds now fills a part of its place; the rest of the place stays an outline.

const HEAD = 20; // height of a source's heading
const ROOM = new Set(["overhead", "tools", "free", "reserve"]);

// Squarified treemap (Bruls, Huizing, van Wijk 2000). Ties keep the order of the input.
function squarify(ids, size, [x, y, w, h], put) {
  const sorted = ids.filter((i) => size(i) > 0).sort((a, b) => size(b) - size(a));
  let rest = sorted.reduce((sum, i) => sum + size(i), 0);
  for (let start = 0; start < sorted.length && w > 0 && h > 0; ) {
    const side = Math.min(w, h), scale = (w * h) / rest, first = size(sorted[start]) * scale;
    let area = 0, end = start, worst = Infinity;
    while (end < sorted.length) {
      const next = size(sorted[end]) * scale, grown = area + next, squares = side * side;
      const ratio = Math.max((squares * first) / (grown * grown), (grown * grown) / (squares * next));
      if (ratio > worst) break;
      [area, worst, end] = [grown, ratio, end + 1];
    }
    const depth = area / side, tall = w >= h;
    for (let k = start, along = 0; k < end; k += 1) {
      const length = (size(sorted[k]) * scale) / depth;
      put(sorted[k], tall ? [x, y + along, depth, length] : [x + along, y, length, depth]);
      along += length;
    }
    if (tall) [x, w] = [x + depth, w - depth];
    else [y, h] = [y + depth, h - depth];
    rest -= area / scale;
    start = end;
  }
}

function tree(d) {
  const groups = new Map(), parts = new Map(), index = new Map(d.ids.map((id, i) => [id, i]));
  d.ids.forEach((_, i) => {
    const parent = d.parent[i] ? index.get(d.parent[i]) : undefined;
    const [family, key] = parent === undefined ? [groups, d.group[i]] : [parts, parent];
    if (family.has(key)) family.get(key).push(i);
    else family.set(key, [i]);
  });
  return { groups, parts, index };
}

function sum(ids, column) {
  return ids.reduce((total, i) => total + column[i], 0);
}

// s.tiles: what is drawn, parents before their parts; a tile is {i, rect, head?} or, for a source, {group, rect}.
function layout(s) {
  const { d, path } = s, whole = [0, 0, s.width, s.height], base = (i) => d.base[i];
  s.tiles = [];
  if (path.length === 2) return squarify(s.parts.get(s.index.get(path[1])) || [], base, whole, (i, rect) => s.tiles.push({ i, rect }));
  if (path.length === 1) return squarify(s.groups.get(path[0]) || [], base, whole, (i, rect) => place(s, i, rect));
  const shown = [...s.groups.keys()].filter((name) => !(hidden(s) && (name === "free" || name === "reserve")));
  const area = (names) => names.reduce((total, name) => total + sum(s.groups.get(name), d.base), 0), [used, left] = [false, true].map((room) => shown.filter((name) => ROOM.has(name) === room));
  const [inside, beside] = parted(whole, area(used), area(left)), size = (name) => area([name]);
  squarify(used, size, inside, (name, rect) => {
    const head = headed(s, name, rect), top = head ? HEAD : 2, [x, y, w, h] = rect;
    s.tiles.push({ group: name, rect, head });
    squarify(s.groups.get(name), base, [x + 2, y + top, w - 4, h - top - 2], (i, inner) => place(s, i, inner));
  });
  squarify(left, size, beside, (name, rect) => s.groups.get(name).forEach((i) => s.tiles.push({ i, rect })));
}

// Until the reader says otherwise, free room that would take more than half of the area is left out.
function hidden(s) {
  return s.hideFree ?? 2 * sum(s.groups.get("free") || [], s.d.base) > sum([...s.groups.values()].flat(), s.d.base);
}

// Two rectangles side by side, or one above the other where that is the longer side: the context, and the room beside it.
function parted([x, y, w, h], one, other) {
  const share = one / (one + other || 1), gap = one && other ? 2 : 0;
  if (w >= h) return [[x, y, w * share - gap, h], [x + w * share + gap, y, w * (1 - share) - gap, h]];
  return [[x, y, w, h * share - gap], [x, y + h * share + gap, w, h * (1 - share) - gap]];
}

// The name that heads a source, as far as it goes; "" where a heading would take too much of the place.
function headed(s, group, [, , w, h]) {
  s.pen.font = `600 11.5px ${s.look.font}`;
  return h > 46 && w > 40 ? named(s.pen, s.word(`source.${group}`), w - 24) : "";
}

function place(s, i, rect) {
  s.tiles.push({ i, rect });
  const parts = s.parts.get(i), [x, y, w, h] = rect;
  if (!parts || parts.length < 2 || w < 70 || h < 62) return;
  const top = h > 90 ? 34 : 20;
  s.tiles.at(-1).split = top; // its parts are drawn instead of it
  squarify(parts, (k) => s.d.base[k], [x + 3, y + top, w - 6, h - top - 3], (k, inner) => s.tiles.push({ i: k, rect: inner }));
}

// A part looks like its item.
function colourOf(s, part) {
  const { colours } = s.look, { d } = s, i = s.index.get(d.parent[part]) ?? part, group = d.group[i];
  if (ROOM.has(group)) return colours.source[group];
  if (d.colour === "fate") return colours.fate[d.fate[i]];
  if (d.colour === "change") return colours.change[d.change[i]];
  if (d.colour === "relevance") return colours.relevance[Math.min(4, Math.floor(d.relevance[i] * 5))];
  return colours.source[group];
}

function glyphOf(s, i) {
  if (ROOM.has(s.d.group[i])) return "";
  if (s.d.colour === "change") return s.d.change[i] === "same" ? "" : s.look.glyph.change[s.d.change[i]];
  const fate = s.d.fate[i], plain = fate === "kept" || (fate === "added" && s.d.colour !== "fate"); // all are added at first
  return plain ? "" : s.look.glyph.fate[fate];
}

function hatch(g, [x, y, w, h], colour) {
  g.save();
  g.beginPath();
  g.rect(x, y, w, h);
  g.clip();
  g.strokeStyle = colour;
  g.lineWidth = 1;
  g.beginPath();
  for (let k = -h; k < w; k += 7) {
    g.moveTo(x + k, y + h);
    g.lineTo(x + k + h, y);
  }
  g.stroke();
  g.restore();
}

function paintRoom(s, g, tile) {
  const { look, d } = s, [x, y, w, h] = tile.rect, box = [x + 1, y + 1, w - 2, h - 2], name = d.group[tile.i];
  if (w < 2 || h < 2) return;
  if (name === "overhead" || name === "tools") {
    g.fillStyle = look.colours.source[name][0];
    g.fillRect(...box);
    return write(g, s, tile.rect, look.colours.source[name][1], tile.i);
  }
  if (name === "reserve") hatch(g, box, mix(look.text, look.ground, 0.13));
  g.strokeStyle = look.line;
  g.lineWidth = 1;
  g.strokeRect(x + 1.5, y + 1.5, Math.max(0, w - 3), Math.max(0, h - 3));
  write(g, s, tile.rect, d.tokens[tile.i] ? look.text : look.quiet, tile.i);
}

// The held share of a tile, taken along its longer side.
function held(d, i, [x, y, w, h]) {
  const share = d.base[i] ? Math.min(1, d.tokens[i] / d.base[i]) : 0;
  return w >= h ? [x, y, w * share, h] : [x, y, w, h * share];
}

function paintTile(s, g, tile) {
  const { i, rect } = tile, { d, look } = s, [x, y, w, h] = rect;
  if (ROOM.has(d.group[i])) return paintRoom(s, g, tile);
  const [colour, ink] = colourOf(s, i), gap = w > 4 && h > 4 ? 0.5 : 0, box = [x + gap, y + gap, w - 2 * gap, h - 2 * gap];
  const now = held(d, i, box), whole = d.tokens[i] >= d.base[i] && !tile.split;
  if (!whole) outline(s, g, box, colour, tile.split ? 0.4 : 0.08);
  if (tile.split) return write(g, s, [x, y, w, tile.split], look.text, i);
  g.fillStyle = colour;
  g.fillRect(...(whole ? box : now));
  if (whole) return write(g, s, rect, ink, i);
  const rest = w >= h ? [now[0] + now[2], y, w - now[2], h] : [x, now[1] + now[3], w, h - now[3]];
  const inner = roomier(s, g, i, now, rest) ? [now, ink] : [rest, d.tokens[i] ? look.text : look.quiet];
  return write(g, s, ...inner, i);
}

function outline(s, g, [x, y, w, h], colour, alpha) {
  g.fillStyle = mix(colour, s.look.ground, alpha);
  g.fillRect(x, y, w, h);
  if (w < 5 || h < 5) return;
  g.strokeStyle = mix(colour, s.look.ground, 0.42);
  g.lineWidth = 1;
  g.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
}

// Whether a label goes into what is held rather than into the rest of the place.
function roomier(s, g, i, now, rest) {
  g.font = `600 11.5px ${s.look.font}`;
  const width = widthOf(g, `${glyphOf(s, i)} ${s.name(i)}`) + 10, fits = ([, , w, h]) => w >= width && h >= 18;
  return fits(now) || (!fits(rest) && now[2] * now[3] >= rest[2] * rest[3]);
}

// As much of a name as says something: all of it, or the number at its end, or its beginning.
function named(g, text, room) {
  if (widthOf(g, text) <= room) return text;
  const number = text.match(/[-_ ]0*(\d+)$/), tail = number ? `…${number[1]}` : "";
  if (tail) return widthOf(g, tail) <= room ? tail : "";
  const short = shorten(g, text, room);
  return short.length > 4 ? short : "";
}

function write(g, s, [x, y, w, h], colour, i) {
  const room = w - 9;
  if (room < 9 || h < 15) return;
  const { d, look, say } = s, ghost = !d.tokens[i] && !ROOM.has(d.group[i]), big = w > 150 && h > 70, line = big ? 17 : 14, two = h >= 2 * line + 5;
  const fonts = [`${ghost ? 500 : 600} ${big ? 13 : 11.5}px ${look.font}`, `${big ? 12 : 11}px ${look.font}`];
  const mark = glyphOf(s, i), count = say.count(ghost ? d.base[i] : d.tokens[i]), share = d.tokens[i] / d.window, top = y + (two ? 5 : (h - 12) / 2);
  g.fillStyle = colour;
  g.font = fonts[0];
  const marked = mark && named(g, s.name(i), room - widthOf(g, `${mark} `)), name = marked || named(g, s.name(i), room);
  const text = marked ? `${mark} ${name}` : name || (ghost ? "" : mark);
  if (widthOf(g, text) > room) return;
  g.fillText(text, x + 5, top);
  if (!name) return;
  const used = widthOf(g, text) + 10;
  g.font = fonts[1];
  const fits = (figure, most) => widthOf(g, figure) <= most, full = share >= 0.01 && !ghost ? `${count} · ${say.percent(share)}` : count;
  if (!two) { if (fits(count, room - used)) g.fillText(count, x + w - widthOf(g, count) - 5, top); return; }
  if (fits(count, room)) g.fillText(fits(full, room) ? full : count, x + 5, top + line);
}

function paintGroup(s, g, { group, rect: [x, y, w, h], head }) {
  const [colour] = s.look.colours.source[group], ids = s.groups.get(group), now = sum(ids, s.d.tokens);
  g.globalAlpha = s.look.theme === "dark" ? 0.26 : 0.18;
  g.fillStyle = colour;
  g.fillRect(x + 1, y + 1, w - 2, h - 2);
  g.globalAlpha = 1;
  if (!head) return;
  g.fillRect(x + 6, y + 7, 8, 8);
  g.fillStyle = s.look.text;
  g.font = `600 11.5px ${s.look.font}`;
  g.fillText(head, x + 18, y + 5);
  const left = w - 34 - widthOf(g, head);
  g.font = `11px ${s.look.font}`;
  g.fillStyle = s.look.quiet;
  const count = s.say.count(now), full = `${count} · ${s.say.percent(now / s.d.window)}`, figure = widthOf(g, full) < left ? full : count;
  if (widthOf(g, figure) < left) g.fillText(figure, x + w - widthOf(g, figure) - 6, y + 5);
}

function paint(s) {
  if (!s.width || s.height < 1) return;
  const g = sized(s.base, s.width, s.height);
  g.textBaseline = "top";
  g.fillStyle = s.look.ground;
  g.fillRect(0, 0, s.width, s.height);
  for (const tile of s.tiles) (tile.group ? paintGroup : paintTile)(s, g, tile);
  overlay(s);
}

function overlay(s) {
  const g = sized(s.top, s.width, s.height);
  const ring = (tile, width, inner) => {
    if (!tile) return;
    const [x, y, w, h] = tile.rect;
    if (inner) {
      g.strokeStyle = s.look.ground;
      g.lineWidth = width + 2;
      g.strokeRect(x + 2, y + 2, Math.max(1, w - 4), Math.max(1, h - 4));
    }
    g.strokeStyle = s.look.text;
    g.lineWidth = width;
    g.strokeRect(x + 1, y + 1, Math.max(1, w - 2), Math.max(1, h - 2));
  };
  ring(s.hover, 1);
  ring(s.tiles.find((t) => t.i !== undefined && s.d.ids[t.i] === s.selected), 2.5, true);
  if (s.focused) ring(s.cursor, 1.5, true);
}

function hit(s, event) {
  const box = s.top.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
  const inside = ({ rect: [x, y, w, h] }) => px >= x && px < x + w && py >= y && py < y + h;
  return s.tiles.findLast(inside);
}

function about(s, tile) {
  const { d } = s, n = s.say.count, w = s.word;
  if (tile.group) {
    const now = sum(s.groups.get(tile.group), d.tokens);
    return [w(`source.${tile.group}`), fill(w("tokens"), { n: n(now) }), fill(w("of_window"), { share: s.say.percent(now / d.window) })];
  }
  const { i } = tile, room = ROOM.has(d.group[i]);
  return [
    s.name(i), room ? "" : w(`source.${d.group[i]}`),
    `${fill(w("tokens"), { n: n(d.tokens[i]) })} · ${fill(w("of_window"), { share: s.say.percent(d.tokens[i] / d.window) })}`,
    d.base[i] > d.tokens[i] && !room ? fill(w("treemap.largest"), { n: n(d.base[i]) }) : "",
    room ? "" : `${s.look.glyph.fate[d.fate[i]]} ${w(`fate.${d.fate[i]}`)}`,
    room ? "" : fill(w("relevance"), { value: d.relevance[i].toFixed(2) }),
    d.note[i],
  ];
}

function pick(s, tile) {
  if (!tile || tile.group) return;
  const id = s.d.parent[tile.i] || s.d.ids[tile.i]; // a part opens its item
  s.cursor = tile;
  s.selected = id;
  overlay(s);
  s.emit("picked", id);
}

function open(s, tile) {
  if (!tile) return;
  const { d, path } = s, group = tile.group || d.group[tile.i];
  if (ROOM.has(group)) return;
  const owner = tile.i === undefined ? undefined : (d.parent[tile.i] || d.ids[tile.i]);
  if (path.length === 0) s.path = [group];
  else if (path.length === 1 && owner && (s.parts.get(s.index.get(owner)) || []).length > 1) s.path = [group, owner];
  else return;
  redraw(s);
}

function back(s) {
  if (!s.path.length) return false;
  s.path = s.path.slice(0, -1);
  redraw(s);
  return true;
}

function redraw(s) {
  s.hover = undefined;
  hideTip(s.tip);
  layout(s);
  const id = s.cursor && (s.cursor.group || s.d.ids[s.cursor.i]);
  s.cursor = id && s.tiles.find((t) => (t.group || s.d.ids[t.i]) === id);
  crumbs(s);
  paint(s);
}

function crumbs(s) {
  const names = [s.word("treemap.window"), ...s.path.map((step, k) => (k ? s.name(s.index.get(step)) : s.word(`source.${step}`)))];
  const nodes = names.map((name, k) => {
    const button = element("button", "crumb", name);
    button.disabled = k === s.path.length;
    button.onclick = () => { s.path = s.path.slice(0, k); redraw(s); };
    return button;
  });
  s.crumbs.replaceChildren(...nodes.flatMap((node, k) => (k ? [element("span", "sep", "›"), node] : [node])));
  const area = sum([...s.groups.values()].flat(), s.d.base);
  s.note.textContent = area > s.d.window ? fill(s.word("treemap.beyond"), { area: s.say.count(area), window: s.say.count(s.d.window) }) : "";
  s.free.hidden = s.path.length > 0 || !s.groups.has("free");
  s.free.textContent = s.word(hidden(s) ? "treemap.show_free" : "treemap.hide_free");
}

// The nearest tile in the direction of the arrow; sideways distance counts double.
function step(s, key) {
  const tiles = s.tiles.filter((t) => t.i !== undefined), middle = ({ rect: [x, y, w, h] }) => [x + w / 2, y + h / 2];
  if (!s.cursor || s.cursor.group) return tiles[0];
  const [cx, cy] = middle(s.cursor), [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  let best = s.cursor, least = Infinity;
  for (const tile of tiles) {
    const [x, y] = middle(tile), ahead = (x - cx) * dx + (y - cy) * dy, aside = Math.abs((x - cx) * dy) + Math.abs((y - cy) * dx);
    if (tile !== s.cursor && ahead > 0.5 && ahead + 2 * aside < least) [best, least] = [tile, ahead + 2 * aside];
  }
  return best;
}

function keys(s, event) {
  if (!plain(event)) return;
  if (event.key.startsWith("Arrow")) {
    s.cursor = step(s, event.key);
    s.live.textContent = s.cursor ? about(s, s.cursor).filter(Boolean).join(", ") : "";
    overlay(s);
  } else if (event.key === "Enter") pick(s, s.cursor);
  else if (event.key === " ") open(s, s.cursor);
  else if (event.key !== "Escape" || !back(s)) return;
  handled(event);
}

function start(root) {
  const find = (query) => root.querySelector(query);
  const s = {
    box: find(".box"), stack: find(".stack"), base: find(".base"), top: find(".top"), tip: find(".tip"), live: find(".live"),
    crumbs: find(".crumbs"), note: find(".note"), free: find(".toggle"), key: find(".legend"), path: [], tiles: [], pen: document.createElement("canvas").getContext("2d"),
  };
  s.top.addEventListener("pointermove", (event) => {
    const tile = hit(s, event);
    if (tile !== s.hover) { s.hover = tile; overlay(s); }
    if (tile) showTip(s.tip, about(s, tile), event);
    else hideTip(s.tip);
  });
  s.top.addEventListener("pointerleave", () => { s.hover = undefined; hideTip(s.tip); overlay(s); });
  s.top.addEventListener("click", (event) => {
    const tile = hit(s, event);
    if (tile && tile.group) open(s, tile);
    else pick(s, tile);
  });
  s.top.addEventListener("dblclick", (event) => open(s, hit(s, event)));
  s.top.addEventListener("keydown", (event) => keys(s, event));
  s.top.addEventListener("focus", () => { s.focused = true; overlay(s); });
  s.top.addEventListener("blur", () => { s.focused = false; overlay(s); });
  s.box.addEventListener("keydown", (event) => { if (event.key === "Escape" && back(s)) handled(event); });
  s.free.onclick = () => { s.hideFree = !hidden(s); redraw(s); };
  new ResizeObserver(() => {
    [s.width, s.height] = [s.stack.clientWidth, s.stack.clientHeight];
    if (s.d) redraw(s);
  }).observe(s.stack);
  return s;
}

function legendOf(s) {
  const { colours, glyph } = s.look, { d } = s;
  if (d.colour === "relevance")
    return colours.relevance.map((pair, k) => [pair, "", k === 0 ? s.word("low") : k === 4 ? s.word("high") : ""]);
  const family = d.colour === "change" ? "change" : "fate", present = new Set(d[family].filter((_, i) => !ROOM.has(d.group[i])));
  const bare = d.colour === "source", marks = Object.keys(colours[family]).filter((name) => present.has(name) && !(bare && (name === "kept" || name === "added")));
  const sources = bare ? Object.keys(colours.source).filter((name) => s.groups.has(name) && !ROOM.has(name)) : [];
  return [
    ...sources.map((name) => [colours.source[name], "", s.word(`source.${name}`)]),
    ...marks.map((name) => [bare ? null : colours[family][name], glyph[family][name], s.word(`${family}.${name}`)]),
  ];
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = remember(parentElement, start);
  s.emit = setTriggerValue;
  s.d = data;
  s.word = (name) => data.words[name];
  s.say = numbers(data.words.lang);
  s.look = lookOf(s.box, data.palette);
  s.name = (i) => data.label[i] || s.word(`source.${data.group[i]}`);
  s.selected = data.selected;
  Object.assign(s, tree(data));
  if (s.path.length && !s.groups.has(s.path[0])) s.path = [];
  if (s.path.length === 2 && !s.index.has(s.path[1])) s.path = s.path.slice(0, 1);
  s.box.style.height = `${data.height}px`;
  s.top.setAttribute("aria-label", `${s.word("treemap.label")}. ${s.word("treemap.keys")}`);
  legend(s.key, legendOf(s));
  pictures(s, "base", "treemap", paint);
  [s.width, s.height] = [s.stack.clientWidth, s.stack.clientHeight];
  redraw(s);
}
