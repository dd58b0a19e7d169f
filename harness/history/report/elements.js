// Elements of the page. Text out of records becomes text nodes and attributes of fixed names, never markup.
"use strict";

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}
const byId = (id) => document.getElementById(id);
const fill = (id, ...children) => byId(id).replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
const none = (text) => h("p", { class: "none" }, text);

/** Columns: {head, cell: row => text or element, name: a case, n: a figure}. */
function table(columns, rows, { caption, current } = {}) {
  const classOf = (column) => (column.n ? "n" : column.name ? "name" : null);
  return h("div", { class: "scroll" },
    h("table", {},
      h("caption", { class: "hidden" }, caption),
      h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col", class: classOf(column), title: column.title }, column.head)))),
      h("tbody", {}, rows.map((row) =>
        h("tr", { "aria-current": current && current(row) ? "true" : null },
          columns.map((column) => h("td", { class: classOf(column) }, column.cell(row))))))));
}
/** A time whose unit has a column of its own, so that figures stand under figures. */
function time(ns, title) {
  if (!isNumber(ns)) return h("span", { class: "soft", title }, "\u2013", h("span", { class: "u" }));
  const [number, unit] = duration(ns);
  return h("span", { title }, number, h("span", { class: "u" }, unit));
}
const share = (ratio) => (isNumber(ratio) ? h("span", {}, percentText(ratio), h("span", { class: "share", "aria-hidden": "true" }, h("i", { style: `width:${Math.max(0, Math.min(100, 100 * ratio)).toFixed(1)}%` }))) : "\u2013");
const tile = (label, value, note, kind) => h("div", {}, h("dt", {}, label), h("dd", { class: kind }, value, note ? h("small", {}, ` ${note}`) : ""));
/** What is behind a chart, for who cannot see it or wants the figures. */
const behind = (label, make) => {
  const details = h("details", {}, h("summary", {}, label));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(make());
  });
  return details;
};
const caseLink = (name, text) => h("a", { href: linkTo({ case: name }), title: name }, text || briefly(name));

const verdictMarks = { slower: "\u25b2", faster: "\u25bc", same: "=", inconclusive: "?", failed: "\u00d7" };
const verdictText = (verdict) => h("span", { class: verdict.verdict === "slower" || verdict.verdict === "faster" ? verdict.verdict : "soft", title: verdict.reason || null },
  `${verdictMarks[verdict.verdict] || ""} ${verdict.verdict}`);
