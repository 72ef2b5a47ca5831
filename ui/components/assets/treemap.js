// Places come from `base`, the largest size of an item over all stages, so no tile moves from stage to stage.
// What an item holds now fills a part of its place; the rest of the place stays an outline.

const HEAD = 18; // height of a source's heading
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
  const shown = [...s.groups.keys()].filter((name) => !(s.hideFree && (name === "free" || name === "reserve")));
  squarify(shown, (name) => sum(s.groups.get(name), d.base), whole, (name, rect) => {
    if (ROOM.has(name)) return s.groups.get(name).forEach((i) => s.tiles.push({ i, rect }));
    const roomy = rect[3] > 46 && rect[2] > 46, head = roomy ? HEAD : 2, [x, y, w, h] = rect;
    s.tiles.push({ group: name, rect, head: roomy });
    squarify(s.groups.get(name), base, [x + 2, y + head, w - 4, h - head - 2], (i, inner) => place(s, i, inner));
  });
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
  return s.d.fate[i] === "kept" ? "" : s.look.glyph.fate[s.d.fate[i]];
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
  if (name === "reserve") hatch(g, box, look.line);
  g.strokeStyle = look.line;
  g.lineWidth = 1;
  g.strokeRect(x + 1.5, y + 1.5, Math.max(0, w - 3), Math.max(0, h - 3));
  if (name === "reserve" && w > 46 && h > 18) plate(g, s, tile);
  write(g, s, tile.rect, look.text, tile.i);
}

function plate(g, s, { rect: [x, y, w, h], i }) {
  g.font = `600 11.5px ${s.look.font}`;
  g.fillStyle = s.look.ground;
  g.fillRect(x + 2, y + 2, Math.min(w - 4, Math.max(widthOf(g, s.name(i)), 84) + 10), Math.min(h - 4, h > 34 ? 33 : 17));
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
  const now = held(d, i, box), whole = d.tokens[i] >= d.base[i];
  if (!whole || tile.split) shade(g, s, box, colour, tile.split ? 0.4 : 0.09);
  if (!whole && w > 5 && h > 5) {
    g.strokeStyle = colour;
    g.setLineDash([3, 2]);
    g.strokeRect(x + 1, y + 1, w - 2, h - 2);
    g.setLineDash([]);
  }
  if (tile.split) return write(g, s, [x, y, w, tile.split], look.text, i);
  g.fillStyle = colour;
  g.fillRect(...(whole ? box : now));
  if (whole) return write(g, s, rect, ink, i);
  clipped(g, now, false, () => write(g, s, rect, ink, i));
  return clipped(g, now, true, () => write(g, s, rect, d.tokens[i] ? look.text : look.quiet, i));
}

function shade(g, s, box, colour, alpha) {
  g.fillStyle = s.look.ground;
  g.fillRect(...box);
  g.globalAlpha = alpha;
  g.fillStyle = colour;
  g.fillRect(...box);
  g.globalAlpha = 1;
}

function clipped(g, [x, y, w, h], outside, draw) {
  g.save();
  g.beginPath();
  if (outside) g.rect(0, 0, 1e5, 1e5);
  g.rect(x, y, w, h);
  g.clip("evenodd");
  draw();
  g.restore();
}

function write(g, s, [x, y, w, h], colour, i) {
  if (w < 34 || h < 15) return;
  const mark = glyphOf(s, i), name = (mark ? `${mark} ` : "") + s.name(i), room = w - 9, ghost = !s.d.tokens[i] && !ROOM.has(s.d.group[i]);
  const n = s.say.count(ghost ? s.d.base[i] : s.d.tokens[i]);
  g.fillStyle = colour;
  g.font = `600 11.5px ${s.look.font}`;
  const two = h >= 32, tail = two || w < 90 ? "" : n, short = shorten(g, name, room - (tail ? widthOf(g, tail) + 8 : 0));
  g.fillText(short, x + 5, y + (two ? 4 : Math.max(2, (h - 13) / 2)));
  g.font = `11px ${s.look.font}`;
  if (tail) {
    const width = widthOf(g, tail);
    if (short) figure(g, tail, x + w - width - 5, y + Math.max(2, (h - 13) / 2), ghost);
    return;
  }
  if (!two) return;
  const full = ghost ? n : `${n} · ${s.say.percent(s.d.tokens[i] / s.d.window)}`;
  figure(g, widthOf(g, full) <= room ? full : shorten(g, n, room), x + 5, y + 18, ghost);
}

// What a ghost once held is struck through.
function figure(g, text, x, y, struck) {
  g.fillText(text, x, y);
  if (struck) g.fillRect(x, y + 6, widthOf(g, text), 1);
}

function paintGroup(s, g, { group, rect: [x, y, w, h], head }) {
  const [colour] = s.look.colours.source[group], ids = s.groups.get(group), now = sum(ids, s.d.tokens);
  g.globalAlpha = s.look.theme === "dark" ? 0.26 : 0.18;
  g.fillStyle = colour;
  g.fillRect(x + 1, y + 1, w - 2, h - 2);
  g.globalAlpha = 1;
  if (!head) return;
  g.fillRect(x + 6, y + 6, 8, 8);
  g.fillStyle = s.look.text;
  g.font = `600 11.5px ${s.look.font}`;
  const name = shorten(g, s.word(`source.${group}`), w - 24);
  g.fillText(name, x + 18, y + 4);
  const left = w - 30 - widthOf(g, name);
  g.font = `11px ${s.look.font}`;
  g.fillStyle = s.look.quiet;
  const full = `${s.say.count(now)} · ${s.say.percent(now / s.d.window)}`;
  if (widthOf(g, full) < left) g.fillText(full, x + w - widthOf(g, full) - 6, y + 4);
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
  s.free.textContent = s.word("treemap.hide_free");
  s.free.setAttribute("aria-pressed", String(s.hideFree));
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
    crumbs: find(".crumbs"), note: find(".note"), free: find(".toggle"), key: find(".legend"), path: [], hideFree: false, tiles: [],
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
  s.free.onclick = () => { s.hideFree = !s.hideFree; redraw(s); };
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
  const named = Object.keys(colours[family]).filter((name) => present.has(name));
  return named.map((name) => [d.colour === "source" ? null : colours[family][name], glyph[family][name], s.word(`${family}.${name}`)]);
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
  [s.width, s.height] = [s.stack.clientWidth, s.stack.clientHeight];
  redraw(s);
}
