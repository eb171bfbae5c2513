"use strict";
const causes = [...document.querySelectorAll(".cause")];
const form = document.querySelector(".filter");
let only = null;
function filter() {
  const wanted = document.getElementById("text").value.toLowerCase();
  const kinds = [...form.querySelectorAll("input[type=checkbox]")].filter((box) => box.checked).map((box) => box.value);
  let number = 0;
  for (const cause of causes) {
    cause.words = cause.words || cause.textContent.toLowerCase();
    const named = !only || only.includes(cause.dataset.number);
    cause.hidden = !named || !kinds.includes(cause.dataset.kind) || !cause.words.includes(wanted);
    number += !cause.hidden;
  }
  document.getElementById("shown").textContent = `${number} of ${causes.length} ${form.dataset.noun}${only ? ", those of one cell" : ""}`;
  document.getElementById("all").hidden = !only;
}
function follow() {
  const at = location.hash.slice(1) && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const named = at && at.dataset.causes;
  only = named ? named.split(" ") : null;
  filter();
  for (const cause of causes) if (only && !cause.hidden) cause.open = true;
  for (let each = at; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
  if (named) form.scrollIntoView();
}
for (const mark of document.querySelectorAll("pre mark:first-of-type")) {
  const place = mark.parentElement;
  const reveal = () => { place.scrollTop = mark.offsetTop - place.offsetTop - place.clientHeight / 3; };
  for (let each = place.closest("details"); each; each = each.parentElement.closest("details")) each.addEventListener("toggle", reveal);
  reveal();
}
if (form) {
  document.documentElement.classList.add("scripted");
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", follow);
  addEventListener("beforeprint", () => { for (const cause of causes) cause.open = true; });
  follow();
}
