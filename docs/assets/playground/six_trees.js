// One table, six trees: what differs from the table as it was built goes to the worker of the playground, and the pieces
// of HTML that come back are shown. Python is loaded when a reader first types into a cell, and not before.

const page = document.querySelector(".six");
const find = (name) => page.querySelector(name);
const cells = [...page.querySelectorAll("[data-cell]")];
const shown = [...page.querySelectorAll("[data-shows]")];
const built = shown.map((part) => part.innerHTML);

let worker, asked = 0;

function begin() {
  if (worker) return;
  worker = new Worker(new URL(`worker.js?room=six_trees&wheel=${page.dataset.wheel}`, import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => data.id === asked && answered(data);
  worker.onerror = () => answered({ error: "Python could not be loaded." });
  tell("Python is starting: about 7 MB, once …");
}

function ask() {
  begin();
  asked += 1; // an answer to an earlier question is not shown
  const changed = cells.filter((cell) => cell.value !== cell.defaultValue);
  const edits = changed.map((cell) => `${cell.dataset.cell},${cell.value.trim()}`);
  for (const cell of cells) cell.classList.toggle("changed", changed.includes(cell));
  find(".anew").hidden = changed.length === 0;
  if (changed.length === 0) return show(built);
  page.setAttribute("aria-busy", "true");
  worker.postMessage({ id: asked, call: "view", state: { edits } });
}

function answered({ answer, error }) {
  if (answer) show(shown.map((part) => answer.html[part.dataset.shows]));
  else tell("The trees are as they were before.", error);
}

function show(pieces) {
  shown.forEach((part, place) => (part.innerHTML = pieces[place]));
  tell("");
}

function tell(said, failed = "") {
  page.toggleAttribute("aria-busy", false);
  find(".status").textContent = said;
  find(".error").textContent = failed;
}

find("form").addEventListener("input", begin);
find("form").addEventListener("change", ask);
find("form").addEventListener("submit", (event) => event.preventDefault());
find("form").addEventListener("reset", () => setTimeout(ask)); // once the cells are as they were
page.classList.add("alive");
