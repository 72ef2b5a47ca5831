// The prompt as it is sent: one block a message, each stretch of text in the colour of the source it came from.

const FOLD_LINES = 30, FOLD_CHARS = 3500, SELECTED = 400;

function lineCount(text) {
  return text.split("\n").length - 1;
}

// The spans up to the fold, and how many lines lie behind it.
function folded(spans) {
  const shown = [];
  let lines = 0, chars = 0;
  for (let k = 0; k < spans.length; k += 1) {
    const [item, source, text, media] = spans[k], room = FOLD_LINES - lines;
    const cut = Math.min(FOLD_CHARS - chars, lineCount(text) > room ? text.split("\n", room).join("\n").length : text.length);
    lines += lineCount(text);
    chars += text.length;
    if (cut < text.length) {
      shown.push([item, source, text.slice(0, cut).replace(/[\ud800-\udbff]$/, ""), media]);
      const rest = text.slice(cut) + spans.slice(k + 1).map((span) => span[2]).join("");
      const hidden = Math.max(lineCount(rest), Math.ceil(rest.length / 110));
      return hidden > 4 ? [shown, hidden] : [spans, 0];
    }
    shown.push(spans[k]);
  }
  return [spans, 0];
}

function piece(s, [item, source, text, media], block) {
  const made = element(block ? "div" : "span", item ? "span" : "join");
  if (item) {
    made.dataset.item = item;
    made.dataset.source = source;
    made.style.setProperty("--c", `var(--source-${source})`);
  }
  if (!media) made.textContent = text;
  else made.append(picture(s, media));
  return made;
}

function picture(s, [width, height]) {
  const tile = element("span", "picture"), frame = element("i"), scale = width ? Math.min(120 / width, 72 / height) : 0;
  frame.style.width = `${Math.max(24, Math.round(width * scale) || 72)}px`;
  frame.style.height = `${Math.max(24, Math.round(height * scale) || 54)}px`;
  tile.append(frame, width ? fill(s.word("prompt.image"), { width, height }) : s.word("prompt.image_unknown"));
  return tile;
}

// A span that begins and ends at line breaks is drawn as a block, so that its colour bar runs down its whole side.
function body(s, spans) {
  const host = element("div", "body");
  let open = false; // the last block had no line break of its own: the next text's first one is already drawn
  spans.forEach((span, k) => {
    const [item, source, text, media] = span, before = k ? spans[k - 1][2] : "\n", after = k + 1 < spans.length ? spans[k + 1][2] : "\n";
    const block = item && (media || ((before.endsWith("\n") || spans[k - 1]?.[3]) && (text.endsWith("\n") || after.startsWith("\n") || spans[k + 1]?.[3])));
    const shown = open && text.startsWith("\n") ? text.slice(1) : text;
    host.append(piece(s, [item, source, shown, media], block));
    open = block && !text.endsWith("\n");
  });
  return host;
}

function message(s, [role, tokens, spans], k) {
  const block = element("section", "message"), head = element("header"), [short, hidden] = folded(spans);
  head.append(element("span", "number", String(k + 1)), element("span", `role ${role}`, role), element("span", "count", fill(s.word("tokens"), { n: s.say.count(tokens) })));
  block.setAttribute("aria-label", `${fill(s.word("prompt.message"), { n: k + 1 })}, ${role}`);
  block.append(head, body(s, short));
  if (hidden) {
    const more = element("button", "more"), say = () => (s.open.has(k) ? s.word("prompt.less") : fill(s.word("prompt.more"), { n: s.say.count(hidden) }));
    const redo = () => {
      block.querySelector(".body").replaceWith(body(s, s.open.has(k) ? spans : short));
      more.textContent = say();
      marks(s);
    };
    more.onclick = () => { s.open[s.open.has(k) ? "delete" : "add"](k); redo(); };
    block.append(more);
    if (s.open.has(k)) redo();
    else more.textContent = say();
  }
  block.style.containIntrinsicSize = `auto ${46 + 19 * Math.min(FOLD_LINES, 1 + short.reduce((n, span) => n + lineCount(span[2]), 0))}px`;
  return block;
}

function marks(s) {
  const every = s.list.querySelectorAll("[data-item]");
  every.forEach((made) => {
    made.classList.toggle("picked", made.dataset.item === s.selected);
    made.classList.toggle("cursor", made === s.cursor);
  });
  return every;
}

function pick(s, made) {
  s.cursor = made;
  s.selected = made.dataset.item;
  marks(s);
  s.emit("picked", s.selected);
}

// Scrolls the box alone: scrollIntoView would move the page under the reader.
function reveal(s, made) {
  if (!made) return;
  const inner = made.getBoundingClientRect(), outer = s.list.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) s.list.scrollTop += inner.top - outer.top - 40;
}

function keys(s, event) {
  const every = [...s.list.querySelectorAll("[data-item]")], here = every.indexOf(s.cursor), by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!plain(event)) return;
  if (by && every.length) {
    s.cursor = every[Math.max(0, Math.min(every.length - 1, here + by))];
    reveal(s, s.cursor);
    s.live.textContent = `${s.cursor.dataset.item}, ${s.word(`source.${s.cursor.dataset.source}`)}`;
    marks(s);
  } else if (event.key === "Enter" && here >= 0 && event.target === s.list) pick(s, s.cursor);
  else return;
  handled(event);
}

// What the reader has selected with the pointer. Chromium tells it of the shadow root, others of the document.
function selection(s) {
  const root = s.list.getRootNode(), made = root.getSelection ? root.getSelection() : document.getSelection();
  const text = made ? made.toString().trim() : "";
  return text.length > 2 ? text.slice(0, SELECTED) : "";
}

// Beside a selected text: a button that asks where it goes.
function offer(s, event) {
  const text = selection(s);
  s.ask.hidden = !text;
  if (!text) return;
  const box = s.box.getBoundingClientRect();
  s.ask.textContent = s.word("prompt.why");
  s.ask.style.left = `${Math.max(4, Math.min(event.clientX - box.left + 6, box.width - 150))}px`;
  s.ask.style.top = `${Math.max(4, Math.min(event.clientY - box.top + 12, box.height - 34))}px`;
  s.ask.onclick = () => { s.ask.hidden = true; s.emit("picked", `find:${text}`); };
}

function start(root) {
  const find = (query) => root.querySelector(query);
  const s = { box: find(".box"), list: find(".list"), ask: find(".ask"), tip: find(".tip"), live: find(".live"), open: new Set() };
  const owner = (event) => event.target.closest("[data-item]");
  let down = [0, 0];
  s.list.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; s.ask.hidden = true; });
  s.list.addEventListener("pointerup", (event) => setTimeout(() => offer(s, event)));
  s.list.addEventListener("click", (event) => {
    const made = owner(event), moved = Math.hypot(event.clientX - down[0], event.clientY - down[1]);
    if (made && moved < 4) pick(s, made); // a drag selects text
  });
  s.list.addEventListener("pointermove", (event) => {
    const made = owner(event);
    if (!made || event.buttons) return hideTip(s.tip);
    return showTip(s.tip, [made.dataset.item, s.word(`source.${made.dataset.source}`)], event);
  });
  s.list.addEventListener("pointerleave", () => hideTip(s.tip));
  s.list.addEventListener("keydown", (event) => keys(s, event));
  return s;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = remember(parentElement, start), fresh = s.revision !== data.revision;
  s.emit = setTriggerValue;
  s.word = (name) => data.words[name];
  s.say = numbers(data.words.lang);
  dress(s.box, lookOf(s.box, data.palette));
  s.box.style.height = `${data.height}px`;
  s.list.setAttribute("aria-label", s.word("prompt.label"));
  if (fresh) {
    s.open.clear();
    s.list.replaceChildren(...data.messages.map((row, k) => message(s, row, k)));
    if (!data.messages.length) s.list.append(element("p", "empty", s.word("prompt.empty")));
    s.revision = data.revision;
  }
  const moved = data.selected !== s.selected;
  s.selected = data.selected;
  marks(s);
  if (moved || fresh) reveal(s, s.list.querySelector(".picked"));
}
