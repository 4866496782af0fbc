// One table, six trees: what differs from the table as it was built goes into the address, and to the worker of the
// playground; the pieces of HTML that come back are shown. Python is loaded when a reader first types into a cell, or a
// link brings changes, and not before.

import { Python, holdsState, read, written } from "./alive.js";

const page = document.querySelector(".six");
const find = (name) => page.querySelector(name);
const form = find("form");
const cells = [...page.querySelectorAll("[data-cell]")];
const parts = [...page.querySelectorAll("[data-shows]")];
const built = Object.fromEntries(parts.map((part) => [part.dataset.shows, part.innerHTML]));
const { starting, failed, kept } = page.dataset; // what is said, in the language of the page

const python = new Python(page.dataset, () => tell(failed));
let shown = 0;

async function show(edits) {
  const mine = ++shown;
  for (const cell of cells) cell.classList.toggle("changed", cell.value !== cell.defaultValue);
  find(".anew").hidden = edits.length === 0;
  if (edits.length === 0) return put(built);
  page.setAttribute("aria-busy", "true");
  tell(python.isReady ? "" : starting);
  const { answer, error } = await python.ask("view", { edits });
  if (mine !== shown) return; // something else was asked meanwhile
  if (answer) return put(answer.html);
  page.removeAttribute("aria-busy");
  tell(error ? kept : failed, error);
}

function put(pieces) {
  for (const part of parts) part.innerHTML = pieces[part.dataset.shows];
  page.removeAttribute("aria-busy");
  tell("");
}

function tell(said, wrong = "") {
  find(".status").textContent = said;
  find(".error").textContent = wrong;
}

function change() {
  const changed = cells.filter((cell) => cell.value !== cell.defaultValue);
  const edits = changed.map((cell) => `${cell.dataset.cell},${cell.value.trim()}`);
  history.pushState(null, "", edits.length ? `#${written({ edits })}` : location.pathname);
  show(edits);
}

function restore() {
  const edits = read().getAll("edits");
  const values = Object.fromEntries(edits.map((edit) => edit.match(/^(\d+,\d+),(.*)$/s)?.slice(1) ?? []));
  for (const cell of cells) cell.value = values[cell.dataset.cell] ?? cell.defaultValue;
  show(edits);
}

form.addEventListener("input", () => python.begin());
form.addEventListener("change", change);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(change)); // once the cells are as they were
addEventListener("popstate", () => holdsState() && restore());
page.classList.add("alive");
if (location.hash && holdsState()) restore();
