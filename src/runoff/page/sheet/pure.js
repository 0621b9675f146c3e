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
