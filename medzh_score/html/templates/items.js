"use strict";
// The predictions of a result: searched, filtered, sorted, in pages; a row opens what was read.
const items = {
  SIZE: 50,
  root: document.getElementById("items"),
  columns: [],
  order: [], // the rows that fit, sorted
  page: 0,
  sorted: null, // the place of a column, and 1 or -1
  opened: new Set(),

  start() {
    const data = medzh.data("items");
    this.columns = data.columns;
    this.texts = data.texts;
    this.meanings = data.meanings;
    this.count = this.columns[0].at.length;
    this.search = this.root.querySelector("input[type=search]");
    this.choices = Array.from(this.root.querySelectorAll("select"));
    this.head = this.root.querySelector("thead tr");
    this.body = this.root.querySelector("tbody");
    this.search.addEventListener("input", () => this.update());
    for (const choice of this.choices) {
      choice.addEventListener("change", () => this.update());
    }
    this.root.querySelector(".reset").addEventListener("click", () => this.reset());
    for (const button of this.root.querySelectorAll(".pager button")) {
      button.addEventListener("click", () => this.turn(button.dataset.to));
    }
    this.head.querySelectorAll("button").forEach((button, place) => {
      button.addEventListener("click", () => this.sortBy(place));
    });
    document.addEventListener("medzh:language", () => this.update());
    this.update();
    performance.mark("medzh-items");
  },

  name(column, number) {
    const found = column.names[number];
    return typeof found === "string" ? found : medzh.word(found);
  },
  text(column, row) {
    if (column.names) {
      return this.name(column, column.at[row]);
    }
    const number = column.numbers[row];
    return number === null ? "-" : String(Number.isInteger(number) ? number : Number(number.toFixed(4)));
  },

  // What was typed is looked for in the names of all columns, in the language that is shown, and in the texts.
  sought() {
    const query = this.search.value.trim().toLowerCase();
    if (query === "") {
      return null;
    }
    const named = this.columns
      .filter((column) => column.names)
      .map((column) => [column.at, column.names.map((_, at) => this.name(column, at).toLowerCase().includes(query))]);
    if (this.texts && !this.lower) {
      this.lower = this.texts.map((pieces) => (pieces ?? []).join("").toLowerCase());
    }
    return (row) => named.some(([at, fits]) => fits[at[row]]) || Boolean(this.lower?.[row].includes(query));
  },

  update() {
    const began = performance.now();
    this.translate();
    const wanted = this.choices
      .filter((choice) => choice.value !== "")
      .map((choice) => [this.columns[choice.dataset.column].at, Number(choice.value)]);
    const fits = this.sought();
    const order = [];
    for (let row = 0; row < this.count; row++) {
      if (wanted.every(([at, value]) => at[row] === value) && (fits === null || fits(row))) {
        order.push(row);
      }
    }
    this.order = order;
    this.sort();
    this.page = 0;
    this.draw();
    performance.measure("medzh-filter", { start: began, end: performance.now() });
  },

  sort() {
    if (this.sorted === null) {
      return;
    }
    const column = this.columns[this.sorted.place];
    const keys = column.names ? this.ranks(column) : column.numbers;
    const of = column.names ? (row) => keys[column.at[row]] : (row) => keys[row];
    const { sign } = this.sorted;
    // What has no value comes last either way; rows that are equal stay as they stood.
    this.order.sort((one, other) => {
      const [first, second] = [of(one), of(other)];
      if (first === null || second === null) {
        return (first === null) - (second === null);
      }
      return sign * (first - second);
    });
  },
  ranks(column) {
    column.ranks ??= {};
    column.ranks[medzh.language] ??= this.ranked(column);
    return column.ranks[medzh.language];
  },
  ranked(column) {
    const collator = new Intl.Collator(medzh.language, { numeric: true });
    const named = column.names.map((_, at) => [this.name(column, at), at]);
    named.sort((one, other) => collator.compare(one[0], other[0]));
    const ranks = [];
    named.forEach(([name, at], rank) => {
      ranks[at] = name === "" ? null : rank;
    });
    return ranks;
  },
  sortBy(place) {
    const sign = this.sorted?.place === place ? -this.sorted.sign : 1;
    this.sorted = { place, sign };
    Array.from(this.head.cells).forEach((cell, at) => {
      cell.toggleAttribute("aria-sort", at === place);
      if (at === place) {
        cell.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
      }
    });
    this.update();
  },

  translate() {
    for (const choice of this.choices) {
      const column = this.columns[choice.dataset.column];
      if (choice.dataset.language === medzh.language) {
        continue;
      }
      const { value } = choice;
      const all = new Option(choice.dataset[medzh.language], "");
      choice.replaceChildren(all, ...column.names.map((_, at) => new Option(this.name(column, at), at)));
      choice.value = value;
      choice.dataset.language = medzh.language;
    }
  },

  draw() {
    const pages = Math.max(1, Math.ceil(this.order.length / this.SIZE));
    this.page = Math.min(Math.max(this.page, 0), pages - 1);
    const first = this.page * this.SIZE;
    const rows = this.order.slice(first, first + this.SIZE);
    this.body.replaceChildren(...rows.flatMap((row) => this.rowsOf(row)));
    const shown = { from: rows.length ? first + 1 : 0, to: first + rows.length, found: this.order.length, all: this.count };
    for (const [name, number] of Object.entries(shown)) {
      for (const one of this.root.querySelectorAll(`[data-number="${name}"]`)) {
        one.textContent = number.toLocaleString("en");
      }
    }
    for (const button of this.root.querySelectorAll(".pager button")) {
      const back = button.dataset.to === "first" || button.dataset.to === "previous";
      button.disabled = back ? this.page === 0 : this.page === pages - 1;
    }
  },
  turn(to) {
    const last = Math.ceil(this.order.length / this.SIZE) - 1;
    this.page = { first: 0, previous: this.page - 1, next: this.page + 1, last }[to];
    this.draw();
  },
  reset() {
    this.search.value = "";
    for (const choice of this.choices) {
      choice.value = "";
    }
    this.update();
    this.search.focus();
  },

  rowsOf(row) {
    const made = document.createElement("tr");
    this.columns.forEach((column, place) => {
      const cell = document.createElement(place === 0 ? "th" : "td");
      if (place === 0) {
        cell.scope = "row";
        cell.append(this.opener(row, made));
      } else {
        cell.textContent = this.text(column, row);
        cell.classList.toggle("number", !column.names);
      }
      made.append(cell);
    });
    return this.opened.has(row) ? [made, this.detail(row)] : [made];
  },
  opener(row, made) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = this.text(this.columns[0], row);
    button.setAttribute("aria-expanded", String(this.opened.has(row)));
    button.addEventListener("click", () => {
      const open = !this.opened.delete(row);
      button.setAttribute("aria-expanded", String(open));
      if (open) {
        this.opened.add(row);
        made.after(this.detail(row));
      } else {
        made.nextElementSibling.remove();
      }
    });
    return button;
  },
  // What was read, why, and the text as far as the page holds it.
  detail(row) {
    const made = document.getElementById("detail").content.cloneNode(true).firstElementChild;
    made.firstElementChild.colSpan = this.columns.length;
    const decided = this.columns.find((column) => column.head[0] === "decided by");
    const name = decided.names[decided.at[row]];
    const meaning = this.meanings[name];
    made.querySelector(".decided").textContent = meaning ? `${name}: ${medzh.word(meaning)}` : name;
    const pieces = this.texts?.[row];
    if (pieces?.length) {
      made.querySelector(".text").append(
        ...pieces.map((piece, place) => {
          const one = document.createElement(place % 2 ? "mark" : "span");
          one.textContent = piece ?? " … ";
          return one;
        }),
      );
    }
    made.querySelector(".text").hidden = !pieces?.length;
    made.querySelector(".no-text").hidden = Boolean(pieces?.length);
    return made;
  },
};

// After the first picture: what stands above is to be seen at once.
requestAnimationFrame(() => setTimeout(() => items.start()));
