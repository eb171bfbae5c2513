"use strict";
const causes = [...document.querySelectorAll(".cause")];
const text = document.getElementById("text");
const boxes = [...document.querySelectorAll(".filter input[type=checkbox]")];
const shown = document.getElementById("shown");
function filter() {
  const wanted = text.value.toLowerCase();
  const severities = boxes.filter((box) => box.checked).map((box) => box.value);
  let number = 0;
  for (const cause of causes) {
    cause.hidden = !severities.includes(cause.dataset.severity) || !cause.textContent.toLowerCase().includes(wanted);
    number += !cause.hidden;
  }
  shown.textContent = `${number} of ${causes.length} causes`;
}
function open() {
  const at = location.hash.slice(1) && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (at && at.classList.contains("cell")) { text.value = at.dataset.name; filter(); text.scrollIntoView(); }
  else for (let each = at; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
}
text.addEventListener("input", filter);
for (const box of boxes) box.addEventListener("change", filter);
addEventListener("hashchange", open);
addEventListener("beforeprint", () => { for (const cause of causes) cause.open = true; });
filter();
open();
