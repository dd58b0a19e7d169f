// Charts: the library is unpacked once, charts are drawn as they come into sight, and again when colours change.
"use strict";

/** A promise of the library: 5 MB of code that travels compressed. */
let library = null;
function plotting() {
  if (!library)
    library = (async () => {
      if (typeof DecompressionStream === "undefined") throw new Error("this browser cannot unpack the plotting library; the tables hold every figure");
      const packed = Uint8Array.from(atob(document.getElementById("charts").textContent.trim()), (c) => c.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
      const script = document.createElement("script");
      script.textContent = await new Response(stream).text();
      document.head.append(script);
      return window.Plotly;
    })();
  return library;
}

/** Text for the library, which reads a few tags and entities in labels. */
const plain = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const shortened = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1)}\u2026`);

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
// Paul Tol's bright scheme, then his light one: told apart by colour-blind readers, on white and on black.
const hues = ["#4477aa", "#ee6677", "#ccbb44", "#228833", "#66ccee", "#aa3377", "#ee8866", "#44bb99", "#aaaa00", "#99ddff", "#ffaabb", "#b5835a", "#8080d0", "#c9b6e4"];
const layerHues = new Map();
/** A layer has one colour on the whole page. */
function hueOf(layer) {
  if (/unresolved|^other/.test(layer)) return "#999999";
  if (!layerHues.has(layer)) layerHues.set(layer, hues[layerHues.size % hues.length]);
  return layerHues.get(layer);
}
for (const layer of report.ledgers.layers) hueOf(layer);

const rungStyles = {
  gross: { label: "gross", hue: "#4477aa", symbol: "circle", dash: "solid" },
  call: { label: "call", hue: "#66ccee", symbol: "square", dash: "dot" },
  net: { label: "net", hue: "#228833", symbol: "diamond", dash: "solid" },
  cpp: { label: "cpp", hue: "#999999", symbol: "x", dash: "dash" },
};

const settings = { responsive: true, displaylogo: false, modeBarButtons: [["toImage", "resetScale2d"]] };

function layoutOf(more) {
  const axis = { gridcolor: color("line"), zerolinecolor: color("line"), linecolor: color("line"), tickcolor: color("line"), automargin: true };
  const { xaxis, yaxis, ...rest } = more;
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: getComputedStyle(document.body).fontFamily, size: 12, color: color("soft") },
    margin: { l: 50, r: 12, t: 8, b: 36 },
    hoverlabel: { bgcolor: color("panel"), bordercolor: color("faint"), font: { color: color("ink"), size: 12 }, align: "left", namelength: -1 },
    showlegend: false,
    modebar: { bgcolor: "rgba(0,0,0,0)", color: color("faint"), activecolor: color("ink") },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: 11 } },
    ...rest,
    xaxis: { ...axis, ...xaxis },
    yaxis: { ...axis, ...yaxis },
  };
}

const shown = new Map(); // chart elements of this view: what draws them
const inSight = new IntersectionObserver((entries) => {
  for (const entry of entries)
    if (entry.isIntersecting) {
      inSight.unobserve(entry.target);
      draw(entry.target);
    }
}, { rootMargin: "400px" });

function draw(element) {
  const make = shown.get(element);
  if (!make) return Promise.resolve();
  return plotting().then(
    (plotly) => {
      if (!element.isConnected) return undefined;
      const { data, layout } = make();
      const fresh = !element.classList.contains("js-plotly-plot");
      if (fresh) element.replaceChildren();
      return plotly.react(element, data, layoutOf(layout), settings).then(() => {
        element.dataset.drawn = "yes";
        if (fresh && make.click) element.on("plotly_click", make.click);
      });
    },
    (error) => {
      element.replaceChildren(h("p", { class: "none" }, `No chart: ${error.message}.`));
    },
  );
}

/** An element in which a chart will be: `make` gives data and layout in the colours of the moment. */
function chart(label, height, make, click) {
  make.click = click;
  const element = h("div", { class: "chart", role: "img", "aria-label": label, style: `height:${height}px` }, h("p", { class: "waiting" }, "Drawing\u2026"));
  shown.set(element, make);
  inSight.observe(element);
  return element;
}
function redraw() {
  const drawn = [];
  for (const element of shown.keys())
    if (!element.isConnected) shown.delete(element);
    else if (element.dataset.drawn) drawn.push(draw(element));
  return Promise.all(drawn);
}
function forgetCharts() {
  for (const element of shown.keys()) {
    inSight.unobserve(element);
    if (window.Plotly && element.dataset.drawn) window.Plotly.purge(element);
  }
  shown.clear();
}
/** The sizes themselves where they are few, else powers of ten. */
const sizeAxis = (sizes) => (new Set(sizes).size <= 6 ? { type: "log", tickvals: sizes, ticktext: sizes.map((size) => (size >= 1e6 ? `${size / 1e6}M` : size.toLocaleString("en-US"))) } : decades);
const decades = { type: "log", dtick: 1, exponentformat: "SI" };
/** A logarithmic axis of times, labelled 1 ns, 10 ns, 1 µs. */
function timeAxis(values) {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  // Less than 0.1 ns is no time of anything: what is below comes of noise and does not stretch the axis.
  const low = Math.max(-1, Math.floor(Math.min(...logs, 1))), high = Math.ceil(Math.max(...logs, 1));
  const ticks = [];
  for (let power = low; power <= high; power += high - low > 6 ? 2 : 1) ticks.push(power);
  return { type: "log", range: [low - 0.1, high + 0.1], tickvals: ticks.map((power) => 10 ** power), ticktext: ticks.map((power) => powerText(power)) };
}
const powerText = (power) => {
  const units = [[9, "s"], [6, "ms"], [3, "\u00b5s"], [0, "ns"]];
  const [base, unit] = units.find(([each]) => power >= each) || [0, "ns"];
  return `${10 ** (power - base)} ${unit}`;
};
