// The overview: what changed, what is slowest, where the tare is largest, on one screen.
"use strict";

const kRows = 7; // of each panel
const kLandscape = 36; // operations in the chart; more labels do not fit

/** The first rows, and the rest behind a button. */
function shortTable(columns, rows, caption) {
  const place = h("div", {}, table(columns, rows.slice(0, kRows), { caption }));
  if (rows.length > kRows)
    place.append(h("div", { class: "controls" }, h("button", { type: "button", class: "quiet", onclick: () => place.replaceChildren(table(columns, rows, { caption })) }, `All ${rows.length}`)));
  return place;
}

/** Proven changes of the duet first, then change points, then instructions between the last two releases. */
function changesOf(view) {
  const rows = [];
  for (const each of view.verdicts.values())
    if (each.verdict === "slower" || each.verdict === "faster")
      rows.push({ rank: 0, name: each.case, ratio: each.ratio, kind: each.verdict, what: each.reason ? `duet, ${each.reason}` : "duet", note: isNumber(each.low_ratio) ? `[${changeText(each.low_ratio)}, ${changeText(each.high_ratio)}]` : "" });
  for (const list of view.series.values())
    for (const each of list)
      for (const change of each.changes.filter(stands))
        rows.push({ rank: 1, name: each.case, ratio: change.change_ratio, kind: change.change_ratio > 1 ? "slower" : "faster", what: `${each.metric}, ${change.standing}`, note: `at ${placeText(each.points[change.first])}` });
  for (const [name, points] of Object.entries(view.releases)) {
    const [before, after] = points.slice(-2);
    if (points.length > 1 && sameProgram(before, after) && beyondSpread(before, after))
      rows.push({ rank: 2, name, ratio: after.total / before.total, kind: after.total > before.total ? "slower" : "faster", what: "instructions", note: `${countText(before.total)} \u2192 ${countText(after.total)}` });
  }
  return rows.sort((a, b) => a.rank - b.rank || Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
}
/** A change point that a duet refuted is none. */
const stands = (change) => change.standing !== "refuted";
const sameProgram = (before, after) => before.program === after.program;
function placeText(point) {
  const place = report.trends.places[point[0]];
  return report.trends.axis === "version" ? place.version : report.trends.axis === "commit" ? place.commit.slice(0, 10) : dateText(place.date_s);
}

function showChanges(view) {
  const rows = changesOf(view);
  const parts = [];
  if (report.duet && view.verdicts.size > 0) {
    const { sides, notice } = report.duet.tare;
    const side = (letter) => `NumPy ${((sides[letter] || {}).subject || {}).numpy_version || ((sides[letter] || {}).numpy || {}).version || "?"}`;
    if (notice) parts.push(h("p", { class: "notice" }, notice));
    parts.push(h("p", { class: "context", title: report.duet.record.file }, `Duet: ${side("a")} \u2192 ${side("b").replace("NumPy ", "")}, ${dateText(report.duet.record.date_s).slice(0, 10)}`));
  }
  if (rows.length > 0)
    parts.push(shortTable([
      { head: "case", name: true, cell: (row) => caseLink(row.name) },
      { head: "change", n: true, cell: (row) => h("span", { class: row.kind, title: row.note }, `${row.kind === "slower" ? "\u25b2" : "\u25bc"} ${changeText(row.ratio)}`) },
      { head: "evidence", cell: (row) => h("span", { class: "soft", title: row.note }, row.what) },
    ], rows, "Changes: verdicts, change points, instruction counts"));
  else parts.push(none(view.verdicts.size > 0 || report.trends.series.length > 0 ? "Nothing that is proven." : "The store holds neither a duet nor a history of these cases."));
  fill("changed", parts);
}

function showRanking(id, view, key, columns, caption) {
  const rows = [...view.cases.values()].filter((each) => isNumber(each[key])).sort((a, b) => b[key] - a[key]);
  fill(id, rows.length > 0 ? shortTable(columns, rows, caption) : none(`No case has a ${key === "tare_ns" ? "tare: none has a native rung" : "gross"}.`));
}

/** Of each operation the smallest array case that has a tare. */
function landscapeOf(view) {
  const rows = [];
  for (const names of view.operations.values()) {
    const cases = names.map((name) => view.cases.get(name)).filter((each) => each && isNumber(each.tare_ns) && each.net_ns > 0);
    const size = (each) => Number(each.parameters.n || 0);
    cases.sort((a, b) => size(a) - size(b) || a.gross_ns - b.gross_ns);
    if (cases.length > 0) rows.push(cases[0]);
  }
  return rows.sort((a, b) => b.tare_ns - a.tare_ns);
}

function showLandscape(view) {
  const all = landscapeOf(view);
  const rows = all.slice(0, kLandscape);
  if (rows.length === 0) return fill("landscape", none("No case has a native rung, so none has a tare."));
  const labels = rows.map((each) => each.operation);
  const make = () => {
    const bars = { x: [], y: [] };
    rows.forEach((each, at) => {
      bars.x.push(labels[at], labels[at], null);
      bars.y.push(each.net_ns, each.gross_ns, null);
    });
    const dots = (key, style) => ({
      type: "scatter", mode: "markers", name: style.label, x: labels.map(plain), y: rows.map((each) => each[key]),
      marker: { color: style.hue, symbol: style.symbol, size: 9 },
      customdata: rows.map((each) => [plain(each.case), durationText(each.gross_ns), durationText(each.net_ns), percentText(each.tare_share_ratio)]),
      hovertemplate: "%{customdata[0]}<br>gross %{customdata[1]}, net %{customdata[2]}<br>tare %{customdata[3]} of gross<extra></extra>",
    });
    return {
      data: [
        { type: "scatter", mode: "lines", x: bars.x.map((label) => (label === null ? null : plain(label))), y: bars.y, line: { color: color("faint"), width: 2 }, hoverinfo: "skip", showlegend: false, connectgaps: false },
        dots("net_ns", rungStyles.net),
        dots("gross_ns", rungStyles.gross),
      ],
      layout: { showlegend: true, xaxis: { type: "category", tickangle: rows.length > 8 ? -40 : 0, showgrid: false, range: [-0.6, rows.length - 0.4] }, yaxis: timeAxis(rows.flatMap((each) => [each.net_ns, each.gross_ns])), margin: { l: 56, r: 12, t: 26, b: 60 } },
    };
  };
  const figure = chart("Net and gross of each operation at its smallest array; the line between them is the tare. The table below holds the figures.", 260, make, (event) => {
    const row = rows[event.points[0].pointIndex];
    if (row) location.hash = linkTo({ case: row.case });
  });
  fill("landscape",
    h("p", { class: "context" }, `Each operation at its smallest array; the line is the tare.${all.length > rows.length ? ` The ${rows.length} largest of ${all.length}.` : ""}`),
    figure,
    behind("Table", () => table([
      { head: "case", name: true, cell: (row) => caseLink(row.case) },
      { head: "gross", n: true, cell: (row) => time(row.gross_ns) },
      { head: "net", n: true, cell: (row) => time(row.net_ns) },
      { head: "tare", n: true, cell: (row) => time(row.tare_ns) },
      { head: "share", n: true, cell: (row) => percentText(row.tare_share_ratio) },
    ], all, { caption: "Net, gross and tare by operation" })));
  return undefined;
}

function showOverview(view) {
  const [run] = view.runs;
  const counts = (kind) => [...view.verdicts.values()].filter((each) => each.verdict === kind).length;
  const points = [...view.series.values()].flat().reduce((sum, each) => sum + each.changes.filter(stands).length, 0);
  fill("overview-context", run ? [summaryOf(run), view.runs.length > 1 ? ` and ${view.runs.length - 1} older` : ""] : "No run of these cases; histories and duets only.");
  fill("tiles",
    tile("operations", countText(view.operations.size)),
    tile("cases", countText(view.cases.size), view.failed.size > 0 ? `${view.failed.size} failed` : ""),
    view.verdicts.size > 0 ? [
      tile("slower", `\u25b2 ${counts("slower")}`, "", counts("slower") > 0 ? "slower" : null),
      tile("faster", `\u25bc ${counts("faster")}`, "", counts("faster") > 0 ? "faster" : null),
      tile("same", String(counts("same"))),
      tile("inconclusive", String(counts("inconclusive"))),
    ] : [],
    report.trends.series.length > 0 ? tile("change points", String(points), `by ${report.trends.axis}`) : null);
  showChanges(view);
  showRanking("slowest", view, "gross_ns", [
    { head: "case", name: true, cell: (row) => caseLink(row.case) },
    { head: "gross", n: true, cell: (row) => time(row.gross_ns, spreadText(row.gross_ns, row.gross_low_ns, row.gross_high_ns)) },
  ], "The slowest cases");
  showRanking("largest", view, "tare_ns", [
    { head: "case", name: true, cell: (row) => caseLink(row.case) },
    { head: "tare", n: true, cell: (row) => time(row.tare_ns, spreadText(row.tare_ns, row.tare_low_ns, row.tare_high_ns)) },
    { head: "of gross", n: true, cell: (row) => share(row.tare_share_ratio) },
  ], "The cases with the largest tare");
  showLandscape(view);
}

/** "OpenBLAS 0.3.31.188.0 SkylakeX" */
const blasText = (blas) => (blas && blas.version_config ? [...String(blas.version_config).split(/\s+/).slice(0, 2), blas.core].filter(Boolean).join(" ") : null);

/** One line of context; all of it stands under each operation. */
function summaryOf(run) {
  const facts = new Map(factsOf(run));
  const processes = processesOf(run);
  const parts = [
    facts.get("Machine"), facts.get("Interpreter"),
    run.record.version ? `version ${run.record.version}` : null,
    blasText(run.context.blas),
    `${processes} process${processes === 1 ? ": intervals are within one process" : "es"}`,
    facts.get("Date"),
  ].filter(Boolean);
  return [h("span", {}, parts.join(" \u00b7 ")), " \u00b7 ", h("code", {}, run.record.file)];
}
