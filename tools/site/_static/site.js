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
