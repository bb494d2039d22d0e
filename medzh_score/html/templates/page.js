"use strict";
// What all pages share: the language switch, tables that sort, and the data that a page brings along.
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
  remembered: {
    // A browser may forbid pages from a disk to keep anything: then each begins in its own language.
    get() {
      try {
        return localStorage.getItem("medzh-language");
      } catch {
        return null;
      }
    },
    set(language) {
      try {
        localStorage.setItem("medzh-language", language);
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
  },
  // Numbers by their value, texts by the alphabet; what has no value comes last either way.
  compared(one, other, numeric, sign) {
    const empty = [one, other].map((text) => text === "" || text === "-");
    if (empty[0] || empty[1]) {
      return empty[0] - empty[1];
    }
    const found = numeric
      ? Number.parseFloat(one.replace("−", "-")) - Number.parseFloat(other.replace("−", "-"))
      : one.localeCompare(other, this.language, { numeric: true });
    return sign * found;
  },
  sort(head) {
    const table = head.closest("table");
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) {
      other.removeAttribute("aria-sort");
    }
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => [row.cells[head.cellIndex].innerText.trim(), row]);
    const numeric = head.classList.contains("number");
    rows.sort((one, other) => this.compared(one[0], other[0], numeric, down ? -1 : 1));
    body.append(...rows.map(([, row]) => row));
  },
};

for (const button of document.querySelectorAll("button.language")) {
  button.addEventListener("click", () => {
    medzh.remembered.set(button.dataset.to);
    medzh.show(button.dataset.to);
  });
}
for (const button of document.querySelectorAll("table.sortable thead button")) {
  button.addEventListener("click", () => medzh.sort(button.closest("th")));
}
medzh.show(["en", "zh"].includes(medzh.remembered.get()) ? medzh.remembered.get() : medzh.language);
