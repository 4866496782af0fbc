// ID3, C4.5 and CART, in doubles: one decision at a node, and the loop that grows a tree of them.
import {
  columns, decrease, entropy, gain, gini, giniIndex, known, sampleVariance, splitError, splitInformation, sum, variance,
} from "./measures.mjs";

// Two scores so near to each other are equal: a double cannot tell them apart, and the goldens have no such pair unless they say so.
const NEAR = 1e-12;
const isAtLeast = (a, b) => a >= b - NEAR;

export const number = (text) => {
  const [p, q] = text.split("/");
  return q === undefined ? Number(p) : Number(p) / Number(q);
};

// A table of a golden: columns, and rows with weights. An empty cell is a missing value.
export function read(data) {
  const target = data.columns.findIndex((column) => column.name === data.target);
  const cell = (text, column) => (text === "" ? null : column.kind === "continuous" ? number(text) : text);
  const rows = data.rows.map((cells, i) => ({
    weight: data.weights === null ? 1 : number(data.weights[i]),
    cells: cells.map((text, j) => cell(text, data.columns[j])),
    y: cell(cells[target], data.columns[target]),
  }));
  const attributes = data.columns.map((column, place) => ({ ...column, place })).filter((column) => column.place !== target);
  return { rows, attributes, target: data.columns[target] };
}

// What arrives at a node: the weight of each class, or the moments of the numbers.
export function counts(rows, target) {
  if (target.kind === "continuous") {
    return [sum(rows.map((r) => r.weight)), sum(rows.map((r) => r.weight * r.y)), sum(rows.map((r) => r.weight * r.y * r.y))];
  }
  return target.values.map((label) => sum(rows.filter((r) => r.y === label).map((r) => r.weight)));
}

// A question: its test and the conditions of its branches, as the goldens write them, and the branch of a value.
const multiway = (a) => ({
  test: { kind: "multiway", attribute: a.name }, place: a.place,
  outcomes: a.values.map((value) => ({ is: value })), branch: (value) => a.values.indexOf(value),
});
const subset = (a, values) => ({
  test: { kind: "subset", attribute: a.name }, place: a.place,
  outcomes: [{ in: values }, { not_in: values }], branch: (value) => (values.includes(value) ? 0 : 1),
});
const threshold = (a, t) => ({
  test: { kind: "threshold", attribute: a.name, threshold: t }, place: a.place,
  outcomes: [{ le: t }, { gt: t }], branch: (value) => (value <= t ? 0 : 1),
});

function* questions(attribute, rows, branching) {
  const seen = [...new Set(rows.map((row) => row.cells[attribute.place]).filter((value) => value !== null))];
  if (attribute.kind === "continuous") {
    seen.sort((a, b) => a - b);
    for (let i = 1; i < seen.length; i++) yield threshold(attribute, (seen[i - 1] + seen[i]) / 2);
  } else if (branching === "multiway") {
    yield multiway(attribute);
  } else {
    const values = attribute.values.filter((value) => seen.includes(value));
    if (branching === "one-vs-rest") {
      for (const value of values) yield subset(attribute, [value]);
    } else { // the sets without the last value: every way to part the values once
      for (let mask = 1; mask < 2 ** (values.length - 1); mask++) yield subset(attribute, values.filter((_, i) => (mask >> i) & 1));
    }
  }
}

const reduction = (impurity, rows, unknown) => known((r) => decrease(impurity, r, "number"), rows, unknown, "number");

// How each learner scores a table; the last score decides.
const CRITERIA = {
  gain: (rows, unknown) => ({ gain: known(gain, rows, unknown) }),
  ratio: (rows, unknown) => {
    const found = { gain: known(gain, rows, unknown), split_information: splitInformation(rows) };
    return { ...found, ratio: found.gain / found.split_information };
  },
  gini: (rows, unknown) => ({ gini_index: giniIndex(rows), gini_decrease: known((r) => decrease(gini, r), rows, unknown) }),
  variance: (rows, unknown) => ({ split_error: splitError(rows), variance_reduction: reduction(variance, rows, unknown) }),
  variance_n_minus_1: (rows, unknown) => ({ sample_variance_reduction: reduction(sampleVariance, rows, unknown) }),
};

export function criterion(learner, target) {
  if (learner.name === "id3") return "gain";
  if (learner.name === "c45") return "ratio";
  const { criterion: named } = learner.options;
  if (named === "entropy") return "gain";
  return named === "auto" ? (target.kind === "continuous" ? "variance" : "gini") : named;
}

export class Learner {
  constructor({ name, options }, table) {
    Object.assign(this, { name, options, table, criterion: criterion({ name, options }, table.target) });
    this.epsilon = number(options.epsilon);
    this.branching = name === "cart" ? options.branching : "multiway";
    this.isNumber = table.target.kind === "continuous";
    this.all = this.weight(counts(table.rows, table.target));
  }

  weight(row) {
    return this.isNumber ? row[0] : sum(row);
  }

  answer(total, above) {
    if (!this.weight(total)) return { ...above, prior: true };
    if (this.isNumber) return { label: total[1] / total[0], tied: [], prior: false };
    const most = Math.max(...total);
    const tied = this.table.target.values.filter((_, i) => isAtLeast(total[i], most));
    return { label: tied[0], tied: tied.length > 1 ? tied : [], prior: false };
  }

  candidate(question, rows) {
    const answered = rows.filter((row) => row.cells[question.place] !== null);
    const parts = question.outcomes.map((_, branch) => answered.filter((row) => question.branch(row.cells[question.place]) === branch));
    const table = {
      rows: parts.map((part) => counts(part, this.table.target)),
      unknown: counts(rows.filter((row) => row.cells[question.place] === null), this.table.target),
    };
    const weights = table.rows.map((row) => this.weight(row)).filter((weight) => weight > 0);
    // The variance over n - 1 needs a whole row in each branch.
    const least = Math.max(number(this.options.min_samples_leaf), this.criterion === "variance_n_minus_1" ? 1 : 0);
    const barred = weights.length < 2 ? "candidate" : weights.some((w) => w < least) ? "min-samples-leaf" : null;
    return { question, table, barred, scores: barred ? {} : CRITERIA[this.criterion](table.rows, table.unknown) };
  }

  // The candidates that may win, best first of equals; C4.5 lets the cut of most gain stand for an attribute.
  contenders(candidates) {
    const able = candidates.filter((one) => one.barred === null);
    if (this.name !== "c45") return able;
    const best = this.table.attributes.flatMap((attribute) => {
      const own = able.filter((one) => one.question.place === attribute.place);
      const most = Math.max(...own.map((one) => one.scores.gain));
      return own.filter((one) => isAtLeast(one.scores.gain, most)).slice(0, 1);
    });
    if (this.options.contenders !== "above-average") return best;
    const average = sum(best.map((one) => one.scores.gain)) / best.length;
    return best.filter((one) => isAtLeast(one.scores.gain, average));
  }

  // What is done at a node: a reason to stop, or the question that is asked.
  decide({ rows, depth, available, above }) {
    const total = counts(rows, this.table.target);
    const answer = this.answer(total, above);
    const stopped = (stop, candidates = []) => ({ total, answer, stop, candidates, chosen: null, judgedBy: null });
    const attributes = this.table.attributes.filter((attribute) => available.has(attribute.name));
    const isPure = new Set(rows.map((row) => row.y)).size === 1;
    if (!this.weight(total)) return stopped("empty");
    if (isPure) return stopped("pure");
    if (!attributes.length) return stopped("no-attributes");
    if (this.options.max_depth !== null && depth >= this.options.max_depth) return stopped("max-depth");
    if (this.weight(total) < number(this.options.min_samples_split)) return stopped("min-samples-split");
    const candidates = attributes.flatMap((a) => [...questions(a, rows, this.branching)].map((q) => this.candidate(q, rows)));
    const able = this.contenders(candidates);
    if (!able.length) return stopped(candidates.some((one) => one.barred === "min-samples-leaf") ? "min-samples-leaf" : "no-candidates", candidates);
    const judgedBy = Object.keys(able[0].scores).at(-1);
    const most = Math.max(...able.map((one) => one.scores[judgedBy]));
    const chosen = able.find((one) => isAtLeast(one.scores[judgedBy], most));
    if (!isAtLeast(most, this.epsilon)) return stopped("epsilon", candidates);
    const taken = (this.weight(total) / this.all) * most;
    if (!isAtLeast(taken, number(this.options.min_impurity_decrease ?? "0"))) return stopped("min-impurity-decrease", candidates);
    if (this.options.zero_gain === "stops" && most <= NEAR) return stopped("zero-gain", candidates);
    return { total, answer, stop: null, candidates, chosen, judgedBy };
  }

  // The parts of a sample; a row without an answer goes down every branch, by the shares of those that took it.
  split(rows, { question, table }) {
    const weights = table.rows.map((row) => this.weight(row));
    const shares = weights.map((weight) => weight / sum(weights));
    const parts = question.outcomes.map((_, branch) =>
      rows.flatMap((row) => {
        const value = row.cells[question.place];
        if (value !== null) return question.branch(value) === branch ? [row] : [];
        return shares[branch] ? [{ ...row, weight: row.weight * shares[branch] }] : [];
      }),
    );
    return { parts, shares };
  }

  // All decisions, in preorder. `most` is how many are wanted.
  *grow(most = Infinity) {
    const available = new Set(this.table.attributes.map((attribute) => attribute.name));
    const pending = [{ at: [], rows: this.table.rows, depth: 0, available, above: null }];
    for (let made = 0; pending.length && made < most; made++) {
      const place = pending.pop();
      const decision = this.decide(place);
      yield { at: place.at, ...decision };
      if (decision.chosen === null) continue;
      const { test } = decision.chosen.question;
      const left = new Set(place.available);
      if (test.kind === "multiway") left.delete(test.attribute);
      const { parts } = this.split(place.rows, decision.chosen);
      const below = parts.map((rows, branch) => (
        { at: [...place.at, branch], rows, depth: place.depth + 1, available: left, above: decision.answer }));
      pending.push(...below.reverse());
    }
  }
}
