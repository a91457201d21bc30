"use strict";
const findings = [...document.querySelectorAll("article")].map((element) => ({
  element,
  keys: element.dataset.keys.split(" "),
  severity: element.dataset.severity,
  text: `${element.textContent} ${element.parentElement.querySelector("h2").textContent}`.toLowerCase(),
}));
const form = document.getElementById("filters");
const words = document.getElementById("words");
const buttons = [...document.querySelectorAll("[data-choose]")];
const chosen = new Set(location.hash.slice(1).split(",").filter(Boolean));

/** Whether one of the chosen rules, one of the chosen files and one of the chosen assumptions is the finding's. */
function isChosen(finding) {
  const groups = { S: [], f: [], c: [] };
  for (const key of chosen) (groups[key[0]] ?? []).push(key);
  return Object.values(groups).every((group) => !group.length || group.some((key) => finding.keys.includes(key)));
}

function show() {
  const severities = new Set([...form.querySelectorAll("[name=severity]:checked")].map((box) => box.value));
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const finding of findings) {
    const matches =
      severities.has(finding.severity) && isChosen(finding) && wanted.every((word) => finding.text.includes(word));
    finding.element.hidden = !matches;
    shown += matches;
  }
  for (const section of document.querySelectorAll("section")) {
    section.hidden = !section.querySelector("article:not([hidden])");
  }
  for (const button of buttons) button.setAttribute("aria-pressed", chosen.has(button.dataset.choose));
  document.getElementById("found").textContent = `${shown} of ${findings.length} findings`;
  document.getElementById("nothing").hidden = shown > 0;
  history.replaceState(null, "", chosen.size ? `#${[...chosen].join(",")}` : location.pathname + location.search);
}

for (const button of buttons) {
  button.addEventListener("click", () => {
    const key = button.dataset.choose;
    if (!chosen.delete(key)) chosen.add(key);
    show();
  });
}
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => {
  chosen.clear();
  setTimeout(() => {
    for (const box of form.querySelectorAll("[name=severity]")) box.checked = true;
    show();
  });
});

/** Moves to the next (1) or the previous (-1) finding that is shown. */
function step(direction) {
  const shown = findings.map((finding) => finding.element).filter((element) => !element.hidden);
  const at = shown.indexOf(document.activeElement?.closest("article"));
  const next = shown[at < 0 ? (direction > 0 ? 0 : shown.length - 1) : at + direction];
  next?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target === words;
  if (event.key === "Escape" && isTyping) words.blur();
  if (isTyping) return;
  if (event.key === "/") {
    event.preventDefault();
    words.focus();
  } else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
});

for (const chooser of document.querySelectorAll(".chooser")) chooser.open = !matchMedia("(max-width: 60rem)").matches;
show();
