/* A button that copies a block: of a console the commands alone. */
addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll("div.highlight")) {
    const text = block.querySelector("pre").textContent;
    const commands = text.split("\n").filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
    const button = Object.assign(document.createElement("button"), { className: "copy", type: "button", textContent: "copy" });
    button.onclick = async () => {
      await navigator.clipboard.writeText(commands.length ? commands.join("\n") : text);
      button.textContent = "copied";
    };
    block.append(button);
  }
});

/* A box above a table that can be filtered: rows that lack one of its words are hidden, and how many are left is said. */
addEventListener("DOMContentLoaded", () => {
  for (const part of document.querySelectorAll(".filterable")) {
    const rows = [...part.querySelectorAll("tbody tr")], left = document.createElement("output");
    const box = Object.assign(document.createElement("input"), { type: "search", placeholder: "filter: Atari, DMC, MIT …", ariaLabel: "filter the rows of the table" });
    const filter = () => {
      const words = box.value.toLowerCase().split(/\s+/);
      for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
      left.textContent = ` ${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
    };
    box.addEventListener("input", filter);
    part.prepend(box, left);
    filter();
  }
});

/* What the theme leaves unsaid to those who hear the page: the level of the menu's captions, and which side is which. */
addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll("p.caption[role=heading]")) caption.ariaLevel = "2";
  document.querySelector("aside.sidebar-drawer")?.setAttribute("aria-label", "Menu");
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
});
