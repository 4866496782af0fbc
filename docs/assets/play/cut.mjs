// Points on a line and a threshold that is dragged along it; above each midpoint between two points stands its gain.
import { Fraction, approximately, compare, decimal, fraction, largest, short, written } from "./exact.mjs";
import { entropy, gain } from "./learn.mjs";

const STEPS = 400;
const HALF = new Fraction(1n, 2n);

const places = ({ points }) => points.map(([value]) => fraction(value));
const midpoints = (state) => places(state).flatMap((value, i, all) => (
  i && compare(value, all[i - 1]) ? [value.plus(all[i - 1]).times(HALF)] : []));
const [low, high] = [(state) => places(state)[0], (state) => places(state).at(-1)];
const share = (state, t) => t.minus(low(state)).over(high(state).minus(low(state)));

// How many points of each class are on each side.
function sides({ points, names }, t) {
  const isLow = ([value]) => compare(fraction(value), t) <= 0;
  const counted = (some) => names.map((_, k) => fraction(some.filter((one) => one[1] === k).length));
  return [counted(points.filter(isLow)), counted(points.filter((one) => !isLow(one)))];
}

const isEmpty = (row) => row.every((count) => !count.sign());

export const does = {
  flip: (state, i) => ({ ...state, points: state.points.map(([value, k], at) => [value, at === Number(i) ? (k + 1) % state.names.length : k]) }),
  to: (state, step) => ({ ...state, at: `${low(state).plus(high(state).minus(low(state)).times(fraction(`${step}/${STEPS}`)))}` }),
  step: (state, step) => {
    const at = fraction(state.at);
    const next = step > 0 ? midpoints(state).find((t) => compare(t, at) > 0) : midpoints(state).findLast((t) => compare(t, at) < 0);
    return next ? { ...state, at: `${next}` } : null;
  },
  best: (state) => {
    const most = largest(midpoints(state).map((t) => gain(sides(state, t))));
    return { ...state, at: `${midpoints(state).find((t) => !compare(gain(sides(state, t)), most))}` };
  },
};

export function view(state, figure) {
  const at = fraction(state.at);
  const cuts = midpoints(state);
  const gains = cuts.map((t) => gain(sides(state, t)));
  const most = largest(gains);
  const winners = gains.filter((one) => !compare(one, most)).length;
  const texts = {}, counts = {}, marks = {}, shares = { at: approximately(share(state, at)) };
  state.points.forEach(([, k], i) => { counts[`p${i}`] = state.names.map((_, other) => Number(other === k)); });
  gains.forEach((one, i) => {
    shares[`g${i}`] = approximately(one);
    marks[`g${i}`] = compare(one, most) ? "stem" : winners > 1 ? "stem best tie" : "stem best";
  });
  const parts = sides(state, at);
  parts.forEach((row, side) => {
    counts[`side${side}`] = row.map(({ p }) => Number(p));
    texts[`h${side}`] = isEmpty(row) ? "–" : decimal(entropy(row));
  });
  texts.low = figure.say("low", { of: state.of, t: short(at) });
  texts.high = figure.say("high", { of: state.of, t: short(at) });
  const found = parts.some(isEmpty) ? null : gain(parts);
  texts.gain = found ? decimal(found) : "–";
  texts.exact = found ? written(found) : "";
  texts.says = figure.say(!found ? "none" : !most.sign() ? "sure" : compare(found, most) ? "less" : winners > 1 ? "tied" : "best",
    { more: found && decimal(most.minus(found)), winners });
  const values = { at: [Math.round(approximately(share(state, at)) * STEPS), `${texts.low}: ${texts.gain}`] };
  return { texts, counts, marks, shares, values };
}

export function begins(figure) { figure.slides(does); }
