// A price for each leaf: what each pruning costs at it, and the tree that is cheapest.
import { approximately, compare, decimal, fraction, smallest } from "./exact.mjs";

const STEPS = 400;

const price = ({ most }, step) => fraction(most).times(fraction(`${step}/${STEPS}`)).times(fraction(`${step}/${STEPS}`));
const cost = ({ risk, leaves }, at) => fraction(risk).plus(at.times(fraction(leaves)));

export const does = {
  to: (state, step) => ({ ...state, at: `${price(state, step)}` }),
  // The prices at which a pruning takes over, and those half-way between them.
  step: (state, step) => {
    const ends = state.steps.map(({ alpha }) => fraction(alpha)).concat(fraction(state.most));
    const stops = ends.flatMap((alpha, i) => (i ? [alpha.plus(ends[i - 1]).times(fraction("1/2")), alpha] : [alpha]));
    const next = step > 0 ? stops.find((alpha) => compare(alpha, fraction(state.at)) > 0) : stops.reverse().find((alpha) => compare(alpha, fraction(state.at)) < 0);
    return next ? { ...state, at: `${next}` } : null;
  },
};

export function view(state, figure) {
  const at = fraction(state.at);
  const costs = state.steps.map((step) => cost(step, at));
  const least = smallest(costs);
  const cheapest = costs.map((one, i) => (compare(one, least) ? -1 : i)).filter((i) => i >= 0);
  const taken = cheapest.at(-1); // of equals the smallest tree
  const texts = { at: `${at.q < 10000n ? at : decimal(at, 6)}`, decimal: decimal(at, 6) };
  const shares = {}, marks = {};
  costs.forEach((one, i) => {
    texts[`c${i}`] = decimal(one, 4);
    shares[`r${i}`] = approximately(fraction(state.steps[i].risk));
    shares[`p${i}`] = approximately(one.minus(fraction(state.steps[i].risk)));
    marks[`s${i}`] = !cheapest.includes(i) ? "" : cheapest.length > 1 ? "best tie" : "best";
    marks[`t${i}`] = i === taken ? "pruned on" : "pruned";
  });
  const { leaves } = state.steps[taken];
  texts.says = figure.say(cheapest.length > 1 ? "tied" : leaves === 1 ? "leaf" : "cheapest", { leaves, more: state.steps[cheapest[0]].leaves });
  return { texts, shares, marks, values: { at: [Math.round(Math.sqrt(approximately(at.over(fraction(state.most)))) * STEPS), `α = ${texts.decimal}: ${texts.says}`] } };
}

export function begins(figure) { figure.slides(does); }
