// Reads prompts, a golden case without its answer on each line, and writes answers: node run.mjs < prompts.jsonl > answers.jsonl
import { createInterface } from "node:readline";
import { attributions } from "./attributions.mjs";
import { Learner, criterion, number, read } from "./learner.mjs";
import { FORMULAS } from "./measures.mjs";
import { byAlpha, byCost, byErrors, predict, readTree } from "./trees.mjs";

const CAN = ["cuts", "missing", "regression", "subsets", "weights", "dialect:zhou", "dialect:li-hang"];
const CRITERIA = ["gain", "ratio", "gini", "variance", "variance_n_minus_1"];
// The options that this program does not know, each with what does nothing.
const USUAL = {
  subsets: "best", split_information: "of-known", collapse: "never", branch_minimum: "every", cut_minimum: "same", cut_gap: "0",
  penalty: "none", cut_gain: "any", slack: "0", least_split_information: "0", chi_squared: "0",
};
const MOST = 100; // of so many candidates only the winner is told

const numbers = (argument) => (Array.isArray(argument) ? argument.map(numbers) : typeof argument === "string" ? number(argument) : argument);
const named = (data, rows) => rows.map((cells) => Object.fromEntries(cells.map((cell, j) => [data.columns[j].name, cell])));
const targetOf = (data) => data.columns.find((column) => column.name === data.target);

// What this program does not claim has no answer.
function claims({ needs, learner: { name, options }, data }) {
  const isKnown = ["id3", "c45", "cart"].includes(name) && CRITERIA.includes(criterion({ name, options }, targetOf(data)));
  const divides = !needs.includes("missing") || options.missing === "fractions";
  const isUsual = Object.entries(USUAL).every(([option, usual]) => (options[option] ?? usual) === usual);
  const isPlain = isUsual && !options.cuts && !options.merge_leaves && options.contenders !== "near-average";
  return isKnown && isPlain && divides && needs.every((need) => CAN.includes(need)) && options.branching !== "linear";
}

function told({ at, total, answer, stop, candidates, chosen, judgedBy }) {
  const shown = candidates.length <= MOST ? candidates : candidates.filter((one) => one === chosen);
  const written = shown.map(({ question: { test, outcomes }, table, barred, scores }) => ({ test, outcomes, table, barred, scores }));
  const place = chosen === null ? null : shown.indexOf(chosen);
  return { at, total, answer, stop, judged_by: judgedBy, candidates: written, chosen: place };
}

const KINDS = {
  formula: ({ formula, arguments: given }) => FORMULAS[formula]?.(...given.map(numbers)),
  split: (prompt) => KINDS.tree(prompt, 1),
  tree: (prompt, most) => {
    if (!claims(prompt)) return undefined;
    return { decisions: [...new Learner(prompt.learner, read(prompt.data)).grow(most)].map(told) };
  },
  predict: ({ data, tree, rows }) => {
    const root = readTree(tree, targetOf(data));
    return { predictions: named(data, rows).map((row) => predict(root, row, targetOf(data))) };
  },
  attribution: (prompt) => attributions(prompt),
  prune: ({ data, validation, pruning, grown, needs }) => {
    const method = { "cost-function": byCost, "cost-complexity": byAlpha, "reduced-error": byErrors }[pruning.method];
    if (method === undefined || ["missing", "weights", "regression"].some((need) => needs.includes(need))) return undefined;
    const held = validation && { rows: named(validation, validation.rows), target: targetOf(validation) };
    return method(readTree(grown, targetOf(data)), pruning, held);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const prompt = JSON.parse(line);
  const answer = KINDS[prompt.kind]?.(prompt);
  if (answer !== undefined) console.log(JSON.stringify({ id: prompt.id, answer }));
}
