// A tree that grows as one scrolls: the text in the middle of the window says which step of the picture is shown.

export const does = {
  to: (state, step) => ({ ...state, at: Number(step) }),
  go: (state, step) => ({ ...state, at: Math.max(0, Math.min(state.end, state.at + Number(step))) }),
};

// Each part: its kind, the first and the last step at which it is there, the step at which it is new, those at which it is faint.
export function view({ parts, at }) {
  const marks = {};
  for (const [name, [kind, first, last, fresh, faint]] of Object.entries(parts)) {
    marks[name] = [kind, (at < first || at > last) && "later", at === fresh && "now", faint.includes(at) && "faint"].filter(Boolean).join(" ");
  }
  return { marks };
}

export function begins(figure) {
  const isPhone = matchMedia("(max-width: 44.9375em)").matches;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const steps = figure.all("[data-step]");
  const seen = new IntersectionObserver((entries) => {
    const entered = entries.filter((one) => one.isIntersecting).at(-1);
    if (!entered) return;
    figure.act(does, "to", entered.target.dataset.step);
    figure.show();
  }, { rootMargin: isPhone ? "-70% 0px -30% 0px" : "-50% 0px -50% 0px" });
  steps.forEach((step) => seen.observe(step));
  figure.element.addEventListener("click", ({ target }) => {
    if (target.closest("[data-does^=go]")) steps[figure.state.at].scrollIntoView({ block: isPhone ? "end" : "center", behavior: isStill ? "auto" : "smooth" });
  });
}
