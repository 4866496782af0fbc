// Shapley values by definition: the expected answer for every set of known attributes, and what each attribute adds to it.
import { number } from "./learner.mjs";
import { sum } from "./measures.mjs";
import { holds } from "./trees.mjs";

// An exact number, or a sum of logarithms.
function weightOf(told) {
  if (typeof told === "string") return number(told);
  const base = told.base === "e" ? Math.E : number(told.base);
  const terms = Object.entries(told.terms).map(([n, c]) => (number(c) * Math.log(Number(n))) / Math.log(base));
  return sum(terms) + number(told.constant ?? "0");
}

const asked = (test) => (test.kind === "linear" ? Object.keys(test.weights) : [test.attribute]);

// The branch of what a row answers; null where it does not.
function branchOf(test, branches, row) {
  if (asked(test).some((name) => row[name] === "")) return null;
  const value = test.kind === "linear" ? sum(Object.entries(test.weights).map(([name, w]) => number(w) * Number(row[name]))) : row[test.attribute];
  return branches.findIndex((branch) => holds(branch.when, value));
}

// Where a row goes that is known here: pairs of a node below, or null where it stays, and a part.
function ways({ test, branches, missing, surrogates = [] }, row) {
  const branch = branchOf(test, branches, row);
  if (branch !== null) return [[branches[branch].to, 1]];
  for (const one of surrogates) {
    const way = asked(one.test).every((name) => name in row) ? branchOf(one.test, one.branches, row) : null;
    if (way !== null) return [[one.branches[way].to, 1]];
  }
  if (missing?.to !== undefined) return [[missing.to, 1]];
  if (branches.some(({ share }) => share !== undefined)) return branches.map(({ to, share }) => [to, number(share ?? "0")]);
  return [[null, 1]];
}

// Where a row goes that is not known here: by cover; what is left stays, where rows stay.
function byCover({ branches, missing }, number_, cover) {
  const shares = branches.map(({ to }) => [to, cover[to] / cover[number_]]);
  const stays = missing?.rule === "stay" || missing?.stays === true;
  return stays ? [...shares, [null, 1 - sum(shares.map(([, share]) => share))]] : shares;
}

function expected({ nodes, values }, way) {
  let total = 0;
  const pending = [[0, 1]];
  while (pending.length) {
    const [at, share] = pending.pop();
    if (nodes[at].test === undefined) total += share * values[at];
    else for (const [to, part] of way(nodes[at], at)) {
      if (to === null) total += share * part * values[at];
      else if (part) pending.push([to, share * part]);
    }
  }
  return total;
}

// v for one tree, of a set of known names.
function valueFunction(tree, row, background) {
  if (background === null) {
    return (known) => {
      const cells = Object.fromEntries(known.map((name) => [name, row[name]]));
      const isKnown = (node) => asked(node.test).every((name) => known.includes(name));
      return expected(tree, (node, at) => (isKnown(node) ? ways(node, cells) : byCover(node, at, tree.cover)));
    };
  }
  return (known) => {
    const mixed = background.map((other) => ({ ...other, ...Object.fromEntries(known.map((name) => [name, row[name]])) }));
    return sum(mixed.map((cells) => expected(tree, (node) => ways(node, cells)))) / background.length;
  };
}

const factorial = (n) => (n < 2 ? 1 : n * factorial(n - 1));
const subset = (names, bits) => names.filter((_, i) => (bits >> i) & 1);
const size = (bits) => bits.toString(2).replaceAll("0", "").length;

export function attributions({ columns, model, rows, background, interactions }) {
  const names = columns.map(({ name }) => name);
  const named = (cells) => Object.fromEntries(cells.map((cell, j) => [names[j], cell]));
  const trees = model.trees.map(({ weight, nodes, values, cover }) => ({
    nodes, weight: weightOf(weight), values: values.map(number), cover: cover?.map(number),
  }));
  const others = background?.map(named) ?? null;
  const n = names.length;
  const answers = rows.map((cells) => {
    const vs = trees.map((tree) => [tree.weight, valueFunction(tree, named(cells), others)]);
    const v = Array.from({ length: 2 ** n }, (_, bits) => sum(vs.map(([weight, of]) => weight * of(subset(names, bits)))));
    const without = (...places) => v.map((_, bits) => bits).filter((bits) => places.every((i) => !((bits >> i) & 1)));
    const values = names.map((_, i) => sum(without(i).map((S) => (factorial(size(S)) * factorial(n - size(S) - 1) * (v[S | (1 << i)] - v[S])) / factorial(n))));
    const pair = (i, j) => {
      const [a, b] = [1 << i, 1 << j];
      return sum(without(i, j).map((S) => (factorial(size(S)) * factorial(n - size(S) - 2) * (v[S | a | b] - v[S | a] - v[S | b] + v[S])) / (2 * factorial(n - 1))));
    };
    const matrix = names.map((_, i) => names.map((_, j) => (i === j ? 0 : pair(i, j))));
    matrix.forEach((row, i) => { row[i] = values[i] - sum(row); });
    return { v, values, matrix, prediction: weightOf(model.start) + v.at(-1) };
  });
  return {
    expected_value: weightOf(model.start) + answers[0].v[0],
    attributions: answers.map(({ values, matrix, prediction }) => ({ values, prediction, ...(interactions ? { interactions: matrix } : {}) })),
  };
}
