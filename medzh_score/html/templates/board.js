"use strict";
// The overview: models by name, and what the cells show.
{
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  const board = document.querySelector(".board");
  const buttons = document.querySelectorAll("button.show");

  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    let rows = 0;
    for (const row of board.querySelectorAll("tbody tr")) {
      row.hidden = !row.dataset.name.includes(wanted);
      rows += row.hidden ? 0 : 1;
    }
    shown.textContent = String(rows);
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      board.dataset.show = button.dataset.show;
      for (const one of buttons) {
        one.setAttribute("aria-pressed", String(one === button));
      }
      medzh.hint();
    });
  }
  search.addEventListener("input", filter);
  filter(); // a browser may have kept what was typed before
}
