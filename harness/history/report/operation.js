// An operation: its rungs over n and its cases; of the chosen case history, ledger, flame graph, counters, samples.
"use strict";

const rungKeys = ["gross", "call", "net", "cpp"];

/** Cases of an operation that differ in n alone, by their other parameters. */
function groupsOf(view, operation) {
  const groups = new Map();
  for (const name of view.operations.get(operation)) {
    const each = view.cases.get(name);
    if (!each || !isNumber(each.gross_ns) || !(Number(each.parameters.n) > 0)) continue;
    const label = Object.entries(each.parameters).filter(([key]) => key !== "n").map(([key, value]) => `${key}=${value}`).join(", ");
    if (!groups.has(label)) groups.set(label, []);
    groups.get(label).push(each);
  }
  for (const cases of groups.values()) cases.sort((a, b) => a.parameters.n - b.parameters.n);
  return groups;
}

function fitText(fit) {
  if (!fit) return "";
  const reasons = fit.reasons || {};
  const line = isNumber(fit.overhead_ns) ? `${durationText(fit.overhead_ns)} + ${durationText(fit.slope_ns)}\u00b7n` : reasons.overhead_ns || "";
  const even = isNumber(fit.break_even_n) ? `break-even with Python scalars at n = ${countText(fit.break_even_n)}` : reasons.break_even_n ? `no break-even: ${reasons.break_even_n}` : "";
  return [line, even].filter(Boolean).join("; ");
}

function showRungs(view, operation) {
  const figures = [];
  for (const [label, cases] of groupsOf(view, operation)) {
    if (cases.length < 2) continue;
    const fitName = operation + (label ? `[${label.replace(/, /g, ",")}]` : "");
    const fit = view.fits.get(fitName);
    const keys = rungKeys.filter((key) => cases.some((each) => each[`${key}_ns`] > 0));
    const make = () => {
      const data = keys.map((key) => {
        const style = rungStyles[key];
        const having = cases.filter((each) => each[`${key}_ns`] > 0);
        return {
          type: "scatter", mode: "lines+markers", name: style.label, x: having.map((each) => Number(each.parameters.n)), y: having.map((each) => each[`${key}_ns`]),
          line: { color: style.hue, dash: style.dash, width: 2 }, marker: { symbol: style.symbol, size: 7 },
          error_y: { type: "data", symmetric: false, thickness: 1, width: 2, array: having.map((each) => Math.max(0, (each[`${key}_high_ns`] ?? each[`${key}_ns`]) - each[`${key}_ns`])), arrayminus: having.map((each) => Math.max(0, each[`${key}_ns`] - (each[`${key}_low_ns`] ?? each[`${key}_ns`]))) },
          customdata: having.map((each) => durationText(each[`${key}_ns`])), hovertemplate: `${style.label} %{customdata} at n = %{x}<extra></extra>`,
        };
      });
      const even = fit && fit.break_even_n > 0 ? fit.break_even_n : null;
      return {
        data,
        layout: {
          showlegend: true, margin: { l: 52, r: 10, t: 24, b: 34 }, xaxis: { ...sizeAxis(cases.map((each) => Number(each.parameters.n))), title: { text: "n", standoff: 4 } }, yaxis: timeAxis(data.flatMap((each) => each.y)),
          shapes: even ? [{ type: "line", x0: even, x1: even, yref: "paper", y0: 0, y1: 1, line: { color: color("slower"), width: 1.5, dash: "dot" } }] : [],
          annotations: even ? [{ x: Math.log10(even), y: 1, yref: "paper", yanchor: "top", xanchor: "left", text: `break-even ${countText(even)}`, showarrow: false, font: { size: 11, color: color("slower") } }] : [],
        },
      };
    };
    figures.push(h("figure", {},
      h("figcaption", {}, h("b", {}, label || "all parameters"), h("br"), fitText(fit)),
      chart(`Rungs of ${operation} (${label}) over n, both axes logarithmic. ${fitText(fit)}. The table of cases holds the figures.`, 250, make, (event) => {
        const row = cases.find((each) => Number(each.parameters.n) === event.points[0].x);
        if (row) location.hash = linkTo({ case: row.case });
      })));
  }
  fill("rungs", figures.length > 0 ? figures : none("No case of it was measured at two sizes or more."));
}

function showCases(view, operation, chosen) {
  const rows = view.operations.get(operation).map((name) => view.cases.get(name) || { case: name, parameters: {} });
  const has = (test) => rows.some(test);
  const reason = (row, key) => (row.reasons && row.reasons[key]) || (view.failed.has(row.case) ? view.failed.get(row.case).what : null);
  const column = (key, head) => ({ head, n: true, cell: (row) => time(row[`${key}_ns`], spreadText(row[`${key}_ns`], row[`${key}_low_ns`], row[`${key}_high_ns`]) || reason(row, `${key}_ns`)) });
  fill("operation-cases", table([
    { head: "case", name: true, cell: (row) => caseLink(row.case, briefly(row.case).slice(operation.length).trim() || row.case) },
    column("gross", "gross"),
    { head: "\u00b1", n: true, title: "half the 95 % interval", cell: (row) => h("span", { class: "soft" }, spreadText(row.gross_ns, row.gross_low_ns, row.gross_high_ns)) },
    ...(has((row) => isNumber(row.call_ns)) ? [column("call", "call")] : []),
    column("net", "net"),
    column("tare", "tare"),
    { head: "of gross", n: true, cell: (row) => (row.net_exceeds_gross ? h("span", { class: "soft", title: "net exceeds gross: the native rung is not the bare kernel" }, "net > gross") : share(row.tare_share_ratio)) },
    ...(has((row) => isNumber(row.scalar_ratio)) ? [{ head: "\u00d7 scalar", n: true, title: "gross by that of the scalar baseline", cell: (row) => (isNumber(row.scalar_ratio) ? threeDigits(row.scalar_ratio) : "\u2013") }] : []),
    ...(has((row) => view.ledgers.has(row.case)) ? [{ head: "instructions", n: true, cell: (row) => (view.ledgers.has(row.case) ? countText(view.ledgers.get(row.case).ledger.total.value) : h("span", { title: reason(row, "instructions") }, "\u2013")) }] : []),
    ...(view.verdicts.size > 0 ? [{ head: "verdict", cell: (row) => (view.verdicts.has(row.case) ? verdictText(view.verdicts.get(row.case)) : "") }] : []),
    ...(view.failed.size > 0 ? [{ head: "", cell: (row) => (view.failed.has(row.case) ? h("span", { class: "slower" }, `failed: ${view.failed.get(row.case).what}`) : "") }] : []),
  ], rows, { caption: `Cases of ${operation}`, current: (row) => row.case === chosen }));
}

/** Of the operation's cases the one that has most to show: a ledger, a tare, few elements. */
function likeliestCase(view, operation) {
  const score = (name) => {
    const each = view.cases.get(name);
    return (view.ledgers.has(name) ? 4 : 0) + (each && isNumber(each.tare_ns) ? 2 : 0) + (each && each.parameters.kind === "array" ? 1 : 0);
  };
  return [...view.operations.get(operation)].sort((a, b) => score(b) - score(a))[0];
}

function showCaseTiles(view, name) {
  const each = view.cases.get(name) || {};
  const verdict = view.verdicts.get(name);
  const { ledger } = view.ledgers.get(name) || {};
  const figure = (key) => isNumber(each[`${key}_ns`]) ? tile(key, durationText(each[`${key}_ns`]), spreadText(each[`${key}_ns`], each[`${key}_low_ns`], each[`${key}_high_ns`])) : null;
  fill("case-tiles",
    figure("gross"), figure("call"), figure("net"), figure("tare"),
    isNumber(each.tare_share_ratio) ? tile("tare of gross", percentText(each.tare_share_ratio)) : null,
    isNumber(each.scalar_ratio) ? tile("of the scalar baseline", `\u00d7 ${threeDigits(each.scalar_ratio)}`) : null,
    ledger ? tile("instructions", countText(ledger.total.value), ledger.total.highest > ledger.total.lowest ? `${countText(ledger.total.lowest)} to ${countText(ledger.total.highest)}` : `in ${ledger.layouts} layouts`) : null,
    verdict ? tile(`verdict${isNumber(verdict.b_pairs) ? `, ${verdict.b_pairs} pairs` : ""}`, verdictText(verdict), isNumber(verdict.ratio) ? `${changeText(verdict.ratio)} [${changeText(verdict.low_ratio)}, ${changeText(verdict.high_ratio)}]` : "") : null,
    view.failed.has(name) ? tile("failed", view.failed.get(name).what, "", "slower") : null);
}

function showCase(view, name) {
  const statement = view.statements.get(name);
  fill("case-title", name);
  byId("case-title").append(...(statement ? [h("br"), h("span", { class: "soft" }, statement)] : []));
  showCaseTiles(view, name);
  showHistory(view, name);
  showLedger(view, name);
  showMoved(view, name);
  showProfile(view, name);
  showCounters(view, name);
  showSamples(view, name);
  showContext(view, name);
}

/** Which run the figures of a case are from, and in what surroundings. */
function showContext(view, name) {
  const run = view.runOf.get(name);
  if (!run) return fill("context", none(`No run of ${machineText(view.machine)} in the report holds it.`));
  return fill("context",
    h("dl", { class: "facts" }, factsOf(run).map(([label, text]) => [h("dt", {}, label), h("dd", {}, String(text))])),
    behind("All that the record says", () => h("pre", { class: "mono scroll" }, JSON.stringify(run.context, null, 2))));
}

function showOperation(view, operation, chosen) {
  const count = view.operations.get(operation).length;
  fill("operation-title", operation);
  fill("operation-context", `${count} case${count === 1 ? "" : "s"}`, ...(view.runOf.has(chosen) ? [" \u00b7 ", ...summaryOf(view.runOf.get(chosen))] : []));
  showRungs(view, operation);
  showCases(view, operation, chosen);
  showCase(view, chosen);
}
