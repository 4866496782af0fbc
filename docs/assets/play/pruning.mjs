// Rows that are dealt by a seed, some to grow a tree and others to judge it, and each decision of pruning.
import { ONE } from "./exact.mjs";
import { Chance } from "./chance.mjs";
import { grown, learner } from "./learn.mjs";

const LINES = 16; // so many nodes there is room for
const SEEDS = 99;

// The rows that are held out, a third of each class, as the package's hold-out draws them.
function held(rows, classes, seed) {
  const chance = new Chance(seed, "holdout");
  const start = chance.below(3);
  const order = classes.flatMap((label) => chance.shuffled([...rows.keys()].filter((i) => rows[i].at(-1) === label)));
  return order.filter((_, i) => Math.floor((i + 1 + start) / 3) > Math.floor((i + start) / 3)).sort((a, b) => a - b);
}

const isBelow = (at, node) => node.length < at.length && node.every((branch, i) => branch === at[i]);

// The nodes in order, with the rows that judge them, and the decisions from below.
function judged({ columns, rows, seed, equal }) {
  const named = columns.map(([name, values], place) => ({ name, kind: "categorical", values, place }));
  const classes = named.at(-1).values;
  const out = held(rows, classes, seed);
  const sample = rows.map((cells) => ({ weight: ONE, cells })).filter((_, i) => !out.includes(i));
  const nodes = [...grown({ attributes: named.slice(0, -1), target: named.at(-1), rows: sample }, learner("id3")).values()];
  const byPath = new Map(nodes.map((node) => [node.at.join(), node]));
  for (const node of nodes) Object.assign(node, { reached: [], label: node.answer.label });
  for (const i of out) {
    for (let node = byPath.get(""); node;) {
      node.reached.push(rows[i].at(-1));
      const { question } = node.chosen ?? {};
      node = question && byPath.get([...node.at, question.branch(rows[i][question.place])].join());
    }
  }
  const steps = [];
  const decide = (node) => {
    const asLeaf = node.reached.filter((label) => label !== node.label).length;
    if (!node.chosen) return asLeaf;
    const below = node.chosen.question.outcomes.reduce((sum, _, branch) => sum + decide(byPath.get([...node.at, branch].join())), 0);
    steps.push({ node, below, asLeaf, done: asLeaf < below || (asLeaf === below && equal === "prune") });
    return Math.min(below, asLeaf);
  };
  decide(nodes[0]);
  return { named, classes, out, nodes, steps };
}

// How many of the rows that judge are wrong, if some nodes are leaves.
const wrong = (nodes, cut) => nodes.filter((node) => (!node.chosen || cut.includes(node)) && !cut.some((one) => isBelow(node.at, one.at)))
  .reduce((sum, { reached, label }) => sum + reached.filter((one) => one !== label).length, 0);

export const does = {
  next: (state) => ({ ...state, done: state.done < judged(state).steps.length ? state.done + 1 : 0 }),
  all: (state) => ({ ...state, done: SEEDS }),
  seed: (state) => ({ ...state, seed: (state.seed % SEEDS) + 1 }),
  equal: (state, equal) => ({ ...state, equal }),
};

export function view(state, figure) {
  const { named, classes, out, nodes, steps } = judged(state);
  const shown = steps.slice(0, state.done);
  const cut = shown.filter(({ done }) => done).map(({ node }) => node);
  const texts = { seed: figure.say("seed", { seed: state.seed, held: out.length }) }, counts = {}, marks = {};
  state.rows.forEach((_, i) => { marks[`c${i}`] = out.includes(i) ? "chip held" : "chip"; });
  for (const rule of ["prune", "keep"]) marks[rule] = rule === state.equal ? "on" : "";
  for (let i = 0; i < LINES; i++) {
    const node = nodes[i];
    const step = shown.find((one) => one.node === node);
    const above = node?.at.length && nodes.find(({ at }) => at.join() === node.at.slice(0, -1).join()).chosen.question;
    const isGone = node && cut.some(({ at }) => isBelow(node.at, at));
    marks[`n${i}`] = node ? `deep${node.at.length}${isGone ? " gone" : cut.includes(node) ? " cut" : ""}` : "later";
    texts[`v${i}`] = above ? named[above.place].values[node.at.at(-1)] : "";
    texts[`q${i}`] = !node ? "" : node.chosen && !cut.includes(node) ? `${node.chosen.question.test.attribute}?` : node.label;
    counts[`t${i}`] = node ? node.total.map(({ p }) => Number(p)) : [];
    counts[`h${i}`] = classes.map((label) => node?.reached.filter((one) => one === label).length ?? 0);
    Object.assign(texts, { [`b${i}`]: step ? `${step.below}` : "", [`f${i}`]: step ? `${step.asLeaf}` : "", [`d${i}`]: step ? figure.say(step.done ? "cut" : "stays") : "" });
  }
  texts.says = figure.say("told", { cut: cut.length, done: shown.length, before: wrong(nodes, []), after: wrong(nodes, cut), rows: out.length });
  return { texts, counts, marks };
}
