"use strict";
const form = document.querySelector(".filter");
const rows = [...document.querySelectorAll("tbody tr[data-kind]")];
function filter() {
  const wanted = document.getElementById("text").value.toLowerCase();
  const kinds = [...form.querySelectorAll("input[type=checkbox]")].filter((box) => box.checked).map((box) => box.value);
  let number = 0;
  for (const row of rows) {
    row.words = row.words || row.firstElementChild.textContent.toLowerCase();
    row.hidden = !kinds.includes(row.dataset.kind) || !row.words.includes(wanted);
    number += !row.hidden;
  }
  document.getElementById("shown").textContent = `${number} of ${rows.length} statements`;
}
function reveal() {
  const at = location.hash.slice(1) && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let each = at; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
  if (at) at.scrollIntoView();
}
if (form) {
  document.documentElement.classList.add("scripted");
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
}
addEventListener("hashchange", reveal);
reveal();
