// Search the built manual as a browser does, without one: node search.js FOLDER QUERY… prints the pages, a line a query.
const fs = require("fs"), vm = require("vm");
const [folder, ...queries] = process.argv.slice(2);
const element = () => ({ appendChild() {}, setAttribute() {}, classList: { add() {} }, dataset: {} });
const page = {
  documentElement: element(), readyState: "loading", createElement: element,
  addEventListener() {}, getElementById: () => null, querySelector: () => null,
};
const context = { document: page, DOCUMENTATION_OPTIONS: {}, _ready() {}, _: (text) => text, SPHINX_HIGHLIGHT_ENABLED: false };
context.window = context;
vm.createContext(context);
const read = (name) => fs.readFileSync(`${folder}/${name}`, "utf8");
const code = ["_static/language_data.js", "_static/searchtools.js"].map(read).join("\n");
vm.runInContext(`${code}\nvar search = Search;`, context);
vm.runInContext(read("searchindex.js").replace("Search.", "search."), context);
for (const query of queries) {
  const results = context.search._performSearch(...context.search._parseQuery(query));
  console.log([...new Set(results.map((result) => result[0]))].join(" "));
}
