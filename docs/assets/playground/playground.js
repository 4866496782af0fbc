// The playground: what a reader changes goes into the state, the state into the address, and a worker turns it into the
// pieces of HTML that are shown. What stands in the page before was computed by the same code when the site was built.

import { Python, holdsState, read, written } from "./alive.js";

const page = document.querySelector(".playground");
const find = (name) => page.querySelector(name);
const form = find("form");
const LISTS = ["edits", "deleted", "asks", "kinds", "row"];
const FIELDS = ["without", "held", "prune", "alpha", "beside", "ensemble", "trees"]; // of the form, as they stand in the state
const LONGEST = 30000; // characters of an address

const NOTHING = Object.fromEntries(FIELDS.map((name) => [name, ""]));

let state = {}; // what differs from the defaults, by the names of `State` in playground.py
let shown = 0, slow;
let last = 0; // the place of the newest change in the history of the tab

const said = page.dataset; // what is said, in the language of the page
const python = new Python(said, () => tell(said.failed));
const ask = (call, what) => python.ask(call, state, what);

function tell(status, failed = "") {
  find(".status").textContent = status;
  find(".error").textContent = failed;
}

// From the state to the page.

async function show() {
  page.setAttribute("aria-busy", "true");
  tell(python.isReady ? said.working : said.starting);
  slow ??= setTimeout(() => (find(".stop").hidden = false), 500);
  const mine = ++shown, { answer, error } = await ask("view");
  if (mine !== shown) return; // something else was asked meanwhile
  rest();
  if (error) tell(said.kept, error);
  if (!answer) return;
  tell("");
  const focused = place(document.activeElement);
  for (const [name, html] of Object.entries(answer.html)) find(`[data-shows=${name}]`).innerHTML = html;
  state.node = answer.node;
  form.learner.value = answer.learner;
  form.target.replaceChildren(...answer.targets.map((name) => new Option(name, name, false, name === answer.target)));
  if (focused) find(focused)?.focus({ preventScroll: true });
  fit();
  if (!page.contains(document.activeElement) || form.contains(document.activeElement)) inView();
}

const isOut = ({ top, bottom }) => bottom < 80 || top > innerHeight - 80;

function inView() { // on a phone the tree is far below what was changed
  const tree = find("[data-shows=tree]");
  if (isOut(tree.getBoundingClientRect())) tree.scrollIntoView({ block: "nearest" });
}

function fit() { // the drawing at the size that is chosen
  const drawing = find("[data-shows=tree] svg"), size = form.zoom.value;
  if (!drawing) return;
  drawing.style.width = size === "fit" ? "100%" : size ? `${drawing.viewBox.baseVal.width * Number(size)}px` : "";
  drawing.style.height = size ? "auto" : "";
}

function rest() {
  clearTimeout(slow);
  slow = undefined;
  find(".stop").hidden = true;
  page.removeAttribute("aria-busy");
}

function place(element) { // how what has the focus is found again when it was written anew
  const { path, cell, ask, askOne, copy, delete: row, row: given, kind } = element?.dataset ?? {};
  if (given !== undefined) return `[data-row="${CSS.escape(given)}"]`;
  if (kind !== undefined) return `[data-kind="${CSS.escape(kind)}"]`;
  if (path !== undefined) return `[data-path="${CSS.escape(path)}"]`;
  if (cell !== undefined) return `[data-cell="${cell}"]`;
  if (copy !== undefined) return `[data-copy="${copy}"]`;
  if (row !== undefined) return "[data-shows=table]"; // the button went with its row
  if (askOne !== undefined) return "[data-ask-one]";
  return ask ? `[data-ask="${CSS.escape(ask)}"]` : undefined;
}

function change(changes) {
  Object.assign(state, changes);
  const address = written({ ...state, node: state.node === "/" ? "" : state.node });
  const fits = address.length <= LONGEST, kept = !fits && keep();
  last = at() + 1;
  if (fits) history.pushState({ at: last }, "", `#${address}`);
  find(".short").hidden = !kept;
  find(".lost").hidden = fits || kept;
  ways();
  return show();
}

const at = () => history.state?.at ?? 0;

function ways() { // what can be undone and redone
  find(".undo").disabled = at() < 1;
  find(".redo").disabled = at() >= last;
}

function keep() { // what no address holds: in the history of this tab, if that has room
  try {
    history.pushState({ at: last, kept: state }, "", location.pathname);
    return true;
  } catch {
    history.pushState({ at: last }, "", location.pathname);
    return false;
  }
}

// The state in the address, or kept beside it.

function restore() {
  const kept = history.state?.kept;
  find(".short").hidden = !kept;
  find(".lost").hidden = true;
  if (kept) {
    state = { ...kept };
    return fill();
  }
  const found = read();
  const defaults = {
    table: page.dataset.table, csv: "", target: "", added: "", learner: "", options: "", node: "/", ...NOTHING,
  };
  state = Object.fromEntries(Object.keys(defaults).map((name) => [name, found.get(name) ?? defaults[name]]));
  for (const name of LISTS) state[name] = found.getAll(name);
  fill();
}

function fill() {
  const options = Object.fromEntries(state.options.split(/\s+/).filter(Boolean).map((pair) => pair.split("=")));
  for (const field of form.querySelectorAll("[data-option]")) {
    field.value = options[field.dataset.option] ?? "";
    delete options[field.dataset.option];
  }
  form.others.value = Object.entries(options).map((pair) => pair.join("=")).join(" ");
  for (const name of FIELDS) form[name].value = state[name] ?? "";
  if (FIELDS.some((name) => state[name] && form[name].closest(".further"))) find(".further").open = true;
  form.table.value = state.csv ? "" : state.table;
  find(".text").value = state.csv;
}

// From the reader to the state.

const ROWS = { edits: [], added: "", deleted: [] };
const NEW = { ...ROWS, ...NOTHING, target: "", learner: "", options: "", asks: [], node: "/", kinds: [], row: [] };

function take(table, csv = "") {
  Object.assign(state, NEW, { table, csv });
  fill();
  return change({});
}

function options() {
  const own = [...form.querySelectorAll("[data-option]")].filter((field) => field.value.trim());
  return [...own.map((field) => `${field.dataset.option}=${field.value.trim()}`), form.others.value.trim()]
    .filter(Boolean).join(" ");
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", ({ target }) => {
  if (target.name === "table" && !target.value) {
    find(".paste").open = true;
    find(".text").focus();
  } else if (target.name === "table") take(target.value);
  else if (target.name === "target") change({ ...ROWS, target: target.value, asks: [], node: "/", learner: "" });
  else if (target.name === "learner") change({ learner: target.value, asks: [] });
  else if (target.name === "zoom") fit();
  else if (target.name === "without") change({ without: target.value, asks: [], node: "/", learner: "" });
  else if (target.name === "held") change({ held: target.value.trim(), asks: [], node: "/" });
  else if (FIELDS.includes(target.name)) change({ [target.name]: target.value.trim() });
  else change({ options: options(), asks: [] });
});

const others = () => state.asks.filter((one) => !one.startsWith(`${state.node}@`)); // what is asked at other nodes

function copied(row) { // a new row at the end, its cells as they are here
  const number = find("[data-next]").dataset.next;
  const cells = [...page.querySelectorAll(`[data-cell^="${row},"]`)];
  const edits = cells.map((cell, column) => `${number},${column + 1},${cell.value}`);
  return { edits: [...state.edits, ...edits], added: String(Number(state.added) + 1) };
}

page.addEventListener("change", ({ target }) => {
  const { cell, askOne, row } = target.dataset;
  if (row !== undefined) {
    const cells = [...page.querySelectorAll("[data-row]")].filter((one) => one.value.trim());
    return change({ row: cells.map((one) => `${one.dataset.row}=${one.value.trim()}`) });
  }
  if (askOne !== undefined) change({ asks: [...others(), `${state.node}@${target.value}`] });
  if (cell === undefined) return;
  const kept = state.edits.filter((edit) => !edit.startsWith(`${cell},`));
  change({ edits: [...kept, `${cell},${target.value.trim()}`] });
});

page.addEventListener("click", async ({ target }) => {
  const button = target.closest("button, [data-path]");
  if (!button) return;
  const { path, ask: attribute, take: what, copy, delete: row, kind, to } = button.dataset;
  if (kind !== undefined) {
    const kept = state.kinds.filter((one) => !one.endsWith(`@${kind}`));
    return change({ kinds: [...kept, `${to}@${kind}`], asks: [], node: "/", learner: "" });
  }
  if (button.matches(".undo")) return history.back();
  if (button.matches(".redo")) return history.forward();
  if (button.matches(".link")) {
    if (!find(".short").hidden || !find(".lost").hidden) return tell("", said.unheld);
    await navigator.clipboard.writeText(location.href);
    return tell(said.copied);
  }
  if (path !== undefined) return change({ node: path });
  if (attribute !== undefined) {
    const isTaken = attribute === "" || button.closest(".taken");
    return change({ asks: isTaken ? others() : [...others(), `${state.node}@${attribute}`] });
  }
  if (copy !== undefined) return change(copied(copy));
  if (row !== undefined) return change({ deleted: [...state.deleted, row], asks: [], node: "/" });
  if (what) return download(what);
  if (button.matches(".stop")) {
    shown += 1;
    rest();
    python.stop();
    tell(said.stopped);
  }
  if (button.matches(".anew")) take(page.dataset.table);
  if (button.matches(".use") && find(".text").value.trim()) take("pasted.csv", find(".text").value);
});

page.addEventListener("focusin", () => python.begin(), { once: true });

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || !["z", "y"].includes(event.key.toLowerCase())) return;
  const { activeElement: here } = document;
  if (here.matches("textarea") || (here.matches("input") && here.value !== here.defaultValue)) return; // the field's own
  event.preventDefault();
  find(event.shiftKey || event.key.toLowerCase() === "y" ? ".redo" : ".undo").click();
});

page.addEventListener("keydown", (event) => {
  const path = event.target.dataset?.path;
  if (path === undefined || !["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  change({ node: path });
});

async function download(what) {
  tell(said.writing);
  const { answer, error } = await ask("take", what);
  tell("", error);
  if (answer === undefined) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([answer]));
  link.download = `${state.table.replace(/\.\w+$/, "")}.${what}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function readFile(file) {
  if (!file) return;
  tell(python.isReady ? said.working : said.starting);
  const content = new Uint8Array(await file.arrayBuffer());
  const { answer, error } = await python.ask("decoded", { table: file.name }, content);
  if (!answer) return tell("", error);
  await take(file.name, answer.text);
  if (answer.said && !find(".error").textContent) tell(answer.said);
}

find("[type=file]").addEventListener("change", ({ target }) => readFile(target.files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  readFile(event.dataTransfer.files[0]);
});

// The beginning: the page as it was built, or what the address says.

addEventListener("popstate", () => {
  if (!holdsState()) return;
  restore();
  ways();
  show();
});
last = at();
restore();
ways();
page.classList.add("alive");
if (history.state?.kept || (location.hash && holdsState())) show();
