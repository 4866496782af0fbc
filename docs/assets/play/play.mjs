// Brings the figures of a page to life. What a figure shows is built with the page; a script changes what is in its slots:
// data-is for a text, data-dots for classes, data-share for a bar. Each kind of figure is a module that is loaded only where
// such a figure stands. Its `does` make the next state from a state and what a button says, or null; its `view` says what is in
// the slots; its `begins`, if it has one, adds what is no button.

const dots = (counts, does) => counts.flatMap((n, k) => Array.from({ length: Number(n) }, () => (
  does ? `<i class="k${k}" data-does="${does.replace("{}", k)}"></i>` : `<i class="k${k}"></i>`))).join("");

export class Figure {
  constructor(element, { state, words }) {
    Object.assign(this, { element, state, words, first: structuredClone(state) });
  }
  all(name) { return [...this.element.querySelectorAll(name)]; }
  find(name) { return this.element.querySelector(name); }
  say(name, values = {}) { return this.words[name].replace(/\{(\w+)\}/g, (_, key) => values[key]); }
  // Texts, dots and bars by the names of their slots.
  fill({ texts = {}, counts = {}, shares = {}, marks = {}, values = {} }) {
    for (const [name, text] of Object.entries(texts)) for (const one of this.all(`[data-is="${name}"]`)) if (one.textContent !== text) one.textContent = text;
    for (const [name, of] of Object.entries(counts)) for (const one of this.all(`[data-dots="${name}"]`)) one.innerHTML = dots(of, one.dataset.each);
    for (const [name, share] of Object.entries(shares)) for (const one of this.all(`[data-share="${name}"]`)) one.style.setProperty("--share", share);
    for (const [name, mark] of Object.entries(marks)) for (const one of this.all(`[data-mark="${name}"]`)) {
      one.setAttribute("class", mark);
      if (one.hasAttribute("aria-pressed")) one.setAttribute("aria-pressed", mark.split(" ").includes("on"));
    }
    for (const [name, [value, text]] of Object.entries(values)) for (const one of this.all(`[data-value="${name}"]`)) {
      one.value = value;
      one.setAttribute("aria-valuetext", text);
    }
  }
  act(does, name, ...given) {
    this.state = name === "again" ? structuredClone(this.first) : does[name](this.state, ...given) ?? this.state;
  }
  // Sliders: the pointer moves one freely (`to`), the arrow keys from one place that matters to the next (`step`).
  slides(does) {
    for (const handle of this.all("input")) {
      const act = (...given) => { this.act(does, ...given, handle.dataset.value); this.show(); };
      handle.addEventListener("input", () => act("to", handle.value));
      handle.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        act("step", step);
      });
    }
  }
  start({ does, view, begins }) {
    this.show = () => this.fill(view(this.state, this));
    this.element.addEventListener("click", ({ target }) => {
      const one = target.closest("[data-does]");
      if (!one || !this.element.contains(one)) return;
      this.act(does, ...one.dataset.does.split(" "));
      this.show();
    });
    for (const group of this.all("[data-arrows]")) arrows(group);
    for (const one of this.all("[disabled]")) one.disabled = false;
    begins?.(this);
    this.element.classList.add("alive");
    this.show();
    this.practises(does, view);
  }
  // Each kind of answer is worked out once while nobody waits, and not shown: so the first touch is answered as fast as the next.
  practises(does, view) {
    const kinds = new Map(this.all("[data-does]").reverse().map((one) => one.dataset.does.split(" ")).map(([name, ...given]) => [name, given]));
    for (const { dataset } of this.all("input[type=range]")) kinds.set("step", [1, dataset.value]);
    const idle = globalThis.requestIdleCallback ?? setTimeout;
    const next = ([[name, given], ...others]) => idle(() => {
      const after = does[name]?.(this.state, ...given);
      if (after) view(after, this);
      if (others.length) next(others);
    });
    if (kinds.size) next([...kinds]);
  }
}

// One stop for the Tab key; the arrows go on from there, in rows of data-arrows columns.
function arrows(group) {
  const stops = [...group.querySelectorAll("button")];
  const wide = Number(group.dataset.arrows);
  const at = (place) => stops.forEach((one, i) => { one.tabIndex = i === place ? 0 : -1; });
  at(0);
  group.addEventListener("focusin", ({ target }) => stops.includes(target) && at(stops.indexOf(target)));
  group.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide, ArrowDown: wide }[event.key];
    const next = stops[stops.indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

if (globalThis.document) {
  for (const element of document.querySelectorAll("[data-play]")) {
    const kind = await import(`./${element.dataset.play}.mjs`);
    new Figure(element, JSON.parse(element.querySelector("script").textContent)).start(kind);
  }
}
