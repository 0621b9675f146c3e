"use strict";
// What the script works out without the page: numbers, pairs, orders and words. tests/report/page/test_script.py runs these by themselves.
const numbers = (text) => (text.replace(/[\u202f,](?=\d{3})/g, "").replace(/\u2212/g, "-").match(/-?[\d.]+(e[-+]?\d+)?/g) || []).map(Number);
const percent = (v) => (v / 100).toFixed(2);

// ── pairs: the chance that the first beats the second, in hundredths, and who is better: 1, 2, 0; 3: equivalent ──────────
const turned = ({ chance: [low, middle, high], verdict }) => {
  const rest = (v) => (v === null ? null : 100 - v);
  return { chance: [rest(high), rest(middle), rest(low)], verdict: [0, 2, 1, 3][verdict] };
};
const bothWays = (listed) => {
  const pairs = new Map();
  for (const [a, b, low, middle, high, verdict] of listed) {
    const pair = { chance: [low, middle, high], verdict };
    pairs.set(`${a} ${b}`, pair).set(`${b} ${a}`, turned(pair));
  }
  return pairs;
};
const placeOf = (row, against, leader, pair) => {
  if (row === against) return [row === leader ? "leader" : "compared with", "leads"];
  if (!pair) return ["not tested", "off"];
  return [["not told apart", "near"], ["behind", "off"], ["ahead of it", "near"], ["equivalent", "near"]][pair.verdict];
};
const chanceWords = ([low, middle, high]) => `${percent(middle)}${low === null ? "" : ` [${percent(low)}, ${percent(high)}]`}`;
const matches = ([a, b, , , , verdict], names, text, kind) =>
  [a, b].some((i) => names[i].toLowerCase().includes(text.trim().toLowerCase())) && (!kind || (kind === "found") === verdict % 3 > 0);

// ── scores: cells are texts, an estimate and its interval ──────────
const scoreOf = (cell) => {
  const [[middle], [low = null, high = null]] = cell.map(numbers);
  return [low, middle, high];
};
const endsOf = (cells) => {
  const texts = cells.flat().flatMap((text) => text.match(/[\d\u2212][^\],]*/g) || []).sort((a, b) => numbers(a)[0] - numbers(b)[0]);
  const words = [texts[0], texts[texts.length - 1]], [low, high] = words.map((text) => numbers(text)[0]);
  return { words, at: high > low ? [low, high] : [low - 0.5, low + 0.5], apart: high > low };
};
const orderOf = (sort, { up, cells }, names, chances) => {
  const sign = up ? -1 : 1;
  const by = { score: (i) => sign * scoreOf(cells[i])[1], chance: (i) => chances[i] ?? -1 }[sort];
  return [...names.keys()].sort((a, b) => (by ? by(a) - by(b) : names[a].localeCompare(names[b], "en")) || a - b);
};

// ── drawing: as in svg.py ──────────
const path = (d, kind = "") => `<path class="${kind}" d="${d}"/>`;
const bar = ([low, middle, high], [first, last], group, half) => {
  const x = (value) => (6 + 228 * Math.min(Math.max((value - first) / (last - first), 0), 1)).toFixed(1);
  const past = (at, back) => path(`M${back} 4L${at} 10L${back} 16`, "out");
  const line = half === undefined ? "" : path(`M${x(half)} 0V20`);
  const range = low === null || low > last || high < first ? "" : path(`M${x(low)} 10H${Math.max(x(high), +x(low) + 0.8)}`, "i");
  const out = (Math.min(low ?? middle, middle) < first ? past(1, 9) : "") + (Math.max(high ?? middle, middle) > last ? past(239, 231) : "");
  const tick = middle < first || middle > last ? "" : path(`M${x(middle)} 2V18`, "e");
  return `<svg class="bar ${group}" viewBox="0 0 240 20">${line}${range}${out}${tick}</svg>`;
};

// ── tables: a cell is a number, or a text that stands after all numbers ──────────
const keyOf = (text) => {
  const isNumber = /^[<>×\s]*[\u2212\d][^a-z]*$/i.test(text);
  return [isNumber ? numbers(text)[0] + ({ "<": -1e-9, ">": 1e-9 }[text[0]] || 0) : NaN, text];
};
const compared = ([a, text], [b, other]) => isNaN(a) - isNaN(b) || a - b || text.localeCompare(other, "en");

// ── the slider: what a difference needs, and what may be said of a tie ──────────
const sliderAt = (more, k) => {
  const [size, needs] = [more.sizes[k], more.needs[k]];
  return { needs: `${size} → ${needs}`, label: `${size}: ${needs}`, tie: more.tie[more.ties[k]].replaceAll("{d}", size) };
};
