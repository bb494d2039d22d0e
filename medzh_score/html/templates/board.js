"use strict";
// The filters of the overview: models by name, columns by prompt and shots.
{
  const [search, prompt, shots] = ["search", "prompt", "shots"].map((id) => document.getElementById(id));
  const shown = document.getElementById("shown");
  const boards = Array.from(document.querySelectorAll("section.board"));

  // Hide the columns of other prompts and shots, and the rows of other models and of those that have nothing left.
  const filter = (board) => {
    const wanted = search.value.trim().toLowerCase();
    const heads = Array.from(board.querySelectorAll("thead th"));
    const fits = ({ dataset }, place) =>
      place === 0 ||
      ((prompt.value === "" || dataset.prompt === prompt.value) && (shots.value === "" || dataset.shots === shots.value));
    const kept = heads.map(fits);
    heads.forEach((head, place) => (head.hidden = !kept[place]));
    let rows = 0;
    for (const row of board.querySelectorAll("tbody tr")) {
      const cells = Array.from(row.cells);
      cells.forEach((cell, place) => (cell.hidden = !kept[place]));
      const some = cells.some((cell, place) => place > 0 && kept[place] && cell.textContent !== "");
      row.hidden = !(some && row.dataset.name.includes(wanted));
      rows += row.hidden ? 0 : 1;
    }
    board.hidden = rows === 0;
    return rows;
  };
  const filterAll = () => {
    shown.textContent = String(boards.map(filter).reduce((sum, rows) => sum + rows, 0));
  };
  const name = () => {
    for (const option of document.querySelectorAll("option[data-zh]")) {
      option.textContent = medzh.language === "zh" ? option.dataset.zh : option.dataset.en;
    }
  };
  for (const control of [search, prompt, shots]) {
    control.addEventListener("input", filterAll);
  }
  document.addEventListener("medzh:language", name);
  name();
  filterAll(); // a browser may have kept what was typed before
}
