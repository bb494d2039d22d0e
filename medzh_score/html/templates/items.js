"use strict";
// The items of a result: searched, filtered, in pages. A card has the question and all predictions of an item.
const items = {
  SIZE: 20,
  MARKS: ["", "✓", "✗", "?"],
  CLASSES: ["", "right", "wrong", "unknown"],
  WORDS: [["", ""], ["correct", "正确"], ["incorrect", "错误"], ["unparsed", "未提取到答案"]],
  root: document.getElementById("items"),
  found: [], // the items that fit
  page: 0,

  start() {
    Object.assign(this, medzh.data("items"));
    this.by = Object.fromEntries(this.columns.map((column) => [column.head[0], column]));
    this.rows = this.by.item.names.map(() => []);
    this.by.item.at.forEach((item, row) => this.rows[item].push(row));
    this.search = this.root.querySelector("input[type=search]");
    this.choices = Array.from(this.root.querySelectorAll("select"));
    this.cards = this.root.querySelector(".cards");
    this.search.addEventListener("input", () => this.update());
    for (const choice of this.choices) {
      choice.addEventListener("change", () => this.update());
    }
    this.root.querySelector(".reset").addEventListener("click", () => this.reset());
    for (const button of this.root.querySelectorAll(".pager button")) {
      button.addEventListener("click", () => this.turn(button.dataset.to));
    }
    document.addEventListener("medzh:language", () => this.update());
    window.addEventListener("hashchange", () => this.goto());
    this.update();
    for (const pager of this.root.querySelectorAll(".pager")) {
      pager.hidden = false;
    }
    this.goto();
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
    const tenths = Number((10 * number).toPrecision(12));
    return number === null ? "–" : String((Math.sign(tenths) * Math.round(Math.abs(tenths))) / 10);
  },

  // The query is searched in the names of all columns, in the language that is shown, in questions and in texts.
  sought() {
    const query = this.search.value.trim().toLowerCase();
    if (query === "") {
      return null;
    }
    const named = this.columns
      .filter((column) => column.names)
      .map((column) => [column.at, column.names.map((_, at) => this.name(column, at).toLowerCase().includes(query))]);
    const all = (row) => {
      const [question, options, gold] = this.questions[this.name(this.by.id, this.by.id.at[row])] ?? ["", [], ""];
      return [question, ...options, gold, this.reasoning?.[row], ...(this.texts?.[row] ?? [])].join("").toLowerCase();
    };
    this.lower ??= this.by.item.at.map((_, row) => all(row));
    return (row) => named.some(([at, fits]) => fits[at[row]]) || this.lower[row].includes(query);
  },

  // An item fits if one of its predictions fits.
  update() {
    const began = performance.now();
    this.translate();
    const wanted = this.choices
      .filter((choice) => choice.value !== "")
      .map((choice) => [this.columns[choice.dataset.column].at, Number(choice.value)]);
    const sought = this.sought();
    const fits = (row) => wanted.every(([at, value]) => at[row] === value) && (sought === null || sought(row));
    this.found = [...this.rows.keys()].filter((item) => this.rows[item].some(fits));
    this.page = 0;
    this.draw();
    performance.measure("medzh-filter", { start: began, end: performance.now() });
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
    const pages = Math.max(1, Math.ceil(this.found.length / this.SIZE));
    this.page = Math.min(Math.max(this.page, 0), pages - 1);
    const first = this.page * this.SIZE;
    const shown = this.found.slice(first, first + this.SIZE);
    this.cards.replaceChildren(...shown.map((item) => this.card(item)));
    const numbers = { from: shown.length ? first + 1 : 0, to: first + shown.length, found: this.found.length, all: this.rows.length };
    for (const [name, number] of Object.entries(numbers)) {
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
    const last = Math.ceil(this.found.length / this.SIZE) - 1;
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
  // Show the item that the address names: #item=ID.
  goto() {
    const name = decodeURIComponent(location.hash).match(/^#item=(.*)$/s)?.[1];
    const item = name === undefined ? -1 : this.by.item.names.indexOf(name);
    if (item >= 0) {
      this.reset();
      this.page = Math.floor(item / this.SIZE);
      this.draw();
      this.cards.children[item % this.SIZE].scrollIntoView();
      this.cards.children[item % this.SIZE].classList.add("chosen");
    }
  },

  made(id) {
    return document.getElementById(id).content.cloneNode(true).firstElementChild;
  },
  mark(kind) {
    const made = document.createElement("span");
    made.className = `mark ${this.CLASSES[kind]}`;
    made.textContent = this.MARKS[kind];
    if (kind > 0) {
      made.setAttribute("role", "img");
      made.setAttribute("aria-label", medzh.word(this.WORDS[kind]));
    }
    return made;
  },
  card(item) {
    const made = this.made("card");
    const rows = this.rows[item];
    const name = this.name(this.by.item, item);
    const link = made.querySelector(".name");
    link.textContent = name;
    link.href = `#item=${encodeURIComponent(name)}`;
    made.querySelector(".verdicts").hidden = !this.several;
    made.querySelector(".verdicts").append(...(this.several ? this.verdicts(rows) : []));
    const own = new Set(["item", "id", "run", "option order", "verdict", "extraction", "answer", "pattern"]);
    const labels = this.columns.filter((column) => !own.has(column.head[0]));
    const groups = labels.filter((column) => column.names).map((column) => this.text(column, rows[0]));
    made.querySelector(".labels").textContent = groups.join(" · ");
    for (const record of new Set(rows.map((row) => this.by.id.at[row]))) {
      const of = rows.filter((row) => this.by.id.at[row] === record);
      const scores = labels.filter((column) => column.numbers);
      made.append(this.record(this.name(this.by.id, record), of, name, scores));
    }
    return made;
  },
  // The verdicts on an item that has several predictions in a run, run by run.
  verdicts(rows) {
    const of = new Map(rows.map((row) => [this.by.run?.numbers[row] ?? 1, row]));
    return Array.from(of, ([run, row]) => {
      const made = document.createElement("span");
      const named = this.by.run ? `${medzh.word(this.by.run.head)} ${run} ` : "";
      made.append(named, this.mark(this.kinds[this.by.verdict.at[row]]), ` ${this.text(this.by.verdict, row)}`);
      return made;
    });
  },
  record(id, rows, item, scores) {
    const made = this.made("record");
    const [question, options, gold] = this.questions[id] ?? [null, [], null];
    const fill = (selector, text) => {
      made.querySelector(selector).textContent = text ?? "";
      made.querySelector(selector).hidden = text === null;
    };
    fill(".id", id === item ? null : id);
    fill(".question", question);
    made.querySelector(".options").hidden = options.length === 0;
    options.forEach((option, place) => {
      const line = document.createElement("li");
      line.textContent = option;
      line.classList.toggle("correct", (gold ?? "").includes(String.fromCharCode(65 + place)));
      made.querySelector(".options").append(line);
    });
    made.querySelector(".text-of").textContent = gold ?? "";
    made.querySelector(".gold").hidden = gold === null;
    made.querySelector(".answers").append(...rows.map((row) => this.answer(row, scores)));
    return made;
  },
  answer(row, scores) {
    const made = this.made("answer");
    made.querySelector(".mark").replaceWith(this.mark(this.marks[row]));
    const of = ["run", "option order"].filter((head) => this.by[head]);
    made.querySelector(".of").textContent = of.map((head) => `${medzh.word(this.by[head].head)} ${this.text(this.by[head], row)}`).join(" · ");
    const answer = this.text(this.by.answer, row);
    made.querySelector(".extracted").textContent = answer;
    const verdict = this.several ? [] : [this.text(this.by.verdict, row)];
    const values = scores.map((column) => `${medzh.word(column.head)} ${this.text(column, row)}`);
    made.querySelector(".how").textContent = [...verdict, this.text(this.by.pattern, row), ...values].join(" · ");
    const reasoning = this.reasoning?.[row];
    made.querySelector(".reasoning").hidden = !reasoning;
    made.querySelector(".reasoning blockquote").textContent = reasoning ?? "";
    const pieces = this.texts?.[row];
    made.querySelector(".text").hidden = !pieces?.length;
    made.querySelector(".text").append(
      ...(pieces ?? []).map((piece, place) => {
        const one = document.createElement(place % 2 ? "mark" : "span");
        one.textContent = piece ?? " … ";
        return one;
      }),
    );
    return made;
  },
};

// After the first picture: what is above is visible at once.
requestAnimationFrame(() => setTimeout(() => items.start()));
