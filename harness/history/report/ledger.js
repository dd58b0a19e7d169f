// Ledgers: instructions by layer, the flame graph, and how layers moved from release to release.
"use strict";

const kLightest = "lighter functions"; // below half a per cent a record names none

function showLedger(view, name) {
  const found = view.ledgers.get(name);
  byId("flame").parentElement.hidden = !found;
  if (!found) {
    const problem = view.problems.get(name);
    fill("layers", none(problem ? `No ledger: ${problem.what || "see the record"}.` : "No run of the report made a ledger of it (bench run --ledger)."));
    fill("flame");
    return;
  }
  showLayers(name, found.ledger);
  showFlame(name, found.ledger, found.run.tare.ledger_tables);
}

function showLayers(name, ledger) {
  const layers = ledger.layers.filter((layer) => layer.self.value > 0);
  const total = ledger.total.value;
  const make = () => ({
    data: [{
      type: "bar", orientation: "h", x: layers.map((layer) => layer.self.value), y: layers.map((layer) => plain(layer.name)),
      marker: { color: layers.map((layer) => hueOf(layer.name)) }, text: layers.map((layer) => `${countText(layer.self.value)}  ${percentText(layer.self.value / total)}`), textposition: "outside", cliponaxis: false,
      textfont: { color: color("ink"), size: 11 }, hovertemplate: "%{y}: %{x:,} instructions<extra></extra>",
    }],
    layout: { xaxis: { showgrid: false, showticklabels: false, zeroline: false, ticks: "", showline: false, range: [0, 1.35 * Math.max(...layers.map((layer) => layer.self.value), 1)] }, yaxis: { autorange: "reversed", type: "category", ticks: "", showgrid: false }, margin: { l: 8, r: 8, t: 4, b: 4 }, bargap: 0.35 },
  });
  fill("layers",
    h("p", { class: "context" }, `${countText(total)} instructions in ${ledger.layouts} layouts; the one with the fewest is described.`),
    chart(`Instructions of ${name} by layer; the table holds them.`, 40 + 24 * layers.length, make),
    behind("Table", () => table([
      { head: "layer", cell: (layer) => layer.name },
      { head: "instructions", n: true, cell: (layer) => countText(layer.self.value) },
      { head: "over layouts", n: true, cell: (layer) => (layer.self.highest > layer.self.lowest ? `${countText(layer.self.lowest)} to ${countText(layer.self.highest)}` : "") },
      { head: "share", n: true, cell: (layer) => percentText(layer.self.value / total) },
      { head: "functions", n: true, cell: (layer) => String(layer.functions) },
    ], layers, { caption: `Ledger of ${name} by layer` })),
    (ledger.warnings || []).map((warning) => h("p", { class: "none" }, warning)));
}

/** Nodes of the icicle, each of its own plus those below: what a layer has beyond its named functions is one more. */
function flameNodes(name, ledger, rows) {
  const nodes = [{ id: "all", label: name, parent: "", value: ledger.total.value, layer: "" }];
  const index = new Map();
  const add = (id, label, parent, layer) => {
    if (!index.has(id)) {
      index.set(id, nodes.length);
      nodes.push({ id, label, parent, value: 0, layer });
    }
    return nodes[index.get(id)];
  };
  const byLayer = rows.some(([layer]) => layer !== "");
  const left = new Map();
  if (byLayer)
    for (const layer of ledger.layers)
      if (layer.self.value > 0) {
        add(`l/${layer.name}`, layer.name, "all", layer.name).value = layer.self.value;
        left.set(layer.name, layer.self.value);
      }
  let rest = ledger.total.value;
  for (const [layer, module, label, self] of rows) {
    if (self === 0) continue;
    const above = byLayer ? `l/${layer}` : "all";
    add(`${above}/m/${module}`, module, above, layer).value += self;
    add(`${above}/m/${module}/f/${label}`, label, `${above}/m/${module}`, layer).value += self;
    left.set(layer, (left.get(layer) || 0) - self);
    rest -= self;
  }
  if (byLayer) for (const [layer, value] of left) if (value > 0) add(`l/${layer}/rest`, kLightest, `l/${layer}`, layer).value = value;
  if (!byLayer && rest > 0) add("rest", kLightest, "all", "").value = rest;
  return nodes;
}

function showFlame(name, ledger, tables) {
  const rows = ledgerRows(ledger, tables);
  const nodes = flameNodes(name, ledger, rows);
  const byLayer = rows.some(([layer]) => layer !== "");
  const make = () => ({
    data: [{
      type: "icicle", ids: nodes.map((node) => node.id), labels: nodes.map((node) => plain(node.label)), parents: nodes.map((node) => node.parent), values: nodes.map((node) => node.value),
      branchvalues: "total", tiling: { orientation: "v" }, root: { color: color("wash") }, pathbar: { visible: true, thickness: 20 }, sort: true,
      marker: { colors: nodes.map((node, at) => (at === 0 ? color("wash") : node.label === kLightest ? color("wash") : byLayer ? hueOf(node.layer) : hues[(Math.max(0, nodes.findIndex((other) => other.parent === "all" && (node.id === other.id || node.id.startsWith(`${other.id}/`))))) % hues.length])), line: { color: color("panel"), width: 1 } },
      customdata: nodes.map((node) => [countText(node.value), percentText(node.value / ledger.total.value), plain(node.layer)]),
      hovertemplate: "%{label}<br>%{customdata[0]} instructions, %{customdata[1]}<extra>%{customdata[2]}</extra>", texttemplate: "%{label}", textfont: { size: 11 }, insidetextfont: { color: "#16191c" }, 
    }],
    layout: { margin: { l: 0, r: 0, t: 22, b: 0 }, uniformtext: { minsize: 9, mode: "hide" } },
  });
  fill("flame",
    h("p", { class: "context" }, `${byLayer ? "Case, layer, module, function" : "Case, module, function (the record does not say which function is in which layer)"}; widths are instructions. A click goes in, the bar above goes out.`),
    chart(`Flame graph of the instructions of ${name}; the table holds them.`, byLayer ? 300 : 250, make),
    behind("Table", () => table([
      ...(byLayer ? [{ head: "layer", cell: ([layer]) => layer }] : []),
      { head: "function", name: true, cell: ([, , label]) => label },
      { head: "module", name: true, cell: ([, module]) => module },
      { head: "instructions", n: true, cell: ([, , , self]) => countText(self) },
      { head: "share", n: true, cell: ([, , , self]) => percentText(self / ledger.total.value) },
    ], [...rows].sort((a, b) => b[3] - a[3]), { caption: `Functions of ${name} by instructions` })));
}

/** Stacked bars: instructions by layer, or by function, at each place of the axis. */
function showMoved(view, name) {
  const points = view.releases[name] || [];
  if (points.length < 2) return fill("moved", none("Ledgers of two releases or more would show here."));
  const { records, layers, functions, programs } = report.ledgers;
  const axis = report.trends.axis;
  const days = new Set(points.map((point) => dateText(records[point.record].date_s).slice(0, 10)));
  const dayOf = (record) => dateText(record.date_s).slice(0, days.size === points.length ? 10 : 16);
  const placeOf = (point) => (axis === "version" ? records[point.record].version : axis === "commit" ? records[point.record].commit.slice(0, 10) : dayOf(records[point.record]));
  const kinds = {
    layers: { label: (index) => layers[index], hue: (label) => hueOf(label) },
    functions: { label: (index) => functions[index][0], hue: (label, at) => hues[at % hues.length] },
  };
  const labels = distinct(points.map(placeOf));
  const place = h("div", {});
  const buttons = Object.keys(kinds).map((kind) => h("button", { type: "button", onclick: () => choose(kind) }, kind));
  function choose(kind) {
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.textContent === kind)));
    const sums = new Map();
    for (const point of points) for (const [index, value] of point[kind]) sums.set(index, Math.max(sums.get(index) || 0, value));
    const names = [...sums].sort((a, b) => b[1] - a[1]).slice(0, 14).map(([index]) => index);
    const valueOf = (point, index) => (point[kind].find(([each]) => each === index) || [0, 0])[1];
    const others = points.map((point) => point.total - names.reduce((sum, index) => sum + valueOf(point, index), 0));
    const stacks = names.map((index, at) => ({ label: kinds[kind].label(index), values: points.map((point) => valueOf(point, index)), hue: kinds[kind].hue(kinds[kind].label(index), at) }));
    if (others.some((value) => value > 0)) stacks.push({ label: kind === "layers" ? "other layers" : "other functions", values: others, hue: "#999999" });
    place.replaceChildren(
      chart(`Instructions of ${name} by ${kind} over ${points.length} records; the table holds them.`, innerWidth > 600 ? 330 : 460, () => ({
        data: stacks.map((stack) => ({ type: "bar", name: plain(shortened(stack.label, 28)), x: labels.map(plain), y: stack.values, marker: { color: stack.hue, line: { color: color("panel"), width: 0.5 } }, customdata: stack.values.map(() => plain(stack.label)), hovertemplate: "%{customdata}: %{y:,}<extra>%{x}</extra>" })),
        layout: { barmode: "stack", bargap: 0.4, showlegend: true, legend: innerWidth > 600 ? { orientation: "v", x: 1.02, y: 1, xanchor: "left", yanchor: "top", font: { size: 10 }, traceorder: "reversed" } : { orientation: "h", x: 0, y: -0.2, yanchor: "top", font: { size: 10 } }, xaxis: { type: "category" }, yaxis: { tickformat: "," }, margin: { l: 50, r: 8, t: 8, b: 34 } },
      })),
      behind("Table", () => table([
        { head: kind, name: true, cell: (stack) => stack.label },
        ...points.map((point, at) => ({ head: labels[at], n: true, cell: (stack) => countText(stack.values[at]) })),
        { head: "change", n: true, cell: (stack) => { const change = stack.values.at(-1) - stack.values.at(-2); return change === 0 ? "" : `${change > 0 ? "+" : ""}${countText(change)}`; } },
      ], [...stacks, { label: "all", values: points.map((point) => point.total) }], { caption: `Instructions of ${name} by ${kind} and ${axis}` })));
  }
  const mixed = new Set(points.map((point) => point.program)).size > 1;
  fill("moved", h("div", { class: "controls", role: "group", "aria-label": "Stacks" }, buttons), mixed ? h("p", { class: "none", title: programs.map((each) => JSON.stringify(each)).join("\n") }, "Of different programs (interpreter, CPU features, BLAS core or host): not all of the change is NumPy's.") : "", place);
  choose("layers");
  return undefined;
}
