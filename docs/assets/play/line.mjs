// A line that is turned and shifted through points; how much it gains, and how much the best line of all gains.
import { Fraction, ONE, approximately, compare, decimal, fraction, written } from "./exact.mjs";
import { entropy, gain } from "./learn.mjs";

const STEPS = 400;
const HALF = new Fraction(1n, 2n);
const REACH = new Fraction(3n, 4n); // a line is at most so far from the middle
const share = (step) => fraction(`${step}/${STEPS / 2}`).minus(ONE);
const size = (number) => (number.sign() < 0 ? fraction(0).minus(number) : number);

// The direction of a handle, of length 1; how far a line is from the middle.
function direction(turn) {
  const t = share(turn);
  const square = ONE.plus(t.times(t));
  return [ONE.minus(t.times(t)).over(square), t.plus(t).over(square)];
}
const offset = (shift) => share(shift).times(REACH);

function sides({ points }, turn, shift) {
  const [[across, up], far] = [direction(turn), offset(shift)];
  const counted = [[0, 0], [0, 0]];
  for (const [x, y, k] of points) counted[compare(across.times(fraction(x)).plus(up.times(fraction(y))), far) > 0 ? 1 : 0][k] += 1;
  return counted.map((row) => row.map(fraction));
}

function question({ names, ends, turn, shift }) {
  const spans = ends.map(([low, high]) => [fraction(low), fraction(high).minus(fraction(low))]);
  const weights = direction(turn).map((c, i) => c.over(spans[i][1]));
  const t = weights.reduce((sum, w, i) => sum.plus(w.times(spans[i][0].plus(spans[i][1].times(HALF)))), offset(shift));
  const all = size(weights[0]).plus(size(weights[1]));
  const [one, other] = weights.map((w) => decimal(size(w).over(all), 3));
  return `${one} · ${names[0]} ${weights[1].sign() < 0 ? "−" : "+"} ${other} · ${names[1]} ≤ ${decimal(t.over(all), 3)}`;
}

const within = (step) => Math.max(0, Math.min(STEPS, Math.round(step)));
const named = (parts) => parts.flat().join();

export const does = {
  to: (state, step, name) => ({ ...state, [name]: within(step) }),
  both: (state, turn, shift) => ({ ...state, turn: within(turn), shift: within(shift) }),
  // On to where another point changes its side.
  step: (state, step, name) => {
    const before = named(sides(state, state.turn, state.shift));
    for (let next = state[name] + Number(step); next >= 0 && next <= STEPS; next += Number(step)) {
      const there = { ...state, [name]: next };
      if (named(sides(there, there.turn, there.shift)) !== before) return there;
    }
    return null;
  },
  best: (state) => ({ ...state, turn: state.best[0], shift: state.best[1] }),
};

export function view(state, figure) {
  const parts = sides(state, state.turn, state.shift);
  const most = gain(sides(state, ...state.best));
  const found = parts.some((row) => row.every((n) => !n.sign())) ? null : gain(parts);
  const [across, up] = direction(state.turn).map(approximately);
  const texts = {
    question: question(state), gain: found ? decimal(found) : "–", exact: found ? written(found) : "",
    says: figure.say(!found ? "none" : compare(found, most) < 0 ? "less" : "best", { more: found && decimal(most.minus(found)), ways: state.ways }),
  };
  const counts = {};
  parts.forEach((row, side) => {
    counts[`s${side}`] = row.map(({ p }) => Number(p));
    texts[`h${side}`] = row.some((n) => n.sign()) ? decimal(entropy(row)) : "–";
  });
  const shares = { turn: Math.atan2(up, across) / (2 * Math.PI), shift: approximately(offset(state.shift)) };
  const told = `${texts.question}: ${texts.gain}`;
  return { texts, counts, shares, values: { turn: [state.turn, told], shift: [state.shift, told] } };
}

// A pointer beside the line turns it, one on the line shifts it.
export function begins(figure) {
  figure.slides(does);
  const plane = figure.find(".plane");
  const place = ({ clientX, clientY }) => {
    const box = plane.getBoundingClientRect();
    return [(clientX - box.left) / box.width - 0.5, 0.5 - (clientY - box.top) / box.height];
  };
  const along = ([x, y], angle) => x * Math.cos(angle) + y * Math.sin(angle);
  let grip = null;
  plane.addEventListener("pointerdown", (event) => {
    const [at, angle] = [place(event), 2 * Math.atan(figure.state.turn / (STEPS / 2) - 1)];
    const far = (figure.state.shift / (STEPS / 2) - 1) * 0.75;
    const isOnLine = Math.abs(along(at, angle) - far) < 0.1;
    grip = { angle, far, isOnLine, from: Math.atan2(at[1], at[0]), along: along(at, angle) };
    plane.setPointerCapture(event.pointerId);
  });
  plane.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [x, y] = place(event);
    let { angle, far } = grip;
    if (grip.isOnLine) far += along([x, y], angle) - grip.along;
    else {
      angle += Math.atan2(y, x) - grip.from;
      const turns = Math.round(angle / Math.PI); // a direction and its opposite are one line
      angle -= turns * Math.PI;
      if (turns % 2) far = -far;
    }
    figure.act(does, "both", (Math.tan(angle / 2) + 1) * (STEPS / 2), (far / 0.75 + 1) * (STEPS / 2));
    figure.show();
  });
  for (const end of ["pointerup", "pointercancel"]) plane.addEventListener(end, () => { grip = null; });
}
