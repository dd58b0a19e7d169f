// What the page knows: the records' own objects (results/record.schema.json), indexed by case, and how figures are written.
"use strict";

const report = JSON.parse(document.getElementById("data").textContent);

/** The operation of a case: `add[kind=array,n=8]` is one of `add`. */
const operationOf = (name) => {
  const bracket = name.indexOf("[");
  return bracket > 0 && name.endsWith("]") ? name.slice(0, bracket) : name;
};
/** A case in few characters: the keys that every case has go without saying. The full name is the link's title. */
const briefly = (name) => {
  const parameters = parametersOf(name);
  return parameters ? `${operationOf(name)} ${parameters.replace(/\b(kind|dtype)=/g, "").replace(/,/g, " ")}` : name;
};
const parametersOf = (name) => name.slice(operationOf(name).length).replace(/^\[|\]$/g, "");

/** Labels of an axis, on which equal ones would be one place. */
const distinct = (labels) => labels.map((label, at) => {
  const before = labels.slice(0, at).filter((other) => other === label).length;
  return before > 0 ? `${label} (${before + 1})` : label;
});

/** Names in the order a reader expects: n=8 before n=64. */
const inOrder = new Intl.Collator("en", { numeric: true }).compare;

/** Machines: of the runs, newest first, then those of which there are histories alone. */
const machines = [...new Set([...report.runs.map((run) => run.record.machine), ...report.trends.series.map((each) => each.machine)])];
const machineText = (machine) => report.trends.machines[machine] || machine;

/** One machine's view: its runs (newest first), histories, ledgers and the duet, by case. Of each case the newest run. */
function viewOf(machine) {
  const runs = report.runs.filter((run) => run.record.machine === machine);
  const cases = new Map(), failed = new Map(), ledgers = new Map(), problems = new Map(), profiles = new Map(), fits = new Map(), runOf = new Map();
  const statements = new Map();
  for (const each of report.duet ? report.duet.tare.cases : []) statements.set(each.case, each.statement_b || each.statement_a);
  const keep = (map, name, value) => { if (!map.has(name)) map.set(name, value); };
  for (const run of runs) {
    for (const each of run.tare.cases) {
      keep(cases, each.case, each);
      keep(runOf, each.case, run);
    }
    for (const each of run.tare.failed_cases) if (runOf.get(each.case) === run) failed.set(each.case, each.error);
    for (const each of run.tare.ledgers || []) {
      keep(ledgers, each.case, { ledger: each, run });
      keep(statements, each.case, each.statement);
    }
    for (const each of run.tare.ledger_problems || []) keep(problems, each.case, each.error || each);
    for (const each of Array.isArray(run.tare.profiles) ? run.tare.profiles : []) keep(profiles, each.case, each);
    for (const each of run.tare.size_fits) keep(fits, each.name, each);
  }
  const series = new Map();
  for (const each of report.trends.series) {
    if (machine && each.machine !== machine) continue;
    if (!series.has(each.case)) series.set(each.case, []);
    series.get(each.case).push(each);
  }
  const verdicts = new Map();
  if (report.duet && (!machine || report.duet.record.machine === machine))
    for (const each of report.duet.tare.verdicts) verdicts.set(each.case, each);
  const operations = new Map();
  const names = new Set([cases, ledgers, verdicts, series].flatMap((source) => [...source.keys()]));
  for (const name of [...names].sort(inOrder)) {
    const operation = operationOf(name);
    if (!operations.has(operation)) operations.set(operation, []);
    operations.get(operation).push(name);
  }
  const releases = report.ledgers.records.length > 0 && machine === report.ledgers.records[0].machine ? report.ledgers.cases : {};
  return { machine, runs, cases, runOf, failed, ledgers, problems, profiles, fits, series, verdicts, statements, operations, releases };
}

// Figures: three digits and a unit that suits them, as bench prints them.
const minus = (text) => text.replace("-", "\u2212");

function threeDigits(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 99.95) return minus(Math.round(value).toLocaleString("en-US"));
  return minus(size >= 9.995 ? value.toFixed(1) : size >= 0.9995 ? value.toFixed(2) : size >= 0.0005 ? value.toFixed(3) : value.toExponential(1));
}

/** [number, unit] */
function duration(ns) {
  for (const [unit, factor] of [["s", 1e9], ["ms", 1e6], ["\u00b5s", 1e3]])
    if (Math.abs(ns) >= 0.9995 * factor) return [threeDigits(ns / factor), unit];
  return [threeDigits(ns), "ns"];
}
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const durationText = (ns) => (isNumber(ns) ? duration(ns).join("\u00a0") : "\u2013");
const countText = (count) => (isNumber(count) ? minus((Math.abs(count) < 100 && !Number.isInteger(count) ? Number(count.toPrecision(3)) : Math.round(count)).toLocaleString("en-US")) : "\u2013");
const percentText = (ratio) => (isNumber(ratio) ? `${minus((100 * ratio).toFixed(1))}\u00a0%` : "\u2013");
const changeText = (ratio) => (isNumber(ratio) ? `${ratio >= 1 ? "+" : "\u2212"}${threeDigits(Math.abs(100 * (ratio - 1)))}\u00a0%` : "\u2013");
const valueText = (value, unit) => (unit === "ns" ? durationText(value) : unit === "ratio" ? (isNumber(value) ? threeDigits(value) : "\u2013") : countText(value));
const dateText = (seconds) => (isNumber(seconds) ? `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC` : "\u2013");
/** Half the interval by the value: "±0.8 %". */
function spreadText(value, low, high) {
  if (!isNumber(low) || !isNumber(high) || !(value > 0)) return "";
  return `\u00b1${threeDigits((50 * (high - low)) / value)}\u00a0%`;
}

/** What surrounds a figure, in a few words each: [label, text]. Facts that the record lacks are left out. */
function factsOf(run) {
  const { context, tare, record } = run;
  const python = context.python || {};
  const numpy = context.numpy || {};
  const blas = context.blas || {};
  const facts = [
    ["Machine", record.machine_text || context.cpu_model],
    ["Fingerprint", record.machine],
    ["Kernel", context.kernel_release],
    ["Interpreter", python.version && `CPython ${String(python.version).split(" ")[0]}${context.host ? `, host ${context.host}` : ""}`],
    ["Executable", python.executable || context.executable],
    ["NumPy", numpy.version && [numpy.version, ...(numpy.simd_found || [])].join(" ")],
    ["BLAS", blas.version_config || blas.library],
    ["Threads", tare.settings && tare.settings.threads],
    ["Processes", processesOf(run)],
    ["Date", dateText(record.date_s)],
    ["Load at start, end", [context.load_avg, context.load_avg_at_end].map((load) => Array.isArray(load) && isNumber(load[0]) ? load[0].toFixed(2) : null).filter(Boolean).join(", ")],
    ["tare", context.tare_commit || (context.harness && context.harness.commit)],
    ["Record", record.file],
  ];
  return facts.filter(([, text]) => text !== undefined && text !== null && text !== "" && text !== false);
}
const processesOf = (run) => Math.max(0, ...run.tare.cases.map((each) => each.processes || 0));

/** Raw batches of an operation, parsed when they are first asked for. */
const sampleCache = new Map();
function samplesOf(operation) {
  if (!sampleCache.has(operation)) {
    const number = JSON.parse(document.getElementById("sample-operations").textContent).indexOf(operation);
    const island = number < 0 ? null : document.getElementById(`samples-${number}`);
    sampleCache.set(operation, island ? JSON.parse(island.textContent) : []);
  }
  return sampleCache.get(operation);
}

/** Rows [layer, module, function, instructions] of a ledger; no layer where the record does not say. */
function ledgerRows(ledger, tables) {
  const files = tables.files;
  const functions = ledger.functions.map(([place, self]) => {
    const { file, name } = tables.functions[place];
    return { name, self, module: files[file].path.split("/").pop() || "compiled at run time" };
  });
  const layersOf = ledger.function_layers;
  return functions.flatMap(({ name, module, self }, place) => {
    if (!Array.isArray(layersOf)) return [["", module, name, self]];
    const parts = Array.isArray(layersOf[place]) ? layersOf[place] : [[layersOf[place], self]];
    return parts.map(([layer, part]) => [ledger.layers[layer].name, module, name, part]);
  });
}

/** Do two counts differ by more than memory layout explains? */
const beyondSpread = (before, after) => after.lowest > before.highest || after.highest < before.lowest;
