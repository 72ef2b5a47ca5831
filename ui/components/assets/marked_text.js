// A text with stretches of it marked. Marks are told apart by colour and by their line, not by colour alone.

const FATE = new Map([["lost", "dropped"], ["added", "added"], ["flipped", "compressed"]]);

function start(root) {
  return { box: root.querySelector(".box"), text: root.querySelector(".text"), legend: root.querySelector(".legend") };
}

export default function ({ data, parentElement }) {
  const s = remember(parentElement, start);
  dress(s.box, lookOf(s.box, data.palette));
  s.text.style.maxHeight = `${data.height}px`;
  s.text.setAttribute("aria-label", data.words["marked.label"]);
  s.text.replaceChildren(...data.pieces.map(([text, kind]) => {
    if (!kind) return document.createTextNode(text);
    const made = element("mark", kind, text);
    made.title = data.words[`marked.${kind}`];
    made.style.setProperty("--c", `var(--fate-${FATE.get(kind)})`);
    return made;
  }));
  s.legend.replaceChildren(...data.kinds.map((kind) => {
    const row = element("span", "entry"), swatch = element("mark", kind, "abc");
    swatch.style.setProperty("--c", `var(--fate-${FATE.get(kind)})`);
    row.append(swatch, data.words[`marked.${kind}`]);
    return row;
  }));
}
