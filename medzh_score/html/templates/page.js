"use strict";
// What all pages share: the switches of language and scheme, tables that sort, hints at wide tables, and embedded data.
const medzh = {
  root: document.documentElement,
  get language() {
    return this.root.dataset.language;
  },
  data(name) {
    return JSON.parse(document.getElementById(`data-${name}`).textContent);
  },
  // A pair of texts, English and Chinese, in the language that is shown.
  word(pair) {
    return pair[this.language === "zh" ? 1 : 0];
  },
  // A browser may forbid pages from a disk to store anything: then each page starts with its own settings.
  remembered: {
    get(name) {
      try {
        return localStorage.getItem(`medzh-${name}`);
      } catch {
        return null;
      }
    },
    set(name, value) {
      try {
        localStorage.setItem(`medzh-${name}`, value);
      } catch {
        // See above.
      }
    },
  },
  show(language) {
    this.root.dataset.language = this.root.lang = language;
    for (const button of document.querySelectorAll("button.language")) {
      button.setAttribute("aria-pressed", String(button.dataset.to === language));
    }
    document.title = document.querySelector("title").dataset[language];
    document.dispatchEvent(new CustomEvent("medzh:language"));
    this.hint();
  },
  get scheme() {
    return this.root.dataset.scheme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  },
  // A table that is wider than its place scrolls: it gets a sign, and can be reached with the keyboard.
  hint() {
    for (const figure of document.querySelectorAll("figure.table")) {
      const wide = figure.scrollWidth > figure.clientWidth + 1;
      figure.classList.toggle("scrolls", wide);
      if (wide) {
        figure.tabIndex = 0;
      } else {
        figure.removeAttribute("tabindex");
      }
    }
  },
  // Numbers by their value, texts by the alphabet; an empty cell is last in both directions.
  compared(one, other, numeric, sign) {
    const empty = [one, other].map((text) => text === "" || text === "-" || text.startsWith("–"));
    if (empty[0] || empty[1]) {
      return empty[0] - empty[1];
    }
    const number = (text) => Number.parseFloat(text.replace("−", "-").replace(/[[,+]/g, ""));
    return sign * (numeric ? number(one) - number(other) : one.localeCompare(other, this.language, { numeric: true }));
  },
  // The first click sorts as the head says, so that the best is first; the next click reverses the order.
  sort(head) {
    const table = head.closest("table");
    const first = head.dataset.first ?? "ascending";
    const now = head.getAttribute("aria-sort");
    const next = now === first ? { ascending: "descending", descending: "ascending" }[first] : first;
    for (const other of table.tHead.rows[0].cells) {
      other.removeAttribute("aria-sort");
    }
    head.setAttribute("aria-sort", next);
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => {
      const cell = row.cells[head.cellIndex];
      return [cell.dataset.value ?? cell.innerText.trim(), row];
    });
    const numeric = head.classList.contains("number");
    rows.sort((one, other) => this.compared(one[0], other[0], numeric, next === "descending" ? -1 : 1));
    body.append(...rows.map(([, row]) => row));
  },
};

for (const button of document.querySelectorAll("button.language")) {
  button.addEventListener("click", () => {
    medzh.remembered.set("language", button.dataset.to);
    medzh.show(button.dataset.to);
  });
}
document.querySelector("button.scheme").addEventListener("click", () => {
  medzh.root.dataset.scheme = medzh.scheme === "dark" ? "light" : "dark";
  medzh.remembered.set("scheme", medzh.root.dataset.scheme);
});
for (const button of document.querySelectorAll("table.sortable thead button")) {
  button.addEventListener("click", () => medzh.sort(button.closest("th")));
}
if (["light", "dark"].includes(medzh.remembered.get("scheme"))) {
  medzh.root.dataset.scheme = medzh.remembered.get("scheme");
}
medzh.show(["en", "zh"].includes(medzh.remembered.get("language")) ? medzh.remembered.get("language") : medzh.language);
window.addEventListener("resize", () => medzh.hint());
