// A picture of what is made of elements and laid out by the browser: it is copied where it stands.

function picturesOf(s, name, root) {
  pictures(s, "sheet", name, (own) => { if (own.sheet) copied(sized(own.sheet, root.scrollWidth, root.scrollHeight), root, own.look.ground); });
}

function copied(g, root, ground) {
  const from = root.getBoundingClientRect(), found = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const placed = ({ left, top, width, height }) => [left - from.left + root.scrollLeft, top - from.top + root.scrollTop, width, height];
  g.fillStyle = ground;
  g.fillRect(0, 0, root.scrollWidth, root.scrollHeight);
  for (let node = found.nextNode(); node; node = found.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) lettered(g, node, placed);
    else framed(g, node, placed(node.getBoundingClientRect()));
  }
}

// Grounds, stripes, frames, and the patch of colour before a label.
function framed(g, node, [x, y, w, h]) {
  const style = getComputedStyle(node), before = getComputedStyle(node, "::before"), side = (name) => parseFloat(style[`border${name}Width`]);
  const put = (colour, ...place) => { if (opaque(colour)) { g.fillStyle = plainColour(colour); g.fillRect(...place); } };
  put(style.backgroundColor, x, y, w, h);
  if (style.backgroundImage !== "none") striped(g, style.backgroundImage, x, y, w, h);
  put(style.borderTopColor, x, y, w, side("Top"));
  put(style.borderBottomColor, x, y + h - side("Bottom"), w, side("Bottom"));
  put(style.borderLeftColor, x, y, side("Left"), h);
  put(style.borderRightColor, x + w - side("Right"), y, side("Right"), h);
  const size = parseFloat(before.height);
  if (before.content !== "none" && size) put(before.backgroundColor, x, y + (h - size) / 2, parseFloat(before.width), size);
}

function striped(g, image, x, y, w, h) {
  const colour = image.match(/rgb\([^)]*\)/), step = image.includes("6px") ? 6 : 8, way = image.includes("135deg") ? 1 : -1;
  if (!colour) return;
  g.save();
  g.beginPath();
  g.rect(x, y, w, h);
  g.clip();
  Object.assign(g, { strokeStyle: colour[0], lineWidth: step === 6 ? 1 : 3 });
  g.beginPath();
  for (let at = -h; at < w + h; at += step * Math.SQRT2) {
    g.moveTo(x + at, way > 0 ? y + h : y);
    g.lineTo(x + at + h, way > 0 ? y : y + h);
  }
  g.stroke();
  g.restore();
}

// Line by line, as it is broken on the screen; what does not fit its box ends in an ellipsis there, too.
function lettered(g, node, placed) {
  const range = document.createRange(), style = getComputedStyle(node.parentElement), text = node.textContent, lines = [];
  for (let at = 0; at < text.length; at += 1) {
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    const box = range.getBoundingClientRect(), last = lines.at(-1);
    if (last && Math.abs(last.box.top - box.top) < 2) last.text += text[at];
    else if (box.width) lines.push({ text: text[at], box });
  }
  const [left, top, width, height] = placed(node.parentElement.getBoundingClientRect());
  Object.assign(g, { font: `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`, fillStyle: style.color, textAlign: "left", textBaseline: "middle" });
  for (const { text: line, box } of lines) {
    const [x, y, , h] = placed(box);
    if (y + h / 2 > top + height) return; // clamped
    const shown = style.overflow === "hidden" ? shorten(g, line, left + width - x + 1) : line;
    g.fillText(shown, x, y + h / 2);
    if (style.textDecorationLine === "line-through") g.fillRect(x, y + h / 2, g.measureText(shown).width, 1);
  }
}

function opaque(colour) {
  return !/^rgba\(.*, 0\)$|\/ 0\)$|^transparent$/.test(colour);
}

// `color(srgb 1 0 0 / 0.4)`, as a mix of colours computes to, in the form that every program reads.
function plainColour(colour) {
  const mixed = colour.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.]+))?\)$/);
  return mixed ? `rgba(${mixed.slice(1, 4).map((part) => Math.round(part * 255)).join(", ")}, ${mixed[4] ?? 1})` : colour;
}
