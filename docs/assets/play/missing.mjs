// Cells that are erased: a row without an answer goes down every branch, a fraction of it in each.
import { ONE, approximately, decimal, fraction, total, written } from "./exact.mjs";
import { candidate, counts, partition, questions } from "./learn.mjs";

export const does = {
  erase: (state, row) => {
    const at = Number(row);
    const erased = state.erased.includes(at) ? state.erased.filter((one) => one !== at) : [...state.erased, at].sort((a, b) => a - b);
    return erased.length < state.rows.length ? { ...state, erased } : null;
  },
};

export function view({ values, labels, rows, erased }, figure) {
  const attribute = { name: "", kind: "categorical", values, place: 0 };
  const target = { name: "", kind: "categorical", values: labels, place: 1 };
  const isErased = (_, i) => erased.includes(i);
  const sample = rows.map(([v, k], i) => ({ weight: ONE, cells: [isErased(0, i) ? null : values[v], labels[k]] }));
  const [question] = questions(attribute, sample, "multiway");
  const { table, scores } = candidate(question, sample, { target }, { criterion: "gain", min_samples_leaf: 0 });
  const known = total(table.rows.map(total));
  const unknown = rows.filter(isErased);
  const texts = {}, marks = {}, dots = {}, shares = {};
  rows.forEach(([v], i) => {
    texts[`v${i}`] = isErased(0, i) ? "?" : values[v];
    marks[`m${i}`] = isErased(0, i) ? "chip gone" : "chip";
  });
  partition(sample, question).forEach((part, v) => {
    const share = total(table.rows[v]).over(known);
    texts[`s${v}`] = `${share}`;
    counts(part, target).forEach((weight, k) => { texts[`w${v}.${k}`] = `${weight}`; });
    dots[`k${v}`] = table.rows[v].map(({ p }) => Number(p));
    dots[`f${v}`] = labels.map((_, k) => (share.sign() ? unknown.filter((row) => row[1] === k).length : 0));
    shares[`z${v}`] = Math.sqrt(approximately(share));
  });
  const found = scores.gain ?? fraction(0);
  const rho = known.over(fraction(rows.length));
  Object.assign(texts, { rho: `${rho}`, known: decimal(found.times(ONE.over(rho))), gain: decimal(found), exact: written(found) });
  texts.says = figure.say(unknown.length ? "some" : "none", { erased: unknown.length });
  return { texts, marks, counts: dots, shares };
}
