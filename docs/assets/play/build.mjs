// A tree to be built: a reader says of each node what it asks or answers; the first that ID3 would not make is named.
import { ONE, compare, decimal, largest } from "./exact.mjs";
import { decide, learner, partition, questions } from "./learn.mjs";

const LINES = 22; // so many nodes there is room for

const options = ({ columns }) => [...columns.slice(0, -1).map(([name]) => `${name}?`), ...columns.at(-1)[1]];

// The nodes in preorder, each with the rows that arrive there and what ID3 does with them.
function built({ columns, tasks, at, says }) {
  const named = columns.map(([name, values], place) => ({ name, kind: "categorical", values, place }));
  const sample = { attributes: named.slice(0, -1), target: named.at(-1) };
  const rows = tasks[at].rows.map((cells, i) => ({ i, weight: ONE, cells: cells.map((value, j) => columns[j][1][value]) }));
  const pending = [{ at: "", rows, name: [], available: new Set(sample.attributes.map(({ name }) => name)), above: null }];
  const nodes = [];
  while (pending.length) {
    const node = pending.pop();
    const decision = decide({ ...sample, rows: node.rows }, learner("id3"), node);
    nodes.push({ ...node, decision, says: says[node.at] });
    const asked = sample.attributes[says[node.at]];
    if (!asked) continue;
    const available = new Set([...node.available].filter((name) => name !== asked.name));
    pending.push(...partition(node.rows, questions(asked, node.rows, "multiway")[0]).map((part, branch) => ({
      at: `${node.at}${branch}`, rows: part, value: asked.values[branch], name: [...node.name, `${asked.name} = ${asked.values[branch]}`],
      available, above: decision.answer })).reverse());
  }
  return nodes;
}

const asks = ({ question }) => question.test.attribute;

// The mistake of a node, and what it is about; no mistake: it is as ID3 makes it.
function mistake({ columns }, root, { at, says, available, decision }) {
  const { answer, chosen, candidates, winners } = decision;
  const about = chosen ? { best: asks(chosen), y: decimal(chosen.scores.gain) } : { best: answer.label };
  if (says === undefined) return ["open", about];
  if (says >= columns.length - 1) {
    const label = columns.at(-1)[1][says - columns.length + 1];
    return [chosen ? "early" : label === answer.label || answer.tied.includes(label) ? "" : answer.prior ? "empty" : "minority", about];
  }
  if (!chosen) return [answer.prior ? "empty" : "pure", about];
  const [attr] = columns[says];
  const asked = candidates.find((one) => asks(one) === attr);
  if (winners.includes(asked)) return ["", about];
  if (asked.barred) return ["same", { ...about, attr }];
  const left = root.candidates.filter((one) => available.has(asks(one)));
  const first = left.find(({ scores }) => !compare(scores.gain, largest(left.map((one) => one.scores.gain))));
  return [at && asks(first) === attr ? "all_rows" : "less", { ...about, attr, x: decimal(asked.scores.gain) }];
}

const says = (state, option) => {
  const kept = Object.entries(state.says).filter(([at]) => at === state.here || !at.startsWith(state.here));
  const next = { ...state, says: { ...Object.fromEntries(kept), [state.here]: Number(option) }, told: false };
  const open = built(next).find((node) => node.says === undefined);
  return { ...next, here: open?.at ?? state.here };
};

export const does = {
  at: (state, line) => ({ ...state, here: built(state)[line]?.at ?? state.here }),
  say: says,
  check: (state) => ({ ...state, told: true }),
  another: (state) => ({ ...state, at: (state.at + 1) % state.tasks.length, says: {}, here: "", told: false }),
};

export function view(state, figure) {
  const nodes = built(state);
  const name = (node) => node.name.join(", ") || figure.say("root");
  const here = nodes.find(({ at }) => at === state.here);
  const wrong = state.told && nodes.find((node) => mistake(state, nodes[0].decision, node)[0]);
  const [why, about] = wrong ? mistake(state, nodes[0].decision, wrong) : ["right", { n: nodes.length }];
  const texts = { place: figure.say("says", { node: name(here) }), steps: state.tasks[state.at].steps, verdict: state.told ? figure.say(why, { node: name(wrong || here), ...about }) : "" };
  const marks = { verdict: !state.told ? "verdict" : wrong ? "verdict bad" : "verdict good" }, counts = {};
  state.tasks[state.at].rows.forEach((row, i) => {
    marks[`r${i}`] = here.rows.some((one) => one.i === i) ? "" : "gone";
    row.forEach((value, j) => { texts[`c${i}.${j}`] = state.columns[j][1][value]; });
  });
  options(state).forEach((_, i) => {
    const isAsked = i < state.columns.length - 1 && !here.available.has(state.columns[i][0]);
    marks[`o${i}`] = isAsked ? "later" : i === here.says ? "on" : "";
  });
  for (let i = 0; i < LINES; i++) {
    const node = nodes[i];
    marks[`n${i}`] = node ? `deep${node.at.length}${node === here ? " on" : ""}${node === wrong ? " bad" : ""}` : "later";
    texts[`v${i}`] = node?.value ?? "";
    texts[`q${i}`] = node ? options(state)[node.says] ?? "…" : "";
    counts[`d${i}`] = node ? node.decision.total.map(({ p }) => Number(p)) : [];
  }
  return { texts, marks, counts };
}

export const begins = (figure) => figure.find("[data-does=another]").addEventListener("click", () => { figure.find("details").open = false; });
