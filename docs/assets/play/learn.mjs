// One decision at a node, as ID3, C4.5 and CART make it, and the tree of such decisions: everything exact, ties included.
import { Fraction, LogSum, ONE, Ratio, ZERO, compare, fraction, isAtLeast, largest, smallest, total, whole } from "./exact.mjs";

// Measures. A table has a row of class weights for each branch; of numbers a row is [weight, sum of y, sum of y squared].

const columns = (rows) => rows[0].map((_, j) => total(rows.map((row) => row[j])));

// N·log2 N − Σ n·log2 n, over N, of whole numbers in the same proportions.
export function entropy(counts) {
  const numbers = whole(counts.filter((count) => count.sign() > 0));
  const all = numbers.reduce((sum, n) => sum + n, 0n);
  return new LogSum(all || 1n, [[all || 1n, all], ...numbers.map((n) => [n, -n])]);
}

export function gini(counts) {
  const all = total(counts);
  return ONE.minus(total(counts.map((count) => count.times(count))).over(all.times(all)));
}

const squares = ([n, y, yy]) => (n.sign() ? yy.minus(y.times(y).over(n)) : ZERO);
export const variance = (row) => (row[0].sign() ? squares(row).over(row[0]) : ZERO);
const sampleVariance = (row) => (compare(row[0], ONE) > 0 ? squares(row).over(row[0].minus(ONE)) : ZERO);

// The mean of an impurity over the branches, by their weight.
export function within(impurity, rows, weigh = total) {
  const all = total(rows.map(weigh));
  const parts = rows.filter((row) => weigh(row).sign()).map((row) => impurity(row).times(weigh(row).over(all)));
  return parts.reduce((sum, part) => sum.plus(part));
}

const first = ([n]) => n;
const decrease = (impurity, rows, weigh = total) => impurity(columns(rows)).minus(within(impurity, rows, weigh));
export const conditionalEntropy = (rows) => within(entropy, rows);
export const gain = (rows) => decrease(entropy, rows);
export const splitInformation = (rows) => entropy(rows.map(total));
export const giniIndex = (rows) => within(gini, rows);
export const giniDecrease = (rows) => decrease(gini, rows);

const mistakes = (row) => total(row).minus(largest(row)).over(total(row));

// What a score says of the rows that answer counts by their share of the weight.
function ofKnown(score, rows, unknown) {
  const weight = total(rows.map(total));
  return score.times(weight.over(weight.plus(total(unknown))));
}

// The scores of a table; the last one decides.
const CRITERIA = {
  gain: (rows, unknown) => ({ gain: ofKnown(gain(rows), rows, unknown) }),
  ratio: (rows, unknown) => {
    const found = { gain: ofKnown(gain(rows), rows, unknown), split_information: splitInformation(rows) };
    return { ...found, ratio: new Ratio(found.gain, found.split_information) };
  },
  gini: (rows, unknown) => ({ gini_index: giniIndex(rows), gini_decrease: ofKnown(giniDecrease(rows), rows, unknown) }),
  misclassification: (rows, unknown) => ({
    misclassification_rate: within(mistakes, rows), misclassification_decrease: ofKnown(decrease(mistakes, rows), rows, unknown),
  }),
  variance: (rows) => ({ split_error: total(rows.map(squares)), variance_reduction: decrease(variance, rows, first) }),
  variance_n_minus_1: (rows) => ({ sample_variance_reduction: decrease(sampleVariance, rows, first) }),
};

// Samples: columns, and rows with weights. A cell without a value is null; one of a continuous column is a fraction.

export function read({ columns: named, target, rows, weights = null }) {
  const place = named.findIndex((column) => column.name === target);
  const cell = (text, column) => (text === "" || text === null ? null : column.kind === "continuous" ? fraction(text) : text);
  return {
    attributes: named.map((column, at) => ({ ...column, place: at })).filter((column) => column.place !== place),
    target: { ...named[place], place },
    rows: rows.map((cells, i) => ({ weight: weights ? fraction(weights[i]) : ONE, cells: cells.map((text, j) => cell(text, named[j])) })),
  };
}

// The weight of each class, or the moments of the numbers.
export function counts(rows, target) {
  const answers = rows.map(({ weight, cells }) => [weight, cells[target.place]]);
  if (target.kind === "continuous") {
    const weighted = answers.map(([weight, y]) => [weight, weight.times(y), weight.times(y).times(y)]);
    return [0, 1, 2].map((power) => total(weighted.map((row) => row[power])));
  }
  return target.values.map((label) => total(answers.filter(([, y]) => y === label).map(([weight]) => weight)));
}

// Questions: the test and the conditions of its branches, and the branch of a value.
const multiway = ({ name, place, values }) => ({
  test: { kind: "multiway", attribute: name }, place,
  outcomes: values.map((value) => ({ is: value })), branch: (value) => values.indexOf(value),
});
const subset = ({ name, place }, values) => ({
  test: { kind: "subset", attribute: name }, place,
  outcomes: [{ in: values }, { not_in: values }], branch: (value) => (values.includes(value) ? 0 : 1),
});
export const threshold = ({ name, place }, t) => ({
  test: { kind: "threshold", attribute: name, threshold: t }, place,
  outcomes: [{ le: t }, { gt: t }], branch: (value) => (compare(value, t) <= 0 ? 0 : 1),
});

const HALF = new Fraction(1n, 2n);

export function questions(attribute, rows, branching) {
  const seen = rows.map((row) => row.cells[attribute.place]).filter((value) => value !== null);
  if (attribute.kind === "continuous") {
    const sorted = [...seen].sort(compare).filter((value, i, all) => !i || compare(value, all[i - 1]));
    return sorted.slice(1).map((value, i) => threshold(attribute, value.plus(sorted[i]).times(HALF)));
  }
  if (branching === "multiway") return [multiway(attribute)];
  const values = attribute.values.filter((value) => seen.includes(value));
  if (branching === "one-vs-rest" && values.length > 2) return values.map((value) => subset(attribute, [value]));
  const masks = Array.from({ length: Math.max(0, 2 ** (values.length - 1) - 1) }, (_, i) => i + 1);
  return masks.map((mask) => subset(attribute, values.filter((_, i) => (mask >> i) & 1))); // every way to part them, once
}

// Learners: the options that decide, at their defaults.
export const LEARNERS = {
  id3: { branching: "multiway", criterion: "gain", min_samples_leaf: 0 },
  c45: { branching: "multiway", criterion: "ratio", contenders: "above-average", min_samples_leaf: 0 },
  cart: { branching: "subset", criterion: "auto", min_samples_leaf: 1 },
};

export function learner(name, options = {}) {
  return { name, epsilon: 0, max_depth: null, min_samples_split: 0, zero_gain: "splits", min_impurity_decrease: 0, ...LEARNERS[name], ...options };
}

export const criterionOf = ({ criterion }, target) => (
  { auto: target.kind === "continuous" ? "variance" : "gini", entropy: "gain" }[criterion] ?? criterion);

const weightOf = (row, target) => (target.kind === "continuous" ? row[0] : total(row));

// The parts of a sample. A row that does not answer goes down every branch, by the shares of those that took it.
export function partition(rows, { place, outcomes, branch }) {
  const known = rows.filter((row) => row.cells[place] !== null);
  const taken = known.map((row) => branch(row.cells[place]));
  const weights = outcomes.map((_, at) => total(known.filter((_, i) => taken[i] === at).map((row) => row.weight)));
  const all = total(weights);
  return outcomes.map((_, at) => rows.flatMap((row) => {
    const value = row.cells[place];
    if (value !== null) return branch(value) === at ? [row] : [];
    return weights[at].sign() ? [{ ...row, weight: row.weight.times(weights[at].over(all)) }] : [];
  }));
}

// A question with its table, its scores, and what bars it.
export function candidate(question, rows, { target }, { criterion, min_samples_leaf: least }) {
  const parts = question.outcomes.map(() => []);
  const unknown = [];
  for (const row of rows) {
    const value = row.cells[question.place];
    (value === null ? unknown : parts[question.branch(value)]).push(row);
  }
  const table = { rows: parts.map((part) => counts(part, target)), unknown: counts(unknown, target) };
  const weights = table.rows.map((row) => weightOf(row, target)).filter((weight) => weight.sign());
  const needed = criterion === "variance_n_minus_1" ? [least, 1] : [least]; // over n - 1 there is a whole row in each branch
  const isSmall = weights.some((weight) => needed.some((one) => compare(weight, fraction(one)) < 0));
  const barred = weights.length < 2 ? "candidate" : isSmall ? "min-samples-leaf" : null;
  return { question, table, barred, scores: barred ? {} : CRITERIA[criterionOf({ criterion }, target)](table.rows, table.unknown) };
}

// The candidates that compete, in groups of which one is asked: each by itself; of C4.5 the cuts of most gain of each
// attribute, unless their gain is below the average of the attributes.
function compete(candidates, { name, contenders }) {
  const able = candidates.filter((one) => one.barred === null);
  if (name !== "c45" || !able.length) return { groups: able.map((one) => [one]), average: null };
  const groups = [...new Set(able.map(({ question }) => question.place))].map((place) => {
    const group = able.filter(({ question }) => question.place === place);
    const most = largest(group.map(({ scores }) => scores.gain));
    const best = group.filter(({ scores }) => !compare(scores.gain, most));
    for (const one of group) if (!best.includes(one)) one.barred = "not-best";
    return best;
  });
  const average = groups.map(([{ scores }]) => scores.gain).reduce((sum, one) => sum.plus(one)).times(new Fraction(1n, BigInt(groups.length)));
  if (contenders !== "above-average") return { groups, average };
  const isAbove = ([{ scores }]) => isAtLeast(scores.gain, average);
  for (const one of groups.filter((group) => !isAbove(group)).flat()) one.barred = "below-average";
  return { groups: groups.filter(isAbove), average };
}

// The questions of the largest score, whichever question of each group is taken; the one that is asked comes first.
function best(groups, judgedBy) {
  const score = (one) => one.scores[judgedBy];
  const least = largest(groups.map((group) => smallest(group.map(score))));
  const most = largest(groups.map(([one]) => score(one)));
  const [first] = groups.find(([one]) => !compare(score(one), most));
  return [first, ...groups.flat().filter((one) => one !== first && isAtLeast(score(one), least))];
}

// Why a winner is not asked, or null.
function tooLittle(score, share, { epsilon, min_impurity_decrease: least, zero_gain: atZero }) {
  if (!isAtLeast(score, fraction(epsilon))) return "epsilon";
  if (!isAtLeast(score.times(share), fraction(least))) return "min-impurity-decrease";
  return atZero === "stops" && score.sign() <= 0 ? "zero-gain" : null;
}

function answer(counted, target, above) {
  const weight = weightOf(counted, target);
  if (!weight.sign()) return { ...above, prior: true };
  if (target.kind === "continuous") return { label: counted[1].over(counted[0]), tied: [], prior: false };
  const most = largest(counted);
  const tied = target.values.filter((_, i) => !compare(counted[i], most));
  return { label: tied[0], tied: tied.length > 1 ? tied : [], prior: false };
}

// What is done at a node: a reason to stop, or the question that is asked, the first of those that win.
export function decide(sample, how, { depth = 0, available = null, above = null, all = null } = {}) {
  const { rows, target } = sample;
  const counted = counts(rows, target);
  const weight = weightOf(counted, target);
  const found = { total: counted, answer: answer(counted, target, above), stop: null, candidates: [], winners: [], chosen: null, average: null, judgedBy: null };
  const attributes = sample.attributes.filter(({ name }) => !available || available.has(name));
  const isPure = rows.every((row) => !compareAnswers(row.cells[target.place], rows[0].cells[target.place]));
  if (!weight.sign()) return { ...found, stop: "empty" };
  if (isPure) return { ...found, stop: "pure" };
  if (!attributes.length) return { ...found, stop: "no-attributes" };
  if (how.max_depth !== null && depth >= how.max_depth) return { ...found, stop: "max-depth" };
  if (compare(weight, fraction(how.min_samples_split)) < 0) return { ...found, stop: "min-samples-split" };
  found.candidates = attributes.flatMap((one) => questions(one, rows, how.branching).map((question) => candidate(question, rows, sample, how)));
  const { groups, average } = compete(found.candidates, how);
  found.average = average;
  if (!groups.length) return { ...found, stop: found.candidates.some((one) => one.barred === "min-samples-leaf") ? "min-samples-leaf" : "no-candidates" };
  found.judgedBy = Object.keys(groups[0][0].scores).at(-1);
  found.winners = best(groups, found.judgedBy);
  const why = (one) => tooLittle(one.scores[found.judgedBy], weight.over(all ?? weight), how);
  const [chosen] = found.winners;
  if (why(chosen)) return { ...found, stop: why(chosen) };
  return { ...found, winners: found.winners.filter((one) => !why(one)), chosen };
}

const compareAnswers = (one, other) => (typeof one === "string" ? Number(one !== other) : compare(one, other));

// All decisions, in preorder.
export function* grow(sample, how) {
  const all = weightOf(counts(sample.rows, sample.target), sample.target);
  const pending = [{ at: [], rows: sample.rows, depth: 0, available: new Set(sample.attributes.map(({ name }) => name)), above: null }];
  while (pending.length) {
    const { at, rows, ...place } = pending.pop();
    const decision = (how.decide ?? decide)({ ...sample, rows }, how, { ...place, at, all });
    yield { at, rows, ...decision };
    if (!decision.chosen) continue;
    const { question } = decision.chosen;
    const available = new Set(place.available);
    if (question.test.kind === "multiway") available.delete(question.test.attribute);
    const parts = partition(rows, question);
    pending.push(...parts.map((part, branch) => (
      { at: [...at, branch], rows: part, depth: place.depth + 1, available, above: decision.answer })).reverse());
  }
}

// A tree by the paths of its nodes, and the leaf where a row without a gap ends.
export const grown = (sample, how) => new Map([...grow(sample, how)].map((one) => [one.at.join(), one]));
export function ends(tree, cells) {
  let node = tree.get("");
  while (node.chosen) node = tree.get([...node.at, node.chosen.question.branch(cells[node.chosen.question.place])].join());
  return node;
}
