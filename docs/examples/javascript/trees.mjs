// Trees as the goldens hand them out: predicted with, and pruned.
import { entropy, sum } from "./measures.mjs";
import { number } from "./learner.mjs";

// A node knows its place, its weights and the nodes below it.
export function readTree(nodes, target) {
  const found = nodes.map((node) => ({
    node, at: [], children: [],
    counts: target.kind === "continuous" ? null : target.values.map((label) => number(node.counts[label])),
  }));
  for (const one of found) {
    one.children = (one.node.branches ?? []).map((branch) => found[branch.to]);
    one.children.forEach((child, branch) => Object.assign(child, { at: [...one.at, branch], above: one }));
  }
  return found[0];
}

export function holds(when, value) {
  const [[relation, bound]] = Object.entries(when);
  const numbers = { le: (a, b) => a <= b, gt: (a, b) => a > b, lt: (a, b) => a < b, ge: (a, b) => a >= b };
  if (relation in numbers) return numbers[relation](Number(value), number(bound));
  return relation === "is" ? value === bound : bound.includes(value) === (relation === "in");
}

// The branch of a row: its number, null where the row does not answer, -1 where no branch is for what it says.
function branchOf(test, branches, row) {
  const value = row[test.attribute];
  return value === "" ? null : branches.findIndex((branch) => holds(branch.when, value));
}

// Where a row ends: in one node, or in several by its shares.
export function ends(root, row) {
  const found = [];
  const pending = [{ one: root, share: 1 }];
  while (pending.length) {
    const { one, share } = pending.pop();
    const { test, branches = [], missing, surrogates = [] } = one.node;
    let branch = test === undefined ? -1 : branchOf(test, branches, row);
    if (branch === null) { // the first surrogate that is answered, else the one branch for such rows, else all of them
      for (const surrogate of surrogates) {
        const way = branchOf(surrogate.test, surrogate.branches, row);
        if (branch === null && way !== null && way >= 0) branch = branches.findIndex(({ to }) => to === surrogate.branches[way].to);
      }
      if (branch === null && missing?.to !== undefined) branch = branches.findIndex(({ to }) => to === missing.to);
    }
    if (branch === null && missing?.rule !== "stay") {
      const parts = branches.map(({ share: part }, i) => ({ one: one.children[i], share: share * number(part) }));
      pending.push(...parts.filter((part) => part.share > 0).reverse());
    } else if (branch !== null && branch >= 0) {
      pending.push({ one: one.children[branch], share });
    } else {
      found.push({ one, share });
    }
  }
  return found;
}

export function predict(root, row, target) {
  const found = ends(root, row);
  const told = found.map(({ one, share }) => ({ at: one.at, share }));
  if (target.kind === "continuous") return { ends: told, label: sum(found.map(({ one, share }) => share * number(one.node.mean))) };
  const filled = ({ one }) => { // an empty leaf answers as the node above
    while (!sum(one.counts)) one = one.above;
    return one.counts;
  };
  const shares = target.values.map((_, j) => sum(found.map((end) => (end.share * filled(end)[j]) / sum(filled(end)))));
  const label = found.length === 1 ? found[0].one.node.label : target.values[shares.indexOf(Math.max(...shares))];
  return { ends: told, distribution: Object.fromEntries(target.values.map((name, j) => [name, shares[j]])), label };
}

// Pruning. A set of nodes is cut; those below a node that is cut are gone.
const isLeaf = (one, cut) => !one.children.length || cut.has(one);
const leaves = (one, cut) => (isLeaf(one, cut) ? [one] : one.children.flatMap((child) => leaves(child, cut)));
const postorder = (one, cut = new Set()) => (isLeaf(one, cut) ? [one] : [...one.children.flatMap((child) => postorder(child, cut)), one]);
const asking = (root, cut) => postorder(root, cut).filter((one) => !isLeaf(one, cut));

// The tree that is left, in preorder.
export function left(root, cut) {
  const nodes = [];
  const write = (one) => {
    const id = nodes.length;
    const { test, branches, missing, surrogates, ...said } = one.node;
    nodes.push({ ...said, id });
    if (isLeaf(one, cut)) return Object.assign(nodes[id], { stop: cut.has(one) ? "pruned" : one.node.stop }), id;
    nodes[id].test = test;
    nodes[id].branches = branches.map((branch, i) => ({ ...branch, to: write(one.children[i]) }));
    return id;
  };
  write(root);
  return nodes;
}

// The cost of the leaves by their entropies, and alpha for each that is not empty.
export function byCost(root, { alpha }) {
  const price = number(alpha);
  const cost = (one) => (sum(one.counts) ? sum(one.counts) * entropy(one.counts) + price : 0);
  const cut = new Set();
  const total = (one) => sum(leaves(one, cut).map(cost));
  const decisions = asking(root, cut).map((one) => {
    const found = { at: one.at, as_leaf: cost(one), as_subtree: total(one) };
    found.pruned = found.as_leaf <= found.as_subtree + 1e-9;
    if (found.pruned) cut.add(one);
    return found;
  });
  return { decisions, cost: total(root), tree: left(root, cut) };
}

// Weakest links: the nodes that take the least from the risk for each leaf they add are cut together.
export function byAlpha(root, { alpha }) {
  const all = sum(root.counts);
  const risk = (one) => (sum(one.counts) - Math.max(...one.counts)) / all;
  const size = (one, cut) => leaves(one, cut).filter((leaf) => sum(leaf.counts)).length; // empty leaves are not counted
  const links = (cut) => asking(root, cut).map((one) => {
    const found = { one, as_leaf: risk(one), as_subtree: sum(leaves(one, cut).map(risk)), saved: size(one, cut) - 1 };
    return { ...found, g: (found.as_leaf - found.as_subtree) / found.saved };
  });
  const cut = new Set();
  const sequence = [];
  const cuts = [];
  const step = (price, weakest, before) => {
    weakest.forEach((one) => cut.add(one));
    const isBelow = (one, other) => one !== other && other.at.every((branch, i) => one.at[i] === branch);
    const top = weakest.filter((one) => !weakest.some((other) => isBelow(one, other)));
    const told = before.map(({ one, ...link }) => ({ at: one.at, ...link }));
    const at = leaves(root, cut);
    sequence.push({ alpha: price, links: told, cut: top.map((one) => ({ at: one.at })), leaves: size(root, cut), risk: sum(at.map(risk)) });
    cuts.push(new Set(cut));
  };
  const free = (found) => found.filter(({ g }) => g <= 1e-12).map(({ one }) => one);
  step(0, free(links(cut)), links(cut));
  for (let before = links(cut); before.length; before = links(cut)) {
    const least = Math.min(...before.map(({ g }) => g));
    step(least, before.filter(({ g }) => g <= least + 1e-12).map(({ one }) => one), before);
  }
  const taken = sequence.findLastIndex((one) => one.alpha <= number(alpha) + 1e-12);
  return { sequence, taken, tree: left(root, cuts[taken]) };
}

// Reduced errors: what the rows held out get wrong in a node's subtree, and in a leaf in its place.
export function byErrors(root, { order, on_equal: onEqual }, held) {
  const reaching = new Map(postorder(root).map((one) => [one, []]));
  for (const row of held.rows) {
    for (let [{ one }] = ends(root, row); one; one = one.above) reaching.get(one).push(row[held.target.name]);
  }
  const wrong = (one) => reaching.get(one).filter((label) => label !== one.node.label).length;
  const cut = new Set();
  const errors = (one) => ({ at: one.at, wrong_before: sum(leaves(one, cut).map(wrong)), wrong_after: wrong(one) });
  const pays = ({ wrong_before: before, wrong_after: after }) => after < before || (after === before && onEqual === "prune");
  const decisions = [];
  if (order === "bottom-up") {
    for (const one of asking(root, cut)) {
      decisions.push({ ...errors(one), pruned: pays(errors(one)) });
      if (decisions.at(-1).pruned) cut.add(one);
    }
    return { decisions, tree: left(root, cut) };
  }
  for (let open = asking(root, cut); open.length; open = asking(root, cut)) { // the best first, of equals the deepest
    const found = open.map((one) => ({ one, ...errors(one) }));
    const gain = (one) => one.wrong_before - one.wrong_after;
    const [{ one, ...best }] = [...found].sort((a, b) => gain(b) - gain(a) || b.at.length - a.at.length);
    const compared = found.map(({ one: _, ...told }) => told);
    decisions.push({ ...best, pruned: pays(best), compared });
    if (!pays(best)) break;
    cut.add(one);
  }
  return { decisions, tree: left(root, cut) };
}
