// What the page does beside being read: it chooses, sorts, filters, opens cells and copies. Everything it shows stands on the page or in #known, which is deflated
// JSON: a browser that cannot inflate it shows the page as without a script.
(async () => {
  const $ = (id) => document.getElementById(id);
  const seek = (what) => document.querySelector(what);
  const all = (where, what) => [...where.querySelectorAll(what)];
  const packed = Uint8Array.from(atob($("known").textContent), (byte) => byte.charCodeAt());
  const data = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  const { names, tasks, more } = data;
  // A page without files beside it names none.
  const unsaved = !seek('a[href="results.json"]');
  const on = (id, event, act) => $(id)?.addEventListener(event, act);
  const put = (id, text) => ($(id).textContent = text);
  const make = (tag, given) => Object.assign(document.createElement(tag), given);
  const set = (node, given) => Object.entries(given).forEach(([name, value]) => node.setAttribute(name, value));
  const withAll = (what, act) => all(document, what).forEach(act);
  withAll(".js, .controls", (node) => (node.hidden = false));
  // A table whose rows are laid out as boxes on a narrow screen stays a table to who hears it.
  Object.entries({ table: "", rowgroup: "thead, tbody, tfoot", row: "tr", columnheader: "thead th", rowheader: "tbody th", cell: "td" }).forEach(([role, parts]) => withAll(`.versus${parts && ` :is(${parts})`}`, (node) => set(node, { role })));
  withAll("[data-t]", (node) => {
    const term = $(`t-${node.dataset.t}`);
    if (term) node.title = `${term.textContent}: ${term.nextElementSibling.textContent}`;
  });

  const show = (node, there) => (node.hidden = !there);
  const choices = (id, texts) => texts.forEach((text, i) => $(id).add(new Option(text, i)));

  // ── where the lead comes from: the first pair is on the page; of the others the data have the places of the dots ──────────
  const box = seek(".lead"), still = box?.innerHTML;
  const move = ([a, b], [ahead, behind, marks, fall]) => {
    const [axis, dots, called] = seek(".dots").children, model = dots.firstChild, moved = [];
    marks.split("|").forEach((mark, task) => {
      const [cx, cy, kind, ...shown] = mark.split(" "), link = model.cloneNode(true);
      if (!mark) return;
      set(link, { href: `#runs-${task}` });
      set(link.firstChild, { class: ["open", "up", "down"][kind], cx, cy });
      const words = (link.firstChild.firstChild.textContent = `${tasks[task]}: ${shown.join(" ")}`);
      moved.push([+cx, words, link]);
    });
    moved.sort(([x], [y]) => y - x);
    axis.innerHTML = data.axis;
    called.remove();
    dots.replaceChildren(...moved.map(([, , link]) => link));
    set(seek(".dots"), { viewBox: data.view, "aria-label": `How far ${names[a]} is ahead of ${names[b]} on each task` });
    seek(".lead figcaption").textContent = `${names[a]} over ${names[b]}: ${data.part}`;
    seek(".lead figcaption .down").textContent = `\u25c2 ${names[b]} ahead on ${behind}`;
    seek(".lead figcaption .up").textContent = `${names[a]} ahead on ${ahead} \u25b8`;
    seek(".lead svg").outerHTML = fall;
  };
  const turn = (place) => {
    if (place < 0) return false;
    if ($("over")) $("over").value = place;
    box.innerHTML = still;
    if (place) move(data.leads[place], data.moved[place - 1]);
    return true;
  };
  if ($("over")) choices("over", data.leads.map(([a, b]) => `${names[a]} over ${names[b]}`));
  on("over", "change", ({ target }) => turn(+target.value));

  // ── how many runs find how small a difference ──────────
  if (more) {
    const care = $("care");
    const tell = () => {
      const words = `${more.sizes[care.value]}: ${more.needs[care.value]}`;
      put("needs", words);
      care.setAttribute("aria-valuetext", words);
    };
    care.max = more.sizes.length - 1;
    care.value = more.start;
    care.addEventListener("input", tell);
    tell();
  } else if ($("more")) show($("more"), false);

  // ── tables of cells: one of them takes the tab key, arrows move on, Enter opens ──────────
  const grid = (table, isCell, act) => {
    set(table, { role: "grid" });
    const cells = all(table, "tbody td").filter(isCell);
    cells.forEach((cell, k) => (cell.tabIndex = k ? -1 : 0));
    table.addEventListener("click", (event) => {
      const cell = event.target.closest("td");
      if (cell && isCell(cell)) act(cell);
    });
    table.addEventListener("keydown", (event) => {
      const cell = event.target.closest("td"), { key } = event;
      if (!cell || !isCell(cell)) return;
      const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] || [0, 0];
      const body = [...table.tBodies[0].rows], next = body[body.indexOf(cell.parentNode) + down]?.cells[cell.cellIndex + across];
      if (key === "Enter" || key === " ") act(cell);
      else if (!across && !down) return;
      else if (next && isCell(next)) {
        [cell.tabIndex, next.tabIndex] = [-1, 0];
        next.focus();
      }
      event.preventDefault();
    });
  };

  // ── a comparison of the matrix says its sentence ──────────
  const matrix = seek(".matrix");
  if (matrix) {
    const sentence = (cell) => {
      const [a, b, , words] = data.pairs[cell.dataset.p];
      return words || `${names[a]} and ${names[b]}: the numbers are in ${unsaved ? "runoff compare --pairs" : "tables/pairs.csv"}.`;
    };
    all(matrix, "[data-p]").forEach((cell) => cell.setAttribute("aria-label", `${cell.textContent}: ${sentence(cell)}`));
    grid(matrix, (cell) => cell.dataset.p, (cell) => {
      all(matrix, "[aria-selected]").forEach((other) => other.removeAttribute("aria-selected"));
      cell.setAttribute("aria-selected", true);
      put("pair", `${sentence(cell)} `);
      const [a, b] = data.pairs[cell.dataset.p];
      if (turn(data.leads.findIndex((pair) => pair.includes(a) && pair.includes(b)))) $("pair").append(make("a", { href: "#where", textContent: "Its tasks" }));
    });
  }

  // ── the sentence that is copied follows the opponent and the measure ──────────
  if ($("against")) {
    const ofLeader = (name) => data.pairs.find(([a, b]) => (a === data.leader && names[b] === name) || (b === data.leader && names[a] === name))?.[3];
    const rivals = [...new Set(data.sentences.map(([against]) => against))];
    choices("against", rivals.map((name) => name || "all"));
    const write = () => {
      const own = data.sentences.filter(([against]) => against === rivals[$("against").value]);
      const chosen = $("measure").selectedOptions[0]?.textContent;
      $("measure").replaceChildren();
      choices("measure", own.map(([, measure]) => measure));
      show($("measure").parentNode, own.length > 1);
      $("measure").value = Math.max(0, own.findIndex(([, measure]) => measure === chosen));
      put("sentence", own[$("measure").value][2] || ofLeader(own[0][0]));
    };
    write();
    on("against", "change", write);
    on("measure", "change", write);
  }

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
  copies("data-copy-of", (id) => $(id).textContent);

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
        sort(k, next);
        table.dispatchEvent(new Event("sorted"));
      };
    });
    // Without a place it sorts again as it was sorted, for rows that say something else now.
    const sort = (k = heads.findIndex((head) => head.ariaSort), next = heads[k]?.ariaSort ?? "none") => {
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (next !== "none") heads[k].setAttribute("aria-sort", next);
      const way = next === "descending" ? -1 : 1;
      body.append(...(next === "none" ? first : [...first].sort((a, b) => way * compared(key(a, k), key(b, k)))));
    };
    return sort;
  };
  const again = new Map(all(document, "table:not(.matrix)").map((table) => [table, sortable(table)]));
  const listed = all(document, ".pairs tbody tr"), ofRows = listed.map((row) => +row.dataset.p);
  const choose = () => {
    const text = $("filter").value, kind = $("verdicts").value;
    listed.forEach((row, k) => (row.hidden = !matches(data.pairs[ofRows[k]], names, text, kind)));
    put("shown", `${listed.filter((row) => !row.hidden).length} of ${listed.length} pairs`);
  };
  on("filter", "input", choose);
  on("verdicts", "change", choose);
  if ($("filter")) choose();

  const heat = seek(".heat"), lines = [...heat.tBodies[0].rows];

  // ── some of the algorithms, or of the tasks: what is hidden still counts, and the call that leaves it out is said ──────────
  const holds = (name, text) => name.toLowerCase().includes(text.trim().toLowerCase());
  const alone = (kind, left, ...more) => {
    const written = (name) => (data.shell ? name.replace(/([\s'"$`\\&|;()<>*?!#~])/g, "\\$1") : JSON.stringify(name));
    return left.length ? ` To compare these alone: ${data.narrow[kind].replace("{}", [...more, ...left].map(written).join(","))}` : "";
  };
  const narrowTasks = (text) => {
    const left = tasks.filter((task) => holds(task, text));
    // A task is a row of the table, a picture of its runs and one of its curves.
    tasks.forEach((task, t) => [lines[t], $(`runs-${t}`), $(`curve-${t}`)].forEach((node) => node && show(node, holds(task, text))));
    put("narrowed-tasks", left.length < tasks.length ? `${left.length} of ${tasks.length} tasks are shown; every answer is over all of them.${alone("tasks", left)}` : "");
  };

  // ── the first picture: who is compared, by what, which rows; all of it was computed with the page ──────────
  const { versus } = data, picture = seek(".versus");
  if (versus) {
    const rows = all(picture, "tbody tr"), called = all($("aggregates"), "tbody th .name"), heads = [...picture.tHead.rows[0].cells];
    const state = { of: data.leader, by: 0, sort: "", show: "", tasks: "" };
    const shown = (a, by) => versus.views[a][by][0];
    const fill = () => {
      const { of: a, by } = state, [cells, ticks, zero] = versus.views[a][by];
      const line = (kind, x) => `<line class="${kind}" x1="${x}%" x2="${x}%" y2="100%"/>`;
      $("ground").innerHTML = ticks.map(([x]) => line("g", x)).join("") + line("z", zero);
      $("axis").innerHTML = ticks.map(([x, label]) => `<text x="${x}%" y="16">${label}</text>`).join("");
      cells.forEach(([other, kind, x, width, at, beyond, lead, ends, p], k) => {
        const row = rows[k], [place, , number, verdict, wins, tally, ...signs] = row.cells;
        const [bar, tick, arrow] = all(row, ".bar :is(rect, text)"), [share, tasks, own] = versus.facts[a][other];
        row.className = versus.kinds[kind][0];
        row.dataset.name = names[other];
        place.replaceChildren(called[other].cloneNode(true), make("small", { textContent: versus.values[by][other] }));
        set(bar, { x: `${x || 0}%`, width: `${width || 0}%` });
        set(tick, { x: `${at || 0}%`, class: at ? "e" : "e far" });
        set(arrow, beyond === "\u25b8" ? { class: "end", x: "100%" } : { class: "", x: 0 });
        arrow.textContent = beyond;
        [number.firstChild.textContent, number.lastChild.textContent] = [lead, ends];
        [verdict.firstChild.textContent, verdict.lastChild.textContent] = [versus.kinds[kind][1], p];
        [wins.textContent, tally.textContent] = [share, tasks];
        signs.forEach((cell, m) => {
          const [css, words, sign] = versus.kinds[own[m]], [, , , , , , size, interval, pvalue] = shown(a, m + 1)[k];
          const title = `${versus.signs[m]}: ${words}, ${[size, interval, pvalue].filter(Boolean).join(" ")}`;
          Object.assign(cell, { className: `sign ${css}`, textContent: sign, title, ariaLabel: title });
        });
      });
      put("whose", names[a]);
      put("by-what", versus.by[by][0]);
      put("own", versus.values[by][a] && ` (${versus.values[by][a]})`);
      put("about", versus.by[by][1]);
      [$("of").value, $("by").value, $("show").value, $("show-tasks").value] = [a, by, state.show, state.tasks];
      narrowTasks(state.tasks);
      const [head, way] = state.sort.split(" ");
      if (head && heads.some((cell) => cell.dataset.k === head)) again.get(picture)(heads.findIndex((cell) => cell.dataset.k === head), way);
      narrow();
    };
    const narrow = () => {
      rows.forEach((row) => (row.hidden = !holds(row.dataset.name, state.show)));
      const left = rows.filter((row) => !row.hidden).map((row) => row.dataset.name);
      put("narrowed", left.length < rows.length ? `${left.length} of ${rows.length} are shown; verdicts stay corrected for all that were compared.${alone("algorithms", left, names[state.of])}` : "");
    };
    const measures = versus.by.map(([title]) => title);
    const changed = (given) => {
      Object.assign(state, given);
      history.replaceState(null, "", `#${new URLSearchParams(linked(state, data.leader, names, measures))}`);
      fill();
    };
    // A link shows what its sender saw.
    const follow = () => {
      if (!location.hash.includes("=")) return;
      Object.assign(state, followed(Object.fromEntries(new URLSearchParams(location.hash.slice(1))), data.leader, names, measures));
      fill();
    };
    choices("of", names);
    choices("by", measures);
    fill();
    on("of", "change", ({ target }) => changed({ of: +target.value }));
    on("by", "change", ({ target }) => changed({ by: +target.value }));
    on("show", "input", ({ target }) => changed({ show: target.value }));
    on("show-tasks", "input", ({ target }) => changed({ tasks: target.value }));
    picture.addEventListener("sorted", () => {
      const head = heads.find((cell) => cell.ariaSort);
      changed({ sort: head ? `${head.dataset.k} ${head.ariaSort}` : "" });
    });
    addEventListener("hashchange", follow);
    follow();
    grid(picture, (cell) => cell.classList.contains("sign"), (cell) => put("narrowed", `${cell.parentNode.dataset.name}, ${cell.title}`));

    // ── what is shown, to take away ──────────
    const seen = () => [...picture.tBodies[0].rows].filter((row) => !row.hidden);
    const texts = (row) => [row.dataset.name, ...[...row.cells].slice(2).flatMap((cell) => (cell.children.length === 2 ? [...cell.children].map((part) => part.textContent) : [cell.title || cell.textContent]))];
    $("copy-lead").onclick = () => {
      const whole = state.of === data.leader && !state.by && !state.show;
      const parts = seen().map(texts).map(([name, lead, ends, verdict, p]) => `${name} ${lead} ${ends}`.trim() + ` (${[verdict, p].filter(Boolean).join(", ")})`);
      copy(whole ? seek("h1").textContent : `Lead of ${names[state.of]} (${versus.by[state.by][0]}) over ${parts.join("; ")}. ${versus.by[state.by][1]}`, "sentence");
    };
    const save = (kind, type, text) => {
      const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: `lead.${kind}` });
      link.click();
      URL.revokeObjectURL(link.href);
    };
    // Minus signs as programs read them; a name that a spreadsheet would compute gets an apostrophe, as in the files beside the page.
    const quoted = (text) => `"${(/^[=+@\t\r-]/.test(text) && !/^[+-]?[\d.]/.test(text) ? `'${text}` : text).replace(/\u2212/g, "-").replace(/"/g, '""')}"`;
    $("save-csv").onclick = () => save("csv", "text/csv", [["against", "lead", "interval", "verdict", "p", "wins", "tasks", ...versus.signs], ...seen().map(texts)].map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n");
    $("save-svg").onclick = () => {
      const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt()};`), x = (share) => 200 + 3.6 * parseFloat(share), high = 28 * seen().length;
      const drawn = seen().map((row, k) => {
        const [bar, tick, arrow] = all(row, ".bar :is(rect, text)"), y = 28 * k + 14, [name, lead, ends] = texts(row);
        const word = (at, text, more = "") => `<text x="${at}" y="${y + 4}"${more}>${escaped(text)}</text>`;
        return word(0, name) + word(570, `${lead} ${ends}`) + (parseFloat(bar.getAttribute("width")) ? `<rect x="${x(bar.getAttribute("x"))}" y="${y - 5}" width="${3.6 * parseFloat(bar.getAttribute("width"))}" height="10" fill="${getComputedStyle(bar).fill}"/>` : "") + (tick.matches(".far") ? word(arrow.textContent === "\u25b8" ? 548 : 202, arrow.textContent) : `<rect x="${x(tick.getAttribute("x")) - 1}" y="${y - 9}" width="2" height="18"/>`);
      });
      const marks = versus.views[state.of][state.by][1].map(([at, label]) => `<text x="${x(at)}" y="${high + 18}" text-anchor="middle">${label}</text>`);
      const line = x(versus.views[state.of][state.by][2]);
      save("svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${high + 40}" font-family="sans-serif" font-size="13"><title>${escaped(picture.caption.textContent)}</title><path d="M${line} 0V${high}" stroke="#000" stroke-dasharray="3 2"/>${drawn.join("")}${marks.join("")}<text x="380" y="${high + 36}" text-anchor="middle">${escaped(picture.caption.textContent)}</text></svg>`);
    };
  }

  // Single runs have no first picture, and no address to keep: their tasks are filtered all the same.
  if (!versus) on("show-tasks", "input", ({ target }) => narrowTasks(target.value));

  // ── cells: their runs and their learning curve ──────────
  const panel = $("cell");
  let opened = null;
  const copyOf = (id, into) => {
    const drawn = seek(`#${id} svg`)?.cloneNode(true);
    into.replaceChildren(drawn || "");
    return drawn;
  };
  const cellOf = (a, t) => data.runs[a]?.[t] ?? [];
  const inCell = (a, t) => {
    const called = data.run_names[data.called[a * tasks.length + t]], p = data.places[t];
    return cellOf(a, t).map((whole, k) => {
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
      if (row !== a && cellOf(row, t).length) return void open(row, t);
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
    const drawn = copyOf(`runs-${t}`, box), rows = drawn ? all(drawn, "g") : [];
    rows.forEach((row, k) => row.classList.toggle("on", k === a));
    put("cell-told", `Mean ${(rows[a]?.lastChild ?? cell).textContent}${data.runs ? ` of ${cellOf(a, t).length} scores`.replace(" 1 scores", " 1 score") : unsaved ? "" : "; single scores are in tables/scores/"}.`);
    if (data.runs) stepped(box, drawn, a, t);
    const curve = copyOf(`curve-${t}`, $("cell-curve"));
    for (const line of curve ? all(curve, "[data-a]") : []) line.classList.toggle("on", +line.dataset.a === a);
    if (moved) {
      $("cell-title").focus({ preventScroll: true });
      panel.scrollIntoView({ block: "nearest" });
    }
  };
  const cellAt = (a, t) => lines[t].cells[a + 1];
  const where = (cell) => [cell.cellIndex - 1, lines.indexOf(cell.parentNode)];
  set(heat, { "aria-label": heat.caption.textContent });
  grid(heat, (cell) => cell.cellIndex && cell.cellIndex <= names.length && cell.className !== "none", (cell) => open(...where(cell), true));
  const close = () => {
    panel.hidden = true;
    opened?.focus();
  };
  on("cell-close", "click", close);
  addEventListener("keydown", ({ key }) => key === "Escape" && !panel.hidden && !seek(":popover-open") && close());

  // ── links into what is folded ──────────
  const unfold = () => {
    const target = location.hash && !location.hash.includes("=") && $(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let node = target.querySelector("summary > h3") || target; node; node = node.parentElement) if (node.open === false) node.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  addEventListener("beforeprint", () => withAll(".printed", (node) => (node.open = true)));
  unfold();
})();
