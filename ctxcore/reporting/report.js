"use strict";
// Search, filters and the stages of the treemap. Reads what stands on the page; nothing is made of a text.
(() => {
  const find = document.getElementById("find"), source = document.getElementById("source"), end = document.getElementById("end");
  const items = [...document.querySelectorAll("#items > details")], count = document.getElementById("count");
  const texts = items.map((item) => item.textContent.toLowerCase());
  const say = (n) => n.toLocaleString("en-US");
  function filter() {
    const wanted = find.value.trim().toLowerCase();
    let shown = 0;
    items.forEach((item, at) => {
      const fits = (!source.value || item.dataset.s === source.value) && (!end.value || item.dataset.e === end.value);
      item.hidden = !(fits && texts[at].includes(wanted));
      if (!item.hidden) shown += 1;
    });
    count.textContent = say(shown);
  }
  for (const control of [find, source, end]) control.addEventListener("input", filter);
  filter();

  const picks = [...document.querySelectorAll("#picks button")];
  const tiles = [...document.querySelectorAll(".map g[data-t]")].map((g) => {
    const now = g.querySelector(".now");
    return { now, tokens: g.dataset.t.split(" ").map(Number), base: Number(g.dataset.b), y: Number(now.dataset.y), h: Number(now.dataset.h) };
  });
  function show(at) {
    for (const pick of picks) pick.setAttribute("aria-pressed", String(Number(pick.dataset.at) === at));
    for (const { now, tokens, base, y, h } of tiles) {
      const height = base ? (h * tokens[at]) / base : 0;
      now.setAttribute("y", String(y + h - height));
      now.setAttribute("height", String(height));
    }
  }
  for (const pick of picks) pick.addEventListener("click", () => show(Number(pick.dataset.at)));
})();
