"use strict";
(() => {
  // The tables of the list, each under the heading of its dialect; a row has rule, side, severity, statement.
  const parts = [...document.querySelectorAll("h2")].map((heading) => {
    let table = heading.nextElementSibling;
    while (table && !table.matches("table, :has(table)")) table = table.nextElementSibling;
    return { heading, table, name: heading.firstChild.textContent.trim() };
  }).filter((part) => part.table);
  const rows = (part) => [...part.table.querySelectorAll("tbody tr")];
  const cells = (number) => parts.flatMap(rows).map((row) => row.cells[number].textContent.trim());
  const form = document.createElement("form");
  form.className = "filter";
  const choice = (title, values) => {
    const label = document.createElement("label"), list = document.createElement("select");
    list.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
    label.append(title + " ", list);
    form.append(label);
    return list;
  };
  const dialect = choice("dialect", parts.map((part) => part.name));
  const severity = choice("severity", ["error", "warning", "info"]);
  const side = choice("side", [...new Set(cells(1))]);
  const label = document.createElement("label"), text = document.createElement("input"), shown = document.createElement("output");
  text.type = "search";
  label.append("text ", text);
  form.append(label, shown);
  const show = (element, visible) => { element.style.display = visible ? "" : "none"; };
  const filter = () => {
    const words = text.value.toLowerCase();
    const names = new Set();
    for (const part of parts) {
      let some = false;
      for (const row of rows(part)) {
        const fits = (!dialect.value || part.name === dialect.value) && (!side.value || row.cells[1].textContent.trim() === side.value)
          && row.cells[2].textContent.includes(severity.value) && row.textContent.toLowerCase().includes(words);
        show(row, fits);
        some = some || fits;
        if (fits) names.add(row.cells[0].textContent);
      }
      show(part.heading, some);
      show(part.table, some);
    }
    shown.textContent = `${names.size} of ${new Set(cells(0)).size} rules`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  parts[0].heading.before(form);
  filter();
})();
