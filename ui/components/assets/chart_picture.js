// The chart that stands in a container of the page, as SVG or PNG. A chart is several drawings, one over the other.

function svgOf(chart) {
  const { width, height } = chart.getBoundingClientRect(), space = "http://www.w3.org/2000/svg";
  const whole = document.createElementNS(space, "svg");
  for (const [name, value] of Object.entries({ xmlns: space, width, height, viewBox: `0 0 ${width} ${height}` })) whole.setAttribute(name, value);
  const ground = document.createElementNS(space, "rect");
  const shade = getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor;
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: shade })) ground.setAttribute(name, value);
  whole.append(ground);
  for (const layer of chart.querySelectorAll("svg.main-svg")) {
    const copy = layer.cloneNode(true);
    copy.style.background = "none";
    const drawn = [...layer.querySelectorAll("text")];
    copy.querySelectorAll("text").forEach((text, at) => { // elsewhere the page's font may not be there
      if (text.querySelector("tspan, a") || !text.textContent) return;
      text.setAttribute("textLength", drawn[at].getComputedTextLength());
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    });
    whole.append(copy);
  }
  return new XMLSerializer().serializeToString(whole);
}

async function pngOf(svg, chart) {
  const picture = new Image(), address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  picture.src = address;
  await picture.decode();
  const { width, height } = chart.getBoundingClientRect();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(picture, 0, 0, 2 * width, 2 * height);
  URL.revokeObjectURL(address);
  return new Promise((done) => canvas.toBlob(done));
}

export default function ({ data, parentElement }) {
  const chart = () => document.querySelector(`.st-key-${CSS.escape(data.place)} .js-plotly-plot`);
  const take = async (make, kind) => { const found = chart(); if (found) takeHome(await make(found), `${data.name}.${kind}`); };
  const kinds = {
    PNG: () => take((found) => pngOf(svgOf(found), found), "png"),
    SVG: () => take((found) => new Blob([svgOf(found)], { type: "image/svg+xml" }), "svg"),
  };
  takes(parentElement.querySelector(".take"), kinds, data.words["take"]);
}
