// What is looked at: the address (#case=..., #op=...), the list of operations with its search, machine, colours.
"use strict";

const state = { machine: machines[0], view: viewOf(machines[0]), shownOperation: null, shownCase: null };

/** The address of a place on this page. */
function linkTo(place) {
  const parameters = new URLSearchParams(place);
  if (state.machine !== machines[0]) parameters.set("machine", state.machine);
  return `#${parameters}`;
}
/** What an address asks for; of an unknown case or operation nothing. */
function wanted() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const name = parameters.get("case");
  const operation = name === null ? parameters.get("op") : operationOf(name);
  return { name, operation, machine: parameters.get("machine") };
}

function showList() {
  const query = byId("search").value.trim().toLowerCase();
  const words = query.split(/\s+/).filter(Boolean);
  const matches = (name) => { const text = `${name} ${state.view.statements.get(name) || ""}`.toLowerCase(); return words.every((word) => text.includes(word)); };
  let found = 0;
  const items = [];
  for (const [operation, names] of state.view.operations) {
    const hits = words.length > 0 ? names.filter(matches) : names;
    if (hits.length === 0) continue;
    found += hits.length;
    const current = operation === state.shownOperation;
    const inside = words.length > 0 ? hits.slice(0, 12) : [];
    items.push(h("li", {},
      h("a", { href: linkTo({ op: operation }), "aria-current": current ? "page" : null }, operation, h("span", {}, String(hits.length))),
      inside.length > 0 ? h("ul", {}, inside.map((name) => h("li", {}, h("a", { href: linkTo({ case: name }), "aria-current": name === state.shownCase ? "page" : null }, parametersOf(name) || name)))) : null));
  }
  const overview = h("li", {}, h("a", { href: linkTo({ overview: "" }), "aria-current": state.shownOperation === null ? "page" : null }, "Overview"));
  fill("cases", words.length === 0 ? [overview, ...items] : items.length > 0 ? items : h("li", { class: "none" }, "No case matches."));
  byId("found").textContent = words.length > 0 ? `${found} ${found === 1 ? "case matches" : "cases match"}` : "";
}

function showPlace(moveFocus) {
  const { name, operation, machine } = wanted();
  const asked = machine === null ? machines[0] : machine;
  if (machines.includes(asked) && asked !== state.machine) {
    state.machine = asked;
    state.view = viewOf(asked);
    byId("machine").value = asked;
  }
  const { view } = state;
  const known = operation !== null && view.operations.has(operation) && (name === null || view.operations.get(operation).includes(name));
  const missing = operation !== null && !known;
  fill("notices", missing ? h("p", { class: "notice" }, `The report holds no case '${name || operation}' of this machine.`) : "", report.notes.map((note) => h("p", { class: "notice" }, note)));
  const samePlace = known && operation === state.shownOperation && state.shownMachine === state.machine;
  if (!samePlace) forgetCharts();
  byId("overview").hidden = known;
  byId("operation").hidden = !known;
  state.shownMachine = state.machine;
  state.shownOperation = known ? operation : null;
  state.shownCase = known ? name || likeliestCase(view, operation) : null;
  if (!known) showOverview(view);
  else if (samePlace) {
    showCases(view, operation, state.shownCase);
    showCase(view, state.shownCase);
  } else showOperation(view, operation, state.shownCase);
  document.title = known ? `${state.shownCase} \u2013 tare report` : "tare report";
  showList();
  if (!moveFocus) return;
  if (known && name !== null) byId("case-title").scrollIntoView({ block: "start" });
  else window.scrollTo(0, 0);
  byId(known ? (name !== null ? "case-title" : "operation-title") : "main").focus({ preventScroll: true });
}

function showMachines() {
  const select = byId("machine");
  select.replaceChildren(...machines.map((machine) => h("option", { value: machine }, machineText(machine))));
  byId("machine-label").hidden = machines.length < 2;
  select.addEventListener("change", () => {
    const { name, operation } = wanted();
    state.machine = select.value;
    state.view = viewOf(state.machine);
    const place = name !== null ? { case: name } : operation !== null ? { op: operation } : { overview: "" };
    location.hash = linkTo(place);
  });
}

// Colours: the reader's system decides until the reader does.
const themes = ["auto", "light", "dark"];
function chooseTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme").textContent = `Theme: ${theme}`;
  byId("theme").dataset.theme = theme;
  try {
    localStorage.setItem("tare-theme", theme);
  } catch { /* a file opened from disk may have no storage */ }
  return redraw();
}
function startTheme() {
  let theme = "auto";
  try {
    theme = localStorage.getItem("tare-theme") || "auto";
  } catch { /* likewise */ }
  chooseTheme(themes.includes(theme) ? theme : "auto");
  byId("theme").addEventListener("click", () => chooseTheme(themes[(themes.indexOf(byId("theme").dataset.theme) + 1) % themes.length]));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  matchMedia("print").addEventListener("change", redraw);
}

function startSearch() {
  const search = byId("search");
  search.addEventListener("input", showList);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      search.value = "";
      showList();
    }
    const first = byId("cases").querySelector("ul ul a") || byId("cases").querySelector("a");
    if (event.key === "Enter" && first && search.value.trim() !== "") location.hash = first.getAttribute("href");
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    search.focus();
  });
}

byId("skip").addEventListener("click", () => byId("main").focus());
fill("footer", `${report.made_by}, ${dateText(report.made_s)}. Store: ${report.store}${report.filter ? `; filter: ${report.filter}` : ""}. Gross is what the user writes, net the bare kernel, tare the difference.`);
startTheme();
showMachines();
startSearch();
showPlace(location.hash.length > 1);
window.addEventListener("hashchange", () => showPlace(true));
document.documentElement.dataset.ready = "yes";
