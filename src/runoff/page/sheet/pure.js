"use strict";
// What the script works out without the page: numbers, pairs, orders and words. tests/report/page/test_script.py runs these by themselves.
const numbers = (text) => (text.replace(/[\u202f,](?=\d{3})/g, "").replace(/\u2212/g, "-").match(/-?[\d.]+(e[-+]?\d+)?/g) || []).map(Number);

// ── pairs: both places in the order, and who is better: 1, 2, 0; 3: equivalent ──────────
const matches = ([a, b, verdict], names, text, kind) =>
  [a, b].some((i) => names[i].toLowerCase().includes(text.trim().toLowerCase())) && (!kind || (kind === "found") === verdict % 3 > 0);

// ── tables: a cell is a number, or a text that stands after all numbers ──────────
const keyOf = (text) => {
  const isNumber = /^[<>×+\s]*[\u2212\d][^a-z]*$/i.test(text);
  return [isNumber ? numbers(text)[0] + ({ "<": -1e-9, ">": 1e-9 }[text[0]] || 0) : NaN, text];
};
const compared = ([a, text], [b, other]) => isNaN(a) - isNaN(b) || a - b || text.localeCompare(other, "en");

// ── a link to the page: what was chosen otherwise than the page has it; what a link names and is not here is left as the page has it ──────────
const linked = ({ of, by, sort, show, tasks }, leader, names, measures) =>
  Object.fromEntries(Object.entries({ of: of !== leader && names[of], by: by && measures[by], sort, show, tasks }).filter(([, value]) => value));
const followed = ({ of, by, sort = "", show = "", tasks = "" }, leader, names, measures) => {
  const place = (list, text, other) => (list.includes(text) ? list.indexOf(text) : other);
  return { of: place(names, of, leader), by: place(measures, by, 0), sort, show, tasks };
};
