// Trees that are grown from rows drawn with replacement, their votes, and those of the trees that have not seen a row.
import { fraction } from "./exact.mjs";
import { Chance, bootstrap, eight, sha256 } from "./chance.mjs";
import { decide, ends, grown, learner } from "./learn.mjs";
import { one } from "./adaboost.mjs";

const MOST = 9; // so many trees there is room for
const CANNOT = ["no-candidates", "min-samples-leaf"];
const BYTES = new TextEncoder();

// At each node only some of the attributes are looked at, drawn by the path from the root; if none can split, one more is drawn.
const drawing = (seed, number, most) => (sample, how, place) => {
  let key = [];
  for (const branch of place.at) key = [...sha256([...key, ...eight(branch)])];
  const names = sample.attributes.map(({ name }) => name).filter((name) => place.available.has(name));
  const turns = new Chance(seed, [...BYTES.encode(`forest ${number} `), ...key]).oneByOne(names);
  const seen = new Set();
  for (let i = 0; i < Math.min(most, names.length); i++) seen.add(turns.next().value);
  for (;;) {
    const found = decide(sample, how, { ...place, available: seen });
    const further = CANNOT.includes(found.stop) && turns.next().value;
    if (!further) return found;
    seen.add(further);
  }
};

const known = new Map();
function treeOf({ columns, rows, seed, most }, number) {
  const name = JSON.stringify([columns, rows, seed, most, number]);
  if (!known.has(name)) {
    const named = columns.map(([column, values], place) => ({ name: column, kind: "categorical", values, place }));
    const drawn = bootstrap(rows.length, seed, number);
    const weighted = rows.map((cells, i) => ({ weight: fraction(drawn[i]), cells })).filter((_, i) => drawn[i]);
    const how = { ...learner("id3"), ...(most && { decide: drawing(seed, number, most) }) };
    const tree = grown({ attributes: named.slice(0, -1), target: named.at(-1), rows: weighted }, how);
    const said = rows.map((cells) => named.at(-1).values.indexOf(ends(tree, cells).answer.label));
    known.set(name, { drawn, said, asks: tree.get("").chosen?.question.test.attribute ?? "–" });
  }
  return known.get(name);
}

export const does = {
  next: (state) => (state.trees < MOST ? { ...state, trees: state.trees + 1 } : null),
  back: (state) => (state.trees > 1 ? { ...state, trees: state.trees - 1 } : null),
  all: (state) => ({ ...state, trees: MOST }),
  seed: (state) => ({ ...state, seed: state.seed + 1 }),
  most: (state, most) => ({ ...state, most: Number(most) }),
};

export function view(state, figure) {
  const trees = Array.from({ length: state.trees }, (_, number) => treeOf(state, number));
  const texts = { seed: figure.say("seed", { seed: state.seed }) }, counts = {}, marks = {};
  const truth = state.rows.map((cells) => state.columns.at(-1)[1].indexOf(cells.at(-1)));
  const wrong = { v: 0, o: 0 };
  let judged = 0;
  for (let b = 0; b < MOST; b++) marks[`h${b}`] = trees[b] ? "tree" : "later";
  truth.forEach((k, i) => {
    for (let b = 0; b < MOST; b++) {
      const tree = trees[b];
      texts[`n${i}.${b}`] = tree?.drawn[i] ? `${tree.drawn[i]}` : "";
      counts[`d${i}.${b}`] = one(tree ? tree.said[i] : -1);
      marks[`c${i}.${b}`] = !tree ? "later" : [tree.drawn[i] ? "in" : "out", tree.said[i] !== k && "wrong"].filter(Boolean).join(" ");
    }
    for (const [name, voting] of [["v", trees], ["o", trees.filter(({ drawn }) => !drawn[i])]]) {
      const votes = [0, 1].map((of) => voting.filter(({ said }) => said[i] === of).length);
      const answer = voting.length ? Number(votes[1] > votes[0]) : -1;
      texts[`${name}${i}`] = voting.length ? votes.join(":") : "–";
      counts[`${name}d${i}`] = one(answer);
      marks[`${name}m${i}`] = answer >= 0 && answer !== k ? "votes wrong" : "votes";
      wrong[name] += Number(answer >= 0 && answer !== k);
      if (name === "o") judged += Number(answer >= 0);
    }
  });
  for (const [most] of state.most ? state.columns.slice(0, -1).entries() : []) marks[`k${most + 1}`] = most + 1 === state.most ? "on" : "";
  const last = trees.at(-1);
  texts.says = [
    figure.say("drawn", { tree: trees.length, drawn: last.drawn.filter(Boolean).length, rows: truth.length, asks: last.asks }),
    figure.say("votes", { wrong: wrong.v, rows: truth.length, out: wrong.o, judged }),
  ].join(" ");
  return { texts, counts, marks };
}
