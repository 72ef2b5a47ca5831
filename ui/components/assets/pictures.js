// A picture to take home. The pen writes SVG where a canvas would paint: as much of its context as the components use.

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ANCHORS = { left: "start", center: "middle", right: "end", start: "start", end: "end" };
const STATE = ["fillStyle", "strokeStyle", "lineWidth", "globalAlpha", "font", "textAlign", "textBaseline", "lineJoin"];

function xml(value) {
  const text = typeof value === "number" ? String(Math.round(value * 100) / 100) : String(value);
  return text.replace(NO_XML, "\ufffd").replace(/[&<>"]/g, (character) => ENTITIES[character]);
}

class Pen {
  begin(width, height) {
    Object.assign(this, { width, height, out: [], path: "", stack: [], open: 0, clips: 0 });
    Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1, lineJoin: "miter" });
    Object.assign(this, { font: "10px sans-serif", textAlign: "left", textBaseline: "alphabetic" });
    this.meter ??= document.createElement("canvas").getContext("2d");
    return this;
  }
  node(name, attributes, text) {
    const alpha = this.globalAlpha < 1 ? { opacity: this.globalAlpha } : {};
    const written = Object.entries({ ...attributes, ...alpha }).map(([key, value]) => ` ${key}="${xml(value)}"`).join("");
    this.out.push(text === undefined ? `<${name}${written}/>` : `<${name}${written}>${xml(text)}</${name}>`);
  }
  box(x, y, width, height) {
    return { x: Math.min(x, x + width), y: Math.min(y, y + height), width: Math.abs(width), height: Math.abs(height) };
  }
  lines() { return { fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-linejoin": this.lineJoin }; }
  clearRect() {}
  fillRect(...place) { this.node("rect", { ...this.box(...place), fill: this.fillStyle }); }
  strokeRect(...place) { this.node("rect", { ...this.box(...place), ...this.lines() }); }
  measureText(text) { this.meter.font = this.font; return this.meter.measureText(text); }
  fillText(text, x, y) {
    const size = this.measureText(text), up = size.fontBoundingBoxAscent, down = size.fontBoundingBoxDescent;
    const lower = { top: up, hanging: up, middle: (up - down) / 2, bottom: -down }[this.textBaseline] ?? 0;
    const look = { fill: this.fillStyle, "text-anchor": ANCHORS[this.textAlign], style: `font:${this.font};white-space:pre` };
    const width = { textLength: size.width, lengthAdjust: "spacingAndGlyphs" }; // the font may not be there
    this.node("text", { x, y: y + lower, ...look, ...(size.width ? width : {}) }, text);
  }
  beginPath() { this.path = ""; }
  go(letter, ...numbers) { this.path += letter + numbers.map(xml).join(" "); }
  moveTo(x, y) { this.go("M", x, y); }
  lineTo(x, y) { this.go(this.path ? "L" : "M", x, y); }
  rect(x, y, w, h) { this.path += `M${xml(x)} ${xml(y)}h${xml(w)}v${xml(h)}h${xml(-w)}z`; }
  arc(x, y, r) { this.path += `M${xml(x - r)} ${xml(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`; }
  fill() { this.node("path", { d: this.path, fill: this.fillStyle }); }
  stroke() { this.node("path", { d: this.path, ...this.lines() }); }
  clip() {
    const id = `c${(this.clips += 1)}`;
    this.out.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath><g clip-path="url(#${id})">`);
    this.open += 1;
  }
  save() { this.stack.push([this.open, STATE.map((name) => this[name])]); }
  restore() {
    const [open, values] = this.stack.pop();
    for (; this.open > open; this.open -= 1) this.out.push("</g>");
    STATE.forEach((name, at) => { this[name] = values[at]; });
  }
  svg(ground) {
    const size = `width="${xml(this.width)}" height="${xml(this.height)}" viewBox="0 0 ${xml(this.width)} ${xml(this.height)}"`;
    const back = `<rect width="100%" height="100%" fill="${xml(ground)}"/>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${back}${this.out.join("")}${"</g>".repeat(this.open)}</svg>`;
  }
}

function takeHome(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// Two buttons: what `draw` paints on the canvas `s[on]`, as PNG in double size or as SVG.
function pictures(s, on, name, draw) {
  const host = s.box.querySelector(".take");
  function instead(canvas) {
    const own = s[on];
    s[on] = canvas;
    try { draw(s); } finally { s[on] = own; }
    draw(s);
    return canvas;
  }
  const kinds = {
    PNG: () => instead(Object.assign(document.createElement("canvas"), { ratio: 2 })).toBlob((blob) => takeHome(blob, `${name}.png`)),
    SVG: () => takeHome(new Blob([instead(new Pen()).svg(s.look.ground)], { type: "image/svg+xml" }), `${name}.svg`),
  };
  takes(host, kinds, s.word("take"));
}

function takes(host, kinds, label) {
  host.replaceChildren(...Object.entries(kinds).map(([kind, take]) => {
    const button = element("button", "kind", kind);
    button.title = fill(label, { kind });
    button.setAttribute("aria-label", button.title);
    button.onclick = take;
    return button;
  }));
}
