// What every drawn component shares. Put in front of each component's own script, as one module.

const STATES = new WeakMap(); // one record per mounted instance; Streamlit calls the module again on new data and new theme

function remember(root, create) {
  if (!STATES.has(root)) STATES.set(root, create(root));
  return STATES.get(root);
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

const probe = document.createElement("canvas").getContext("2d");

function rgb(colour) {
  probe.fillStyle = "#000000";
  probe.fillStyle = colour; // the canvas turns any opaque CSS colour into #rrggbb, and rejects what it cannot read
  const hex = probe.fillStyle;
  if (hex[0] !== "#") return hex.match(/[\d.]+/g).slice(0, 3).map(Number);
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function mix(over, under, share) {
  const a = rgb(over), b = rgb(under);
  return `rgb(${a.map((c, k) => Math.round(c * share + b[k] * (1 - share))).join(",")})`;
}

// The theme is read from the page's own background, so a switch in the menu repaints without a round trip to Python.
function lookOf(host, palette) {
  const style = getComputedStyle(host);
  const read = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const ground = read("background-color"), text = read("text-color");
  const [r, g, b] = rgb(ground);
  const theme = 0.2126 * r + 0.7152 * g + 0.0722 * b < 128 ? "dark" : "light";
  return {
    theme, ground, text, colours: palette[theme], glyph: palette.glyph,
    quiet: mix(text, ground, 0.72), line: mix(text, ground, 0.22), faint: mix(text, ground, 0.07),
    accent: read("primary-color"), font: read("font") || "system-ui, sans-serif",
  };
}

// The same look for components made of elements: custom properties on their box.
function dress(box, look) {
  const set = (name, value) => box.style.setProperty(name, value);
  for (const name of ["ground", "text", "quiet", "line", "faint", "accent"]) set(`--${name}`, look[name]);
  for (const family of ["source", "fate"])
    for (const [name, [fill, ink]] of Object.entries(look.colours[family])) {
      set(`--${family}-${name}`, fill);
      set(`--${family}-${name}-ink`, ink);
    }
}

function numbers(lang) {
  const whole = new Intl.NumberFormat(lang, { maximumFractionDigits: 0 });
  const share = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 1 });
  return { count: (n) => whole.format(n), percent: (x) => share.format(x) };
}

function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// Sizes a canvas in device pixels and returns a context that draws in CSS pixels.
function sized(canvas, width, height) {
  if (canvas.begin) return canvas.begin(width, height); // a pen that writes SVG
  const ratio = canvas.ratio || window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const g = canvas.getContext("2d");
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  return g;
}

const widths = new Map();

function widthOf(g, text) {
  const key = g.font + text;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 20000) widths.clear();
    widths.set(key, (width = g.measureText(text).width));
  }
  return width;
}

function shorten(g, text, room) {
  const width = widthOf(g, text);
  if (width <= room) return text;
  let keep = Math.floor((text.length * room) / width);
  while (keep > 1 && widthOf(g, text.slice(0, keep) + "…") > room) keep -= 1;
  return keep > 1 ? text.slice(0, keep).replace(/[\ud800-\udbff]$/, "") + "…" : "";
}

// The tooltip is a popover: in the top layer nothing clips it and it moves no layout.
function showTip(tip, lines, event) {
  tip.replaceChildren(...lines.filter(Boolean).map((line, k) => element("div", k ? "" : "first", line)));
  if (!tip.matches(":popover-open")) tip.showPopover();
  settle(tip, event);
}

function settle(tip, event) {
  const { clientX: x, clientY: y } = event, { offsetWidth: w, offsetHeight: h } = tip;
  tip.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - w - 8))}px`;
  tip.style.top = `${y + 18 + h > window.innerHeight ? y - h - 10 : y + 18}px`;
}

function hideTip(tip) {
  if (tip.matches(":popover-open")) tip.hidePopover();
}

function legend(host, entries) {
  host.replaceChildren(...entries.map(([colour, glyph, name]) => {
    const row = element("span", "entry"), swatch = element("i", "swatch", glyph || "");
    if (colour) swatch.style.cssText = `background:${colour[0]};color:${colour[1]}`;
    else swatch.classList.add("bare");
    row.append(swatch, name);
    return row;
  }));
}

// Alt, Ctrl and Meta with a key belong to the browser and to the page.
function plain(event) {
  return !(event.altKey || event.ctrlKey || event.metaKey);
}

// Streamlit's button shortcuts listen at the document: a key that was of use here must not get there.
function handled(event) {
  event.preventDefault();
  event.stopPropagation();
}
