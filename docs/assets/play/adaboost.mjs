// AdaBoost round by round: the weights as the size of dots, what each stump gets wrong, and the votes summed.
import { Fraction, LogSum, ONE, approximately, brief, compare, fraction, short, stacked, total } from "./exact.mjs";
import { ends, grown, learner } from "./learn.mjs";

const MOST = 6; // so many rounds there are room for
const STUMP = learner("cart", { criterion: "misclassification", max_depth: 1, min_samples_leaf: 0 });
const TARGET = { name: "", kind: "categorical", values: ["0", "1"], place: 1 };
const HALF = new Fraction(1n, 2n);

// The rounds, each grown once.
const known = new Map();
function rounds({ points, of, at }) {
  const name = JSON.stringify([points, of]);
  if (!known.has(name)) known.set(name, []);
  const found = known.get(name);
  while (found.length < at && !found.at(-1)?.ends) found.push(round(points, of, found.at(-1)));
  return found.slice(0, at);
}

function round(points, of, before) {
  const weights = points.map((_, i) => (before ? before.weights[i].times(HALF).over(before.missed[i] ? before.error : ONE.minus(before.error))
    : new Fraction(1n, BigInt(points.length))));
  const rows = points.map(([x, k], i) => ({ weight: weights[i], cells: [fraction(x), `${k}`] }));
  const tree = grown({ attributes: [{ name: of, kind: "continuous", place: 0 }], target: TARGET, rows }, STUMP);
  const said = rows.map(({ cells }) => Number(ends(tree, cells).answer.label));
  const missed = said.map((k, i) => k !== points[i][1]);
  const error = total(weights.filter((_, i) => missed[i]));
  return { weights, tree, said, missed, error, ends: !error.sign() ? "perfect" : compare(error, HALF) >= 0 ? "chance" : null };
}

// A tree without a mistake decides alone; one that is no better than chance does not vote, unless there is no other.
function votes(found) {
  const last = found.at(-1);
  if (last.ends === "perfect" || found.length === 1) return last.said;
  const voting = last.ends ? found.slice(0, -1) : found;
  const sizes = voting.map(({ error }) => ONE.minus(error).over(error)).map(({ p, q }) => new LogSum(1n, [[p, 1n], [q, -1n]]));
  return last.said.map((_, i) => Number(sizes.reduce((sum, size, m) => sum.plus(size.times(voting[m].said[i] ? ONE : new Fraction(-1n))), new LogSum(1n, [])).sign() > 0));
}

export const does = {
  flip: (state, i) => ({ ...state, points: state.points.map(([x, k], at) => [x, at === Number(i) ? 1 - k : k]) }),
  next: (state) => (state.at < MOST && !rounds(state).at(-1).ends ? { ...state, at: state.at + 1 } : null),
  back: (state) => (state.at > 1 ? { ...state, at: Math.min(state.at, rounds(state).length) - 1 || 1 } : null),
};

export const one = (k) => [0, 1].map((other) => Number(other === k));

export function view(state, figure) {
  const found = rounds(state);
  const { weights, said, missed, error, tree, ends: end } = found.at(-1);
  const voted = votes(found);
  const wrong = voted.filter((k, i) => k !== state.points[i][1]).length;
  const texts = {}, counts = {}, shares = {}, marks = {};
  const cut = tree.get("").chosen?.question;
  state.points.forEach(([x, k], i) => {
    const isLow = cut && !cut.branch(fraction(x));
    marks[`m${i}`] = [isLow && "low", missed[i] && "wrong"].filter(Boolean).join(" ");
    shares[`s${i}`] = Math.sqrt(approximately(weights[i]));
    Object.assign(counts, { [`p${i}`]: one(k), [`t${i}`]: one(said[i]), [`v${i}`]: one(voted[i]) });
    Object.assign(texts, stacked(`w${i}`, weights[i]), { [`t${i}x`]: missed[i] ? "✗" : "", [`v${i}x`]: voted[i] === k ? "" : "✗" });
  });
  Array.from({ length: MOST }, (_, m) => {
    const { question, sides, votes: size } = found[m] ? asked(found[m], state.of) : { question: "", sides: [-1, -1], votes: "" };
    marks[`r${m}`] = found[m] ? "grown" : "later";
    Object.assign(counts, { [`l${m}`]: one(sides[0]), [`r${m}`]: one(sides[1]) });
    Object.assign(texts, { [`n${m}`]: found[m] ? `${m + 1}` : "", [`q${m}`]: question, [`e${m}`]: found[m] ? brief(found[m].error) : "", [`a${m}`]: size });
  });
  const names = state.points.filter((_, i) => missed[i]).map(([x]) => short(fraction(x))).join(", ");
  const told = figure.say(end ?? "missed", { missed: names, error: brief(error), round: found.length });
  texts.says = `${told} ${figure.say(wrong ? "votes" : "all_right", { wrong, rows: voted.length })}`;
  return { texts, counts, shares, marks };
}

function asked({ tree, error }, of) {
  const root = tree.get("");
  const odds = error.sign() && ONE.minus(error).over(error);
  return {
    question: root.chosen ? `${of} ≤ ${short(root.chosen.question.test.threshold)}` : "–",
    sides: (root.chosen ? ["0", "1"] : ["", ""]).map((at) => Number(tree.get(at).answer.label)),
    votes: odds ? `½ ln ${brief(odds)} ≈ ${(Math.log(Number(odds.p) / Number(odds.q)) / 2).toFixed(4)}` : "∞",
  };
}
