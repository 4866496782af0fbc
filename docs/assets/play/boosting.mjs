// A boosting tree round by round: the sum of the trees through the points, the residuals as bars, and the loss.
import { ONE, ZERO, approximately, decimal, fraction, largest, short, total } from "./exact.mjs";
import { ends, grown, learner } from "./learn.mjs";

const MOST = 6; // so many rounds there are room for
const RATES = ["1", "1/2", "1/10"];
const STUMP = learner("cart", { max_depth: 1 });
const size = (number) => (number.sign() < 0 ? ZERO.minus(number) : number);
const lossOf = (left) => total(left.map((one) => one.times(one)));

// The rounds, each grown once; the first has no tree.
const known = new Map();
function rounds({ points, of, rate, at }) {
  const name = JSON.stringify([points, of, rate]);
  if (!known.has(name)) known.set(name, [after(points.map(([, y]) => fraction(y)))]);
  const found = known.get(name);
  while (found.length <= at) found.push(round(points, of, fraction(rate), found.at(-1).left));
  return found.slice(0, at + 1);
}

const after = (left, tree) => ({ left, tree, loss: lossOf(left) });

function round(points, of, rate, left) {
  const rows = points.map(([x], i) => ({ weight: ONE, cells: [fraction(x), left[i]] }));
  const number = (name, place) => ({ name, kind: "continuous", place });
  const tree = grown({ attributes: [number(of, 0)], target: number("", 1), rows }, STUMP);
  return after(rows.map(({ cells }, i) => left[i].minus(ends(tree, cells).answer.label.times(rate))), tree);
}

export const does = {
  next: (state) => (state.at < MOST ? { ...state, at: state.at + 1 } : null),
  back: (state) => (state.at > 1 ? { ...state, at: state.at - 1 } : null),
  rate: (state, rate) => ({ ...state, rate }),
};

export function view(state, figure) {
  const found = rounds(state);
  const { left, loss } = found.at(-1);
  const ys = state.points.map(([, y]) => fraction(y));
  const widest = [largest(left.map(size))].map((one) => (one.sign() ? one : ONE))[0];
  const high = [largest(ys)].map((one) => (one.sign() ? one : ONE))[0];
  const texts = { scale: figure.say("scale", { most: decimal(widest, 2) }) }, shares = {}, marks = {};
  left.forEach((one, i) => {
    texts[`r${i}`] = decimal(one, 2);
    marks[`b${i}`] = one.sign() < 0 ? "bar less" : "bar";
    shares[`r${i}`] = approximately(size(one).over(widest));
    shares[`y${i}`] = approximately(ys[i].over(high));
    shares[`f${i}`] = approximately(ys[i].minus(one).over(high));
  });
  for (const rate of RATES) marks[`rate${rate}`] = rate === state.rate ? "on" : "";
  Array.from({ length: MOST }, (_, m) => {
    const [question, ...answers] = found[m + 1] ? asked(found[m + 1].tree, state.of) : ["", "", ""];
    marks[`r${m}`] = found[m + 1] ? "grown" : "later";
    Object.assign(texts, {
      [`n${m}`]: found[m + 1] ? `${m + 1}` : "", [`q${m}`]: question, [`a${m}`]: answers[0], [`c${m}`]: answers[1],
      [`z${m}`]: found[m + 1] ? decimal(found[m + 1].loss, 4) : "",
    });
  });
  texts.says = figure.say(loss.sign() ? "fitted" : "done", { round: state.at, before: decimal(found.at(-2).loss, 4), loss: decimal(loss, 4) });
  return { texts, shares, marks };
}

function asked(tree, of) {
  const { chosen } = tree.get("");
  const answers = (chosen ? ["0", "1"] : ["", ""]).map((at) => decimal(tree.get(at).answer.label, 4));
  return [chosen ? `${of} ≤ ${short(chosen.question.test.threshold)}` : "–", ...answers];
}
