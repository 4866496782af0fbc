// Values that go to the left or to the right: two sets, and how often two draws from a side differ in class.
import { ZERO, approximately, compare, decimal, fraction, smallest, total } from "./exact.mjs";
import { gini, giniIndex } from "./learn.mjs";

const sum = (table) => table[0].map((_, k) => total(table.map((row) => row[k])));
const divided = (table, right) => [0, 1].map((side) => {
  const rows = table.filter((_, v) => right[v] === side);
  return rows.length ? sum(rows) : table[0].map(() => ZERO);
});

// Every way to put the values on two sides, once: the first value stays on the left.
const ways = (n) => Array.from({ length: 2 ** (n - 1) - 1 }, (_, mask) => Array.from({ length: n }, (_, v) => (v && ((mask + 1) >> (v - 1)) & 1 ? 1 : 0)));
const numbers = ({ counts }) => counts.map((row) => row.map(fraction));

export const does = {
  move: (state, v) => ({ ...state, right: state.right.map((side, at) => (at === Number(v) ? 1 - side : side)) }),
  best: (state) => {
    const table = numbers(state);
    const index = (right) => giniIndex(divided(table, right));
    return { ...state, right: ways(table.length).reduce((best, one) => (compare(index(one), index(best)) < 0 ? one : best)) };
  },
};

export function view(state, figure) {
  const table = numbers(state);
  const sides = divided(table, state.right);
  const isWhole = sides.some((row) => !total(row).sign());
  const found = isWhole ? null : giniIndex(sides);
  const all = ways(table.length).map((right) => giniIndex(divided(table, right)));
  const least = smallest(all);
  const winners = all.filter((one) => !compare(one, least)).length;
  const texts = {
    index: found ? `${found}` : "–", decimal: found ? decimal(found) : "–",
    less: found ? decimal(gini(sum(table)).minus(found)) : "–",
    says: figure.say(!found ? "none" : compare(found, least) ? "more" : winners > 1 ? "tied" : "best",
      { more: found && decimal(found.minus(least)), sets: all.length, winners }),
  };
  const counts = {}, shares = {}, marks = {};
  state.right.forEach((side, v) => { marks[`m${v}`] = side ? "value on" : "value"; });
  sides.forEach((row, side) => {
    counts[`d${side}`] = row.map(({ p }) => Number(p));
    texts[`g${side}`] = total(row).sign() ? `${gini(row)}` : "–";
    shares[`q${side}`] = total(row).sign() ? approximately(row[0].over(total(row))) : 0;
  });
  return { texts, counts, shares, marks };
}
