// ID3, as small as a whole program can be: prompts in, answers out. node id3.mjs < prompts.jsonl > answers.jsonl
import { createInterface } from "node:readline";

const counted = (labels) => labels.reduce((found, label) => found.set(label, (found.get(label) ?? 0) + 1), new Map());
const entropy = (labels) => [...counted(labels).values()].reduce((sum, c) => (c < labels.length ? sum - (c / labels.length) * Math.log2(c / labels.length) : sum), 0);

function gain(rows, place, target) {
  const parts = Map.groupBy ? Map.groupBy(rows, (row) => row[place]) : rows.reduce((found, row) => found.set(row[place], [...(found.get(row[place]) ?? []), row]), new Map());
  const within = [...parts.values()].reduce((sum, part) => sum + (part.length / rows.length) * entropy(part.map((row) => row[target])), 0);
  return parts.size > 1 ? entropy(rows.map((row) => row[target])) - within : -1;
}

// The decision at each node, in preorder.
function* grow({ columns, rows: all, target: name }) {
  const target = columns.findIndex((column) => column.name === name);
  const pending = [{ at: [], rows: all, left: columns.map((_, place) => place).filter((place) => place !== target), above: null }];
  while (pending.length) {
    const { at, rows, left, above } = pending.pop();
    const counts = counted(rows.map((row) => row[target]));
    // of classes that are equally frequent, the first in the order of their names; an empty branch says as its parent
    const label = rows.length ? columns[target].values.reduce((best, y) => ((counts.get(y) ?? 0) > (counts.get(best) ?? 0) ? y : best)) : above;
    const scores = rows.length ? left.map((place) => gain(rows, place, target)) : [];
    const best = Math.max(-1, ...scores);
    if (!rows.length || counts.size === 1 || !left.length || best === -1) {
      const stop = !rows.length ? "empty" : counts.size === 1 ? "pure" : left.length ? "no-candidates" : "no-attributes";
      yield { at, stop, answer: { label } };
      continue;
    }
    const chosen = left[scores.findIndex((score) => score >= best - 1e-12)]; // equal but for rounding: the first
    yield { at, chosen: { kind: "multiway", attribute: columns[chosen].name }, answer: { label } };
    const rest = left.filter((place) => place !== chosen);
    const below = columns[chosen].values.map((value, branch) => ({ at: [...at, branch], rows: rows.filter((row) => row[chosen] === value), left: rest, above: label }));
    pending.push(...below.reverse());
  }
}

const USUAL = { epsilon: "0", max_depth: null, min_samples_split: "0", min_samples_leaf: "0" };

for await (const line of createInterface({ input: process.stdin })) {
  const { id, kind, needs, learner, data } = JSON.parse(line);
  const isPlain = learner?.name === "id3" && Object.entries(USUAL).every(([name, value]) => learner.options[name] === value) && (learner.options.chi_squared ?? "0") === "0";
  if (kind === "tree" && !needs.length && isPlain) console.log(JSON.stringify({ id, answer: { decisions: [...grow(data)] } }));
}
