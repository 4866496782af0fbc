// The story: the text in the middle of the window says which step of the picture is shown. A step with several frames plays them
// once, up to the one at which it rests; its slider goes through them by hand.

const stepAt = ({ at, spans }) => spans.findLastIndex(([, first]) => first <= at);
const named = ({ spans }, name) => spans.find(([one]) => one === name);
const between = (low, number, high) => Math.max(low, Math.min(high, number));

export const does = {
  go: (state, by) => ({ ...state, at: state.spans[between(0, stepAt(state) + Number(by), state.spans.length - 1)][1] }),
  to: (state, frame, name) => ({ ...state, at: named(state, name)[1] + Number(frame) }),
  step: (state, by, name) => {
    const [, first, rest, last] = named(state, name);
    const here = first <= state.at && state.at <= last ? state.at : rest;
    return { ...state, at: between(first, here + Number(by), last) };
  },
  rest: (state) => ({ ...state, at: state.spans[stepAt(state)][2] }),
};

// A part has its classes in turn, each for so many frames.
function look(turns, at) {
  let i = 0;
  for (let before = turns[0]; before <= at; before += turns[i]) i += 2;
  return turns[i + 1];
}

export function view(state) {
  const { at, spans, looks, readings, shares } = state;
  const marks = Object.fromEntries(Object.entries(looks).map(([name, turns]) => [name, look(turns, at)]));
  const texts = { place: `${stepAt(state) + 1} / ${spans.length}` }, values = {}, slide = {};
  for (const [name, read] of Object.entries(readings)) {
    const [, first, rest, last] = named(state, name);
    const here = (first <= at && at <= last ? at : rest) - first;
    for (const [slot, text] of Object.entries(read[here])) texts[`${name}-${slot}`] = text;
    values[name] = [here, Object.values(read[here]).join("; ")];
    if (name === "slide") slide.slide = shares[here];
  }
  return { marks, texts, values, shares: slide };
}

export function begins(figure) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  const steps = figure.all("[data-step]");
  let playing;
  const stop = () => clearInterval(playing);
  // The frames of the step, one after the other.
  const plays = () => {
    stop();
    const [, first, rest] = figure.state.spans[stepAt(figure.state)];
    if (isStill.matches) figure.act(does, "rest");
    else if (rest > first) {
      playing = setInterval(() => {
        if (figure.state.at >= rest) return stop();
        figure.state = { ...figure.state, at: figure.state.at + 1 };
        figure.show();
      }, between(90, 3000 / (rest - first), 1500));
    }
    figure.show();
  };
  const enters = (place) => {
    if (place === stepAt(figure.state)) return;
    figure.state = { ...figure.state, at: figure.state.spans[place][1] };
    plays();
  };
  const goes = (by) => {
    const place = between(0, stepAt(figure.state) + by, steps.length - 1);
    enters(place);
    steps[place].scrollIntoView({ block: "start", behavior: isStill.matches ? "auto" : "smooth" });
    wanted = place;
  };
  // While the page scrolls to a step that was asked for, those on the way are passed over.
  let wanted = null;
  const line = () => (matchMedia("(max-width: 59.9375em)").matches ? "-82% 0px -18% 0px" : "-55% 0px -45% 0px");
  const seen = new IntersectionObserver((entries) => {
    const entered = entries.filter((one) => one.isIntersecting).at(-1);
    if (!entered || matchMedia("print").matches) return;
    const place = Number(entered.target.dataset.step);
    if (wanted === null || wanted === place) enters(place);
    if (wanted === place) wanted = null;
  }, { rootMargin: line() });
  steps.forEach((one) => seen.observe(one));
  for (const kind of ["wheel", "touchmove", "pointerdown"]) addEventListener(kind, () => { wanted = null; }, { passive: true });

  figure.slides(does);
  for (const handle of figure.all("input")) for (const kind of ["pointerdown", "keydown"]) handle.addEventListener(kind, stop);
  for (const one of figure.all("[data-does^=go]")) {
    one.addEventListener("click", (event) => { event.stopPropagation(); goes(Number(one.dataset.does.split(" ")[1])); });
  }
  document.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    goes(by);
  });
  const from = {};
  figure.element.addEventListener("touchstart", ({ changedTouches: [touch], target }) => {
    Object.assign(from, { x: touch.clientX, y: touch.clientY, slides: target.closest("input") });
  }, { passive: true });
  figure.element.addEventListener("touchend", ({ changedTouches: [touch] }) => {
    const [across, down] = [touch.clientX - from.x, touch.clientY - from.y];
    if (!from.slides && Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) goes(across < 0 ? 1 : -1);
  }, { passive: true });
}
