// Check my tree: a table and the text of a tree go into the state, the state into the address, and a worker turns it into
// the audit of each node. What stands in the page before was computed by the same code when the site was built.

import { Python, holdsState, read, written } from "./alive.js";

const page = document.querySelector(".check");
const find = (name) => page.querySelector(name);
const form = find("form");
const said = page.dataset; // what is said, in the language of the page
const rules = find(".rules").textContent;
const FIELDS = ["table", "csv", "tree", "target", "learner", "options", "pruned", "round", "node"];
const LONGEST = 30000; // characters of an address

let state = Object.fromEntries(FIELDS.map((name) => [name, ""]));
let shown = 0;

const python = new Python(said, () => tell("", said.failed));

function tell(status, failed = "") {
  find(".status").textContent = status;
  find(".error").textContent = failed;
}

// From the state to the page.

async function show() {
  page.setAttribute("aria-busy", "true");
  tell(python.isReady ? said.working : said.starting);
  const mine = ++shown, { answer, error } = await python.ask("view", state, rules);
  if (mine !== shown) return; // something else was asked meanwhile
  page.removeAttribute("aria-busy");
  tell(error ? said.kept : "", error ?? "");
  if (!answer) return;
  const focused = document.activeElement?.dataset?.path;
  for (const [name, html] of Object.entries(answer.html)) find(`[data-shows=${name}]`).innerHTML = html;
  state.node = answer.node;
  form.target.replaceChildren(...answer.columns.map((name) => new Option(name, name, false, name === answer.target)));
  form.round.parentElement.hidden = answer.trees < 2;
  form.round.max = answer.trees;
  form.round.value = answer.round;
  if (focused !== undefined) find(`[data-path="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  find("[data-path][aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

function change(changes, keepsNode = false) {
  Object.assign(state, changes);
  if (!keepsNode) Object.assign(state, { node: "", round: changes.round ?? "" });
  const address = written(state), fits = address.length <= LONGEST;
  history.pushState(fits ? null : { kept: { ...state } }, "", fits ? `#${address}` : location.pathname);
  return show();
}

function restore() {
  const found = read();
  state = history.state?.kept ?? Object.fromEntries(FIELDS.map((name) => [name, found.get(name) ?? ""]));
  state.table ||= form.table.options[1].value;
  form.table.value = state.csv ? "" : state.table;
  find(".own").hidden = !state.csv;
  for (const name of ["csv", "tree", "learner", "options"]) form[name].value = state[name];
  form.pruned.checked = state.pruned !== "";
}

// From the reader to the state.

function given() {
  const csv = form.table.value ? "" : form.csv.value;
  return {
    table: csv ? "table.csv" : form.table.value || form.table.options[1].value, csv, tree: form.tree.value, target: "",
    learner: form.learner.value, options: form.options.value.trim(), pruned: form.pruned.checked ? "1" : "",
  };
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  change(given());
});
form.addEventListener("change", ({ target }) => {
  if (target.name === "table") {
    find(".own").hidden = target.value !== "";
    if (!target.value) form.csv.focus();
  }
  if (target.name === "target") change({ ...given(), target: target.value });
  if (target.name === "round") change({ round: target.value });
});
form.addEventListener("focusin", () => python.begin(), { once: true });

async function edit(does, name) {
  Object.assign(state, given(), { node: state.node });
  tell(python.isReady ? said.working : said.starting);
  const { answer, error } = await python.ask("edit", state, JSON.stringify({ [does]: name }));
  if (answer === undefined) return tell(said.kept, error ?? said.failed);
  form.tree.value = answer;
  return change({ tree: answer }, does !== "begin");
}

page.addEventListener("change", ({ target }) => {
  if (target.dataset.edit) edit(target.dataset.edit, target.value);
  if (target.type === "file") readFile(target);
});

page.addEventListener("click", async ({ target }) => {
  const button = target.closest("button, [data-path]");
  if (!button) return;
  if (button.dataset.path !== undefined) return change({ node: button.dataset.path }, true);
  if (button.matches(".begin")) return edit("begin", "");
  if (button.matches(".link")) {
    if (history.state?.kept || given().csv !== state.csv) return tell("", said.unheld);
    await navigator.clipboard.writeText(location.href);
    tell(said.copied);
  }
});

page.addEventListener("keydown", (event) => {
  const path = event.target.dataset?.path;
  if (path === undefined || event.target.matches("button") || !["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  change({ node: path }, true);
});

async function readFile({ files: [file], name }) {
  if (!file) return;
  const content = new Uint8Array(await file.arrayBuffer());
  const { answer, error } = await python.ask("decoded", { table: file.name }, content);
  if (!answer) return tell("", error ?? said.failed);
  const into = name === "treeFile" ? form.tree : form.csv;
  if (into === form.csv) {
    form.table.value = "";
    find(".own").hidden = false;
  }
  into.value = answer.text;
  tell(answer.said);
}

// The beginning: the page as it was built, or what the address says.

addEventListener("popstate", () => {
  if (!holdsState()) return;
  restore();
  if (state.tree) show();
});
page.classList.add("alive");
if (history.state?.kept || (location.hash && holdsState())) {
  restore();
  show();
}
