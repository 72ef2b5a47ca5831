// What a payload's mark stands in: texts by the box that they are read in, and whatever acts. Called with the names of
// attributes that only show a text.
([shown]) => {
  const mark = /zq\d\dx|evil\.invalid|window\.acted/, texts = [], acts = [];
  const code = ["SCRIPT", "STYLE", "IFRAME", "OBJECT", "TEMPLATE", "NOSCRIPT"];
  const made = "h1, h2, h3, h4, h5, h6, table, ul, ol, blockquote, pre, hr, input, sup, details, form, .katex, img, object, math";
  const written = "[data-testid=stMarkdownContainer], [data-testid=stText]";
  const isInline = (box) => ["inline", "contents"].includes(getComputedStyle(box).display);

  const read = (node) => {
    let box = node.parentElement;
    if (!mark.test(node.data) || !box || box.tagName === "TEXTAREA") return;
    if (code.includes(box.tagName)) {
      acts.push(box.outerHTML);
      return;
    }
    while (box.parentElement && isInline(box)) box = box.parentElement;
    texts.push(box.textContent);
  };
  const check = (one) => {
    for (const {name, value} of one.attributes)
      if (mark.test(value) && !/^(aria|data)-/.test(name) && !shown.includes(name)) acts.push(`${one.tagName} ${name}=${value}`);
    if (one.closest(written) && one.matches(made) && mark.test(one.textContent)) acts.push(`${one.tagName}: ${one.textContent}`);
  };
  const look = (root) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) read(nodes.currentNode);
    for (const one of root.querySelectorAll("*")) {
      check(one);
      if (one.shadowRoot) look(one.shadowRoot);
    }
  };
  look(document.body);
  return {texts: [...new Set(texts)], acts, acted: window.acted ?? null, violations: window.violations ?? []};
}
