"""Pages: one HTML file each that fetches nothing, in English and Chinese by a switch, equal for equal input.

A page is a template that extends ``base.html.jinja`` and fills its blocks ``navigation`` and ``main``;
`page.rendered_page` renders it and hashes styles and scripts into the page's content security policy. Style attributes
and handlers in attributes do not act under it: what looks otherwise has a class, what acts a script. In a template

- ``{{ value }}`` is escaped, and what acts on whom reads it (control characters, marks of direction) shows as text;
- ``{{ said("words") }}``, ``{{ said(head, "heads") }}`` are words of the catalogue in both languages, as `said` gives;
- ``{% from "tables.html.jinja" import data_table %}{{ data_table(view) }}`` is a table that sorts by a click on a
  head, of a `tables.TableView`: that of a `Table` by `tables.view_of`, or one of one's own, whose cells may be markup;
- ``{% from "charts.html.jinja" import chart_figure %}{{ chart_figure(chart, "name") }}`` is a
  `charts.Chart`; numbers on it are printed by `report.numbers`, as those of tables are;
- ``{{ embedded("name", value) }}`` is data for scripts, which ``medzh.data("name")`` gives them;
- scripts are named to `rendered_page`, run in their order behind ``page.js``, and hear ``medzh:language``.
"""
