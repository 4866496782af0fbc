// Rows in a line with walls between them: each wall makes one answer two. The gain never falls; the ratio may.
import { Ratio, approximately, compare, decimal, fraction, written } from "./exact.mjs";
import { gain, splitInformation } from "./learn.mjs";

export const does = {
  wall: (state, place) => {
    const walls = state.walls.includes(Number(place)) ? state.walls.filter((one) => one !== Number(place)) : [...state.walls, Number(place)];
    return { ...state, walls: walls.sort((a, b) => a - b) };
  },
  every: (state) => ({ ...state, walls: state.classes.slice(1).map((_, i) => i + 1) }),
};

const scores = ({ classes, walls, names }) => {
  const ends = [0, ...walls, classes.length];
  const parts = ends.slice(1).map((end, i) => classes.slice(ends[i], end));
  const rows = parts.map((part) => names.map((_, k) => fraction(part.filter((one) => one === k).length)));
  const [found, cost] = [gain(rows), splitInformation(rows)];
  return { answers: parts.length, gain: found, cost, ratio: walls.length ? new Ratio(found, cost) : null };
};

export function view(state, figure) {
  const now = scores(state);
  const first = scores({ ...state, walls: state.first });
  const texts = {
    answers: `${now.answers}`, gain: decimal(now.gain), cost: decimal(now.cost), ratio: now.ratio ? decimal(now.ratio) : "–",
    exact_gain: written(now.gain), exact_cost: written(now.cost),
  };
  const signs = [now.gain, now.ratio].map((one, i) => (one ? compare(one, [first.gain, first.ratio][i]) : 0));
  texts.says = now.ratio ? figure.say(`gain${signs[0]}`) + figure.say(`ratio${signs[1]}`) : figure.say("none");
  const shares = { gain: approximately(now.gain), cost: approximately(now.cost) / 4, ratio: now.ratio ? approximately(now.ratio) : 0 };
  const marks = Object.fromEntries(state.classes.slice(1).map((_, i) => [`w${i + 1}`, state.walls.includes(i + 1) ? "wall on" : "wall"]));
  return { texts, shares, marks };
}
