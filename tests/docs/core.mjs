// Reads prompts of goldens, and answers those of the core of the pages, every number exact: node core.mjs < prompts > answers
import { createInterface } from "node:readline";
import { Fraction, LogSum, Ratio, compare, decimal, fraction } from "../../docs/assets/play/exact.mjs";
import { Chance, bootstrap } from "../../docs/assets/play/chance.mjs";
import * as learn from "../../docs/assets/play/learn.mjs";

const CAN = ["cuts", "missing", "regression", "subsets", "weights", "dialect:zhou", "dialect:li-hang"];
const CRITERIA = ["gain", "ratio", "gini", "misclassification", "variance", "variance_n_minus_1"];
// The options that the core does not know, each with what does nothing.
const USUAL = {
  subsets: "best", split_information: "of-known", collapse: "never", branch_minimum: "every", cut_minimum: "same", cut_gap: "0",
  penalty: "none", cut_gain: "any", slack: "0", least_split_information: "0", chi_squared: "0",
};
const MOST = 100; // of so many candidates only the winners are told

const FORMULAS = {
  "measures.entropy.entropy": learn.entropy,
  "measures.conditional_entropy.conditional_entropy": learn.conditionalEntropy,
  "measures.information_gain.information_gain": learn.gain,
  "measures.gain_ratio.split_information": learn.splitInformation,
  "measures.gain_ratio.gain_ratio": (rows) => new Ratio(learn.gain(rows), learn.splitInformation(rows)),
  "measures.gini_index.gini": learn.gini,
  "measures.gini_index.gini_index": learn.giniIndex,
  "measures.gini_index.gini_decrease": learn.giniDecrease,
  "measures.variance.variance": learn.variance,
};

function claims({ needs, learner: { name, options }, data }) {
  const target = data.columns.find((column) => column.name === data.target);
  const how = learn.learner(name, options);
  const isKnown = name in learn.LEARNERS && CRITERIA.includes(learn.criterionOf(how, target));
  const divides = !needs.includes("missing") || options.missing === "fractions";
  const isUsual = Object.entries(USUAL).every(([option, usual]) => (options[option] ?? usual) === usual);
  const isPlain = isUsual && !options.cuts && !options.merge_leaves && options.contenders !== "near-average";
  return isKnown && isPlain && divides && needs.every((need) => CAN.includes(need)) && options.branching !== "linear";
}

const sum = (number) => {
  const { over, terms } = LogSum.of(number);
  return { over: `${over}`, log2: Object.fromEntries([...terms].map(([n, c]) => [n, `${c}`])) };
};
const exact = (number) => (number instanceof Fraction ? `${number}`
  : number instanceof Ratio ? { numerator: sum(number.top), denominator: sum(number.bottom) } : sum(number));
const plain = (value) => (value instanceof Fraction ? `${value}` : value);
const outcome = (when) => Object.fromEntries(Object.entries(when).map(([key, value]) => [key, plain(value)]));

function told({ at, total, answer, stop, candidates, winners, chosen, judgedBy }) {
  const shown = candidates.length <= MOST ? candidates : candidates.filter((one) => one === chosen);
  return {
    at, total: total.map(String), answer: { ...answer, label: plain(answer.label) }, stop, judged_by: judgedBy,
    candidates: shown.map(({ question: { test, outcomes }, table, barred, scores }) => ({
      test: outcome(test), outcomes: outcomes.map(outcome), barred,
      table: { rows: table.rows.map((row) => row.map(String)), unknown: table.unknown.map(String) },
      scores: Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, { exact: exact(score), digits: decimal(score, 20) }])),
    })),
    winners: candidates.length <= MOST ? winners.map((one) => shown.indexOf(one)) : undefined,
    chosen: chosen && shown.indexOf(chosen),
  };
}

const numbers = (given) => (Array.isArray(given) ? given.map(numbers) : fraction(given));

const sumOf = (terms) => new LogSum(1n, terms.map((term) => term.map(BigInt)));

function answered({ kind, given: sums, formula, arguments: given, learner, data, ...rest }) {
  if (kind === "sum") return { sign: sumOf(sums).sign(), decimal: decimal(sumOf(sums), 12) };
  if (kind === "ratios") { // g1/s1 and g2/s2
    const [g1, s1, g2, s2] = sums.map(sumOf);
    return { order: compare(new Ratio(g1, s1), new Ratio(g2, s2)), decimal: decimal(new Ratio(g1, s1), 12) };
  }
  if (kind === "draws") { // of a seed and a key
    const [seed, key, n] = sums;
    const chance = new Chance(seed, key);
    return { below: Array.from({ length: 20 }, () => chance.below(n)), shuffled: chance.shuffled(Array.from({ length: n }, (_, i) => i)), drawn: bootstrap(n, seed, n) };
  }
  if (kind === "formula") {
    const found = FORMULAS[formula]?.(...given.map(numbers));
    return found && { exact: exact(found), digits: decimal(found, 20) };
  }
  if (!["split", "tree"].includes(kind) || !claims({ learner, data, ...rest })) return undefined;
  const decisions = learn.grow(learn.read(data), learn.learner(learner.name, learner.options));
  return { decisions: (kind === "split" ? [decisions.next().value] : [...decisions]).map(told) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...prompt } = JSON.parse(line);
  const answer = answered(prompt);
  if (answer !== undefined) console.log(JSON.stringify({ id, answer }));
}
