// One case: its history with change points, what it counted, and its raw batches on demand.
"use strict";

const labelOf = (series) => [series.metric, series.reference && `against ${series.reference}`].filter(Boolean).join(" ");

function historyChart(name, series) {
  const { points, changes, unit } = series;
  const places = points.map((point) => report.trends.places[point[0]]);
  const byDate = report.trends.axis === "date";
  const x = byDate ? places.map((place) => new Date(place.date_s * 1000).toISOString()) : points.map((point) => plain(placeText(point)));
  const at = (index) => (byDate ? x[index] : index);
  const make = () => {
    const levels = { x: [], y: [] };
    for (const change of changes) {
      levels.x.push(x[change.begin], x[change.first - 1], null, x[change.first], x[Math.min(change.end, points.length) - 1], null);
      levels.y.push(change.before, change.before, null, change.after, change.after, null);
    }
    const values = points.map((point) => point[1]);
    const low = Math.min(...points.map((point) => point[2] ?? point[1])), high = Math.max(...points.map((point) => point[3] ?? point[1]));
    const room = 0.15 * (high - low || Math.abs(high) || 1);
    const factor = unit === "ns" ? { s: 1e9, ms: 1e6, "\u00b5s": 1e3, ns: 1 }[duration(high)[1]] : 1;
    return {
      data: [
        { type: "scatter", mode: "lines", x: levels.x, y: levels.y.map((level) => (level === null ? null : level / factor)), line: { color: color("slower"), width: 2 }, hoverinfo: "skip", connectgaps: false },
        {
          type: "scatter", mode: "lines+markers", x, y: values.map((value) => value / factor), line: { color: hues[0], width: 1.5, dash: changes.length > 0 ? "dot" : "solid" }, marker: { size: 7, color: hues[0] },
          error_y: { type: "data", symmetric: false, thickness: 1, width: 2, color: hues[0], array: points.map((point) => Math.max(0, (point[3] ?? point[1]) - point[1]) / factor), arrayminus: points.map((point) => Math.max(0, point[1] - (point[2] ?? point[1])) / factor) },
          customdata: points.map((point, index) => [valueText(point[1], unit), plain(places[index].version), dateText(places[index].date_s), plain(places[index].record), point[4]]),
          hovertemplate: "%{customdata[0]}<br>version %{customdata[1]}, %{customdata[2]}<br>%{customdata[4]} processes, %{customdata[3]}<extra></extra>",
        },
      ],
      layout: {
        xaxis: byDate ? { type: "date" } : { type: "category", categoryorder: "array", categoryarray: x, range: [-0.4, points.length - 0.6] },
        yaxis: { title: { text: unit === "ns" ? duration(high)[1] : unit === "ratio" ? "ratio" : "", standoff: 6 }, range: [(low - room) / factor, (high + room) / factor], nticks: 6 },
        margin: { l: 56, r: 12, t: 20, b: 40 },
        shapes: changes.map((change) => ({ type: "line", x0: byDate ? at(change.first) : change.first - 0.5, x1: byDate ? at(change.first) : change.first - 0.5, yref: "paper", y0: 0, y1: 1, line: { color: color("slower"), width: 1, dash: "dot" } })),
        annotations: changes.map((change) => ({ x: byDate ? at(change.first) : change.first - 0.5, y: 1, yref: "paper", yanchor: "bottom", text: changeText(change.change_ratio), showarrow: false, font: { size: 11, color: color("slower") } })),
      },
    };
  };
  const nothing = series.not_searched ? `Not searched for change points: ${series.not_searched}.` : "No change point.";
  const words = changes.map((change) => `${changeText(change.change_ratio)} at ${placeText(points[change.first])}`).join("; ");
  return [
    h("p", { class: "context" }, `By ${report.trends.axis}; ${machineText(series.machine)}; ${series.environment}${series.at_clock_ghz > 0 ? `; at ${series.at_clock_ghz.toFixed(2)} GHz` : ""}`),
    chart(`History of ${labelOf(series)} of ${name}, ${points.length} points. ${words || nothing}`, 230, make),
    changes.length > 0
      ? h("ul", { class: "changes" }, changes.map((change) => h("li", { class: "change" },
        h("b", { class: change.change_ratio > 1 ? "slower" : "faster" }, `${change.change_ratio > 1 ? "\u25b2" : "\u25bc"} ${changeText(change.change_ratio)}`),
        ` at ${placeText(points[change.first])}: ${valueText(change.before, unit)} \u2192 ${valueText(change.after, unit)}; ${change.standing}${change.confirmation ? `, ${change.confirmation}` : ""}`,
        h("span", { class: "soft" }, ` (p = ${threeDigits(change.p_value)}, ${places[change.first].record})`))))
      : h("p", { class: "none" }, points.length < 2 ? "One point makes no history." : nothing),
    behind("Table", () => table([
      { head: report.trends.axis, cell: (point) => placeText(point) },
      { head: labelOf(series), n: true, cell: (point) => valueText(point[1], unit) },
      { head: "low", n: true, cell: (point) => valueText(point[2], unit) },
      { head: "high", n: true, cell: (point) => valueText(point[3], unit) },
      { head: "processes", n: true, cell: (point) => String(point[4]) },
      { head: "record", name: true, cell: (point) => report.trends.places[point[0]].record },
    ], points, { caption: `History of ${labelOf(series)} of ${name}` })),
  ];
}

function showHistory(view, name) {
  const all = (view.series.get(name) || []).filter((each) => each.points.length > 0);
  if (all.length === 0) return fill("history", none("The store holds no history of it."));
  const place = h("div", {});
  const buttons = all.map((series) => {
    const twins = all.filter((other) => labelOf(other) === labelOf(series)).length > 1;
    return h("button", { type: "button", title: series.environment, onclick: (event) => choose(event.currentTarget, series) }, twins ? `${labelOf(series)}, ${series.environment}` : labelOf(series));
  });
  function choose(button, series) {
    for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
    place.replaceChildren(...historyChart(name, series));
  }
  fill("history", h("div", { class: "controls", role: "group", "aria-label": "Metric" }, buttons), place);
  const first = Math.max(0, all.findIndex((series) => series.changes.length > 0));
  choose(buttons[first], all[first]);
  return undefined;
}

function showCounters(view, name) {
  const each = view.cases.get(name);
  const counters = Object.entries((each && each.counters) || {});
  if (counters.length === 0) return fill("counters", none("None was asked for (bench run --counters default)."));
  const perCycle = each.instructions_per_cycle;
  const counted = counters.filter(([, count]) => isNumber(count.value));
  const reasons = new Map();
  for (const [counter, count] of counters)
    if (!isNumber(count.value)) reasons.set(count.reason || count.state, [...(reasons.get(count.reason || count.state) || []), counter]);
  return fill("counters",
    counted.length > 0 ? table([
      { head: "counter", cell: ([counter]) => counter },
      { head: "of one execution", n: true, cell: ([, count]) => countText(count.value) },
      { head: "\u00b1", n: true, cell: ([, count]) => h("span", { class: "soft" }, spreadText(count.value, count.low, count.high)) },
      { head: "per 1000 instr.", n: true, cell: ([, count]) => (isNumber(count.per_thousand_instructions) ? threeDigits(count.per_thousand_instructions) : "") },
      { head: "state", cell: ([, count]) => h("span", { class: "soft", title: count.reason }, count.state) },
    ], counted, { caption: `Counters of ${name}` }) : "",
    isNumber(perCycle) ? h("p", { class: "context" }, `${threeDigits(perCycle)} instructions per cycle`) : "",
    [...reasons].map(([why, which]) => h("p", { class: "none" }, `Not counted: ${which.join(", ")}: ${why}`)));
}

/** Layers by sampled time, where the run kept profiles. */
function showProfile(view, name) {
  const profile = view.profiles.get(name);
  const section = byId("profile").parentElement;
  section.hidden = !profile;
  if (!profile) return fill("profile");
  const layers = (profile.layers || []).map((layer) => ({ name: String(layer.name || layer.layer), share: layer.share_ratio ?? layer.self_share_ratio ?? layer.self ?? layer.samples ?? 0 }));
  const all = layers.reduce((sum, layer) => sum + layer.share, 0) || 1;
  return fill("profile", layers.length === 0 ? none("The profile of this case names no layer.") : table([
    { head: "layer", cell: (layer) => layer.name },
    { head: "of its time", n: true, cell: (layer) => share(layer.share / all) },
  ], layers, { caption: `Sampled time of ${name} by layer` }));
}

function samplesView(name, rows) {
  const rungs = [...new Set(rows.map((row) => row.rung))];
  const place = h("div", {});
  const buttons = rungs.map((rung) => h("button", { type: "button", onclick: (event) => choose(event.currentTarget, rung) }, rung));
  function choose(button, rung) {
    for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
    const chosen = rows.filter((row) => row.rung === rung);
    const label = (row) => `process ${row.process + 1}`;
    place.replaceChildren(
      chart(`Batches of the ${rung} rung of ${name}, by process, as they were timed; the table holds them.`, 240, () => ({
        data: chosen.map((row) => ({ type: "box", name: label(row), y: row.samples_ns, boxpoints: "all", jitter: 0.6, pointpos: 0, fillcolor: "rgba(0,0,0,0)", line: { color: color("faint"), width: 1 }, marker: { size: 4, color: hues[0] }, hovertemplate: "%{y:.4g} ns<extra></extra>" })),
        layout: { yaxis: { title: { text: "ns", standoff: 6 } }, margin: { l: 60, r: 12, t: 10, b: 30 } },
      })),
      table([
        { head: "process", cell: (row) => String(row.process + 1) },
        { head: "batches", n: true, cell: (row) => String(row.samples_ns.length) },
        { head: "unroll", n: true, cell: (row) => String(row.unroll) },
        { head: "floor of a pass", n: true, cell: (row) => time(row.floor_ns) },
        { head: "ns of one execution, in the order measured", name: true, cell: (row) => row.samples_ns.join(" ") },
      ], chosen, { caption: `Batches of the ${rung} rung of ${name}` }));
  }
  choose(buttons[0], rungs[0]);
  return h("div", {}, h("div", { class: "controls", role: "group", "aria-label": "Rung" }, buttons), place);
}

function showSamples(view, name) {
  const record = view.runOf.has(name) ? view.runOf.get(name).record.file : "";
  fill("samples",
    h("p", { class: "context" }, "Raw batches of the run named below, the loop's floor included."),
    behind("Show samples", () => {
      const rows = samplesOf(operationOf(name)).filter((row) => row.case === name && row.record === record);
      return rows.length > 0 ? samplesView(name, rows) : none("No run of the report holds any of it.");
    }));
}
