// What the page does beside being read: it chooses, sorts, filters, opens cells and copies. Everything it shows stands in #known or on the page.
{
  const $ = (id) => document.getElementById(id);
  const seek = (what) => document.querySelector(what);
  const all = (where, what) => [...where.querySelectorAll(what)];
  const data = JSON.parse($("known").textContent);
  const { names, tasks, measures, leader, more } = data;
  const on = (id, event, act) => $(id)?.addEventListener(event, act);
  const put = (id, text) => ($(id).textContent = text);
  const make = (tag, given) => Object.assign(document.createElement(tag), given);
  const set = (node, given) => Object.entries(given).forEach(([name, value]) => node.setAttribute(name, value));
  const withAll = (what, act) => all(document, what).forEach(act);
  withAll(".js, .controls", (node) => (node.hidden = false));

  // ── the first picture ──────────
  const table = seek(".first"), body = table.tBodies[0];
  const rows = [...body.rows], tips = table.tHead.querySelector(".ends").children;
  const state = { measure: 0, against: leader, sort: "score", zoom: false };
  const pairs = bothWays(data.pairs);
  const beside = (row) => pairs.get(`${state.against} ${row}`);
  const place = (row) => placeOf(row, state.against, leader, beside(row));
  const ends = () => {
    const { cells } = measures[state.measure];
    const near = endsOf(cells.filter((_, i) => !state.zoom || place(i)[1] !== "off"));
    return near.apart ? near : endsOf(cells);
  };
  const order = () => orderOf(state.sort, measures[state.measure], names, names.map((_, i) => beside(i)?.chance[1]));
  const picture = () => {
    const { cells, head } = measures[state.measure];
    const axis = ends();
    rows.forEach((row, i) => {
      const [words, group] = place(i), pair = beside(i);
      row.className = group;
      row.querySelector(".est").textContent = cells[i][0];
      row.querySelector(".int").textContent = cells[i][1];
      row.cells[2].innerHTML = bar(scoreOf(cells[i]), axis.at, group);
      row.cells[3].innerHTML = pair ? bar(pair.chance, [0, 100], group, 50) : "";
      if (pair) row.cells[3].append(make("span", { textContent: chanceWords(pair.chance), className: "sr" }));
      row.cells[4].textContent = words;
    });
    body.append(...order().map((i) => rows[i]));
    withAll("[data-measure]", (node) => (node.textContent = head));
    withAll("[data-against]", (node) => (node.textContent = names[state.against]));
    [tips[0].textContent, tips[2].textContent] = axis.words;
  };
  const choices = (id, all, chosen) => all.forEach((name, i) => $(id).add(new Option(name, i, false, i === chosen)));
  choices("measure", measures.map((m) => m.head), 0);
  choices("against", names, leader);
  for (const id of ["measure", "against", "sort"]) {
    on(id, "change", (event) => {
      state[id] = id === "sort" ? event.target.value : +event.target.value;
      picture();
    });
  }
  on("zoom", "click", (event) => {
    state.zoom = !state.zoom;
    event.target.setAttribute("aria-pressed", state.zoom);
    picture();
  });

  // ── what next ──────────
  if (more) {
    const care = $("care"), tied = $("tied");
    const tell = () => {
      const words = sliderAt(more, care.value);
      put("needs", words.needs);
      care.setAttribute("aria-valuetext", words.label);
      if (tied.textContent) tied.textContent = words.tie;
    };
    care.max = more.sizes.length - 1;
    care.value = more.start;
    care.addEventListener("input", tell);
    on("tie", "click", (event) => {
      const open = !tied.textContent;
      tied.textContent = open ? " " : "";
      event.target.setAttribute("aria-expanded", open);
      tell();
    });
    tell();
  } else if ($("more")) $("more").hidden = true;

  // ── copies ──────────
  const say = (text) => put("said", text);
  const copy = async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { value: text });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say(`Copied: ${what}.`);
  };
  const copies = (what, text) => withAll(`[${what}]`, (node) => (node.onclick = () => copy(text(node.getAttribute(what)), node.textContent.replace("Copy ", ""))));
  copies("data-copy", (key) => data[key]);
  copies("data-copy-of", (id) => $(id).textContent);
  const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const standalone = () => {
    const line = (color, width) => `fill="none" stroke="${color}" stroke-width="${width}"`;
    const look = { e: line("#000", 2.4), out: line("#000", 2.4), "": line("#666", '1" stroke-dasharray="2 2') };
    const hue = { leads: "#0b5cad", near: "#5b8fc7", off: "#8a8f94" };
    const plain = (row, k, x, y) => {
      const paths = all(row.cells[k], "path").map((node) => `<path d="${node.getAttribute("d")}" ${look[node.className.baseVal] || line(hue[row.className], 8)}/>`);
      return `<g transform="translate(${x} ${y})">${paths.join("")}</g>`;
    };
    const text = (words, x, y, anchor = "start") => `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(words)}</text>`;
    const axes = text(tips[0].textContent, 346, 20) + text(tips[2].textContent, 586, 20, "end");
    const heads = text(measures[state.measure].head, 330, 20, "end") + axes + text(`chance that ${names[state.against]} beats it`, 726, 20, "middle");
    const lines = [...body.rows].map((row, k) => {
      const y = 46 + 26 * k, [name, score, , , words] = [...row.cells].map((cell) => cell.textContent.trim());
      return text(name, 8, y) + text(score, 330, y, "end") + plain(row, 2, 346, y - 15) + plain(row, 3, 606, y - 15) + text(words, 860, y);
    });
    const size = `width="980" height="${46 + 26 * rows.length}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="13"><rect ${size} fill="#fff"/>${heads}${lines.join("")}</svg>`;
  };
  const save = (href, download) => {
    make("a", { href, download }).click();
    say(`Saved: ${download}.`);
  };
  const address = () => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone())}`;
  on("svg", "click", () => save(address(), "runoff.svg"));
  on("png", "click", () => {
    const image = new Image();
    image.onload = () => {
      const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      save(canvas.toDataURL("image/png"), "runoff.png");
    };
    image.src = address();
  });

  // ── tables that sort, and the pairs that are shown ──────────
  const sortable = (table) => {
    const body = table.tBodies[0], first = [...body.rows], heads = [...table.tHead.rows[0].cells];
    const key = (row, k) => keyOf(row.cells[k].firstChild?.textContent.trim() ?? "");
    heads.forEach((head, k) => {
      if (head.classList.contains("drawn")) return;
      const button = make("button", { type: "button", className: "sort" });
      button.append(...head.childNodes);
      head.append(button);
      button.onclick = () => {
        const next = { ascending: "descending", descending: "none" }[head.ariaSort] || "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (next !== "none") head.setAttribute("aria-sort", next);
        const way = next === "descending" ? -1 : 1;
        body.append(...(next === "none" ? first : [...first].sort((a, b) => way * compared(key(a, k), key(b, k)))));
      };
    });
  };
  withAll("table:not(.first):not(.heat)", sortable);
  const listed = all(document, ".pairs tbody tr");
  const choose = () => {
    const text = $("filter").value, kind = $("verdicts").value;
    listed.forEach((row, k) => (row.hidden = !matches(data.pairs[k], names, text, kind)));
    put("shown", `${listed.filter((row) => !row.hidden).length} of ${listed.length} pairs`);
  };
  on("filter", "input", choose);
  on("verdicts", "change", choose);
  if ($("filter")) choose();

  // ── cells: their runs and their learning curve ──────────
  const panel = $("cell");
  let opened = null;
  const copyOf = (id, into) => {
    const drawn = seek(`#${id} svg`)?.cloneNode(true);
    into.replaceChildren(drawn || "");
    return drawn;
  };
  const inCell = (a, t) => {
    const called = data.run_names[data.called[a * tasks.length + t]], p = data.places[t];
    return data.runs[a][t].map((whole, k) => {
      const value = whole / 10 ** p, digits = p > 7 ? `${+value.toPrecision(15)}` : value.toLocaleString("en", { minimumFractionDigits: p, maximumFractionDigits: p });
      return { k, value, words: `run ${called[k] ?? k}: ${digits.replace(/,/g, "\u202f").replace(/-/g, "\u2212")}` };
    });
  };
  const stepped = (box, drawn, a, t) => {
    const runs = inCell(a, t).sort((x, y) => x.value - y.value);
    const [left, right, low, high] = drawn.dataset.at.split(" ").map(Number);
    drawn.insertAdjacentHTML("beforeend", '<circle class="ring" r="9"/>');
    const spot = ({ k, value }) => [
      high > low ? left + ((right - left) * (value - low)) / (high - low) : (left + right) / 2,
      6 + 30 * (a + 0.5) + 30 * 0.56 * ((((k * (Math.sqrt(5) - 1)) / 2 + 0.5) % 1) - 0.5),
    ];
    let at = runs.length - 1;
    const show = (k) => {
      at = Math.min(Math.max(k, 0), runs.length - 1);
      const [x, y] = spot(runs[at]);
      set(drawn.lastChild, { cx: x, cy: y });
      set(box, { "aria-valuenow": at + 1, "aria-valuetext": runs[at].words });
      put("cell-run", `${runs[at].words} (${at + 1} of ${runs.length}, lowest first)`);
    };
    set(box, { role: "slider", tabindex: 0, "aria-valuemin": 1, "aria-valuemax": runs.length, "aria-label": "Scores, lowest first; arrow keys step" });
    box.onkeydown = (event) => {
      const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10, Home: -runs.length, End: runs.length }[event.key];
      if (step) {
        show(at + step);
        event.preventDefault();
      }
    };
    box.onpointermove = (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawn.getScreenCTM().inverse());
      const row = Math.floor((point.y - 6) / 30);
      if (row !== a && data.runs[row]?.[t].length) return void open(row, t);
      const far = (run) => Math.hypot(spot(run)[0] - point.x, (spot(run)[1] - point.y) / 3);
      show(runs.reduce((best, run, k) => (far(run) < far(runs[best]) ? k : best), 0));
    };
    show(at);
  };
  const open = (a, t, moved) => {
    const cell = cellAt(a, t), box = $("cell-runs");
    opened?.removeAttribute("aria-selected");
    opened = cell;
    cell.setAttribute("aria-selected", true);
    put("cell-title", `\u2068${names[a]}\u2069 on \u2068${tasks[t]}\u2069`);
    panel.hidden = false;
    const drawn = copyOf(`runs-${t}`, box), rows = all(drawn, "g");
    rows.forEach((row, k) => row.classList.toggle("on", k === a));
    put("cell-told", `Mean ${rows[a].querySelector(".end").textContent}${data.runs ? ` of ${data.runs[a][t].length} scores`.replace(" 1 scores", " 1 score") : "; single scores are in tables/scores/"}.`);
    if (data.runs) stepped(box, drawn, a, t);
    const curve = copyOf(`curve-${t}`, $("cell-curve"));
    for (const line of curve ? all(curve, "[data-a]") : []) line.classList.toggle("on", +line.dataset.a === a);
    if (moved) {
      $("cell-title").focus({ preventScroll: true });
      panel.scrollIntoView({ block: "nearest" });
    }
  };
  const heats = all(document, ".heat");
  const cellAt = (a, t) => {
    const heat = heats.filter((node) => +node.dataset.from <= t).pop();
    return heat.tBodies[0].rows[a].cells[t - heat.dataset.from + 1];
  };
  for (const heat of heats) {
    const rows = [...heat.tBodies[0].rows], first = +heat.dataset.from;
    const where = (cell) => [rows.indexOf(cell.parentNode), cell.cellIndex];
    set(heat, { role: "grid", "aria-label": heat.caption.textContent });
    for (const cell of all(heat, "tbody td")) cell.tabIndex = -1;
    heat.querySelector("tbody td").tabIndex = 0;
    const act = (event) => {
      const cell = event.target.closest("td");
      if (!cell || cell.className === "none") return;
      const [a, column] = where(cell);
      open(a, first + column - 1, true);
    };
    heat.addEventListener("click", act);
    heat.addEventListener("keydown", (event) => {
      const cell = event.target.closest("td");
      if (!cell) return;
      if (event.key === "Enter" || event.key === " ") act(event);
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (step) {
        const [a, column] = where(cell), next = rows[a + step[0]]?.cells[column + step[1]];
        if (next?.tagName === "TD") {
          [cell.tabIndex, next.tabIndex] = [-1, 0];
          next.focus();
        }
      }
      if (step || event.key === " ") event.preventDefault();
    });
  }
  const close = () => {
    panel.hidden = true;
    opened?.focus();
  };
  on("cell-close", "click", close);
  addEventListener("keydown", ({ key }) => key === "Escape" && !panel.hidden && !seek(":popover-open") && close());

  // ── links into what is folded ──────────
  const unfold = () => {
    const target = location.hash && $(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let node = target.querySelector("summary > h2") || target; node; node = node.parentElement) if (node.open === false) node.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  addEventListener("beforeprint", () => withAll(".printed", (node) => (node.open = true)));
  unfold();
}
